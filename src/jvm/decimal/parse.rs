//! `new BigDecimal(String)`: in, UTF-16 units; out, the decimal, or NumberFormatException.

use num_bigint::BigInt;

use super::JDecimal;
use crate::jvm::text::JStr;
use crate::jvm::unicode;
use crate::jvm::value::{Eval, Throw};

fn bad(message: impl Into<String>) -> Throw {
    Throw::exception("NumberFormatException", message)
}

impl JDecimal {
    /// `new BigDecimal(String)`.
    pub fn parse(text: &JStr) -> Eval<JDecimal> {
        let JStr::Ascii(text) = text else {
            let text: String = // Digits outside of the basic plane are two units, neither of which is a digit.
                text.to_utf8().chars().map(|c| ascii_digit(c).filter(|_| c.len_utf16() == 1).unwrap_or(c)).collect();
            return JDecimal::parse_ascii(&text);
        };
        JDecimal::parse_ascii(text)
    }

    /// The same for ASCII text.
    pub fn parse_ascii(text: &str) -> Eval<JDecimal> {
        let (negative, rest) = match text.as_bytes().first() {
            None => return Err(bad("Index 0 out of bounds for length 0")),
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            Some(_) => (false, text),
        };
        let (number, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], parse_exponent(&rest[at + 1..])?),
            None => (rest, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = format!("{whole}{fraction}");
        if fraction.contains('.') {
            return Err(bad("Character array contains more than one decimal point."));
        }
        if let Some(c) = digits.chars().find(|c| !c.is_ascii_digit()) {
            return Err(bad(format!(
                "Character {c} is neither a decimal digit number, decimal point, nor \"e\" notation exponential mark."
            )));
        }
        if digits.is_empty() {
            return Err(bad("No digits found."));
        }
        let scale = fraction.len() as i64 - exponent;
        let scale = i32::try_from(scale).map_err(|_| bad("Scale out of range."))?;
        let unscaled: BigInt = digits.parse().map_err(|_| bad("No digits found."))?;
        Ok(JDecimal::new(if negative { -unscaled } else { unscaled }, scale))
    }
}

/// The ASCII digit of the same value: Java takes the decimal digits of every script.
fn ascii_digit(c: char) -> Option<char> {
    unicode::digit(u32::from(c), 10).and_then(|d| char::from_digit(d, 10))
}

/// The exponent after its mark: a sign, then up to ten digits without leading zeros, within `Int`.
fn parse_exponent(text: &str) -> Eval<i64> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() {
        return Err(bad("No exponent digits."));
    }
    let significant = digits.trim_start_matches('0');
    if significant.len() > 10 && digits.len() > 10 {
        return Err(bad("Too many nonzero exponent digits."));
    }
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(bad("Not a digit."));
    }
    let value: i64 = if significant.is_empty() {
        0
    } else {
        significant.parse().map_err(|_| bad("Exponent overflow."))?
    };
    let value = if negative { -value } else { value };
    if i32::try_from(value).is_err() {
        return Err(bad("Exponent overflow."));
    }
    Ok(value)
}
