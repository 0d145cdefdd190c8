//! What `java.lang.Character` of JDK 17 (Unicode 13) says about code points. In: a code point, which may be a lone
//! surrogate; out: categories, predicates, digits and case. Never newer than Unicode 13, whatever the tables beneath know.

mod assigned_later;
pub mod case_map;

use std::sync::LazyLock;

pub use unicode_general_category::GeneralCategory as Category;

/// The general category.
pub fn category(cp: u32) -> Category {
    if cp < 0x1_0000 {
        return BMP[cp as usize];
    }
    compute_category(cp)
}

/// Looked up for every character of every row, so the basic plane is kept flat.
static BMP: LazyLock<Vec<Category>> = LazyLock::new(|| (0..0x1_0000).map(compute_category).collect());

fn compute_category(cp: u32) -> Category {
    let Some(c) = char::from_u32(cp) else {
        return Category::Surrogate;
    };
    if assigned_later(cp) {
        return Category::Unassigned;
    }
    match cp {
        // Became spacing marks in Unicode 14.
        0x1734 | 0x1171e => Category::NonspacingMark,
        _ => unicode_general_category::get_general_category(c),
    }
}

/// Whether a version of Unicode after that of JDK 17 assigns a code point.
pub fn is_assigned_later(cp: u32) -> bool {
    assigned_later(cp)
}

fn assigned_later(cp: u32) -> bool {
    assigned_later::ASSIGNED_AFTER_13
        .binary_search_by(|(first, last)| {
            if cp < *first {
                std::cmp::Ordering::Greater
            } else if cp > *last {
                std::cmp::Ordering::Less
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}

/// `Character.getType`.
pub fn java_type(cp: u32) -> i32 {
    use Category::*;
    match category(cp) {
        UppercaseLetter => 1,
        LowercaseLetter => 2,
        TitlecaseLetter => 3,
        ModifierLetter => 4,
        OtherLetter => 5,
        NonspacingMark => 6,
        EnclosingMark => 7,
        SpacingMark => 8,
        DecimalNumber => 9,
        LetterNumber => 10,
        OtherNumber => 11,
        SpaceSeparator => 12,
        LineSeparator => 13,
        ParagraphSeparator => 14,
        Control => 15,
        Format => 16,
        PrivateUse => 18,
        Surrogate => 19,
        DashPunctuation => 20,
        OpenPunctuation => 21,
        ClosePunctuation => 22,
        ConnectorPunctuation => 23,
        OtherPunctuation => 24,
        MathSymbol => 25,
        CurrencySymbol => 26,
        ModifierSymbol => 27,
        OtherSymbol => 28,
        InitialPunctuation => 29,
        FinalPunctuation => 30,
        _ => 0,
    }
}

/// `Character.isDigit`.
pub fn is_digit(cp: u32) -> bool {
    category(cp) == Category::DecimalNumber
}

/// `Character.isLetter`.
pub fn is_letter(cp: u32) -> bool {
    use Category::*;
    matches!(
        category(cp),
        UppercaseLetter | LowercaseLetter | TitlecaseLetter | ModifierLetter | OtherLetter
    )
}

/// `Character.isLetterOrDigit`.
pub fn is_letter_or_digit(cp: u32) -> bool {
    is_letter(cp) || is_digit(cp)
}

/// `Character.isSpaceChar`.
pub fn is_space_char(cp: u32) -> bool {
    use Category::*;
    matches!(category(cp), SpaceSeparator | LineSeparator | ParagraphSeparator)
}

/// `Character.isWhitespace`: spaces but the no-break ones, and nine control characters.
pub fn is_whitespace(cp: u32) -> bool {
    match cp {
        9..=13 | 28..=32 => true,
        0..=0x7f | 0xa0 | 0x2007 | 0x202f => false,
        _ => is_space_char(cp),
    }
}

/// `Character.isAlphabetic`.
pub fn is_alphabetic(cp: u32) -> bool {
    // Other_Alphabetic since Unicode 14 or later.
    let later = matches!(cp, 0x363..=0x36f | 0xc04 | 0xf82..=0xf83 | 0x1dd3..=0x1de6 | 0x11080..=0x11081);
    !later && property(cp, char::is_alphabetic)
}

/// `Character.isUpperCase`.
pub fn is_upper_case(cp: u32) -> bool {
    property(cp, char::is_uppercase)
}

/// `Character.isLowerCase`.
pub fn is_lower_case(cp: u32) -> bool {
    match cp {
        0x295 => true,
        0x10fc | 0xab69 => false,
        _ => property(cp, char::is_lowercase),
    }
}

/// `Character.isIdeographic`, for the ranges that Unicode 13 assigns.
pub fn is_ideographic(cp: u32) -> bool {
    let ranges = matches!(cp, 0x3006..=0x3007 | 0x3021..=0x3029 | 0x3038..=0x303a | 0x3400..=0x4dbf | 0x4e00..=0x9fff
        | 0xf900..=0xfa6d | 0xfa70..=0xfad9 | 0x16fe4 | 0x17000..=0x187f7 | 0x18800..=0x18cd5 | 0x18d00..=0x18d08
        | 0x1b170..=0x1b2fb | 0x20000..=0x2a6dd | 0x2a700..=0x2b734 | 0x2b740..=0x2b81d | 0x2b820..=0x2cea1
        | 0x2ceb0..=0x2ebe0 | 0x2f800..=0x2fa1d | 0x30000..=0x3134a);
    ranges && category(cp) != Category::Unassigned
}

/// A property of Rust's tables where Unicode 13 assigns the code point.
fn property(cp: u32, has: fn(char) -> bool) -> bool {
    char::from_u32(cp).is_some_and(has) && category(cp) != Category::Unassigned
}

/// `Character.isISOControl`.
pub fn is_iso_control(cp: u32) -> bool {
    matches!(cp, 0..=0x1f | 0x7f..=0x9f)
}

/// `Character.digit(cp, radix)`: digits of any script, Latin letters also in full width.
pub fn digit(cp: u32, radix: u32) -> Option<u32> {
    if !(2..=36).contains(&radix) {
        return None;
    }
    let letter = |base: u32| Some(cp - base + 10);
    let value = match cp {
        0x30..=0x39 => Some(cp - 0x30),
        0x41..=0x5a => letter(0x41),
        0x61..=0x7a => letter(0x61),
        0..=0x7f => None,
        0xff21..=0xff3a => letter(0xff21),
        0xff41..=0xff5a => letter(0xff41),
        // The mathematical digits: five styles of ten.
        0x1d7ce..=0x1d7ff => Some((cp - 0x1d7ce) % 10),
        _ if is_digit(cp) => Some(decimal_value(cp)),
        _ => None,
    }?;
    (value < radix).then_some(value)
}

/// Everywhere else ten digits start at a code point that ends in hexadecimal 0 or 6.
fn decimal_value(cp: u32) -> u32 {
    let low = cp & 15;
    if low < 6 || is_digit(cp & !15) { low } else { low - 6 }
}

/// `Character.getNumericValue`; `Err` for the characters (fractions, Roman and other numerals, some compatibility
/// ideographs) whose value is not covered.
pub fn numeric_value(cp: u32) -> Result<i32, String> {
    if let Some(value) = digit(cp, 36) {
        return Ok(value as i32);
    }
    let numeral = matches!(category(cp), Category::LetterNumber | Category::OtherNumber);
    if numeral || matches!(cp, 0xf900..=0xfaff | 0x2f800..=0x2fa1f) {
        return Err(format!("the numeric value of U+{cp:04X} is not covered"));
    }
    Ok(-1)
}

/// Splits UTF-16 into code points; lone surrogates stand for themselves.
pub fn code_points(units: &[u16]) -> impl Iterator<Item = u32> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (cp, len) = code_point_at(units, at)?;
        at += len;
        Some(cp)
    })
}

/// The code point at an index and its length in units, as `Character.codePointAt` reads it.
pub fn code_point_at(units: &[u16], at: usize) -> Option<(u32, usize)> {
    let first = *units.get(at)?;
    if is_high(first)
        && let Some(second) = units.get(at + 1)
        && is_low(*second)
    {
        return Some((join(first, *second), 2));
    }
    Some((u32::from(first), 1))
}

/// The code point that ends before an index and its length, as `Character.codePointBefore` reads it.
pub fn code_point_before(units: &[u16], at: usize) -> Option<(u32, usize)> {
    let last = *units.get(at.checked_sub(1)?)?;
    if is_low(last)
        && let Some(first) = at.checked_sub(2).map(|i| units[i])
        && is_high(first)
    {
        return Some((join(first, last), 2));
    }
    Some((u32::from(last), 1))
}

/// Appends a code point.
pub fn push(out: &mut Vec<u16>, cp: u32) {
    if cp < 0x1_0000 {
        out.push(cp as u16);
    } else {
        out.push(0xd800 + ((cp - 0x1_0000) >> 10) as u16);
        out.push(0xdc00 + ((cp - 0x1_0000) & 0x3ff) as u16);
    }
}

/// `Character.isHighSurrogate`.
pub fn is_high(unit: u16) -> bool {
    (0xd800..0xdc00).contains(&unit)
}

/// `Character.isLowSurrogate`.
pub fn is_low(unit: u16) -> bool {
    (0xdc00..0xe000).contains(&unit)
}

fn join(high: u16, low: u16) -> u32 {
    0x1_0000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(low) - 0xdc00)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_vectors::golden;

    #[test]
    fn every_code_point_has_the_type_and_properties_of_the_jvm() {
        for row in golden("jvm/unicode_types.csv").rows() {
            let hex = |c: &str| u32::from_str_radix(row.raw(c), 16).unwrap();
            let (ty, flags): (i32, u32) = (row.parse("type").unwrap(), row.parse("flags").unwrap());
            for cp in (hex("first")..=hex("last")).filter(|cp| *cp < 0x3_2000 || cp % 251 == 0) {
                let got = [
                    is_whitespace(cp),
                    is_space_char(cp),
                    is_alphabetic(cp),
                    is_upper_case(cp),
                    is_lower_case(cp),
                ];
                let got = got.iter().enumerate().fold(0, |acc, (i, b)| acc | u32::from(*b) << i);
                assert_eq!((java_type(cp), got), (ty, flags), "U+{cp:04X}");
            }
        }
    }

    #[test]
    fn every_digit_has_the_value_of_the_jvm() {
        let mut golden_digits = std::collections::HashMap::new();
        for row in golden("jvm/unicode_digits.csv").rows() {
            let cp = u32::from_str_radix(row.raw("code_point"), 16).unwrap();
            golden_digits.insert(
                cp,
                (
                    row.parse::<i32>("digit36").unwrap(),
                    row.parse::<i32>("numeric").unwrap(),
                ),
            );
        }
        for cp in (0..=0x10_ffff).filter(|cp| *cp < 0x3_2000 || cp % 251 == 0) {
            let (want, numeric) = golden_digits.get(&cp).copied().unwrap_or((-1, -1));
            assert_eq!(digit(cp, 36).map_or(-1, |d| d as i32), want, "U+{cp:04X}");
            if let Ok(n) = numeric_value(cp) {
                assert_eq!(n, numeric, "U+{cp:04X}");
            }
        }
    }
}
