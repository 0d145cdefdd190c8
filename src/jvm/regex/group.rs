//! Groups, their flags and names, and quantifiers.

use super::ast::{Ast, Kind};
use super::parse::{Parse, Parser, is_digit};
use super::{RegexError, flags};

impl Parser {
    /// `(…`: a group with its quantifier; `None` for a change of flags.
    pub(super) fn group(&mut self) -> Parse<Option<Ast>> {
        let saved = self.flags;
        let c = self.next();
        if c != u32::from(b'?') {
            self.groups += 1;
            let index = Some(self.groups);
            return self.group_body(saved, |body| Ast::Group { index, body }).map(Some);
        }
        self.at += 1;
        let kind = self.take_raw();
        match char::from_u32(kind).unwrap_or('x') {
            ':' => self
                .group_body(saved, |body| Ast::Group { index: None, body })
                .map(Some),
            '=' | '!' => {
                let negated = kind == u32::from(b'!');
                self.group_body(saved, |body| Ast::Look {
                    behind: false,
                    negated,
                    body,
                })
                .map(Some)
            }
            '>' => self.group_body(saved, Ast::Atomic).map(Some),
            '<' => self.named_or_behind(saved).map(Some),
            '$' | '@' => Err(self.error("Unknown group type")),
            _ => {
                self.at -= 1;
                self.change_flags()?;
                match char::from_u32(self.read()).unwrap_or('x') {
                    ')' => Ok(None),
                    ':' => self
                        .group_body(saved, |body| Ast::Group { index: None, body })
                        .map(Some),
                    _ => Err(self.error("Unknown inline modifier")),
                }
            }
        }
    }

    pub(super) fn named_or_behind(&mut self, saved: u32) -> Parse<Ast> {
        let c = self.read();
        if c < 0x80 && (c as u8).is_ascii_alphabetic() {
            let name = self.group_name(c)?;
            if self.names.contains_key(&name) {
                return Err(self.error(&format!("Named capturing group <{name}> is already defined")));
            }
            self.groups += 1;
            let index = self.groups;
            self.names.insert(name, index);
            return self.group_body(saved, |body| Ast::Group {
                index: Some(index),
                body,
            });
        }
        let negated = match char::from_u32(c).unwrap_or('x') {
            '=' => false,
            '!' => true,
            _ => return Err(self.error("Unknown look-behind group")),
        };
        let look = self.group_body(saved, |body| Ast::Look {
            behind: true,
            negated,
            body,
        })?;
        let inner = match &look {
            Ast::Repeat { atom, .. } => atom,
            other => other,
        };
        if let Ast::Look { body, .. } = inner {
            let shape = body.shape();
            if shape.max.is_none() {
                return Err(self.error("Look-behind group does not have an obvious maximum length"));
            }
            // The JDK then looks at places which depend on the overflow.
            if shape.wrapped {
                let what = "a lookbehind of unbounded length with more in it is not covered";
                return Err(RegexError::Unsupported(what.into()));
            }
        }
        Ok(look)
    }

    /// The rest of a group name, whose first letter has been read, up to `>`.
    pub(super) fn group_name(&mut self, first: u32) -> Parse<String> {
        let ascii = |c: u32| u8::try_from(c).ok().filter(u8::is_ascii);
        let Some(letter) = ascii(first).filter(u8::is_ascii_alphabetic) else {
            return Err(self.error("capturing group name does not start with a Latin letter"));
        };
        let mut name = String::from(char::from(letter));
        loop {
            match ascii(self.read()) {
                Some(b'>') => return Ok(name),
                Some(c) if c.is_ascii_alphanumeric() => name.push(char::from(c)),
                _ => return Err(self.error("named capturing group is missing trailing '>'")),
            }
        }
    }

    pub(super) fn group_body(&mut self, saved: u32, make: impl FnOnce(Box<Ast>) -> Ast) -> Parse<Ast> {
        let body = self.alternatives()?;
        if self.read() != u32::from(b')') {
            return Err(self.error("Unclosed group"));
        }
        self.flags = saved;
        self.quantifier(make(Box::new(body)))
    }

    /// `idmsuxU-…` after `(?`.
    pub(super) fn change_flags(&mut self) -> Parse<()> {
        let mut on = true;
        loop {
            let flag = match char::from_u32(self.peek()).unwrap_or('x') {
                'i' => flags::CASE_INSENSITIVE,
                'm' => flags::MULTILINE,
                's' => flags::DOTALL,
                'd' => flags::UNIX_LINES,
                'u' => flags::UNICODE_CASE,
                'x' => flags::COMMENTS,
                'U' => flags::UNICODE_CHARACTER_CLASS | flags::UNICODE_CASE,
                'c' => {
                    return Err(RegexError::Unsupported(
                        "canonical equivalence in patterns is not covered".into(),
                    ));
                }
                '-' if on => {
                    on = false;
                    self.next();
                    continue;
                }
                _ => return Ok(()),
            };
            self.flags = if on { self.flags | flag } else { self.flags & !flag };
            self.next();
        }
    }

    /// A quantifier behind an atom, if there is one.
    pub(super) fn quantifier(&mut self, atom: Ast) -> Parse<Ast> {
        let (min, max) = match char::from_u32(self.peek()).unwrap_or('x') {
            '?' => (0, Some(1)),
            '*' => (0, None),
            '+' => (1, None),
            '{' => self.counts()?,
            _ => return Ok(atom),
        };
        let kind = match char::from_u32(self.next()).unwrap_or('x') {
            '?' => Kind::Lazy,
            '+' => Kind::Possessive,
            _ => Kind::Greedy,
        };
        if kind != Kind::Greedy {
            self.next();
        }
        Ok(Ast::Repeat {
            atom: Box::new(atom),
            min,
            max,
            kind,
        })
    }

    /// `{n}`, `{n,}`, `{n,m}`; leaves the cursor at the closing brace.
    pub(super) fn counts(&mut self) -> Parse<(u32, Option<u32>)> {
        if !is_digit(self.get(self.at + 1)) {
            self.at += 1;
            return Err(self.error_at("Illegal repetition", self.at - 1));
        }
        self.at += 1;
        let min = self.number()?;
        let mut max = Some(min);
        if self.get(self.at) == u32::from(b',') {
            self.at += 1;
            max = if self.get(self.at) == u32::from(b'}') {
                None
            } else {
                Some(self.number()?)
            };
        }
        if self.get(self.at) != u32::from(b'}') {
            self.at += 1;
            return Err(self.error("Unclosed counted closure"));
        }
        if max.is_some_and(|m| m < min) {
            self.at += 1;
            return Err(self.error("Illegal repetition range"));
        }
        Ok((min, max))
    }

    pub(super) fn number(&mut self) -> Parse<u32> {
        let mut n: u64 = 0;
        while is_digit(self.get(self.at)) {
            n = n * 10 + u64::from(self.get(self.at) - 0x30);
            self.at += 1;
            if n > 0x7fff_ffff {
                return Err(self.error("Illegal repetition range"));
            }
        }
        Ok(n as u32)
    }
}
