//! The notes that come with a function: where its SQL may differ, and why.

use super::super::Printer;
use crate::ir::func::{Func, NumberText};
use crate::ir::node::{ColTy, NodeId};
use crate::propose::NoteScope::{Everywhere, Gpu};

impl Printer<'_> {
    /// Notes that come with a function.
    pub(super) fn announce(&mut self, n: NodeId, f: &Func) {
        let span = self.g.node(n).span;
        match f {
            Func::Capitalize | Func::CharUpper | Func::CharLower => {
                self.note(
                    "case-map-special",
                    span,
                    "the JVM maps one character to one; SQL's upper and lower know longer results, so that letters such as ᾳ stay",
                    Everywhere,
                );
            }
            Func::EqualsIgnoreCase => {
                self.note(
                    "equals-ignore-case",
                    span,
                    "the JVM folds case character by character; SQL maps whole texts, where some letters become several",
                    Everywhere,
                );
            }
            Func::Upper | Func::Lower => {
                self.note(
                    "case-map-special",
                    span,
                    "cuDF maps case per character and in the basic plane only",
                    Gpu,
                );
            }
            Func::Math1(_) | Func::Pow | Func::Log(_) | Func::Atan2 | Func::Hypot => {
                self.note(
                    "math-ulp",
                    span,
                    "the GPU's own function may differ in the last places",
                    Gpu,
                );
            }
            Func::RoundPlaces(..) => {
                self.note(
                    "round-half-up-double",
                    span,
                    "the GPU rounds the binary value, not its decimal text",
                    Gpu,
                );
            }
            Func::ToText if self.arg_is_float(n) => {
                self.note(
                    "float-to-string-digits",
                    span,
                    "the GPU writes the shortest digits, this JVM sometimes longer ones",
                    Gpu,
                );
            }
            Func::ReplaceAll(..)
            | Func::ReplaceFirst(..)
            | Func::Matches(_)
            | Func::Finds(_)
            | Func::Extract { .. }
            | Func::CharIs(_) => {
                self.note(
                    "regex-dialect",
                    span,
                    "the plugin translates the pattern; some fall back to the CPU",
                    Gpu,
                );
            }
            Func::SubstringFrom
            | Func::Substring
            | Func::CharAt
            | Func::IndexOf
            | Func::IndexOfFrom
            | Func::LastIndexOf
            | Func::Take
            | Func::Drop
            | Func::TakeRight
            | Func::DropRight => self.units_note(n),
            Func::CharCode | Func::Chars | Func::PadRight => self.units_note(n),
            Func::SqlInstant | Func::SqlOfMillis => self.note(
                "julian-gregorian-rebase",
                span,
                "before 1582-10-15 a java.sql.Timestamp counts by the old calendar",
                Everywhere,
            ),
            Func::OfMillis | Func::OfSeconds => self.note(
                "throw-vs-value",
                span,
                "a SQL timestamp holds some 290000 years, an Instant more",
                Everywhere,
            ),
            Func::LocalAt(_) => self.note(
                "timezone-dst",
                span,
                "from_utc_timestamp gives the zone's clock where the session's time zone is UTC",
                Everywhere,
            ),
            Func::DateText { old: true, .. } => self.note(
                "date-pattern-letters",
                span,
                "SimpleDateFormat writes years before 1 and after 9999 without a sign",
                Everywhere,
            ),
            Func::IsDateBy(_) => self.note(
                "datetime-parse-leniency",
                span,
                "the JVM also reads a year of more digits behind a plus sign",
                Everywhere,
            ),
            Func::DigitOf => self.note(
                "parse-unicode-digits",
                span,
                "the JVM also reads digits of other scripts",
                Everywhere,
            ),
            Func::ListSort | Func::ListMax | Func::ListMin if matches!(self.g.ty(self.g.operands(n)[0]), ColTy::Array(e) if **e == ColTy::Str) =>
            {
                self.note(
                    "string-order-utf16-vs-utf8",
                    span,
                    "the JVM orders text by UTF-16 unit, Spark by code point",
                    Everywhere,
                );
            }
            Func::Reverse => {
                self.note(
                    "lone-surrogate",
                    span,
                    "Scala reverses UTF-16 units, SQL characters",
                    Everywhere,
                );
            }
            Func::IsNumber(NumberText::Int | NumberText::Long | NumberText::Short | NumberText::Byte) => {
                self.note(
                    "parse-unicode-digits",
                    span,
                    "the JVM also reads digits of other scripts",
                    Everywhere,
                );
            }
            Func::DecimalMul | Func::DecimalAdd | Func::DecimalSub => {
                self.note(
                    "decimal-overflow-null",
                    span,
                    "SQL decimals of more than 38 digits are null",
                    Everywhere,
                );
            }
            _ => {}
        }
    }

    pub(super) fn arg_is_float(&self, n: NodeId) -> bool {
        self.g.operands(n).first().is_some_and(|a| self.g.ty(*a).is_float())
    }
}
