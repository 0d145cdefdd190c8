//! A text as the screen holds it. In: text and its syntax; out: lines and coloured tokens. Never draws.

use std::sync::Arc;

use crate::propose::Tier;
use crate::run::cudf;
use crate::source::{Language, Span};

use super::syntax;

/// Texts beyond this are shown without colours, so that opening them stays quick.
const MAX_HIGHLIGHTED_BYTES: usize = 2 << 20;

/// Which rules colour a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// Scala, through its grammar.
    Scala,
    /// Java, through its grammar.
    Java,
    /// Spark SQL.
    Sql,
    /// CUDA C++.
    Cuda,
    /// No colours.
    Plain,
}

impl Syntax {
    /// The syntax of an original.
    pub fn of_language(language: Language) -> Syntax {
        match language {
            Language::Scala => Syntax::Scala,
            Language::Java => Syntax::Java,
            Language::Python => Syntax::Plain,
        }
    }

    /// The syntax of a rewrite.
    pub fn of_candidate(tier: Tier, text: &str) -> Syntax {
        match tier {
            Tier::Sql => Syntax::Sql,
            Tier::Cudf => Syntax::of_language(cudf::language_of(text)),
            Tier::Cuda => Syntax::Cuda,
        }
    }
}

/// What a piece of text is, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A word of the language.
    Keyword,
    /// A string or character literal.
    String,
    /// A number.
    Number,
    /// A comment.
    Comment,
    /// A type name.
    Type,
    /// Brackets and operators.
    Punctuation,
}

/// A coloured piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: TokenKind,
}

/// A text with its line index and its tokens in order.
#[derive(Debug, Clone)]
pub struct Document {
    /// The whole text.
    pub text: Arc<str>,
    line_starts: Vec<u32>,
    tokens: Vec<Token>,
}

impl Document {
    /// Indexes and colours a text.
    pub fn new(text: impl Into<Arc<str>>, syntax: Syntax) -> Document {
        let text: Arc<str> = text.into();
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i as u32 + 1));
        let mut line_starts: Vec<u32> = starts.collect();
        if line_starts.len() > 1 && line_starts.last() == Some(&(text.len() as u32)) {
            line_starts.pop();
        }
        let tokens = match text.len() <= MAX_HIGHLIGHTED_BYTES {
            true => syntax::tokens(&text, syntax),
            false => Vec::new(),
        };
        Document {
            text,
            line_starts,
            tokens,
        }
    }

    /// Number of lines; a final line feed opens no further line.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// 0-based line of a byte offset.
    pub fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|s| *s <= offset).saturating_sub(1)
    }

    /// Where a line begins.
    pub fn line_start(&self, line: usize) -> usize {
        self.line_starts.get(line).map_or(self.text.len(), |s| *s as usize)
    }

    /// The text of a line without its end.
    pub fn line(&self, line: usize) -> &str {
        let (start, end) = (self.line_start(line), self.line_start(line + 1));
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// The tokens that touch a range of bytes.
    pub fn tokens_in(&self, start: usize, end: usize) -> &[Token] {
        let from = self.tokens.partition_point(|t| t.span.end as usize <= start);
        let to = self.tokens.partition_point(|t| (t.span.start as usize) < end);
        &self.tokens[from..to.max(from)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_tokens() {
        let d = Document::new("a + 1\r\nb\n", Syntax::Sql);
        assert_eq!(d.line_count(), 2);
        assert_eq!(d.line(0), "a + 1");
        assert_eq!(d.line(1), "b");
        let kinds: Vec<TokenKind> = d.tokens_in(0, 5).iter().map(|t| t.kind).collect();
        assert_eq!(kinds, [TokenKind::Punctuation, TokenKind::Number]);
        assert_eq!(Document::new("", Syntax::Plain).line_count(), 1);
    }
}
