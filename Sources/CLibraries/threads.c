#include <pthread.h>
#include <signal.h>

#include "CLibraries.h"

// In C because the types of pthread_create's arguments differ from platform to platform as Swift sees them.
int hw_thread(void *(*body)(void *), void *argument) {
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int error = pthread_create(&thread, NULL, body, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error == 0) pthread_detach(thread);
  return error;
}
