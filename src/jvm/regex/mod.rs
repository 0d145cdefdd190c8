//! `java.util.regex` of JDK 17 over UTF-16 units, by backtracking. In: a pattern with flags, a text; out: what groups match.
//! A pattern that Java takes but this engine does not cover is [`RegexError::Unsupported`]; a search that takes too long, or
//! so deep that the JVM's stack might not hold it, is [`RegexError::Limit`]. Never a guess.

pub mod ast;
mod blocks;
pub mod class;
mod escape;
mod group;
mod machine;
mod parse;
mod program;
mod property;
pub mod replace;
pub mod split;

use std::collections::HashMap;
use std::sync::Arc;

use self::machine::Machine;
pub use self::parse::Parsed;
use self::program::Program;

/// The flags of `java.util.regex.Pattern`, by their values in Java.
pub mod flags {
    /// `\n` alone ends lines.
    pub const UNIX_LINES: u32 = 1;
    /// Letters match in any case, ASCII ones unless [`UNICODE_CASE`].
    pub const CASE_INSENSITIVE: u32 = 2;
    /// Blanks and comments are skipped.
    pub const COMMENTS: u32 = 4;
    /// `^` and `$` at lines.
    pub const MULTILINE: u32 = 8;
    /// The pattern is plain text.
    pub const LITERAL: u32 = 16;
    /// The dot takes line ends.
    pub const DOTALL: u32 = 32;
    /// All letters have case.
    pub const UNICODE_CASE: u32 = 64;
    /// Predefined classes are those of Unicode.
    pub const UNICODE_CHARACTER_CLASS: u32 = 256;
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegexError {
    /// `PatternSyntaxException`: its description and index.
    Syntax { what: String, index: usize },
    /// Legal in Java, not covered here.
    Unsupported(String),
    /// The bound on steps or depth was reached.
    Limit,
}

/// A compiled pattern.
#[derive(Debug)]
pub struct Regex {
    /// The pattern as written.
    pub pattern: String,
    /// Its flags.
    pub flags: u32,
    units: Arc<[u16]>,
    program: Program,
    groups: u32,
    names: HashMap<String, u32>,
    has_supplementary: bool,
}

/// Parses a pattern, for those who match with a machine of their own.
pub fn tree(pattern: &[u16], flags: u32) -> Result<Parsed, RegexError> {
    let (source, flags) = prepared(pattern, flags)?;
    parse::parse(&source, flags)
}

/// The source to parse and the flags that are left for it.
fn prepared(pattern: &[u16], flags: u32) -> Result<(std::borrow::Cow<'_, [u16]>, u32), RegexError> {
    const KNOWN: u32 = 1 | 2 | 4 | 8 | 16 | 32 | 64 | 256;
    if flags & !KNOWN != 0 {
        return Err(RegexError::Unsupported(
            "canonical equivalence in patterns is not covered".into(),
        ));
    }
    let mut flags = flags;
    if flags & flags::UNICODE_CHARACTER_CLASS != 0 {
        flags |= flags::UNICODE_CASE;
    }
    Ok(if flags & flags::LITERAL != 0 {
        (quote(pattern).into(), flags & !flags::LITERAL)
    } else {
        (pattern.into(), flags)
    })
}

/// What a match covers: group 0 first; `None` for a group that took no part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captures {
    /// Start and end of each group.
    pub groups: Vec<Option<(usize, usize)>>,
}

impl Captures {
    /// Start of the match.
    pub fn start(&self) -> usize {
        self.range(0).map_or(0, |r| r.0)
    }

    /// End of the match.
    pub fn end(&self) -> usize {
        self.range(0).map_or(0, |r| r.1)
    }

    /// A group's range.
    pub fn range(&self, group: usize) -> Option<(usize, usize)> {
        self.groups.get(group).copied().flatten()
    }
}

impl Regex {
    /// `Pattern.compile(pattern, flags)`.
    pub fn new(pattern: &[u16], flags: u32) -> Result<Regex, RegexError> {
        let (source, left) = prepared(pattern, flags)?;
        let parsed = parse::parse(&source, left)?;
        // Asked for its flags, a pattern says what it was made with.
        let flags = left | (flags & flags::LITERAL);
        Ok(Regex {
            pattern: String::from_utf16_lossy(pattern),
            flags,
            units: pattern.into(),
            program: program::compile(&parsed.ast),
            groups: parsed.groups,
            names: parsed.names,
            has_supplementary: parsed.has_supplementary,
        })
    }

    /// The pattern's units.
    pub fn units(&self) -> &[u16] {
        &self.units
    }

    /// Capturing groups, without group 0.
    pub fn group_count(&self) -> u32 {
        self.groups
    }

    /// The number of a named group.
    pub fn group_named(&self, name: &str) -> Option<u32> {
        self.names.get(name).copied()
    }

    /// Gives names to groups, as `"…".r("a", "b")` does, besides those in the pattern.
    pub fn with_names(mut self, names: Vec<String>) -> Regex {
        let numbered = names.into_iter().zip(1..=self.groups);
        self.names.extend(numbered);
        self
    }

    /// `Matcher.matches`: the whole text.
    pub fn matches(&self, text: &[u16]) -> Result<Option<Captures>, RegexError> {
        self.at_start(text, true)
    }

    /// `Matcher.lookingAt`: from the start.
    pub fn looking_at(&self, text: &[u16]) -> Result<Option<Captures>, RegexError> {
        self.at_start(text, false)
    }

    fn at_start(&self, text: &[u16], must_end: bool) -> Result<Option<Captures>, RegexError> {
        let mut machine = Machine::new(self, text, 0, must_end);
        let found = machine.try_at(0)?.is_some();
        Ok(found.then(|| captures(&machine)))
    }

    /// The next match from an index on, as `Matcher.find` looks for it; `last_match` is where `\G` holds.
    pub fn find_from(&self, text: &[u16], from: usize, last_match: usize) -> Result<Option<Captures>, RegexError> {
        if from > text.len() {
            return Ok(None);
        }
        let mut machine = Machine::new(self, text, last_match, false);
        let mut at = from;
        loop {
            if let Some((ascii, wide)) = self.program.first {
                let may_start = |u: &u16| if *u < 0x80 { ascii >> *u & 1 == 1 } else { wide };
                match text[at..].iter().position(may_start) {
                    // Inside a pair the search may still stop, so pairs are walked like the JDK walks them.
                    Some(skip) if !self.has_supplementary => at += skip,
                    Some(_) => {}
                    None => return Ok(None),
                }
            }
            if machine.try_at(at)?.is_some() {
                return Ok(Some(captures(&machine)));
            }
            if at >= text.len() {
                return Ok(None);
            }
            let pair = self.has_supplementary && crate::jvm::unicode::code_point_at(text, at).is_some_and(|c| c.1 == 2);
            at += if pair { 2 } else { 1 };
        }
    }

    /// All matches, one after the other; after an empty one the search goes on one unit further.
    pub fn find_all(&self, text: &[u16]) -> Result<Vec<Captures>, RegexError> {
        let mut out = Vec::new();
        let mut search = Search::default();
        while let Some(found) = search.next(self, text)? {
            out.push(found);
        }
        Ok(out)
    }
}

/// Where repeated `find` calls are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search {
    from: usize,
    last_end: usize,
    done: bool,
}

impl Search {
    /// A search that begins at an index.
    pub fn starting_at(from: usize) -> Search {
        Search {
            from,
            last_end: from,
            done: false,
        }
    }

    /// Goes on behind a match that was found otherwise.
    pub fn continue_after(&mut self, found: &Captures) {
        self.last_end = found.end();
        self.from = found.end() + usize::from(found.end() == found.start());
        self.done = false;
    }

    /// The next match.
    pub fn next(&mut self, regex: &Regex, text: &[u16]) -> Result<Option<Captures>, RegexError> {
        if self.done {
            return Ok(None);
        }
        let found = regex.find_from(text, self.from, self.last_end)?;
        match &found {
            Some(c) => self.continue_after(c),
            None => self.done = true,
        }
        Ok(found)
    }
}

fn captures(machine: &Machine<'_>) -> Captures {
    let pairs = machine.groups.chunks_exact(2);
    Captures {
        groups: pairs
            .map(|p| (p[0] >= 0 && p[1] >= 0).then_some((p[0] as usize, p[1] as usize)))
            .collect(),
    }
}

/// `Pattern.quote`.
pub fn quote(text: &[u16]) -> Vec<u16> {
    let units = |s: &str| s.encode_utf16().collect::<Vec<u16>>();
    let (open, close) = (units("\\Q"), units("\\E"));
    let mut out = open;
    out.extend(crate::jvm::text::search::replace(text, &close, &units("\\E\\\\E\\Q")));
    out.extend(close);
    out
}

impl RegexError {
    /// `getMessage` of the `PatternSyntaxException`.
    pub fn message(&self, pattern: &[u16]) -> String {
        match self {
            RegexError::Syntax { what, index } => {
                let mut text = format!("{what} near index {index}\n{}", String::from_utf16_lossy(pattern));
                if *index < pattern.len() {
                    text.push('\n');
                    text.extend(std::iter::repeat_n(' ', *index));
                    text.push('^');
                }
                text
            }
            RegexError::Unsupported(what) => what.clone(),
            RegexError::Limit => "the pattern takes too many steps on this text".to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
