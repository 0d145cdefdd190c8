// java.math.BigDecimal in 128 bits: an unscaled value and its scale. A row whose numbers need more bits is not covered.
#pragma once

#include "rw_number.cuh"

namespace rw {

struct Decimal {
  __int128 unscaled;
  int32_t scale;
  bool valid;

  __device__ bool is_null() const { return !valid; }
};

__device__ inline Decimal dec_of(int64_t value, int32_t scale) { return Decimal{value, scale, true}; }

__device__ inline int32_t dec_bits(__int128 v) {
  unsigned __int128 u = v < 0 ? 0 - static_cast<unsigned __int128>(v) : static_cast<unsigned __int128>(v);
  int32_t bits = 0;
  for (; u >= 256; u >>= 8) bits += 8;
  for (; u != 0; u >>= 1) ++bits;
  return bits;
}
__device__ inline __int128 dec_times(Row& row, __int128 a, __int128 b) {
  if (dec_bits(a) + dec_bits(b) > 126) {
    row.fail(kNotCovered);
    return 0;
  }
  return a * b;
}
__device__ inline __int128 dec_power(Row& row, int32_t n) {
  if (n < 0 || n > 37) {
    row.fail(kNotCovered);
    return 1;
  }
  __int128 p = 1;
  for (int32_t i = 0; i < n; ++i) p *= 10;
  return p;
}

// Rounding modes by their numbers: 0 UP, 1 DOWN, 2 CEILING, 3 FLOOR, 4 HALF_UP, 5 HALF_DOWN, 6 HALF_EVEN, 7 UNNECESSARY.
__device__ inline __int128 dec_quotient(Row& row, __int128 a, __int128 b, int32_t mode) {
  if (b == 0) {
    row.fail(kArithmeticException);
    return 0;
  }
  const __int128 q = a / b, r = a % b;
  if (r == 0) return q;
  const bool negative = (a < 0) != (b < 0);
  const __int128 rest = r < 0 ? -r : r, whole = b < 0 ? -b : b;
  const int32_t half = rest > whole - rest ? 1 : rest == whole - rest ? 0 : -1;
  bool away = false;
  switch (mode) {
    case 0: away = true; break;
    case 1: break;
    case 2: away = !negative; break;
    case 3: away = negative; break;
    case 4: away = half >= 0; break;
    case 5: away = half > 0; break;
    case 6: away = half > 0 || (half == 0 && q % 2 != 0); break;
    default: row.fail(kArithmeticException);
  }
  return away ? (negative ? q - 1 : q + 1) : q;
}

__device__ inline bool dec_missing(Row& row, Decimal a, Decimal b) {
  if (!a.valid || !b.valid) row.fail(kNullPointerException);
  return row.error != kNone;
}

// The unscaled value at a larger scale.
__device__ inline __int128 dec_at(Row& row, Decimal d, int32_t scale) {
  return d.unscaled == 0 ? 0 : dec_times(row, d.unscaled, dec_power(row, scale - d.scale));
}
__device__ inline Decimal dec_set_scale(Row& row, Decimal d, int32_t scale, int32_t mode) {
  if (!d.valid) {
    row.fail(kNullPointerException);
    return d;
  }
  if (scale >= d.scale) return Decimal{dec_at(row, d, scale), scale, true};
  return Decimal{dec_quotient(row, d.unscaled, dec_power(row, d.scale - scale), mode), scale, true};
}

__device__ inline Decimal dec_add(Row& row, Decimal a, Decimal b) {
  if (dec_missing(row, a, b)) return a;
  const int32_t scale = a.scale > b.scale ? a.scale : b.scale;
  const __int128 x = dec_at(row, a, scale), y = dec_at(row, b, scale);
  if (dec_bits(x) > 125 || dec_bits(y) > 125) row.fail(kNotCovered);
  return Decimal{row.error == kNone ? x + y : 0, scale, true};
}
__device__ inline Decimal dec_neg(Row& row, Decimal a) {
  if (!a.valid) row.fail(kNullPointerException);
  return Decimal{-a.unscaled, a.scale, true};
}
__device__ inline Decimal dec_sub(Row& row, Decimal a, Decimal b) {
  if (dec_missing(row, a, b)) return a;
  return dec_add(row, a, dec_neg(row, b));
}
__device__ inline Decimal dec_abs(Row& row, Decimal a) { return a.unscaled < 0 ? dec_neg(row, a) : dec_add(row, a, dec_of(0, a.scale)); }
__device__ inline Decimal dec_mul(Row& row, Decimal a, Decimal b) {
  if (dec_missing(row, a, b)) return a;
  return Decimal{dec_times(row, a.unscaled, b.unscaled), a.scale + b.scale, true};
}
// Scala rounds a product to 34 digits; what needs that is not covered.
__device__ inline Decimal dec_mul_scala(Row& row, Decimal a, Decimal b) {
  const Decimal product = dec_mul(row, a, b);
  const __int128 limit = dec_power(row, 34);
  if (product.unscaled >= limit || product.unscaled <= -limit) row.fail(kNotCovered);
  return product;
}
__device__ inline Decimal dec_divide(Row& row, Decimal a, Decimal b, int32_t scale, int32_t mode) {
  if (dec_missing(row, a, b)) return a;
  const int32_t shift = scale - a.scale + b.scale;
  __int128 x = a.unscaled, y = b.unscaled;
  if (y == 0) row.fail(kArithmeticException);
  if (row.error == kNone && shift > 0 && x != 0) x = dec_times(row, x, dec_power(row, shift));
  if (row.error == kNone && shift < 0) y = dec_times(row, y, dec_power(row, -shift));
  return row.error == kNone ? Decimal{dec_quotient(row, x, y, mode), scale, true} : a;
}

__device__ inline int32_t dec_signum(Row& row, Decimal a) {
  if (!a.valid) row.fail(kNullPointerException);
  return a.unscaled < 0 ? -1 : a.unscaled > 0 ? 1 : 0;
}
__device__ inline int32_t dec_scale(Row& row, Decimal a) {
  if (!a.valid) row.fail(kNullPointerException);
  return a.scale;
}
__device__ inline int32_t dec_compare(Row& row, Decimal a, Decimal b) {
  if (dec_missing(row, a, b)) return 0;
  const int32_t s = dec_signum(row, a), t = dec_signum(row, b);
  if (s != t) return s < t ? -1 : 1;
  const int32_t scale = a.scale > b.scale ? a.scale : b.scale;
  const __int128 x = dec_at(row, a, scale), y = dec_at(row, b, scale);
  return x < y ? -1 : x > y ? 1 : 0;
}
// The first one where both are equal.
__device__ inline Decimal dec_max(Row& row, Decimal a, Decimal b) { return dec_compare(row, a, b) >= 0 ? a : b; }
__device__ inline Decimal dec_min(Row& row, Decimal a, Decimal b) { return dec_compare(row, a, b) <= 0 ? a : b; }

// The low bits of the whole part.
__device__ inline int64_t dec_long(Row& row, Decimal a) {
  const Decimal whole = a.scale > 0 ? dec_set_scale(row, a, 0, 1) : dec_set_scale(row, a, 0, 7);
  return static_cast<int64_t>(whole.unscaled);
}
__device__ inline int32_t dec_int(Row& row, Decimal a) { return static_cast<int32_t>(dec_long(row, a)); }

// doubleValue where one exact division or multiplication gives it.
__device__ inline double dec_double(Row& row, Decimal a) {
  if (!a.valid) row.fail(kNullPointerException);
  if (dec_bits(a.unscaled) > 53 || a.scale > 22 || a.scale < -22) row.fail(kNotCovered);
  if (row.error != kNone) return 0;
  const double d = static_cast<double>(static_cast<int64_t>(a.unscaled));
  return a.scale >= 0 ? div(d, ten_to(a.scale)) : mul(d, ten_to(-a.scale));
}
// BigDecimal.valueOf(double): the digits of Double.toString.
__device__ inline Decimal dec_of_double(Row& row, double d) {
  if (d != d || isinf(d)) {
    row.fail(kNumberFormatException);
    return dec_of(0, 0);
  }
  const double a = fabs(d);
  const Decimal15 s = a == 0 ? Decimal15{0, 1} : a >= 1e-3 && a < 1e7 ? shortest(a, 18) : Decimal15{0, -1};
  if (s.places < 0) row.fail(kNotCovered);
  const int64_t digits = s.places == 0 ? s.digits * 10 : s.digits;
  return dec_of(d < 0 ? -digits : digits, s.places == 0 ? 1 : s.places);
}
// new BigDecimal(text) without an exponent, of up to 34 digits.
__device__ inline Decimal dec_parse(Row& row, Text t) {
  if (t.is_null()) row.fail(kNullPointerException);
  __int128 value = 0;
  int32_t digits = 0, places = 0, i = 0;
  bool point = false;
  const bool negative = t.size > 0 && t.bytes[0] == '-';
  if (negative || (t.size > 0 && t.bytes[0] == '+')) ++i;
  for (; i < t.size && row.error == kNone; ++i) {
    const uint8_t c = t.bytes[i];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      if (++digits > 34) row.fail(kNotCovered);
      if (point) ++places;
      value = value * 10 + (c - '0');
    } else {
      // An exponent, or a digit of another script, may still be a number.
      row.fail(c == 'e' || c == 'E' || c >= 0x80 ? kNotCovered : kNumberFormatException);
    }
  }
  if (digits == 0) row.fail(kNumberFormatException);
  return Decimal{negative ? -value : value, places, true};
}

// toPlainString of a scale from zero up.
__device__ inline Text dec_text(Row& row, Decimal a) {
  if (!a.valid) row.fail(kNullPointerException);
  if (a.scale < 0 || a.scale > 38) row.fail(kNotCovered);
  if (row.error != kNone) return null_text();
  unsigned __int128 rest = a.unscaled < 0 ? 0 - static_cast<unsigned __int128>(a.unscaled) : static_cast<unsigned __int128>(a.unscaled);
  uint8_t digits[80];
  int32_t n = 0;
  while (rest != 0 || n <= a.scale) {
    digits[n++] = static_cast<uint8_t>('0' + static_cast<int32_t>(rest % 10));
    rest /= 10;
  }
  Builder out;
  if (a.unscaled < 0) out.append(row, static_cast<uint16_t>('-'));
  while (n > 0) {
    if (n == a.scale) out.append(row, static_cast<uint16_t>('.'));
    out.append(row, static_cast<uint16_t>(digits[--n]));
  }
  return out.finish(row);
}
// toString: where it would write an exponent the row is not covered.
__device__ inline Text dec_shown(Row& row, Decimal a) {
  if (!a.valid) return Text{reinterpret_cast<const uint8_t*>("null"), 4, 4};
  int32_t digits = 1;
  for (__int128 v = a.unscaled / 10; v != 0; v /= 10) ++digits;
  if (a.scale < 0 || digits - 1 - a.scale < -6) row.fail(kNotCovered);
  return dec_text(row, a);
}

// A decimal column of some width.
template <typename T>
__device__ inline Decimal load_decimal(const T* values, const uint32_t* bits, int64_t at, int32_t scale) {
  return is_valid(bits, at) ? Decimal{values[at], scale, true} : Decimal{0, 0, false};
}
// Spark rounds a result to the column's scale, half up; one with too many digits becomes null.
__device__ inline __int128 store_decimal(Row& row, Decimal d, int32_t scale) {
  if (!d.valid || row.error != kNone) return 0;
  const __int128 limit = dec_power(row, 37);
  if (d.unscaled / 10 >= limit || d.unscaled / 10 <= -limit) row.fail(kNotCovered);
  return dec_set_scale(row, d, scale, 4).unscaled;
}
// Whether what was stored for a result has no more digits than the column.
__device__ inline bool decimal_fits(Row& row, Decimal d, __int128 v, int32_t precision) {
  if (!d.valid || row.error != kNone) return false;
  const __int128 limit = precision > 37 ? dec_power(row, 37) * 10 : dec_power(row, precision);
  return v < limit && v > -limit;
}

}  // namespace rw
