#ifndef HW_RUNS_H
#define HW_RUNS_H
#include <stdint.h>

// How many of the 16 bytes at `p`, counted from the first, are of one class; 16 means all of them. In C because
// Swift's SIMD types have no way to turn a comparison into a bit mask, which is one instruction.
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
#define HW_IS(byte) (v == (byte))
#define HW_BELOW(w, bound) ((uint8_t)(w) < (bound))
#define HW_OR(a, b) ((a) || (b))
#define HW_NOT(a) (!(a))
#define HW_MINUS(byte) (v - (byte))
#endif

// Bytes of a JSON string that need no second look: no quote, no backslash, no control character.
HW_RUN(hw_plain_run, HW_OR(HW_OR(HW_IS('"'), HW_IS('\\')), HW_BELOW(v, 0x20)))
// Decimal digits.
HW_RUN(hw_digit_run, HW_NOT(HW_BELOW(HW_MINUS('0'), 10)))
// JSON's white space.
HW_RUN(hw_blank_run, HW_NOT(HW_OR(HW_OR(HW_IS(' '), HW_IS('\n')), HW_OR(HW_IS('\r'), HW_IS('\t')))))

#undef HW_RUN
#undef HW_IS
#undef HW_BELOW
#undef HW_OR
#undef HW_NOT
#undef HW_MINUS
#endif
