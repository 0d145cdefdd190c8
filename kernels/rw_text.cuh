// What the library does with texts: comparing, replacing, parsing.
#pragma once

#include "rw_chars.cuh"

namespace rw {

// String.strip and its halves.
template <bool front, bool back>
__device__ inline Text strip_space(Row& row, Text t) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return t;
  }
  int32_t begin = 0, end = t.size, units = t.units;
  while (front && begin < end && is_whitespace(decode(t.bytes + begin))) {
    begin += width_of(t.bytes[begin]);
    --units;
  }
  while (back && begin < end) {
    int32_t at = end - 1;
    while ((t.bytes[at] & 0xC0) == 0x80) --at;
    if (!is_whitespace(decode(t.bytes + at))) break;
    end = at;
    --units;
  }
  return Text{t.bytes + begin, end - begin, units};
}
__device__ inline bool is_blank(Row& row, Text t) { return strip_space<true, false>(row, t).size == 0; }

// String.compareTo: by the first UTF-16 unit that differs, then by length.
__device__ inline int32_t compare(Row& row, Text a, Text b) {
  if (a.is_null() || b.is_null()) {
    row.fail(kNullPointerException);
    return 0;
  }
  Walk x(a), y(b);
  while (x.more() && y.more()) {
    const int32_t p = x.next(), q = y.next();
    if (p != q) return p - q;
  }
  return a.units - b.units;
}

// String.hashCode.
__device__ inline int32_t hash_code(Row& row, Text t) {
  if (t.is_null()) row.fail(kNullPointerException);
  uint32_t hash = 0;
  if (!t.is_null())
    for (Walk w(t); w.more();) hash = 31 * hash + w.next();
  return static_cast<int32_t>(hash);
}

// The first character in upper case.
__device__ inline Text capitalize(Row& row, Text t) {
  if (t.is_null()) return t;
  // A pair is looked at unit by unit, and half of one has no case.
  if (t.size == 0 || t.bytes[0] >= 0xF0) return t;
  const uint32_t first = decode(t.bytes);
  if (upper_of(first) == first) return t;
  const int32_t w = width_of(t.bytes[0]);
  Builder out;
  out.code_point(row, upper_of(first));
  out.append(row, Text{t.bytes + w, t.size - w, t.units - 1});
  return out.finish(row);
}

__device__ inline bool same_ignoring_case(Row& row, Text a, Text b) {
  if (a.is_null()) row.fail(kNullPointerException);
  if (a.is_null() || b.is_null() || a.units != b.units) return false;
  int32_t i = 0, k = 0;
  while (i < a.size && k < b.size) {
    const uint32_t x = decode(a.bytes + i), y = decode(b.bytes + k);
    if (x != y && lower_of(upper_of(x)) != lower_of(upper_of(y))) return false;
    i += width_of(a.bytes[i]);
    k += width_of(b.bytes[k]);
  }
  return i == a.size && k == b.size;
}

__device__ inline Text repeat(Row& row, Text t, int32_t n) {
  if (t.is_null()) row.fail(kNullPointerException);
  Builder out;
  for (int32_t i = 0; i < n && row.error == kNone; ++i) out.append(row, t);
  return out.finish(row);
}
// String.repeat of Java, which asks for no negative number.
__device__ inline Text repeat_java(Row& row, Text t, int32_t n) {
  if (!t.is_null() && n < 0) row.fail(kIllegalArgumentException);
  return repeat(row, t, n);
}

// String.replace: from left to right, every place of an empty one.
__device__ inline Text replace(Row& row, Text t, Text what, Text with) {
  if (t.is_null() || what.is_null() || with.is_null()) {
    row.fail(kNullPointerException);
    return t;
  }
  Builder out;
  if (what.size == 0) {
    if (!t.is_ascii()) row.fail(kNotCovered);
    for (int32_t i = 0; i < t.size; ++i) {
      out.append(row, with);
      out.append(row, static_cast<uint16_t>(t.bytes[i]));
    }
    out.append(row, with);
    return out.finish(row);
  }
  int32_t from = 0;
  for (;;) {
    const int32_t at = find_bytes(t, what, from);
    const int32_t end = at < 0 ? t.size : at;
    if (at < 0 && from == 0) return t;
    out.append(row, text_of(t.bytes + from, end - from));
    if (at < 0) return out.finish(row);
    out.append(row, with);
    from = at + what.size;
  }
}
__device__ inline Text replace_char(Row& row, Text t, uint16_t a, uint16_t b) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return t;
  }
  Builder out;
  for (Walk w(t); w.more();) {
    const uint16_t c = w.next();
    out.append(row, c == a ? b : c);
  }
  return out.finish(row);
}

// Scala's reverse takes units, Java's builders keep pairs together.
__device__ inline Text reverse_units(Row& row, Text t) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return t;
  }
  for (int32_t i = 0; i < t.size; ++i)
    if (t.bytes[i] >= 0xF0) row.fail(kNotCovered);
  return reversed(row, t);
}

// StringBuilder.append(text, start, end).
__device__ inline Text append_part(Row& row, Text t, int32_t begin, int32_t end) {
  if (begin < 0 || end > t.units || begin > end) row.fail(kIndexOutOfBoundsException);
  return row.error == kNone ? substring(row, t, begin, end) : t;
}

__device__ inline Text concat(Row& row, Text a, Text b) {
  if (a.is_null() || b.is_null()) row.fail(kNullPointerException);
  Builder out;
  out.append(row, a);
  out.append(row, b);
  return out.finish(row);
}

__device__ inline Text pad_to(Row& row, Text t, int32_t width, uint16_t c) {
  if (t.is_null()) row.fail(kNullPointerException);
  Builder out;
  out.append(row, t);
  while (length(out) < width && row.error == kNone) out.append(row, c);
  return out.finish(row);
}

// The text of one value, as String.valueOf gives it.
template <typename T>
__device__ inline Text text_of_value(Row& row, T value) {
  Builder out;
  out.append(row, value);
  return out.finish(row);
}
__device__ inline Text in_base(Row& row, uint64_t v, uint32_t base) {
  Builder out;
  out.digits(row, v, base);
  return out.finish(row);
}
// A number for format: a sign, zeros or blanks in front or behind up to a width.
__device__ inline void append_padded(Row& row, Builder& out, int64_t v, int32_t width, bool zeros, bool left) {
  Builder text;
  if (zeros) {
    if (v < 0) text.append(row, static_cast<uint16_t>('-'));
    text.digits(row, v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v), 10, v < 0 ? width - 1 : width);
  } else {
    text.append(row, v);
  }
  const Text t = text.finish(row);
  for (int32_t i = t.units; !left && i < width; ++i) out.append(row, static_cast<uint16_t>(' '));
  out.append(row, t);
  for (int32_t i = t.units; left && i < width; ++i) out.append(row, static_cast<uint16_t>(' '));
}
__device__ inline void append_padded(Row& row, Builder& out, Text t, int32_t width, bool left) {
  const int32_t units = t.is_null() ? 4 : t.units;
  for (int32_t i = units; !left && i < width; ++i) out.append(row, static_cast<uint16_t>(' '));
  out.append(row, t);
  for (int32_t i = units; left && i < width; ++i) out.append(row, static_cast<uint16_t>(' '));
}

// Integer.parseInt, Long.parseLong and their kin. Digits of all scripts count, if they stand in one UTF-16 unit.
template <typename T>
__device__ inline T parse(Row& row, Text t, T min, T max, int32_t base) {
  if (t.is_null() || t.size == 0 || base < 2 || base > 36) {
    row.fail(kNumberFormatException);
    return 0;
  }
  const bool negative = t.bytes[0] == '-';
  int32_t i = (negative || t.bytes[0] == '+') ? 1 : 0;
  if (i == t.size) row.fail(kNumberFormatException);
  T value = 0;  // grows on the negative side, which has room for MIN
  const T limit = negative ? min : -max;
  for (; i < t.size; i += width_of(t.bytes[i])) {
    const int32_t digit = t.bytes[i] >= 0xF0 ? -1 : digit_of(row, decode(t.bytes + i), base);
    if (digit < 0 || value < limit / base || value * base < limit + digit) {
      row.fail(kNumberFormatException);
      return 0;
    }
    value = value * base - digit;
  }
  return negative ? value : -value;
}
__device__ inline int32_t parse_int(Row& row, Text t, int32_t base = 10) {
  return parse<int32_t>(row, t, -2147483647 - 1, 2147483647, base);
}
__device__ inline int64_t parse_long(Row& row, Text t, int32_t base = 10) {
  return parse<int64_t>(row, t, -9223372036854775807LL - 1, 9223372036854775807LL, base);
}
__device__ inline int16_t parse_short(Row& row, Text t) {
  const int32_t v = parse_int(row, t);
  if (v < -32768 || v > 32767) row.fail(kNumberFormatException);
  return static_cast<int16_t>(v);
}
__device__ inline int8_t parse_byte(Row& row, Text t) {
  const int32_t v = parse_int(row, t);
  if (v < -128 || v > 127) row.fail(kNumberFormatException);
  return static_cast<int8_t>(v);
}
__device__ inline bool is_word(Text t, const char* word) {
  int32_t i = 0;
  for (; word[i] != 0; ++i)
    if (i >= t.size || (t.bytes[i] | 0x20) != word[i]) return false;
  return i == t.size;
}
// Boolean.parseBoolean; Scala's toBoolean takes nothing else.
__device__ inline bool parse_boolean(Row&, Text t) { return !t.is_null() && is_word(t, "true"); }
__device__ inline bool parse_boolean_scala(Row& row, Text t) {
  if (!t.is_ascii()) row.fail(kNotCovered);
  const bool yes = !t.is_null() && is_word(t, "true");
  if (!yes && (t.is_null() || !is_word(t, "false"))) row.fail(kIllegalArgumentException);
  return yes;
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
