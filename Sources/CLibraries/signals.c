#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "CLibraries.h"

static volatile sig_atomic_t noted;
static int wake[2] = {-1, -1};

static void last(int number) {
  hw_terminal_give_back();
  hw_default_signal(number);
  raise(number);
}

void hw_note_signal(int number) {
  if (noted == 0) noted = number;
}

static void note(int number) {
  hw_note_signal(number);
  // Once only: the second signal of a kind ends the process at once, whatever it is busy with.
  signal(number, last);
  hw_wake();
}

void hw_note_signals(void) {
  static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = note};
  struct sigaction before;
  for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
    // A signal that the parent chose to ignore (nohup, a background job) stays ignored.
    if (sigaction(stops[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(stops[i], &action, NULL);
  }
  signal(SIGPIPE, SIG_IGN);
}

int hw_noted_signal(void) { return noted; }

void hw_default_signal(int number) {
  sigset_t set;
  signal(number, SIG_DFL);
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int hw_wake_descriptor(void) {
  if (wake[0] == -1 && hw_pipe(wake) == 0) {
    hw_nonblocking(wake[0]);
    hw_nonblocking(wake[1]);
  }
  return wake[0];
}

void hw_wake(void) {
  int before = errno;
  if (wake[1] != -1 && write(wake[1], "", 1) == -1) { /* The pipe is full: it is awake already. */ }
  errno = before;
}
