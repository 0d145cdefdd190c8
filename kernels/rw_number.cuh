// Floating-point numbers as text and back. Exact, or the row is not covered: numbers of up to 15 digits, and rounding to places.
#pragma once

#include "rw_text.cuh"

namespace rw {

// A power of ten that a double holds exactly, up to 22.
__device__ inline double ten_to(int32_t n) {
  double p = 1.0;
  for (int32_t i = 0; i < n; ++i) p = mul(p, 10.0);
  return p;
}

// Double.parseDouble for what one exact multiplication or division gives: a number below 2^53 and a power of ten up to 22.
__device__ inline double parse_double(Row& row, Text t) {
  if (t.is_null()) {
    row.fail(kNullPointerException);
    return 0;
  }
  const Text s = trim(row, t);
  int32_t i = 0, digits = 0, places = 0, exponent = 0;
  const bool negative = s.size > 0 && s.bytes[0] == '-';
  if (negative || (s.size > 0 && s.bytes[0] == '+')) ++i;
  const Text word = Text{s.bytes + i, s.size - i, s.size - i};
  if (same_text(word, Text{reinterpret_cast<const uint8_t*>("NaN"), 3, 3})) return nan("");
  if (same_text(word, Text{reinterpret_cast<const uint8_t*>("Infinity"), 8, 8})) return negative ? -infinity() : infinity();
  uint64_t value = 0;
  bool point = false;
  for (; i < s.size; ++i) {
    const uint8_t c = s.bytes[i];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      ++digits;
      if (point) ++places;
      if (value > 900719925474098ull) row.fail(kNotCovered);
      value = value * 10 + (c - '0');
    } else {
      break;
    }
  }
  if (digits == 0) {
    // What begins like a hexadecimal number is not looked at; anything else is no number.
    row.fail(kNumberFormatException);
    return 0;
  }
  if (i < s.size && (s.bytes[i] == 'x' || s.bytes[i] == 'X')) row.fail(kNotCovered);
  if (i < s.size && (s.bytes[i] == 'e' || s.bytes[i] == 'E')) {
    ++i;
    const bool minus = i < s.size && s.bytes[i] == '-';
    if (minus || (i < s.size && s.bytes[i] == '+')) ++i;
    const int32_t first = i;
    for (; i < s.size && s.bytes[i] >= '0' && s.bytes[i] <= '9'; ++i) {
      exponent = exponent * 10 + (s.bytes[i] - '0');
      if (exponent > 1000) row.fail(kNotCovered);
      if (row.error != kNone) return 0;
    }
    if (i == first) row.fail(kNumberFormatException);
    if (minus) exponent = -exponent;
  }
  if (i < s.size && (s.bytes[i] == 'f' || s.bytes[i] == 'F' || s.bytes[i] == 'd' || s.bytes[i] == 'D')) ++i;
  if (i != s.size) {
    // Not a number, whatever the digits were.
    row.error = kNone;
    row.fail(kNumberFormatException);
    return 0;
  }
  exponent -= places;
  if (value != 0 && (exponent < -22 || exponent > 22)) row.fail(kNotCovered);
  if (row.error != kNone) return 0;
  double d = static_cast<double>(value);
  if (value != 0) d = exponent < 0 ? div(d, ten_to(-exponent)) : mul(d, ten_to(exponent));
  // A product beyond 2^53 is rounded once, by the multiplication.
  return negative ? -d : d;
}

// The decimal of fewest places, up to `most`, that is read back as this number: digits, and how many of them are places; -1 where
// there is none of up to 15 digits.
struct Decimal15 {
  int64_t digits;
  int32_t places;
};
__device__ inline Decimal15 shortest(double d, int32_t most) {
  double power = 1.0;
  for (int32_t k = 0; k <= most; ++k, power = mul(power, 10.0)) {
    const double scaled = mul(d, power);
    if (scaled >= 1e15) break;
    const int64_t m = round_half_up(scaled);
    if (div(static_cast<double>(m), power) == d) return Decimal15{m, k};
  }
  return Decimal15{0, -1};
}

// What NaN and the infinities are written as, and the sign of every other number; whether that is all of it.
__device__ inline bool special_double(Row& row, Builder& out, double d) {
  if (d != d) {
    out.word(row, "NaN");
    return true;
  }
  if (signbit(d)) out.append(row, static_cast<uint16_t>('-'));
  if (isinf(d)) out.word(row, "Infinity");
  return isinf(d);
}

// Double.toString between 10^-3 and 10^7, where it writes no exponent.
__device__ inline Text double_text(Row& row, double d) {
  Builder out;
  if (special_double(row, out, d)) return out.finish(row);
  const double a = fabs(d);
  if (a == 0) {
    out.word(row, "0.0");
    return out.finish(row);
  }
  const Decimal15 s = a >= 1e-3 && a < 1e7 ? shortest(a, 18) : Decimal15{0, -1};
  if (s.places < 0) {
    row.fail(kNotCovered);
    return null_text();
  }
  uint64_t unit = 1;
  for (int32_t i = 0; i < s.places; ++i) unit *= 10;
  out.digits(row, static_cast<uint64_t>(s.digits) / unit);
  out.append(row, static_cast<uint16_t>('.'));
  out.digits(row, static_cast<uint64_t>(s.digits) % unit, 10, s.places == 0 ? 1 : s.places);
  return out.finish(row);
}
__device__ inline Text double_text(Row& row, Maybe<double> d) {
  return d.valid ? double_text(row, d.value) : Text{reinterpret_cast<const uint8_t*>("null"), 4, 4};
}

// %.nf: half up of the shortest decimal. Where that has more places than are kept and one, no tie is near and the exact value says
// which side it is on.
__device__ inline Text double_fixed(Row& row, double d, int32_t places) {
  Builder out;
  if (special_double(row, out, d)) return out.finish(row);
  const double a = fabs(d);
  if (a >= 1e15 || places > 9) {
    row.fail(kNotCovered);
    return null_text();
  }
  unsigned __int128 unit = 1;
  for (int32_t i = 0; i < places; ++i) unit *= 10;
  unsigned __int128 kept = 0;
  const Decimal15 s = shortest(a, places + 1);
  if (s.places >= 0 && s.places <= places) {
    kept = static_cast<unsigned __int128>(s.digits);
    for (int32_t i = s.places; i < places; ++i) kept *= 10;
  } else if (s.places == places + 1) {
    kept = static_cast<unsigned __int128>((s.digits + 5) / 10);
  } else if (a != 0) {
    const int64_t bits = __double_as_longlong(a);
    const int32_t power = static_cast<int32_t>(bits >> 52) - 1075;
    const unsigned __int128 scaled = static_cast<unsigned __int128>((bits & 0xFFFFFFFFFFFFFll) | (1ll << 52)) * unit;
    if (power >= 0) {
      kept = scaled << power;
    } else if (power > -120) {
      kept = scaled >> -power;
      if ((scaled >> (-power - 1)) & 1) kept += 1;
    }
  }
  const uint64_t whole = static_cast<uint64_t>(kept / unit), rest = static_cast<uint64_t>(kept % unit);
  out.digits(row, whole);
  if (places > 0) {
    out.append(row, static_cast<uint16_t>('.'));
    out.digits(row, rest, 10, places);
  }
  return out.finish(row);
}

}  // namespace rw
