//! Runs a parsed pattern: a list of instructions stepped over all alternatives at once, earlier ones first (the leftmost match
//! that a backtracking matcher would find), in time linear in the text.

use super::super::classes::WORD;
use super::super::{K, refuse};
use super::parse::{Flags, Node, Set};

#[derive(Debug)]
enum Inst {
    Set(Box<Class>),
    Start,
    End,
    TextStart,
    TextEnd,
    Boundary(bool),
    Save(usize),
    /// Tries the first, then the second.
    Split(usize, usize),
    Jump(usize),
    Match,
}

/// A set with its ASCII part as a table.
#[derive(Debug)]
struct Class {
    ascii: [bool; 128],
    set: Set,
}

impl Class {
    fn has(&self, c: char) -> bool {
        match self.ascii.get(c as usize) {
            Some(b) => *b,
            None => self.set.has(c),
        }
    }
}

/// A compiled pattern.
#[derive(Debug)]
pub struct Program {
    code: Vec<Inst>,
    flags: Flags,
    /// Number of capturing groups.
    pub groups: usize,
}

type Slots = Vec<Option<usize>>;

/// Bound on instructions: counted repeats multiply.
const MAX_CODE: usize = 100_000;

/// Compiles a parsed pattern.
pub fn build(node: &Node, groups: usize, flags: Flags) -> K<Program> {
    let mut p = Program {
        code: Vec::new(),
        flags,
        groups,
    };
    p.code.push(Inst::Save(0));
    p.emit(node)?;
    p.code.push(Inst::Save(1));
    p.code.push(Inst::Match);
    Ok(p)
}

impl Program {
    fn emit(&mut self, node: &Node) -> K<()> {
        if self.code.len() > MAX_CODE {
            return refuse("the pattern is too large");
        }
        match node {
            Node::Set(s) => {
                let mut ascii = [false; 128];
                for (i, a) in ascii.iter_mut().enumerate() {
                    *a = s.has(char::from(i as u8));
                }
                self.code.push(Inst::Set(Box::new(Class { ascii, set: s.clone() })));
            }
            Node::Start => self.code.push(Inst::Start),
            Node::End => self.code.push(Inst::End),
            Node::TextStart => self.code.push(Inst::TextStart),
            Node::TextEnd => self.code.push(Inst::TextEnd),
            Node::Boundary(b) => self.code.push(Inst::Boundary(*b)),
            Node::Group(inner, None) => self.emit(inner)?,
            Node::Group(inner, Some(g)) => {
                self.code.push(Inst::Save(2 * g));
                self.emit(inner)?;
                self.code.push(Inst::Save(2 * g + 1));
            }
            Node::Seq(items) => items.iter().try_for_each(|i| self.emit(i))?,
            Node::Alt(all) => self.alternatives(all)?,
            Node::Repeat(inner, low, high, lazy) => {
                for _ in 0..*low {
                    self.emit(inner)?;
                }
                match high {
                    None => self.star(inner, *lazy)?,
                    Some(h) => self.optional(inner, h - low, *lazy)?,
                }
            }
        }
        Ok(())
    }

    fn alternatives(&mut self, all: &[Node]) -> K<()> {
        let mut jumps = Vec::new();
        for (i, a) in all.iter().enumerate() {
            if i + 1 == all.len() {
                self.emit(a)?;
                break;
            }
            let split = self.code.len();
            self.code.push(Inst::Split(split + 1, 0));
            self.emit(a)?;
            jumps.push(self.code.len());
            self.code.push(Inst::Jump(0));
            let next = self.code.len();
            self.code[split] = Inst::Split(split + 1, next);
        }
        let end = self.code.len();
        for j in jumps {
            self.code[j] = Inst::Jump(end);
        }
        Ok(())
    }

    fn star(&mut self, inner: &Node, lazy: bool) -> K<()> {
        let split = self.code.len();
        self.code.push(Inst::Split(0, 0));
        self.emit(inner)?;
        self.code.push(Inst::Jump(split));
        let (body, end) = (split + 1, self.code.len());
        self.code[split] = if lazy {
            Inst::Split(end, body)
        } else {
            Inst::Split(body, end)
        };
        Ok(())
    }

    fn optional(&mut self, inner: &Node, times: u32, lazy: bool) -> K<()> {
        let mut splits = Vec::new();
        for _ in 0..times {
            splits.push(self.code.len());
            self.code.push(Inst::Split(0, 0));
            self.emit(inner)?;
        }
        let end = self.code.len();
        for s in splits {
            self.code[s] = if lazy {
                Inst::Split(end, s + 1)
            } else {
                Inst::Split(s + 1, end)
            };
        }
        Ok(())
    }

    /// Whether the text matches from its start.
    pub fn match_at_start(&self, t: &str) -> bool {
        self.run(t, 0, true).is_some()
    }

    /// The leftmost match from a byte offset on: start and end of the match and of every group.
    pub fn find(&self, t: &str, from: usize) -> Option<Slots> {
        self.run(t, from, false)
    }

    fn run(&self, t: &str, from: usize, anchored: bool) -> Option<Slots> {
        let mut now = Threads::new(self.code.len());
        let mut next = Threads::new(self.code.len());
        let mut best = None;
        let mut at = from;
        let mut chars = t[from..].chars();
        loop {
            if best.is_none() && (!anchored || at == from) {
                self.add(&mut now, 0, t, at, vec![None; 2 * self.groups + 2]);
            }
            if now.list.is_empty() && (best.is_some() || anchored) {
                return best;
            }
            let c = chars.next();
            let after = at + c.map_or(0, char::len_utf8);
            for (pc, slots) in std::mem::take(&mut now.list) {
                match &self.code[pc] {
                    Inst::Match => {
                        best = Some(slots);
                        break;
                    }
                    Inst::Set(s) if c.is_some_and(|c| s.has(c)) => self.add(&mut next, pc + 1, t, after, slots),
                    _ => {}
                }
            }
            now.clear();
            std::mem::swap(&mut now, &mut next);
            if c.is_none() {
                return best;
            }
            at = after;
        }
    }

    /// Follows everything that consumes nothing.
    fn add(&self, threads: &mut Threads, pc: usize, t: &str, at: usize, mut slots: Slots) {
        if threads.seen[pc] == threads.round {
            return;
        }
        threads.seen[pc] = threads.round;
        let holds = match &self.code[pc] {
            Inst::Jump(to) => return self.add(threads, *to, t, at, slots),
            Inst::Split(a, b) => {
                self.add(threads, *a, t, at, slots.clone());
                return self.add(threads, *b, t, at, slots);
            }
            Inst::Save(n) => {
                slots[*n] = Some(at);
                true
            }
            Inst::TextStart => at == 0,
            Inst::TextEnd => at == t.len(),
            Inst::Start => at == 0 || self.flags.multiline && self.ends_line(&t[..at]),
            Inst::End => self.at_end(t, at),
            Inst::Boundary(b) => (is_word(t[..at].chars().next_back()) != is_word(t[at..].chars().next())) == *b,
            _ => return threads.list.push((pc, slots)),
        };
        if holds {
            self.add(threads, pc + 1, t, at, slots);
        }
    }

    fn is_newline(&self, c: char) -> bool {
        c == '\n' || self.flags.ext_newline && matches!(c, '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
    }

    fn ends_line(&self, before: &str) -> bool {
        before.chars().next_back().is_some_and(|c| self.is_newline(c))
    }

    /// The end, before a final terminator, or before any with `MULTILINE`; `\r\n` counts as one.
    fn at_end(&self, t: &str, at: usize) -> bool {
        let rest = &t[at..];
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { return true };
        if !self.is_newline(c) {
            return false;
        }
        if self.flags.ext_newline && c == '\n' && t[..at].ends_with('\r') {
            return false;
        }
        self.flags.multiline || chars.as_str().is_empty() || (self.flags.ext_newline && rest == "\r\n")
    }
}

fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| {
        let c = u32::from(c);
        WORD.binary_search_by(|(a, b)| {
            if c < *a {
                std::cmp::Ordering::Greater
            } else if c > *b {
                std::cmp::Ordering::Less
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
    })
}

struct Threads {
    list: Vec<(usize, Slots)>,
    seen: Vec<u32>,
    round: u32,
}

impl Threads {
    fn new(size: usize) -> Threads {
        Threads {
            list: Vec::new(),
            seen: vec![0; size],
            round: 1,
        }
    }

    fn clear(&mut self) {
        self.list.clear();
        self.round += 1;
    }
}
