//! Small text rules that several casts share: what Spark trims, what a digit is, the forms of numbers.

/// Whether Spark's `trimAll` removes this byte: white space or an ISO control below U+0080.
pub fn is_trimmed(b: u8) -> bool {
    b <= 0x20 || b == 0x7f
}

/// The text without what `trimAll` removes.
pub fn trim_all(s: &str) -> &str {
    s.trim_matches(|c: char| c.is_ascii() && is_trimmed(c as u8))
}

/// The text without what `java.lang.String.trim` removes.
pub fn java_trim(s: &str) -> &str {
    s.trim_matches(|c: char| c <= ' ')
}

/// The ASCII digit of a decimal digit of any script within the basic plane, as `Character.digit` finds it.
pub fn digit_value(c: char) -> Option<char> {
    if c.is_ascii_digit() {
        return Some(c);
    }
    let code = c as u32;
    if !(0x660..=0xffff).contains(&code) {
        return None;
    }
    use unicode_general_category::{GeneralCategory, get_general_category};
    if get_general_category(c) != GeneralCategory::DecimalNumber {
        return None;
    }
    // Decimal digits come in runs of ten that begin with zero.
    let mut zero = code;
    while code - zero < 9
        && char::from_u32(zero - 1).is_some_and(|p| get_general_category(p) == GeneralCategory::DecimalNumber)
    {
        zero -= 1;
    }
    char::from_digit(code - zero, 10)
}

/// A whole number as `UTF8String.toLong` reads it; with `fraction`, digits after a point are checked and dropped.
pub fn parse_long(s: &str, fraction: bool) -> Option<i64> {
    let t = trim_all(s).as_bytes();
    let (negative, body) = match t.first()? {
        b'-' => (true, &t[1..]),
        b'+' => (false, &t[1..]),
        _ => (false, t),
    };
    if body.is_empty() {
        return None;
    }
    let mut n: i64 = 0;
    let mut i = 0;
    while i < body.len() {
        let b = body[i];
        i += 1;
        if b == b'.' && fraction {
            break;
        }
        if !b.is_ascii_digit() {
            return None;
        }
        n = n.checked_mul(10)?.checked_sub(i64::from(b - b'0'))?;
    }
    if !body[i..].iter().all(u8::is_ascii_digit) {
        return None;
    }
    if negative { Some(n) } else { n.checked_neg() }
}

/// What a text is to `Double.parseDouble`.
pub enum FloatText<'a> {
    /// A decimal number that Rust reads the same way.
    Decimal(&'a str),
    /// `NaN`, `Infinity` and their signs, or the words that only Spark knows.
    Special(f64),
    /// A hexadecimal form.
    Hex,
    /// No number.
    Bad,
}

/// Classifies a text as `Double.parseDouble`, and after it Spark's own special words, would.
pub fn float_text(s: &str) -> FloatText<'_> {
    let t = java_trim(s);
    let body = t.strip_prefix(['+', '-']).unwrap_or(t);
    let sign = if t.starts_with('-') { -1.0 } else { 1.0 };
    match body {
        "NaN" => return FloatText::Special(f64::NAN),
        "Infinity" => return FloatText::Special(sign * f64::INFINITY),
        _ => {}
    }
    if body.len() > 1 && (body.starts_with("0x") || body.starts_with("0X")) {
        return FloatText::Hex;
    }
    let number = body.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(body);
    if is_decimal(number) {
        let end = t.len() - (body.len() - number.len());
        return FloatText::Decimal(&t[..end]);
    }
    match t.to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" | "+infinity" => FloatText::Special(f64::INFINITY),
        "-inf" | "-infinity" => FloatText::Special(f64::NEG_INFINITY),
        "nan" => FloatText::Special(f64::NAN),
        _ => FloatText::Bad,
    }
}

fn is_decimal(s: &str) -> bool {
    let (mantissa, exponent) = match s.find(['e', 'E']) {
        Some(i) => (&s[..i], Some(&s[i + 1..])),
        None => (s, None),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |x: &str| x.bytes().all(|b| b.is_ascii_digit());
    let exponent_ok = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['+', '-']).unwrap_or(e);
        !e.is_empty() && all_digits(e)
    });
    all_digits(whole) && all_digits(part) && !(whole.is_empty() && part.is_empty()) && exponent_ok
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers() {
        assert_eq!(parse_long(" 1.5\u{7f}", true), Some(1));
        assert_eq!(parse_long("1.5", false), None);
        assert_eq!(parse_long("-9223372036854775808", false), Some(i64::MIN));
        assert_eq!(parse_long("9223372036854775808", false), None);
        assert_eq!(parse_long("+", true), None);
    }

    #[test]
    fn digits_of_other_scripts() {
        assert_eq!(digit_value('٣'), Some('3'));
        assert_eq!(digit_value('९'), Some('9'));
        assert_eq!(digit_value('x'), None);
    }
}
