//! Places, lookbehind, line ends and back references.

use super::{Machine, Run};
use crate::jvm::regex::ast::Place;
use crate::jvm::regex::class::{fold, is_line_end};
use crate::jvm::regex::program::At;
use crate::jvm::regex::property::is_word;
use crate::jvm::unicode::{self, Category, case_map, code_point_at, code_point_before};

impl Machine<'_> {
    pub(super) fn behind(&mut self, cond: At, at: usize, min: u64, max: i32) -> Run<bool> {
        let (mut start, lowest) = if self.whole_characters {
            (
                self.back_characters(at, min),
                self.back_characters(at, max.max(0) as u64).unwrap_or(0),
            )
        } else {
            let start = (at as u64).checked_sub(min).map(|s| s as usize);
            (start, (at as i64 - i64::from(max)).max(0) as usize)
        };
        while let Some(from) = start.filter(|s| *s >= lowest) {
            if self.run(cond, from, Some(at))?.is_some() {
                return Ok(true);
            }
            start = if self.whole_characters {
                self.back_characters(from, 1)
            } else {
                from.checked_sub(1)
            };
        }
        Ok(false)
    }

    pub(super) fn back_characters(&self, mut at: usize, count: u64) -> Option<usize> {
        for _ in 0..count.min(self.text.len() as u64 + 1) {
            at -= code_point_before(self.text, at)?.1;
        }
        Some(at)
    }

    pub(super) fn line_ending(&self, at: usize) -> Option<usize> {
        match (self.text.get(at)?, self.text.get(at + 1)) {
            (13, Some(10)) => Some(at + 2),
            (10..=13 | 0x85 | 0x2028 | 0x2029, _) => Some(at + 1),
            _ => None,
        }
    }

    pub(super) fn back_reference(&self, group: u32, ignore_case: bool, unicode_case: bool, at: usize) -> Option<usize> {
        let g = 2 * group as usize;
        let (start, end) = (*self.groups.get(g)?, *self.groups.get(g + 1)?);
        if start < 0 || end < 0 {
            return None;
        }
        let wanted = &self.text[start as usize..end as usize];
        let got = self.text.get(at..at + wanted.len())?;
        let lower = |u: u16| {
            if u < 0x80 {
                case_map::to_lower(u32::from(u))
            } else {
                u32::from(u)
            }
        };
        let same = match (ignore_case, unicode_case) {
            (false, _) => wanted == got,
            (true, false) => wanted.iter().zip(got).all(|(a, b)| lower(*a) == lower(*b)),
            (true, true) => {
                let (mut a, mut b) = (unicode::code_points(wanted), unicode::code_points(got));
                loop {
                    match (a.next(), b.next()) {
                        (None, None) => break true,
                        (Some(x), Some(y)) if x == y || fold(x) == fold(y) => {}
                        _ => break false,
                    }
                }
            }
        };
        same.then_some(at + wanted.len())
    }

    pub(super) fn holds(&self, place: Place, at: usize) -> bool {
        let len = self.text.len();
        match place {
            Place::Begin => at == 0,
            Place::End => at == len,
            Place::LastMatch => at as i64 == self.last_match,
            Place::Caret { unix } => at < len && self.line_starts(at, unix),
            Place::Dollar { multiline, unix } => self.line_ends(at, multiline, unix),
            Place::Bound { negated, unicode } => self.boundary(at, unicode) != negated,
        }
    }

    pub(super) fn line_starts(&self, at: usize, unix: bool) -> bool {
        let Some(before) = at.checked_sub(1).map(|i| u32::from(self.text[i])) else {
            return true;
        };
        if unix {
            return before == 10;
        }
        is_line_end(before) && !(before == 13 && self.text[at] == 10)
    }

    pub(super) fn line_ends(&self, at: usize, multiline: bool, unix: bool) -> bool {
        let rest = &self.text[at..];
        match rest {
            [] => true,
            [10, ..] if unix => multiline || rest.len() == 1,
            _ if unix => false,
            [10, ..] => (at == 0 || self.text[at - 1] != 13) && (multiline || rest.len() == 1),
            [13, 10] => true,
            [c, ..] => is_line_end(u32::from(*c)) && (multiline || rest.len() == 1),
        }
    }

    pub(super) fn boundary(&self, at: usize, unicode: bool) -> bool {
        let wordy = |cp: u32, index: usize| {
            let plain = if unicode {
                is_word(cp)
            } else {
                cp == 0x5f || unicode::is_letter_or_digit(cp)
            };
            plain || (unicode::category(cp) == Category::NonspacingMark && self.has_base(index))
        };
        let left = code_point_before(self.text, at).is_some_and(|(cp, _)| wordy(cp, at - 1));
        let right = code_point_at(self.text, at).is_some_and(|(cp, _)| wordy(cp, at));
        left != right
    }

    /// Whether a combining mark stands on a letter or digit.
    pub(super) fn has_base(&self, index: usize) -> bool {
        for i in (0..=index).rev() {
            let Some((cp, _)) = code_point_at(self.text, i) else {
                return false;
            };
            if unicode::is_letter_or_digit(cp) {
                return true;
            }
            if unicode::category(cp) != Category::NonspacingMark {
                return false;
            }
        }
        false
    }
}
