// Shared by the runner and the preloaded library: the kinds of calls, the errors that each may report, and the one fault
// of a run, which is in a file that both map.
#ifndef PLAN_H
#define PLAN_H

#include <errno.h>
#include <stdatomic.h>

// Each kind of call with the errors that its manual page allows. `changes` is 1 if a process that is killed just before
// that call, or gets SIGTERM there, could leave incomplete changes.
#define CALL_KINDS(KIND)                                                        \
  KIND(open, 0, EMFILE, EACCES, EIO, EINTR)                                     \
  KIND(create, 1, ENOSPC, EACCES, EMFILE, EROFS, EINTR)                         \
  KIND(read_file, 0, EIO, EINTR)                                                \
  KIND(read_stream, 0, EIO, ECONNRESET, EINTR)                                  \
  KIND(write_file, 1, ENOSPC, EIO, EFBIG, EINTR)                                \
  KIND(write_stream, 1, EPIPE, ECONNRESET, EINTR)                               \
  KIND(read_terminal, 0, EIO, EINTR)                                            \
  KIND(write_terminal, 1, EIO, EINTR)                                           \
  KIND(read_wake, 0, EINTR)                                                     \
  KIND(write_wake, 1, EINTR)                                                    \
  KIND(write_out, 1, ENOSPC, EPIPE, EIO, EINTR)                                 \
  KIND(write_errors, 0, ENOSPC, EPIPE, EINTR)                                   \
  KIND(fsync, 1, EIO, ENOSPC)                                                   \
  KIND(rename, 1, EIO, ENOSPC, EACCES)                                          \
  KIND(unlink, 1, EACCES, EIO)                                                  \
  KIND(mkdir, 1, ENOSPC, EACCES)                                                \
  KIND(rmdir, 1, EACCES)                                                        \
  KIND(ftruncate, 1, EIO, ENOSPC, EINTR)                                        \
  KIND(lock, 1, ENOLCK, EINTR)                                                  \
  KIND(stat, 0, EACCES, EIO)                                                    \
  KIND(access, 0, EIO)                                                          \
  KIND(readlink, 0, EACCES, EIO)                                                \
  KIND(realpath, 0, EACCES)                                                     \
  KIND(opendir, 0, EMFILE, EACCES)                                              \
  KIND(readdir, 0, EIO)                                                         \
  KIND(chmod, 1, EPERM, EROFS)                                                  \
  KIND(close, 1, EIO, EINTR)                                                    \
  KIND(mmap, 0, ENOMEM)                                                         \
  KIND(dlopen, 0, ENOENT)                                                       \
  KIND(socket, 0, EMFILE, ENOMEM, EACCES)                                       \
  KIND(socketpair, 0, EMFILE)                                                   \
  KIND(pipe, 0, EMFILE)                                                         \
  KIND(bind, 0, EADDRINUSE, EACCES)                                             \
  KIND(listen, 0, EADDRINUSE)                                                   \
  KIND(connect, 1, ECONNREFUSED, ETIMEDOUT, ENETUNREACH, EINTR)                 \
  KIND(accept, 1, EMFILE, ECONNABORTED, ENOMEM, EINTR, EAGAIN)                  \
  KIND(send, 1, EPIPE, ECONNRESET, EINTR)                                       \
  KIND(receive, 1, ECONNRESET, EINTR)                                           \
  KIND(setsockopt, 0, ENOMEM)                                                   \
  KIND(getsockname, 0, ENOBUFS)                                                 \
  KIND(shutdown, 0, ENOTCONN)                                                   \
  KIND(getaddrinfo, 0, EAGAIN, ENOMEM)                                          \
  KIND(poll, 1, EINTR, ENOMEM)                                                  \
  KIND(epoll_create, 0, EMFILE)                                                 \
  KIND(epoll_ctl, 0, ENOMEM, ENOSPC)                                            \
  KIND(epoll_wait, 1, EINTR)                                                    \
  KIND(thread, 0, EAGAIN)                                                       \
  KIND(spawn, 1, EAGAIN, ENOMEM)                                                \
  KIND(waitpid, 1, EINTR)                                                       \
  KIND(sleep, 1, EINTR)                                                         \
  KIND(tcgetattr, 0, EIO)                                                       \
  KIND(tcsetattr, 1, EIO, EINTR)                                                \
  KIND(window_size, 0, EIO)

enum call_kind {
#define KIND(name, ...) call_##name,
  CALL_KINDS(KIND)
#undef KIND
  call_kinds
};

enum fault_mode {
  fault_none,
  fault_once,   // the n-th call of the kind fails
  fault_from,   // the n-th and all after it fail
  fault_short,  // the n-th call moves one byte
  fault_partly, // the n-th call moves half of its bytes, and all after it fail
  fault_end,    // the n-th call reads the end of the file
  fault_kill,   // SIGKILL just before the n-th call
  fault_stop,   // SIGTERM just before the n-th call
};

struct fault {
  enum call_kind kind;
  int nth;  // from 1
  enum fault_mode mode;
  int error;
};

struct plan {
  struct fault fault;
  unsigned seed;                     // of all random numbers of the process
  atomic_int count[call_kinds];      // calls so far
  atomic_int hits;                   // how often the fault happened
  int speed;                         // how much faster than real time the clocks of the process go
};

#define PLAN_VARIABLE "FAULT_PLAN"

// Not a loopback address, so the process uses libcurl; the preloaded library connects to loopback instead.
#define FOREIGN_ADDRESS "192.0.2.1"

#endif
