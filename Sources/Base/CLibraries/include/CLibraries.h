// What Swift cannot call itself: variadic functions, signal handlers, headers that its C library module leaves out.
#ifndef HW_CLIBRARIES_H
#define HW_CLIBRARIES_H

#include "Curl.h"
#include "PostgreSQL.h"
#include "SQLite.h"
#include <stddef.h>

#include "runs.h"
#include <sys/epoll.h>

// accept4, which the C library declares for GNU programs alone: the socket neither blocks nor survives exec.
// `address` and `length` are those of accept(2).
int hw_accept(int listener, void *address, unsigned *length);
// Makes a descriptor that was inherited not blocking and closed on exec.
int hw_adopt(int descriptor);

// Signals: SIGINT, SIGTERM and SIGHUP are noted, SIGPIPE and SIGXFSZ are ignored.
void hw_note_signals(void);
void hw_note_signal(int number);
int hw_noted_signal(void);
void hw_default_signal(int number);
void hw_be_patient(void);

// How much freed memory the heap may keep.
void hw_keep_memory(size_t size);

// A pipe that becomes readable when a signal was noted or the terminal has news, for `poll`: a signal that comes just
// before the call would be slept through otherwise.
int hw_wake_descriptor(void);
void hw_wake(void);

// Pipes that no child inherits by accident.
int hw_pipe(int descriptors[2]);
int hw_nonblocking(int descriptor);
// The number of unread bytes in the pipe of that end, or in the receive buffer of the socket; 0 if it cannot be determined.
int hw_unread(int descriptor);
// The number of bytes in the send buffer of the socket; 0 if it cannot be determined.
int hw_unsent(int socket);

// Starts a thread that takes no signals and is not waited for; the result is an errno.
int hw_thread(void *(*body)(void *), void *argument);

// The terminal in a mode of hw's own, from hold to release. A handler gives it back before any signal ends or suspends
// the process; after SIGCONT it is taken again, and that is news, as a new window size is.
enum hw_terminal_mode { hw_terminal_keys, hw_terminal_hidden_line, hw_terminal_line };
int hw_terminal_hold(int descriptor, enum hw_terminal_mode mode, const char *enter, size_t enter_count,
                     const char *leave, size_t leave_count);
void hw_terminal_release(void);
void hw_terminal_give_back(void);
int hw_terminal_news(void);

// open(2) and ioctl(2) are variadic.
int hw_open(const char *path, int flags, unsigned mode);
// Opens what of descriptors 0 to 2 is closed, so that no file or socket gets its number: each in the mode that fails
// when it is used as the stream it stands for.
void hw_hold_standard_streams(void);
int hw_window_size(int descriptor, unsigned short *columns, unsigned short *rows);

#endif
