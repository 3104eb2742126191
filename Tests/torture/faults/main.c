// Runs every case without a fault to count its calls, and then once for each of its fault points: a call, the error it
// reports, and whether the calls after it fail as well. See `run` for the options.
//
// After each run the exit status must fit the fault; a signal or a hang is a finding. After success the output and the
// files must be those of the run without a fault. After a failure every file must have its old or new content, and no
// other file may be left. A second run, without a fault, must have the same result as after an undisturbed first one.
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cases.h"
#include "plan.h"
#include "run.h"

static const char *const kind_names[] = {
#define KIND(name, ...) #name,
  CALL_KINDS(KIND)
#undef KIND
};

static const struct {
  int changes, count, errors[8];
} kinds[] = {
#define KIND(name, changes, ...) \
  {changes, sizeof((int[]){__VA_ARGS__}) / sizeof(int), {__VA_ARGS__}},
  CALL_KINDS(KIND)
#undef KIND
};

struct point {
  unsigned test;
  struct fault fault;
};

static struct {
  struct test_case *cases;
  size_t case_count;
  struct point *points;
  size_t point_count;
  time_t deadline;
  const char *match;
  int findings_file;
} all;

struct shared {
  atomic_size_t next, visited, findings, unsteady, skipped;
  // Hangs of each case and kind of call. After the first one its other points are skipped.
  atomic_uchar hangs[1024][call_kinds];
};
static struct shared *shared;

// The text of a point, as findings show it.

static void describe(const struct point *point, char *text, size_t size) {
  const struct fault *fault = &point->fault;
  char what[64];
  switch (fault->mode) {
    case fault_once: snprintf(what, sizeof what, "%s", strerrorname_np(fault->error)); break;
    case fault_from: snprintf(what, sizeof what, "%s from then on", strerrorname_np(fault->error)); break;
    case fault_short: snprintf(what, sizeof what, "one byte"); break;
    case fault_partly: snprintf(what, sizeof what, "half, then %s", strerrorname_np(fault->error)); break;
    case fault_end: snprintf(what, sizeof what, "end"); break;
    case fault_kill: snprintf(what, sizeof what, "SIGKILL"); break;
    case fault_stop: snprintf(what, sizeof what, "SIGTERM"); break;
    default: snprintf(what, sizeof what, "nothing");
  }
  snprintf(text, size, "%s | %s #%d %s", all.cases[point->test].text, kind_names[fault->kind], fault->nth, what);
}

// Comparisons

static int is_digit(char byte) { return byte >= '0' && byte <= '9'; }

// Equal but for the values of numbers.
static int same_shape(const struct bytes *a, const struct bytes *b) {
  size_t i = 0, j = 0;
  while (i < a->size && j < b->size) {
    if (is_digit(a->bytes[i]) && is_digit(b->bytes[j])) {
      while (i < a->size && is_digit(a->bytes[i])) i++;
      while (j < b->size && is_digit(b->bytes[j])) j++;
    } else if (a->bytes[i++] != b->bytes[j++]) {
      return 0;
    }
  }
  return i == a->size && j == b->size;
}

static int same(const struct bytes *a, const struct bytes *b, int noise) {
  if (noise == 2) return 1;
  if (noise == 1) return same_shape(a, b);
  return a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

static int same_ending(const struct test_case *test, const struct ending *a, const struct ending *b) {
  return a->status == b->status && same(&a->output, &b->output, test->noise);
}

// Cached responses and rate ledgers may be lost at any time.
static int is_disposable(const char *path) {
  const size_t length = strlen(path);
  // A server removes its ready file at the end, if it can.
  if (strcmp(path, "ready") == 0) return 1;
  return strncmp(path, ".cache/", 7) == 0 || (length > 5 && strcmp(path + length - 5, ".rate") == 0);
}

static int is_database(const char *path) { return strstr(path, ".db") != NULL; }

// The notes of rentals say which request has no result yet.
static int has_attempt(const struct entry *entry) {
  return entry->size > 0 && memmem(entry->bytes, entry->size, "\"attempt\":", 10) != NULL;
}

static int is_temporary(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".tmp") == 0;
}

// The port of a server differs from run to run.
static int same_content(const struct test_case *test, const struct entry *a, const struct entry *b) {
  if (test->place == place_local || !a || !b) return entry_equal(a, b);
  const struct bytes left = {a->bytes, a->size}, right = {b->bytes, b->size};
  return a->mode == b->mode && same_shape(&left, &right);
}

static int databases_differ(const struct tree *a, const struct tree *b) {
  for (size_t i = 0; i < b->count; i++)
    if (is_database(b->entries[i].path) && !entry_equal(&b->entries[i], tree_find(a, b->entries[i].path))) return 1;
  return 0;
}

static struct bytes verify(const struct test_case *test) {
  struct test_case reader = *test;
  reader.place = place_local;
  reader.keys = NULL;
  reader.url = "embedded:";
  reader.input = (struct bytes){0};
  struct ending ending = run_case(&reader, test->verify, 3, NULL);
  struct bytes result;
  result.bytes = malloc(ending.output.size + ending.errors.size + 1);
  memcpy(result.bytes, ending.output.bytes, ending.output.size);
  memcpy(result.bytes + ending.output.size, ending.errors.bytes, ending.errors.size);
  result.size = ending.output.size + ending.errors.size;
  ending_free(&ending);
  return result;
}

// Runs without a fault

static void learn(struct test_case *test) {
  const struct tree *before = &test->state->tree;
  tree_write(before, home_path());
  if (test->verify) test->verified_before = verify(test);
  tree_write(before, home_path());
  test->first = run_case(test, test->words, 1, NULL);
  for (int i = 0; i < call_kinds; i++) test->calls[i] = last_plan()->count[i];
  if (test->first.hung || test->first.signal || test->first.status == 127)
    errx(2, "%s: status %d without a fault: %.*s", test->text, test->first.status,
         (int)test->first.errors.size, test->first.errors.bytes);
  if (terminal_finding()) errx(2, "%s: %s without a fault", test->text, terminal_finding());
  test->after = tree_read(home_path());
  if (test->keys || test->loose) test->noise = 2;
  if (test->keys) return;
  test->second = run_case(test, test->words, 2, NULL);
  tree_write(&test->after, home_path());
  if (test->verify) test->verified_after = verify(test);
  tree_write(before, home_path());
  test->other = run_case(test, test->words, 2, NULL);
  for (int i = 0; i < 2 && !test->loose; i++) {
    tree_write(before, home_path());
    struct ending again = run_case(test, test->words, 1, NULL);
    while (test->noise < 2 && !same(&again.output, &test->first.output, test->noise)) test->noise++;
    ending_free(&again);
  }
}

static void add_point(unsigned test, enum call_kind kind, int nth, enum fault_mode mode, int error) {
  static size_t capacity;
  struct point point = {test, {kind, nth, mode, error}};
  if (all.match) {
    char text[1024];
    describe(&point, text, sizeof text);
    if (!strstr(text, all.match)) return;
  }
  if (all.point_count == capacity) {
    capacity = capacity ? 2 * capacity : 4096;
    all.points = realloc(all.points, capacity * sizeof *all.points);
  }
  all.points[all.point_count++] = point;
}

static void add_points(unsigned number) {
  const struct test_case *test = &all.cases[number];
  for (int k = 0; k < call_kinds; k++) {
    enum call_kind kind = (enum call_kind)k;
    // One more than without a fault: a fault may lead to further calls.
    for (int nth = 1; nth <= test->calls[k] + (test->calls[k] > 0); nth++) {
      for (int e = 0; e < kinds[k].count; e++) add_point(number, kind, nth, fault_once, kinds[k].errors[e]);
      if (kinds[k].errors[0] != EINTR) add_point(number, kind, nth, fault_from, kinds[k].errors[0]);
      switch (kind) {
        case call_read_stream:
        case call_read_terminal:
        case call_receive:
          add_point(number, kind, nth, fault_end, 0);
          add_point(number, kind, nth, fault_short, 0);
          break;
        case call_write_file:
        case call_write_stream:
        case call_write_out:
        case call_send:
          add_point(number, kind, nth, fault_partly, kinds[k].errors[0]);
          add_point(number, kind, nth, fault_short, 0);
          break;
        case call_read_file:
        case call_write_terminal:
        case call_write_errors: add_point(number, kind, nth, fault_short, 0); break;
        default: break;
      }
      if (kinds[k].changes) {
        add_point(number, kind, nth, fault_kill, 0);
        add_point(number, kind, nth, fault_stop, 0);
      }
    }
  }
}

// Verdicts

static __attribute__((format(printf, 2, 3))) const char *say(char *into, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(into, 512, format, arguments);
  va_end(arguments);
  return into;
}

static int is_allowed(const struct test_case *test, int status) {
  for (size_t i = 0; i < test->allowed_count; i++)
    if (status == test->allowed[i]) return 1;
  return 0;
}

static int fits(const struct test_case *test, const struct fault *fault, const struct ending *ending) {
  if (ending->signal)
    return (fault->mode == fault_kill && ending->signal == SIGKILL) ||
           (fault->mode == fault_stop && ending->signal == SIGTERM) ||
           (fault->error == EPIPE && ending->signal == SIGPIPE) ||
           // A terminal that cannot be read or written has hung up.
           (test->keys && (fault->kind == call_read_terminal || fault->kind == call_write_terminal) && ending->signal == SIGHUP);
  if (ending->status == test->first.status || ending->status == 5 || ending->status == 10) return 1;
  if (is_allowed(test, ending->status)) return 1;
  // When the server or its client is stopped, the other one may end with that signal's status.
  if (test->place == place_local) return 0;
  return ((fault->mode == fault_stop || fault->mode == fault_kill) &&
          (ending->status == 128 + SIGTERM || ending->status == 128 + SIGKILL)) ||
         (fault->error == EPIPE && ending->status == 128 + SIGPIPE);
}

static const char *judge_files(
  const struct test_case *test, const struct fault *fault, const struct tree *now, int done, char *text) {
  const struct tree *before = &test->state->tree, *after = &test->after;
  for (size_t i = 0; i < now->count; i++) {
    const struct entry *entry = &now->entries[i], *old = tree_find(before, entry->path);
    const struct entry *new = tree_find(after, entry->path);
    if (S_ISDIR(entry->mode) || is_database(entry->path)) continue;
    if (is_temporary(entry->path)) {
      if (fault->mode == fault_kill || fault->kind == call_unlink) continue;
      return say(text, "'%s' is left behind", entry->path);
    }
    if (is_disposable(entry->path)) continue;
    if (!old && !new) return say(text, "'%s' is left behind", entry->path);
    // A locked file is created before it is written: an empty one was not written yet.
    if (!done && ((!old && entry->size == 0) || has_attempt(entry))) continue;
    if (!same_content(test, entry, old) && !same_content(test, entry, new))
      return say(text, "'%s' has neither its old nor its new content", entry->path);
    if (done && !same_content(test, entry, new)) return say(text, "'%s' is not as after success", entry->path);
  }
  for (size_t i = 0; i < after->count; i++) {
    const struct entry *new = &after->entries[i], *old = tree_find(before, new->path);
    if (S_ISDIR(new->mode) || is_database(new->path) || is_disposable(new->path)) continue;
    if (!tree_find(now, new->path) && (done || old)) return say(text, "'%s' is missing", new->path);
  }
  return NULL;
}

// The finding, or NULL for none.
static const char *judge(const struct test_case *test, const struct fault *fault, const struct ending *ending, char *text) {
  if (ending->hung) return "hangs";
  if (!fits(test, fault, ending))
    return say(text, "ends with %s %d: %.*s", ending->signal ? "signal" : "status",
               ending->signal ? ending->signal : ending->status,
               (int)(ending->errors.size < 300 ? ending->errors.size : 300), ending->errors.bytes);
  // A terminal that cannot be written cannot be restored.
  const int is_broken = (fault->error == EIO && (fault->kind == call_write_terminal || fault->kind == call_tcsetattr)) ||
                        (fault->error == ENOMEM && fault->kind == call_poll);
  if (terminal_finding() && !is_broken) return terminal_finding();
  const int done = ending->status == test->first.status;
  if (done && !same(&ending->output, &test->first.output, test->noise))
    return say(text, "status %d with another output: %.*s", ending->status,
               (int)(ending->output.size < 300 ? ending->output.size : 300), ending->output.bytes);
  if (!done && ending->status < 128 && !is_allowed(test, ending->status) && !test->keys && ending->errors.size == 0 && fault->kind != call_write_errors)
    return say(text, "status %d without a message", ending->status);

  // A convenience, such as a history, may fail with a warning.
  const int is_complete = done && test->first.status == 0 && ending->errors.size == test->first.errors.size;
  struct tree now = tree_read(home_path());
  const char *finding = judge_files(test, fault, &now, is_complete, text);
  const int changed = !tree_equal(&now, &test->state->tree);
  if (!finding && test->verify && (done || databases_differ(&test->state->tree, &now))) {
    struct bytes verified = verify(test);
    const int is_old = same(&verified, &test->verified_before, 0), is_new = same(&verified, &test->verified_after, 0);
    if (done && !is_new)
      finding = say(text, "status %d, but the records are not those of success: %.*s", ending->status,
                    (int)(verified.size < 200 ? verified.size : 200), verified.bytes);
    else if (!is_old && !is_new)
      finding = say(text, "the records are neither the old ones nor the new ones: %.*s",
                    (int)(verified.size < 200 ? verified.size : 200), verified.bytes);
    free(verified.bytes);
  }
  if (!finding && changed && !test->keys) {
    tree_write(&now, home_path());
    struct ending again = run_case(test, test->words, 2, NULL);
    if (!same_ending(test, &again, &test->other) && !same_ending(test, &again, &test->second))
      finding = say(text, "the same command then ends with %d: %.*s%.*s", again.status,
                    (int)(again.output.size < 200 ? again.output.size : 200), again.output.bytes,
                    (int)(again.errors.size < 200 ? again.errors.size : 200), again.errors.bytes);
    ending_free(&again);
  }
  tree_free(&now);
  return finding;
}

// Visits the point: 1 for a finding, 0 for none, -1 if the call was not made.
static int visit(const struct point *point, char *finding) {
  const struct test_case *test = &all.cases[point->test];
  char text[512];
  tree_write(&test->state->tree, home_path());
  struct ending ending = run_case(test, test->words, 1, &point->fault);
  if (last_plan()->hits == 0 && !ending.hung) {
    ending_free(&ending);
    return -1;
  }
  const char *found = judge(test, &point->fault, &ending, text);
  if (found) strcpy(finding, found);
  if (all.match && getenv("FAULT_SHOW"))
    fprintf(stderr, "status %d\n%.*s%.*s", ending.status, (int)ending.output.size, ending.output.bytes,
            (int)ending.errors.size, ending.errors.bytes);
  ending_free(&ending);
  return found != NULL;
}

static void work(void) {
  while (time(NULL) < all.deadline) {
    size_t index = atomic_fetch_add(&shared->next, 1);
    if (index >= all.point_count) return;
    if (index > 0 && index % 5000 == 0) fprintf(stderr, "faults: %zu of %zu points\n", index, all.point_count);
    const struct point *point = &all.points[index];
    char finding[512], name[1024];
    atomic_uchar *hangs = &shared->hangs[point->test % 1024][point->fault.kind];
    if (*hangs >= 1) {
      atomic_fetch_add(&shared->skipped, 1);
      continue;
    }
    int found = visit(point, finding);
    if (found == -1) continue;
    atomic_fetch_add(&shared->visited, 1);
    if (found == 0) continue;
    // Only a finding that is repeatable counts: the load of the machine may have caused the first one.
    const int attempts = strcmp(finding, "hangs") == 0 ? 1 : 2;
    int again = 0;
    for (int i = 0; i < attempts && again != 1; i++) again = visit(point, finding);
    if (again != 1) {
      atomic_fetch_add(&shared->unsteady, 1);
      continue;
    }
    atomic_fetch_add(&shared->findings, 1);
    if (strcmp(finding, "hangs") == 0) ++*hangs;
    for (char *at = finding; *at; at++)
      if (*at == '\n') *at = ' ';
    describe(point, name, sizeof name);
    dprintf(all.findings_file, "%s: %s\n", name, finding);
  }
}

static void shuffle(unsigned seed) {
  unsigned long state = seed * 2654435761u + 1;
  for (size_t i = all.point_count; i > 1; i--) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    size_t j = (state >> 33) % i;
    struct point other = all.points[i - 1];
    all.points[i - 1] = all.points[j];
    all.points[j] = other;
  }
}

static void print_counts(void) {
  for (unsigned i = 0; i < all.case_count; i++) {
    size_t count = 0;
    for (size_t p = 0; p < all.point_count; p++) count += all.points[p].test == i;
    if (count == 0) continue;
    fprintf(stderr, "%7zu points  %s%s\n", count, all.cases[i].text,
           all.cases[i].noise == 0 || all.cases[i].keys ? ""
           : all.cases[i].noise == 1                    ? "  (numbers not compared)"
                                                        : "  (output not compared)");
  }
}

int main(int argc, char **argv) {
  long seconds = 0, seed = 1, jobs = sysconf(_SC_NPROCESSORS_ONLN);
  const char *files[4];
  int file_count = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
      seconds = atol(argv[++i]);
    else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
      seed = atol(argv[++i]);
    else if (strcmp(argv[i], "--jobs") == 0 && i + 1 < argc)
      jobs = atol(argv[++i]);
    else if (strcmp(argv[i], "--match") == 0 && i + 1 < argc)
      all.match = argv[++i];
    else if (file_count < 4)
      files[file_count++] = argv[i];
  }
  if (file_count != 4) errx(2, "usage: runner PROGRAM LIBRARY CASES FOLDER [--seconds N] [--seed S] [--jobs N] [--match TEXT]");
  const time_t start = time(NULL);
  all.deadline = seconds > 0 ? start + seconds : start + 1000000;
  signal(SIGPIPE, SIG_IGN);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char path[4096];
  snprintf(path, sizeof path, "%s/findings", files[3]);
  all.findings_file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (all.findings_file < 0) err(2, "cannot make %s", path);

  run_begin(files[3], 0, files[1], files[0]);
  all.cases = read_cases(files[2], &all.case_count);
  for (unsigned i = 0; i < all.case_count; i++) {
    // A case whose own text does not match need not run at all.
    char *bar = all.match ? strstr(all.match, " | ") : NULL;
    if (bar && strncmp(all.cases[i].text, all.match, (size_t)(bar - all.match)) != 0 && bar != all.match) continue;
    learn(&all.cases[i]);
    add_points(i);
  }
  if (seconds > 0) shuffle((unsigned)seed);
  if (!seconds || all.match) print_counts();
  for (long i = 1; i < jobs; i++) {
    if (fork() == 0) {
      run_begin(files[3], (int)i, files[1], files[0]);
      work();
      _exit(0);
    }
  }
  work();
  while (wait(NULL) > 0) {}

  char block[65536];
  lseek(all.findings_file, 0, SEEK_SET);
  for (ssize_t count; (count = read(all.findings_file, block, sizeof block)) > 0;)
    fwrite(block, 1, (size_t)count, stderr);
  printf("faults: %zu of %zu points in %zu command lines, %zu findings, %zu not repeatable, "
         "%zu skipped after a hang, %ld s\n",
         shared->visited, all.point_count, all.case_count, shared->findings, shared->unsteady, shared->skipped,
         (long)(time(NULL) - start));
  return shared->findings > 0;
}
