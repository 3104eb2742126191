#ifndef HW_BYTES_H
#define HW_BYTES_H
#include <stdint.h>

// Searches, counts and checks of bytes, sixteen at a time.

// Count the leading bytes of one class among the 16 at `p`. In C because Swift's SIMD types cannot turn a comparison
// into a bit mask, which is one instruction.
#if defined(__SSE2__)
#include <emmintrin.h>
#define HW_RUN(name, stop)                                              \
  static inline unsigned name(const uint8_t *p) {                       \
    __m128i v = _mm_loadu_si128((const __m128i *)p);                    \
    return (unsigned)__builtin_ctz(0x10000u | (unsigned)_mm_movemask_epi8(stop)); \
  }
#define HW_IS(byte) _mm_cmpeq_epi8(v, _mm_set1_epi8(byte))
#define HW_BELOW(w, bound) _mm_cmpeq_epi8(_mm_min_epu8(w, _mm_set1_epi8((bound) - 1)), w)
#define HW_OR(a, b) _mm_or_si128(a, b)
#define HW_NOT(a) _mm_xor_si128(a, _mm_set1_epi8(-1))
#define HW_MINUS(byte) _mm_sub_epi8(v, _mm_set1_epi8(byte))
#else
#define HW_RUN(name, stop)                    \
  static inline unsigned name(const uint8_t *p) { \
    unsigned n = 0;                           \
    for (; n < 16; n++) {                     \
      uint8_t v = p[n];                       \
      if (stop) break;                        \
    }                                         \
    return n;                                 \
  }
#define HW_IS(byte) (v == (uint8_t)(byte))
#define HW_BELOW(w, bound) ((uint8_t)(w) < (bound))
#define HW_OR(a, b) ((a) || (b))
#define HW_NOT(a) (!(a))
#define HW_MINUS(byte) (v - (byte))
#endif
#define HW_STRING_STOP HW_OR(HW_OR(HW_IS('"'), HW_IS('\\')), HW_BELOW(v, 0x20))
#define HW_CONTROL_LEAD HW_OR(HW_OR(HW_IS((char)0xC2), HW_IS((char)0xD8)), HW_IS((char)0xE2))

// A mask of the 64 bytes at `p`, the first in the lowest bit: set for bytes that end a run of plain characters in a JSON
// string (a quote, a backslash, a control character). Strings found by one mask are read independently.
static inline uint64_t hw_string_stops(const uint8_t *p) {
  uint64_t stops = 0;
  for (int i = 0; i < 64; i += 16) {
#if defined(__SSE2__)
    __m128i v = _mm_loadu_si128((const __m128i *)(p + i));
    uint64_t part = (unsigned)_mm_movemask_epi8(HW_STRING_STOP);
#else
    uint64_t part = 0;
    for (int j = 0; j < 16; j++) {
      uint8_t v = p[i + j];
      part |= (uint64_t)(HW_STRING_STOP) << j;
    }
#endif
    stops |= part << i;
  }
  return stops;
}

// Plain bytes of a JSON string: no quote, no backslash, no control character.
HW_RUN(hw_plain_run, HW_STRING_STOP)
// Bytes that need no escape in a JSON string: plain, and none that begins a C1 or bidirectional control character.
HW_RUN(hw_unescaped_run, HW_OR(HW_STRING_STOP, HW_CONTROL_LEAD))
// Bytes of JSON text that begin no C1 or bidirectional control character.
HW_RUN(hw_uncontrolled_run, HW_CONTROL_LEAD)
// Decimal digits.
HW_RUN(hw_digit_run, HW_NOT(HW_BELOW(HW_MINUS('0'), 10)))
// JSON's white space.
HW_RUN(hw_blank_run, HW_NOT(HW_OR(HW_OR(HW_IS(' '), HW_IS('\n')), HW_OR(HW_IS('\r'), HW_IS('\t')))))

// Not 0 if the 16 bytes at `p`, with the three before them, are invalid UTF-8: a byte must continue a character exactly
// if one of the three before it begins one that is long enough, some leads do not exist, and four of them restrict the
// second byte.
typedef uint8_t hw_bytes __attribute__((vector_size(16), aligned(1)));
static inline uint64_t hw_utf8_faults(const uint8_t *p) {
  hw_bytes here = *(const hw_bytes *)p, one = *(const hw_bytes *)(p - 1);
  hw_bytes two = *(const hw_bytes *)(p - 2), three = *(const hw_bytes *)(p - 3);
  hw_bytes due = (hw_bytes)((one >= 0xC0) | (two >= 0xE0) | (three >= 0xF0));
  hw_bytes continues = (hw_bytes)((here & 0xC0) == 0x80);
  hw_bytes never = (hw_bytes)((here >= 0xF5) | ((here & 0xFE) == 0xC0));
  hw_bytes below_a0 = (hw_bytes)(here < 0xA0), below_90 = (hw_bytes)(here < 0x90);
  hw_bytes narrow = (hw_bytes)((((hw_bytes)(one == 0xE0)) & below_a0) | (((hw_bytes)(one == 0xED)) & ~below_a0)
                               | (((hw_bytes)(one == 0xF0)) & below_90) | (((hw_bytes)(one == 0xF4)) & ~below_90));
  hw_bytes faults = (due ^ continues) | never | narrow;
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
#undef HW_IS
#undef HW_BELOW
#undef HW_OR
#undef HW_NOT
#undef HW_MINUS
#endif
