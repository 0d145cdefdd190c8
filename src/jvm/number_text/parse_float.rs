//! `Double.parseDouble` and `Float.parseFloat`: correctly rounded, decimal and hexadecimal.

use super::integer::NumberFormat;

/// `Double.parseDouble`.
pub fn parse_double(text: &[u16]) -> Result<f64, NumberFormat> {
    match read(text)? {
        Read::Special(v) => Ok(v),
        Read::Decimal(s) => s.parse().map_err(|_| NumberFormat),
        Read::Hex(h) => Ok(f64::from_bits(h.round(52, 1023))),
    }
}

/// `Float.parseFloat`: rounded once, not through double.
pub fn parse_float(text: &[u16]) -> Result<f32, NumberFormat> {
    match read(text)? {
        Read::Special(v) => Ok(v as f32),
        Read::Decimal(s) => s.parse().map_err(|_| NumberFormat),
        Read::Hex(h) => Ok(f32::from_bits(h.round(23, 127) as u32)),
    }
}

enum Read {
    Special(f64),
    /// Text of the form that Rust's correctly rounding parser takes.
    Decimal(String),
    Hex(Hex),
}

/// Everything up to U+0020 is trimmed, then the grammar of `Double.valueOf`.
fn read(text: &[u16]) -> Result<Read, NumberFormat> {
    let trimmed = crate::jvm::text::trim(text);
    let ascii: Vec<u8> = trimmed
        .iter()
        .map(|u| u8::try_from(*u).ok().filter(u8::is_ascii).ok_or(NumberFormat))
        .collect::<Result<_, _>>()?;
    let (sign, body) = match ascii.first() {
        Some(b'-') => (-1.0, &ascii[1..]),
        Some(b'+') => (1.0, &ascii[1..]),
        _ => (1.0, &ascii[..]),
    };
    match body {
        b"NaN" => return Ok(Read::Special(f64::NAN)),
        b"Infinity" => return Ok(Read::Special(sign * f64::INFINITY)),
        _ => {}
    }
    if let [b'0', b'x' | b'X', rest @ ..] = body {
        return Hex::parse(sign < 0.0, rest).map(Read::Hex);
    }
    let body = match body {
        [rest @ .., b'd' | b'D' | b'f' | b'F'] => rest,
        other => other,
    };
    if !is_decimal(body) {
        return Err(NumberFormat);
    }
    let mut s = if sign < 0.0 { "-".to_string() } else { String::new() };
    s.extend(body.iter().map(|b| char::from(*b)));
    Ok(Read::Decimal(clamp_exponent(s)))
}

/// Digits with at most one point, then an optional exponent; at least one digit in each.
fn is_decimal(body: &[u8]) -> bool {
    let (mantissa, exponent) = match body.iter().position(|b| matches!(b, b'e' | b'E')) {
        Some(at) => (&body[..at], Some(&body[at + 1..])),
        None => (body, None),
    };
    let digits = mantissa.iter().filter(|b| b.is_ascii_digit()).count();
    let points = mantissa.iter().filter(|b| **b == b'.').count();
    let exponent_ok = exponent.is_none_or(|e| {
        let e = e.strip_prefix(b"-").or(e.strip_prefix(b"+")).unwrap_or(e);
        !e.is_empty() && e.iter().all(u8::is_ascii_digit)
    });
    digits > 0 && points <= 1 && digits + points == mantissa.len() && exponent_ok
}

/// An exponent of more digits than any integer type holds still means zero or infinity.
fn clamp_exponent(s: String) -> String {
    let Some(at) = s.find(['e', 'E']) else { return s };
    let (mantissa, exponent) = (&s[..at], &s[at + 1..]);
    let digits = exponent.trim_start_matches(['-', '+']).trim_start_matches('0');
    if digits.len() <= 8 {
        return s;
    }
    let sign = if exponent.starts_with('-') { "-" } else { "" };
    format!("{mantissa}e{sign}99999999")
}

/// A hexadecimal number: `0.bits × 2^…` collected as an integer and a power of two.
struct Hex {
    negative: bool,
    /// The first significant bits, top bit at most at 2^63.
    mantissa: u64,
    /// Whether anything below `mantissa` was set.
    sticky: bool,
    /// Power of two of the mantissa's lowest bit.
    exponent: i64,
}

impl Hex {
    fn parse(negative: bool, body: &[u8]) -> Result<Hex, NumberFormat> {
        let p = body.iter().position(|b| matches!(b, b'p' | b'P')).ok_or(NumberFormat)?;
        let (digits, power) = (&body[..p], &body[p + 1..]);
        let power = match power {
            [rest @ .., b'd' | b'D' | b'f' | b'F'] => rest,
            other => other,
        };
        let exponent = parse_power(power)?;
        let mut hex = Hex {
            negative,
            mantissa: 0,
            sticky: false,
            exponent: 0,
        };
        let (mut count, mut after_point) = (0, false);
        for b in digits {
            if *b == b'.' && !after_point {
                after_point = true;
                continue;
            }
            let d = char::from(*b).to_digit(16).ok_or(NumberFormat)?;
            count += 1;
            if hex.mantissa >> 59 == 0 {
                hex.mantissa = hex.mantissa << 4 | u64::from(d);
                hex.exponent -= if after_point { 4 } else { 0 };
            } else {
                hex.sticky |= d != 0;
                hex.exponent += if after_point { 0 } else { 4 };
            }
        }
        if count == 0 {
            return Err(NumberFormat);
        }
        hex.exponent += exponent;
        Ok(hex)
    }

    /// Rounds half to even into a format with so many fraction bits and such a bias; returns its bits.
    fn round(&self, fraction_bits: u32, bias: i64) -> u64 {
        let sign_shift = if fraction_bits == 52 { 63 } else { 31 };
        let sign = u64::from(self.negative) << sign_shift;
        if self.mantissa == 0 {
            return sign;
        }
        let infinity = (2 * bias as u64 + 1) << fraction_bits;
        let top = 63 - i64::from(self.mantissa.leading_zeros());
        let exponent = self.exponent.saturating_add(top);
        if exponent > bias {
            return sign | infinity;
        }
        // Power of two of the result's lowest bit; subnormals share the smallest.
        let lowest = exponent.max(1 - bias) - i64::from(fraction_bits);
        let drop = lowest - self.exponent;
        let value = if drop <= 0 {
            self.mantissa << (-drop)
        } else if drop > 64 {
            0
        } else {
            let wide = u128::from(self.mantissa);
            let kept = (wide >> drop) as u64;
            let rest = wide & ((1u128 << drop) - 1);
            let half = 1u128 << (drop - 1);
            let up = rest > half || (rest == half && (self.sticky || kept & 1 == 1));
            kept + u64::from(up)
        };
        // The hidden bit adds one to the exponent field by itself, and so does a carry.
        let field = (exponent.max(1 - bias) + bias - 1) as u64;
        sign | ((field << fraction_bits) + value)
    }
}

fn parse_power(power: &[u8]) -> Result<i64, NumberFormat> {
    let (sign, digits) = match power {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        other => (1, other),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(NumberFormat);
    }
    let magnitude = digits
        .iter()
        .fold(0i64, |acc, d| (acc * 10 + i64::from(d - b'0')).min(1 << 40));
    Ok(sign * magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_vectors::{Cell, golden, vectors};

    #[test]
    fn doubles_parse_as_in_the_jvm() {
        for v in [vectors("parse_double"), golden("jvm/parse_double.csv")] {
            for row in v.rows() {
                let Some(a) = row.units("a") else { continue };
                let got = parse_double(&a);
                match row.cell("jvm_result") {
                    Cell::Error(_) => assert_eq!(got, Err(NumberFormat), "{row:?}"),
                    _ => {
                        let (got, want) = (got.expect("parses"), row.f64("jvm_result").expect("bits"));
                        assert!(
                            got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(),
                            "{row:?}: {got}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn floats_parse_as_in_the_jvm() {
        for v in [vectors("parse_float"), golden("jvm/parse_float.csv")] {
            for row in v.rows() {
                let Some(a) = row.units("a") else { continue };
                let got = parse_float(&a);
                match row.cell("jvm_result") {
                    Cell::Error(_) => assert_eq!(got, Err(NumberFormat), "{row:?}"),
                    _ => {
                        let (got, want) = (got.expect("parses"), row.f32("jvm_result").expect("bits"));
                        assert!(
                            got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(),
                            "{row:?}: {got}"
                        );
                    }
                }
            }
        }
    }
}
