// The terminal while hw holds it, in C and static storage: a signal may end or suspend the process at any instant, and
// its handler must restore the terminal with async-signal-safe functions only, which Swift cannot guarantee.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "CLibraries.h"

static struct {
  int descriptor;
  enum hw_terminal_mode mode;
  struct termios found, wanted;
  char enter[128], leave[128];
  size_t enter_count, leave_count;
} terminal;
// Atomic, because the system may run a handler on another thread than the one that holds the terminal.
static atomic_int held;  // between hold and release
static atomic_int away;  // held, but given back for the time of a suspension
static atomic_int needs_redraw;

static void set_attributes(const struct termios *attributes) {
  while (tcsetattr(terminal.descriptor, TCSANOW, attributes) == -1 && errno == EINTR) continue;
}

// Milliseconds to wait for a terminal that accepts no output, because its window hangs or the machine is busy. After a
// signal the wait is short, so that the process ends within its time limit.
enum { ending_wait = 200, suspending_wait = 5000 };

static void put(const char *bytes, size_t count, int milliseconds) {
  struct pollfd room = {.fd = terminal.descriptor, .events = POLLOUT};
  while (count > 0) {
    const int ready = poll(&room, 1, hw_noted_signal() ? ending_wait : milliseconds);
    if (ready < 0 && errno == EINTR) continue;
    if (ready != 1) return;
    ssize_t written = write(terminal.descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;
    bytes += written;
    count -= (size_t)written;
  }
}

static void give_back(int milliseconds) {
  if (!held || atomic_exchange(&away, 1)) return;
  put(terminal.leave, terminal.leave_count, milliseconds);
  set_attributes(&terminal.found);
  // The shell would show the keys of a screen or a part of a PIN, or run them as a command. The flush follows the
  // attributes, or input in between would stay. TCSAFLUSH would wait for output that the terminal does not accept.
  if (terminal.mode != hw_terminal_line) tcflush(terminal.descriptor, TCIFLUSH);
}

void hw_terminal_give_back(void) { give_back(ending_wait); }

// Stops a background job, which would write over another program's screen, until it is in the foreground. With SIGSTOP,
// because an orphaned process group ignores SIGTTOU.
static void await_foreground(int descriptor) {
  pid_t front;
  while (!hw_noted_signal() && (front = tcgetpgrp(descriptor)) != -1 && front != getpgrp()) raise(SIGSTOP);
}

static void take(int milliseconds) {
  await_foreground(terminal.descriptor);
  if (hw_noted_signal()) return;
  set_attributes(&terminal.wanted);
  put(terminal.enter, terminal.enter_count, milliseconds);
  away = 0;
}

static void request_redraw(void) {
  needs_redraw = 1;
  hw_wake();
}

static void on_resize(int number) {
  (void)number;
  // A visible line keeps its input, after which the prompt would be written again.
  if (terminal.mode != hw_terminal_line) request_redraw();
}

// SIGRTMAX is a function call; the kernel has 64 signals.
enum { signal_count = 64 };
static struct sigaction before_hold[signal_count + 1];

static void on_suspend(int number);
static void watch(int number, void (*handler)(int), struct sigaction *before);

// Runs after SIGTSTP and SIGSTOP: another process may have changed the terminal meanwhile.
static void on_continue(int number) {
  (void)number;
  int before = errno;
  // Sets the handler before the redraw: Ctrl-Z may follow at once, while on_suspend is still stopped on another thread.
  if (before_hold[SIGTSTP].sa_handler != SIG_IGN) watch(SIGTSTP, on_suspend, NULL);
  take(suspending_wait);
  request_redraw();
  errno = before;
}

static const int stops[] = {SIGINT, SIGTERM, SIGHUP};

// NULL for a signal whose action is unchanged while the terminal is held. All signals that end a process by default are
// handled, so that none leaves the terminal in raw mode.
static void (*handler_of(int number))(int) {
  switch (number) {
    case SIGWINCH: return on_resize;
    case SIGTSTP: return on_suspend;
    case SIGCONT: return on_continue;
    // signals.c: the first is noted, and the second ends the process.
    case SIGINT: case SIGTERM: case SIGHUP: return NULL;
    // Ignored since the start, in favor of errors of write.
    case SIGPIPE: case SIGXFSZ: return NULL;
    // The time limits of signals.c.
    case SIGALRM: case SIGPROF: return NULL;
    // By default they are ignored or stop the process; SIGKILL and SIGSTOP cannot be handled.
    case SIGCHLD: case SIGURG: case SIGTTIN: case SIGTTOU: case SIGKILL: case SIGSTOP: return NULL;
    // The C library reserves the signals between SIGSYS and SIGRTMIN.
    default: return number > SIGSYS && number < SIGRTMIN ? NULL : hw_end_by_signal;
  }
}

static void watch(int number, void (*handler)(int), struct sigaction *before) {
  struct sigaction action = {.sa_handler = handler};
  sigfillset(&action.sa_mask);
  if (number == SIGCONT || number == SIGTSTP) {
    // These handlers wait for the foreground and for a full terminal, and must be interruptible there.
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) sigdelset(&action.sa_mask, stops[i]);
  }
  sigaction(number, &action, before);
}

static void on_suspend(int number) {
  int before = errno;
  sigset_t unblocked;
  give_back(suspending_wait);
  sigemptyset(&unblocked);
  sigaddset(&unblocked, SIGTSTP);
  sigaddset(&unblocked, SIGCONT);
  for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) sigaddset(&unblocked, stops[i]);
  signal(number, SIG_DFL);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &unblocked, NULL);  // Stopped here, until SIGCONT, whose handler runs first.
  watch(number, on_suspend, NULL);
  if (away && !hw_noted_signal()) on_continue(SIGCONT);  // An orphaned process group is not stopped at all.
  errno = before;
}

int hw_terminal_hold(int descriptor, enum hw_terminal_mode mode, const char *enter, size_t enter_count,
                     const char *leave, size_t leave_count) {
  if (held) return errno = EBUSY, -1;
  if (enter_count > sizeof terminal.enter || leave_count > sizeof terminal.leave) return errno = E2BIG, -1;
  await_foreground(descriptor);
  if (hw_noted_signal()) return errno = EINTR, -1;
  if (tcgetattr(descriptor, &terminal.found) == -1) return -1;
  terminal.wanted = terminal.found;
  terminal.descriptor = descriptor;
  terminal.mode = mode;
  if (mode != hw_terminal_line) terminal.wanted.c_lflag &= ~(tcflag_t)ECHO;
  if (mode == hw_terminal_keys) {
    // ISIG stays, so that Ctrl-C and Ctrl-Z work while the program waits for a service.
    terminal.wanted.c_lflag &= ~(tcflag_t)(ICANON | IEXTEN);
    terminal.wanted.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP | PARMRK | INPCK);
    terminal.wanted.c_cc[VMIN] = 1;
    terminal.wanted.c_cc[VTIME] = 0;
  }
  // An empty text may have no address.
  if (enter_count > 0) memcpy(terminal.enter, enter, enter_count);
  if (leave_count > 0) memcpy(terminal.leave, leave, leave_count);
  terminal.enter_count = enter_count;
  terminal.leave_count = leave_count;
  hw_wake_descriptor();

  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  held = 1;
  needs_redraw = 0;
  for (int number = 1; number <= signal_count; number++) {
    void (*const handler)(int) = handler_of(number);
    if (handler == NULL) continue;
    watch(number, handler, &before_hold[number]);
    // A signal that the parent process chose to ignore (no job control, nohup) stays ignored.
    if (before_hold[number].sa_handler == SIG_IGN) sigaction(number, &before_hold[number], NULL);
  }
  take(ending_wait);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return 0;
}

void hw_terminal_release(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  hw_terminal_give_back();
  held = 0;
  away = 0;
  for (int number = 1; number <= signal_count; number++)
    if (handler_of(number) != NULL) sigaction(number, &before_hold[number], NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int hw_terminal_take_redraw(void) { return atomic_exchange(&needs_redraw, 0); }
