// Sets of characters, as regular expressions have them, and what is replaced where a pattern is one set and nothing else: no
// machine has to run for that. A set is four words for ASCII, a count, and so many ranges behind it, in order.
#pragma once

#include "rw_build.cuh"

namespace rw {

__device__ inline bool set_has(const int32_t* set, uint32_t c) {
  if (c < 128) return ((static_cast<uint32_t>(set[c >> 5]) >> (c & 31)) & 1u) != 0;
  int32_t low = 0, high = set[4];
  while (low < high) {
    const int32_t middle = (low + high) / 2;
    if (static_cast<uint32_t>(set[6 + 2 * middle]) < c) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < set[4] && static_cast<uint32_t>(set[5 + 2 * low]) <= c;
}

// Replaces the characters of a set, each by itself or, with `runs`, as many as stand together, by a text that is taken as it is.
__device__ inline Text set_replace_all(Row& row, const int32_t* set, bool runs, Text text, Text with) {
  if (text.is_null()) {
    row.fail(kNullPointerException);
    return text;
  }
  Builder out;
  bool replaced = false;
  for (int32_t i = 0; i < text.size;) {
    const uint8_t first = text.bytes[i];
    const int32_t width = width_of(first);
    if (set_has(set, decode(text.bytes + i))) {
      if (!(runs && replaced)) out.append(row, with);
      replaced = true;
    } else {
      for (int32_t k = 0; k < width; ++k) out.byte(row, text.bytes[i + k]);
      out.units += width == 4 ? 2 : 1;
      replaced = false;
    }
    i += width;
  }
  return out.finish(row);
}

}  // namespace rw
