#define _GNU_SOURCE
#include "cases.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "run.h"

// The words of a line as a shell reads it, with '…' as the only quotes. Ends with NULL.
static char **split(const char *line) {
  char **words = calloc(strlen(line) + 2, sizeof *words);
  size_t count = 0;
  while (*line) {
    while (*line == ' ') line++;
    if (!*line) break;
    char *word = calloc(1, strlen(line) + 1), *end = word;
    for (int quoted = 0; *line && (quoted || *line != ' '); line++) {
      if (*line == '\'')
        quoted = !quoted;
      else
        *end++ = *line;
    }
    words[count++] = word;
  }
  return words;
}

// With the escapes of printf: \n \r \t \e \\.
static struct bytes unescaped(const char *text) {
  struct bytes result = {.bytes = calloc(1, strlen(text) + 1)};
  static const char from[] = "nrte\\", to[] = "\n\r\t\033\\";
  for (; *text; text++) {
    const char *escape = *text == '\\' && text[1] ? strchr(from, text[1]) : NULL;
    result.bytes[result.size++] = escape ? to[escape - from] : *text;
    if (escape) text++;
  }
  return result;
}

static const char *rest(const char *line, const char *word) {
  size_t length = strlen(word);
  if (strncmp(line, word, length) != 0 || (line[length] != ' ' && line[length] != 0)) return NULL;
  return line + length + (line[length] == ' ');
}

static struct state *make_state(const char *text) {
  struct state *state = calloc(1, sizeof *state);
  state->name = strdup(text);
  return state;
}

struct test_case *read_cases(const char *path, size_t *count) {
  FILE *file = fopen(path, "r");
  if (file == NULL) err(2, "cannot open %s", path);
  static const char *const places[] = {"local", "client", "foreign", "server"};
  struct state *states[32] = {0};
  size_t state_count = 0;
  struct test_case *cases = NULL, next = {.speed = 10, .url = strdup("embedded:")};
  *count = 0;
  char *line = NULL;
  size_t capacity = 0;
  for (int number = 1; getline(&line, &capacity, file) != -1; number++) {
    line[strcspn(line, "\n")] = 0;
    const char *value;
    if (*line == 0 || *line == '#') continue;
    if ((value = rest(line, "state"))) {
      // A new state is an empty home, which the 'do' lines after it fill; a known name is the state made before.
      next.state = NULL;
      for (size_t i = 0; i < state_count; i++)
        if (strcmp(states[i]->name, value) == 0) next.state = states[i];
      if (next.state == NULL) {
        if (state_count == sizeof states / sizeof *states) errx(2, "%s:%d: too many states", path, number);
        next.state = states[state_count++] = make_state(value);
      }
      tree_write(&next.state->tree, home_path());
    } else if ((value = rest(line, "do"))) {
      struct test_case step = next;
      step.text = strdup(line);
      step.words = split(value);
      step.place = place_local;
      tree_write(&next.state->tree, home_path());
      // Other random numbers than the commands that are tested: no idempotency key is used twice.
      struct ending ending = run_case(&step, step.words, 100 + (unsigned)number, NULL);
      if (ending.status != 0)
        errx(2, "%s:%d: status %d: %.*s", path, number, ending.status, (int)ending.errors.size,
             ending.errors.bytes);
      tree_free(&next.state->tree);
      next.state->tree = tree_read(home_path());
    } else if ((value = rest(line, "place"))) {
      int place = 0;
      while (place < 4 && strcmp(places[place], value) != 0) place++;
      if (place == 4) errx(2, "%s:%d: unknown place '%s'", path, number, value);
      next.place = (enum place)place;
    } else if ((value = rest(line, "url"))) {
      next.url = strdup(value);
    } else if ((value = rest(line, "serve"))) {
      next.server_options = split(value);
    } else if ((value = rest(line, "verify"))) {
      next.verify = *value ? split(value) : NULL;
    } else if ((value = rest(line, "speed"))) {
      next.speed = atoi(value);
    } else if ((value = rest(line, "input"))) {
      next.input = unescaped(value);
    } else if ((value = rest(line, "keys"))) {
      next.keys = unescaped(value).bytes;
    } else if ((value = rest(line, "also"))) {
      if (next.allowed_count == sizeof next.allowed / sizeof *next.allowed)
        errx(2, "%s:%d: too many statuses", path, number);
      next.allowed[next.allowed_count++] = atoi(value);
    } else if (rest(line, "loose")) {
      next.loose = 1;
    } else if ((value = rest(line, "run"))) {
      cases = realloc(cases, (*count + 1) * sizeof *cases);
      next.words = split(value);
      if (asprintf(&next.text, "%s %s%s%s", places[next.place],
                   next.place == place_local ? next.url : next.state->name, " ", value) < 0)
        err(2, "memory");
      next.calls = calloc(call_kinds, sizeof *next.calls);
      cases[(*count)++] = next;
      // These apply to one case only.
      next.input = (struct bytes){0};
      next.keys = NULL;
      next.allowed_count = 0;
      next.loose = 0;
    } else {
      errx(2, "%s:%d: unknown setting '%s'", path, number, line);
    }
  }
  free(line);
  fclose(file);
  return cases;
}
