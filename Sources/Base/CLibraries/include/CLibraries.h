// Functions that Swift cannot call: variadic ones, signal handlers, headers that its C library module omits.
#ifndef HW_CLIBRARIES_H
#define HW_CLIBRARIES_H

#include "Curl.h"
#include "PostgreSQL.h"
#include "SQLite.h"
#include <stddef.h>

#include "bytes.h"
#include <sys/epoll.h>

// accept4(2), which the C library declares only for GNU programs: the socket is nonblocking and closed on exec.
int hw_accept(int listener, void *address, unsigned *length);
// Makes an inherited descriptor nonblocking and closed on exec.
int hw_adopt(int descriptor);

// Installs handlers that note SIGINT, SIGTERM and SIGHUP, and ignores SIGPIPE and SIGXFSZ.
void hw_install_handlers(void);
void hw_note_signal(int number);
int hw_noted_signal(void);
// Restores the default action of the signal, and unblocks it.
void hw_reset_signal(int number);
// Ends the process by the signal, after restoring the terminal. Safe in a signal handler.
void hw_end_by_signal(int number);
// Removes the time limit for the clean-up after a signal.
void hw_allow_long_clean_up(void);
// Between these calls a signal leaves 100 ms instead of a second: a look-up of a host name does not notice it.
void hw_begin_lookup(void);
void hw_end_lookup(void);

// Sets how many bytes of freed memory the heap keeps.
void hw_keep_memory(size_t size);

// A pipe for `poll` that becomes readable at a signal or a change of the terminal: a signal just before the call would
// not interrupt it.
int hw_wake_descriptor(void);
void hw_wake(void);

// A pipe that is closed on exec.
int hw_pipe(int descriptors[2]);
int hw_nonblocking(int descriptor);
// Unread bytes in a pipe or in the receive buffer of a socket; 0 if unknown.
int hw_unread(int descriptor);
// Bytes in the send buffer of a socket; 0 if unknown.
int hw_unsent(int socket);

// Starts a detached thread that receives no signals; returns an errno.
int hw_thread(void *(*body)(void *), void *argument);

// Sets the terminal to one of hw's modes until release. A handler restores it before a signal ends or suspends the
// process. `hw_terminal_take_redraw` returns 1 once after SIGCONT set the mode again or the window size changed.
enum hw_terminal_mode { hw_terminal_keys, hw_terminal_hidden_line, hw_terminal_line };
int hw_terminal_hold(int descriptor, enum hw_terminal_mode mode, const char *enter, size_t enter_count,
                     const char *leave, size_t leave_count);
void hw_terminal_release(void);
void hw_terminal_give_back(void);  // until SIGCONT or release, for handlers
int hw_terminal_take_redraw(void);

// Wraps open(2), which is variadic.
int hw_open(const char *path, int flags, unsigned mode);
// Opens /dev/null for each closed descriptor from 0 to 2, so that no file or socket gets its number. The mode makes its
// use as a standard stream fail.
void hw_open_missing_streams(void);
// Wraps memmem(3), a GNU function whose time is linear in the text.
int hw_contains(const void *text, size_t count, const void *part, size_t part_count);
int hw_window_size(int descriptor, unsigned short *columns, unsigned short *rows);

#endif
