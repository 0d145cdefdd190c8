//! The syntax tree of a pattern, and what is known about the lengths it matches.

use super::class::CharSet;

/// How often and how eagerly something is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As often as possible.
    Greedy,
    /// As rarely as possible.
    Lazy,
    /// As often as possible, never giving back.
    Possessive,
}

/// Places rather than characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// `\A`, and `^` without MULTILINE.
    Begin,
    /// `\z`.
    End,
    /// `^` with MULTILINE.
    Caret { unix: bool },
    /// `$` and `\Z`.
    Dollar { multiline: bool, unix: bool },
    /// `\G`.
    LastMatch,
    /// `\b`, `\B`.
    Bound { negated: bool, unicode: bool },
}

/// A pattern.
#[derive(Debug, Clone)]
pub enum Ast {
    /// Nothing.
    Empty,
    /// One character of a set.
    Set(CharSet),
    /// Characters in a row, each with its case variants.
    Literal(Vec<CharSet>),
    /// One after the other.
    Seq(Vec<Ast>),
    /// The first that leads to a match.
    Alt(Vec<Ast>),
    /// `(…)`, `(?:…)`.
    Group { index: Option<u32>, body: Box<Ast> },
    /// Quantified; `max` is `None` without a bound.
    Repeat {
        atom: Box<Ast>,
        min: u32,
        max: Option<u32>,
        kind: Kind,
    },
    /// `\1`, `\k<name>`.
    BackRef {
        group: u32,
        ignore_case: bool,
        unicode_case: bool,
    },
    /// A place.
    At(Place),
    /// Lookahead and lookbehind.
    Look {
        behind: bool,
        negated: bool,
        body: Box<Ast>,
    },
    /// `(?>…)`.
    Atomic(Box<Ast>),
    /// `\R`.
    LineEnding,
}

/// Lengths in characters, and whether there is only one way to match at a place.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Fewest characters.
    pub min: u64,
    /// Most, if the JDK sees a bound. It adds and multiplies in 32 bits, and an unbounded repetition counts as 2^31 - 1.
    pub max: Option<i32>,
    /// Only one way.
    pub deterministic: bool,
    /// Whether that arithmetic has overflowed.
    pub wrapped: bool,
    /// Most characters up to the last alternatives, after which the JDK counts anew.
    before: i32,
}

impl Ast {
    /// Follows the JDK's own study of a pattern, because it decides which lookbehinds are legal and how groups repeat.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape {
            min: 0,
            max: Some(0),
            deterministic: true,
            wrapped: false,
            before: 0,
        };
        self.study(&mut shape);
        shape.max = shape.max.map(|m| shape.plus(m, shape.before));
        shape.before = 0;
        shape
    }

    /// Adds this part to what came before it.
    fn study(&self, to: &mut Shape) {
        match self {
            Ast::Empty | Ast::At(_) | Ast::Look { .. } => {}
            Ast::Set(_) => to.add(1, 1),
            Ast::Literal(sets) => to.add(sets.len() as u64, sets.len() as i32),
            Ast::LineEnding => to.add(1, 2),
            Ast::BackRef { .. } => to.max = None,
            Ast::Seq(parts) => parts.iter().for_each(|p| p.study(to)),
            Ast::Alt(parts) => to.branch(&parts.iter().map(Ast::shape).collect::<Vec<_>>()),
            Ast::Group { body, .. } | Ast::Atomic(body) => body.study(to),
            Ast::Repeat { atom, min, max, kind } => {
                let group = matches!(**atom, Ast::Group { .. }) && *kind != Kind::Possessive;
                match (min, max) {
                    (0, Some(1)) if group => to.branch(&[atom.shape(), Ast::Empty.shape()]),
                    (0, Some(1)) => {
                        let min = to.min;
                        atom.study(to);
                        to.min = min;
                        to.deterministic = false;
                    }
                    _ => {
                        let single = matches!(**atom, Ast::Set(_)) && *kind == Kind::Greedy && max.is_none();
                        to.repeat(atom.shape(), *min, *max, single, group);
                    }
                }
            }
        }
    }
}

impl Shape {
    fn plus(&mut self, a: i32, b: i32) -> i32 {
        let (sum, overflow) = a.overflowing_add(b);
        self.wrapped |= overflow;
        sum
    }

    fn add(&mut self, min: u64, max: i32) {
        self.min = self.min.saturating_add(min);
        self.max = self.max.map(|m| self.plus(m, max));
    }

    fn branch(&mut self, parts: &[Shape]) {
        let most = parts.iter().map(|s| s.max).try_fold(-1, |a: i32, b| Some(a.max(b?)));
        self.min = self.min.saturating_add(parts.iter().map(|s| s.min).min().unwrap_or(0));
        self.deterministic = false;
        self.max = self.max.zip(most).map(|(so_far, most)| {
            let sum = self.plus(so_far, most);
            self.before = self.plus(self.before, sum);
            0
        });
        self.wrapped |= parts.iter().any(|s| s.wrapped);
    }

    /// `single` repetitions of one character are added without a check for overflow; all others that overflow have no
    /// bound.
    fn repeat(&mut self, inner: Shape, min: u32, max: Option<u32>, single: bool, group: bool) {
        self.deterministic &= inner.deterministic && max == Some(min);
        let most = max.map_or(i32::MAX, |m| m as i32);
        self.min = self.min.saturating_add(inner.min.saturating_mul(u64::from(min)));
        self.max = match (self.max, inner.max) {
            _ if group && !inner.deterministic => None,
            (Some(before), Some(each)) => {
                let (product, overflow) = each.overflowing_mul(most);
                self.wrapped |= overflow || inner.wrapped;
                let sum = self.plus(product, before);
                (single || sum >= before).then_some(sum)
            }
            _ => None,
        };
    }
}
