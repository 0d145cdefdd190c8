// Texts as the JVM sees them: UTF-8 in memory, UTF-16 units where an index or a length is meant. Views into the input cost
// nothing; what is built goes to the row's scratch memory, and a row that needs more of it is not covered.
#pragma once

#include "rw_arith.cuh"

namespace rw {

// A text or null (bytes == nullptr). `units` is its length in UTF-16 units; where that equals `size` it is all ASCII.
struct Text {
  const uint8_t* bytes;
  int32_t size;
  int32_t units;

  __device__ bool is_null() const { return bytes == nullptr; }
  __device__ bool is_ascii() const { return size == units; }
};

__device__ inline Text null_text() { return Text{nullptr, 0, 0}; }

// Bytes of UTF-8 that begin with this byte, 1 for a continuation byte.
__device__ inline int32_t width_of(uint8_t b) { return b < 0xC0 ? 1 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4; }

__device__ inline int32_t count_units(const uint8_t* bytes, int32_t size) {
  int32_t units = 0;
  for (int32_t i = 0; i < size; ++i) units += (bytes[i] & 0xC0) != 0x80 ? (bytes[i] >= 0xF0 ? 2 : 1) : 0;
  return units;
}

__device__ inline Text text_of(const uint8_t* bytes, int32_t size) { return Text{bytes, size, count_units(bytes, size)}; }

__device__ inline Text load_text(const int32_t* offsets, const uint8_t* bytes, const uint32_t* bits, int64_t row) {
  if (!is_valid(bits, row)) return null_text();
  const int32_t begin = offsets[row];
  // An empty column may come without bytes; an empty text must not look like null.
  const uint8_t* start = bytes == nullptr ? reinterpret_cast<const uint8_t*>(offsets) : bytes + begin;
  return text_of(start, offsets[row + 1] - begin);
}

// Code point at a byte.
__device__ inline uint32_t decode(const uint8_t* p) {
  const uint32_t b = p[0];
  if (b < 0x80) return b;
  if (b < 0xE0) return ((b & 0x1F) << 6) | (p[1] & 0x3F);
  if (b < 0xF0) return ((b & 0x0F) << 12) | ((p[1] & 0x3Fu) << 6) | (p[2] & 0x3F);
  return ((b & 0x07) << 18) | ((p[1] & 0x3Fu) << 12) | ((p[2] & 0x3Fu) << 6) | (p[3] & 0x3F);
}

__device__ inline int32_t length(Row& row, Text t) {
  if (t.is_null()) row.fail(kNullPointerException);
  return t.units;
}

// Byte offset of a UTF-16 index; -1 inside a surrogate pair.
__device__ inline int32_t byte_at(Text t, int32_t unit) {
  if (t.is_ascii()) return unit;
  int32_t at = 0, seen = 0;
  while (seen < unit) {
    const int32_t w = width_of(t.bytes[at]);
    seen += w == 4 ? 2 : 1;
    at += w;
  }
  return seen == unit ? at : -1;
}

__device__ inline uint16_t char_at(Row& row, Text t, int32_t index) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return 0;
  }
  if (index < 0 || index >= t.units) {
    row.fail(kStringIndexOutOfBoundsException);
    return 0;
  }
  if (t.is_ascii()) return t.bytes[index];
  int32_t at = 0, seen = 0;
  for (;;) {
    const uint32_t c = decode(t.bytes + at);
    const int32_t units = c >= 0x10000 ? 2 : 1;
    if (index < seen + units) {
      if (units == 1) return static_cast<uint16_t>(c);
      return static_cast<uint16_t>(index == seen ? 0xD800 + ((c - 0x10000) >> 10) : 0xDC00 + ((c - 0x10000) & 0x3FF));
    }
    seen += units;
    at += width_of(t.bytes[at]);
  }
}

__device__ inline Text substring(Row& row, Text t, int32_t begin, int32_t end) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return t;
  }
  if (begin < 0 || end > t.units || begin > end) {
    row.fail(kStringIndexOutOfBoundsException);
    return t;
  }
  const int32_t from = byte_at(t, begin), to = byte_at(t, end);
  if (from < 0 || to < 0) {
    row.fail(kNotCovered);  // half a surrogate pair has no UTF-8 form
    return t;
  }
  return Text{t.bytes + from, to - from, end - begin};
}
__device__ inline Text substring(Row& row, Text t, int32_t begin) { return substring(row, t, begin, t.units); }

__device__ inline bool equal_bytes(const uint8_t* a, const uint8_t* b, int32_t size) {
  for (int32_t i = 0; i < size; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

// a == b of two references: null equals null only.
__device__ inline bool same_text(Text a, Text b) {
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null();
  return a.size == b.size && equal_bytes(a.bytes, b.bytes, a.size);
}

__device__ inline bool starts_with(Row& row, Text t, Text p) {
  if (t.is_null() || p.is_null()) row.fail(kNullPointerException);
  return t.size >= p.size && equal_bytes(t.bytes, p.bytes, p.size);
}
__device__ inline bool ends_with(Row& row, Text t, Text p) {
  if (t.is_null() || p.is_null()) row.fail(kNullPointerException);
  return t.size >= p.size && equal_bytes(t.bytes + (t.size - p.size), p.bytes, p.size);
}

// Index of a text in UTF-16 units, -1 if absent; a negative start counts as 0, one beyond the end finds only "".
__device__ inline int32_t index_of(Row& row, Text t, Text p, int32_t from = 0) {
  if (t.is_null() || p.is_null()) {
    row.fail(kNullPointerException);
    return -1;
  }
  if (from < 0) from = 0;
  if (from >= t.units) return p.size == 0 ? t.units : -1;
  int32_t unit = 0;
  for (int32_t at = 0; at + p.size <= t.size;) {
    if (unit >= from && equal_bytes(t.bytes + at, p.bytes, p.size)) return unit;
    if (at == t.size) break;
    const int32_t w = width_of(t.bytes[at]);
    unit += w == 4 ? 2 : 1;
    at += w;
  }
  return -1;
}
__device__ inline int32_t index_of_char(Row& row, Text t, uint16_t c) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return -1;
  }
  int32_t unit = 0;
  for (int32_t at = 0; at < t.size;) {
    const uint32_t found = decode(t.bytes + at);
    if (found == c) return unit;
    unit += found >= 0x10000 ? 2 : 1;
    at += width_of(t.bytes[at]);
  }
  return -1;
}
__device__ inline bool contains(Row& row, Text t, Text p) { return index_of(row, t, p) >= 0; }

// String.trim: everything up to U+0020 on both sides.
__device__ inline Text trim(Row& row, Text t) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return t;
  }
  int32_t begin = 0, end = t.size;
  while (begin < end && t.bytes[begin] <= 0x20) ++begin;
  while (end > begin && t.bytes[end - 1] <= 0x20) --end;
  return Text{t.bytes + begin, end - begin, t.units - (t.size - (end - begin))};
}

// Builds a text at the end of the scratch memory that is in use; one builder at a time grows.
struct Builder {
  uint8_t* bytes;
  int32_t size = 0;
  int32_t units = 0;
  int32_t room;
  // First half of a surrogate pair that waits for its second half.
  uint16_t high = 0;

  __device__ explicit Builder(Row& row) : bytes(row.scratch), room(row.scratch_left) {}

  __device__ void byte(Row& row, uint8_t b) {
    if (size >= room) {
      row.fail(kNotCovered);
      return;
    }
    bytes[size++] = b;
  }

  __device__ void code_point(Row& row, uint32_t c) {
    if (c < 0x80) {
      byte(row, c);
    } else if (c < 0x800) {
      byte(row, 0xC0 | (c >> 6));
      byte(row, 0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      byte(row, 0xE0 | (c >> 12));
      byte(row, 0x80 | ((c >> 6) & 0x3F));
      byte(row, 0x80 | (c & 0x3F));
    } else {
      byte(row, 0xF0 | (c >> 18));
      byte(row, 0x80 | ((c >> 12) & 0x3F));
      byte(row, 0x80 | ((c >> 6) & 0x3F));
      byte(row, 0x80 | (c & 0x3F));
    }
    units += c >= 0x10000 ? 2 : 1;
  }

  __device__ void append(Row& row, uint16_t unit) {
    const bool is_low = (unit & 0xFC00) == 0xDC00;
    if (high != 0) {
      if (!is_low) row.fail(kNotCovered);
      const uint32_t c = 0x10000 + ((high & 0x3FFu) << 10) + (unit & 0x3FF);
      high = 0;
      code_point(row, c);
    } else if ((unit & 0xFC00) == 0xD800) {
      high = unit;
    } else if (is_low) {
      row.fail(kNotCovered);
    } else {
      code_point(row, unit);
    }
  }

  __device__ void append(Row& row, Text t) {
    if (high != 0) row.fail(kNotCovered);
    if (t.is_null()) {
      const char* null = "null";
      for (int i = 0; i < 4; ++i) code_point(row, null[i]);
      return;
    }
    for (int32_t i = 0; i < t.size; ++i) byte(row, t.bytes[i]);
    units += t.units;
  }

  __device__ void append(Row& row, bool b) {
    const char* word = b ? "true" : "false";
    for (; *word != 0; ++word) code_point(row, *word);
  }

  __device__ void append(Row& row, int64_t v) {
    uint8_t digits[20];
    int n = 0;
    // The negative side has room for MIN.
    int64_t rest = v < 0 ? v : -v;
    do {
      digits[n++] = static_cast<uint8_t>('0' - rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (v < 0) code_point(row, '-');
    while (n > 0) code_point(row, digits[--n]);
  }
  __device__ void append(Row& row, int32_t v) { append(row, static_cast<int64_t>(v)); }

  // The text so far; the scratch memory it stands in is taken from the row.
  __device__ Text finish(Row& row) {
    if (high != 0) row.fail(kNotCovered);
    row.scratch += size;
    row.scratch_left -= size;
    return Text{bytes, size, units};
  }
};

// Upper and lower case of ASCII; a row with other letters is not covered.
template <bool upper>
__device__ inline Text map_case(Row& row, Text t) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return t;
  }
  if (!t.is_ascii()) {
    row.fail(kNotCovered);
    return t;
  }
  Builder out(row);
  for (int32_t i = 0; i < t.size; ++i) {
    const uint8_t c = t.bytes[i];
    const bool letter = upper ? (c >= 'a' && c <= 'z') : (c >= 'A' && c <= 'Z');
    out.code_point(row, letter ? c ^ 0x20 : c);
  }
  return out.finish(row);
}

// Classes of ASCII characters; a character beyond it is not covered.
__device__ inline bool is_digit(Row& row, uint16_t c) {
  if (c >= 0x80) row.fail(kNotCovered);
  return c >= '0' && c <= '9';
}
__device__ inline bool is_letter(Row& row, uint16_t c) {
  if (c >= 0x80) row.fail(kNotCovered);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
__device__ inline uint16_t to_upper(Row& row, uint16_t c) {
  if (c >= 0x80) row.fail(kNotCovered);
  return c >= 'a' && c <= 'z' ? c - 32 : c;
}
__device__ inline uint16_t to_lower(Row& row, uint16_t c) {
  if (c >= 0x80) row.fail(kNotCovered);
  return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

// Integer.parseInt and Long.parseLong for ASCII digits.
template <typename T>
__device__ inline T parse(Row& row, Text t, T min, T max) {
  if (t.is_null() || t.size == 0) {
    row.fail(kNumberFormatException);
    return 0;
  }
  if (!t.is_ascii()) {
    row.fail(kNotCovered);  // digits of other scripts count in the JVM
    return 0;
  }
  const bool negative = t.bytes[0] == '-';
  int32_t i = (negative || t.bytes[0] == '+') ? 1 : 0;
  if (i == t.size) row.fail(kNumberFormatException);
  T value = 0;  // grows on the negative side, which has room for MIN
  const T limit = negative ? min : -max;
  for (; i < t.size; ++i) {
    const int32_t digit = t.bytes[i] - '0';
    if (digit < 0 || digit > 9 || value < limit / 10 || value * 10 < limit + digit) {
      row.fail(kNumberFormatException);
      return 0;
    }
    value = value * 10 - digit;
  }
  return negative ? value : -value;
}
__device__ inline int32_t parse_int(Row& row, Text t) {
  return parse<int32_t>(row, t, -2147483647 - 1, 2147483647);
}
__device__ inline int64_t parse_long(Row& row, Text t) {
  return parse<int64_t>(row, t, -9223372036854775807LL - 1, 9223372036854775807LL);
}

// First launch: the size; second launch: the bytes.
__device__ inline void store_text(int32_t* sizes, const int32_t* offsets, uint8_t* bytes, int64_t row, Text t, bool valid) {
  if (bytes == nullptr) {
    sizes[row] = valid ? t.size : 0;
    return;
  }
  if (valid)
    for (int32_t i = 0; i < t.size; ++i) bytes[offsets[row] + i] = t.bytes[i];
}

}  // namespace rw
