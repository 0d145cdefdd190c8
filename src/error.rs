//! Errors: what failed, because of what, and what to try.
//!
//! A disagreement between a UDF and its rewrite is a finding, never an [`Error`]. The kind decides the exit code.

use std::fmt;
use std::path::PathBuf;

/// Who can do something about an error; decides the exit code of the shell commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Wrong flags or unreadable input: the user corrects the call (exit code 2).
    Input,
    /// Nothing could be proven: construct or engine not available (exit code 3).
    NotProven,
    /// The UDF or the candidate does not parse or compile (exit code 4).
    Compile,
    /// A defect of rewright itself (exit code 70).
    Internal,
    /// The user stopped the run (exit code 130).
    Interrupted,
}

impl ErrorKind {
    /// The exit code, as the README lists them.
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorKind::Input => 2,
            ErrorKind::NotProven => 3,
            ErrorKind::Compile => 4,
            ErrorKind::Internal => 70,
            ErrorKind::Interrupted => 130,
        }
    }

    /// Whether it ends all that a command does, and not only the part that failed.
    pub fn ends_all(self) -> bool {
        matches!(self, ErrorKind::Interrupted | ErrorKind::Internal)
    }

    /// The name in sessions and in replies of workers.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Input => "input",
            ErrorKind::NotProven => "not-proven",
            ErrorKind::Compile => "compile",
            ErrorKind::Internal => "internal",
            ErrorKind::Interrupted => "interrupted",
        }
    }

    /// The kind of a [`name`](ErrorKind::name).
    pub fn named(name: &str) -> Option<ErrorKind> {
        let all = [
            ErrorKind::Input,
            ErrorKind::NotProven,
            ErrorKind::Compile,
            ErrorKind::Internal,
            ErrorKind::Interrupted,
        ];
        all.into_iter().find(|kind| kind.name() == name)
    }
}

/// A place in a file, 1-based, as editors count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file as the user named it.
    pub path: PathBuf,
    /// 1-based line.
    pub line: u32,
    /// 1-based column in characters.
    pub column: u32,
}

/// An error with its cause, its place and hints. Display text is a lowercase fragment without a final stop.
#[derive(Debug, Clone)]
pub struct Error {
    /// Decides the exit code.
    pub kind: ErrorKind,
    /// What failed, as a fragment fit to follow "failed: ".
    pub what: String,
    /// Why, outermost first.
    pub causes: Vec<String>,
    /// What to try.
    pub hints: Vec<String>,
    /// Where, if it is about a place in a file.
    pub location: Option<Location>,
}

/// The result of everything in rewright that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of the given kind.
    pub fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Error {
            kind,
            what: what.into(),
            causes: Vec::new(),
            hints: Vec::new(),
            location: None,
        }
    }

    /// Wrong flags or unreadable input.
    pub fn input(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, what)
    }

    /// A construct or engine that is not available.
    pub fn not_proven(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotProven, what)
    }

    /// Source or candidate text that does not parse or compile.
    pub fn compile(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Compile, what)
    }

    /// A defect of rewright.
    pub fn internal(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, what)
    }

    /// Adds the cause, outermost first.
    pub fn because(mut self, cause: impl fmt::Display) -> Self {
        self.causes.push(cause.to_string());
        self
    }

    /// Adds something to try.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Says where.
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(at) = &self.location {
            write!(f, "{}:{}:{}: ", at.path.display(), at.line, at.column)?;
        }
        f.write_str(&self.what)?;
        for cause in &self.causes {
            write!(f, ": {cause}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
