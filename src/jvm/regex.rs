//! `java.util.regex` over UTF-16 units.

/// A compiled pattern.
#[derive(Debug)]
pub struct Regex {
    /// The pattern as written.
    pub pattern: String,
}
