// Element-wise calls of cuDF, with the values that it was measured to give: integers wrap, dividing one by zero gives what the
// device's routine leaves, shifts beyond the width give nothing, floats become integers as the conversion instructions do it.
// No header for candidates: it stands in the text of each kernel that is made of such a call.

#include "rw_arith.cuh"

namespace rw {
namespace cudf {

__device__ inline int32_t div(int32_t a, int32_t b) {
  return b == 0 ? -1 : b == -1 ? neg<int32_t>(a) : a / b;
}
__device__ inline int32_t mod(int32_t a, int32_t b) {
  return b == 0 ? -1 : b == -1 ? 0 : a % b;
}
__device__ inline int64_t by_zero(int64_t a) {
  return a >= 0 && a < (1ll << 32) ? 0xffffffffll : -1ll;
}
__device__ inline int64_t div(int64_t a, int64_t b) {
  return b == 0 ? by_zero(a) : b == -1 ? neg<int64_t>(a) : a / b;
}
__device__ inline int64_t mod(int64_t a, int64_t b) {
  return b == 0 ? by_zero(a) : b == -1 ? 0 : a % b;
}
__device__ inline double div(double a, double b) { return rw::div(a, b); }
__device__ inline double mod(double a, double b) { return rw::rem(a, b); }
__device__ inline float div(float a, float b) { return rw::div(a, b); }
__device__ inline float mod(float a, float b) { return rw::rem(a, b); }

template <typename T>
__device__ inline T floor_div(T a, T b) {
  const T q = div(a, b);
  return mod(a, b) != 0 && (a ^ b) < 0 ? sub<T>(q, 1) : q;
}
template <>
__device__ inline double floor_div(double a, double b) { return floor(div(a, b)); }
template <>
__device__ inline float floor_div(float a, float b) { return floorf(div(a, b)); }

template <typename T>
__device__ inline T pmod(T a, T b) {
  const T m = mod(a, b);
  return m < 0 ? mod(add(m, b), b) : m;
}
template <typename T>
__device__ inline T pymod(T a, T b) {
  return mod(add(mod(a, b), b), b);
}

// Distances are unsigned numbers of 32 bits.
template <typename T>
__device__ inline T shift_left(T a, T b) {
  const uint32_t n = static_cast<uint32_t>(b);
  using U = typename Unsigned<T>::type;
  return n < 8 * sizeof(T) ? static_cast<T>(static_cast<U>(a) << n) : 0;
}
template <typename T>
__device__ inline T shift_right(T a, T b) {
  const uint32_t n = static_cast<uint32_t>(b);
  const uint32_t most = 8 * sizeof(T) - 1;
  return a >> (n < most ? n : most);
}
// `mask` has the bits of the type that is shifted.
template <typename T>
__device__ inline T shift_right_unsigned(T a, T b, uint64_t mask) {
  const uint32_t n = static_cast<uint32_t>(b);
  return n < 8 * sizeof(T) ? static_cast<T>((static_cast<uint64_t>(a) & mask) >> n) : 0;
}

// Of NaN the conversions give the lowest number of 64 or 32 bits.
__device__ inline int32_t to_int32(double x) { return x != x ? -2147483647 - 1 : to_int(x); }
__device__ inline int64_t to_int64(double x) { return x != x ? -9223372036854775807ll - 1 : to_long(x); }
__device__ inline uint32_t to_uint32(double x) {
  if (x != x) return 0x80000000u;
  if (x <= 0) return 0;
  return x >= 4294967295.0 ? 0xffffffffu : static_cast<uint32_t>(static_cast<int64_t>(x));
}
__device__ inline uint64_t to_uint64(double x) {
  if (x != x) return 1ull << 63;
  if (x <= 0) return 0;
  if (x >= 18446744073709551616.0) return ~0ull;
  if (x < 9223372036854775808.0) return static_cast<uint64_t>(static_cast<int64_t>(x));
  return static_cast<uint64_t>(static_cast<int64_t>(x - 9223372036854775808.0)) + (1ull << 63);
}

// Coarser units of time: towards the past, or towards zero.
__device__ inline int64_t coarser(int64_t a, int64_t by) {
  const int64_t q = a / by;
  return a % by < 0 ? q - 1 : q;
}

// One NaN, one zero.
__device__ inline double normal(double x) { return x != x ? __longlong_as_double(0x7ff8000000000000ll) : add(x, 0.0); }
__device__ inline float normal(float x) { return x != x ? __uint_as_float(0x7fc00000u) : add(x, 0.0f); }

}  // namespace cudf
}  // namespace rw
