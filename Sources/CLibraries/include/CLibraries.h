// What Swift cannot call itself: variadic functions, signal handlers, headers that its C library module leaves out.
#ifndef HW_CLIBRARIES_H
#define HW_CLIBRARIES_H

#include "Curl.h"
#include "SQLite.h"
#include "runs.h"

#ifdef __linux__
#include <sys/epoll.h>

// accept4, which the C library declares for GNU programs alone: the socket neither blocks nor survives exec.
int hw_accept(int listener);
#endif

// Signals: SIGINT, SIGTERM and SIGHUP are noted, SIGPIPE is ignored.
void hw_note_signals(void);
int hw_noted_signal(void);
void hw_default_signal(int number);

// open(2) and ioctl(2) are variadic.
int hw_open(const char *path, int flags, unsigned mode);
int hw_window_size(int descriptor, unsigned short *columns, unsigned short *rows);

#endif
