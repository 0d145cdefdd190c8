//! A text made of parts of the user's file and of our own. In: parts; out: the text and, for any place in it, the place in the
//! user's file.

use std::ops::Range;

/// A text to compile.
#[derive(Debug, Clone, Default)]
pub struct Wrapped {
    /// The text.
    pub text: String,
    /// How the UDF was made reachable, for the evidence.
    pub way: &'static str,
    /// Spark's type of the result, where the function does not say it itself (`UDFn`).
    pub returns: Option<String>,
    copied: Vec<Copied>,
}

#[derive(Debug, Clone)]
struct Copied {
    at: usize,
    from: Range<usize>,
}

impl Wrapped {
    pub(super) fn new(way: &'static str, returns: Option<String>) -> Wrapped {
        Wrapped {
            way,
            returns,
            ..Wrapped::default()
        }
    }

    /// Adds text of our own.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a part of the user's file.
    pub(super) fn copy(&mut self, source: &str, from: Range<usize>) {
        self.copied.push(Copied {
            at: self.text.len(),
            from: from.clone(),
        });
        self.text.push_str(&source[from]);
    }

    /// Fills a gap between two parts so that the second keeps its line and column.
    pub(super) fn skip(&mut self, gap: &str) {
        let lines = gap.matches('\n').count();
        if lines == 0 {
            let width = gap.chars().count();
            self.text.push_str(&" ".repeat(width.saturating_sub(1)));
            self.text.push_str(if width > 0 { ";" } else { "" });
            return;
        }
        self.text.push_str(&"\n".repeat(lines));
        let last = gap.rsplit('\n').next().unwrap_or_default();
        self.text.push_str(&" ".repeat(last.chars().count()));
    }

    /// The byte in the user's file for an offset in UTF-16 units, as compilers on the JVM count; `None` in our own text.
    pub fn original(&self, utf16: usize) -> Option<usize> {
        let mut units = 0;
        let at = self
            .text
            .char_indices()
            .find(|(_, c)| {
                let here = units >= utf16;
                units += c.len_utf16();
                here
            })
            .map_or(self.text.len(), |(i, _)| i);
        let part = self.copied.iter().find(|c| (c.at..c.at + c.from.len()).contains(&at))?;
        Some(part.from.start + (at - part.at))
    }
}
