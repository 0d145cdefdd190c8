// Sequences and tuples of one row, in its scratch memory: arrays, lists, the parts of a text. A row that needs more memory than
// there is is not covered.
#pragma once

#include "rw_text.cuh"

namespace rw {

// An array or a list, or null (items == nullptr). Copies share their items, as references on the JVM do.
template <typename T>
struct Seq {
  T* items;
  int32_t size;

  __device__ bool is_null() const { return items == nullptr; }
};

template <typename A, typename B>
struct Tuple2 {
  A f0;
  B f1;
};
template <typename A, typename B, typename C>
struct Tuple3 {
  A f0;
  B f1;
  C f2;
};
template <typename A, typename B, typename C, typename D>
struct Tuple4 {
  A f0;
  B f1;
  C f2;
  D f3;
};

// A sequence under construction; only what stands in one variable is built this way.
template <typename T>
struct Buffer {
  T* items = nullptr;
  int32_t size = 0;
  int32_t room = 0;

  Buffer() = default;

  __device__ bool reserve(Row& row, int32_t wanted) {
    if (wanted <= room) return true;
    if (items != nullptr && reinterpret_cast<uint8_t*>(items + room) == row.scratch) {
      if (row.take<T>(wanted - room) == nullptr) return false;
      room = wanted;
      return true;
    }
    T* to = row.take<T>(wanted);
    if (to == nullptr) return false;
    for (int32_t i = 0; i < size; ++i) to[i] = items[i];
    items = to;
    room = wanted;
    return true;
  }

  __device__ void add(Row& row, T value) {
    if (size < room || reserve(row, room < 4 ? 4 : 2 * room)) items[size++] = value;
  }

  // The items so far; what is left of the memory behind them goes back to the row.
  __device__ Seq<T> seq(Row& row) {
    if (items == nullptr && !reserve(row, 1)) return Seq<T>{nullptr, 0};
    if (reinterpret_cast<uint8_t*>(items + room) == row.scratch && size > 0) {
      row.scratch -= (room - size) * static_cast<int32_t>(sizeof(T));
      row.scratch_left += (room - size) * static_cast<int32_t>(sizeof(T));
      room = size;
    }
    return Seq<T>{items, size};
  }

  // The items so far, for looking at them at once; none are no null.
  __device__ Seq<T> view() { return Seq<T>{items == nullptr ? reinterpret_cast<T*>(this) : items, size}; }
};

// Room for so many items, each of which has to be written.
template <typename T>
__device__ inline Seq<T> seq_room(Row& row, int32_t size) {
  if (size < 0) row.fail(kNegativeArraySizeException);
  T* items = size < 0 ? nullptr : row.take<T>(size == 0 ? 1 : size);
  return Seq<T>{items, items == nullptr ? 0 : size};
}

// new Array[T](n): zeros, false, null.
template <typename T>
__device__ inline Seq<T> seq_new(Row& row, int32_t size) {
  Seq<T> made = seq_room<T>(row, size);
  for (int32_t i = 0; i < made.size; ++i) made.items[i] = T{};
  return made;
}

template <typename T>
__device__ inline int32_t seq_length(Row& row, Seq<T> s) {
  if (s.is_null()) row.fail(kNullPointerException);
  return s.size;
}

// a(i) of an array or of another sequence; they throw different exceptions.
template <typename T>
__device__ inline T seq_at(Row& row, Seq<T> s, int32_t index, int32_t thrown = kArrayIndexOutOfBoundsException) {
  if (s.is_null()) {
    row.fail(kNullPointerException);
    return T{};
  }
  if (index < 0 || index >= s.size) {
    row.fail(thrown);
    return T{};
  }
  return s.items[index];
}
template <typename T>
__device__ inline void seq_set(Row& row, Seq<T> s, int32_t index, T value, int32_t thrown = kArrayIndexOutOfBoundsException) {
  if (s.is_null()) {
    row.fail(kNullPointerException);
  } else if (index < 0 || index >= s.size) {
    row.fail(thrown);
  } else {
    s.items[index] = value;
  }
}
template <typename T>
__device__ inline T seq_first(Row& row, Seq<T> s, int32_t thrown = kNoSuchElementException) {
  return seq_at(row, s, 0, thrown);
}
template <typename T>
__device__ inline T seq_last(Row& row, Seq<T> s, int32_t thrown = kNoSuchElementException) {
  return seq_at(row, s, s.size - 1, thrown);
}

// Part of a sequence, copied; indices beyond its ends are its ends.
template <typename T>
__device__ inline Seq<T> seq_slice(Row& row, Seq<T> s, int32_t from, int32_t to) {
  if (s.is_null()) {
    row.fail(kNullPointerException);
    return s;
  }
  from = from < 0 ? 0 : from > s.size ? s.size : from;
  to = to > s.size ? s.size : to < from ? from : to;
  Seq<T> made = seq_room<T>(row, to - from);
  if (!made.is_null())
    for (int32_t i = from; i < to; ++i) made.items[i - from] = s.items[i];
  return made;
}
template <typename T>
__device__ inline Seq<T> seq_take(Row& row, Seq<T> s, int32_t n) { return seq_slice(row, s, 0, n); }
template <typename T>
__device__ inline Seq<T> seq_drop(Row& row, Seq<T> s, int32_t n) { return seq_slice(row, s, n, 2147483647); }
template <typename T>
__device__ inline Seq<T> seq_take_right(Row& row, Seq<T> s, int32_t n) {
  return seq_slice(row, s, n < 0 ? s.size : s.size - (n > s.size ? s.size : n), 2147483647);
}
template <typename T>
__device__ inline Seq<T> seq_drop_right(Row& row, Seq<T> s, int32_t n) {
  return seq_slice(row, s, 0, n < 0 ? s.size : s.size - (n > s.size ? s.size : n));
}
template <typename T>
__device__ inline Seq<T> seq_tail(Row& row, Seq<T> s) {
  if (!s.is_null() && s.size == 0) row.fail(kUnsupportedOperationException);
  return seq_drop(row, s, 1);
}
template <typename T>
__device__ inline Seq<T> seq_init(Row& row, Seq<T> s) {
  if (!s.is_null() && s.size == 0) row.fail(kUnsupportedOperationException);
  return seq_drop_right(row, s, 1);
}
template <typename T>
__device__ inline Seq<T> seq_reverse(Row& row, Seq<T> s) {
  if (s.is_null()) {
    row.fail(kNullPointerException);
    return s;
  }
  Seq<T> made = seq_room<T>(row, s.size);
  for (int32_t i = 0; i < made.size; ++i) made.items[i] = s.items[s.size - 1 - i];
  return made;
}
template <typename T>
__device__ inline Seq<T> seq_concat(Row& row, Seq<T> a, Seq<T> b) {
  if (a.is_null() || b.is_null()) {
    row.fail(kNullPointerException);
    return a;
  }
  Seq<T> made = seq_room<T>(row, a.size + b.size);
  for (int32_t i = 0; !made.is_null() && i < made.size; ++i) made.items[i] = i < a.size ? a.items[i] : b.items[i - a.size];
  return made;
}
template <typename T>
__device__ inline Seq<T> seq_with(Row& row, Seq<T> a, T value, bool front) {
  Seq<T> one = seq_room<T>(row, 1);
  if (one.is_null()) return one;
  one.items[0] = value;
  return front ? seq_concat(row, one, a) : seq_concat(row, a, one);
}

// == of two values.
__device__ inline bool same(bool a, bool b) { return a == b; }
__device__ inline bool same(int8_t a, int8_t b) { return a == b; }
__device__ inline bool same(int16_t a, int16_t b) { return a == b; }
__device__ inline bool same(uint16_t a, uint16_t b) { return a == b; }
__device__ inline bool same(int32_t a, int32_t b) { return a == b; }
__device__ inline bool same(int64_t a, int64_t b) { return a == b; }
__device__ inline bool same(float a, float b) { return a == b; }
__device__ inline bool same(double a, double b) { return a == b; }
__device__ inline bool same(Text a, Text b) { return same_text(a, b); }
template <typename T>
__device__ inline bool same(Maybe<T> a, Maybe<T> b) {
  return a.valid == b.valid && (!a.valid || same(a.value, b.value));
}
template <typename A, typename B>
__device__ inline bool same(Tuple2<A, B> a, Tuple2<A, B> b) { return same(a.f0, b.f0) && same(a.f1, b.f1); }
template <typename T>
__device__ inline bool same(Seq<T> a, Seq<T> b) {
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null();
  if (a.size != b.size) return false;
  for (int32_t i = 0; i < a.size; ++i)
    if (!same(a.items[i], b.items[i])) return false;
  return true;
}

// Below zero, zero, above zero.
template <typename T>
__device__ inline int32_t order(Row&, T a, T b) { return a < b ? -1 : a > b ? 1 : 0; }
__device__ inline int32_t order(Row& row, Text a, Text b) { return compare(row, a, b); }
__device__ inline int32_t order(Row&, double a, double b) { return order_of(a, b); }
__device__ inline int32_t order(Row&, float a, float b) { return order_of(a, b); }
template <typename T>
__device__ inline int32_t order(Row& row, Maybe<T> a, Maybe<T> b) {
  if (!a.valid || !b.valid) row.fail(kNullPointerException);
  return order(row, a.value, b.value);
}

template <typename T>
__device__ inline int32_t seq_index_of(Row& row, Seq<T> s, T value) {
  if (s.is_null()) row.fail(kNullPointerException);
  for (int32_t i = 0; i < s.size; ++i)
    if (same(s.items[i], value)) return i;
  return -1;
}
template <typename T>
__device__ inline bool seq_contains(Row& row, Seq<T> s, T value) { return seq_index_of(row, s, value) >= 0; }

template <typename T>
__device__ inline Seq<T> seq_distinct(Row& row, Seq<T> s) {
  if (s.is_null()) row.fail(kNullPointerException);
  Buffer<T> made;
  for (int32_t i = 0; i < s.size; ++i)
    if (seq_index_of(row, made.view(), s.items[i]) < 0) made.add(row, s.items[i]);
  return made.seq(row);
}

// Sorts where it stands, keeping the order of equal items: by keys, which move along.
template <typename T, typename K>
__device__ inline void seq_sort(Row& row, Seq<T> s, Seq<K> keys) {
  if (s.is_null() || keys.is_null()) return;
  for (int32_t i = 1; i < s.size && row.error == kNone; ++i) {
    const T item = s.items[i];
    const K key = keys.items[i];
    int32_t at = i;
    for (; at > 0 && order(row, keys.items[at - 1], key) > 0; --at) {
      s.items[at] = s.items[at - 1];
      keys.items[at] = keys.items[at - 1];
    }
    s.items[at] = item;
    keys.items[at] = key;
  }
}
template <typename T>
__device__ inline Seq<T> seq_sorted(Row& row, Seq<T> s) {
  const Seq<T> made = seq_slice(row, s, 0, s.size), keys = seq_slice(row, s, 0, s.size);
  seq_sort(row, made, keys);
  return made;
}

}  // namespace rw
