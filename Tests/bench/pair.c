// pair [-n ROUNDS] [-i INPUT] -- A... -- B...   how A's run time relates to B's, the two run in turns
// pair [-i INPUT] -m -- A...                    the most memory A holds
//
// A word of a command that holds `{}` says there which run of that command it is, from 1.
//
// Prints two medians and the median of the pairwise ratios A/B, `milliseconds<TAB>milliseconds<TAB>ratio`; with -m the
// peak in megabytes (10^6 bytes). Runs in turns meet the same weather, so a busy machine shifts both. Output goes to
// /dev/null. Fails when a command does.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char *input = "/dev/null";

struct result {
  double milliseconds, megabytes;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

// The command's words with the number of the run filled in; what it makes is kept to the end of the program.
static char **numbered(char **command, long run) {
  size_t count = 0;
  while (command[count] != NULL) count++;
  char **words = calloc(count + 1, sizeof *words);
  if (words == NULL) exit(2);
  for (size_t i = 0; i < count; i++) {
    char *place = strstr(command[i], "{}");
    words[i] = command[i];
    if (place != NULL &&
        asprintf(&words[i], "%.*s%ld%s", (int)(place - command[i]), command[i], run, place + 2) < 0)
      exit(2);
  }
  return words;
}

static struct result run(char **command) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, input, O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  pid_t child;
  int status;
  struct rusage usage;
  double start = now();
  int error = posix_spawnp(&child, command[0], &files, NULL, command, environ);
  if (error != 0) {
    fprintf(stderr, "pair: cannot run %s: %s\n", command[0], strerror(error));
    exit(2);
  }
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) exit(2);
  double end = now();
  posix_spawn_file_actions_destroy(&files);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(stderr, "pair: %s failed: status %d\n", command[0], WIFEXITED(status) ? WEXITSTATUS(status) : status);
    exit(1);
  }
  return (struct result){end - start, (double)usage.ru_maxrss * 1024 / 1e6};
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
  qsort(values, count, sizeof *values, ascending);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

int main(int argc, char **argv) {
  long rounds = 11;
  int memory = 0, option;
  while ((option = getopt(argc, argv, "+n:i:m")) != -1) {
    if (option == 'n') rounds = atol(optarg);
    else if (option == 'i') input = optarg;
    else if (option == 'm') memory = 1;
    else return 2;
  }
  char **a = argv + optind, **b = a;
  while (*b != NULL && strcmp(*b, "--") != 0) b++;
  if (*b != NULL) *b++ = NULL;
  if (*a == NULL || rounds < 1 || rounds > 100000 || (memory ? *b != NULL : *b == NULL)) {
    fprintf(stderr, "usage: pair [-n ROUNDS] [-i INPUT] -- A... -- B... | pair -m [-i INPUT] -- A...\n");
    return 2;
  }
  if (memory) {
    printf("%.1f\n", run(a).megabytes);
    return 0;
  }
  double *times_a = calloc((size_t)rounds, sizeof(double)), *times_b = calloc((size_t)rounds, sizeof(double));
  double *ratios = calloc((size_t)rounds, sizeof(double));
  if (times_a == NULL || times_b == NULL || ratios == NULL) return 2;
  // Once each for the caches; then in turns, and every other round the other way about.
  run(numbered(a, 1));
  run(numbered(b, 1));
  for (long i = 0; i < rounds; i++) {
    char **next_a = numbered(a, i + 2), **next_b = numbered(b, i + 2);
    if (i % 2) times_b[i] = run(next_b).milliseconds;
    times_a[i] = run(next_a).milliseconds;
    if (i % 2 == 0) times_b[i] = run(next_b).milliseconds;
    ratios[i] = times_a[i] / times_b[i];
  }
  printf("%.2f\t%.2f\t", median(times_a, (size_t)rounds), median(times_b, (size_t)rounds));
  printf("%.3f\n", median(ratios, (size_t)rounds));
  return 0;
}
