//! Text under construction: lines with their indent and the span of the original that they come from.

use crate::source::Span;

/// Lines of C++; nested blocks are built apart and put in.
#[derive(Debug, Default, Clone)]
pub(super) struct Lines {
    lines: Vec<(usize, String, Option<Span>)>,
}

impl Lines {
    /// Adds a line.
    pub fn push(&mut self, span: Option<Span>, text: impl Into<String>) {
        self.lines.push((0, text.into(), span));
    }

    /// Adds lines, indented by one step more.
    pub fn nest(&mut self, inner: Lines) {
        self.lines
            .extend(inner.lines.into_iter().map(|(n, t, s)| (n + 1, t, s)));
    }

    /// Adds lines as they are.
    pub fn append(&mut self, other: Lines) {
        self.lines.extend(other.lines);
    }

    /// The lines of a text.
    pub fn of(text: &str) -> Lines {
        let line = |l: &str| {
            let body = l.trim_start_matches(' ');
            ((l.len() - body.len()) / 2, body.to_owned(), None)
        };
        Lines {
            lines: text.lines().map(line).collect(),
        }
    }

    /// Whether a text stands in one of the lines.
    pub fn mentions(&self, text: &str) -> bool {
        self.any(|line| line.contains(text))
    }

    /// Whether one of the lines is such a one.
    pub fn any(&self, is: impl Fn(&str) -> bool) -> bool {
        self.lines.iter().any(|(_, line, _)| is(line))
    }

    /// The text of each, without its indent.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|(_, text, _)| text.as_str())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds a line at a depth.
    pub fn put(&mut self, indent: usize, text: impl Into<String>, span: Option<Span>) {
        self.lines.push((indent, text.into(), span));
    }

    /// Depth, text and span of each line.
    pub fn into_parts(self) -> Vec<(usize, String, Option<Span>)> {
        self.lines
    }

    /// The text, and spans of the original with the spans of the lines that they became, outermost first.
    pub fn finish(self) -> (String, Vec<(Span, Span)>) {
        let (mut text, mut map) = (String::new(), Vec::new());
        for (indent, line, span) in self.lines {
            if !line.is_empty() {
                text.extend(std::iter::repeat_n("  ", indent));
            }
            let start = text.len();
            text.push_str(&line);
            if let Some(original) = span {
                map.push((original, Span::new(start, text.len())));
            }
            text.push('\n');
        }
        map.sort_by_key(|(original, _)| (original.start, u32::MAX - original.end));
        (text, map)
    }
}
