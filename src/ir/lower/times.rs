//! Dates and times: `java.time.LocalDate`, `java.sql.Date`, and the UTC clock of timestamps.

use super::Lower;
use super::library::Call;
use super::sym::{State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::Understood;

impl Lower<'_> {
    /// Methods of dates and timestamps.
    pub(super) fn time_method(&mut self, st: &mut State, n: NodeId, call: Call<'_>) -> Understood<Sym> {
        self.require(st, n);
        if st.dead {
            return Ok(Sym::Unit);
        }
        if *self.g.ty(n) == ColTy::Timestamp {
            return self.not_covered(&call);
        }
        let part = match call.key() {
            ("getYear", 0) => Some(Func::Year),
            ("getMonthValue", 0) => Some(Func::Month),
            ("getDayOfMonth", 0) => Some(Func::DayOfMonth),
            ("getDayOfYear", 0) => Some(Func::DayOfYear),
            _ => None,
        };
        if let Some(f) = part {
            return Ok(Sym::Node(self.g.call(f, vec![n], ColTy::INT)));
        }
        Ok(match call.key() {
            ("toLocalDate", 0) => Sym::Node(n),
            ("toEpochDay", 0) => Sym::Node(self.g.call(Func::EpochDay, vec![n], ColTy::LONG)),
            ("getDayOfWeek", 0) => Sym::Tuple(vec![Sym::Named("weekday", String::new()), Sym::Node(n)]),
            ("toString", 0) => Sym::Node(self.g.call(Func::ToText, vec![n], ColTy::Str)),
            ("plusDays" | "minusDays" | "plusWeeks" | "minusWeeks", 1) => self.shift(n, &call, Func::PlusDays)?,
            ("plusMonths" | "minusMonths" | "plusYears" | "minusYears", 1) => self.shift(n, &call, Func::PlusMonths)?,
            ("isBefore" | "isAfter" | "isEqual" | "before" | "after", 1) => {
                let m = self.arg(&call, 0)?;
                self.require(st, m);
                let op = match call.name {
                    "isBefore" | "before" => BinOp::Lt,
                    "isAfter" | "after" => BinOp::Gt,
                    _ => return Ok(Sym::Node(self.equal(st, &Sym::Node(n), &Sym::Node(m), call.span)?)),
                };
                Sym::Node(self.g.add(crate::ir::node::Op::Compare(op, n, m), ColTy::BOOL))
            }
            ("lengthOfMonth", 0) | ("isLeapYear", 0) => return self.not_covered(&call),
            _ => return self.not_covered(&call),
        })
    }

    fn shift(&mut self, n: NodeId, call: &Call<'_>, f: Func) -> Understood<Sym> {
        let amount = self.arg(call, 0)?;
        let factor = match call.name {
            "plusWeeks" | "minusWeeks" => 7,
            "plusYears" | "minusYears" => 12,
            _ => 1,
        };
        let Some(amount) = (match self.g.as_int(amount) {
            Some(v) => {
                let v = v * factor * if call.name.starts_with("minus") { -1 } else { 1 };
                i32::try_from(v).ok().map(|v| self.g.int(i64::from(v)))
            }
            None if factor == 1 => {
                let narrow = match self.g.op(amount).clone() {
                    crate::ir::node::Op::Conv(Prim::Int, Prim::Long, inner) => Some(inner),
                    _ if *self.g.ty(amount) == ColTy::INT => Some(amount),
                    _ => None,
                };
                narrow.map(|m| {
                    if call.name.starts_with("minus") {
                        self.g.neg(Prim::Int, m)
                    } else {
                        m
                    }
                })
            }
            None => None,
        }) else {
            return self.refuse(call.span, "this date arithmetic has no columnar form");
        };
        Ok(Sym::Node(self.g.call(f, vec![n, amount], ColTy::Date)))
    }

    /// Static methods and constants of `java.time`.
    pub(super) fn time_static(&mut self, st: &mut State, base: &str, call: Call<'_>) -> Understood<Sym> {
        match (base, call.key()) {
            ("LocalDate", ("of", 3)) => {
                let mut args = Vec::new();
                for i in 0..3 {
                    args.push(self.arg(&call, i)?);
                }
                let known_day = matches!(
                    (self.g.as_int(args[1]), self.g.as_int(args[2])),
                    (Some(m), Some(d)) if (1..=12).contains(&m) && d >= 1 && d <= [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m as usize - 1]
                );
                if !known_day {
                    return self.refuse(
                        call.span,
                        "a date whose month and day are computed has no columnar form",
                    );
                }
                Ok(Sym::Node(self.g.call(Func::DateOf, args, ColTy::Date)))
            }
            ("LocalDate", ("parse", 1)) => {
                let s = self.text_arg(st, &call, 0)?;
                let good = self.g.call(Func::IsDate, vec![s], ColTy::BOOL);
                let bad = self.g.not(good);
                self.raise_if(st, bad, "DateTimeParseException", "not a date");
                Ok(Sym::Node(self.g.call(Func::ParseDate, vec![s], ColTy::Date)))
            }
            ("LocalDate", ("ofEpochDay", 1)) => self.not_covered(&call),
            ("Date", ("valueOf", 1)) => {
                let n = self.arg(&call, 0)?;
                if *self.g.ty(n) == ColTy::Date {
                    self.require(st, n);
                    return Ok(Sym::Node(n));
                }
                self.not_covered(&call)
            }
            ("ChronoUnit", (unit @ ("DAYS" | "MONTHS" | "YEARS"), 0)) => Ok(Sym::Named("unit", unit.to_string())),
            ("ChronoUnit" | "DAYS" | "MONTHS", ("between", 2)) => self.between(st, base, &call),
            _ => self.not_covered(&call),
        }
    }

    /// `ChronoUnit.X.between(a, b)`.
    pub(super) fn between(&mut self, st: &mut State, unit: &str, call: &Call<'_>) -> Understood<Sym> {
        let (a, b) = (self.arg(call, 0)?, self.arg(call, 1)?);
        self.require(st, a);
        self.require(st, b);
        if *self.g.ty(a) != ColTy::Date || *self.g.ty(b) != ColTy::Date {
            return self.not_covered(call);
        }
        let f = match unit {
            "DAYS" => Func::DaysBetween,
            "MONTHS" => Func::MonthsBetween,
            "YEARS" => {
                let months = self.g.call(Func::MonthsBetween, vec![a, b], ColTy::LONG);
                let twelve = self.g.constant_of(crate::ir::node::Const::Int(12), ColTy::LONG);
                return Ok(Sym::Node(self.g.bin(BinOp::Div, Prim::Long, months, twelve)));
            }
            _ => return self.not_covered(call),
        };
        Ok(Sym::Node(self.g.call(f, vec![a, b], ColTy::LONG)))
    }
}
