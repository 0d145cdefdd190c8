//! Source text: bytes come in; text, language, a line index and spans go out. Never parses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Location, Result};

/// The largest source file that is read, in bytes; a generated monster is refused with its size.
pub const MAX_SOURCE_BYTES: u64 = 64 << 20;

/// A half-open range of byte offsets into one source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    /// As a range to slice text with.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether `other` lies inside this span.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// The languages a UDF or a candidate is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Scala 2.
    Scala,
    /// Java.
    Java,
    /// Python.
    Python,
}

impl Language {
    /// The language a file name's extension stands for.
    pub fn of_path(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "scala" | "sc" => Some(Language::Scala),
            "java" => Some(Language::Java),
            "py" => Some(Language::Python),
            _ => None,
        }
    }

    /// The lower-case name that screens and JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Language::Scala => "scala",
            Language::Java => "java",
            Language::Python => "python",
        }
    }
}

/// One source file: its text and where its lines begin.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// As the user named it.
    pub path: PathBuf,
    /// The whole text, UTF-8.
    pub text: Arc<str>,
    /// From the extension.
    pub language: Language,
    line_starts: Arc<[u32]>,
}

impl SourceFile {
    /// Reads a file; refuses what is too large, not UTF-8, or of an unknown language.
    pub fn read(path: &Path) -> Result<SourceFile> {
        let language = Language::of_path(path).ok_or_else(|| {
            Error::input(format!("cannot tell the language of {}", path.display()))
                .hint("give a file that ends in .scala, .java or .py")
        })?;
        let failed = |e: std::io::Error| Error::input(format!("cannot read {}", path.display())).because(e);
        let len = std::fs::metadata(path).map_err(failed)?.len();
        if len > MAX_SOURCE_BYTES {
            return Err(Error::input(format!(
                "{} is {} MiB, more than the {} MiB that are read",
                path.display(),
                len >> 20,
                MAX_SOURCE_BYTES >> 20
            ))
            .hint("move the UDF into a file of its own"));
        }
        let bytes = std::fs::read(path).map_err(failed)?;
        let text = String::from_utf8(bytes).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            let line = e.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1;
            Error::input(format!("{} is not UTF-8 (byte {at}, line {line})", path.display()))
                .hint("convert it with: iconv -f latin1 -t utf-8")
        })?;
        Ok(SourceFile::from_text(path, language, text))
    }

    /// A source file from text in memory.
    pub fn from_text(path: impl Into<PathBuf>, language: Language, text: impl Into<Arc<str>>) -> SourceFile {
        let text: Arc<str> = text.into();
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i as u32 + 1));
        SourceFile {
            path: path.into(),
            line_starts: starts.collect(),
            text,
            language,
        }
    }

    /// 0-based line that holds a byte offset.
    pub fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|s| *s <= offset) - 1
    }

    /// Number of lines; a text without a line feed has one.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// Byte offset at which a 0-based line begins.
    pub fn line_start(&self, line: usize) -> u32 {
        self.line_starts[line]
    }

    /// The text under a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// Where a span begins, as editors count.
    pub fn location(&self, span: Span) -> Location {
        let line = self.line_of(span.start);
        let start = self.line_starts[line] as usize;
        let column = self.text[start..span.start as usize].chars().count() as u32 + 1;
        Location {
            path: self.path.clone(),
            line: line as u32 + 1,
            column,
        }
    }
}

/// Something that was seen and not understood: where, and why. Refusals are values, shown where the result would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The construct in question.
    pub span: Span,
    /// Why, as a lowercase fragment: "`Random` gives another result on every run".
    pub reason: String,
}

/// The reason of a refusal where the source does not parse.
const SYNTAX_ERROR: &str = "syntax error";

impl Refusal {
    /// A refusal of what does not parse.
    pub fn syntax(span: Span) -> Refusal {
        Refusal::new(span, SYNTAX_ERROR)
    }

    /// Whether the source does not parse there: nothing that is tried later can change that.
    pub fn is_syntax(&self) -> bool {
        self.reason == SYNTAX_ERROR
    }

    /// A refusal of the construct at `span`.
    pub fn new(span: Span, reason: impl Into<String>) -> Refusal {
        Refusal {
            span,
            reason: reason.into(),
        }
    }
}

/// The result of analysing source: a value, or what was not understood and where.
pub type Understood<T> = std::result::Result<T, Refusal>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_count_characters_from_one() {
        let f = SourceFile::from_text("a.scala", Language::Scala, "ab\nßx\n");
        let at = f.location(Span::new(5, 6));
        assert_eq!((at.line, at.column), (2, 2));
        assert_eq!(f.line_count(), 3);
    }
}
