//! Instants and the clocks that show them: `Instant`, `java.sql.Timestamp`, `LocalDateTime` and `ZonedDateTime` as a timestamp
//! beside the zone of the clock; durations as microseconds; days of the week and months as their numbers.

use std::sync::Arc;

use super::Lower;
use super::library::Call;
use super::sym::{Clock, Names, State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, Const, NodeId, Op};
use crate::jvm::time::civil::{DAY_CONSTANTS, MONTH_CONSTANTS};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::Understood;

const SECOND: i64 = 1_000_000;

impl Names {
    fn all(self) -> &'static [&'static str] {
        match self {
            Names::Day => &DAY_CONSTANTS,
            Names::Month => &MONTH_CONSTANTS,
        }
    }
}

impl Lower<'_> {
    pub(super) fn long(&mut self, v: i64) -> NodeId {
        self.g.constant_of(Const::Int(v), ColTy::LONG)
    }

    fn long_call(&mut self, f: Func, n: NodeId) -> Sym {
        Sym::Node(self.g.call(f, vec![n], ColTy::LONG))
    }

    /// Methods of `Timestamp` and `Instant`.
    pub(super) fn instant_method(&mut self, st: &mut State, n: NodeId, call: Call<'_>) -> Understood<Sym> {
        let sql = call.id.starts_with("Timestamp") || call.id.starts_with("UtilDate");
        let instant = |l: &mut Self| match sql {
            // The old class keeps the fields of the calendar before 1582, not the instant.
            true => l.g.call(Func::SqlInstant, vec![n], ColTy::Timestamp),
            false => n,
        };
        Ok(match call.key() {
            ("toInstant", 0) => Sym::Node(instant(self)),
            ("toLocalDateTime", 0) => Sym::Clock(n, Clock::Session),
            ("getTime" | "toEpochMilli", 0) => {
                let at = instant(self);
                self.long_call(Func::EpochMillis, at)
            }
            ("getEpochSecond", 0) => self.long_call(Func::EpochSeconds, n),
            ("atZone" | "atOffset", 1) => match &call.args[0] {
                Sym::Named("zone", zone) => Sym::Clock(n, Clock::At(zone.as_str().into())),
                _ => return self.not_covered(&call),
            },
            ("isBefore" | "before" | "isAfter" | "after", 1) => {
                let m = self.arg(&call, 0)?;
                self.require(st, m);
                if *self.g.ty(m) != ColTy::Timestamp {
                    return self.not_covered(&call);
                }
                let op = if call.name.ends_with("efore") {
                    BinOp::Lt
                } else {
                    BinOp::Gt
                };
                Sym::Node(self.g.add(Op::Compare(op, n, m), ColTy::BOOL))
            }
            ("until", 2) => match &call.args[1] {
                Sym::Named("unit", unit) => {
                    let (unit, m) = (unit.clone(), self.arg(&call, 0)?);
                    self.require(st, m);
                    return self.instants_between(n, m, &unit, &call);
                }
                _ => return self.not_covered(&call),
            },
            _ => return self.not_covered(&call),
        })
    }

    /// A timestamp that shows in the session's zone what the clock shows.
    fn shown(&mut self, n: NodeId, clock: &Clock) -> NodeId {
        match clock {
            Clock::Session => n,
            Clock::At(zone) => self.g.call(Func::LocalAt(zone.clone()), vec![n], ColTy::Timestamp),
        }
    }

    /// Methods of `LocalDateTime`, `ZonedDateTime`, `OffsetDateTime` and `LocalTime`.
    pub(super) fn clock_method(&mut self, st: &mut State, n: NodeId, clock: Clock, call: Call<'_>) -> Understood<Sym> {
        let part = match call.key() {
            ("getHour", 0) => Some(Func::Hour),
            ("getMinute", 0) => Some(Func::Minute),
            ("getSecond", 0) => Some(Func::Second),
            _ => None,
        };
        let local = self.shown(n, &clock);
        if let Some(f) = part {
            return Ok(Sym::Node(self.g.call(f, vec![local], ColTy::INT)));
        }
        Ok(match call.key() {
            ("toLocalDateTime" | "toLocalTime", 0) => Sym::Clock(n, clock),
            ("toInstant" | "toEpochSecond", 0) => match (&clock, call.name) {
                (Clock::At(_), "toInstant") => Sym::Node(n),
                (Clock::At(_), _) => self.long_call(Func::EpochSeconds, n),
                _ => return self.not_covered(&call),
            },
            ("toEpochSecond" | "toInstant", 1) if is_utc(&call.args[0]) => match call.name {
                "toInstant" if clock == Clock::Session => return self.not_covered(&call),
                "toInstant" => Sym::Node(local),
                _ if clock == Clock::Session => return self.not_covered(&call),
                _ => self.long_call(Func::EpochSeconds, local),
            },
            ("withZoneSameInstant", 1) => match (&call.args[0], &clock) {
                (Sym::Named("zone", zone), Clock::At(_)) => Sym::Clock(n, Clock::At(zone.as_str().into())),
                _ => return self.not_covered(&call),
            },
            ("format", 1) => match &call.args[0] {
                Sym::Named("date pattern", p) => self.dated(local, p.as_str().into(), &call)?,
                _ => return self.not_covered(&call),
            },
            ("isBefore" | "isAfter" | "isEqual", 1) => match &call.args[0] {
                Sym::Clock(m, other) if *other == clock => {
                    let m = self.shown(*m, &clock);
                    let op = match call.name {
                        "isBefore" => BinOp::Lt,
                        "isAfter" => BinOp::Gt,
                        _ => return self.not_covered(&call),
                    };
                    Sym::Node(self.g.add(Op::Compare(op, local, m), ColTy::BOOL))
                }
                _ => return self.not_covered(&call),
            },
            _ => {
                let date = self.g.call(Func::DateOfTimestamp, vec![local], ColTy::Date);
                match call.key() {
                    ("toLocalDate", 0) => Sym::Node(date),
                    (
                        "getYear" | "getMonthValue" | "getMonth" | "getDayOfMonth" | "getDayOfYear" | "getDayOfWeek",
                        0,
                    ) => return self.time_method(st, date, call),
                    _ => return self.not_covered(&call),
                }
            }
        })
    }

    /// A date or a clock's time by a pattern that Spark's `date_format` reads as the JVM does.
    pub(super) fn dated(&mut self, n: NodeId, pattern: Arc<str>, call: &Call<'_>) -> Understood<Sym> {
        match date_letters(&pattern) {
            Some(letters) if *self.g.ty(n) != ColTy::Date || !letters.contains(['H', 'm', 's']) => {
                let f = Func::DateText {
                    pattern,
                    old: call.id.starts_with("SimpleDateFormat"),
                };
                Ok(Sym::Node(self.g.call(f, vec![n], ColTy::Str)))
            }
            _ => self.refuse(call.span, "this pattern of dates has no columnar form here"),
        }
    }

    fn micros_between(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (x, y) = (
            self.g.call(Func::EpochMicros, vec![a], ColTy::LONG),
            self.g.call(Func::EpochMicros, vec![b], ColTy::LONG),
        );
        self.g.bin(BinOp::Sub, Prim::Long, y, x)
    }

    /// `ChronoUnit.X.between` of two instants.
    pub(super) fn instants_between(&mut self, a: NodeId, b: NodeId, unit: &str, call: &Call<'_>) -> Understood<Sym> {
        let size = match unit {
            "SECONDS" => SECOND,
            "MINUTES" => 60 * SECOND,
            "HOURS" => 3_600 * SECOND,
            "DAYS" => 86_400 * SECOND,
            "MICROS" => 1,
            _ => return self.not_covered(call),
        };
        let micros = self.micros_between(a, b);
        let size = self.long(size);
        Ok(Sym::Node(self.g.bin(BinOp::Div, Prim::Long, micros, size)))
    }

    /// `Duration.between(a, b)`.
    pub(super) fn duration_between(&mut self, st: &mut State, call: &Call<'_>) -> Understood<Sym> {
        let (a, b) = match (&call.args[0], &call.args[1]) {
            (Sym::Node(a), Sym::Node(b)) => (*a, *b),
            (Sym::Clock(a, Clock::At(x)), Sym::Clock(b, Clock::At(y))) if x == y && **x == *"UTC" => (*a, *b),
            _ => return self.not_covered(call),
        };
        self.require(st, a);
        self.require(st, b);
        if *self.g.ty(a) != ColTy::Timestamp || *self.g.ty(b) != ColTy::Timestamp {
            return self.not_covered(call);
        }
        Ok(Sym::Duration(self.micros_between(a, b)))
    }

    /// Methods of `Duration`, which holds whole seconds rounded down and a rest.
    pub(super) fn duration_method(&mut self, micros: NodeId, call: Call<'_>) -> Understood<Sym> {
        let million = self.long(SECOND);
        let seconds = self.g.call(Func::FloorDiv, vec![micros, million], ColTy::LONG);
        let over = |l: &mut Self, n: NodeId, by: i64| {
            let by = l.long(by);
            Sym::Node(l.g.bin(BinOp::Div, Prim::Long, n, by))
        };
        Ok(match call.key() {
            ("getSeconds" | "toSeconds", 0) => Sym::Node(seconds),
            ("toMinutes", 0) => over(self, seconds, 60),
            ("toHours", 0) => over(self, seconds, 3_600),
            ("toDays", 0) => over(self, seconds, 86_400),
            ("toMillis", 0) => over(self, micros, 1_000),
            ("isNegative", 0) => {
                let zero = self.long(0);
                Sym::Node(self.g.bin(BinOp::Lt, Prim::Long, micros, zero))
            }
            ("isZero", 0) => {
                let zero = self.long(0);
                Sym::Node(self.g.bin(BinOp::Eq, Prim::Long, micros, zero))
            }
            ("abs", 0) => Sym::Duration(self.g.call(Func::Abs, vec![micros], ColTy::LONG)),
            ("negated", 0) => Sym::Duration(self.g.neg(Prim::Long, micros)),
            _ => return self.not_covered(&call),
        })
    }

    /// Methods of `DayOfWeek` and `Month`.
    pub(super) fn named_day_method(&mut self, names: Names, n: NodeId, call: Call<'_>) -> Understood<Sym> {
        let one = self.g.int(1);
        Ok(match call.key() {
            ("getValue", 0) => Sym::Node(n),
            ("ordinal", 0) => Sym::Node(self.g.bin(BinOp::Sub, Prim::Int, n, one)),
            ("toString" | "name", 0) => Sym::Node(self.day_name(names, n)),
            _ => return self.not_covered(&call),
        })
    }

    /// The name of a day or month by its number.
    pub(super) fn day_name(&mut self, names: Names, n: NodeId) -> NodeId {
        let all: Vec<NodeId> = names.all().iter().map(|t| self.g.text(t)).collect();
        let list = self.g.add(Op::List(all), ColTy::Array(Box::new(ColTy::Str)));
        let one = self.g.int(1);
        let at = self.g.bin(BinOp::Sub, Prim::Int, n, one);
        let name = self.g.call(Func::Element, vec![list, at], ColTy::Str);
        // The number lies in range, so that the element is there.
        let none = self.g.text("");
        self.g.add(Op::Coalesce(name, none), ColTy::Str)
    }

    /// `DayOfWeek.MONDAY`, `Month.JULY`.
    pub(super) fn day_constant(&mut self, base: &str, call: &Call<'_>) -> Understood<Sym> {
        let names = if base == "Month" { Names::Month } else { Names::Day };
        match names.all().iter().position(|n| *n == call.name) {
            Some(i) if call.args.is_empty() => Ok(Sym::Enum(names, self.g.int(i as i64 + 1))),
            _ => self.not_covered(call),
        }
    }

    /// `Instant.ofEpochMilli`, `Instant.ofEpochSecond`, `new Timestamp(millis)`.
    pub(super) fn instant_of(&mut self, f: Func, call: &Call<'_>) -> Understood<Sym> {
        let n = self.arg(call, 0)?;
        if *self.g.ty(n) != ColTy::LONG {
            return self.not_covered(call);
        }
        Ok(Sym::Node(self.g.call(f, vec![n], ColTy::Timestamp)))
    }
}

/// Whether a value is the zone of UTC.
fn is_utc(zone: &Sym) -> bool {
    matches!(zone, Sym::Named("zone", z) if z == "UTC")
}

/// The letters of a pattern that the JVM's formatters and Spark's read alike; nothing for others.
pub(super) fn date_letters(pattern: &str) -> Option<String> {
    let mut letters = String::new();
    let chars: Vec<char> = pattern.chars().collect();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if c == '\'' {
            let end = (i + 1..chars.len()).find(|j| chars[*j] == '\'')?;
            if end == i + 1 {
                return None;
            }
            i = end + 1;
            continue;
        }
        let run = chars[i..].iter().take_while(|d| **d == c).count();
        match (c, run) {
            ('y' | 'u', 4) | ('M' | 'd' | 'H' | 'm' | 's', 1 | 2) => letters.push(c),
            _ if c.is_ascii_alphabetic() || "[]{}#\"".contains(c) => return None,
            _ => {}
        }
        i += run;
    }
    // A letter twice reads the same field twice.
    let once = letters.chars().all(|c| letters.matches(c).count() == 1);
    (once && !letters.is_empty()).then_some(letters)
}
