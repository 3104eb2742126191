// The commands to run, as the file `cases` lists them.
#ifndef CASES_H
#define CASES_H

#include <stddef.h>

#include "tree.h"

enum place {
  place_local,    // the command alone
  place_client,   // the command, against an untouched 'hw serve'
  place_foreign,  // the same, at an address that does not look like this machine
  place_server,   // 'hw serve', with an untouched command as its client
};

struct state {
  char *name;
  struct tree tree;
};

struct bytes {
  char *bytes;
  size_t size;
};

// How a run ended. `status` is that of a shell: 128 and the signal that ended it.
struct ending {
  int status, signal, hung;
  struct bytes output, errors;
};

struct test_case {
  char *text;  // its name in findings
  enum place place;
  struct state *state;
  char **words, **verify, **server_options;
  char *url, *keys;
  struct bytes input;
  int speed;
  int loose;  // a fault may change the output of success: it is a report on this machine
  int allowed[4];  // further statuses that a fault may lead to
  size_t allowed_count;

  // Found by runs without a fault:
  struct ending first, second;  // from the state, and from what the first left with another seed
  struct ending other;          // from the state with that seed
  struct tree after;
  struct bytes verified_before, verified_after;
  int noise;  // 0: the output is always the same; 1: only its numbers differ; 2: it is not compared
  int *calls;
};

struct test_case *read_cases(const char *path, size_t *count);

#endif
