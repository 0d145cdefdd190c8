// What every generated kernel starts from: row values that may be null, the per-row error channel, Arrow's validity bits.
//
// A kernel's parameters, in this order, for every UDF of the same types:
//
//   per fixed-width argument   const T* NAME, const uint32_t* NAME_valid
//   per text argument          const int32_t* NAME_offsets, const uint8_t* NAME_bytes, const uint32_t* NAME_valid
//   per list argument          const int32_t* NAME_offsets, then its items as an argument of their own, then const uint32_t* NAME_valid
//   per map argument           the same with its keys and its values
//   per struct argument        each of its fields as an argument of its own, then const uint32_t* NAME_valid
//   fixed-width result         T* out, uint32_t* out_valid
//   text result                int32_t* out_sizes, const int32_t* out_offsets, uint8_t* out_bytes, uint32_t* out_valid
//   always last                int32_t* error, int64_t rows
//
// T is uint8_t for boolean, int8_t to int64_t, float, double, int32_t for a date (days), int64_t for a timestamp (microseconds),
// and for a decimal its unscaled value: int32_t up to 9 digits, int64_t up to 18, __int128 beyond (wider ones are taken too).
//
// Each thread does one row, rw::row_index(). A kernel whose threads do several says so in a line of its own,
// `constexpr int rw_rows_per_thread = 4;`, and gets as many fewer blocks; row k of a thread is then rw::row_index(k, 4). A block
// has 256 threads, or as many as `constexpr int rw_threads_per_block = 128;` says. A text that defines RW_LOAD_READ_ONLY or
// RW_LOAD_STREAMING before its includes has rw::load go through the read-only cache, or leave nothing in the caches. One that
// moves several elements with one instruction, rw::load_side and rw::store_side, needs columns that begin at a multiple of 16
// bytes, as memory of the device does; a slice that begins elsewhere is a fault of the device, never another value.
//
// Validity is Arrow's: bit row % 32 of word row / 32, set where there is a value; a null pointer means that no row is
// null. A text result takes two launches: the first with out_bytes == nullptr writes the size of every row to out_sizes,
// the second writes the bytes at out_offsets. error[row] is zero or one of rw::Error; it is set to zero before a launch.
#pragma once

#ifdef __CUDACC_RTC__
// NVRTC has no standard headers; nvcc and host compilers take the types from theirs.
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long long;
using uint64_t = unsigned long long;
#else
#include <cstdint>
#endif

namespace rw {

// Exceptions by code. The numbers are part of the format of recorded results: never renumber.
enum Error : int32_t {
  kNone = 0,
  kNullPointerException = 1,
  kArithmeticException = 2,
  kStringIndexOutOfBoundsException = 3,
  kArrayIndexOutOfBoundsException = 4,
  kNumberFormatException = 5,
  kMatchError = 6,
  kIllegalArgumentException = 7,
  kNoSuchElementException = 8,
  kRuntimeException = 9,
  kIllegalStateException = 10,
  kUnsupportedOperationException = 11,
  kNegativeArraySizeException = 12,
  kIndexOutOfBoundsException = 13,
  kException = 14,
  kDateTimeException = 15,
  kDateTimeParseException = 16,
  kClassCastException = 17,
  kAssertionError = 18,
  // The row needs something that this kernel does not cover: it proves nothing about the row.
  kNotCovered = 255,
};

// State of one row: the first error and the scratch memory in which texts and sequences are built.
struct Row {
  int32_t error = kNone;
  uint8_t* scratch = nullptr;
  int32_t scratch_left = 0;

  __device__ void fail(int32_t code) {
    if (error == kNone) error = code;
  }

  // Memory for so many elements, which stays until the row is done; null, and a row that is not covered, where there is no more.
  template <typename T>
  __device__ T* take(int32_t count) {
    const int32_t skip = static_cast<int32_t>((alignof(T) - reinterpret_cast<uint64_t>(scratch) % alignof(T)) % alignof(T));
    const int64_t bytes = skip + static_cast<int64_t>(count) * static_cast<int64_t>(sizeof(T));
    if (bytes > scratch_left) {
      fail(kNotCovered);
      return nullptr;
    }
    T* taken = reinterpret_cast<T*>(scratch + skip);
    scratch += bytes;
    scratch_left -= static_cast<int32_t>(bytes);
    return taken;
  }
};

// How many bytes of a thread's stack calls may take that come back to their function.
constexpr uint64_t kDeepest = 16384;

// Whether a function that calls itself has gone down too far from where the row was begun: then the row is not covered.
__device__ inline bool too_deep(Row& row) {
  const volatile char here = 0;
  const uint64_t top = reinterpret_cast<uint64_t>(&row);
  const uint64_t now = reinterpret_cast<uint64_t>(&here);
  if ((top > now ? top - now : now - top) < kDeepest) return false;
  row.fail(kNotCovered);
  return true;
}

// How often a function starts again that the JVM calls again: so many frames fit its stack in any case.
constexpr int32_t kMostTurns = 1024;

// Whether such a function has started again so often that the JVM might have no stack left: then the row is not covered.
__device__ inline bool too_often(Row& row, int32_t& turns) {
  if (++turns <= kMostTurns) return false;
  row.fail(kNotCovered);
  return true;
}

// A value of a boxed or optional type.
template <typename T>
struct Maybe {
  T value;
  bool valid;

  __device__ bool is_null() const { return !valid; }
};

template <typename T>
__device__ inline Maybe<T> some(T value) {
  return Maybe<T>{value, true};
}

template <typename T>
__device__ inline Maybe<T> none() {
  return Maybe<T>{T{}, false};
}

// A scala.util.Try: a value, or the code of an error that was caught.
template <typename T>
struct Try {
  T value;
  int32_t error;
};

// Unboxing as Java does: null throws.
template <typename T>
__device__ inline T unbox(Row& row, Maybe<T> m) {
  if (!m.valid) row.fail(kNullPointerException);
  return m.value;
}

// Unboxing as Scala does: null is zero.
template <typename T>
__device__ inline T unbox_or_zero(Maybe<T> m) {
  return m.valid ? m.value : T{};
}

// == of two boxes that were made one by one: the JVM keeps those of small numbers, others are objects of their own.
template <typename T>
__device__ inline bool same_box(Maybe<T> a, Maybe<T> b) {
  if (!a.valid || !b.valid) return a.valid == b.valid;
  return a.value == b.value && a.value >= T(-128) && a.value <= T(127);
}
template <>
__device__ inline bool same_box(Maybe<bool> a, Maybe<bool> b) {
  return a.valid == b.valid && (!a.valid || a.value == b.value);
}
template <>
__device__ inline bool same_box(Maybe<double> a, Maybe<double> b) {
  return !a.valid && !b.valid;
}
template <>
__device__ inline bool same_box(Maybe<float> a, Maybe<float> b) {
  return !a.valid && !b.valid;
}

__device__ inline int64_t row_index() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Row k of a thread that does `per_thread` rows: those of a warp lie side by side.
__device__ inline int64_t row_index(int k, int per_thread) {
  return (static_cast<int64_t>(blockIdx.x) * per_thread + k) * blockDim.x + threadIdx.x;
}

// Row k of a thread that does `per_thread` rows, of which W each lie side by side; W divides `per_thread`.
template <int W>
__device__ inline int64_t row_index(int k, int per_thread) {
  const int64_t group = static_cast<int64_t>(blockIdx.x) * (per_thread / W) + k / W;
  return (group * blockDim.x + threadIdx.x) * W + k % W;
}

__device__ inline bool is_valid(const uint32_t* bits, int64_t row) {
  return bits == nullptr || ((bits[row >> 5] >> (row & 31)) & 1u) != 0;
}

// One element, read as the text asks for.
template <typename T>
__device__ inline T element(const T* at) {
#if defined(RW_LOAD_READ_ONLY)
  return __ldg(at);
#elif defined(RW_LOAD_STREAMING)
  return __ldcs(at);
#else
  return *at;
#endif
}
// No instruction reads so many bits of one type.
template <>
__device__ inline __int128 element(const __int128* at) {
  return *at;
}

template <typename T>
__device__ inline Maybe<T> load(const T* values, const uint32_t* bits, int64_t row) {
  return Maybe<T>{element(values + row), is_valid(bits, row)};
}

// What one instruction moves, by its bytes.
template <int Bytes>
struct Moved;
template <>
struct Moved<2> { using type = unsigned short; };
template <>
struct Moved<4> { using type = unsigned int; };
template <>
struct Moved<8> { using type = unsigned long long; };
template <>
struct Moved<16> { using type = ulonglong2; };

// Elements that lie side by side, 16 bytes of them at most.
template <typename T, int W>
union Side {
  typename Moved<sizeof(T) * W>::type moved;
  T at[W];
};

// Loads W rows from `row` on, a multiple of W; behind the last row that one again.
template <int W, typename T>
__device__ inline void load_side(const T* values, const uint32_t* bits, int64_t row, int64_t rows, Maybe<T>* to) {
  if (row + W <= rows) {
    Side<T, W> side;
    side.moved = element(reinterpret_cast<const decltype(side.moved)*>(values + row));
    const uint32_t valid = bits == nullptr ? 0xffffffffu : bits[row >> 5] >> (row & 31);
    for (int i = 0; i < W; ++i) to[i] = Maybe<T>{side.at[i], ((valid >> i) & 1u) != 0};
  } else {
    for (int i = 0; i < W; ++i) to[i] = load(values, bits, row + i < rows ? row + i : rows - 1);
  }
}

// Every thread of a warp must come here, those beyond the last row too; a block is a multiple of 32 threads.
__device__ inline void store_valid(uint32_t* bits, int64_t row, int64_t rows, bool valid) {
#ifdef REWRIGHT_HOST
  if (row < rows) {
    const uint32_t mask = 1u << (row & 31);
    bits[row >> 5] = valid ? (bits[row >> 5] | mask) : (bits[row >> 5] & ~mask);
  }
#else
  const uint32_t word = __ballot_sync(0xffffffffu, valid && row < rows);
  if ((row & 31) == 0 && row < rows) bits[row >> 5] = word;
#endif
}

// The same for threads that do not come here together: after functions that call themselves the compiler does not bring a warp
// together again.
__device__ inline void store_valid_alone(uint32_t* bits, int64_t row, int64_t rows, bool valid) {
#ifdef REWRIGHT_HOST
  store_valid(bits, row, rows, valid);
#else
  if (row >= rows) return;
  const uint32_t mask = 1u << (row & 31);
  if (valid) {
    atomicOr(bits + (row >> 5), mask);
  } else {
    atomicAnd(bits + (row >> 5), ~mask);
  }
#endif
}

// Stores W rows from `row` on, a multiple of W, with the lowest W bits of `valid`. As with store_valid, every thread of a warp
// must come here.
template <int W, typename T>
__device__ inline void store_side(T* out, uint32_t* bits, int64_t row, int64_t rows, const T* from, uint32_t valid) {
  if (row + W <= rows) {
    Side<T, W> side;
    for (int i = 0; i < W; ++i) side.at[i] = from[i];
    *reinterpret_cast<decltype(side.moved)*>(out + row) = side.moved;
  } else {
    for (int i = 0; i < W; ++i) {
      if (row + i < rows) out[row + i] = from[i];
    }
  }
#ifdef REWRIGHT_HOST
  for (int i = 0; i < W; ++i) store_valid(bits, row + i, rows, ((valid >> i) & 1u) != 0);
#else
  const int threads = 32 / W;
  const int64_t left = rows - row;
  const uint32_t mask = left <= 0 ? 0u : left >= W ? (1u << W) - 1u : (1u << left) - 1u;
  uint32_t word = (valid & mask) << (threadIdx.x % threads * W);
  for (int step = 1; step < threads; step <<= 1) word |= __shfl_xor_sync(0xffffffffu, word, step);
  if (threadIdx.x % threads == 0 && row < rows) bits[row >> 5] = word;
#endif
}

}  // namespace rw
