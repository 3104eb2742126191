// The Swift runtime looks for argv on the stack, whose bounds it reads from /proc/self/maps before main: a tenth of
// what a small command costs. glibc hands argv to every constructor, so here it is at no cost. Where the runtime is
// linked statically these stand in for its own, which the linker then leaves in the archive.
#include <stdlib.h>

#ifdef __GLIBC__
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
#endif
