// Between texts and sequences: parts of a text, characters, columns of lists and binaries as sequences.
#pragma once

#include "rw_seq.cuh"

namespace rw {

// mkString, String.join.
template <typename T>
__device__ inline Text seq_text(Row& row, Seq<T> s, Text start, Text between, Text end) {
  if (s.is_null()) row.fail(kNullPointerException);
  Builder out;
  out.append(row, start);
  for (int32_t i = 0; i < s.size && row.error == kNone; ++i) {
    if (i > 0) out.append(row, between);
    out.append(row, s.items[i]);
  }
  out.append(row, end);
  return out.finish(row);
}

__device__ inline Seq<uint16_t> seq_chars(Row& row, Text t) {
  if (t.is_null()) row.fail(kNullPointerException);
  Seq<uint16_t> made = seq_room<uint16_t>(row, t.units);
  if (!made.is_null()) {
    Walk w(t);
    for (int32_t i = 0; i < t.units; ++i) made.items[i] = w.next();
  }
  return made;
}
__device__ inline Text seq_string(Row& row, Seq<uint16_t> s) {
  if (s.is_null()) row.fail(kNullPointerException);
  Builder out;
  for (int32_t i = 0; i < s.size && row.error == kNone; ++i) out.append(row, s.items[i]);
  return out.finish(row);
}

// System.arraycopy, within one array too.
template <typename T>
__device__ inline void seq_copy(Row& row, Seq<T> from, int32_t at, Seq<T> to, int32_t there, int32_t count) {
  if (from.is_null() || to.is_null()) {
    row.fail(kNullPointerException);
  } else if (at < 0 || there < 0 || count < 0 || at > from.size - count || there > to.size - count) {
    row.fail(kArrayIndexOutOfBoundsException);
  } else if (from.items + at < to.items + there) {
    for (int32_t i = count - 1; i >= 0; --i) to.items[there + i] = from.items[at + i];
  } else {
    for (int32_t i = 0; i < count; ++i) to.items[there + i] = from.items[at + i];
  }
}
template <typename T>
__device__ inline void seq_fill(Row& row, Seq<T> s, T value) {
  if (s.is_null()) row.fail(kNullPointerException);
  for (int32_t i = 0; i < s.size; ++i) s.items[i] = value;
}
// Arrays.copyOf and copyOfRange: what lies beyond the end is zero, false, null.
template <typename T>
__device__ inline Seq<T> seq_between(Row& row, Seq<T> s, int32_t from, int32_t to) {
  if (s.is_null()) row.fail(kNullPointerException);
  if (from > to) row.fail(kIllegalArgumentException);
  if (from < 0 || from > s.size) row.fail(kArrayIndexOutOfBoundsException);
  if (row.error != kNone) return s;
  Seq<T> made = seq_new<T>(row, to - from);
  for (int32_t i = 0; !made.is_null() && i < made.size && from + i < s.size; ++i) made.items[i] = s.items[from + i];
  return made;
}
template <typename T>
__device__ inline Seq<T> seq_resized(Row& row, Seq<T> s, int32_t size) {
  if (size < 0) row.fail(kNegativeArraySizeException);
  return seq_between(row, s, 0, size);
}
__device__ inline Seq<int32_t> seq_range(Row& row, int32_t from, int32_t to) {
  Seq<int32_t> made = seq_room<int32_t>(row, to > from ? to - from : 0);
  for (int32_t i = 0; !made.is_null() && i < made.size; ++i) made.items[i] = from + i;
  return made;
}

// getBytes in UTF-8.
__device__ inline Seq<int8_t> seq_bytes(Row& row, Text t) {
  if (t.is_null()) row.fail(kNullPointerException);
  Seq<int8_t> made = seq_room<int8_t>(row, t.size);
  for (int32_t i = 0; !made.is_null() && i < t.size; ++i) made.items[i] = static_cast<int8_t>(t.bytes[i]);
  return made;
}

// Drops empty texts at the end, as split does without a limit.
__device__ inline Seq<Text> seq_without_empty_end(Seq<Text> s) {
  while (s.size > 0 && s.items[s.size - 1].size == 0) --s.size;
  return s;
}

// split by a text that is no pattern. A positive limit bounds the parts, zero drops empty ones at the end, a negative one keeps
// all.
__device__ inline Seq<Text> seq_split(Row& row, Text t, Text by, int32_t limit) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return Seq<Text>{nullptr, 0};
  }
  Buffer<Text> made;
  int32_t from = 0;
  for (;;) {
    const int32_t at = limit > 0 && made.size == limit - 1 ? -1 : find_bytes(t, by, from);
    const int32_t end = at < 0 ? t.size : at;
    made.add(row, text_of(t.bytes + from, end - from));
    if (at < 0 || row.error != kNone) break;
    from = at + by.size;
  }
  const Seq<Text> all = made.seq(row);
  // A text without a match is its own only part, even if it is empty.
  return limit == 0 && all.size > 1 ? seq_without_empty_end(all) : all;
}

// A list column of fixed-width items; one of a primitive type holds no nulls, or the row is not covered.
template <typename T, typename C>
__device__ inline Seq<T> load_seq(Row& row, const int32_t* offsets, const C* items, const uint32_t* items_valid, const uint32_t* bits,
                                  int64_t at) {
  if (!is_valid(bits, at)) return Seq<T>{nullptr, 0};
  const int32_t from = offsets[at], size = offsets[at + 1] - from;
  Seq<T> made = seq_room<T>(row, size);
  for (int32_t i = 0; !made.is_null() && i < size; ++i) {
    if (!is_valid(items_valid, from + i)) row.fail(kNotCovered);
    made.items[i] = static_cast<T>(items[from + i]);
  }
  return made;
}
template <typename T, typename C>
__device__ inline Seq<Maybe<T>> load_boxes(Row& row, const int32_t* offsets, const C* items, const uint32_t* items_valid,
                                           const uint32_t* bits, int64_t at) {
  if (!is_valid(bits, at)) return Seq<Maybe<T>>{nullptr, 0};
  const int32_t from = offsets[at], size = offsets[at + 1] - from;
  Seq<Maybe<T>> made = seq_room<Maybe<T>>(row, size);
  for (int32_t i = 0; !made.is_null() && i < size; ++i)
    made.items[i] = Maybe<T>{static_cast<T>(items[from + i]), is_valid(items_valid, from + i)};
  return made;
}
__device__ inline Seq<Text> load_texts(Row& row, const int32_t* offsets, const int32_t* item_offsets, const uint8_t* bytes,
                                       const uint32_t* items_valid, const uint32_t* bits, int64_t at) {
  if (!is_valid(bits, at)) return Seq<Text>{nullptr, 0};
  const int32_t from = offsets[at], size = offsets[at + 1] - from;
  Seq<Text> made = seq_room<Text>(row, size);
  for (int32_t i = 0; !made.is_null() && i < size; ++i) made.items[i] = load_text(item_offsets, bytes, items_valid, from + i);
  return made;
}
__device__ inline Seq<int8_t> load_bytes(Row& row, const int32_t* offsets, const uint8_t* bytes, const uint32_t* bits, int64_t at) {
  if (!is_valid(bits, at)) return Seq<int8_t>{nullptr, 0};
  const int32_t from = offsets[at], size = offsets[at + 1] - from;
  Seq<int8_t> made = seq_room<int8_t>(row, size);
  for (int32_t i = 0; !made.is_null() && i < size; ++i) made.items[i] = static_cast<int8_t>(bytes[from + i]);
  return made;
}

}  // namespace rw
