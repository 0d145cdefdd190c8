//! `Integer.parseInt`, `Long.parseLong`, `Integer.decode` and the radix texts of integers.

use crate::jvm::unicode;

/// The text is not a number of the type: `NumberFormatException`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberFormat;

/// `Long.parseLong(text, radix)` with the bounds of the target type; digits of any script count, as `Character.digit` says.
pub fn parse_integer(text: &[u16], radix: u32, min: i64, max: i64) -> Result<i64, NumberFormat> {
    if !(2..=36).contains(&radix) {
        return Err(NumberFormat);
    }
    let (negative, body) = match text.first() {
        Some(0x2d) => (true, &text[1..]),
        Some(0x2b) => (false, &text[1..]),
        _ => (false, text),
    };
    if body.is_empty() {
        return Err(NumberFormat);
    }
    let mut value: i128 = 0;
    for unit in body {
        let digit = unicode::digit(u32::from(*unit), radix).ok_or(NumberFormat)?;
        value = value * i128::from(radix) + i128::from(digit);
        if value > 1 << 64 {
            return Err(NumberFormat);
        }
    }
    let value = if negative { -value } else { value };
    if value < i128::from(min) || value > i128::from(max) {
        return Err(NumberFormat);
    }
    Ok(value as i64)
}

/// `Integer.decode`, `Long.decode`: sign, then `0x`, `#` or a leading zero for octal.
pub fn decode(text: &[u16], min: i64, max: i64) -> Result<i64, NumberFormat> {
    let sign = usize::from(matches!(text.first(), Some(0x2d | 0x2b)));
    let body = &text[sign..];
    let (radix, skip) = match body {
        [0x30, 0x78 | 0x58, ..] => (16, 2),
        [0x23, ..] => (16, 1),
        [0x30, _, ..] => (8, 1),
        _ => (10, 0),
    };
    let digits = &body[skip..];
    if matches!(digits.first(), None | Some(0x2d | 0x2b)) {
        return Err(NumberFormat);
    }
    let mut signed = text[..sign].to_vec();
    signed.extend_from_slice(digits);
    parse_integer(&signed, radix, min, max)
}

/// `Long.toString(value, radix)`; a radix out of range means ten.
pub fn radix_string(value: i64, radix: i32) -> String {
    let radix = if (2..=36).contains(&radix) { radix as u64 } else { 10 };
    let digits = unsigned_radix_string(value.unsigned_abs(), radix);
    if value < 0 { format!("-{digits}") } else { digits }
}

/// `Long.toHexString` and its kin.
pub fn unsigned_radix_string(mut value: u64, radix: u64) -> String {
    let mut out = Vec::new();
    loop {
        let digit = (value % radix) as u32;
        out.push(char::from_digit(digit, 36).unwrap_or('0'));
        value /= radix;
        if value == 0 {
            break;
        }
    }
    out.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_vectors::{Cell, vectors};

    fn check(file: &str, trim: bool, radix: u32, min: i64, max: i64) {
        for row in vectors(file).rows() {
            let Some(a) = row.units("a") else { continue };
            let a = if trim { crate::jvm::text::trim(&a).to_vec() } else { a };
            let got = parse_integer(&a, radix, min, max);
            match row.cell("jvm_result") {
                Cell::Error(class) => assert_eq!((class.as_str(), got), ("NumberFormatException", Err(NumberFormat))),
                _ => assert_eq!(got.ok(), row.parse::<i64>("jvm_result"), "{row:?}"),
            }
        }
    }

    #[test]
    fn text_parses_as_in_the_jvm() {
        check("parse_int", false, 10, i64::from(i32::MIN), i64::from(i32::MAX));
        check("parse_int_trimmed", true, 10, i64::from(i32::MIN), i64::from(i32::MAX));
        check("parse_hex_int", false, 16, i64::from(i32::MIN), i64::from(i32::MAX));
        check("parse_long", false, 10, i64::MIN, i64::MAX);
    }

    #[test]
    fn integers_print_as_in_the_jvm() {
        let rows = |file: &str, f: &dyn Fn(i64) -> String| {
            for row in vectors(file).rows() {
                if let Some(v) = row.parse::<i64>("a") {
                    assert_eq!(f(v), row.raw("jvm_result"), "{row:?}");
                }
            }
        };
        rows("int_to_hex", &|v| unsigned_radix_string(u64::from(v as i32 as u32), 16));
        rows("int_to_binary", &|v| {
            unsigned_radix_string(u64::from(v as i32 as u32), 2)
        });
        rows("long_to_hex", &|v| unsigned_radix_string(v as u64, 16));
        assert_eq!(radix_string(i64::MIN, 36), "-1y2p0ij32e8e8");
        assert_eq!(radix_string(-255, 16), "-ff");
    }

    #[test]
    fn decode_takes_the_prefixes_of_java() {
        let d = |s: &str| {
            decode(
                &s.encode_utf16().collect::<Vec<_>>(),
                i64::from(i32::MIN),
                i64::from(i32::MAX),
            )
        };
        assert_eq!(d("-0x10"), Ok(-16));
        assert_eq!(d("#ff"), Ok(255));
        assert_eq!(d("010"), Ok(8));
        assert_eq!(d("0"), Ok(0));
        assert_eq!(d("0x-1"), Err(NumberFormat));
        assert_eq!(d("-0x80000000"), Ok(i64::from(i32::MIN)));
        assert_eq!(d(""), Err(NumberFormat));
    }
}
