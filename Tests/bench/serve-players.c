// serve-players PAGES   players as the NBA service sends them, a hundred a page, from 127.0.0.1
//
// Prints the address once it listens. Answers /teams with one team, and any other path with the page behind the
// `cursor` of its query; the last page has no cursor. One connection at a time is enough: so it is asked. Ends when
// standard input does.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static const char teams[] =
    "{\"data\":[{\"id\":14,\"conference\":\"West\",\"division\":\"Pacific\",\"city\":\"Los Angeles\",\"name\":\"Lakers\","
    "\"full_name\":\"Los Angeles Lakers\",\"abbreviation\":\"LAL\"}]}";

static const char *const others[4][2] = {
    {"Boston", "Celtics"}, {"Portland", "Trail Blazers"}, {"Miami", "Heat"}, {"Minnesota", "Timberwolves"}};

static size_t team(char *to, int id, const char *city, const char *name) {
  return (size_t)sprintf(to,
                         "{\"id\":%d,\"conference\":\"West\",\"division\":\"Pacific\",\"city\":\"%s\",\"name\":\"%s\","
                         "\"full_name\":\"%s %s\",\"abbreviation\":\"ABC\"}",
                         id, city, name, city, name);
}

// Ids have one width, so a page is made once and then only its ids and its cursor are written anew: the server costs
// little beside those who are measured.
static long first_id = 10000001;
static char body[256 << 10];
static size_t body_size, id_places[100], cursor_place;

static void put_id(size_t place, long id) {
  for (int digit = 7; digit >= 0; digit--, id /= 10) body[place + (size_t)digit] = (char)('0' + id % 10);
}

static void make_page(void) {
  char *at = body;
  at += sprintf(at, "{\"data\":[");
  for (int row = 0; row < 100; row++) {
    int seed = row * 7919 % 104729;
    const char *const *other = others[seed % 4];
    if (row > 0) *at++ = ',';
    id_places[row] = (size_t)(at - body) + 6;
    at += sprintf(at,
                  "{\"id\":00000000,\"first_name\":\"Player\",\"last_name\":\"Number%d\",\"position\":\"F\","
                  "\"height\":\"6-%d\",\"weight\":\"%d\",\"jersey_number\":\"%d\",\"college\":null,\"country\":\"USA\","
                  "\"draft_year\":20%02d,\"draft_round\":1,\"draft_number\":%d,\"team\":",
                  seed, seed % 12, 180 + seed % 90, seed % 50, seed % 25, seed % 30 + 1);
    at += team(at, 2 + seed % 4, other[0], other[1]);
    *at++ = '}';
  }
  at += sprintf(at, "],\"meta\":{\"per_page\":100,\"next_cursor\":");
  cursor_place = (size_t)(at - body);
  at += sprintf(at, "00000000}}");
  body_size = (size_t)(at - body);
}

// The page behind a cursor.
static void turn_page(long cursor, long last) {
  long id = cursor > 0 ? cursor + 1 : first_id;
  for (int row = 0; row < 100; row++) put_id(id_places[row], id + row);
  if (id + 100 < first_id + last)
    put_id(cursor_place, id + 99);
  else
    memcpy(body + cursor_place, "    null", 8);
}

static int answer(int client, const char *request, long last) {
  static char head[256];
  const char *line = strchr(request, '\n');
  const char *cursor = strstr(request, "cursor=");
  const char *content = body;
  size_t size = body_size;
  if (strncmp(request, "GET /teams", 10) == 0) {
    content = teams;
    size = sizeof teams - 1;
  } else {
    turn_page(cursor && cursor < line ? atol(cursor + 7) : 0, last);
  }
  int length = sprintf(head, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", size);
  struct iovec parts[2] = {{head, (size_t)length}, {(void *)content, size}};
  size_t left = (size_t)length + size;
  int first = 0;
  while (left > 0) {
    ssize_t sent = writev(client, parts + first, 2 - first);
    if (sent <= 0) return -1;
    left -= (size_t)sent;
    while (first < 2 && (size_t)sent >= parts[first].iov_len) sent -= (ssize_t)parts[first++].iov_len;
    if (first < 2) {
      parts[first].iov_base = (char *)parts[first].iov_base + sent;
      parts[first].iov_len -= (size_t)sent;
    }
  }
  return 0;
}

static void serve(int client, long last) {
  char request[16 << 10];
  size_t filled = 0;
  for (;;) {
    ssize_t count = read(client, request + filled, sizeof request - 1 - filled);
    if (count <= 0) return;
    filled += (size_t)count;
    request[filled] = 0;
    if (!strstr(request, "\r\n\r\n")) continue;
    if (answer(client, request, last) != 0) return;
    filled = 0;
  }
}

int main(int count, char **arguments) {
  long last = (count > 1 ? atol(arguments[1]) : 1000) * 100;
  make_page();
  int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 8) != 0) return 1;
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("http://127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    struct pollfd waiting[2] = {{.fd = listener, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    poll(waiting, 2, -1);
    if (waiting[1].revents) return 0;
    int client = accept(listener, NULL, NULL);
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    serve(client, last);
    close(client);
  }
}
