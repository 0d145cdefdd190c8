//! The syntax of format specifiers and the checks that the JDK makes before it looks at arguments.

use super::{FormatError, Made, throws};

/// Flags as bits.
pub mod flag {
    /// `-`.
    pub const LEFT: u16 = 1;
    /// `#`.
    pub const ALTERNATE: u16 = 2;
    /// `+`.
    pub const PLUS: u16 = 4;
    /// A blank.
    pub const SPACE: u16 = 8;
    /// `0`.
    pub const ZERO: u16 = 16;
    /// `,`.
    pub const GROUP: u16 = 32;
    /// `(`.
    pub const PARENTHESES: u16 = 64;
    /// `<`.
    pub const PREVIOUS: u16 = 128;
}

/// A part of a format text.
pub enum Piece {
    /// Copied.
    Text(Vec<u16>),
    /// A specifier.
    Spec(Spec),
}

/// A specifier.
#[derive(Debug, Clone)]
pub struct Spec {
    /// As written.
    pub text: String,
    /// 0-based explicit argument.
    pub index: Option<usize>,
    flags: u16,
    /// Smallest width.
    pub width: Option<usize>,
    /// Precision.
    pub precision: Option<usize>,
    /// Lower-case letter, `n` or `%`.
    pub conversion: u8,
    /// Written in upper case.
    pub upper: bool,
}

impl Spec {
    /// Drops flags.
    pub fn clear(&mut self, flags: u16) {
        self.flags &= !flags;
    }

    /// Whether any of these flags is set.
    pub fn has(&self, flags: u16) -> bool {
        self.flags & flags != 0
    }
}

/// Splits a format text.
pub fn parse(format: &[u16]) -> Made<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let percent = format[at..]
            .iter()
            .position(|u| *u == 0x25)
            .map_or(format.len(), |p| at + p);
        if percent > at {
            pieces.push(Piece::Text(format[at..percent].to_vec()));
        }
        at = percent;
        if at < format.len() {
            let (spec, end) = specifier(format, at)?;
            check(&spec)?;
            pieces.push(Piece::Spec(spec));
            at = end;
        }
    }
    Ok(pieces)
}

fn flag_of(unit: u16) -> Option<u16> {
    Some(match u8::try_from(unit).ok()? {
        b'-' => flag::LEFT,
        b'#' => flag::ALTERNATE,
        b'+' => flag::PLUS,
        b' ' => flag::SPACE,
        b'0' => flag::ZERO,
        b',' => flag::GROUP,
        b'(' => flag::PARENTHESES,
        b'<' => flag::PREVIOUS,
        _ => return None,
    })
}

fn unknown<T>(what: &str) -> Made<T> {
    throws("UnknownFormatConversionException", format!("Conversion = '{what}'"))
}

fn number(format: &[u16], at: &mut usize) -> Option<u64> {
    let start = *at;
    let mut value: u64 = 0;
    while let Some(d) = format.get(*at).filter(|u| (0x30..=0x39).contains(*u)) {
        value = (value * 10 + u64::from(*d - 0x30)).min(u64::from(u32::MAX));
        *at += 1;
    }
    (*at > start).then_some(value)
}

fn specifier(format: &[u16], start: usize) -> Made<(Spec, usize)> {
    let mut at = start + 1;
    let mut index = None;
    // A number before a dollar sign is an argument; otherwise it is read again as flag and width.
    if format.get(at) != Some(&0x30)
        && let Some(n) = number(format, &mut at)
    {
        if format.get(at) == Some(&0x24) {
            at += 1;
            index = Some(n as usize - 1);
        } else {
            at = start + 1;
        }
    }
    let mut flags = 0;
    while let Some(f) = format.get(at).and_then(|u| flag_of(*u)) {
        if flags & f != 0 {
            return throws(
                "DuplicateFormatFlagsException",
                format!("Flags = '{}'", char::from(format[at] as u8)),
            );
        }
        flags |= f;
        at += 1;
    }
    let too_big = |n: u64| n > i32::MAX as u64;
    let width = number(format, &mut at);
    if width.is_some_and(too_big) {
        return throws("IllegalFormatWidthException", i32::MIN.to_string());
    }
    let mut precision = None;
    if format.get(at) == Some(&0x2e) {
        at += 1;
        precision = number(format, &mut at);
        match precision {
            None => return unknown("."),
            Some(n) if too_big(n) => return throws("IllegalFormatPrecisionException", i32::MIN.to_string()),
            _ => {}
        }
    }
    let Some(letter) = format.get(at).copied() else {
        return unknown("%");
    };
    let shown = String::from_utf16_lossy(&[letter]);
    let Some(letter) = u8::try_from(letter).ok().filter(u8::is_ascii) else {
        return unknown(&shown);
    };
    let upper = letter.is_ascii_uppercase();
    match letter {
        b'b' | b'B' | b'h' | b'H' | b's' | b'S' | b'c' | b'C' | b'd' | b'o' | b'x' | b'X' | b'e' | b'E' | b'f'
        | b'g' | b'G' | b'n' | b'%' => {}
        b'a' | b'A' | b't' | b'T' => {
            return Err(FormatError::Unsupported(format!(
                "the conversion {shown} of a format is not covered"
            )));
        }
        _ => return unknown(&shown),
    }
    let spec = Spec {
        text: String::from_utf16_lossy(&format[start..=at]),
        index,
        flags,
        width: width.map(|w| w as usize),
        precision: precision.map(|p| p as usize),
        conversion: letter.to_ascii_lowercase(),
        upper,
    };
    Ok((spec, at + 1))
}

/// Combinations that are wrong whatever the arguments.
fn check(spec: &Spec) -> Made<()> {
    let missing_width = || throws("MissingFormatWidthException", spec.text.clone());
    let mismatch = || {
        throws(
            "FormatFlagsConversionMismatchException",
            format!("Conversion = {}", char::from(spec.conversion)),
        )
    };
    let precision = || {
        throws(
            "IllegalFormatPrecisionException",
            spec.precision.unwrap_or(0).to_string(),
        )
    };
    let illegal_flags = || throws("IllegalFormatFlagsException", "Flags");
    let numeric = flag::PLUS | flag::SPACE | flag::ZERO | flag::GROUP | flag::PARENTHESES;
    match spec.conversion {
        b'n' => {
            if spec.precision.is_some() {
                return precision();
            }
            if spec.width.is_some() {
                return throws("IllegalFormatWidthException", spec.width.unwrap_or(0).to_string());
            }
            if spec.flags != 0 {
                return illegal_flags();
            }
        }
        b'%' => {
            if spec.precision.is_some() {
                return precision();
            }
            if spec.flags & !flag::LEFT != 0 {
                return illegal_flags();
            }
            if spec.width.is_none() && spec.has(flag::LEFT) {
                return missing_width();
            }
        }
        b'b' | b'h' | b's' | b'c' => {
            if spec.conversion == b'c' && spec.precision.is_some() {
                return precision();
            }
            let first = match spec.conversion {
                b'c' => flag::ALTERNATE | numeric,
                b's' => 0,
                _ => flag::ALTERNATE,
            };
            if spec.has(first) {
                return mismatch();
            }
            if spec.width.is_none() && spec.has(flag::LEFT) {
                return missing_width();
            }
            if spec.has(numeric | flag::ALTERNATE) {
                return mismatch();
            }
        }
        _ => {
            let integral = matches!(spec.conversion, b'd' | b'o' | b'x');
            if spec.width.is_none() && spec.has(flag::LEFT | flag::ZERO) {
                return missing_width();
            }
            let both = |a: u16, b: u16| spec.has(a) && spec.has(b);
            if both(flag::PLUS, flag::SPACE) || both(flag::LEFT, flag::ZERO) {
                return illegal_flags();
            }
            if integral && spec.precision.is_some() {
                return precision();
            }
            let bad = match spec.conversion {
                b'd' | b'g' => flag::ALTERNATE,
                b'o' | b'x' | b'e' => flag::GROUP,
                _ => 0,
            };
            if spec.has(bad) {
                return mismatch();
            }
        }
    }
    Ok(())
}
