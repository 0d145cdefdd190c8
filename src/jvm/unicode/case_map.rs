//! Upper and lower case of JDK 17: of single characters, and of strings with their special casings in the root locale.

use super::{Category, category, code_point_at, code_point_before, code_points, is_high, is_low, push};

/// `Character.toUpperCase`: only mappings to one code point.
pub fn to_upper(cp: u32) -> u32 {
    if cp < 0x80 {
        return if (0x61..=0x7a).contains(&cp) { cp - 32 } else { cp };
    }
    match cp {
        // Later versions of Unicode pair these.
        0x19b | 0x264 => cp,
        // Greek letters with iota below: the single-character mapping is to title case.
        0x1f80..=0x1f87 | 0x1f90..=0x1f97 | 0x1fa0..=0x1fa7 => cp + 8,
        0x1fb3 | 0x1fc3 | 0x1ff3 => cp + 9,
        _ => single(cp, char::to_uppercase),
    }
}

/// `Character.toLowerCase`: only mappings to one code point.
pub fn to_lower(cp: u32) -> u32 {
    if cp < 0x80 {
        return if (0x41..=0x5a).contains(&cp) { cp + 32 } else { cp };
    }
    match cp {
        0x130 => 0x69,
        _ => single(cp, char::to_lowercase),
    }
}

fn single<I: Iterator<Item = char>>(cp: u32, map: fn(char) -> I) -> u32 {
    let Some(c) = char::from_u32(cp).filter(|_| category(cp) != Category::Unassigned) else {
        return cp;
    };
    let mut mapped = map(c);
    match (mapped.next(), mapped.next()) {
        (Some(one), None) => u32::from(one),
        _ => cp,
    }
}

/// `String.toUpperCase(Locale.ROOT)`.
pub fn upper_string(text: &[u16]) -> Vec<u16> {
    let mut out = Vec::with_capacity(text.len());
    for cp in code_points(text) {
        match char::from_u32(cp) {
            Some(c) if cp >= 0x80 && !matches!(cp, 0x19b | 0x264) && category(cp) != Category::Unassigned => {
                c.to_uppercase().for_each(|m| push(&mut out, u32::from(m)));
            }
            _ => push(&mut out, to_upper(cp)),
        }
    }
    out
}

/// `String.toLowerCase(Locale.ROOT)`. `Err` where a capital sigma stands near a character of which the JDK's word breaker
/// may or may not make a part of the word.
pub fn lower_string(text: &[u16]) -> Result<Vec<u16>, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some((cp, len)) = code_point_at(text, at) {
        match cp {
            0x130 => out.extend([0x69, 0x307]),
            0x3a3 => out.push(if is_final_sigma(text, at)? { 0x3c2 } else { 0x3c3 }),
            _ => push(&mut out, to_lower(cp)),
        }
        at += len;
    }
    Ok(out)
}

/// Whether a cased letter precedes within the word and none follows.
fn is_final_sigma(text: &[u16], at: usize) -> Result<bool, String> {
    let (mut i, mut near) = (at, 0x3a3);
    loop {
        let Some((cp, len)) = code_point_before(text, i) else {
            return Ok(false);
        };
        match walk(cp, near, code_point_before(text, i - len))? {
            Walk::Stop => return Ok(false),
            Walk::Cased => break,
            Walk::Go => (i, near) = (i - len, cp),
        }
    }
    let (mut i, mut near) = (at + 1, 0x3a3);
    loop {
        let Some((cp, len)) = code_point_at(text, i) else {
            return Ok(true);
        };
        match walk(cp, near, code_point_at(text, i + len))? {
            Walk::Stop => return Ok(true),
            Walk::Cased => return Ok(false),
            Walk::Go => (i, near) = (i + len, cp),
        }
    }
}

enum Walk {
    Stop,
    Cased,
    Go,
}

/// How the JDK's word breaker (`BreakIterator.getWordInstance`) takes a character beside a letter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// In the word.
    Letter,
    /// In the word, with no case.
    Attached,
    /// In the word between two letters, else outside.
    Joiner,
    /// Outside.
    Outside,
    /// Depends on more than its neighbours, or differs from version to version.
    Unknown,
}

fn part(cp: u32) -> Part {
    use Category::*;
    match cp {
        0x30..=0x39 | 0x300..=0x36f => return Part::Attached,
        0x22 | 0x27 | 0x2e | 0xad | 0x2027 => return Part::Joiner,
        0x964 | 0x965 => return Part::Unknown,
        // Hiragana, Katakana and ideographs are words of their own.
        0x3005
        | 0x3041..=0x3094
        | 0x309d..=0x309e
        | 0x30a1..=0x30fa
        | 0x30fc..=0x30fe
        | 0x4e00..=0x9fa5
        | 0xf900..=0xfa2d => {
            return Part::Outside;
        }
        0x41..=0xdff | 0x10a0..=0x10ff | 0x13a0..=0x13ff | 0x1c80..=0x1cbf | 0x1e00..=0x1fff | 0x10400..=0x1044f
            if super::is_letter(cp) =>
        {
            return Part::Letter;
        }
        _ => {}
    }
    match category(cp) {
        // U+10EAD alone of all dashes joins in one direction only.
        DashPunctuation | ConnectorPunctuation if cp < 0x1_0000 => Part::Joiner,
        SpaceSeparator | LineSeparator | ParagraphSeparator | Control | PrivateUse => Part::Outside,
        OpenPunctuation | ClosePunctuation | InitialPunctuation | FinalPunctuation | OtherPunctuation => Part::Outside,
        MathSymbol | CurrencySymbol | ModifierSymbol | OtherSymbol => Part::Outside,
        _ => Part::Unknown,
    }
}

/// What a character means for a sigma: `near` stands between the two or is the sigma, `beyond` on its other side.
fn walk(cp: u32, near: u32, beyond: Option<(u32, usize)>) -> Result<Walk, String> {
    match part(cp) {
        Part::Outside => Ok(Walk::Stop),
        Part::Attached => Ok(Walk::Go),
        Part::Letter if super::is_upper_case(cp) || super::is_lower_case(cp) => Ok(Walk::Cased),
        Part::Letter => Ok(Walk::Go),
        Part::Joiner if part(near) == Part::Letter => match beyond.map(|(b, _)| part(b)) {
            Some(Part::Letter) => Ok(Walk::Go),
            Some(Part::Unknown) => Err(by_the_breaker(beyond.map_or(cp, |(b, _)| b))),
            _ => Ok(Walk::Stop),
        },
        Part::Joiner | Part::Unknown => Err(by_the_breaker(cp)),
    }
}

fn by_the_breaker(cp: u32) -> String {
    format!("lower case of Σ near U+{cp:04X} depends on the JDK's word breaker")
}

/// `String.compareToIgnoreCase`; zero is `equalsIgnoreCase` for equal lengths.
pub fn compare_ignore_case(a: &[u16], b: &[u16]) -> i32 {
    let fold = |cp: u32| to_lower(to_upper(cp));
    let compare = |x: u32, y: u32| if x == y { 0 } else { fold(x) as i32 - fold(y) as i32 };
    let common = a.len().min(b.len());
    let mut i = 0;
    while i < common {
        if compare(u32::from(a[i]), u32::from(b[i])) != 0 {
            let difference = compare(whole_at(a, i), whole_at(b, i));
            if difference != 0 {
                return difference;
            }
        }
        i += 1;
    }
    a.len() as i32 - b.len() as i32
}

/// The code point that covers an index, even where the index is at its second half.
fn whole_at(units: &[u16], at: usize) -> u32 {
    let start = if is_low(units[at]) && at > 0 && is_high(units[at - 1]) {
        at - 1
    } else {
        at
    };
    code_point_at(units, start).map_or(u32::from(units[at]), |(cp, _)| cp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_vectors::{Cell, escape, golden, vectors};
    use std::collections::HashMap;

    fn units(s: &str) -> Vec<u16> {
        s.encode_utf16().collect()
    }

    #[test]
    fn every_code_point_has_the_case_of_the_jvm() {
        let mut mapped = HashMap::new();
        for row in golden("jvm/unicode_case.csv").rows() {
            let hex = |c: &str| u32::from_str_radix(row.raw(c), 16).unwrap();
            let full = |c: &str| row.raw(c).to_string();
            mapped.insert(
                hex("code_point"),
                (hex("upper"), hex("lower"), full("full_upper"), full("full_lower")),
            );
        }
        let text = |units: &[u16]| units.iter().map(|u| format!("{u:04x}")).collect::<String>();
        for cp in (0..=0x10_ffff).filter(|cp| *cp < 0x3_2000 || cp % 251 == 0) {
            let mut own = Vec::new();
            push(&mut own, cp);
            let (upper, lower) = (text(&upper_string(&own)), text(&lower_string(&own).unwrap()));
            match mapped.get(&cp) {
                Some(want) => assert_eq!((to_upper(cp), to_lower(cp), upper, lower), *want, "U+{cp:04X}"),
                None => assert_eq!(
                    (to_upper(cp), to_lower(cp), upper, lower),
                    (cp, cp, text(&own), text(&own))
                ),
            }
        }
    }

    #[test]
    fn strings_change_case_as_in_the_jvm() {
        let mut refused = 0;
        for (file, f) in [
            (
                "str_upper_root",
                (|u: &[u16]| Ok(upper_string(u))) as fn(&[u16]) -> Result<Vec<u16>, String>,
            ),
            ("str_lower_root", lower_string),
        ] {
            for row in vectors(file).rows() {
                if let (Some(a), Cell::Text(want)) = (row.units("a"), row.cell("jvm_result")) {
                    match f(&a) {
                        Ok(got) => assert_eq!(escape(&got), escape(&want), "{row:?}"),
                        Err(_) => refused += 1,
                    }
                }
            }
        }
        assert!(refused <= 3, "{refused} refused");
    }

    #[test]
    fn sigma_in_company_is_as_the_jvm_has_it() {
        let mut refused = 0;
        let rows = include_str!("../../../tests/data/jvm/final_sigma.tsv");
        for line in rows.lines() {
            let (from, to) = line.split_once('\t').expect("two cells");
            match lower_string(&units(from)) {
                Ok(got) => assert_eq!(String::from_utf16_lossy(&got), to, "{from:?}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused * 50 < rows.lines().count(), "{refused} refused");
    }

    #[test]
    fn sigma_is_final_only_at_the_end_of_a_word() {
        for (from, to) in [
            ("ΑΣ", "ας"),
            ("ΑΣ.Α", "ασ.α"),
            ("ΑΣ Β", "ας β"),
            ("Σ", "σ"),
            ("ΑΣΑ", "ασα"),
            ("Α1Σ", "α1ς"),
            ("ΑΣ1Α", "ασ1α"),
            ("Α/Σ", "α/σ"),
        ] {
            assert_eq!(lower_string(&units(from)).unwrap(), units(to), "{from}");
        }
        // A word breaker of another version may see U+0965 otherwise.
        assert!(lower_string(&units("ΑΣ\u{965}Α")).is_err());
    }

    #[test]
    fn comparing_ignores_case_as_in_the_jvm() {
        for row in vectors("str_equals_ignore_case").rows() {
            if let (Some(a), Some(b)) = (row.units("a"), row.units("b")) {
                let equal = a.len() == b.len() && compare_ignore_case(&a, &b) == 0;
                assert_eq!(Some(equal), row.parse("jvm_result"), "{row:?}");
            }
        }
    }
}
