//! Literals. In: the text of a literal; out: its value, or a reason. Escapes become UTF-16 units.

use tree_sitter::Node;

use super::cst::{span, text};
use crate::lang::ast::Lit;
use crate::source::{Refusal, Understood};

/// The value of a literal node.
pub fn literal(n: Node, source: &str) -> Understood<Lit> {
    let t = text(n, source);
    let refuse = |reason: &str| Refusal::new(span(n), reason);
    match n.kind() {
        "integer_literal" => integer(t).ok_or_else(|| refuse("integer literal out of range")),
        "floating_point_literal" => floating(t).ok_or_else(|| refuse("floating point literal that cannot be read")),
        "boolean_literal" => Ok(Lit::Bool(t == "true")),
        "null_literal" => Ok(Lit::Null),
        "unit" => Ok(Lit::Unit),
        "character_literal" => character(t)
            .map(Lit::Char)
            .ok_or_else(|| refuse("character literal that cannot be read")),
        "string" => string(t)
            .map(|u| Lit::Str(u.into()))
            .ok_or_else(|| refuse("string literal with an unknown escape")),
        other => Err(refuse(&format!("{} is not covered", other.replace('_', " ")))),
    }
}

/// An integer literal, possibly negative.
pub fn integer(t: &str) -> Option<Lit> {
    let clean: String = t.chars().filter(|c| *c != '_' && !c.is_whitespace()).collect();
    let (negative, body) = match clean.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, clean.as_str()),
    };
    let (long, body) = match body.strip_suffix(['l', 'L']) {
        Some(rest) => (true, rest),
        None => (false, body),
    };
    let hex = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X"));
    let magnitude = match hex {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => body.parse::<u64>().ok()?,
    };
    let wide = i128::from(magnitude) * if negative { -1 } else { 1 };
    match (hex.is_some(), long) {
        (true, true) => Some(Lit::Long(wide as i64)),
        (true, false) => (magnitude <= u64::from(u32::MAX)).then_some(Lit::Int(wide as i32)),
        (false, true) => i64::try_from(wide).ok().map(Lit::Long),
        (false, false) => i32::try_from(wide).ok().map(Lit::Int),
    }
}

/// A float or double literal.
pub fn floating(t: &str) -> Option<Lit> {
    let clean: String = t.chars().filter(|c| *c != '_' && !c.is_whitespace()).collect();
    let body = clean.strip_suffix(['d', 'D']).unwrap_or(&clean);
    match clean.strip_suffix(['f', 'F']) {
        Some(body) => body.parse().ok().map(Lit::Float),
        None => body.parse().ok().map(Lit::Double),
    }
}

fn character(t: &str) -> Option<u16> {
    let units = unescape(t.strip_prefix('\'')?.strip_suffix('\'')?)?;
    match units[..] {
        [unit] => Some(unit),
        _ => None,
    }
}

/// The units of a string literal with its quotes.
pub fn string(t: &str) -> Option<Vec<u16>> {
    if let Some(body) = t.strip_prefix("\"\"\"") {
        // Quotes directly before the closing three belong to the text.
        return body.strip_suffix("\"\"\"").map(unicode_only);
    }
    unescape(t.strip_prefix('"')?.strip_suffix('"')?)
}

/// Triple-quoted text: Scala 2.12 still resolves `\uXXXX` there.
fn unicode_only(t: &str) -> Vec<u16> {
    let units: Vec<u16> = t.encode_utf16().collect();
    let mut out = Vec::with_capacity(units.len());
    let mut i = 0;
    let mut slashes = 0;
    while i < units.len() {
        if units[i] == u16::from(b'\\')
            && slashes % 2 == 0
            && let Some((unit, next)) = unicode_escape(&units, i + 1)
        {
            out.push(unit);
            i = next;
            slashes = 0;
            continue;
        }
        slashes = if units[i] == u16::from(b'\\') { slashes + 1 } else { 0 };
        out.push(units[i]);
        i += 1;
    }
    out
}

/// `uXXXX` at an index: the unit, and what comes after.
fn unicode_escape(units: &[u16], mut i: usize) -> Option<(u16, usize)> {
    let start = i;
    while units.get(i) == Some(&u16::from(b'u')) {
        i += 1;
    }
    if i == start || i + 4 > units.len() {
        return None;
    }
    let hex = String::from_utf16(&units[i..i + 4]).ok()?;
    u16::from_str_radix(&hex, 16).ok().map(|u| (u, i + 4))
}

/// Resolves escapes; `None` for an unknown one.
pub fn unescape(t: &str) -> Option<Vec<u16>> {
    let units: Vec<u16> = t.encode_utf16().collect();
    let mut out = Vec::with_capacity(units.len());
    let mut i = 0;
    while i < units.len() {
        if units[i] != u16::from(b'\\') {
            out.push(units[i]);
            i += 1;
            continue;
        }
        let next = *units.get(i + 1)?;
        if let Some((unit, after)) = unicode_escape(&units, i + 1) {
            out.push(unit);
            i = after;
            continue;
        }
        let digit = |u: u16| (u16::from(b'0')..=u16::from(b'7')).contains(&u);
        if digit(next) {
            let most = if next <= u16::from(b'3') { 3 } else { 2 };
            let digits: Vec<u16> = units[i + 1..]
                .iter()
                .copied()
                .take(most)
                .take_while(|u| digit(*u))
                .collect();
            out.push(digits.iter().fold(0, |acc, d| acc * 8 + (d - u16::from(b'0'))));
            i += 1 + digits.len();
            continue;
        }
        out.push(match u8::try_from(next).ok()? {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'b' => 8,
            b'f' => 12,
            b'"' => 34,
            b'\'' => 39,
            b'\\' => 92,
            _ => return None,
        });
        i += 2;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(integer("0xFFFFFFFF"), Some(Lit::Int(-1)));
        assert_eq!(integer("-2147483648"), Some(Lit::Int(i32::MIN)));
        assert_eq!(integer("2147483648"), None);
        assert_eq!(integer("1_000L"), Some(Lit::Long(1000)));
        assert_eq!(floating("1.5e3f"), Some(Lit::Float(1500.0)));
        assert_eq!(floating(".5"), Some(Lit::Double(0.5)));
        assert_eq!(floating("3d"), Some(Lit::Double(3.0)));
    }

    #[test]
    fn texts() {
        let units = |s: &str| s.encode_utf16().collect::<Vec<u16>>();
        assert_eq!(string("\"a\\n\\u0041\\\\\""), Some(units("a\nA\\")));
        assert_eq!(string("\"\"\"a\\d\"\"\""), Some(units("a\\d")));
        assert_eq!(string("\"\\q\""), None);
        assert_eq!(string("\"\\ud83d\""), Some(vec![0xd83d]));
    }
}
