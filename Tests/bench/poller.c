// poller PORT PATH   reads PATH of a local server twice a second, each time on a new connection, until it is killed
//
// The bytes are discarded in the kernel: the real pollers are on other machines, and must not take the processor from
// the server here.
#include <arpa/inet.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void request(int port, const char *path) {
  const int file = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (connect(file, (struct sockaddr *)&address, sizeof address) != 0) err(2, "cannot connect to port %d", port);
  char text[4096];
  int size = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", path);
  if (write(file, text, (size_t)size) != size) err(2, "cannot send");
  const ssize_t first = recv(file, text, sizeof text - 1, 0);
  if (first <= 0) errx(2, "no response");
  text[first] = 0;
  const char *field = strstr(text, "\r\nContent-Length: "), *end = strstr(text, "\r\n\r\n");
  if (strncmp(text + 9, "200", 3) != 0 || field == NULL || end == NULL) errx(2, "unexpected: %.100s", text);
  long left = atol(field + 18) - (long)(text + first - (end + 4));
  for (ssize_t got; (got = recv(file, NULL, 1 << 24, MSG_TRUNC)) > 0;) left -= got;
  if (left != 0) errx(2, "%ld bytes are missing", left);
  close(file);
}

int main(int argc, char **argv) {
  if (argc != 3) errx(2, "usage: poller PORT PATH");
  for (;;) {
    request(atoi(argv[1]), argv[2]);
    usleep(500 * 1000);
  }
}
