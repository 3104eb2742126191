#include <dlfcn.h>
#include <stddef.h>

#include "CLibraries.h"

static hw_sqlite table;

const hw_sqlite *hw_sqlite_open(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return NULL;
#define LOOK_UP(result, name, arguments)                               \
  void *const name = dlsym(library, "sqlite3_" #name);                 \
  if (name == NULL) return NULL;                                       \
  table.name = (result(*) arguments)name;
  HW_SQLITE(LOOK_UP)
#undef LOOK_UP
  return &table;
}
