#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "CLibraries.h"

// The Swift runtime searches the stack for argv, and reads its bounds from /proc/self/maps before main: a tenth of the
// time of a small command. glibc passes argv to every constructor, without this cost. If the runtime is linked
// statically, these functions replace its own.
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
  // Larger blocks have their own pages, which are returned when they are freed.
  mallopt(M_MMAP_THRESHOLD, (int)size / 4);
  mallopt(M_TRIM_THRESHOLD, (int)size);
}

// In C because Swift imports pthread_create with different types on different platforms.
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
