// Texts that are built: in the row's scratch memory, growing where they stand as long as nothing was taken behind them. A row
// that needs more memory than there is, or half of a surrogate pair, is not covered.
#pragma once

#include "rw_view.cuh"

namespace rw {

struct Builder {
  uint8_t* bytes = nullptr;
  int32_t size = 0;
  int32_t units = 0;
  int32_t room = 0;
  // First half of a surrogate pair that waits for its second half.
  uint16_t high = 0;
  // Whether a text stands in the same memory, so that it must not change.
  bool shown = false;

  Builder() = default;
  __device__ explicit Builder(Row&) {}

  __device__ bool is_null() const { return false; }

  // Makes room for one more byte: right behind, or elsewhere and twice as much.
  __device__ bool grow(Row& row) {
    if (bytes != nullptr && bytes + room == row.scratch && row.scratch_left > 0) {
      const int32_t more = row.scratch_left < 16 ? row.scratch_left : 16;
      row.take<uint8_t>(more);
      room += more;
      return true;
    }
    int32_t wanted = room < 16 ? 16 : 2 * room;
    if (wanted > row.scratch_left && row.scratch_left > size) wanted = row.scratch_left;
    return move(row, wanted);
  }

  __device__ bool move(Row& row, int32_t wanted) {
    uint8_t* to = row.take<uint8_t>(wanted);
    if (to == nullptr) return false;
    for (int32_t i = 0; i < size; ++i) to[i] = bytes[i];
    bytes = to;
    room = wanted;
    shown = false;
    return true;
  }

  __device__ void byte(Row& row, uint8_t b) {
    if (size < room || grow(row)) bytes[size++] = b;
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
      word(row, "null");
      return;
    }
    for (int32_t i = 0; i < t.size; ++i) byte(row, t.bytes[i]);
    units += t.units;
  }

  __device__ void word(Row& row, const char* ascii) {
    for (; *ascii != 0; ++ascii) append(row, static_cast<uint16_t>(*ascii));
  }

  __device__ void append(Row& row, bool b) { word(row, b ? "true" : "false"); }

  // A number in a base from 2 to 36, with at least so many digits.
  __device__ void digits(Row& row, uint64_t v, uint32_t base = 10, int32_t least = 1) {
    uint8_t all[64];
    int32_t n = 0;
    while (v != 0 || n < least) {
      const uint32_t digit = static_cast<uint32_t>(v % base);
      all[n++] = static_cast<uint8_t>(digit < 10 ? '0' + digit : 'a' + digit - 10);
      v /= base;
      if (n == 64) break;
    }
    while (n > 0) append(row, static_cast<uint16_t>(all[--n]));
  }

  __device__ void append(Row& row, int64_t v) {
    if (v < 0) append(row, static_cast<uint16_t>('-'));
    digits(row, v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v));
  }
  __device__ void append(Row& row, int32_t v) { append(row, static_cast<int64_t>(v)); }
  __device__ void append(Row& row, int16_t v) { append(row, static_cast<int64_t>(v)); }
  __device__ void append(Row& row, int8_t v) { append(row, static_cast<int64_t>(v)); }

  // A box: its value, or "null".
  template <typename T>
  __device__ void append(Row& row, Maybe<T> v) {
    if (v.valid) {
      append(row, v.value);
    } else {
      word(row, "null");
    }
  }

  // The text so far. It keeps the memory that it stands in; what is left behind it goes back to the row.
  __device__ Text finish(Row& row) {
    if (high != 0) row.fail(kNotCovered);
    if (bytes == nullptr) return Text{reinterpret_cast<const uint8_t*>(""), 0, 0};
    if (bytes + room == row.scratch) {
      row.scratch -= room - size;
      row.scratch_left += room - size;
      room = size;
    }
    shown = true;
    return Text{bytes, size, units};
  }

  // The text for looking at it at once, before the builder changes again.
  __device__ Text view(Row& row) {
    if (high != 0) row.fail(kNotCovered);
    return Text{bytes == nullptr ? reinterpret_cast<const uint8_t*>("") : bytes, size, units};
  }
};

__device__ inline int32_t length(const Builder& b) { return b.units + (b.high != 0 ? 1 : 0); }

__device__ inline uint16_t char_at(Row& row, Builder& b, int32_t index) {
  if (index < 0 || index >= length(b)) row.fail(kStringIndexOutOfBoundsException);
  return row.error == kNone ? char_at(row, b.view(row), index) : 0;
}

// Everything from a byte to another is replaced by a text.
__device__ inline void splice(Row& row, Builder& b, int32_t from, int32_t to, Text t) {
  const Text old = b.view(row);
  Builder made;
  made.append(row, Text{old.bytes, from, count_units(old.bytes, from)});
  made.append(row, t);
  made.append(row, Text{old.bytes + to, old.size - to, count_units(old.bytes + to, old.size - to)});
  b = made;
}

__device__ inline void set_char_at(Row& row, Builder& b, int32_t index, uint16_t c) {
  if (index < 0 || index >= length(b)) {
    row.fail(kStringIndexOutOfBoundsException);
    return;
  }
  if (b.size != b.units || c >= 0x80) {
    row.fail(kNotCovered);
    return;
  }
  if (b.shown && !b.move(row, b.room)) return;
  b.bytes[index] = static_cast<uint8_t>(c);
}

// delete(start, end): an end beyond the text is its end.
__device__ inline void erase(Row& row, Builder& b, int32_t from, int32_t to) {
  const int32_t count = length(b);
  if (to > count) to = count;
  if (from < 0 || from > to) {
    row.fail(kStringIndexOutOfBoundsException);
    return;
  }
  const Text t = b.view(row);
  const int32_t begin = byte_at(t, from), end = byte_at(t, to);
  if (begin < 0 || end < 0) row.fail(kNotCovered);
  if (row.error == kNone) splice(row, b, begin, end, Text{t.bytes, 0, 0});
}
__device__ inline void erase_char(Row& row, Builder& b, int32_t index) {
  if (index < 0 || index >= length(b)) row.fail(kStringIndexOutOfBoundsException);
  if (row.error == kNone) erase(row, b, index, index + 1);
}
__device__ inline void set_length(Row& row, Builder& b, int32_t count) {
  const int32_t now = length(b);
  if (count < 0) row.fail(kStringIndexOutOfBoundsException);
  for (int32_t i = now; i < count && row.error == kNone; ++i) b.append(row, static_cast<uint16_t>(0));
  if (count == 0) {
    b = Builder();
  } else if (count < now && row.error == kNone) {
    erase(row, b, count, now);
  }
}
__device__ inline void insert(Row& row, Builder& b, int32_t index, Text t) {
  if (index < 0 || index > length(b)) {
    row.fail(kStringIndexOutOfBoundsException);
    return;
  }
  const Text old = b.view(row);
  const int32_t at = byte_at(old, index);
  if (at < 0) row.fail(kNotCovered);
  if (row.error == kNone) splice(row, b, at, at, t);
}

// StringBuilder.reverse keeps surrogate pairs, so whole characters change places.
__device__ inline Text reversed(Row& row, Text t) {
  Builder out;
  for (int32_t end = t.size; end > 0;) {
    int32_t at = end - 1;
    while ((t.bytes[at] & 0xC0) == 0x80) --at;
    out.code_point(row, decode(t.bytes + at));
    end = at;
  }
  return out.finish(row);
}
__device__ inline void reverse(Row& row, Builder& b) {
  const Text t = reversed(row, b.view(row));
  b = Builder();
  b.append(row, t);
}

}  // namespace rw
