#include <fcntl.h>
#include <sys/ioctl.h>

#include "CLibraries.h"

int hw_open(const char *path, int flags, unsigned mode) { return open(path, flags | O_CLOEXEC, mode); }

void hw_hold_standard_streams(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest that is free, which is this one. A child finds it closed, as it was.
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
