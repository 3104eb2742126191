// What a C programmer writes when speed is all: lines compared a word at a time, a table of all 243 rows, plain
// read and write. It knows the one kind of line that the benchmark feeds it, and refuses every other.
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { line = 12, lines = 8192 };

#define ONES 0x0101010101u
#define LOW (ONES * 0x7F)
#define HIGH (ONES * 0x80)
#define ALL (ONES * 0xFF)

static struct {
  char bytes[24];
  uint64_t size;
} rows[243];

static void fill(void) {
  static const char *const marks[] = {"\u2b1b", "\U0001f7e8", "\U0001f7e9"};
  for (int number = 0; number < 243; number++) {
    size_t size = 0;
    for (int i = 0, rest = number; i < 5; i++, rest /= 3) {
      memcpy(rows[number].bytes + size, marks[rest % 3], strlen(marks[rest % 3]));
      size += strlen(marks[rest % 3]);
    }
    rows[number].bytes[size++] = '\n';
    rows[number].size = size;
  }
}

// The high bit of each byte that is not 0.
static inline uint64_t differing(uint64_t x) { return (x + LOW) & HIGH; }

static inline int number_of(const char *at) {
  uint64_t head, tail;
  memcpy(&head, at, 8);
  memcpy(&tail, at + 4, 8);
  uint64_t guess = (head | ONES * 0x20) & ALL;
  uint64_t word = (tail >> 16 | ONES * 0x20) & ALL;
  uint64_t strange = ~((guess & LOW) + ONES * 0x1F) | ~((word & LOW) + ONES * 0x1F) | ((guess & LOW) + ONES * 5) |
                     ((word & LOW) + ONES * 5) | guess | word;
  if ((strange & HIGH) != 0 || (head >> 40 & 0xFF) != ' ' || tail >> 56 != '\n') return -1;

  uint64_t wrong = differing(guess ^ word);
  uint64_t green = wrong ^ HIGH;
  uint64_t mask = (wrong >> 7) * 0xFF;
  guess &= mask;
  word &= mask;

  uint64_t more = LOW;
  for (int shift = 8; shift < 40; shift += 8) {
    more += differing(guess ^ (guess << shift & ALL)) >> 7;
    more -= differing(guess ^ ((word >> shift | word << (40 - shift)) & ALL)) >> 7;
  }
  uint64_t tiles = green >> 6 | (more & wrong) >> 7;
  return (int)(tiles * 0x0103091B51u >> 32 & 0xFF);
}

int main(void) {
  static char in[line * lines];
  static char out[lines * 24 + 24];
  size_t filled = 0;
  fill();
  for (;;) {
    ssize_t got = read(0, in + filled, sizeof in - filled);
    if (got < 0) return 10;
    if (got == 0) return filled != 0;
    filled += (size_t)got;
    const char *at = in, *last = in + filled;
    char *end = out;
    for (; last - at >= line; at += line) {
      int number = number_of(at);
      if (number < 0) return 2;
      memcpy(end, rows[number].bytes, 24);
      end += rows[number].size;
    }
    filled = (size_t)(last - at);
    memmove(in, at, filled);
    for (char *from = out; from < end;) {
      ssize_t put = write(1, from, (size_t)(end - from));
      if (put < 0) return 10;
      from += put;
    }
  }
}
