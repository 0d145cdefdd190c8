//! Layout of SQL text: pieces that know which part of the original they stand for, laid out flat where they fit.

use crate::source::Span;

/// Longest line that is kept flat.
const WIDTH: usize = 96;

/// A piece of text.
#[derive(Debug, Clone, PartialEq)]
pub enum Doc {
    /// Words.
    Text(String),
    /// One after the other.
    Cat(Vec<Doc>),
    /// Stands for a span of the original.
    Mark(Span, Box<Doc>),
    /// Conditions with values, and the value otherwise.
    Case(Vec<(Doc, Doc)>, Option<Box<Doc>>),
    /// Function name and arguments.
    Call(String, Vec<Doc>),
    /// Operands joined by a word: `AND`, `OR`.
    Chain(&'static str, Vec<Doc>),
}

impl Doc {
    /// Words.
    pub fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    fn flat_len(&self) -> usize {
        match self {
            Doc::Text(t) => t.chars().count(),
            Doc::Cat(items) => items.iter().map(Doc::flat_len).sum(),
            Doc::Mark(_, inner) => inner.flat_len(),
            Doc::Case(branches, other) => {
                let inner: usize = branches.iter().map(|(c, v)| c.flat_len() + v.flat_len() + 11).sum();
                inner + other.as_ref().map_or(0, |o| o.flat_len() + 6) + 8
            }
            Doc::Call(name, args) => name.len() + 2 + args.iter().map(|a| a.flat_len() + 2).sum::<usize>(),
            Doc::Chain(word, items) => items.iter().map(|i| i.flat_len() + word.len() + 2).sum(),
        }
    }

    /// Whether it begins with a minus sign.
    pub fn starts_with_minus(&self) -> bool {
        match self {
            Doc::Text(t) => t.starts_with('-'),
            Doc::Cat(items) | Doc::Chain(_, items) => items.first().is_some_and(Doc::starts_with_minus),
            Doc::Mark(_, inner) => inner.starts_with_minus(),
            _ => false,
        }
    }
}

/// Text with the span map.
#[derive(Debug, Default)]
pub struct Layout {
    /// The text so far.
    pub text: String,
    /// From spans of the original to spans of the text.
    pub map: Vec<(Span, Span)>,
}

impl Layout {
    /// Lays out a whole expression.
    pub fn of(doc: &Doc) -> Layout {
        let mut layout = Layout::default();
        layout.put(doc, 0);
        layout
    }

    fn column(&self) -> usize {
        self.text.len() - self.text.rfind('\n').map_or(0, |i| i + 1)
    }

    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        for _ in 0..indent {
            self.text.push_str("  ");
        }
    }

    fn put(&mut self, doc: &Doc, indent: usize) {
        let fits = self.column() + doc.flat_len() <= WIDTH;
        match doc {
            Doc::Text(t) => self.text.push_str(t),
            Doc::Cat(items) => items.iter().for_each(|i| self.put(i, indent)),
            Doc::Mark(span, inner) => {
                let start = self.text.len();
                let slot = self.map.len();
                self.map.push((*span, Span::default()));
                self.put(inner, indent);
                self.map[slot].1 = Span::new(start, self.text.len());
            }
            Doc::Case(branches, other) => self.case(branches, other.as_deref(), indent, fits),
            Doc::Call(name, args) => {
                self.text.push_str(name);
                self.text.push('(');
                for (i, arg) in args.iter().enumerate() {
                    if !fits {
                        self.line(indent + 1);
                    }
                    self.put(arg, indent + 1);
                    if i + 1 < args.len() {
                        self.text.push_str(if fits { ", " } else { "," });
                    }
                }
                if !fits {
                    self.line(indent);
                }
                self.text.push(')');
            }
            Doc::Chain(word, items) => {
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        if fits {
                            self.text.push(' ');
                        } else {
                            self.line(indent + 1);
                        }
                        self.text.push_str(word);
                        self.text.push(' ');
                    }
                    self.put(item, indent + 1);
                }
            }
        }
    }

    fn case(&mut self, branches: &[(Doc, Doc)], other: Option<&Doc>, indent: usize, fits: bool) {
        if let ([(cond, value)], Some(other), true) = (branches, other, fits) {
            self.text.push_str("IF(");
            self.put(cond, indent);
            self.text.push_str(", ");
            self.put(value, indent);
            self.text.push_str(", ");
            self.put(other, indent);
            self.text.push(')');
            return;
        }
        let flat = fits && branches.len() < 2;
        self.text.push_str("CASE");
        for (cond, value) in branches {
            self.step(indent + 1, flat);
            self.text.push_str("WHEN ");
            self.put(cond, indent + 2);
            self.text.push_str(" THEN ");
            self.put(value, indent + 1);
        }
        if let Some(other) = other {
            self.step(indent + 1, flat);
            self.text.push_str("ELSE ");
            self.put(other, indent + 1);
        }
        self.step(indent, flat);
        self.text.push_str("END");
    }

    fn step(&mut self, indent: usize, flat: bool) {
        if flat {
            self.text.push(' ');
        } else {
            self.line(indent);
        }
    }
}
