// What the disk alone takes for a commit: BYTES written behind the last ones of FILE and synchronised, as often as
// COUNT says; then the same over what is there already. Prints median and 99th percentile of both, in milliseconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int order(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **words) {
  if (count != 4) return 2;
  const int file = open(words[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  const size_t size = strtoul(words[2], NULL, 10);
  const int rounds = atoi(words[3]);
  char *bytes = calloc(1, size);
  double *times = calloc(rounds, sizeof *times);
  if (file < 0 || bytes == NULL || times == NULL || rounds < 1) return 1;
  for (int pass = 0; pass < 2; pass++) {
    for (int round = 0; round < rounds; round++) {
      const double begin = now();
      if (pwrite(file, bytes, size, (off_t)round * size) != (ssize_t)size || fdatasync(file) != 0) return 1;
      times[round] = now() - begin;
    }
    qsort(times, rounds, sizeof *times, order);
    printf("%s p50 %.2f ms, p99 %.2f ms\n", pass == 0 ? "appended" : "over", times[rounds / 2],
           times[rounds * 99 / 100]);
  }
  return 0;
}
