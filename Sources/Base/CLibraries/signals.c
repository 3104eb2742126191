#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

#include "CLibraries.h"

// Written by handlers on the main thread, read by every thread that waits.
static atomic_int noted;
static atomic_int wake_writer = -1;
static atomic_int may_clean_up_long;
static atomic_int lookups, is_shortened;  // look-ups under way; whether one shortened the time limit

void hw_end_by_signal(int number) {
  hw_terminal_give_back();
  hw_reset_signal(number);
  raise(number);
}

void hw_note_signal(int number) {
  int none = 0;
  atomic_compare_exchange_strong(&noted, &none, number);
}

static void note(int number) {
  hw_note_signal(number);
  // The second signal of a kind ends the process at once.
  signal(number, hw_end_by_signal);
  hw_wake();
  // A process that computes or waits in a library does not notice the signal. It ends after 100 ms of processor time
  // or after a second, which a busy machine may need to report what was done. During a look-up of a host name, which
  // waits without reporting anything, it ends after 100 ms.
  const struct itimerval computing = {.it_value.tv_usec = 100000}, waiting = {.it_value.tv_sec = 1};
  if (may_clean_up_long) return;
  setitimer(ITIMER_PROF, &computing, NULL);
  is_shortened = lookups > 0;
  setitimer(ITIMER_REAL, is_shortened ? &computing : &waiting, NULL);
}

static void on_time_limit(int number) {
  // A look-up that has ended within its 100 ms leaves the rest of the second to the code after it.
  if (number == SIGALRM && atomic_exchange(&is_shortened, 0) && lookups == 0) {
    const struct itimerval rest = {.it_value.tv_usec = 900000};
    setitimer(ITIMER_REAL, &rest, NULL);
    return;
  }
  // Without a noted signal it was sent by another process, and ends this one as by default.
  if (!noted) hw_end_by_signal(number);
  if (!may_clean_up_long) hw_end_by_signal(noted);
}

void hw_allow_long_clean_up(void) { may_clean_up_long = 1; }

void hw_begin_lookup(void) { lookups++; }

void hw_end_lookup(void) { lookups--; }

void hw_install_handlers(void) {
  static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = note};
  struct sigaction before;
  for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
    // A signal that the parent chose to ignore (nohup, a background job) stays ignored.
    if (sigaction(stops[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(stops[i], &action, NULL);
  }
  signal(SIGPROF, on_time_limit);
  signal(SIGALRM, on_time_limit);
  // A closed pipe and a file at its size limit (ulimit -f) are errors of write, and do not end the process.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

int hw_noted_signal(void) { return noted; }

void hw_reset_signal(int number) {
  sigset_t set;
  signal(number, SIG_DFL);
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

// Several threads may wait; the first makes the pipe.
int hw_wake_descriptor(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int reader = -1;
  int ends[2];
  pthread_mutex_lock(&lock);
  if (reader == -1 && hw_pipe(ends) == 0) {
    hw_nonblocking(ends[0]);
    hw_nonblocking(ends[1]);
    reader = ends[0];
    wake_writer = ends[1];
  }
  const int descriptor = reader;
  pthread_mutex_unlock(&lock);
  return descriptor;
}

void hw_wake(void) {
  int before = errno;
  int writer = wake_writer;
  if (writer != -1 && write(writer, "", 1) == -1) { /* The pipe is full: it is awake already. */ }
  errno = before;
}
