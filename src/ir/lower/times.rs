//! Dates and times: `java.time.LocalDate`, `java.sql.Date`, and the UTC clock of timestamps.

use super::Lower;
use super::library::Call;
use super::sym::{Names, State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId, Op};
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
            ("getDayOfWeek", 0) => Sym::Enum(Names::Day, self.g.call(Func::DayOfWeek, vec![n], ColTy::INT)),
            ("getMonth", 0) if call.id.starts_with("LocalDate") => {
                Sym::Enum(Names::Month, self.g.call(Func::Month, vec![n], ColTy::INT))
            }
            ("lengthOfMonth", 0) => {
                let end = self.g.call(Func::MonthEnd, vec![n], ColTy::Date);
                Sym::Node(self.g.call(Func::DayOfMonth, vec![end], ColTy::INT))
            }
            ("isLeapYear", 0) => {
                let year = self.g.call(Func::Year, vec![n], ColTy::INT);
                Sym::Node(self.leap(year))
            }
            ("withDayOfMonth", 1) => self.day_of_month(n, &call)?,
            ("format", 1) => match &call.args[0] {
                Sym::Named("date pattern", p) => self.dated(n, p.as_str().into(), &call)?,
                _ => return self.not_covered(&call),
            },
            ("until", 2) => match &call.args[1] {
                Sym::Named("unit", unit) => {
                    let unit = unit.clone();
                    let other = call.args[0].clone();
                    let args = vec![Sym::Node(n), other];
                    return self.between(st, &unit, &Call { args, ..call });
                }
                _ => return self.not_covered(&call),
            },
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
            _ => return self.not_covered(&call),
        })
    }

    /// A leap year of the Gregorian calendar.
    fn leap(&mut self, year: NodeId) -> NodeId {
        let every = |l: &mut Self, n: i64| {
            let (n, zero) = (l.g.int(n), l.g.int(0));
            let rest = l.g.bin(BinOp::Rem, Prim::Int, year, n);
            l.g.bin(BinOp::Eq, Prim::Int, rest, zero)
        };
        let (four, hundred, all) = (every(self, 4), every(self, 100), every(self, 400));
        let common = self.g.not(hundred);
        let plain = self.g.and(four, common);
        self.g.or(plain, all)
    }

    fn day_of_month(&mut self, n: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let day = self.arg(call, 0)?;
        let start = self.g.call(Func::MonthStart, vec![n], ColTy::Date);
        match self.g.as_int(day) {
            Some(1) => Ok(Sym::Node(start)),
            Some(d) if (2..=28).contains(&d) => {
                let more = self.g.int(d - 1);
                Ok(Sym::Node(self.g.call(Func::PlusDays, vec![start, more], ColTy::Date)))
            }
            None if self.is_month_length(day, n) => Ok(Sym::Node(self.g.call(Func::MonthEnd, vec![n], ColTy::Date))),
            _ => self.refuse(
                call.span,
                "this day of the month may not exist; it has no columnar form",
            ),
        }
    }

    /// Whether a number is the length of the month of a date.
    fn is_month_length(&self, day: NodeId, date: NodeId) -> bool {
        let Op::Call(Func::DayOfMonth, end) = self.g.op(day) else {
            return false;
        };
        matches!(self.g.op(end[0]), Op::Call(Func::MonthEnd, of) if of[0] == date)
    }

    /// Methods of `Period.between(a, b)`.
    pub(super) fn period_method(&mut self, a: NodeId, b: NodeId, call: Call<'_>) -> Understood<Sym> {
        let months = self.g.call(Func::MonthsBetween, vec![a, b], ColTy::LONG);
        let twelve = self.long(12);
        let part = |l: &mut Self, op: BinOp| {
            let long = l.g.bin(op, Prim::Long, months, twelve);
            Sym::Node(l.g.conv(Prim::Long, Prim::Int, long))
        };
        Ok(match call.key() {
            ("getYears", 0) => part(self, BinOp::Div),
            ("getMonths", 0) => part(self, BinOp::Rem),
            ("toTotalMonths", 0) => Sym::Node(months),
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
                let date = self.g.call(Func::DateOf, args, ColTy::Date);
                if !known_day {
                    let bad = self.g.add(Op::IsNull(date), ColTy::BOOL);
                    self.raise_if(st, bad, "DateTimeException", "not a date");
                }
                Ok(Sym::Node(date))
            }
            ("LocalDate", ("parse", 1)) => {
                let s = self.text_arg(st, &call, 0)?;
                let good = self.g.call(Func::IsDate, vec![s], ColTy::BOOL);
                let bad = self.g.not(good);
                self.raise_if(st, bad, "DateTimeParseException", "not a date");
                Ok(Sym::Node(self.g.call(Func::ParseDate, vec![s], ColTy::Date)))
            }
            ("LocalDate", ("parse", 2)) => self.parse_by(st, &call),
            ("LocalDate", ("ofEpochDay", 1)) => self.not_covered(&call),
            ("DayOfWeek" | "Month", _) => self.day_constant(base, &call),
            ("Duration", ("between", 2)) => self.duration_between(st, &call),
            ("Instant", ("ofEpochMilli", 1)) => self.instant_of(Func::OfMillis, &call),
            ("Instant", ("ofEpochSecond", 1)) => self.instant_of(Func::OfSeconds, &call),
            ("Timestamp", ("from", 1)) => {
                let n = self.arg(&call, 0)?;
                self.require(st, n);
                if *self.g.ty(n) == ColTy::Timestamp {
                    return Ok(Sym::Node(n));
                }
                self.not_covered(&call)
            }
            ("Timestamp", ("valueOf", 1)) => match &call.args[0] {
                Sym::Clock(n, super::sym::Clock::Session) => Ok(Sym::Node(*n)),
                _ => self.not_covered(&call),
            },
            ("LocalDateTime", ("ofInstant", 2)) => match (&call.args[0], &call.args[1]) {
                (Sym::Node(n), Sym::Named("zone", zone)) => {
                    let (n, clock) = (*n, super::sym::Clock::At(zone.as_str().into()));
                    self.require(st, n);
                    Ok(Sym::Clock(n, clock))
                }
                _ => self.not_covered(&call),
            },
            ("LocalDate", ("ofInstant", 2)) => {
                let clock = self.time_static(
                    st,
                    "LocalDateTime",
                    Call {
                        name: "ofInstant",
                        args: call.args.clone(),
                        ty: call.ty.clone(),
                        ..call
                    },
                )?;
                match clock {
                    Sym::Clock(n, c) => self.clock_method(
                        st,
                        n,
                        c,
                        Call {
                            name: "toLocalDate",
                            args: vec![],
                            ..call
                        },
                    ),
                    other => Ok(other),
                }
            }
            ("Period", ("between", 2)) => {
                let (a, b) = (self.arg(&call, 0)?, self.arg(&call, 1)?);
                self.require(st, a);
                self.require(st, b);
                Ok(Sym::Period(a, b))
            }
            ("ZoneId", ("of", 1)) => {
                let zone = self.constant_text(&call.args[0], call.span, "a zone")?;
                let named = zone.contains('/') || matches!(&*zone, "UTC" | "GMT" | "Z");
                if !named {
                    return self.not_covered(&call);
                }
                let utc = matches!(&*zone, "Etc/UTC" | "GMT" | "Z");
                Ok(Sym::Named("zone", if utc { "UTC".into() } else { zone.to_string() }))
            }
            ("ZoneOffset", ("UTC", 0)) => Ok(Sym::Named("zone", "UTC".into())),
            ("DateTimeFormatter", ("ofPattern", 1)) => {
                let p = self.constant_text(&call.args[0], call.span, "a pattern")?;
                Ok(Sym::Named("date pattern", p.to_string()))
            }
            ("DateTimeFormatter", ("ISO_LOCAL_DATE" | "ISO_DATE", 0)) => {
                Ok(Sym::Named("date pattern", "yyyy-MM-dd".into()))
            }
            ("Date", ("valueOf", 1)) => {
                let n = self.arg(&call, 0)?;
                if *self.g.ty(n) == ColTy::Date {
                    self.require(st, n);
                    return Ok(Sym::Node(n));
                }
                self.not_covered(&call)
            }
            (
                "ChronoUnit",
                (unit @ ("DAYS" | "MONTHS" | "YEARS" | "WEEKS" | "HOURS" | "MINUTES" | "SECONDS" | "MICROS"), 0),
            ) => Ok(Sym::Named("unit", unit.to_string())),
            ("ChronoUnit" | "DAYS" | "MONTHS", ("between", 2)) => self.between(st, base, &call),
            _ => self.not_covered(&call),
        }
    }

    /// `LocalDate.parse(s, pattern)` by digits at fixed places.
    fn parse_by(&mut self, st: &mut State, call: &Call<'_>) -> Understood<Sym> {
        let s = self.text_arg(st, call, 0)?;
        let Sym::Named("date pattern", p) = &call.args[1] else {
            return self.not_covered(call);
        };
        let plain = super::clocks::date_letters(p).is_some_and(|l| l.len() == 3 && !l.contains('H'));
        let fixed = plain && p.contains("yyyy") && p.contains("MM") && p.contains("dd") && !p.contains('\'');
        if !fixed {
            return self.refuse(call.span, "parsing dates by this pattern has no columnar form here");
        }
        let p: std::sync::Arc<str> = p.as_str().into();
        let good = self.g.call(Func::IsDateBy(p.clone()), vec![s], ColTy::BOOL);
        let bad = self.g.not(good);
        self.raise_if(st, bad, "DateTimeParseException", "not a date");
        Ok(Sym::Node(self.g.call(Func::DateBy(p), vec![s], ColTy::Date)))
    }

    /// `ChronoUnit.X.between(a, b)`.
    pub(super) fn between(&mut self, st: &mut State, unit: &str, call: &Call<'_>) -> Understood<Sym> {
        let (a, b) = (self.arg(call, 0)?, self.arg(call, 1)?);
        self.require(st, a);
        self.require(st, b);
        if *self.g.ty(a) == ColTy::Timestamp && *self.g.ty(b) == ColTy::Timestamp {
            return self.instants_between(a, b, unit, call);
        }
        if *self.g.ty(a) != ColTy::Date || *self.g.ty(b) != ColTy::Date {
            return self.not_covered(call);
        }
        let f = match unit {
            "DAYS" => Func::DaysBetween,
            "MONTHS" => Func::MonthsBetween,
            "WEEKS" => {
                let days = self.g.call(Func::DaysBetween, vec![a, b], ColTy::LONG);
                let seven = self.long(7);
                return Ok(Sym::Node(self.g.bin(BinOp::Div, Prim::Long, days, seven)));
            }
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
