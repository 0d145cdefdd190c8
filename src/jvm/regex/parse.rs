//! Pattern text to syntax tree, with the JDK's rules and its errors. The cursor works on code points with two zeros at the
//! end, and in COMMENTS mode it skips blanks and comments wherever the JDK does.

use std::collections::HashMap;

use super::ast::{Ast, Place};
use super::class::{CharSet, Pred, is_line_end};
use super::escape::Escape;
use super::{RegexError, flags};
use crate::jvm::unicode;

/// What parsing gives.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub ast: Ast,
    /// Capturing groups, without group 0.
    pub groups: u32,
    /// Names of groups.
    pub names: HashMap<String, u32>,
    /// Whether the search steps over whole surrogate pairs.
    pub has_supplementary: bool,
}

/// Deepest nesting of groups; the JDK recurses as well and is not asked to go further.
const MAX_DEPTH: u32 = 200;

pub(super) struct Parser {
    pub(super) text: Vec<u32>,
    pub(super) len: usize,
    pub(super) at: usize,
    pub(super) flags: u32,
    pub(super) groups: u32,
    pub(super) names: HashMap<String, u32>,
    pub(super) has_supplementary: bool,
    depth: u32,
}

pub(super) type Parse<T> = Result<T, RegexError>;

/// Parses a pattern.
pub fn parse(pattern: &[u16], flags: u32) -> Parse<Parsed> {
    let mut text: Vec<u32> = unquote(unicode::code_points(pattern).collect());
    let len = text.len();
    text.extend([0, 0]);
    let mut p = Parser {
        text,
        len,
        at: 0,
        flags,
        groups: 0,
        names: HashMap::new(),
        has_supplementary: false,
        depth: 0,
    };
    let ast = p.alternatives()?;
    if p.at != p.len {
        return Err(if p.peek() == u32::from(b')') {
            p.error_at("Unmatched closing ')'", p.at.saturating_sub(1))
        } else {
            p.error("Unexpected internal error")
        });
    }
    Ok(Parsed {
        ast,
        groups: p.groups,
        names: p.names,
        has_supplementary: p.has_supplementary,
    })
}

/// Writes `\Q…\E` as escaped characters.
fn unquote(text: Vec<u32>) -> Vec<u32> {
    let (slash, quote, end) = (u32::from(b'\\'), u32::from(b'Q'), u32::from(b'E'));
    let mut out = Vec::with_capacity(text.len());
    let mut i = 0;
    while i < text.len() {
        if text[i] != slash || i + 1 >= text.len() {
            out.push(text[i]);
            i += 1;
        } else if text[i + 1] != quote {
            out.extend_from_slice(&text[i..i + 2]);
            i += 2;
        } else {
            i += 2;
            while i < text.len() && !(text[i] == slash && text.get(i + 1) == Some(&end)) {
                match text[i] {
                    // A digit after a group reference must not become part of it.
                    d @ 0x30..=0x39 => out.extend([slash, u32::from(b'x'), 0x33, d]),
                    c if c < 0x80 && !(c as u8).is_ascii_alphabetic() => out.extend([slash, c]),
                    c => out.push(c),
                }
                i += 1;
            }
            i += 2;
        }
    }
    out
}

impl Parser {
    pub(super) fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    pub(super) fn error(&self, what: &str) -> RegexError {
        self.error_at(what, self.at.saturating_sub(1))
    }

    pub(super) fn error_at(&self, what: &str, index: usize) -> RegexError {
        RegexError::Syntax {
            what: what.to_string(),
            index,
        }
    }

    pub(super) fn get(&self, at: usize) -> u32 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// In COMMENTS mode, the next position that is no blank and no comment.
    fn past_blanks(&self, mut at: usize) -> usize {
        if !self.has(flags::COMMENTS) {
            return at;
        }
        loop {
            while matches!(self.get(at), 9..=13 | 32) {
                at += 1;
            }
            if self.get(at) != u32::from(b'#') {
                return at;
            }
            while at < self.len && !self.ends_comment(self.get(at)) {
                at += 1;
            }
        }
    }

    fn ends_comment(&self, c: u32) -> bool {
        if self.has(flags::UNIX_LINES) {
            c == 10
        } else {
            is_line_end(c)
        }
    }

    /// The character at the cursor, which moves to it.
    pub(super) fn peek(&mut self) -> u32 {
        self.at = self.past_blanks(self.at);
        self.get(self.at)
    }

    /// Takes the character at the cursor.
    pub(super) fn read(&mut self) -> u32 {
        self.at = self.past_blanks(self.at);
        self.take_raw()
    }

    /// Takes the character at the cursor without skipping anything.
    pub(super) fn take_raw(&mut self) -> u32 {
        let c = self.get(self.at);
        self.at += 1;
        c
    }

    /// Moves on and shows the character there.
    pub(super) fn next(&mut self) -> u32 {
        self.at += 1;
        self.peek()
    }

    /// Moves on without skipping.
    pub(super) fn next_raw(&mut self) -> u32 {
        self.at += 1;
        self.get(self.at)
    }

    pub(super) fn raw_at(&self, at: usize) -> u32 {
        self.get(at)
    }

    pub(super) fn alternatives(&mut self) -> Parse<Ast> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(RegexError::Unsupported(
                "a pattern nested that deeply is not covered".into(),
            ));
        }
        let mut parts = vec![self.sequence()?];
        while self.peek() == u32::from(b'|') {
            self.next();
            parts.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(if parts.len() == 1 {
            parts.swap_remove(0)
        } else {
            Ast::Alt(parts)
        })
    }

    fn sequence(&mut self) -> Parse<Ast> {
        let mut parts = Vec::new();
        loop {
            let c = self.peek();
            let atom = match char::from_u32(c).unwrap_or('x') {
                '(' => {
                    if let Some(group) = self.group()? {
                        parts.push(group);
                    }
                    continue;
                }
                '[' => Ast::Set(self.class(true)?),
                '\\' => match self.escaped_atom()? {
                    Some(atom) => atom,
                    None => self.literal()?,
                },
                '^' => {
                    self.next();
                    Ast::At(match (self.has(flags::MULTILINE), self.has(flags::UNIX_LINES)) {
                        (true, unix) => Place::Caret { unix },
                        _ => Place::Begin,
                    })
                }
                '$' => {
                    self.next();
                    Ast::At(Place::Dollar {
                        multiline: self.has(flags::MULTILINE),
                        unix: self.has(flags::UNIX_LINES),
                    })
                }
                '.' => {
                    self.next();
                    Ast::Set(CharSet::new(
                        match (self.has(flags::DOTALL), self.has(flags::UNIX_LINES)) {
                            (true, _) => Pred::All,
                            (_, true) => Pred::NoNewline,
                            _ => Pred::NoLineEnd,
                        },
                    ))
                }
                '|' | ')' => break,
                '?' | '*' | '+' => {
                    self.next();
                    let shown = char::from_u32(c).unwrap_or('?');
                    return Err(self.error(&format!("Dangling meta character '{shown}'")));
                }
                '\0' if self.at >= self.len => break,
                _ => self.literal()?,
            };
            if let Ast::Set(set) = &atom {
                self.has_supplementary |= !set.units_only();
            }
            let quantified = self.quantifier(atom)?;
            parts.push(quantified);
        }
        Ok(match parts.len() {
            0 => Ast::Empty,
            1 => parts.swap_remove(0),
            _ => Ast::Seq(parts),
        })
    }

    /// An escape that is not a literal character, if one stands here.
    fn escaped_atom(&mut self) -> Parse<Option<Ast>> {
        let c = self.next_raw();
        if c == u32::from(b'p') || c == u32::from(b'P') {
            return Ok(Some(Ast::Set(self.property_escape()?)));
        }
        let start = self.at;
        match self.escape(false)? {
            Escape::Char(_) => {
                self.at = start - 1;
                Ok(None)
            }
            Escape::Set(set) => Ok(Some(Ast::Set(set))),
            Escape::Atom(atom) => Ok(Some(atom)),
        }
    }

    /// `\p` and `\P`; the cursor stands at the letter.
    pub(super) fn property_escape(&mut self) -> Parse<CharSet> {
        let complement = self.get(self.at) == u32::from(b'P');
        let braced = self.next() == u32::from(b'{');
        if !braced {
            self.at -= 1;
        }
        self.family(!braced, complement)
    }

    /// Literal characters up to the next special one; the last of several is left alone if a quantifier follows it.
    fn literal(&mut self) -> Parse<Ast> {
        let mut chars: Vec<u32> = Vec::new();
        let mut last_start = self.at;
        let mut c = self.peek();
        loop {
            match char::from_u32(c).unwrap_or('x') {
                '*' | '+' | '?' | '{' => {
                    if chars.len() > 1 {
                        self.at = last_start;
                        chars.pop();
                    }
                    break;
                }
                '$' | '.' | '^' | '(' | '[' | '|' | ')' => break,
                '\\' => {
                    let before = self.at;
                    let letter = self.next_raw();
                    if letter == u32::from(b'p') || letter == u32::from(b'P') {
                        self.at = before;
                        break;
                    }
                    let checkpoint = (self.groups, self.has_supplementary);
                    match self.escape(false) {
                        Ok(Escape::Char(ch)) => {
                            last_start = before;
                            chars.push(ch);
                            c = self.peek();
                            continue;
                        }
                        Ok(_) => {
                            (self.groups, self.has_supplementary) = checkpoint;
                            self.at = before;
                            break;
                        }
                        Err(e) => return Err(e),
                    }
                }
                '\0' if self.at >= self.len => break,
                _ => {
                    last_start = self.at;
                    chars.push(c);
                    c = self.next();
                }
            }
        }
        self.has_supplementary |= chars.iter().any(|c| *c >= 0x1_0000 || (0xd800..0xe000).contains(c));
        let set = |c: &u32| CharSet::single(*c, self.has(flags::CASE_INSENSITIVE), self.has(flags::UNICODE_CASE));
        Ok(match &chars[..] {
            [] => Ast::Empty,
            [one] => Ast::Set(set(one)),
            many => Ast::Literal(many.iter().map(set).collect()),
        })
    }
}

pub(super) fn is_digit(c: u32) -> bool {
    (0x30..=0x39).contains(&c)
}
