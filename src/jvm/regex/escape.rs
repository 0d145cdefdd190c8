//! Escapes, character classes and property names of a pattern.

use super::ast::{Ast, Place};
use super::class::CharSet;
use super::parse::{Parse, Parser, is_digit};
use super::property::{self, Lookup};
use super::{RegexError, flags};

/// What a backslash stands for.
pub(super) enum Escape {
    /// A character.
    Char(u32),
    /// A class.
    Set(CharSet),
    /// Something that is not allowed in a class.
    Atom(Ast),
}

impl Parser {
    /// Reads the escape whose letter stands at the cursor.
    pub(super) fn escape(&mut self, in_class: bool) -> Parse<Escape> {
        let c = self.take_raw();
        let at = |place| Ok(Escape::Atom(Ast::At(place)));
        let letter = u8::try_from(c).ok().filter(u8::is_ascii).unwrap_or(0);
        match letter {
            b'0' => self.octal().map(Escape::Char),
            b'1'..=b'9' if !in_class => Ok(Escape::Atom(self.reference(c - 0x30))),
            b'A' if !in_class => at(Place::Begin),
            b'z' if !in_class => at(Place::End),
            b'G' if !in_class => at(Place::LastMatch),
            b'Z' if !in_class => at(Place::Dollar {
                multiline: false,
                unix: self.has(flags::UNIX_LINES),
            }),
            b'b' if !in_class && self.peek() == u32::from(b'{') => Err(not_covered("\\b{g}")),
            b'b' | b'B' if !in_class => at(Place::Bound {
                negated: letter == b'B',
                unicode: self.has(flags::UNICODE_CHARACTER_CLASS),
            }),
            b'R' if !in_class => Ok(Escape::Atom(Ast::LineEnding)),
            b'X' if !in_class => Err(not_covered("\\X")),
            b'N' => Err(not_covered("\\N")),
            // At an end of a range it is the one control character.
            b'v' if in_class && self.raw_at(self.at) == u32::from(b'-') => Ok(Escape::Char(11)),
            b'd' | b'w' | b's' | b'h' | b'v' | b'D' | b'W' | b'S' | b'H' | b'V' => {
                let unicode = self.has(flags::UNICODE_CHARACTER_CLASS);
                let set = property::predefined(letter.to_ascii_lowercase(), unicode);
                Ok(Escape::Set(if letter.is_ascii_uppercase() {
                    set.negated()
                } else {
                    set
                }))
            }
            b'k' if !in_class => self.named_reference().map(Escape::Atom),
            b'a' => Ok(Escape::Char(7)),
            b'e' => Ok(Escape::Char(27)),
            b'f' => Ok(Escape::Char(12)),
            b'n' => Ok(Escape::Char(10)),
            b'r' => Ok(Escape::Char(13)),
            b't' => Ok(Escape::Char(9)),
            b'c' if self.at < self.len => Ok(Escape::Char(self.take_raw() ^ 64)),
            b'c' => Err(self.error("Illegal control escape sequence")),
            b'u' => self.unicode_escape().map(Escape::Char),
            b'x' => self.hexadecimal().map(Escape::Char),
            _ if letter.is_ascii_alphanumeric() => Err(self.error("Illegal/unsupported escape sequence")),
            0 if self.at > self.len => Err(self.error("Unexpected internal error")),
            _ => Ok(Escape::Char(c)),
        }
    }

    /// `\0n`, `\0nn`, `\0mnn` with m up to 3.
    fn octal(&mut self) -> Parse<u32> {
        let digit = |p: &mut Parser| {
            Some(p.raw_at(p.at))
                .filter(|c| (0x30..=0x37).contains(c))
                .map(|c| c - 0x30)
        };
        let Some(mut value) = digit(self) else {
            self.at += 1;
            return Err(self.error("Illegal octal escape sequence"));
        };
        self.at += 1;
        let three = value <= 3;
        for _ in 0..if three { 2 } else { 1 } {
            match digit(self) {
                Some(d) => value = value * 8 + d,
                None => break,
            }
            self.at += 1;
        }
        Ok(value)
    }

    /// Further digits belong to a reference while a group of that number has been opened.
    fn reference(&mut self, first: u32) -> Ast {
        let mut group = first;
        while is_digit(self.peek()) {
            let longer = group.saturating_mul(10) + (self.peek() - 0x30);
            if longer > self.groups {
                break;
            }
            group = longer;
            self.read();
        }
        self.back_reference(group)
    }

    fn back_reference(&self, group: u32) -> Ast {
        Ast::BackRef {
            group,
            ignore_case: self.has(flags::CASE_INSENSITIVE),
            unicode_case: self.has(flags::UNICODE_CASE),
        }
    }

    fn named_reference(&mut self) -> Parse<Ast> {
        if self.read() != u32::from(b'<') {
            return Err(self.error("\\k is not followed by '<' for named capturing group"));
        }
        let first = self.read();
        let name = self.group_name(first)?;
        match self.names.get(&name) {
            Some(group) => Ok(self.back_reference(*group)),
            None => Err(self.error(&format!("named capturing group <{name}> does not exist"))),
        }
    }

    fn hex_digits(&mut self, count: usize) -> Option<u32> {
        let mut value = 0;
        for i in 0..count {
            let c = char::from_u32(self.raw_at(self.at + i))?;
            value = value * 16 + c.to_digit(16)?;
        }
        self.at += count;
        Some(value)
    }

    fn unicode_escape(&mut self) -> Parse<u32> {
        let first = self
            .hex_digits(4)
            .ok_or_else(|| self.error("Illegal Unicode escape sequence"))?;
        let escaped = self.raw_at(self.at) == u32::from(b'\\') && self.raw_at(self.at + 1) == u32::from(b'u');
        if (0xd800..0xdc00).contains(&first) && escaped {
            let back = self.at;
            self.at += 2;
            match self.hex_digits(4) {
                Some(low) if (0xdc00..0xe000).contains(&low) => {
                    return Ok(0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00));
                }
                Some(_) => self.at = back,
                None => return Err(self.error("Illegal Unicode escape sequence")),
            }
        }
        Ok(first)
    }

    fn hexadecimal(&mut self) -> Parse<u32> {
        if let Some(value) = self.hex_digits(2) {
            return Ok(value);
        }
        if self.raw_at(self.at) != u32::from(b'{') {
            return Err(self.error("Illegal hexadecimal escape sequence"));
        }
        self.at += 1;
        let mut value = 0;
        let mut count = 0;
        while let Some(digit) = self.hex_digits(1) {
            value = value * 16 + digit;
            count += 1;
            if value > 0x10_ffff {
                return Err(self.error("Hexadecimal codepoint is too big"));
            }
        }
        if count == 0 || self.take_raw() != u32::from(b'}') {
            return Err(self.error("Unclosed hexadecimal escape sequence"));
        }
        Ok(value)
    }

    /// A class; the cursor stands before its first character. `consume` is false for the right side of `&&`, which ends
    /// before the closing bracket.
    pub(super) fn class(&mut self, consume: bool) -> Parse<CharSet> {
        let mut set: Option<CharSet> = None;
        let mut negated = false;
        let mut c = self.next();
        loop {
            match char::from_u32(c).unwrap_or('x') {
                '^' if self.raw_at(self.at - 1) == u32::from(b'[') => {
                    c = self.next();
                    negated = true;
                    continue;
                }
                '[' => {
                    let inner = self.class(true)?;
                    set = Some(union(set, inner));
                    c = self.peek();
                    continue;
                }
                '&' => {
                    if self.next() == u32::from(b'&') {
                        c = self.next();
                        set = self.intersection(set, &mut c)?;
                        continue;
                    }
                    self.at -= 1;
                }
                '\0' if self.at >= self.len => {
                    return Err(self.error("Unclosed character class"));
                }
                ']' if set.is_some() => {
                    if consume {
                        self.next();
                    }
                    break;
                }
                _ => {}
            }
            let part = self.class_part()?;
            set = Some(union(set, part));
            c = self.peek();
        }
        match set {
            Some(set) if negated => Ok(set.negated()),
            Some(set) => Ok(set),
            None => Err(self.error("Bad class syntax")),
        }
    }

    /// What follows `&&`.
    fn intersection(&mut self, left: Option<CharSet>, c: &mut u32) -> Parse<Option<CharSet>> {
        let mut right: Option<CharSet> = None;
        while *c != u32::from(b']') && *c != u32::from(b'&') {
            let part = if *c == u32::from(b'[') {
                self.class(true)?
            } else {
                self.at -= 1;
                self.class(false)?
            };
            right = Some(union(right, part));
            *c = self.peek();
        }
        match (left, right) {
            (None, None) => Err(self.error("Bad class syntax")),
            (None, right) => Ok(right),
            (left, None) => Ok(left),
            (Some(l), Some(r)) => Ok(Some(l.and(r))),
        }
    }

    /// A character, a range or an escape in a class.
    fn class_part(&mut self) -> Parse<CharSet> {
        let mut c = self.peek();
        if c == u32::from(b'\\') {
            let letter = self.next_raw();
            if letter == u32::from(b'p') || letter == u32::from(b'P') {
                return self.property_escape();
            }
            match self.escape(true)? {
                Escape::Char(ch) => c = ch,
                Escape::Set(set) => return Ok(set),
                Escape::Atom(_) => return Err(self.error("Illegal/unsupported escape sequence")),
            }
        } else {
            self.next();
        }
        let (ignore, unicode) = (self.has(flags::CASE_INSENSITIVE), self.has(flags::UNICODE_CASE));
        if self.peek() == u32::from(b'-') {
            let end = self.raw_at(self.at + 1);
            if end != u32::from(b'[') && end != u32::from(b']') {
                self.next();
                let mut last = self.peek();
                if last == u32::from(b'\\') {
                    self.at += 1;
                    last = self.range_end()?;
                } else {
                    self.next();
                }
                if last < c {
                    return Err(self.error("Illegal character range"));
                }
                return Ok(CharSet::range(c, last, ignore, unicode));
            }
        }
        Ok(CharSet::single_in_class(c, ignore, unicode))
    }

    fn range_end(&mut self) -> Parse<u32> {
        if self.raw_at(self.at) == u32::from(b'v') {
            self.at += 1;
            return Ok(11);
        }
        match self.escape(true)? {
            Escape::Char(c) => Ok(c),
            _ => Err(self.error("Illegal character range")),
        }
    }

    /// A property name, in braces or of one letter.
    pub(super) fn family(&mut self, single_letter: bool, complement: bool) -> Parse<CharSet> {
        self.next();
        let name: String = if single_letter {
            let c = self.raw_at(self.at);
            self.read();
            char::from_u32(c).filter(|c| *c != '\0').unwrap_or(' ').to_string()
        } else {
            let start = self.at;
            while self.at < self.len && self.raw_at(self.at) != u32::from(b'}') {
                self.at += 1;
            }
            if self.at >= self.len {
                return Err(self.error("Unclosed character family"));
            }
            let name = self.text[start..self.at]
                .iter()
                .filter_map(|c| char::from_u32(*c))
                .collect();
            let empty = self.at == start;
            self.at += 1;
            if empty {
                return Err(self.error("Empty character family"));
            }
            name
        };
        let set = self.named_set(&name)?;
        self.has_supplementary |= complement;
        Ok(if complement { set.negated() } else { set })
    }

    fn named_set(&mut self, name: &str) -> Parse<CharSet> {
        let ignore = self.has(flags::CASE_INSENSITIVE);
        let first = |a: Option<CharSet>, b: &dyn Fn() -> Lookup| a.map_or_else(b, Lookup::Set);
        let plain = |name: &str| property::property(name, ignore);
        let or_unknown = |set: Option<CharSet>| set.map_or(Lookup::Unknown, Lookup::Set);
        let found = if let Some((key, value)) = name.split_once('=') {
            match key.to_lowercase().as_str() {
                "sc" | "script" => or_unknown(property::script(value)),
                "blk" | "block" => or_unknown(property::block(value)),
                "gc" | "general_category" => plain(value),
                _ => Lookup::Unknown,
            }
        } else if let Some(block) = name.strip_prefix("In") {
            or_unknown(property::block(block))
        } else if let Some(short) = name.strip_prefix("Is") {
            match first(property::unicode_property(short, ignore), &|| plain(short)) {
                Lookup::Unknown => or_unknown(property::script(short)),
                other => other,
            }
        } else {
            let posix = if self.has(flags::UNICODE_CHARACTER_CLASS) {
                property::posix_unicode(name, ignore)
            } else {
                None
            };
            first(posix, &|| plain(name))
        };
        match found {
            Lookup::Set(set) => Ok(set),
            Lookup::NotCovered => Err(not_covered(&format!("\\p{{{name}}}"))),
            Lookup::Unknown => Err(self.error(&format!("Unknown character property name {{{name}}}"))),
        }
    }
}

fn union(a: Option<CharSet>, b: CharSet) -> CharSet {
    match a {
        Some(a) => a.or(b),
        None => b,
    }
}

fn not_covered(what: &str) -> RegexError {
    RegexError::Unsupported(format!("{what} in a pattern is not covered"))
}
