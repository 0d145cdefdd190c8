//! `replaceAll` and `replaceFirst` with Java's replacement syntax.

use super::{Captures, Regex, RegexError, Search};

/// Why a replacement fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaceError {
    /// The search failed.
    Regex(RegexError),
    /// `IllegalArgumentException`, with its message.
    IllegalArgument(String),
    /// `IndexOutOfBoundsException: No group …`.
    NoGroup(i64),
}

impl From<RegexError> for ReplaceError {
    fn from(e: RegexError) -> ReplaceError {
        ReplaceError::Regex(e)
    }
}

/// `Matcher.replaceAll(replacement)`, or `replaceFirst` if not `all`.
pub fn replace(regex: &Regex, text: &[u16], replacement: &[u16], all: bool) -> Result<Vec<u16>, ReplaceError> {
    let mut out = Vec::new();
    let mut copied = 0;
    let mut search = Search::default();
    while let Some(found) = search.next(regex, text)? {
        out.extend_from_slice(&text[copied..found.start()]);
        expand(regex, text, &found, replacement, &mut out)?;
        copied = found.end();
        if !all {
            break;
        }
    }
    out.extend_from_slice(&text[copied..]);
    Ok(out)
}

/// Appends a replacement with its `$1`, `${name}` and `\x` resolved.
pub fn expand(
    regex: &Regex,
    text: &[u16],
    found: &Captures,
    replacement: &[u16],
    out: &mut Vec<u16>,
) -> Result<(), ReplaceError> {
    let illegal = |what: &str| ReplaceError::IllegalArgument(what.to_string());
    let mut i = 0;
    while i < replacement.len() {
        match replacement[i] {
            0x5c => {
                let c = replacement
                    .get(i + 1)
                    .ok_or_else(|| illegal("character to be escaped is missing"))?;
                out.push(*c);
                i += 2;
            }
            0x24 => {
                let (group, after) = group_reference(regex, replacement, i + 1)?;
                if let Some((start, end)) = found.range(group) {
                    out.extend_from_slice(&text[start..end]);
                }
                i = after;
            }
            c => {
                out.push(c);
                i += 1;
            }
        }
    }
    Ok(())
}

/// The group that follows a dollar sign, and the index behind it.
fn group_reference(regex: &Regex, text: &[u16], at: usize) -> Result<(usize, usize), ReplaceError> {
    let illegal = |what: String| ReplaceError::IllegalArgument(what);
    let ascii = |i: usize| text.get(i).and_then(|u| u8::try_from(*u).ok()).filter(u8::is_ascii);
    match text.get(at) {
        None => return Err(illegal("Illegal group reference: group index is missing".into())),
        Some(0x7b) => {}
        Some(_) => return numbered(regex, text, at),
    }
    let mut end = at + 1;
    while ascii(end).is_some_and(|c| c.is_ascii_alphanumeric()) {
        end += 1;
    }
    let name = String::from_utf16_lossy(&text[at + 1..end]);
    if name.is_empty() {
        return Err(illegal("named capturing group is missing trailing '}'".into()));
    }
    if ascii(end) != Some(b'}') {
        return Err(illegal("named capturing group is missing trailing '}'".into()));
    }
    if name.as_bytes()[0].is_ascii_digit() {
        return Err(illegal(format!(
            "capturing group name {{{name}}} starts with digit character"
        )));
    }
    match regex.group_named(&name) {
        Some(group) => Ok((group as usize, end + 1)),
        None => Err(illegal(format!("No group with name {{{name}}}"))),
    }
}

fn numbered(regex: &Regex, text: &[u16], at: usize) -> Result<(usize, usize), ReplaceError> {
    let digit = |i: usize| {
        text.get(i)
            .filter(|u| (0x30..=0x39).contains(*u))
            .map(|u| i64::from(*u) - 0x30)
    };
    let Some(mut group) = digit(at) else {
        return Err(ReplaceError::IllegalArgument("Illegal group reference".into()));
    };
    let count = i64::from(regex.group_count());
    let mut end = at + 1;
    while let Some(d) = digit(end) {
        if group * 10 + d > count {
            break;
        }
        group = group * 10 + d;
        end += 1;
    }
    if group > count {
        return Err(ReplaceError::NoGroup(group));
    }
    Ok((group as usize, end))
}
