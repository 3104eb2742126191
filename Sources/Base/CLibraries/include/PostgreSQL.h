// libpq's functions, with the types of its manual, in a table that is filled when the library is loaded.
#ifndef HW_POSTGRESQL_H
#define HW_POSTGRESQL_H

#pragma clang assume_nonnull begin

typedef struct hw_pg hw_pg;
typedef struct hw_pg_result hw_pg_result;
typedef void (*hw_pg_notice)(void *_Nullable context, const char *_Nullable message);

// A parameter of an address, laid out as libpq's PQconninfoOption. The last of a list has no keyword.
typedef struct hw_pg_option {
  const char *_Nullable keyword;
  const char *_Nullable variable;
  const char *_Nullable compiled;
  const char *_Nullable value;
  const char *_Nullable label;
  const char *_Nullable display;
  int size;
} hw_pg_option;

#define CONNECTION_BAD 1
#define PQERRORS_VERBOSE 2
// Results of connectPoll.
#define PGRES_POLLING_FAILED 0
#define PGRES_POLLING_READING 1
#define PGRES_POLLING_WRITING 2
#define PGRES_POLLING_OK 3
// Results of resultStatus.
#define PGRES_COMMAND_OK 1
#define PGRES_TUPLES_OK 2
#define PGRES_SINGLE_TUPLE 9
#define PGRES_PIPELINE_SYNC 10
#define PGRES_PIPELINE_ABORTED 11
// Results of ftype, from the server's catalog/pg_type.h.
#define BOOLOID 16u
#define CHAROID 18u
#define NAMEOID 19u
#define INT8OID 20u
#define INT2OID 21u
#define INT4OID 23u
#define TEXTOID 25u
#define OIDOID 26u
#define FLOAT4OID 700u
#define FLOAT8OID 701u
#define UNKNOWNOID 705u
#define BPCHAROID 1042u
#define VARCHAROID 1043u
#define NUMERICOID 1700u
#define TXID_SNAPSHOTOID 2970u

// Result, name without its PQ, arguments.
#define HW_POSTGRESQL(X)                                                                                     \
  X(int, libVersion, (void))                                                                                 \
  X(hw_pg_option *_Nullable, conninfoParse, (const char *address, char *_Nullable *_Nullable message))         \
  X(hw_pg_option *_Nullable, conndefaults, (void))                                                           \
  X(void, conninfoFree, (hw_pg_option *))                                                                    \
  X(hw_pg *_Nullable, connectStartParams,                                                                    \
    (const char *_Nullable const *_Nonnull keywords, const char *_Nullable const *_Nonnull values,           \
     int expands))                                                                                           \
  X(int, connectPoll, (hw_pg *))                                                                             \
  X(int, status, (hw_pg *))                                                                                  \
  X(void, finish, (hw_pg *))                                                                                 \
  X(int, socket, (hw_pg *))                                                                                  \
  X(const char *_Nullable, errorMessage, (hw_pg *))                                                          \
  X(int, connectionNeedsPassword, (hw_pg *))                                                                 \
  X(int, backendPID, (hw_pg *))                                                                              \
  X(const char *_Nullable, options, (hw_pg *))                                                               \
  X(int, setErrorVerbosity, (hw_pg *, int verbosity))                                                        \
  X(hw_pg_notice _Nullable, setNoticeProcessor, (hw_pg *, hw_pg_notice, void *_Nullable context))            \
  X(int, setnonblocking, (hw_pg *, int on))                                                                  \
  X(int, flush, (hw_pg *))                                                                                   \
  X(int, consumeInput, (hw_pg *))                                                                            \
  X(int, isBusy, (hw_pg *))                                                                                  \
  X(int, enterPipelineMode, (hw_pg *))                                                                       \
  X(int, exitPipelineMode, (hw_pg *))                                                                        \
  X(int, pipelineSync, (hw_pg *))                                                                            \
  X(int, sendQuery, (hw_pg *, const char *script))                                                           \
  X(int, sendPrepare,                                                                                        \
    (hw_pg *, const char *name, const char *sql, int count, const unsigned *_Nullable types))                \
  X(int, sendQueryPrepared,                                                                                  \
    (hw_pg *, const char *name, int count, const char *_Nullable const *_Nullable values,                    \
     const int *_Nullable lengths, const int *_Nullable formats, int format))                                \
  X(int, sendQueryParams,                                                                                    \
    (hw_pg *, const char *sql, int count, const unsigned *_Nullable types,                                   \
     const char *_Nullable const *_Nullable values, const int *_Nullable lengths,                            \
     const int *_Nullable formats, int format))                                                              \
  X(int, setSingleRowMode, (hw_pg *))                                                                        \
  X(hw_pg_result *_Nullable, getResult, (hw_pg *))                                                           \
  X(int, resultStatus, (hw_pg_result *))                                                                     \
  X(const char *_Nullable, resultErrorField, (hw_pg_result *, int field))                                    \
  X(void, clear, (hw_pg_result *))                                                                           \
  X(int, ntuples, (hw_pg_result *))                                                                          \
  X(int, nfields, (hw_pg_result *))                                                                          \
  X(unsigned, ftype, (hw_pg_result *, int column))                                                           \
  X(int, getisnull, (hw_pg_result *, int row, int column))                                                   \
  X(const char *_Nullable, getvalue, (hw_pg_result *, int row, int column))                                  \
  X(int, getlength, (hw_pg_result *, int row, int column))                                                   \
  X(const char *_Nullable, cmdStatus, (hw_pg_result *))                                                      \
  X(const char *_Nullable, cmdTuples, (hw_pg_result *))                                                      \
  X(const char *_Nullable, host, (hw_pg *))                                                                  \
  X(const char *_Nullable, port, (hw_pg *))                                                                  \
  X(const char *_Nullable, db, (hw_pg *))

#define HW_MEMBER(result, name, arguments) result(*_Nonnull name) arguments;
typedef struct hw_postgresql {
  HW_POSTGRESQL(HW_MEMBER)
} hw_postgresql;
#undef HW_MEMBER

// Loads a library for the rest of the process. Returns null if it is missing or lacks a function.
const hw_postgresql *_Nullable hw_postgresql_open(const char *library);

#pragma clang assume_nonnull end
#endif
