#include <dlfcn.h>
#include <stddef.h>

#include "CLibraries.h"

static hw_postgresql table;

const hw_postgresql *hw_postgresql_open(const char *name) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return NULL;
  hw_postgresql found;
#define LOOK_UP(result, name, arguments)                         \
  void *const name = dlsym(library, "PQ" #name);                 \
  if (name == NULL) return NULL;                                 \
  found.name = (result(*) arguments)name;
  HW_POSTGRESQL(LOOK_UP)
#undef LOOK_UP
  table = found;
  return &table;
}
