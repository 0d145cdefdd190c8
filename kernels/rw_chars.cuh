// Characters by themselves: classes, case, digits.
#pragma once

#include "rw_build.cuh"
#include "rw_unicode.cuh"

namespace rw {

// Character.isWhitespace.
__device__ inline bool is_whitespace(uint32_t c) {
  return (c >= 9 && c <= 13) || (c >= 28 && c <= 32) || c == 0x1680 || (c >= 0x2000 && c <= 0x200A && c != 0x2007) ||
         c == 0x2028 || c == 0x2029 || c == 0x205F || c == 0x3000;
}

// The entry of a table of ranges in which a character stands.
template <int32_t width>
__device__ inline const int32_t* entry_of(const int32_t* table, int32_t count, uint32_t c) {
  int32_t low = 0, high = count;
  while (low < high) {
    const int32_t middle = (low + high) / 2;
    if (static_cast<uint32_t>(table[width * middle + 1]) < c) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const int32_t* const entry = table + width * low;
  return low < count && static_cast<uint32_t>(entry[0]) <= c ? entry : nullptr;
}
__device__ inline uint32_t mapped(const int32_t* table, int32_t count, uint32_t c) {
  const int32_t* const entry = entry_of<4>(table, count, c);
  return entry != nullptr && (static_cast<int32_t>(c) - entry[0]) % entry[2] == 0 ? c + entry[3] : c;
}

// Character.toUpperCase, Character.toLowerCase.
__device__ inline uint32_t upper_of(uint32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z' ? c - 32 : c;
  return mapped(kToUpper, kToUpperCount, c);
}
__device__ inline uint32_t lower_of(uint32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  return mapped(kToLower, kToLowerCount, c);
}

// String.toUpperCase and toLowerCase where no language has rules of its own. The small sigma depends on what stands around it.
template <bool upper>
__device__ inline Text map_case(Row& row, Text t) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return t;
  }
  Builder out;
  for (int32_t i = 0; i < t.size && row.error == kNone; i += width_of(t.bytes[i])) {
    const uint32_t c = decode(t.bytes + i);
    if (upper) {
      const int32_t* const many = c < 0x80 ? nullptr : entry_of<5>(kUpperText, kUpperTextCount, c);
      if (many == nullptr) out.code_point(row, upper_of(c));
      for (int32_t k = 2; many != nullptr && k < 5 && many[k] != 0; ++k) out.code_point(row, many[k]);
    } else if (c == 0x130) {
      out.code_point(row, 'i');
      out.code_point(row, 0x307);
    } else {
      if (c == 0x3A3) row.fail(kNotCovered);
      out.code_point(row, lower_of(c));
    }
  }
  return out.finish(row);
}

// Classes of characters.
__device__ inline bool is_digit(Row&, uint32_t c) {
  return c < 0x80 ? c >= '0' && c <= '9' : entry_of<3>(kDigits, kDigitsCount, c) != nullptr;
}
__device__ inline bool is_letter(Row&, uint32_t c) {
  return c < 0x80 ? (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') : entry_of<2>(kLetters, kLettersCount, c) != nullptr;
}
__device__ inline bool is_upper(Row&, uint32_t c) {
  return c < 0x80 ? c >= 'A' && c <= 'Z' : entry_of<2>(kUpper, kUpperCount, c) != nullptr;
}
__device__ inline bool is_lower(Row&, uint32_t c) {
  return c < 0x80 ? c >= 'a' && c <= 'z' : entry_of<2>(kLower, kLowerCount, c) != nullptr;
}
__device__ inline uint16_t to_upper(Row&, uint16_t c) { return static_cast<uint16_t>(upper_of(c)); }
__device__ inline uint16_t to_lower(Row&, uint16_t c) { return static_cast<uint16_t>(lower_of(c)); }
__device__ inline bool is_letter_or_digit(Row& row, uint32_t c) { return is_letter(row, c) || is_digit(row, c); }
// Beyond ASCII there are more letters than Character.isLetter knows.
__device__ inline bool is_alphabetic(Row& row, uint32_t c) {
  const bool letter = is_letter(row, c);
  if (c >= 0x80 && !letter) row.fail(kNotCovered);
  return letter;
}
__device__ inline bool is_space(Row&, uint32_t c) { return is_whitespace(c); }
// Character.digit and getNumericValue: -1 where it is none. Letters and numerals beyond ASCII are not covered.
__device__ inline int32_t digit_of(Row& row, uint32_t c, int32_t base) {
  if (base < 2 || base > 36) return -1;
  int32_t d = 99;
  if (c >= 0x80) {
    const int32_t* const entry = entry_of<3>(kDigits, kDigitsCount, c);
    if (entry != nullptr) d = static_cast<int32_t>(c) - entry[0] + entry[2];
    if (entry == nullptr && base > 10) row.fail(kNotCovered);
  } else {
    d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
  }
  return d < base ? d : -1;
}
__device__ inline int32_t numeric_value(Row& row, uint32_t c) { return digit_of(row, c, 36); }

}  // namespace rw
