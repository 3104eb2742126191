#ifdef __linux__
#define _GNU_SOURCE
#include <sys/socket.h>

#include "CLibraries.h"

int hw_accept(int listener) { return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK); }
#endif
