// Lets a host compiler build a kernel: one thread after the other, block by block. What depends on threads that run side by
// side (shared memory, warps, atomics) is not here and is refused before the compiler sees it. For checking outcomes where
// there is no GPU; never for timing.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <math.h>
#include <tuple>
#include <utility>

#define REWRIGHT_HOST 1
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)

struct dim3 {
  unsigned x, y, z;
};
struct uint3 {
  unsigned x, y, z;
};

// Set before every call; a kernel only reads them.
static uint3 threadIdx{0, 0, 0}, blockIdx{0, 0, 0};
static dim3 blockDim{1, 1, 1}, gridDim{1, 1, 1};
static const int warpSize = 32;

using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

// Vectors as CUDA has them, with its alignment.
#define REWRIGHT_VECTOR(T, N)                                                     \
  struct alignas(2 * sizeof(T)) N##2 { T x, y; };                                 \
  struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) N##4 { T x, y, z, w; }; \
  static inline N##2 make_##N##2(T x, T y) { return {x, y}; }                     \
  static inline N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
REWRIGHT_VECTOR(signed char, char)
REWRIGHT_VECTOR(unsigned char, uchar)
REWRIGHT_VECTOR(short, short)
REWRIGHT_VECTOR(unsigned short, ushort)
REWRIGHT_VECTOR(int, int)
REWRIGHT_VECTOR(unsigned, uint)
REWRIGHT_VECTOR(long long, longlong)
REWRIGHT_VECTOR(unsigned long long, ulonglong)
REWRIGHT_VECTOR(float, float)
REWRIGHT_VECTOR(double, double)
#undef REWRIGHT_VECTOR

#define REWRIGHT_LEAST(T)                                   \
  static inline T min(T a, T b) { return b < a ? b : a; }   \
  static inline T max(T a, T b) { return a < b ? b : a; }
REWRIGHT_LEAST(int)
REWRIGHT_LEAST(unsigned)
REWRIGHT_LEAST(long)
REWRIGHT_LEAST(unsigned long)
REWRIGHT_LEAST(long long)
REWRIGHT_LEAST(unsigned long long)
#undef REWRIGHT_LEAST
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }

// Loads that go round a cache are loads.
template <typename T>
static inline T __ldg(const T* p) {
  return *p;
}
template <typename T>
static inline T __ldcs(const T* p) {
  return *p;
}

// Rounding to nearest is what the host does; it is called without contraction.
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline float __double2float_rn(double a) { return static_cast<float>(a); }
static inline double __int2double_rn(int a) { return a; }
static inline double __ll2double_rn(long long a) { return static_cast<double>(a); }
static inline float __ll2float_rn(long long a) { return static_cast<float>(a); }
static inline float __int2float_rn(int a) { return static_cast<float>(a); }

template <typename To, typename From>
static inline To rewright_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}
static inline long long __double_as_longlong(double a) { return rewright_bits<long long>(a); }
static inline double __longlong_as_double(long long a) { return rewright_bits<double>(a); }
static inline int __float_as_int(float a) { return rewright_bits<int>(a); }
static inline unsigned __float_as_uint(float a) { return rewright_bits<unsigned>(a); }
static inline float __int_as_float(int a) { return rewright_bits<float>(a); }
static inline float __uint_as_float(unsigned a) { return rewright_bits<float>(a); }

static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
static inline int __clz(int a) { return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a)); }
static inline int __clzll(long long a) { return a == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(a)); }
static inline int __ffs(int a) { return __builtin_ffs(a); }
static inline int __ffsll(long long a) { return __builtin_ffsll(a); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
static inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
static inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
static inline int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }

// Calls a kernel once per thread. `args` holds a pointer to each argument, as for a launch.
template <typename... P, std::size_t... I>
static void rewright_call(void (*kernel)(P...), void** args, long long blocks, unsigned threads,
                          std::index_sequence<I...>) {
  const std::tuple<P...> values{*static_cast<P*>(args[I])...};
  gridDim = dim3{static_cast<unsigned>(blocks), 1, 1};
  blockDim = dim3{threads, 1, 1};
  for (long long block = 0; block < blocks; ++block) {
    blockIdx.x = static_cast<unsigned>(block);
    for (unsigned thread = 0; thread < threads; ++thread) {
      threadIdx.x = thread;
      kernel(std::get<I>(values)...);
    }
  }
}
template <typename... P>
static void rewright_launch_all(void (*kernel)(P...), void** args, long long blocks, unsigned threads) {
  rewright_call(kernel, args, blocks, threads, std::index_sequence_for<P...>{});
}
