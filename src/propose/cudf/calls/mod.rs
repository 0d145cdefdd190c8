//! Library functions in cuDF calls.

mod numbers;
mod patterns;
mod text;

use super::class::quoted;
use super::emit::{Emit, Val};
use crate::ir::func::Func;
use crate::ir::node::NodeId;
use crate::lang::ty::Prim;
use crate::propose::NoteScope::Everywhere;
use crate::source::Understood;

/// Characters that `String.strip` removes.
const STRIPPED: &str = "\\t\\n\\u000b\\f\\r\\u001c\\u001d\\u001e\\u001f \\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2008\\u2009\\u200a\\u2028\\u2029\\u205f\\u3000";
impl Emit<'_> {
    /// A function call.
    pub(super) fn call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Val> {
        if let Some(v) = self.math(n, f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.text(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.cut(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.pattern(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.conversion(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.decimal(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.list(f, args)? {
            return Ok(v);
        }
        if let Some(v) = self.clock(f, args)? {
            return Ok(v);
        }
        self.other(n, f, args)
    }

    fn units_note(&mut self) {
        self.note(
            "length-utf16-vs-codepoints",
            "the JVM counts UTF-16 units, cuDF characters: text beyond the basic plane differs",
            Everywhere,
        );
    }

    fn case_note(&mut self) {
        self.note(
            "case-map-special",
            "cuDF maps case per character and in the basic plane only",
            Everywhere,
        );
    }

    /// A constant text as a Scala literal.
    fn literal(&self, n: NodeId, what: &str) -> Understood<String> {
        match self.g.as_text(n) {
            Some(t) => Ok(quoted(&t)),
            None => self.refuse(format!("{what} that is not a constant has no cuDF form")),
        }
    }

    fn other(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<Val> {
        let part = match f {
            Func::Year => "year()",
            Func::Month => "month()",
            Func::DayOfMonth => "day()",
            Func::DayOfWeek => "weekDay()",
            Func::DayOfYear => "dayOfYear()",
            _ => "",
        };
        if !part.is_empty() {
            let x = self.col(args[0])?;
            let small = self.let_(format!("{x}.{part}"));
            return Ok(self.make(format!("{small}.castTo(DType.INT32)")));
        }
        Ok(match f {
            Func::PlusDays => {
                let (x, days) = (self.col(args[0])?, self.col(args[1])?);
                let days = self.let_(format!("{days}.castTo(DType.DURATION_DAYS)"));
                self.make(format!("{x}.add({days}, DType.TIMESTAMP_DAYS)"))
            }
            Func::PlusMonths => {
                let (x, months) = (self.col(args[0])?, self.value(args[1])?);
                self.make(format!("{x}.addCalendricalMonths({})", months.name()))
            }
            Func::EpochDay => {
                let x = self.col(args[0])?;
                let days = self.let_(format!("{x}.castTo(DType.INT32)"));
                self.make(format!("{days}.castTo(DType.INT64)"))
            }
            Func::DaysBetween => {
                let (from, to) = (self.col(args[0])?, self.col(args[1])?);
                let days = self.let_(format!("{to}.sub({from}, DType.DURATION_DAYS)"));
                let days = self.let_(format!("{days}.castTo(DType.INT32)"));
                self.make(format!("{days}.castTo(DType.INT64)"))
            }
            Func::DateOf => self.date_of(args)?,
            Func::Size => {
                let x = self.col(args[0])?;
                self.make(format!("{x}.countElements()"))
            }
            Func::Element => {
                let x = self.col(args[0])?;
                match self.g.as_int(args[1]) {
                    Some(i) if i >= 0 => self.make(format!("{x}.extractListElement({i})")),
                    _ => {
                        let i = self.col(args[1])?;
                        self.make(format!("{x}.extractListElement({i})"))
                    }
                }
            }
            Func::ListContains => {
                let (x, y) = (self.col(args[0])?, self.value(args[1])?);
                match y {
                    Val::Scalar(s) => self.make(format!("{x}.listContains({s})")),
                    Val::Col(c) => self.make(format!("{x}.listContainsColumn({c})")),
                }
            }
            Func::MapContains => {
                let (x, y) = (self.col(args[0])?, self.value(args[1])?);
                self.make(format!("{x}.getMapKeyExistence({})", y.name()))
            }
            Func::MapValue => {
                let (x, y) = (self.col(args[0])?, self.value(args[1])?);
                self.make(format!("{x}.getMapValue({})", y.name()))
            }
            _ => {
                let _ = n;
                return self.refuse(format!("`{}` has no cuDF form here", function_name(f)));
            }
        })
    }

    /// Days from the civil calendar, month and day being constants.
    fn date_of(&mut self, args: &[NodeId]) -> Understood<Val> {
        let (Some(month), Some(day)) = (self.g.as_int(args[1]), self.g.as_int(args[2])) else {
            return self.refuse("a date whose month and day are computed has no cuDF form");
        };
        let mut year = self.col(args[0])?;
        if month <= 2 {
            let one = self.number(Prim::Int, 1);
            year = self.let_(format!("{year}.sub({one}, DType.INT32)"));
        }
        let since_march = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let whole = self.number(Prim::Int, 365);
        let mut days = self.let_(format!("{year}.mul({whole}, DType.INT32)"));
        for (by, method) in [(4, "add"), (100, "sub"), (400, "add")] {
            let by = self.number(Prim::Int, by);
            let leap = self.let_(format!("{year}.floorDiv({by}, DType.INT32)"));
            days = self.let_(format!("{days}.{method}({leap}, DType.INT32)"));
        }
        let offset = self.number(Prim::Int, since_march - 719_468);
        let days = self.let_(format!("{days}.add({offset}, DType.INT32)"));
        Ok(self.make(format!("{days}.castTo(DType.TIMESTAMP_DAYS)")))
    }
}

fn function_name(f: &Func) -> String {
    let text = format!("{f:?}");
    let end = text.find(['(', ' ', '{']).unwrap_or(text.len());
    let mut name = text[..end].to_string();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_lowercase();
    }
    name
}
