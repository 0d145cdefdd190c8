// Arithmetic as the JVM does it: integers wrap, integer division by zero throws, conversions from floats saturate, floats
// are never contracted to a fused multiply-add whatever flags the compiler is given.
#pragma once

#include "rw_core.cuh"

namespace rw {

template <typename T> struct Unsigned;
template <> struct Unsigned<int32_t> { using type = uint32_t; };
template <> struct Unsigned<int64_t> { using type = uint64_t; };

template <typename T>
__device__ inline T add(T a, T b) {
  using U = typename Unsigned<T>::type;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}
template <typename T>
__device__ inline T sub(T a, T b) {
  using U = typename Unsigned<T>::type;
  return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
}
template <typename T>
__device__ inline T mul(T a, T b) {
  using U = typename Unsigned<T>::type;
  return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
}
template <typename T>
__device__ inline T neg(T a) {
  return sub<T>(0, a);
}

#ifdef REWRIGHT_HOST
// The host compiler is called with -ffp-contract=off.
__device__ inline double add(double a, double b) { return a + b; }
__device__ inline double sub(double a, double b) { return a - b; }
__device__ inline double mul(double a, double b) { return a * b; }
__device__ inline float add(float a, float b) { return a + b; }
__device__ inline float sub(float a, float b) { return a - b; }
__device__ inline float mul(float a, float b) { return a * b; }
__device__ inline double div(double a, double b) { return a / b; }
__device__ inline float div(float a, float b) { return a / b; }
#else
__device__ inline double add(double a, double b) { return __dadd_rn(a, b); }
__device__ inline double sub(double a, double b) { return __dsub_rn(a, b); }
__device__ inline double mul(double a, double b) { return __dmul_rn(a, b); }
__device__ inline float add(float a, float b) { return __fadd_rn(a, b); }
__device__ inline float sub(float a, float b) { return __fsub_rn(a, b); }
__device__ inline float mul(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double div(double a, double b) { return __ddiv_rn(a, b); }
__device__ inline float div(float a, float b) { return __fdiv_rn(a, b); }
#endif

// a / b for a divisor that is known beforehand, with its reciprocal rounded to nearest. a * r is corrected by two remainders,
// which a fused multiply-add gives without an error; the second correction rounds as division does (Markstein's theorem). Where
// an intermediate result could underflow or overflow the device divides.
__device__ inline double div_by(double a, double b, double r) {
  const double size = b < 0 ? -b : b;
  if (!(size >= 1.0 / (1ll << 60) && size <= 1ll << 60)) return div(a, b);
  // The reciprocal of a power of two is exact.
  if ((static_cast<uint64_t>(__double_as_longlong(b)) & 0xfffffffffffffull) == 0) return mul(a, r);
  // From 2^-900 up to all finite numbers, or up to 2^892 where the quotient is larger than the dividend.
  const uint32_t high = static_cast<uint32_t>(static_cast<uint64_t>(__double_as_longlong(a)) >> 32) & 0x7fffffffu;
  if (high - 0x07b00000u < (size >= 1 ? 0x78400000u : 0x70000000u)) {
    const double first = mul(a, r);
    const double second = __fma_rn(__fma_rn(-b, first, a), r, first);
    return __fma_rn(__fma_rn(-b, second, a), r, second);
  }
  // Zeros, infinities and NaN.
  if (a == 0.0 || high >= 0x7ff00000u) return mul(a, r);
  return div(a, b);
}
__device__ inline double neg(double a) { return -a; }
__device__ inline float neg(float a) { return -a; }
__device__ inline double rem(double a, double b) { return fmod(a, b); }
__device__ inline float rem(float a, float b) { return fmodf(a, b); }

// MIN / -1 is MIN; the hardware's own answer is not defined.
template <typename T>
__device__ inline T div(Row& row, T a, T b) {
  if (b == 0) {
    row.fail(kArithmeticException);
    return 0;
  }
  return b == -1 ? neg<T>(a) : static_cast<T>(a / b);
}
template <typename T>
__device__ inline T rem(Row& row, T a, T b) {
  if (b == 0) {
    row.fail(kArithmeticException);
    return 0;
  }
  return b == -1 ? 0 : static_cast<T>(a % b);
}
template <typename T>
__device__ inline T floor_div(Row& row, T a, T b) {
  const T q = div<T>(row, a, b);
  return (row.error == kNone && rem<T>(row, a, b) != 0 && ((a < 0) != (b < 0))) ? sub<T>(q, 1) : q;
}
template <typename T>
__device__ inline T floor_mod(Row& row, T a, T b) {
  const T r = rem<T>(row, a, b);
  return (r != 0 && ((r < 0) != (b < 0))) ? add<T>(r, b) : r;
}

// Math.addExact and its kin: what does not fit throws.
template <typename T>
__device__ inline T add_exact(Row& row, T a, T b) {
  const T r = add<T>(a, b);
  if (((a ^ r) & (b ^ r)) < 0) row.fail(kArithmeticException);
  return r;
}
template <typename T>
__device__ inline T sub_exact(Row& row, T a, T b) {
  const T r = sub<T>(a, b);
  if (((a ^ b) & (a ^ r)) < 0) row.fail(kArithmeticException);
  return r;
}
template <typename T>
__device__ inline T mul_exact(Row& row, T a, T b) {
  const __int128 r = static_cast<__int128>(a) * b;
  if (r != static_cast<T>(r)) row.fail(kArithmeticException);
  return static_cast<T>(r);
}
template <typename T>
__device__ inline T neg_exact(Row& row, T a) { return sub_exact<T>(row, 0, a); }
template <typename T>
__device__ inline T next_exact(Row& row, T a) { return add_exact<T>(row, a, 1); }
template <typename T>
__device__ inline T previous_exact(Row& row, T a) { return sub_exact<T>(row, a, 1); }
template <typename T>
__device__ inline T int_exact(Row& row, int64_t a) {
  if (a != static_cast<int32_t>(a)) row.fail(kArithmeticException);
  return static_cast<T>(a);
}

// Integer.compare and its kin; those of floats put -0.0 before 0.0 and NaN last.
__device__ inline int32_t order_of(int32_t a, int32_t b) { return a < b ? -1 : a > b ? 1 : 0; }
__device__ inline int32_t order_of(int64_t a, int64_t b) { return a < b ? -1 : a > b ? 1 : 0; }
__device__ inline int32_t order_of(double a, double b) {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a == b && a != 0) return 0;
  if (a != a || b != b) return (a != a ? 1 : 0) - (b != b ? 1 : 0);
  return (signbit(b) ? 1 : 0) - (signbit(a) ? 1 : 0);
}
__device__ inline int32_t order_of(float a, float b) { return order_of(static_cast<double>(a), static_cast<double>(b)); }
__device__ inline int32_t sign_of(int32_t a) { return a < 0 ? -1 : a > 0 ? 1 : 0; }
__device__ inline int32_t sign_of(int64_t a) { return a < 0 ? -1 : a > 0 ? 1 : 0; }

__device__ inline int32_t bit_count(int32_t a) { return __popc(static_cast<unsigned>(a)); }
__device__ inline int32_t bit_count(int64_t a) { return __popcll(static_cast<unsigned long long>(a)); }
__device__ inline int32_t leading_zeros(int32_t a) { return __clz(a); }
__device__ inline int32_t leading_zeros(int64_t a) { return __clzll(a); }
__device__ inline int32_t trailing_zeros(int32_t a) { return a == 0 ? 32 : __ffs(a) - 1; }
__device__ inline int32_t trailing_zeros(int64_t a) { return a == 0 ? 64 : __ffsll(a) - 1; }

// Shift distances are taken modulo the width.
__device__ inline int32_t shl(int32_t a, int64_t n) { return static_cast<int32_t>(static_cast<uint32_t>(a) << (n & 31)); }
__device__ inline int64_t shl(int64_t a, int64_t n) { return static_cast<int64_t>(static_cast<uint64_t>(a) << (n & 63)); }
__device__ inline int32_t shr(int32_t a, int64_t n) { return a >> (n & 31); }
__device__ inline int64_t shr(int64_t a, int64_t n) { return a >> (n & 63); }
__device__ inline int32_t ushr(int32_t a, int64_t n) { return static_cast<int32_t>(static_cast<uint32_t>(a) >> (n & 31)); }
__device__ inline int64_t ushr(int64_t a, int64_t n) { return static_cast<int64_t>(static_cast<uint64_t>(a) >> (n & 63)); }

// NVRTC has no macro for it.
__device__ inline double infinity() { return __longlong_as_double(0x7FF0000000000000LL); }

// d.toInt, d.toLong: truncates, sticks at the ends, NaN is 0.
__device__ inline int32_t to_int(double x) {
  if (x != x) return 0;
  if (x >= 2147483647.0) return 2147483647;
  if (x <= -2147483648.0) return -2147483647 - 1;
  return static_cast<int32_t>(x);
}
__device__ inline int64_t to_long(double x) {
  if (x != x) return 0;
  if (x >= 9223372036854775808.0) return 9223372036854775807LL;
  if (x <= -9223372036854775808.0) return -9223372036854775807LL - 1;
  return static_cast<int64_t>(x);
}

// Math.round: floor(a + 1/2) without the error of that addition.
__device__ inline int64_t round_half_up(double x) {
  if (x != x) return 0;
  if (fabs(x) >= 4503599627370496.0) return to_long(x);
  const double low = floor(x);
  return static_cast<int64_t>(low) + (sub(x, low) >= 0.5 ? 1 : 0);
}
__device__ inline int32_t round_half_up(float x) {
  if (x != x) return 0;
  if (fabsf(x) >= 8388608.0f) return to_int(x);
  const float low = floorf(x);
  return static_cast<int32_t>(low) + (sub(x, low) >= 0.5f ? 1 : 0);
}

// Math.max, Math.min: NaN wins, 0.0 is larger than -0.0.
template <typename T>
__device__ inline T max_of(T a, T b) {
  if (a != a) return a;
  if (b != b) return b;
  if (a == 0 && b == 0) return add(a, b);
  return a > b ? a : b;
}
template <typename T>
__device__ inline T min_of(T a, T b) {
  if (a != a) return a;
  if (b != b) return b;
  if (a == 0 && b == 0) return neg(sub(neg(a), b));
  return a < b ? a : b;
}
__device__ inline int32_t max_of(int32_t a, int32_t b) { return a > b ? a : b; }
__device__ inline int32_t min_of(int32_t a, int32_t b) { return a < b ? a : b; }
__device__ inline int64_t max_of(int64_t a, int64_t b) { return a > b ? a : b; }
__device__ inline int64_t min_of(int64_t a, int64_t b) { return a < b ? a : b; }

// Math.abs: of MIN it is MIN; -0.0 becomes 0.0.
__device__ inline int32_t abs_of(int32_t a) { return a < 0 ? neg<int32_t>(a) : a; }
__device__ inline int64_t abs_of(int64_t a) { return a < 0 ? neg<int64_t>(a) : a; }
__device__ inline double abs_of(double a) { return fabs(a); }
__device__ inline float abs_of(float a) { return fabsf(a); }

// Math.pow: a NaN in the exponent counts whatever the base, and 1 to an infinite power is NaN.
__device__ inline double pow(double a, double b) {
  if (b != b || (isinf(b) && fabs(a) == 1.0)) return nan("");
  return ::pow(a, b);
}

// The JDK multiplies by a constant.
__device__ inline double to_radians(double a) { return mul(a, 0.017453292519943295); }
__device__ inline double to_degrees(double a) { return mul(a, 57.29577951308232); }

__device__ inline double signum(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }

}  // namespace rw
