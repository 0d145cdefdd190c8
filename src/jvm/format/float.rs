//! `%e`, `%f` and `%g`: the decimal text of the number, rounded half up.

use num_bigint::BigInt;
use num_traits::Signed;

use super::signed;
use super::spec::{Spec, flag};
use crate::jvm::decimal::JDecimal;
use crate::jvm::number_text::digits::{self, Digits, round_up};

/// A double under a specifier.
pub fn double(spec: &Spec, value: f64) -> String {
    let plain = |text: &str| {
        if spec.upper {
            text.to_uppercase()
        } else {
            text.to_string()
        }
    };
    if value.is_nan() {
        return plain("NaN");
    }
    let negative = value.is_sign_negative();
    if value.is_infinite() {
        return no_zeros(spec, |s| signed(s, negative, "Infinity", ""));
    }
    let number = digits::of_double(value.abs(), false);
    let precision = spec.precision.unwrap_or(6);
    let (digits, tail) = match spec.conversion {
        b'f' => (fixed(number, precision), String::new()),
        b'e' => scientific(number, precision, value == 0.0),
        _ => general(number, precision.max(1), value == 0.0),
    };
    let digits = with_point(spec, digits);
    signed(spec, negative, &digits, &tail)
}

/// A decimal under `%f`.
pub fn decimal(spec: &Spec, value: &JDecimal) -> String {
    let precision = spec.precision.unwrap_or(6) as i64;
    let magnitude = value.unscaled.abs();
    let shift = precision - i64::from(value.scale);
    let scaled = if shift >= 0 {
        magnitude * BigInt::from(10u32).pow(shift as u32)
    } else {
        let unit = BigInt::from(10u32).pow((-shift) as u32);
        (magnitude * 2u32 + &unit) / (unit * 2u32)
    };
    let mut text = scaled.to_string();
    let places = precision as usize;
    if places > 0 {
        if text.len() <= places {
            text = "0".repeat(places + 1 - text.len()) + &text;
        }
        text.insert(text.len() - places, '.');
    }
    signed(spec, value.unscaled.is_negative(), &with_point(spec, text), "")
}

/// Infinity is never padded with zeros nor grouped.
fn no_zeros(spec: &Spec, f: impl FnOnce(&Spec) -> String) -> String {
    let mut plain = spec.clone();
    plain.clear(flag::ZERO | flag::GROUP);
    f(&plain)
}

/// `#` asks for a point even without digits behind it.
fn with_point(spec: &Spec, digits: String) -> String {
    if spec.has(flag::ALTERNATE) && !digits.contains('.') {
        digits + "."
    } else {
        digits
    }
}

/// Keeps so many digits, half up; fewer than none leave nothing.
fn keep(mut number: Digits, count: i64) -> Digits {
    if count >= number.digits.len() as i64 {
        return number;
    }
    if count < 0 {
        number.digits = vec![0];
        return number;
    }
    let count = count as usize;
    let up = number.digits[count] >= 5;
    number.digits.truncate(count);
    if up && count == 0 {
        number.digits = vec![1];
        number.exponent += 1;
    } else if up {
        number.exponent += round_up(&mut number.digits);
    } else if count == 0 {
        number.digits = vec![0];
    }
    number
}

fn digit(number: &Digits, at: i64) -> char {
    let d = usize::try_from(at).ok().and_then(|i| number.digits.get(i));
    char::from(b'0' + d.copied().unwrap_or(0))
}

fn fixed(number: Digits, precision: usize) -> String {
    let count = i64::from(number.exponent) + precision as i64;
    let number = keep(number, count);
    let exponent = i64::from(number.exponent);
    let mut out: String = (0..exponent).map(|i| digit(&number, i)).collect();
    if out.is_empty() {
        out.push('0');
    }
    if precision > 0 {
        out.push('.');
        out.extend((0..precision as i64).map(|i| digit(&number, exponent + i)));
    }
    out
}

fn scientific(number: Digits, precision: usize, zero: bool) -> (String, String) {
    let number = keep(number, precision as i64 + 1);
    let exponent = if zero { 0 } else { number.exponent - 1 };
    let mut out = String::from(digit(&number, 0));
    if precision > 0 {
        out.push('.');
        out.extend((1..=precision as i64).map(|i| digit(&number, i)));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    (out, format!("e{sign}{:02}", exponent.abs()))
}

/// Plain from 10^-4 up to 10^precision after rounding, else with an exponent.
fn general(number: Digits, precision: usize, zero: bool) -> (String, String) {
    if zero {
        return (fixed(number, precision - 1), String::new());
    }
    let rounded = keep(number, precision as i64);
    let exponent = i64::from(rounded.exponent) - 1;
    if exponent < -4 || exponent >= precision as i64 {
        return scientific(rounded, precision - 1, false);
    }
    let places = precision as i64 - exponent - 1;
    (fixed(rounded, places.max(0) as usize), String::new())
}
