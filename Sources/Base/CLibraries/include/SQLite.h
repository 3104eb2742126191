// SQLite's functions, with the types of its manual, in a table that is filled when the library is loaded.
#ifndef HW_SQLITE_H
#define HW_SQLITE_H

#pragma clang assume_nonnull begin

typedef struct hw_database hw_database;
typedef struct hw_statement hw_statement;
typedef void (*hw_free)(void *);
// A call of an SQL function of hw, and one of its arguments.
typedef struct hw_call hw_call;
typedef struct hw_value hw_value;
typedef void (*hw_function)(hw_call *, int count, hw_value *_Nonnull *_Nonnull values);

// Result codes.
#define SQLITE_BUSY 5
#define SQLITE_READONLY 8
#define SQLITE_IOERR 10
#define SQLITE_CORRUPT 11
#define SQLITE_FULL 13
#define SQLITE_CANTOPEN 14
#define SQLITE_CONSTRAINT 19
#define SQLITE_NOTADB 26
#define SQLITE_ROW 100
#define SQLITE_DONE 101
// Types of a column, and the encoding of a text.
#define SQLITE_INTEGER 1
#define SQLITE_FLOAT 2
#define SQLITE_TEXT 3
#define SQLITE_NULL 5
#define SQLITE_UTF8 1
// Flags of open_v2.
#define SQLITE_OPEN_READONLY 0x01
#define SQLITE_OPEN_READWRITE 0x02
#define SQLITE_OPEN_URI 0x40
#define SQLITE_OPEN_NOMUTEX 0x8000

// Result, name without its sqlite3_, arguments.
#define HW_SQLITE(X)                                                                                         \
  X(int, libversion_number, (void))                                                                          \
  X(int, open_v2, (const char *path, hw_database *_Nullable *_Nonnull, int flags, const char *_Nullable vfs)) \
  X(int, close_v2, (hw_database *))                                                                          \
  X(int, db_config, (hw_database *, int option, ...))                                                        \
  X(int, exec, (hw_database *, const char *sql, void *_Nullable, void *_Nullable, void *_Nullable))          \
  X(int, busy_handler, (hw_database *, int (*handler)(void *, int), void *context))                          \
  X(int, get_autocommit, (hw_database *))                                                                    \
  X(int, changes, (hw_database *))                                                                           \
  X(const char *_Nullable, errmsg, (hw_database *))                                                          \
  X(int, extended_errcode, (hw_database *))                                                                  \
  X(int, system_errno, (hw_database *))                                                                      \
  X(int, prepare_v2,                                                                                         \
    (hw_database *, const char *sql, int bytes, hw_statement *_Nullable *_Nonnull,                              \
     const char *_Nullable *_Nullable tail))                                                                 \
  X(int, finalize, (hw_statement *))                                                                         \
  X(int, step, (hw_statement *))                                                                             \
  X(int, reset, (hw_statement *))                                                                            \
  X(int, bind_parameter_count, (hw_statement *))                                                             \
  X(int, bind_null, (hw_statement *, int index))                                                             \
  X(int, bind_int64, (hw_statement *, int index, long long))                                                 \
  X(int, bind_double, (hw_statement *, int index, double))                                                   \
  X(int, bind_text64,                                                                                        \
    (hw_statement *, int index, const char *, unsigned long long, hw_free, unsigned char encoding))          \
  X(int, column_type, (hw_statement *, int column))                                                          \
  X(long long, column_int64, (hw_statement *, int column))                                                   \
  X(double, column_double, (hw_statement *, int column))                                                     \
  X(const unsigned char *_Nullable, column_text, (hw_statement *, int column))                               \
  X(int, column_bytes, (hw_statement *, int column))                                                         \
  X(int, create_function,                                                                                    \
    (hw_database *, const char *name, int arguments, int encoding, void *context, hw_function function,      \
     void *_Nullable, void *_Nullable))                                                                      \
  X(void *_Nonnull, user_data, (hw_call *))                                                                          \
  X(const unsigned char *_Nullable, value_text, (hw_value *))                                                \
  X(void, result_int64, (hw_call *, long long))                                                              \
  X(void, result_error, (hw_call *, const char *message, int bytes))

#define HW_MEMBER(result, name, arguments) result(*_Nonnull name) arguments;
typedef struct hw_sqlite {
  HW_SQLITE(HW_MEMBER)
} hw_sqlite;
#undef HW_MEMBER

// Loads a library; the first one stays in use to the end of the process. Returns null if it is missing, lacks a function
// or is older than `oldest`.
const hw_sqlite *_Nullable hw_sqlite_open(const char *library, int oldest);

// The context with which an SQL function was added.
void *hw_sqlite_user_data(hw_call *call);

// Passed to a bind, makes it copy the bytes before it returns.
static inline hw_free hw_sqlite_transient(void) { return (hw_free)-1; }

// Sets whether the last connection to close leaves the write-ahead log, or checkpoints it.
static inline int hw_sqlite_keep_log(const hw_sqlite *calls, hw_database *database, int keeps) {
  const int no_checkpoint_on_close = 1006;
  return calls->db_config(database, no_checkpoint_on_close, keeps, (int *_Nullable)0);
}

// Prevents the schema of a foreign file from running triggers, views or functions.
static inline int hw_sqlite_harden(const hw_sqlite *calls, hw_database *database) {
  const int enable_trigger = 1003, defensive = 1010, enable_view = 1015, trusted_schema = 1017;
  int *_Nullable const unread = (int *_Nullable)0;
  const int failed = calls->db_config(database, enable_trigger, 0, unread) ||
                     calls->db_config(database, enable_view, 0, unread) ||
                     calls->db_config(database, defensive, 1, unread) ||
                     calls->db_config(database, trusted_schema, 0, unread);
  return failed;
}

#pragma clang assume_nonnull end
#endif
