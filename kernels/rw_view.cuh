// Texts as the JVM sees them: UTF-8 in memory, UTF-16 units where an index or a length is meant. Views into the input cost
// nothing; rw_build.cuh builds new ones.
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
__device__ inline bool starts_with(Row& row, Text t, Text p, int32_t from) {
  if (t.is_null() || p.is_null()) row.fail(kNullPointerException);
  if (from < 0 || from > t.units - p.units) return false;
  const int32_t at = byte_at(t, from);
  return at >= 0 ? t.size - at >= p.size && equal_bytes(t.bytes + at, p.bytes, p.size) : p.size == 0;
}
__device__ inline bool ends_with(Row& row, Text t, Text p) {
  if (t.is_null() || p.is_null()) row.fail(kNullPointerException);
  return t.size >= p.size && equal_bytes(t.bytes + (t.size - p.size), p.bytes, p.size);
}

// A character of the text at a byte, for walking: its UTF-16 units go by one by one.
struct Walk {
  const uint8_t* at;
  const uint8_t* end;
  uint16_t low;

  __device__ explicit Walk(Text t) : at(t.bytes), end(t.bytes + t.size), low(0) {}

  __device__ bool more() const { return low != 0 || at < end; }

  __device__ uint16_t next() {
    if (low != 0) {
      const uint16_t unit = low;
      low = 0;
      return unit;
    }
    const uint32_t c = decode(at);
    at += width_of(*at);
    if (c < 0x10000) return static_cast<uint16_t>(c);
    low = static_cast<uint16_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
    return static_cast<uint16_t>(0xD800 + ((c - 0x10000) >> 10));
  }
};

// Byte at which a text is found next, -1 if it is not.
__device__ inline int32_t find_bytes(Text t, Text p, int32_t from) {
  for (int32_t at = from; at + p.size <= t.size; ++at)
    if (equal_bytes(t.bytes + at, p.bytes, p.size)) return at;
  return -1;
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
// The last one that begins at `from` or before.
__device__ inline int32_t last_index_of(Row& row, Text t, Text p, int32_t from = 2147483647) {
  if (t.is_null() || p.is_null()) {
    row.fail(kNullPointerException);
    return -1;
  }
  int32_t unit = 0, found = -1;
  for (int32_t at = 0; at + p.size <= t.size && unit <= from;) {
    if (equal_bytes(t.bytes + at, p.bytes, p.size)) found = unit;
    if (at == t.size) break;
    const int32_t w = width_of(t.bytes[at]);
    unit += w == 4 ? 2 : 1;
    at += w;
  }
  return found;
}
// The same for a character, a code point, or half of a surrogate pair.
__device__ inline int32_t index_of_char(Row& row, Text t, int32_t c, int32_t from = 0) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return -1;
  }
  if (c >= 0xD800 && c < 0xE000) row.fail(kNotCovered);
  int32_t unit = 0;
  for (int32_t at = 0; at < t.size;) {
    const uint32_t found = decode(t.bytes + at);
    if (unit >= from && found == static_cast<uint32_t>(c)) return unit;
    unit += found >= 0x10000 ? 2 : 1;
    at += width_of(t.bytes[at]);
  }
  return -1;
}
__device__ inline int32_t last_index_of_char(Row& row, Text t, int32_t c, int32_t from = 2147483647) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return -1;
  }
  if (c >= 0xD800 && c < 0xE000) row.fail(kNotCovered);
  int32_t unit = 0, last = -1;
  for (int32_t at = 0; at < t.size && unit <= from;) {
    const uint32_t found = decode(t.bytes + at);
    if (found == static_cast<uint32_t>(c)) last = unit;
    unit += found >= 0x10000 ? 2 : 1;
    at += width_of(t.bytes[at]);
  }
  return last;
}
__device__ inline bool contains(Row& row, Text t, Text p) { return index_of(row, t, p) >= 0; }
__device__ inline bool contains_char(Row& row, Text t, int32_t c) { return index_of_char(row, t, c) >= 0; }

// take, drop and their kin never fail on an index; one between the halves of a pair is not covered.
__device__ inline Text slice(Row& row, Text t, int32_t begin, int32_t end) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return t;
  }
  begin = begin < 0 ? 0 : begin > t.units ? t.units : begin;
  end = end > t.units ? t.units : end;
  return substring(row, t, begin, end < begin ? begin : end);
}
__device__ inline Text take(Row& row, Text t, int32_t n) { return slice(row, t, 0, n); }
__device__ inline Text drop(Row& row, Text t, int32_t n) { return slice(row, t, n, 2147483647); }
__device__ inline Text take_right(Row& row, Text t, int32_t n) { return slice(row, t, n < 0 ? t.units : n > t.units ? 0 : t.units - n, 2147483647); }
__device__ inline Text drop_right(Row& row, Text t, int32_t n) { return slice(row, t, 0, n < 0 ? t.units : n > t.units ? 0 : t.units - n); }
__device__ inline Text tail(Row& row, Text t) {
  if (!t.is_null() && t.units == 0) row.fail(kUnsupportedOperationException);
  return drop(row, t, 1);
}
__device__ inline Text init(Row& row, Text t) {
  if (!t.is_null() && t.units == 0) row.fail(kUnsupportedOperationException);
  return drop_right(row, t, 1);
}
__device__ inline uint16_t head(Row& row, Text t) {
  if (!t.is_null() && t.units == 0) row.fail(kNoSuchElementException);
  return char_at(row, t, 0);
}
__device__ inline uint16_t last(Row& row, Text t) {
  if (!t.is_null() && t.units == 0) row.fail(kNoSuchElementException);
  return char_at(row, t, t.units - 1);
}
__device__ inline Text strip_prefix(Row& row, Text t, Text p) {
  return starts_with(row, t, p) ? Text{t.bytes + p.size, t.size - p.size, t.units - p.units} : t;
}
__device__ inline Text strip_suffix(Row& row, Text t, Text p) {
  return ends_with(row, t, p) ? Text{t.bytes, t.size - p.size, t.units - p.units} : t;
}

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

}  // namespace rw
