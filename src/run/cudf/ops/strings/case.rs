//! Case mapping as cuDF does it: per character, within the basic plane.

use super::super::super::column::{Col, ScalarValue};
use super::super::{K, refuse};
use super::map;
use super::{needed, utf8};
use unicode_general_category::get_general_category;

/// Characters of the first plane whose mapping came after the device's tables, or that they lack.
pub(super) fn unmapped(c: char) -> bool {
    matches!(u32::from(c),
        0x10000.. | 0xa7c7..=0xa7ca | 0xa7f5..=0xa7f6 | 0xa7c0..=0xa7c1 | 0xa7cb..=0xa7dc | 0x2c2f | 0x2c5f
        | 0x1c89..=0x1c8a | 0x0264 | 0x019b)
}

pub(super) fn upper_char(c: char, out: &mut Vec<u8>) {
    if c.is_ascii() {
        out.push(c.to_ascii_uppercase() as u8);
    } else if ('\u{fb09}'..='\u{fb0d}').contains(&c) {
        out.push(0);
    } else if unmapped(c) {
        push(c, out);
    } else {
        c.to_uppercase().for_each(|u| push(u, out));
    }
}

pub(super) fn lower_char(c: char, out: &mut Vec<u8>) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase() as u8);
    } else if unmapped(c) {
        push(c, out);
    } else {
        c.to_lowercase().for_each(|u| push(u, out));
    }
}

/// A capital at the start of a word: of a one-to-many mapping only the first letter stays a capital.
pub(super) fn title_char(c: char, out: &mut Vec<u8>) {
    // The digraphs have title forms of their own.
    let digraph = match u32::from(c) {
        0x1c4..=0x1c6 => Some('\u{1c5}'),
        0x1c7..=0x1c9 => Some('\u{1c8}'),
        0x1ca..=0x1cc => Some('\u{1cb}'),
        0x1f1..=0x1f3 => Some('\u{1f2}'),
        // Georgian letters, and Greek ones that already are title forms.
        0x10d0..=0x10ff | 0x1f88..=0x1f8f | 0x1f98..=0x1f9f | 0x1fa8..=0x1faf | 0x1fbc | 0x1fcc | 0x1ffc => Some(c),
        lower @ (0x1f80..=0x1f87 | 0x1f90..=0x1f97 | 0x1fa0..=0x1fa7) => char::from_u32(lower + 8),
        lower @ (0x1fb3 | 0x1fc3 | 0x1ff3) => char::from_u32(lower + 9),
        _ => None,
    };
    if let Some(d) = digraph {
        return push(d, out);
    }
    let all: Vec<char> = c.to_uppercase().collect();
    if all.len() > 1 && !unmapped(c) {
        let cased = all.iter().position(|u| u.is_uppercase()).unwrap_or(0);
        for (i, u) in all.into_iter().enumerate() {
            match u {
                _ if i <= cased => push(u, out),
                // An iota below the letter stays below it.
                '\u{399}' if i > 0 && ('\u{1f80}'..='\u{1fff}').contains(&c) => push('\u{345}', out),
                _ => lower_char(u, out),
            }
        }
    } else {
        upper_char(c, out);
    }
}

pub(super) fn push(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// `upper()`: per character, without locale or context.
pub fn upper(c: &Col) -> K {
    map(c, |t, out| {
        t.chars().for_each(|ch| upper_char(ch, out));
        Ok(())
    })
}

/// `lower()`.
pub fn lower(c: &Col) -> K {
    map(c, |t, out| {
        t.chars().for_each(|ch| lower_char(ch, out));
        Ok(())
    })
}

/// A letter inside a word: title forms stay; what has a case without being a letter was not measured.
pub(super) fn rest_char(c: char, out: &mut Vec<u8>) -> K<()> {
    use unicode_general_category::GeneralCategory::*;
    match get_general_category(c) {
        TitlecaseLetter => push(c, out),
        LetterNumber | OtherSymbol if c.to_lowercase().ne([c]) => {
            return refuse(format!("the case of `{c}` inside a word was not measured"));
        }
        _ => lower_char(c, out),
    }
    Ok(())
}

/// Letters of the first plane.
pub(super) fn is_letter(c: char) -> bool {
    use unicode_general_category::GeneralCategory::*;
    let category = get_general_category(c);
    let letter = matches!(
        category,
        UppercaseLetter | LowercaseLetter | TitlecaseLetter | ModifierLetter | OtherLetter
    );
    letter && u32::from(c) < 0x10000
}

/// `toTitle()`: a capital after everything that is no letter.
pub fn title(c: &Col) -> K {
    map(c, |t, out| {
        let mut start = true;
        for ch in t.chars() {
            let letter = is_letter(ch);
            if start {
                title_char(ch, out)
            } else {
                rest_char(ch, out)?
            }
            start = !letter;
        }
        Ok(())
    })
}

/// `capitalize(delimiters)`: a capital at the start and after each delimiter, the rest lower.
pub fn capitalize(c: &Col, delimiters: &ScalarValue) -> K {
    let set = utf8(needed(delimiters, "delimiters")?)?;
    map(c, |t, out| {
        let mut start = true;
        for ch in t.chars() {
            if start {
                title_char(ch, out)
            } else {
                rest_char(ch, out)?
            }
            start = set.contains(ch);
        }
        Ok(())
    })
}
