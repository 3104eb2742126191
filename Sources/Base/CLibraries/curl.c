#include <dlfcn.h>
#include <pthread.h>

#include "CLibraries.h"

// The beginning of curl_version_info_data, which never changes.
struct version {
  int age;
  const char *text;
  unsigned number;
};

// Result, name without its curl_, arguments, typed as libcurl's manual types them.
#define HW_CURL(X)                                              \
  X(int, global_init, (long))                                   \
  X(hw_curl *, easy_init, (void))                               \
  X(void, easy_reset, (hw_curl *))                              \
  X(void, easy_cleanup, (hw_curl *))                            \
  X(int, easy_perform, (hw_curl *))                             \
  X(const char *, easy_strerror, (int))                         \
  X(const char *, version, (void))                              \
  X(hw_curl_list *, slist_append, (hw_curl_list *, const char *)) \
  X(void, slist_free_all, (hw_curl_list *))                     \
  X(int, easy_setopt, (hw_curl *, int, ...))                    \
  X(int, easy_getinfo, (hw_curl *, int, ...))                   \
  X(hw_curl_share *, share_init, (void))                        \
  X(int, share_setopt, (hw_curl_share *, int, ...))             \
  X(int, share_cleanup, (hw_curl_share *))                      \
  X(const struct version *, version_info, (int))

#define HW_MEMBER(result, name, arguments) result(*name) arguments;
static struct {
  HW_CURL(HW_MEMBER)
} curl;

static int is_open;

static int open_library(const char *name) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return 0;
  if (is_open) return 1;
  // POSIX promises that a pointer from dlsym can become one to a function; C does not.
#define LOOK_UP(result, name, arguments) \
  if ((*(void **)&curl.name = dlsym(library, "curl_" #name)) == NULL) return 0;
  HW_CURL(LOOK_UP)
#undef LOOK_UP
  const long everything = 3;
  is_open = curl.global_init(everything) == 0;
  return is_open;
}

// global_init must not run on two threads at once.
int hw_curl_open(const char *name) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  const int answer = open_library(name);
  pthread_mutex_unlock(&lock);
  return answer;
}

int hw_curl_keeps_headers(void) {
  const unsigned number = curl.version_info(0)->number;
  return number >= 0x075300 && number < 0x080101;
}

hw_curl_share *hw_curl_share_new(void) {
  const int share = 1, names = 3, sessions = 4, connections = 5;
  hw_curl_share *const new = curl.share_init();
  if (new == NULL) return NULL;
  curl.share_setopt(new, share, names);
  curl.share_setopt(new, share, sessions);
  curl.share_setopt(new, share, connections);
  return new;
}

void hw_curl_share_free(hw_curl_share *share) { curl.share_cleanup(share); }

hw_curl *hw_curl_new(void) { return curl.easy_init(); }
void hw_curl_reset(hw_curl *handle) { curl.easy_reset(handle); }
void hw_curl_free(hw_curl *handle) { curl.easy_cleanup(handle); }
int hw_curl_perform(hw_curl *handle) { return curl.easy_perform(handle); }
const char *hw_curl_version(void) { return curl.version(); }
const char *hw_curl_explain(int code) { return curl.easy_strerror(code); }
hw_curl_list *hw_curl_append(hw_curl_list *list, const char *line) { return curl.slist_append(list, line); }
void hw_curl_free_list(hw_curl_list *list) { curl.slist_free_all(list); }

#define SETTER(name, type) \
  int hw_curl_set_##name(hw_curl *handle, int option, type value) { return curl.easy_setopt(handle, option, value); }
SETTER(long, long)
SETTER(offset, long long)
SETTER(pointer, const void *)
SETTER(take, hw_curl_take)
SETTER(watch, hw_curl_watch)

#define GETTER(name, type) \
  int hw_curl_get_##name(hw_curl *handle, int information, type *value) { return curl.easy_getinfo(handle, information, value); }
GETTER(long, long)
GETTER(offset, long long)
