// Prints COUNT lines "guess word" of random letters, LENGTH each, the same ones every time.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 88172645463325252u;

static unsigned below(unsigned limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)((state >> 32) * limit >> 32);
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 10000000;
  int length = argc > 2 ? atoi(argv[2]) : 5;
  for (long line = 0; line < count; line++) {
    for (int i = 0; i < length; i++) putchar_unlocked('a' + below(26));
    putchar_unlocked(' ');
    for (int i = 0; i < length; i++) putchar_unlocked('a' + below(26));
    putchar_unlocked('\n');
  }
  return fflush(stdout) != 0;
}
