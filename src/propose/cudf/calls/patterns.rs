//! Functions with a regular expression.

use super::super::class::quoted;
use super::super::emit::{Emit, Val};
use super::super::regex;
use crate::ir::func::Func;
use crate::ir::node::NodeId;
use crate::propose::NoteScope::Gpu;
use crate::source::Understood;

impl Emit<'_> {
    /// A compiled pattern as a Scala expression.
    pub(super) fn program(&mut self, pattern: &str, capture: bool) -> Understood<String> {
        let Some(p) = regex::translate(pattern) else {
            return self.refuse(format!("cuDF does not read the pattern `{pattern}` as Java does"));
        };
        self.regex = true;
        self.note("regex-dialect", "cuDF has its own regular expression engine", Gpu);
        let flags = regex::flags(&p);
        let capture = if capture { "" } else { ", CaptureGroups.NON_CAPTURE" };
        Ok(format!("new RegexProgram({}, {flags}{capture})", quoted(&p)))
    }

    /// The whole text must match: `\Z` is cuDF's very end.
    pub(super) fn whole(&mut self, pattern: &str, capture: bool) -> Understood<String> {
        let Some(p) = regex::translate(pattern) else {
            return self.refuse(format!("cuDF does not read the pattern `{pattern}` as Java does"));
        };
        self.regex = true;
        self.note("regex-dialect", "cuDF has its own regular expression engine", Gpu);
        let flags = regex::flags(&p);
        let p = if p.contains('|') {
            format!("(?:{p})\\Z")
        } else {
            format!("{p}\\Z")
        };
        let p = if capture { format!("^{p}") } else { p };
        let capture = if capture { "" } else { ", CaptureGroups.NON_CAPTURE" };
        Ok(format!("new RegexProgram({}, {flags}{capture})", quoted(&p)))
    }

    pub(super) fn pattern(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
        Ok(Some(match f {
            Func::Matches(p) | Func::CharIs(p) => {
                let program = self.whole(p, false)?;
                let x = self.col(args[0])?;
                self.make(format!("{x}.matchesRe({program})"))
            }
            Func::Finds(p) => {
                let program = self.program(p, false)?;
                let x = self.col(args[0])?;
                self.make(format!("{x}.containsRe({program})"))
            }
            Func::ReplaceAll(p, r) => {
                if !crate::ir::build::takes_characters(p) {
                    return self.refuse("replacing a pattern that may match nothing has no cuDF form");
                }
                let x = self.col(args[0])?;
                if r.contains('\\') {
                    return self.refuse("this replacement has no cuDF form");
                }
                if r.contains('$') {
                    return self.backrefs(&x, p, r).map(Some);
                }
                let program = self.program(p, false)?;
                let r = self.scalar(format!("Scalar.fromString({})", quoted(r)));
                self.make(format!("{x}.replaceRegex({program}, {r})"))
            }
            Func::Extract {
                pattern, group, whole, ..
            } => {
                let (pattern, column) = if *group == 0 {
                    (format!("({pattern})"), 0)
                } else {
                    (pattern.to_string(), group - 1)
                };
                let program = if *whole {
                    self.whole(&pattern, true)?
                } else {
                    self.program(&pattern, true)?
                };
                let x = self.col(args[0])?;
                let table = self.scalar(format!("{x}.extractRe({program})"));
                self.make(format!("{table}.getColumn({column}).incRefCount()"))
            }
            Func::Split { pattern, limit } => self.split(args[0], pattern, *limit)?,
            _ => return Ok(None),
        }))
    }

    pub(super) fn backrefs(&mut self, x: &str, p: &str, r: &str) -> Understood<Val> {
        let groups = crate::ir::build::regex_groups(p).len();
        let mut out = String::new();
        let mut chars = r.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek().and_then(|d| d.to_digit(10))) {
                ('$', Some(d)) if (1..=groups as u32).contains(&d) => {
                    chars.next();
                    if groups > 9 && chars.peek().is_some_and(char::is_ascii_digit) {
                        return self.refuse("this replacement has no cuDF form");
                    }
                    out.push_str(&format!("${{{d}}}"));
                }
                ('$', _) => return self.refuse("this replacement has no cuDF form"),
                _ => out.push(c),
            }
        }
        let program = self.program(p, true)?;
        Ok(self.make(format!("{x}.stringReplaceWithBackrefs({program}, {})", quoted(&out))))
    }

    pub(super) fn split(&mut self, s: NodeId, pattern: &str, limit: i32) -> Understood<Val> {
        let mut literal = pattern.chars().filter(|c| *c != '\\');
        let one = match (literal.next(), literal.next(), pattern.len()) {
            (Some(c), None, 1) if !".|*+?()[]{}^$".contains(c) => Some(c),
            (Some(c), None, 2) if pattern.starts_with('\\') && c.is_ascii_punctuation() => Some(c),
            _ => None,
        };
        let Some(c) = one else {
            return self.refuse("splitting by this pattern has no cuDF form here");
        };
        let x = self.col(s)?;
        let sep = quoted(&c.to_string());
        if limit < 0 {
            return Ok(self.make(format!("{x}.stringSplitRecord({sep})")));
        }
        if limit >= 2 {
            return Ok(self.make(format!("{x}.stringSplitRecord({sep}, {limit})")));
        }
        self.refuse("splitting that drops trailing empty parts has no cuDF form here")
    }
}
