//! Reads a pattern in the device's dialect: what it refuses, what it reads differently from Java, what was not measured.

use super::super::classes::{DIGIT, SPACE, WORD};
use super::super::{K, cudf, refuse};

/// `RegexFlag`s.
#[derive(Debug, Clone, Copy)]
pub struct Flags {
    pub ascii: bool,
    pub multiline: bool,
    pub dotall: bool,
    pub ext_newline: bool,
}

/// A set of characters.
#[derive(Debug, Clone, Default)]
pub struct Set {
    /// Ranges in any order.
    pub ranges: Vec<(u32, u32)>,
    /// Sets that are members as a whole and negated: `\D` inside brackets.
    pub negated: Vec<Vec<(u32, u32)>>,
    /// Largest member of the negated sets.
    pub negated_to: u32,
    /// `[^…]`.
    pub not: bool,
}

impl Set {
    /// Whether a character is a member.
    pub fn has(&self, c: char) -> bool {
        let c = u32::from(c);
        let inside = |r: &[(u32, u32)]| r.iter().any(|(a, b)| (*a..=*b).contains(&c));
        (inside(&self.ranges) || (c <= self.negated_to && self.negated.iter().any(|n| !inside(n)))) != self.not
    }
}

/// A parsed pattern.
#[derive(Debug, Clone)]
pub enum Node {
    Set(Set),
    Start,
    End,
    /// `\A`, `\Z`.
    TextStart,
    TextEnd,
    Boundary(bool),
    Group(Box<Node>, Option<usize>),
    Seq(Vec<Node>),
    Alt(Vec<Node>),
    Repeat(Box<Node>, u32, Option<u32>, bool),
}

/// What may follow a backslash and stands for itself.
const ESCAPABLE: &str = ".-+*\\?^$|{}()[]<>\"~'`_@=;:!#%&,/ ";

struct Reader<'a> {
    chars: Vec<char>,
    at: usize,
    groups: usize,
    flags: Flags,
    text: &'a str,
}

/// The pattern and its number of groups.
pub fn parse(pattern: &str, flags: Flags) -> K<(Node, usize)> {
    let mut r = Reader {
        chars: pattern.chars().collect(),
        at: 0,
        groups: 0,
        flags,
        text: pattern,
    };
    let node = r.alternatives(0)?;
    if r.at < r.chars.len() {
        return r.bad("unmatched left parenthesis");
    }
    Ok((node, r.groups))
}

impl Reader<'_> {
    fn bad<T>(&self, what: &str) -> K<T> {
        cudf(format!("invalid regex pattern: {what} at position {}", self.at))
    }

    fn unknown<T>(&self, what: &str) -> K<T> {
        refuse(format!("the pattern \"{}\": {what}", self.text))
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn alternatives(&mut self, depth: usize) -> K<Node> {
        let mut all = Vec::new();
        loop {
            let seq = self.sequence(depth)?;
            let empty = matches!(&seq, Node::Seq(s) if s.is_empty());
            if empty && all.is_empty() && self.peek() == Some('|') {
                return self.bad("nothing to repeat");
            }
            if empty {
                return self.unknown("an empty group or alternative prefers another branch on the device");
            }
            all.push(seq);
            if self.peek() != Some('|') {
                break;
            }
            self.at += 1;
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Node::Alt(all) })
    }

    fn sequence(&mut self, depth: usize) -> K<Node> {
        let mut items: Vec<Node> = Vec::new();
        while let Some(c) = self.peek() {
            if c == '|' || (c == ')' && depth > 0) {
                break;
            }
            if c == ')' {
                return self.bad("unmatched left parenthesis");
            }
            if let Some((low, high)) = self.quantifier(c)? {
                let repeatable = items.last().is_some_and(|i| {
                    !matches!(
                        i,
                        Node::Start
                            | Node::End
                            | Node::TextStart
                            | Node::TextEnd
                            | Node::Boundary(_)
                            | Node::Repeat(..)
                    )
                });
                let Some(item) = items.pop().filter(|_| repeatable) else {
                    return self.bad("nothing to repeat");
                };
                let lazy = self.peek() == Some('?');
                self.at += usize::from(lazy);
                items.push(Node::Repeat(Box::new(item), low, high, lazy));
                continue;
            }
            items.push(self.atom(c, depth)?);
        }
        Ok(Node::Seq(items))
    }

    /// `*`, `+`, `?`, `{n,m}`; braces of another form are text.
    fn quantifier(&mut self, c: char) -> K<Option<(u32, Option<u32>)>> {
        let simple = match c {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            '{' => return self.counted(),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(simple))
    }

    fn counted(&mut self) -> K<Option<(u32, Option<u32>)>> {
        let rest: String = self.chars[self.at + 1..].iter().take_while(|c| **c != '}').collect();
        let closed = self.chars.len() > self.at + 1 + rest.chars().count();
        let (low, high) = match rest.split_once(',') {
            Some((a, b)) => (a, Some(b)),
            None => (rest.as_str(), None),
        };
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if !closed || !digits(low) || high.is_some_and(|h| !h.is_empty() && !digits(h)) {
            return Ok(None);
        }
        let number = |s: &str| s.parse::<u32>().unwrap_or(u32::MAX);
        let low_n = number(low);
        let high_n = match high {
            None => Some(low_n),
            Some("") => None,
            Some(h) => Some(number(h)),
        };
        if low_n > 999 || high_n.is_some_and(|h| h > 999) {
            return self.bad("unsupported repeat value");
        }
        if high_n == Some(0) || high_n.is_some_and(|h| h < low_n) {
            return self.unknown("a count of 0 or a falling range was not measured");
        }
        self.at += rest.chars().count() + 2;
        Ok(Some((low_n, high_n)))
    }

    fn atom(&mut self, c: char, depth: usize) -> K<Node> {
        self.at += 1;
        Ok(match c {
            '^' => Node::Start,
            '$' => Node::End,
            '.' => Node::Set(self.dot()),
            '[' => Node::Set(self.class()?),
            '(' => {
                let group = if self.peek() == Some('?') {
                    if self.chars.get(self.at + 1) != Some(&':') {
                        return self.bad("nothing to repeat");
                    }
                    self.at += 2;
                    None
                } else {
                    self.groups += 1;
                    Some(self.groups)
                };
                let inner = self.alternatives(depth + 1)?;
                if self.peek() != Some(')') {
                    return self.bad("unmatched left parenthesis");
                }
                self.at += 1;
                Node::Group(Box::new(inner), group)
            }
            '\\' => self.escape()?,
            other => Node::Set(one(other)),
        })
    }

    fn dot(&self) -> Set {
        let ranges = if self.flags.dotall {
            Vec::new()
        } else if self.flags.ext_newline {
            vec![(10, 10), (13, 13), (0x85, 0x85), (0x2028, 0x2029)]
        } else {
            vec![(10, 10)]
        };
        Set {
            ranges,
            not: true,
            ..Set::default()
        }
    }

    fn shorthand(&self, c: char) -> Vec<(u32, u32)> {
        match (c.to_ascii_lowercase(), self.flags.ascii) {
            ('d', true) => vec![(48, 57)],
            ('w', true) => vec![(48, 57), (65, 90), (95, 95), (97, 122)],
            ('s', true) => vec![(9, 32)],
            ('d', false) => DIGIT.to_vec(),
            ('w', false) => WORD.to_vec(),
            _ => SPACE.to_vec(),
        }
    }

    /// The set behind `\D`, `\W`, `\S`; by default the first two leave out the line feed as well.
    fn complement(&self, c: char) -> Vec<(u32, u32)> {
        let mut set = self.shorthand(c);
        if !self.flags.ascii && matches!(c, 'D' | 'W') {
            set.push((10, 10));
        }
        set
    }

    fn escape(&mut self) -> K<Node> {
        let Some(c) = self.peek() else {
            return self.bad("bad escape character");
        };
        self.at += 1;
        Ok(match c {
            'd' | 'w' | 's' => Node::Set(Set {
                ranges: self.shorthand(c),
                ..Set::default()
            }),
            // With the ASCII flag the device reads `\S` as `\d`.
            'S' if self.flags.ascii => Node::Set(Set {
                ranges: self.shorthand('d'),
                ..Set::default()
            }),
            'D' | 'W' | 'S' => Node::Set(Set {
                ranges: self.complement(c),
                not: true,
                ..Set::default()
            }),
            'b' => Node::Boundary(true),
            'B' => Node::Boundary(false),
            'A' => Node::TextStart,
            'Z' => Node::TextEnd,
            _ => Node::Set(one(self.escaped_char(c)?)),
        })
    }

    /// A character written with a backslash, outside brackets.
    fn escaped_char(&mut self, c: char) -> K<char> {
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\u{c}',
            'a' => '\u{7}',
            'x' => return self.hex(),
            '0' => {
                let digits: String = self.chars[self.at..]
                    .iter()
                    .take(3)
                    .take_while(|d| ('0'..='7').contains(*d))
                    .collect();
                if digits.is_empty() || digits.len() > 2 {
                    return self.unknown("this octal escape was not measured");
                }
                self.at += digits.len();
                char::from(u8::from_str_radix(&digits, 8).unwrap_or(0))
            }
            '1'..='9' => return self.unknown("the device reads a back reference as an octal escape"),
            c if ESCAPABLE.contains(c) => c,
            _ => {
                self.at -= 1;
                return self.bad("bad escape character");
            }
        })
    }

    fn hex(&mut self) -> K<char> {
        let digits: String = self.chars[self.at..].iter().take(2).collect();
        match u8::from_str_radix(&digits, 16) {
            Ok(v) if digits.len() == 2 => {
                self.at += 2;
                Ok(char::from(v))
            }
            _ => self.bad("stol"),
        }
    }

    /// After `[`. Only `\d \w \s` and a few control characters are known inside; any other escaped character is itself.
    fn class(&mut self) -> K<Set> {
        let mut set = Set {
            // Inside brackets the Unicode classes know the first plane only.
            negated_to: if self.flags.ascii { u32::MAX } else { 0xffff },
            ..Set::default()
        };
        if self.peek() == Some('^') {
            set.not = true;
            self.at += 1;
        }
        let mut first = true;
        loop {
            let Some(c) = self.peek() else {
                return self.bad("bad escape character");
            };
            self.at += 1;
            if c == ']' && !first {
                return Ok(set);
            }
            first = false;
            let low = if c == '\\' {
                let Some(e) = self.peek() else {
                    return self.bad("bad escape character");
                };
                self.at += 1;
                match e {
                    'd' | 'w' | 's' => {
                        set.ranges.extend(self.shorthand(e));
                        continue;
                    }
                    'D' | 'W' | 'S' => {
                        set.negated.push(self.complement(e));
                        continue;
                    }
                    _ => self.class_char(e)?,
                }
            } else {
                c
            };
            self.range(low, &mut set)?;
        }
    }

    fn class_char(&mut self, e: char) -> K<char> {
        Ok(match e {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\u{c}',
            'a' => '\u{7}',
            'x' => return self.hex(),
            'b' | '0'..='9' => return self.unknown("this escape inside brackets was not measured"),
            other => other,
        })
    }

    fn range(&mut self, low: char, set: &mut Set) -> K<()> {
        let is_range = self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|c| *c != ']');
        if !is_range {
            set.ranges.push((u32::from(low), u32::from(low)));
            if self.peek() == Some('-') && self.chars.get(self.at + 1).is_none() {
                return self.bad("bad escape character");
            }
            return Ok(());
        }
        self.at += 1;
        let mut high = self.peek().unwrap_or(low);
        self.at += 1;
        if high == '\\' {
            let e = self.peek().unwrap_or('\\');
            self.at += 1;
            if matches!(e, 'd' | 'w' | 's' | 'D' | 'W' | 'S') {
                return self.unknown("a range that ends in a class was not measured");
            }
            high = self.class_char(e)?;
        }
        if high < low {
            return self.bad("invalid character range in class");
        }
        set.ranges.push((u32::from(low), u32::from(high)));
        Ok(())
    }
}

fn one(c: char) -> Set {
    Set {
        ranges: vec![(u32::from(c), u32::from(c))],
        ..Set::default()
    }
}
