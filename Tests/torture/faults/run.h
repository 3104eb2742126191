// One run of a case, in the home of this worker, with a fault or without.
#ifndef RUN_H
#define RUN_H

#include "cases.h"
#include "plan.h"

// Makes the folder, plans and files of a worker. `base` is removed by whoever made it.
void run_begin(const char *base, int worker, const char *library, const char *program);
const char *home_path(void);
// Runs words of the case; `seed` is what its randomness comes from. `fault` is NULL for none.
struct ending run_case(const struct test_case *test, char **words, unsigned seed, const struct fault *fault);
// How often each kind of call was made in the run before, and how often the fault struck.
const struct plan *last_plan(void);
// What is wrong with the terminal after the run before; NULL for nothing, or when it had none.
const char *terminal_finding(void);
void ending_free(struct ending *ending);

#endif
