#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "CLibraries.h"

static hw_sqlite table;

// SQLite calls its own functions by some 700 names. The loader's work is halved if it looks for them in SQLite before
// the libraries that were loaded earlier. A sanitizer requires that its own functions are found first.
#if defined(RTLD_DEEPBIND) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
static const int own_names_first = RTLD_DEEPBIND;
#else
static const int own_names_first = 0;
#endif

// Beginning of SQLite's table of the functions of a system.
typedef struct vfs {
  int version, file_size, longest_path;
  struct vfs *next;
  const char *name;
  void *data;
  void (*methods[13])(void);
  int (*set_system_call)(struct vfs *, const char *name, void (*call)(void));
} vfs;

// Deletes only what SQLite makes beside a database: the journal of another user can name any file to be deleted.
static int unlink_own(const char *path) {
  const char *const slash = strrchr(path, '/'), *const name = slash == NULL ? path : slash + 1;
  const char *const end = strrchr(name, '-');
  const int is_own = strstr(name, ".db") != NULL && end != NULL &&
    (strcmp(end, "-journal") == 0 || strcmp(end, "-wal") == 0 || strcmp(end, "-shm") == 0);
  if (is_own || strncmp(name, "etilqs_", 7) == 0) return unlink(path);
  errno = EPERM;
  return -1;
}

const hw_sqlite *hw_sqlite_open(const char *name, int oldest) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int is_open;
  hw_sqlite found;
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL | own_names_first);
  if (library == NULL) return NULL;
#define LOOK_UP(result, name, arguments)                               \
  void *const name = dlsym(library, "sqlite3_" #name);                 \
  if (name == NULL) return NULL;                                       \
  found.name = (result(*) arguments)name;
  HW_SQLITE(LOOK_UP)
#undef LOOK_UP
  if (found.libversion_number() < oldest) return NULL;
  // The table is written only once, since other threads may read it from then on.
  pthread_mutex_lock(&lock);
  if (!is_open) {
    // Disables the memory statistics, which nothing reads and which cost a lock for each allocation.
    const int memory_status = 9;
    int (*config)(int, ...);
    if ((*(void **)&config = dlsym(library, "sqlite3_config")) != NULL) config(memory_status, 0);
    vfs *(*find)(const char *);
    vfs *system = (*(void **)&find = dlsym(library, "sqlite3_vfs_find")) == NULL ? NULL : find(NULL);
    if (system != NULL && system->version >= 3) system->set_system_call(system, "unlink", (void (*)(void))unlink_own);
    table = found;
    is_open = 1;
  }
  pthread_mutex_unlock(&lock);
  return &table;
}

void *hw_sqlite_user_data(hw_call *call) { return table.user_data(call); }
