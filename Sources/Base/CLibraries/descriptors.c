#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CLibraries.h"

int hw_open(const char *path, int flags, unsigned mode) { return open(path, flags | O_CLOEXEC, mode); }

void hw_open_missing_streams(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open returns the lowest free number, this one. It is opened in the wrong direction, and closed in a child.
    if (open("/dev/null", (descriptor == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC) == -1) return;
  }
}

int hw_window_size(int descriptor, unsigned short *columns, unsigned short *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int hw_pipe(int descriptors[2]) { return pipe2(descriptors, O_CLOEXEC); }

int hw_nonblocking(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  return flags == -1 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

int hw_unread(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

int hw_unsent(int socket) {
  int count = 0;
  return ioctl(socket, TIOCOUTQ, &count) == 0 ? count : 0;
}

int hw_accept(int listener, void *address, unsigned *length) {
  return accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int hw_adopt(int descriptor) {
  int flags = fcntl(descriptor, F_GETFD);
  if (flags == -1 || fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == -1) return -1;
  return hw_nonblocking(descriptor);
}

int hw_contains(const void *text, size_t count, const void *part, size_t part_count) {
  return memmem(text, count, part, part_count) != NULL;
}
