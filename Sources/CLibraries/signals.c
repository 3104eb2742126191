#include <signal.h>
#include <stddef.h>

#include "CLibraries.h"

static volatile sig_atomic_t noted;

static void note(int number) {
  if (noted == 0) noted = number;
}

void hw_note_signals(void) {
  static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
  // Once only: the second signal of a kind ends the process at once, whatever it is busy with.
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESETHAND};
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
