//! Regular expressions as programs of numbers for the machine in `rw_regex.cuh`. In: a pattern that is known when the kernel is
//! written; out: a table, or the construct that the machine does not match exactly as the JDK does.

use super::lines::Lines;
use super::regex_code::{compile, op};
use crate::jvm::regex::{RegexError, tree};
use crate::source::{Refusal, Span, Understood};

/// A compiled pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    /// The name of its numbers, made of the pattern.
    pub name: String,
    pattern: String,
    code: Vec<i32>,
    /// Capturing groups.
    pub groups: u32,
    /// Numbers of named groups.
    pub names: Vec<(String, u32)>,
    /// Whether a machine runs over it; where it is one set of characters, that may be all that is used.
    pub machine: bool,
}

/// Most groups, as in `rw_regex.cuh`.
const GROUPS: u32 = 10;

impl Table {
    /// Compiles a pattern.
    pub fn new(pattern: &[u16], flags: u32, span: Span) -> Understood<Table> {
        let refuse = |why: String| Refusal::new(span, why);
        let parsed = tree(pattern, flags).map_err(|e| match e {
            RegexError::Syntax { .. } => refuse("this pattern is no regular expression".into()),
            other => refuse(other.message(pattern)),
        })?;
        if parsed.groups > GROUPS {
            return Err(refuse(format!(
                "more than {GROUPS} groups are not covered by the cuda tier"
            )));
        }
        let code = compile(&parsed.ast).map_err(|what| {
            refuse(format!(
                "{what} in a regular expression is not covered by the cuda tier"
            ))
        })?;
        let mut names: Vec<(String, u32)> = parsed.names.into_iter().collect();
        names.sort();
        Ok(Table {
            name: format!("regex_{:08x}", hash(pattern, flags) as u32),
            pattern: String::from_utf16_lossy(pattern),
            code,
            groups: parsed.groups,
            names,
            machine: true,
        })
    }

    /// The set that is the whole pattern, as C++, and whether it stands for as many characters as there are side by side.
    pub fn only_set(&self) -> Option<(String, bool)> {
        let (set, runs) = match self.code[..] {
            [first, set, last, ..] if first == op("Set") && last == op("Accept") => (set, false),
            // Whether it would give some back makes no difference where nothing follows.
            [first, set, 1, -1, 0 | 2, last, ..] if first == op("Loop") && last == op("Accept") => (set, true),
            _ => return None,
        };
        Some((format!("{} + {set}", self.name), runs))
    }

    /// The C++ value.
    pub fn value(&self) -> String {
        format!("rw::Regex{{{}, {}}}", self.name, self.groups)
    }
}

/// FNV-1a, so that a pattern has one name wherever it stands.
fn hash(pattern: &[u16], flags: u32) -> u64 {
    let units = pattern.iter().map(|u| u64::from(*u)).chain([u64::from(flags)]);
    units.fold(0xcbf2_9ce4_8422_2325, |h, u| (h ^ u).wrapping_mul(0x0100_0000_01b3))
}

/// The tables as C++, each once.
pub(super) fn tables(all: &[Table]) -> Lines {
    let mut lines = Lines::default();
    let mut seen: Vec<&str> = Vec::new();
    for table in all {
        if seen.contains(&table.name.as_str()) {
            continue;
        }
        seen.push(&table.name);
        // In quotes, because a backslash at the end of a comment would go on in the next line.
        lines.push(None, format!("// {:?}", table.pattern));
        lines.push(None, format!("__device__ const int32_t {}[] = {{", table.name));
        for row in table.code.chunks(24) {
            let numbers: Vec<String> = row.iter().map(i32::to_string).collect();
            let mut line = Lines::default();
            line.push(None, format!("{},", numbers.join(", ")));
            lines.nest(line);
        }
        lines.push(None, "};");
        lines.push(None, "");
    }
    lines
}
