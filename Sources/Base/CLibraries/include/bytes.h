#ifndef HW_BYTES_H
#define HW_BYTES_H
#include <stdint.h>

// Searches, counts and checks of bytes, sixteen at a time.

typedef uint8_t hw_bytes __attribute__((vector_size(16), aligned(1)));

// The highest bit of each byte, the first in the lowest bit. In C because Swift's SIMD types cannot turn a comparison
// into a bit mask, which is one instruction. To include <emmintrin.h> would give types of the C library to its module.
static inline unsigned hw_mask(hw_bytes bytes) {
#if defined(__SSE2__)
  typedef char hw_chars __attribute__((vector_size(16)));
  return (unsigned)__builtin_ia32_pmovmskb128((hw_chars)bytes);
#else
  unsigned mask = 0;
  for (int i = 0; i < 16; i++) mask |= (unsigned)(bytes[i] >> 7) << i;
  return mask;
#endif
}

// Counts the leading bytes of one class among the 16 at `p`.
#define HW_RUN(name, stop)                                        \
  static inline unsigned name(const uint8_t *p) {                 \
    hw_bytes v = *(const hw_bytes *)p;                            \
    return (unsigned)__builtin_ctz(0x10000u | hw_mask((hw_bytes)(stop))); \
  }
#define HW_STRING_STOP ((v == '"') | (v == '\\') | (v < 0x20))
#define HW_CONTROL_LEAD ((v == 0xC2) | (v == 0xD8) | (v == 0xE2))

// A mask of the 64 bytes at `p`, the first in the lowest bit: set for bytes that end a run of plain characters in a
// JSON string (a quote, a backslash, a control character). All strings in the 64 bytes are read with one mask.
static inline uint64_t hw_string_stops(const uint8_t *p) {
  uint64_t stops = 0;
  for (int i = 0; i < 64; i += 16) {
    hw_bytes v = *(const hw_bytes *)(p + i);
    stops |= (uint64_t)hw_mask((hw_bytes)HW_STRING_STOP) << i;
  }
  return stops;
}

// Bytes that need no escape in a JSON string: no quote, no backslash, no control character, and none that begins a C1
// or bidirectional control character.
HW_RUN(hw_unescaped_run, HW_STRING_STOP | HW_CONTROL_LEAD)
// Bytes of JSON text that begin no C1 or bidirectional control character.
HW_RUN(hw_uncontrolled_run, HW_CONTROL_LEAD)
// Decimal digits.
HW_RUN(hw_digit_run, (v < '0') | (v > '9'))
// JSON's white space.
HW_RUN(hw_blank_run, (v != ' ') & (v != '\n') & (v != '\r') & (v != '\t'))

// Not 0 if the 16 bytes at `p`, with the three before them, are invalid UTF-8. A byte must continue a character exactly
// if one of the three before it begins one that is long enough. Some lead bytes do not exist, and four (E0, ED, F0, F4)
// restrict the byte after them.
static inline uint64_t hw_utf8_faults(const uint8_t *p) {
  hw_bytes here = *(const hw_bytes *)p, one = *(const hw_bytes *)(p - 1);
  hw_bytes two = *(const hw_bytes *)(p - 2), three = *(const hw_bytes *)(p - 3);
  hw_bytes due = (hw_bytes)((one >= 0xC0) | (two >= 0xE0) | (three >= 0xF0));
  hw_bytes continues = (hw_bytes)((here & 0xC0) == 0x80);
  hw_bytes never = (hw_bytes)((here >= 0xF5) | ((here & 0xFE) == 0xC0));
  hw_bytes below_a0 = (hw_bytes)(here < 0xA0), below_90 = (hw_bytes)(here < 0x90);
  hw_bytes restricted = (hw_bytes)((((hw_bytes)(one == 0xE0)) & below_a0) | (((hw_bytes)(one == 0xED)) & ~below_a0)
                                   | (((hw_bytes)(one == 0xF0)) & below_90) | (((hw_bytes)(one == 0xF4)) & ~below_90));
  hw_bytes faults = (due ^ continues) | never | restricted;
  uint64_t halves[2];
  __builtin_memcpy(halves, &faults, 16);
  return halves[0] | halves[1];
}

// Count bytes of one class among the `n` at `p`. A lane counts to 255 before it is added.
#define HW_COUNT(name, is)                                        \
  static inline long name(const uint8_t *p, long n) {             \
    long total = 0;                                               \
    while (n >= 16) {                                             \
      hw_bytes lanes = {0};                                       \
      for (int i = 0; i < 255 && n >= 16; i++, p += 16, n -= 16) { \
        hw_bytes v = *(const hw_bytes *)p;                        \
        lanes -= (hw_bytes)(is);                                  \
      }                                                           \
      for (int i = 0; i < 16; i++) total += lanes[i];             \
    }                                                             \
    for (; n > 0; p++, n--) {                                     \
      uint8_t v = *p;                                             \
      total += (is) ? 1 : 0;                                      \
    }                                                             \
    return total;                                                 \
  }
HW_COUNT(hw_count_newlines, v == '\n')
// Bytes that begin a character.
HW_COUNT(hw_count_characters, (v & 0xC0) != 0x80)

#undef HW_COUNT
#undef HW_STRING_STOP
#undef HW_CONTROL_LEAD
#undef HW_RUN
#endif
