// One run of a case, in the home of this worker, with a fault or without.
#ifndef RUN_H
#define RUN_H

#include "cases.h"
#include "plan.h"

// Makes the folder, plans and files of a worker in `base`, which the caller removes.
void run_begin(const char *base, int worker, const char *library, const char *program);
const char *home_path(void);
// Runs the words of the case. `seed` determines all random numbers of the run; `fault` is NULL for none.
struct ending run_case(const struct test_case *test, char **words, unsigned seed, const struct fault *fault);
// How often each kind of call was made in the last run, and how often the fault happened.
const struct plan *last_plan(void);
// What is wrong with the terminal after the last run; NULL for nothing, or if the run had no terminal.
const char *terminal_finding(void);
void ending_free(struct ending *ending);

#endif
