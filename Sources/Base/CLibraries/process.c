#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "CLibraries.h"

// The Swift runtime looks for argv on the stack, whose bounds it reads from /proc/self/maps before main: a tenth of
// what a small command costs. glibc hands argv to every constructor, so here it is at no cost. Where the runtime is
// linked statically these stand in for its own, which the linker then leaves in the archive.
static int count;
static char **words;

__attribute__((constructor)) static void note(int argc, char **argv, char **environment) {
  (void)environment;
  count = argc;
  words = argv;
}

char **_swift_stdlib_getUnsafeArgvArgc(int *argc) {
  *argc = count;
  return words;
}

void _swift_stdlib_overrideUnsafeArgvArgc(char **argv, int argc) {
  count = argc;
  words = argv;
}

void hw_keep_memory(size_t size) {
  // Larger blocks have pages of their own, which go back with them.
  mallopt(M_MMAP_THRESHOLD, (int)size / 4);
  mallopt(M_TRIM_THRESHOLD, (int)size);
}

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
