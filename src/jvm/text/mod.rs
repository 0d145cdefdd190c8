//! Java strings: sequences of UTF-16 units, kept as bytes while they are ASCII.

pub mod search;
pub mod strip;

use std::borrow::Cow;
use std::sync::Arc;

/// A Java string. Most column text is ASCII, so that form is kept as bytes; anything else is UTF-16, which may hold lone
/// surrogates. The two forms never overlap: text of units below 0x80 is always `Ascii`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum JStr {
    /// All units below 0x80.
    Ascii(Arc<str>),
    /// At least one unit from 0x80 on.
    Wide(Arc<[u16]>),
}

impl JStr {
    /// From UTF-8.
    pub fn new(text: &str) -> JStr {
        if text.is_ascii() {
            JStr::Ascii(text.into())
        } else {
            JStr::Wide(text.encode_utf16().collect())
        }
    }

    /// From UTF-16 units.
    pub fn from_units(units: &[u16]) -> JStr {
        if units.iter().all(|u| *u < 0x80) {
            let bytes: Vec<u8> = units.iter().map(|u| *u as u8).collect();
            JStr::Ascii(String::from_utf8(bytes).unwrap_or_default().into())
        } else {
            JStr::Wide(units.into())
        }
    }

    /// `length()`: UTF-16 units.
    pub fn len(&self) -> usize {
        match self {
            JStr::Ascii(s) => s.len(),
            JStr::Wide(u) => u.len(),
        }
    }

    /// `isEmpty()`.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The unit at an index, if there is one.
    pub fn unit(&self, index: usize) -> Option<u16> {
        match self {
            JStr::Ascii(s) => s.as_bytes().get(index).map(|b| u16::from(*b)),
            JStr::Wide(u) => u.get(index).copied(),
        }
    }

    /// All units.
    pub fn units(&self) -> Cow<'_, [u16]> {
        match self {
            JStr::Ascii(s) => Cow::Owned(s.bytes().map(u16::from).collect()),
            JStr::Wide(u) => Cow::Borrowed(u),
        }
    }

    /// `substring(begin, end)`; the caller has checked the bounds.
    pub fn slice(&self, begin: usize, end: usize) -> JStr {
        match self {
            JStr::Ascii(s) => JStr::Ascii(s[begin..end].into()),
            JStr::Wide(u) => JStr::from_units(&u[begin..end]),
        }
    }

    /// As UTF-8, the way Spark stores it: an unpaired surrogate becomes `?`.
    pub fn to_utf8(&self) -> Cow<'_, str> {
        match self {
            JStr::Ascii(s) => Cow::Borrowed(s),
            JStr::Wide(u) => Cow::Owned(
                char::decode_utf16(u.iter().copied())
                    .map(|c| c.unwrap_or('?'))
                    .collect(),
            ),
        }
    }
}

pub use strip::{trim, trim_by};

impl From<&str> for JStr {
    fn from(text: &str) -> JStr {
        JStr::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_surrogate_is_stored_as_a_question_mark() {
        let s = JStr::new("a😀b");
        assert_eq!(s.len(), 4);
        assert_eq!(s.slice(1, 2).to_utf8(), "?");
        assert_eq!(s.slice(1, 3).to_utf8(), "😀");
    }
}
