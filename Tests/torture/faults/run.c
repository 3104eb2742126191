#define _GNU_SOURCE
#include "run.h"

#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const int time_limit = 8000;  // real milliseconds of a run

static struct {
  char *home, *folder, *plan_path, *quiet_path, *preload, *path, *program;
  struct plan *plan, *quiet;
  int input, output, errors;
  const char *terminal_finding;
} worker;

static char *text(const char *format, const char *a, const char *b) {
  char *result;
  if (asprintf(&result, format, a, b) < 0) err(2, "memory");
  return result;
}

static struct plan *make_plan(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, sizeof(struct plan)) != 0) err(2, "cannot make %s", path);
  struct plan *plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (plan == MAP_FAILED) err(2, "cannot map %s", path);
  close(file);
  return plan;
}

// The programs that the cases run, in a folder of their own: hw searches every folder of PATH for plug-ins.
static void make_programs(const char *folder, const char *program) {
  static const char *const tools[] = {"sh", "env", "cat", "true"};
  if (mkdir(folder, 0700) != 0 || symlink(program, text("%s/%s", folder, "hw")) != 0) err(2, "cannot make %s", folder);
  for (int i = 0; i < 4; i++) {
    char *path = text("/bin/%s%s", tools[i], "");
    if (access(path, X_OK) != 0) path = text("/usr/bin/%s%s", tools[i], "");
    if (symlink(path, text("%s/%s", folder, tools[i])) != 0) err(2, "cannot link %s", path);
  }
}

void run_begin(const char *base, int number, const char *library, const char *program) {
  char name[16];
  snprintf(name, sizeof name, "w%d", number);
  worker.folder = text("%s/%s", base, name);
  worker.home = text("%s/%s", worker.folder, "home");
  if (mkdir(worker.folder, 0700) != 0 || mkdir(worker.home, 0700) != 0) err(2, "cannot make %s", worker.home);
  worker.plan_path = text("%s/%s", worker.folder, "plan");
  worker.quiet_path = text("%s/%s", worker.folder, "quiet");
  worker.plan = make_plan(worker.plan_path);
  worker.quiet = make_plan(worker.quiet_path);
  worker.preload = text("LD_PRELOAD=%s%s", library, "");
  worker.program = strdup(program);
  worker.path = text("PATH=%s/%s", worker.folder, "bin");
  make_programs(worker.path + strlen("PATH="), program);
  worker.input = memfd_create("input", MFD_CLOEXEC);
  worker.output = memfd_create("output", MFD_CLOEXEC);
  worker.errors = memfd_create("errors", MFD_CLOEXEC);
}

const char *home_path(void) { return worker.home; }
const struct plan *last_plan(void) { return worker.plan; }
const char *terminal_finding(void) { return worker.terminal_finding; }

void ending_free(struct ending *ending) {
  free(ending->output.bytes);
  free(ending->errors.bytes);
  *ending = (struct ending){0};
}

// Replaces the path of the worker's folder, which differs between workers.
static struct bytes without_folder(struct bytes bytes) {
  size_t length = strlen(worker.folder);
  char *found, *from = bytes.bytes;
  while ((found = memmem(from, bytes.size - (size_t)(from - bytes.bytes), worker.folder, length)) != NULL) {
    memset(found, '@', length);
    from = found + length;
  }
  return bytes;
}

static struct bytes content(int file) {
  struct stat facts;
  fstat(file, &facts);
  struct bytes bytes = {.bytes = calloc(1, (size_t)facts.st_size + 1), .size = (size_t)facts.st_size};
  if (pread(file, bytes.bytes, bytes.size, 0) != (ssize_t)bytes.size) err(2, "cannot read an output");
  return without_folder(bytes);
}

// The complete command line: the words alone, or as the command of 'hw serve'.
static char **command_line(const struct test_case *test, char **words) {
  size_t count = 0, options = 0;
  while (words[count]) count++;
  while (test->server_options && test->server_options[options]) options++;
  char **line = calloc(count + options + 16, sizeof *line);
  size_t at = 0;
  if (test->place != place_local) {
    char *const serve[] = {worker.program, "serve", "--listen", "127.0.0.1:0"};
    memcpy(line, serve, sizeof serve);
    at = 4;
    if (options) memcpy(line + at, test->server_options, options * sizeof *line);
    at += options;
    line[at++] = "--";
  }
  if (test->place == place_foreign) {
    line[at++] = "sh";
    line[at++] = "-c";
    line[at++] =
      "unset HW_RACE_URL HW_NBA_URL HW_BIKES_URL HW_WORDLE_URL HW_NODES_URL\n"
      "HW_URL=http://" FOREIGN_ADDRESS ":${HW_URL##*:} exec \"$@\"";
    line[at++] = "sh";
  }
  if (test->place != place_local) {
    line[at++] = "env";
    line[at++] = worker.preload;
    line[at++] = text(PLAN_VARIABLE "=%s%s", test->place == place_server ? worker.quiet_path : worker.plan_path, "");
  }
  memcpy(line + at, words, count * sizeof *line);
  return line;
}

static char **environment(const struct test_case *test) {
  char **variables = calloc(16, sizeof *variables);
  size_t at = 0;
  int faulty = test->place == place_local || test->place == place_server;
  variables[at++] = worker.path;
  variables[at++] = text("HOME=%s%s", worker.home, "");
  variables[at++] = "LC_ALL=C.UTF-8";
  variables[at++] = "TZ=UTC";
  variables[at++] = "TERM=xterm-256color";
  variables[at++] = "SWIFT_DETERMINISTIC_HASHING=1";
  variables[at++] = "PAGER=cat";
  variables[at++] = "BROWSER=true";
  variables[at++] = worker.preload;
  variables[at++] = text(PLAN_VARIABLE "=%s%s", faulty ? worker.plan_path : worker.quiet_path, "");
  if (test->place == place_local && *test->url) variables[at++] = text("HW_URL=%s%s", test->url, "");
  return variables;
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Types the keys, each when the screen has stopped changing, and reads the output until the process ends.
static void converse(int master, int process, const char *keys, struct bytes *drawn) {
  long start = now(), last = start;
  char block[65536];
  drawn->bytes = calloc(1, 1 << 20);
  while (now() - start < time_limit) {
    struct pollfd entries[] = {{.fd = master, .events = POLLIN}, {.fd = process, .events = POLLIN}};
    poll(entries, 2, 15);
    if (entries[0].revents & POLLIN) {
      ssize_t count = read(master, block, sizeof block);
      if (count > 0 && drawn->size + (size_t)count < (1 << 20)) {
        memcpy(drawn->bytes + drawn->size, block, (size_t)count);
        drawn->size += (size_t)count;
      }
      continue;
    }
    if (entries[1].revents) return;
    if (*keys && drawn->size > 0) {
      if (write(master, keys, 1) == 1) keys++;
      last = now();
    } else if (now() - last > 300) {
      // A fault may have lost the key that ends it, or its first output.
      if (write(master, "q\n", 2) != 2) return;
      last = now();
    }
  }
}

// Whether the last sequence that changes the terminal is followed by the one that restores it.
static int is_restored(const struct bytes *drawn, const char *change, const char *restore) {
  const char *changed = NULL, *restored = NULL;
  for (const char *at = drawn->bytes; (at = strstr(at, change)) != NULL; at++) changed = at;
  for (const char *at = drawn->bytes; (at = strstr(at, restore)) != NULL; at++) restored = at;
  return changed == NULL || restored > changed;
}

static const char *compare_terminal(int master, const struct termios *before, const struct bytes *drawn) {
  struct termios after;
  memset(&after, 0, sizeof after);
  tcgetattr(master, &after);
  if (after.c_lflag != before->c_lflag || after.c_iflag != before->c_iflag || after.c_oflag != before->c_oflag)
    return "the terminal was not restored";
  if (!is_restored(drawn, "\033[?1049h", "\033[?1049l")) return "the alternate screen is still shown";
  if (!is_restored(drawn, "\033[?25l", "\033[?25h")) return "the cursor is still hidden";
  return NULL;
}

struct ending run_case(const struct test_case *test, char **words, unsigned seed, const struct fault *fault) {
  struct ending ending = {0};
  memset(worker.plan, 0, sizeof *worker.plan);
  memset(worker.quiet, 0, sizeof *worker.quiet);
  worker.plan->seed = worker.quiet->seed = seed;
  worker.plan->speed = worker.quiet->speed = test->speed;
  if (fault != NULL) worker.plan->fault = *fault;
  int files[] = {worker.input, worker.output, worker.errors};
  for (int i = 0; i < 3; i++)
    if (ftruncate(files[i], 0) != 0 || lseek(files[i], 0, SEEK_SET) != 0) err(2, "cannot empty an output");
  if (test->input.size && pwrite(worker.input, test->input.bytes, test->input.size, 0) < 0)
    err(2, "cannot write the input");

  int master = -1, slave = -1;
  struct termios before;
  if (test->keys) {
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) || unlockpt(master)) err(2, "no terminal");
    slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    ioctl(master, TIOCSWINSZ, &size);
    tcgetattr(master, &before);
  }
  char **line = command_line(test, words), **variables = environment(test);
  char *const program = strcmp(line[0], "hw") == 0 ? worker.program : line[0];
  pid_t id = fork();
  if (id < 0) err(2, "cannot fork");
  if (id == 0) {
    if (chdir(worker.home) != 0) _exit(126);
    if (test->keys) {
      setsid();
      ioctl(slave, TIOCSCTTY, 0);
      for (int i = 0; i < 3; i++) dup2(slave, i);
    } else {
      setpgid(0, 0);
      dup2(worker.input, 0);
      dup2(worker.output, 1);
      dup2(worker.errors, 2);
    }
    environ = variables;
    execvpe(program, line, variables);
    _exit(127);
  }
  int process = (int)syscall(SYS_pidfd_open, id, 0);
  worker.terminal_finding = NULL;
  if (test->keys)
    converse(master, process, test->keys, &ending.output);
  struct pollfd end = {.fd = process, .events = POLLIN};
  ending.hung = poll(&end, 1, test->keys ? 1000 : time_limit) != 1;
  kill(-id, SIGKILL);
  int status;
  waitpid(id, &status, 0);
  close(process);
  ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending.status = ending.signal ? 128 + ending.signal : WEXITSTATUS(status);
  if (test->keys) {
    // Its last output may not have been read yet.
    for (struct pollfd rest = {.fd = master, .events = POLLIN}; poll(&rest, 1, 0) == 1;) {
      ssize_t count = read(master, ending.output.bytes + ending.output.size, (1 << 20) - 1 - ending.output.size);
      if (count <= 0) break;
      ending.output.size += (size_t)count;
    }
    if (ending.signal != SIGKILL) worker.terminal_finding = compare_terminal(master, &before, &ending.output);
    close(master);
    close(slave);
    ending.errors = content(worker.errors);
  } else {
    ending.output = content(worker.output);
    ending.errors = content(worker.errors);
  }
  free(line);
  free(variables);
  return ending;
}
