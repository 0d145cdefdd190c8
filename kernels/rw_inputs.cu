// The rows that a test makes up, made where they are used: the same ones, to the bit, as the host makes from the same seed. Each thread
// makes one stretch of a column, because a stretch has streams of its own.
#include "rw_core.cuh"

// Rows of a stretch; a multiple of 32, so that no two threads share a word of the validity. The first rows are whole stretches.
constexpr int kStretch = 2048;

// A stream of numbers (SplitMix64).
struct Stream {
  uint64_t state;

  __device__ uint64_t next() {
    state += 0x9E3779B97F4A7C15ull;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  __device__ uint64_t below(uint64_t n) { return next() % n; }

  // Uniform in [0, 1): 53 bits.
  __device__ double unit() { return __dmul_rn(__ll2double_rn(static_cast<int64_t>(next() >> 11)), 1.1102230246251565e-16); }

  __device__ int64_t log_int(uint64_t bits) {
    const uint64_t width = below(bits);
    const uint64_t magnitude = width == 0 ? 0 : next() >> (64 - width);
    return static_cast<int64_t>((next() & 1) == 0 ? magnitude : 0 - magnitude);
  }
};

// What is made; the numbers are those of the host's list.
enum Kind : uint64_t { kBoolean, kByte, kShort, kInt, kLong, kFloat, kDouble, kDate, kTimestamp };

// The numbers that the function's text names: doubles, or whole numbers for columns of these.
struct Numbers {
  const uint64_t* bits;
  uint64_t count;

  __device__ uint64_t choose(Stream& stream) const { return bits[stream.below(count)]; }
};

__device__ double random_double(Stream& s, Numbers numbers, const double* powers) {
  const uint64_t kind = s.below(12);
  if (kind <= 3) return __ddiv_rn(__ll2double_rn(static_cast<int64_t>(s.below(2000001))) - 1000000.0, 100.0);
  if (kind <= 5) return __dmul_rn(s.unit() - 0.5, 20000.0);
  if (kind == 6) return __ddiv_rn(__ll2double_rn(static_cast<int64_t>(s.below(2000001))) - 1000000.0, 1000.0);
  if (kind == 7) return __ll2double_rn(s.log_int(40));
  if (kind == 8 && numbers.count > 0) {
    const double near = __longlong_as_double(static_cast<int64_t>(numbers.choose(s)));
    return __dadd_rn(near, s.unit() - 0.5);
  }
  if (kind == 9) return s.unit();
  if (kind == 10) {
    const double unit = s.unit() - 0.5;
    return __dmul_rn(unit, powers[s.below(40)]);
  }
  return __longlong_as_double(static_cast<int64_t>(s.next()));
}

__device__ int64_t random_whole(Stream& s, Numbers numbers, uint64_t bits) {
  const uint64_t kind = s.below(8);
  if (kind <= 2) return static_cast<int64_t>(s.below(201)) - 100;
  if (kind == 3) return static_cast<int64_t>(s.below(20001)) - 10000;
  if (kind == 4) {
    const uint64_t near = numbers.count > 0 ? numbers.choose(s) : 0;
    return static_cast<int64_t>(near + s.below(41) - 20);
  }
  if (kind <= 6) return s.log_int(bits);
  return static_cast<int64_t>(s.next());
}

// A float keeps what fits of the payload of a double that is not a number.
__device__ uint64_t float_bits(double v) {
  if (v == v) return __float_as_uint(__double2float_rn(v));
  const uint64_t bits = static_cast<uint64_t>(__double_as_longlong(v));
  return (bits >> 63 << 31) | 0x7FC00000ull | (bits >> 29 & 0x3FFFFFull);
}

__device__ uint64_t random_bits(uint64_t kind, Stream& s, Numbers numbers, const double* powers) {
  switch (kind) {
    case kBoolean: return (s.next() & 1) == 0;
    case kByte: return random_whole(s, numbers, 8);
    case kShort: return random_whole(s, numbers, 16);
    case kInt: return random_whole(s, numbers, 32);
    case kLong: return random_whole(s, numbers, 64);
    case kFloat: return float_bits(random_double(s, numbers, powers));
    case kDouble: return static_cast<uint64_t>(__double_as_longlong(random_double(s, numbers, powers)));
    case kDate: return static_cast<int64_t>(s.below(36525)) - 7305;
    default: return static_cast<int64_t>(__dmul_rn(s.unit(), 3.1e15)) - 600000000000000ll;
  }
}

__device__ uint64_t load(uint64_t kind, const void* in, int64_t row) {
  switch (kind) {
    case kBoolean:
    case kByte: return static_cast<const uint8_t*>(in)[row];
    case kShort: return static_cast<const uint16_t*>(in)[row];
    case kInt:
    case kFloat:
    case kDate: return static_cast<const uint32_t*>(in)[row];
    default: return static_cast<const uint64_t*>(in)[row];
  }
}

__device__ void store(uint64_t kind, void* out, int64_t row, uint64_t bits) {
  switch (kind) {
    case kBoolean:
    case kByte: static_cast<uint8_t*>(out)[row] = static_cast<uint8_t>(bits); break;
    case kShort: static_cast<uint16_t*>(out)[row] = static_cast<uint16_t>(bits); break;
    case kInt:
    case kFloat:
    case kDate: static_cast<uint32_t*>(out)[row] = static_cast<uint32_t>(bits); break;
    default: static_cast<uint64_t*>(out)[row] = bits;
  }
}

// Copies what the host has made of one column, and makes the stretches behind it. `counts` says how many edge values each of the
// `columns` has: which cells are null or edges is drawn for all columns together.
extern "C" __global__ void rw_inputs(uint64_t kind, uint64_t column, uint64_t columns, const uint64_t* counts,
                                     uint64_t seed, const void* begin, const uint32_t* begin_valid, int64_t first,
                                     void* out, uint32_t* valid, const uint64_t* edges, const uint64_t* near,
                                     uint64_t near_count, const double* powers, int64_t rows) {
  const int64_t from = (static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * kStretch;
  const int64_t end = from + kStretch < rows ? from + kStretch : rows;
  if (from < first) {
    for (int64_t row = from; row < end; ++row) {
      store(kind, out, row, load(kind, begin, row));
      if ((row & 31) == 0) valid[row / 32] = begin_valid[row / 32];
    }
    return;
  }
  const uint64_t k = (from - first) / kStretch;
  const uint64_t own = Stream{seed ^ (k + 1) * 0xD1B54A32D192ED03ull}.next();
  Stream picks{own};
  Stream values{own ^ (column + 1) * 0x9E3779B97F4A7C15ull};
  const Numbers numbers{near, near_count};
  uint32_t word = 0;
  for (int64_t row = from; row < end; ++row) {
    uint64_t bits = 0;
    for (uint64_t c = 0; c < columns; ++c) {
      const uint64_t pick = picks.below(20);
      const bool edge = pick >= 1 && pick <= 4 && counts[c] > 0;
      const uint64_t at = edge ? picks.below(counts[c]) : 0;
      if (c != column || pick == 0) continue;
      bits = edge ? edges[at] : random_bits(kind, values, numbers, powers);
      word |= 1u << (row & 31);
    }
    store(kind, out, row, bits);
    if ((row & 31) == 31 || row + 1 == end) {
      valid[row / 32] = word;
      word = 0;
    }
  }
}
