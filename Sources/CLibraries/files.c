#include <fcntl.h>

#include "CLibraries.h"

int hw_open(const char *path, int flags, unsigned mode) { return open(path, flags | O_CLOEXEC, mode); }
