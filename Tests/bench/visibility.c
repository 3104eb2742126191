// visibility PORT-A PORT-B CHANGES   how soon a change at server A is in the list of server B
//
// Rents and returns bike 1 at A, and after each response reads the list near the bike at B until it shows the change.
// Prints the median and the 99th percentile in milliseconds, from the response of A to the end of B's list, and how many
// changes the first list already had.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char response[1 << 20];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int connected(int port) {
  int file = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(file, (struct sockaddr *)&address, sizeof address) != 0) err(2, "cannot connect to port %d", port);
  return file;
}

// The body of the response with status 200.
static const char *request(int file, const char *method, const char *path, const char *body) {
  char text[512];
  int size = snprintf(text, sizeof text,
                      "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                      method, path, strlen(body), body);
  if (write(file, text, (size_t)size) != size) err(2, "cannot send");
  size_t count = 0, length = 0;
  char *end = NULL;
  while (end == NULL || count < length) {
    ssize_t got = read(file, response + count, sizeof response - 1 - count);
    if (got <= 0) errx(2, "%s %s: no response", method, path);
    count += (size_t)got;
    response[count] = 0;
    if (end == NULL && (end = strstr(response, "\r\n\r\n")) != NULL) {
      char *field = strcasestr(response, "\r\nContent-Length:");
      length = (size_t)(end + 4 - response) + (field && field < end ? strtoul(field + 17, NULL, 10) : 0);
    }
  }
  if (strncmp(response + 9, "200", 3) != 0) errx(2, "%s %s: %.200s", method, path, response);
  return end + 4;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  if (argc != 4) errx(2, "usage: visibility PORT-A PORT-B CHANGES");
  int a = connected(atoi(argv[1])), b = connected(atoi(argv[2]));
  long changes = atol(argv[3]), at_once = 0;
  double *times = calloc((size_t)changes, sizeof *times);
  char near[200];
  double latitude = 0, longitude = 0;
  const char *place = strstr(request(b, "GET", "/bikes/1", ""), "\"location\"");
  if (place == NULL || sscanf(place, "\"location\":{\"latitude\":%lf,\"longitude\":%lf", &latitude, &longitude) != 2)
    errx(2, "bike 1 has no place");
  snprintf(near, sizeof near, "/bikes?latitude=%f&longitude=%f&radius=50", latitude, longitude);
  for (long i = 0; i < changes; i++) {
    int rents = i % 2 == 0;
    request(a, rents ? "PUT" : "DELETE", "/bikes/1/rented", "");
    const double start = now();
    for (int attempt = 0;; attempt++) {
      const char *bike = strstr(request(b, "GET", near, ""), "\"id\":\"1\"");
      const char *rented = bike ? strstr(bike, "\"rented\":") : NULL;
      if (rented && (strncmp(rented + 9, "true", 4) == 0) == rents) {
        at_once += attempt == 0;
        break;
      }
    }
    times[i] = now() - start;
  }
  qsort(times, (size_t)changes, sizeof *times, compare);
  printf("%.2f\t%.2f\t%ld\n", times[changes / 2], times[changes * 99 / 100], at_once);
}
