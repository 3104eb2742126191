#include <fcntl.h>
#include <sys/ioctl.h>

#include "CLibraries.h"

int hw_open(const char *path, int flags, unsigned mode) { return open(path, flags | O_CLOEXEC, mode); }

int hw_window_size(int descriptor, unsigned short *columns, unsigned short *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}
