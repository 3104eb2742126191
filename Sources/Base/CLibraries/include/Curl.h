// libcurl, loaded on first use. Its variadic setters and getters have one function for each type here.
#ifndef HW_CURL_H
#define HW_CURL_H

#include <stddef.h>

#pragma clang assume_nonnull begin

typedef struct hw_curl hw_curl;
typedef struct hw_curl_list hw_curl_list;
typedef struct hw_curl_share hw_curl_share;
typedef size_t (*hw_curl_take)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*hw_curl_watch)(
    void *_Nullable context, long long to_come, long long came, long long to_send, long long sent);

// Loads a library; the first complete one stays in use to the end of the process. Returns 0 if this one is missing, or
// if it lacks a function and none is in use yet.
int hw_curl_open(const char *library);

// All other functions require that hw_curl_open succeeded.
hw_curl *_Nullable hw_curl_new(void);
void hw_curl_reset(hw_curl *);
// Whether this libcurl (7.83.0 to 8.1.0) keeps a dangling pointer to the last header of a transfer, to which it writes
// if the next response of the handle begins with a folded line.
int hw_curl_keeps_headers(void);
// Shares connections, names and TLS sessions between handles of one thread.
hw_curl_share *_Nullable hw_curl_share_new(void);
void hw_curl_share_free(hw_curl_share *);
void hw_curl_free(hw_curl *);
int hw_curl_perform(hw_curl *);
const char *hw_curl_version(void);
const char *_Nullable hw_curl_explain(int code);
hw_curl_list *_Nullable hw_curl_append(hw_curl_list *_Nullable, const char *line);
void hw_curl_free_list(hw_curl_list *_Nullable);

int hw_curl_set_long(hw_curl *, int option, long);
int hw_curl_set_offset(hw_curl *, int option, long long);
int hw_curl_set_pointer(hw_curl *, int option, const void *_Nullable);
int hw_curl_set_take(hw_curl *, int option, hw_curl_take);
int hw_curl_set_watch(hw_curl *, int option, hw_curl_watch);
int hw_curl_get_long(hw_curl *, int information, long *);
int hw_curl_get_offset(hw_curl *, int information, long long *);

#pragma clang assume_nonnull end
#endif
