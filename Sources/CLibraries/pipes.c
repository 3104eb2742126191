#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "CLibraries.h"

int hw_pipe(int descriptors[2]) {
#ifdef __linux__
  return pipe2(descriptors, O_CLOEXEC);
#else
  if (pipe(descriptors) != 0) return -1;
  fcntl(descriptors[0], F_SETFD, FD_CLOEXEC);
  fcntl(descriptors[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

int hw_nonblocking(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  return flags == -1 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

int hw_unread(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}
