// A soak test of 'hw serve': clients that add, rent, return and delete, clients that disconnect, faults that the server
// injects, a disk that fills and empties, and kills. Afterwards every acknowledged write must be in the store. The
// server's memory and descriptors must not grow.
//
// usage: soak PROGRAM FOLDER SECONDS SEED [TMPFS]
// FOLDER is an empty directory for the store. With the argument TMPFS it is a small file system, which is filled now and
// then.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { client_count = 8, score_count = 40, bike_count = 6, response_limit = 1 << 20 };

enum state { absent, present, unknown };

static struct {
  const char *program, *folder, *tmpfs;
  long seconds;
  unsigned seed;
  pid_t id;
  int port;
} server;

static atomic_int stopping, pausing, paused;
static atomic_long requests, acknowledged, findings, checks, refusals, cuts;

static __attribute__((format(printf, 1, 2))) void find(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char text[1024];
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (atomic_fetch_add(&findings, 1) < 50) fprintf(stderr, "soak: %s\n", text);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void rest(double seconds) {
  struct timespec span = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&span, NULL);
}

static unsigned draw(unsigned *state, unsigned below) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % below;
}

// HTTP: a minimal client

struct client {
  int number, socket;
  unsigned random;
  char *response;
  const char *body;
  enum state scores[score_count];
  struct bike {
    char name[32], id[24];
    enum state is, rented;
  } bikes[bike_count];
  unsigned serial;
};

static int connected(void) {
  int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons((uint16_t)server.port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct timeval limit = {.tv_sec = 20};
  setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(file, (struct sockaddr *)&address, sizeof address) == 0) return file;
  close(file);
  return -1;
}

static void disconnect(struct client *client) {
  if (client->socket >= 0) close(client->socket);
  client->socket = -1;
}

// Returns the status of the response and sets `client->body`; 0 if there was no response.
static int request(struct client *client, const char *method, const char *path, const char *content) {
  atomic_fetch_add(&requests, 1);
  client->body = "";
  if (client->socket < 0) client->socket = connected();
  if (client->socket < 0) {
    rest(0.05);
    return 0;
  }
  char text[2048];
  int size = snprintf(text, sizeof text,
                      "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Authorization: soak-%d\r\n"
                      "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                      method, path, server.port, client->number, strlen(content), content);
  if (send(client->socket, text, (size_t)size, MSG_NOSIGNAL) != size) goto cut;
  size_t count = 0, length = 0;
  char *end = NULL;
  while (end == NULL || count < length) {
    ssize_t got = recv(client->socket, client->response + count, response_limit - 1 - count, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) find("%s %s: no response in 20 seconds", method, path);
    if (got <= 0) goto cut;
    count += (size_t)got;
    client->response[count] = 0;
    if (end == NULL && (end = strstr(client->response, "\r\n\r\n")) != NULL) {
      char *field = strcasestr(client->response, "\r\nContent-Length:");
      length = (size_t)(end + 4 - client->response) + (field && field < end ? strtoul(field + 17, NULL, 10) : 0);
      if (length >= response_limit) errx(2, "a response is too large");
    }
  }
  client->body = end + 4;
  int status = atoi(client->response + 9);
  char *closes = strcasestr(client->response, "\r\nConnection: close");
  if (closes && closes < end) disconnect(client);
  if (status >= 500 || status == 429) atomic_fetch_add(&refusals, 1);
  return status;
cut:
  atomic_fetch_add(&cuts, 1);
  disconnect(client);
  return 0;
}

// A refused change was not made, an acknowledged one was. Without a response it is unknown until the next list.
static enum state outcome(int status, enum state before, enum state wanted) {
  if (status == 200 || status == 201) {
    atomic_fetch_add(&acknowledged, 1);
    return wanted;
  }
  return status == 0 ? unknown : before;
}

static const char *state_name(enum state state) {
  static const char *const names[] = {"absent", "present", "unknown"};
  return names[state];
}

static void meet(const struct client *client, const char *what, enum state *expected, enum state found) {
  atomic_fetch_add(&checks, 1);
  if (*expected != unknown && *expected != found)
    find("%s of client %d is %s and should be %s", what, client->number, state_name(found), state_name(*expected));
  *expected = found;
}

// Scores: each client has an account of its own.

static int score_id(int index) { return 300 + index; }

// A response that the server replaced with nonsense has the status of success.
static int is_nonsense(const struct client *client) { return *client->body != '{' && *client->body != '['; }

static void change_score(struct client *client) {
  int index = (int)draw(&client->random, score_count);
  enum state *state = &client->scores[index];
  char text[256], path[64];
  if (draw(&client->random, 2)) {
    snprintf(text, sizeof text, "{\"id\":%d,\"date\":\"2022-04-%02d\",\"word\":\"watch\",\"tries\":[\"stair\",\"watch\"]}",
             score_id(index), index % 28 + 1);
    int status = request(client, "POST", "/wordle/scores", text);
    if (status == 409) {
      if (*state == absent) find("score %d of client %d is refused as known", score_id(index), client->number);
      *state = present;
    } else if (status == 200 && is_nonsense(client)) {
      *state = unknown;
    } else {
      *state = outcome(status, *state, present);
    }
  } else {
    snprintf(path, sizeof path, "/wordle/scores/%d", score_id(index));
    int status = request(client, "DELETE", path, "");
    if (status == 404) {
      if (*state == present) find("score %d of client %d was lost", score_id(index), client->number);
      *state = absent;
    } else if (status == 200 && is_nonsense(client)) {
      *state = unknown;
    } else {
      *state = outcome(status, *state, absent);
    }
  }
}

static int check_scores(struct client *client) {
  if (request(client, "GET", "/wordle/scores", "") != 200 || strncmp(client->body, "{\"scores\":[", 11) != 0) return 0;
  for (int i = 0; i < score_count; i++) {
    char text[32];
    snprintf(text, sizeof text, "{\"id\":%d,", score_id(i));
    snprintf(text + 16, 16, "score %d", score_id(i));
    meet(client, text + 16, &client->scores[i], strstr(client->body, text) ? present : absent);
  }
  return 1;
}

// Bikes: all clients share one list. The names of a client's bikes contain its number.

static void change_bike(struct client *client) {
  struct bike *bike = &client->bikes[draw(&client->random, bike_count)];
  char text[256], path[64];
  if (bike->is == unknown || bike->rented == unknown) return;
  if (bike->is == absent) {
    snprintf(bike->name, sizeof bike->name, "soak-%d-%u", client->number, client->serial++);
    snprintf(text, sizeof text,
             "{\"name\":\"%s\",\"color\":\"ff0000\",\"pin\":\"1234\",\"location\":{\"latitude\":50.1,\"longitude\":8.6}}",
             bike->name);
    int status = request(client, "POST", "/bikes", text);
    if (status == 200 && (is_nonsense(client) || sscanf(client->body, "{\"id\":\"%20[0-9]\"", bike->id) != 1)) status = 0;
    bike->is = outcome(status, absent, present);
    bike->rented = absent;
    return;
  }
  switch (draw(&client->random, 3)) {
    case 0:
      snprintf(path, sizeof path, "/bikes/%s/rented", bike->id);
      int status = bike->rented == absent ? request(client, "PUT", path, "")
                                          : request(client, "DELETE", path, "{\"latitude\":50.1,\"longitude\":8.6}");
      if (status == 404) find("bike %s of client %d was lost", bike->id, client->number);
      if (status == 400) find("bike %s of client %d: %.100s", bike->id, client->number, client->body);
      if (status == 200 && is_nonsense(client)) status = 0;
      bike->rented = outcome(status, bike->rented, bike->rented == absent ? present : absent);
      break;
    case 1:
      if (bike->rented != absent) return;
      snprintf(path, sizeof path, "/bikes/%s", bike->id);
      status = request(client, "DELETE", path, "");
      if (status == 404) find("bike %s of client %d was lost", bike->id, client->number);
      // The response to DELETE has no body; nonsense has one.
      if (status == 200 && *client->body) status = 0;
      bike->is = outcome(status, present, absent);
      break;
    default: break;
  }
}

static int check_bikes(struct client *client) {
  if (request(client, "GET", "/bikes", "") != 200 || *client->body != '[') return 0;
  for (int i = 0; i < bike_count; i++) {
    struct bike *bike = &client->bikes[i];
    char text[64];
    if (!*bike->name) continue;
    snprintf(text, sizeof text, "\"name\":\"%s\"", bike->name);
    const char *found = strstr(client->body, text);
    meet(client, bike->name, &bike->is, found ? present : absent);
    if (!found) continue;
    const char *start = found;
    while (start > client->body && *start != '{') start--;
    sscanf(start, "{\"id\":\"%20[0-9]\"", bike->id);
    const char *rented = strstr(found, "\"rented\":");
    snprintf(text, sizeof text, "the rental of %.20s", bike->name);
    meet(client, text, &bike->rented, rented && strncmp(rented + 9, "true", 4) == 0 ? present : absent);
  }
  return 1;
}

static void *work(void *argument) {
  struct client *client = argument;
  while (!stopping) {
    if (pausing) {
      disconnect(client);
      atomic_fetch_add(&paused, 1);
      while (pausing && !stopping) rest(0.02);
      continue;
    }
    switch (draw(&client->random, 12)) {
      case 0: check_scores(client); break;
      case 1: check_bikes(client); break;
      case 2: request(client, "GET", "/nodes/api/v1/lightning/nodes/rankings/connectivity", ""); break;
      case 3: case 4: case 5: case 6: change_bike(client); break;
      default: change_score(client);
    }
  }
  disconnect(client);
  return NULL;
}

// Clients that are killed: an incomplete request, a response that is not read, a reset.
static void *vandalize(void *argument) {
  unsigned random = *(unsigned *)argument;
  while (!stopping) {
    if (pausing) {
      rest(0.02);
      continue;
    }
    int file = connected();
    if (file < 0) {
      rest(0.05);
      continue;
    }
    static const char text[] = "GET /bikes HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    size_t size = draw(&random, 2) ? sizeof text - 1 : draw(&random, sizeof text - 1);
    send(file, text, size, MSG_NOSIGNAL);
    if (draw(&random, 2)) rest(0.01);
    struct linger reset = {.l_onoff = (int)draw(&random, 2)};
    setsockopt(file, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(file);
    rest(0.01);
  }
  return NULL;
}

// The server

static void start(int with_faults) {
  char address[64], ready[4096], log[4096];
  snprintf(address, sizeof address, "127.0.0.1:%d", server.port);
  snprintf(ready, sizeof ready, "%s.ready", server.folder);
  snprintf(log, sizeof log, "%s.log", server.folder);
  unlink(ready);
  server.id = fork();
  if (server.id < 0) err(2, "cannot fork");
  if (server.id == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(file, 1);
    dup2(file, 2);
    static char faults[] = "503:0.02,drop:0.02,garbage:0.01,delay:20ms:0.02";
    char *words[] = {(char *)server.program, "serve", "--listen", address, "--samples", "--store", (char *)server.folder,
                     "--ready-file", ready, with_faults ? "--fault" : NULL, faults, NULL};
    execv(server.program, words);
    _exit(127);
  }
  for (double begin = now(); now() - begin < 30; rest(0.02)) {
    FILE *file = fopen(ready, "r");
    int ok = file && fscanf(file, "http://127.0.0.1:%d", &server.port) == 1;
    if (file) fclose(file);
    if (ok) return;
    int status;
    if (waitpid(server.id, &status, WNOHANG) == server.id) errx(2, "the server ended with %d; see %s", status, log);
  }
  errx(2, "the server did not start; see %s", log);
}

static void stop(int number) {
  int status;
  kill(server.id, number);
  if (waitpid(server.id, &status, 0) != server.id) err(2, "no server to wait for");
  // After SIGTERM it finishes its requests and succeeds.
  const int is_expected = number == SIGTERM ? status == 0 : WIFSIGNALED(status) && WTERMSIG(status) == number;
  if (!is_expected) find("the server ended with status %d after signal %d", status, number);
}

struct usage {
  long resident;  // kB
  int descriptors;
};

// Measures while no client is connected.
static struct usage measure(void) {
  struct usage usage = {0};
  char path[64], line[256];
  paused = 0;
  pausing = 1;
  for (double begin = now(); paused < client_count && now() - begin < 30;) rest(0.02);
  rest(1);
  snprintf(path, sizeof path, "/proc/%d/status", server.id);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) sscanf(line, "VmRSS: %ld", &usage.resident);
  if (file) fclose(file);
  for (int i = 0; i < 1024; i++) {
    snprintf(path, sizeof path, "/proc/%d/fd/%d", server.id, i);
    struct stat facts;
    usage.descriptors += lstat(path, &facts) == 0;
  }
  pausing = 0;
  return usage;
}

// A disk that has no space left: a ballast takes what there is.
static void fill_disk(void) {
  if (server.tmpfs == NULL) return;
  char path[4096];
  static char block[4096];
  snprintf(path, sizeof path, "%s/ballast", server.folder);
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  while (write(file, block, sizeof block) > 0) {}
  close(file);
}

static void free_disk(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/ballast", server.folder);
  unlink(path);
}

int main(int argc, char **argv) {
  if (argc < 5) errx(2, "usage: soak PROGRAM FOLDER SECONDS SEED [TMPFS]");
  server.program = argv[1];
  server.folder = argv[2];
  server.seconds = atol(argv[3]);
  server.seed = (unsigned)atol(argv[4]);
  server.tmpfs = argc > 5 && *argv[5] ? argv[5] : NULL;
  signal(SIGPIPE, SIG_IGN);
  start(1);

  static struct client clients[client_count];
  pthread_t threads[client_count + 1];
  for (int i = 0; i < client_count; i++) {
    clients[i] = (struct client){.number = i, .socket = -1, .random = server.seed * 977 + (unsigned)i};
    clients[i].response = malloc(response_limit);
    pthread_create(&threads[i], NULL, work, &clients[i]);
  }
  unsigned vandal = server.seed;
  pthread_create(&threads[client_count], NULL, vandalize, &vandal);

  // Two servers, one after the other, or a new one every ten minutes; all but the last are killed.
  const double end = now() + (double)server.seconds;
  const double life = server.seconds < 1200 ? (double)server.seconds / 2 : 600;
  int lives = 0;
  while (now() < end - 1) {
    if (lives++ > 0) {
      stop(SIGKILL);
      start(1);
    }
    const double begin = now();
    struct usage warm = {0};
    for (int full = 0; now() < begin + life && now() < end; full = !full) {
      if (full) fill_disk();
      rest(full ? life / 16 : life / 10);
      free_disk();
      if (warm.descriptors == 0 && now() > begin + life / 3) warm = measure();
    }
    struct usage last = measure();
    if (last.descriptors > warm.descriptors)
      find("%d descriptors, %d after the warm-up", last.descriptors, warm.descriptors);
    if (last.resident > warm.resident + warm.resident / 5 + 2048)
      find("%ld kB of memory, %ld after the warm-up", last.resident, warm.resident);
    fprintf(stderr, "soak: server %d: %ld kB and %d descriptors after the warm-up, %ld kB and %d at the end\n", lives,
            warm.resident, warm.descriptors, last.resident, last.descriptors);
  }
  stopping = 1;
  for (int i = 0; i <= client_count; i++) pthread_join(threads[i], NULL);

  // After one more kill, a server without faults must have every acknowledged write.
  stop(SIGKILL);
  start(0);
  for (int i = 0; i < client_count; i++)
    if (!check_scores(&clients[i]) || !check_bikes(&clients[i])) find("client %d cannot read its records", i);
  for (int i = 0; i < client_count; i++) disconnect(&clients[i]);
  stop(SIGTERM);
  printf("soak: %ld requests, %ld acknowledged writes, %ld refused, %ld cut, %ld checks, %d servers, %ld seconds, %ld findings\n",
         requests, acknowledged, refusals, cuts, checks, lives + 1, server.seconds, findings);
  return findings > 0;
}
