// Preloaded into one process: counts its calls of the C library, makes one of them fail as the plan requires, and makes
// runs repeatable (clocks that go faster and start on a fixed day, random numbers from a seed). Child processes are not
// affected. Without a plan no call is changed.
#define _GNU_SOURCE
#include "plan.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static struct plan *plan;
static pid_t owner;
static struct timespec started;

#define REAL(name)                                            \
  static __typeof__(name) *real;                              \
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void attach(void) {
  const char *path = getenv(PLAN_VARIABLE);
  if (path == NULL) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (file < 0) abort();
  void *map = (void *)syscall(SYS_mmap, 0L, sizeof *plan, (long)(PROT_READ | PROT_WRITE), (long)MAP_SHARED, (long)file, 0L);
  if (map == MAP_FAILED) abort();
  syscall(SYS_close, file);
  unsetenv(PLAN_VARIABLE);
  unsetenv("LD_PRELOAD");
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &started);
  owner = getpid();
  plan = map;
}

static int is_random(int file) {
  char link[32] = "/proc/self/fd/", target[16];
  int end = 14, digits = file < 10 ? 1 : file < 100 ? 2 : file < 1000 ? 3 : 9;
  if (digits == 9) return 0;
  for (int i = digits - 1, rest = file; i >= 0; i--, rest /= 10) link[end + i] = (char)('0' + rest % 10);
  ssize_t count = syscall(SYS_readlink, link, target, sizeof target);
  return count == 12 && memcmp(target, "/dev/urandom", 12) == 0;
}

#define GO 0

// Counts the call and decides what happens to it: GO (no change), an errno to fail with, or -fault_short, -fault_partly or
// -fault_end.
static int verdict(enum call_kind kind) {
  struct plan *now = plan;
  // A child between fork and exec shares the map, but is not the process under test.
  if (now == NULL || getpid() != owner) return GO;
  int number = atomic_fetch_add(&now->count[kind], 1) + 1;
  struct fault *fault = &now->fault;
  if (fault->mode == fault_none || fault->kind != kind) return GO;
  const int goes_on = fault->mode == fault_from || fault->mode == fault_partly;
  if (number != fault->nth && !(goes_on && number > fault->nth)) return GO;
  atomic_fetch_add(&now->hits, 1);
  switch (fault->mode) {
    case fault_kill:
      kill(owner, SIGKILL);
      return GO;
    case fault_stop:
      kill(owner, SIGTERM);
      return GO;
    case fault_partly:
      if (number > fault->nth) return fault->error;
      return -(int)fault->mode;
    case fault_short:
    case fault_end: return -(int)fault->mode;
    default: return fault->error;
  }
}

// Returns from the calling function with a failure if the plan requires it.
#define MAY_FAIL(kind, failed)     \
  do {                             \
    int said = verdict(kind);      \
    if (said > 0) {                \
      errno = said;                \
      return failed;               \
    }                              \
  } while (0)

// The same for a call that moves `size` bytes: it may also move fewer.
#define MAY_MOVE(kind, size, end)                        \
  do {                                                   \
    int said = verdict(kind);                            \
    if (said > 0) {                                      \
      errno = said;                                      \
      return -1;                                         \
    }                                                    \
    if (said == -(int)fault_end) return end;             \
    if (said == -(int)fault_short && size > 1) size = 1; \
    if (said == -(int)fault_partly && size > 1) size /= 2; \
  } while (0)

// Files

static int opening(int flags) { return flags & O_CREAT ? call_create : call_open; }

#define OPEN(name, parameters, arguments)            \
  int name parameters {                              \
    unsigned mode = 0;                               \
    if (flags & (O_CREAT | O_TMPFILE)) {             \
      va_list rest;                                  \
      va_start(rest, flags);                         \
      mode = va_arg(rest, unsigned);                 \
      va_end(rest);                                  \
    }                                                \
    REAL(name);                                      \
    MAY_FAIL((enum call_kind)opening(flags), -1);    \
    return real arguments;                           \
  }
OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

static int is_file(int descriptor) {
  struct stat facts;
  return syscall(SYS_fstat, descriptor, &facts) == 0 && S_ISREG(facts.st_mode);
}

// The other end of a pipe, while this process has both: such a pipe cannot break.
static _Atomic int other_end[1024];

static int has_other_end(int file) { return file >= 0 && file < 1024 && other_end[file] > 0; }

static void forget_end(int file) {
  if (!has_other_end(file)) return;
  other_end[other_end[file]] = 0;
  other_end[file] = 0;
}

static int is_terminal(int file) {
  struct termios attributes;
  return syscall(SYS_ioctl, file, TCGETS, &attributes) == 0;
}

static enum call_kind reading(int file) {
  if (has_other_end(file)) return call_read_wake;
  if (is_terminal(file)) return call_read_terminal;
  return is_file(file) ? call_read_file : call_read_stream;
}

static enum call_kind writing(int file) {
  if (has_other_end(file)) return call_write_wake;
  if (is_terminal(file)) return call_write_terminal;
  if (file == 1) return call_write_out;
  if (file == 2) return call_write_errors;
  return is_file(file) ? call_write_file : call_write_stream;
}

// Two sequences: a fault in one does not change the other.
static atomic_ullong own_randomness, file_randomness;

static uint64_t chance(atomic_ullong *position) {
  uint64_t x = (plan->seed + 1) * 0x9E3779B97F4A7C15u + atomic_fetch_add(position, 1) * 0xBF58476D1CE4E5B9u;
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static void fill(void *bytes, size_t size, atomic_ullong *position) {
  for (size_t i = 0; i < size; i++) ((unsigned char *)bytes)[i] = (unsigned char)chance(position);
}

ssize_t read(int file, void *bytes, size_t size) {
  REAL(read);
  MAY_MOVE(reading(file), size, 0);
  if (plan != NULL && is_random(file)) {
    fill(bytes, size, &file_randomness);
    return (ssize_t)size;
  }
  return real(file, bytes, size);
}

ssize_t write(int file, const void *bytes, size_t size) {
  REAL(write);
  MAY_MOVE(writing(file), size, 0);
  return real(file, bytes, size);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(writev);
  MAY_FAIL(writing(file), -1);
  return real(file, parts, count);
}

#define MOVE_AT(name, kind, bytes_type, offset_type)                          \
  ssize_t name(int file, bytes_type bytes, size_t size, offset_type offset) { \
    REAL(name);                                                               \
    MAY_MOVE(kind, size, 0);                                                  \
    return real(file, bytes, size, offset);                                   \
  }
MOVE_AT(pread, call_read_file, void *, off_t)
MOVE_AT(pread64, call_read_file, void *, off64_t)
MOVE_AT(pwrite, call_write_file, const void *, off_t)
MOVE_AT(pwrite64, call_write_file, const void *, off64_t)

#define CALL(name, kind, failed, result, parameters, arguments) \
  result name parameters {                                      \
    REAL(name);                                                 \
    MAY_FAIL(kind, failed);                                     \
    return real arguments;                                      \
  }
CALL(fsync, call_fsync, -1, int, (int file), (file))
CALL(fdatasync, call_fsync, -1, int, (int file), (file))
CALL(rename, call_rename, -1, int, (const char *from, const char *to), (from, to))
CALL(unlink, call_unlink, -1, int, (const char *path), (path))
CALL(mkdir, call_mkdir, -1, int, (const char *path, mode_t mode), (path, mode))
CALL(rmdir, call_rmdir, -1, int, (const char *path), (path))
CALL(ftruncate, call_ftruncate, -1, int, (int file, off_t size), (file, size))
CALL(ftruncate64, call_ftruncate, -1, int, (int file, off64_t size), (file, size))
CALL(flock, call_lock, -1, int, (int file, int operation), (file, operation))
CALL(stat, call_stat, -1, int, (const char *path, struct stat *facts), (path, facts))
CALL(stat64, call_stat, -1, int, (const char *path, struct stat64 *facts), (path, facts))
CALL(lstat, call_stat, -1, int, (const char *path, struct stat *facts), (path, facts))
CALL(lstat64, call_stat, -1, int, (const char *path, struct stat64 *facts), (path, facts))
CALL(fstat, call_stat, -1, int, (int file, struct stat *facts), (file, facts))
CALL(fstat64, call_stat, -1, int, (int file, struct stat64 *facts), (file, facts))
CALL(access, call_access, -1, int, (const char *path, int mode), (path, mode))
CALL(readlink, call_readlink, -1, ssize_t, (const char *path, char *target, size_t size), (path, target, size))
CALL(realpath, call_realpath, NULL, char *, (const char *path, char *target), (path, target))
CALL(opendir, call_opendir, NULL, DIR *, (const char *path), (path))
CALL(readdir, call_readdir, NULL, struct dirent *, (DIR * folder), (folder))
CALL(chmod, call_chmod, -1, int, (const char *path, mode_t mode), (path, mode))
CALL(fchmod, call_chmod, -1, int, (int file, mode_t mode), (file, mode))
CALL(mmap, call_mmap, MAP_FAILED, void *, (void *at, size_t size, int protection, int flags, int file, off_t offset),
     (at, size, protection, flags, file, offset))
CALL(mmap64, call_mmap, MAP_FAILED, void *,
     (void *at, size_t size, int protection, int flags, int file, off64_t offset),
     (at, size, protection, flags, file, offset))

int close(int file) {
  REAL(close);
  int said = verdict(call_close);
  forget_end(file);
  int result = real(file);
  // As on Linux, the descriptor is closed even so.
  if (said <= 0 || result != 0) return result;
  errno = said;
  return -1;
}

// The only variadic commands of fcntl and ioctl that are used take an int or a pointer, both of which fit.
#define FCNTL(name)                                                      \
  int name(int file, int command, ...) {                                 \
    va_list rest;                                                        \
    va_start(rest, command);                                             \
    void *argument = va_arg(rest, void *);                               \
    va_end(rest);                                                        \
    REAL(name);                                                          \
    const int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW; \
    /* Unlocking never fails. */                                         \
    if (locks && ((const struct flock *)argument)->l_type != F_UNLCK) MAY_FAIL(call_lock, -1); \
    return real(file, command, argument);                                \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

int ioctl(int file, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  REAL(ioctl);
  if (request == TIOCGWINSZ) MAY_FAIL(call_window_size, -1);
  return real(file, request, argument);
}

// With RTLD_DEEPBIND a library would bind to the C library directly, and its calls would not be counted.
void *dlopen(const char *name, int flags) {
  REAL(dlopen);
  int said = verdict(call_dlopen);
  return real(said > 0 ? "/nonexistent/library.so" : name, flags & ~RTLD_DEEPBIND);
}

// Sockets

CALL(socket, call_socket, -1, int, (int domain, int type, int protocol), (domain, type, protocol))
CALL(socketpair, call_socketpair, -1, int, (int domain, int type, int protocol, int ends[2]),
     (domain, type, protocol, ends))
CALL(bind, call_bind, -1, int, (int socket, const struct sockaddr *address, socklen_t size), (socket, address, size))
CALL(listen, call_listen, -1, int, (int socket, int backlog), (socket, backlog))
CALL(accept4, call_accept, -1, int, (int socket, struct sockaddr *address, socklen_t *size, int flags),
     (socket, address, size, flags))
CALL(setsockopt, call_setsockopt, -1, int,
     (int socket, int level, int option, const void *value, socklen_t size), (socket, level, option, value, size))
CALL(getsockname, call_getsockname, -1, int, (int socket, struct sockaddr *address, socklen_t *size),
     (socket, address, size))
CALL(shutdown, call_shutdown, -1, int, (int socket, int how), (socket, how))

int pipe2(int ends[2], int flags) {
  REAL(pipe2);
  MAY_FAIL(call_pipe, -1);
  int result = real(ends, flags);
  if (result == 0 && ends[0] < 1024 && ends[1] < 1024) {
    other_end[ends[0]] = ends[1];
    other_end[ends[1]] = ends[0];
  }
  return result;
}

int connect(int socket, const struct sockaddr *address, socklen_t size) {
  REAL(connect);
  MAY_FAIL(call_connect, -1);
  if (plan != NULL && address->sa_family == AF_INET && size >= sizeof(struct sockaddr_in)) {
    struct sockaddr_in near;
    memcpy(&near, address, sizeof near);
    if (near.sin_addr.s_addr == inet_addr(FOREIGN_ADDRESS)) near.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return real(socket, (struct sockaddr *)&near, sizeof near);
  }
  return real(socket, address, size);
}

ssize_t send(int socket, const void *bytes, size_t size, int flags) {
  REAL(send);
  MAY_MOVE(call_send, size, 0);
  return real(socket, bytes, size, flags);
}

ssize_t sendto(int socket, const void *bytes, size_t size, int flags, const struct sockaddr *to, socklen_t count) {
  REAL(sendto);
  MAY_MOVE(call_send, size, 0);
  return real(socket, bytes, size, flags, to, count);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  REAL(sendmsg);
  int said = verdict(call_send);
  if (said > 0) {
    errno = said;
    return -1;
  }
  if (said < 0 && message->msg_iovlen > 0) {
    struct msghdr less = *message;
    struct iovec first = message->msg_iov[0];
    if (first.iov_len > 1) first.iov_len = 1;
    less.msg_iov = &first;
    less.msg_iovlen = 1;
    return real(socket, &less, flags);
  }
  return real(socket, message, flags);
}

ssize_t recv(int socket, void *bytes, size_t size, int flags) {
  REAL(recv);
  MAY_MOVE(call_receive, size, 0);
  return real(socket, bytes, size, flags);
}

ssize_t recvfrom(int socket, void *bytes, size_t size, int flags, struct sockaddr *from, socklen_t *count) {
  REAL(recvfrom);
  MAY_MOVE(call_receive, size, 0);
  return real(socket, bytes, size, flags, from, count);
}

int getaddrinfo(const char *host, const char *service, const struct addrinfo *wanted, struct addrinfo **found) {
  REAL(getaddrinfo);
  int said = verdict(call_getaddrinfo);
  if (said > 0) return said == EAGAIN ? EAI_AGAIN : EAI_MEMORY;
  return real(host, service, wanted, found);
}

// Waiting and time

static int pace(void) { return plan != NULL && plan->speed > 1 ? plan->speed : 1; }

static int hastened(int milliseconds) {
  return milliseconds <= 0 ? milliseconds : (milliseconds + pace() - 1) / pace();
}

int poll(struct pollfd *entries, nfds_t count, int milliseconds) {
  REAL(poll);
  MAY_FAIL(call_poll, -1);
  return real(entries, count, hastened(milliseconds));
}

CALL(epoll_create1, call_epoll_create, -1, int, (int flags), (flags))
CALL(epoll_ctl, call_epoll_ctl, -1, int, (int queue, int operation, int file, struct epoll_event *event),
     (queue, operation, file, event))
CALL(epoll_wait, call_epoll_wait, -1, int, (int queue, struct epoll_event *events, int count, int milliseconds),
     (queue, events, count, hastened(milliseconds)))

int nanosleep(const struct timespec *span, struct timespec *rest) {
  REAL(nanosleep);
  int said = verdict(call_sleep);
  if (said > 0) {
    if (rest != NULL) *rest = *span;
    errno = said;
    return -1;
  }
  int64_t left = ((int64_t)span->tv_sec * 1000000000 + span->tv_nsec) / pace();
  struct timespec less = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
  return real(&less, rest);
}

int usleep(useconds_t span) {
  REAL(usleep);
  return real((span + (useconds_t)pace() - 1) / (useconds_t)pace());
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  REAL(clock_gettime);
  if (plan == NULL) return real(clock, time);
  int result = real(clock == CLOCK_REALTIME ? CLOCK_MONOTONIC : clock, time);
  if (result != 0) return result;
  // The date is a fixed one, and the time goes in steps of a minute: output that contains it is the same in each run.
  const int is_day = clock == CLOCK_REALTIME;
  int64_t origin = is_day ? (int64_t)started.tv_sec * 1000000000 + started.tv_nsec : 0;
  int64_t now = ((int64_t)time->tv_sec * 1000000000 + time->tv_nsec - origin) * pace();
  const int64_t day = 1790000040, minute = 60;
  time->tv_sec = is_day ? day + now / 1000000000 / minute * minute : now / 1000000000;
  time->tv_nsec = is_day ? 0 : now % 1000000000;
  return 0;
}

// Randomness

int getentropy(void *bytes, size_t size) {
  REAL(getentropy);
  if (plan == NULL) return real(bytes, size);
  fill(bytes, size, &own_randomness);
  return 0;
}

// Swift's random numbers use this function.
long syscall(long number, ...) {
  REAL(syscall);
  long arguments[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) arguments[i] = va_arg(rest, long);
  va_end(rest);
  if (plan != NULL && number == SYS_getrandom) {
    fill((void *)arguments[0], (size_t)arguments[1], &own_randomness);
    return arguments[1];
  }
  return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags) {
  REAL(getrandom);
  if (plan == NULL) return real(bytes, size, flags);
  fill(bytes, size, &own_randomness);
  return (ssize_t)size;
}

uint32_t arc4random(void) {
  REAL(arc4random);
  return plan == NULL ? real() : (uint32_t)chance(&own_randomness);
}

// Processes, threads, terminals

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  REAL(pthread_create);
  int said = verdict(call_thread);
  return said > 0 ? said : real(thread, attributes, body, argument);
}

int posix_spawn(pid_t *id, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const words[], char *const variables[]) {
  REAL(posix_spawn);
  int said = verdict(call_spawn);
  return said > 0 ? said : real(id, path, actions, attributes, words, variables);
}

CALL(waitpid, call_waitpid, -1, pid_t, (pid_t id, int *status, int options), (id, status, options))
CALL(tcgetattr, call_tcgetattr, -1, int, (int file, struct termios *attributes), (file, attributes))
CALL(tcsetattr, call_tcsetattr, -1, int, (int file, int when, const struct termios *attributes),
     (file, when, attributes))
