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

// Of 128 bits, dividing by zero gives -1.
__device__ inline __int128 div(__int128 a, __int128 b) {
  if (b == 0) return -1;
  return b == -1 ? static_cast<__int128>(-static_cast<unsigned __int128>(a)) : a / b;
}
__device__ inline __int128 mod(__int128 a, __int128 b) {
  if (b == 0) return -1;
  return b == -1 ? 0 : a % b;
}

// Unscaled decimals wrap at the width of their type.
template <typename T>
__device__ inline __int128 add_wide(__int128 a, __int128 b) {
  return static_cast<T>(static_cast<unsigned __int128>(a) + static_cast<unsigned __int128>(b));
}
template <typename T>
__device__ inline __int128 sub_wide(__int128 a, __int128 b) {
  return static_cast<T>(static_cast<unsigned __int128>(a) - static_cast<unsigned __int128>(b));
}
template <typename T>
__device__ inline __int128 mul_wide(__int128 a, __int128 b) {
  return static_cast<T>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
}

// A day of the proleptic Gregorian calendar, from days since 1970.
struct Day {
  int64_t year, month, day, of_year;
};
__device__ inline bool is_leap(int64_t y) { return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); }
__device__ inline int64_t month_days(int64_t y, int64_t m) {
  return m == 2 ? (is_leap(y) ? 29 : 28) : m == 4 || m == 6 || m == 9 || m == 11 ? 30 : 31;
}
__device__ inline Day day_of(int64_t days) {
  const int64_t z = days + 719468;
  const int64_t era = coarser(z, 146097);
  const int64_t of_era = z - era * 146097;
  const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int64_t of_march = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t from_march = (5 * of_march + 2) / 153;
  const int64_t month = from_march < 10 ? from_march + 3 : from_march - 9;
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  // March begins on day 60 of a leap year, on day 59 of another.
  const int64_t of_year = month <= 2 ? of_march - 305 : of_march + 60 + (is_leap(year) ? 1 : 0);
  return Day{year, month, of_march - (153 * from_march + 2) / 5 + 1, of_year};
}

// One NaN, one zero.
__device__ inline double normal(double x) { return x != x ? __longlong_as_double(0x7ff8000000000000ll) : add(x, 0.0); }
__device__ inline float normal(float x) { return x != x ? __uint_as_float(0x7fc00000u) : add(x, 0.0f); }

}  // namespace cudf
}  // namespace rw
