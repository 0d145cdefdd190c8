//! Dates and moments. In: rows of `java.time` and `java.sql`; out: calls of the helpers in `rw_time.cuh`. What depends on a time zone
//! is refused.

use super::calls::uncovered;
use super::emit::Emit;
use super::types::Cpp;
use crate::jvm::table::Method;
use crate::jvm::time::civil::{DAY_CONSTANTS, MONTH_CONSTANTS};
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Understood};

/// The helper for a method of `LocalDate`.
fn local_date(name: &str) -> Option<&'static str> {
    Some(match name {
        "getYear" => "rw::date_year",
        "getMonthValue" | "getMonth" => "rw::date_month",
        "getDayOfMonth" => "rw::date_day",
        "getDayOfYear" => "rw::date_day_of_year",
        "getDayOfWeek" => "rw::date_weekday",
        "lengthOfMonth" => "rw::date_length_of_month",
        "lengthOfYear" => "rw::date_length_of_year",
        "isLeapYear" => "rw::date_is_leap",
        "toEpochDay" => "rw::date_epoch_day",
        "plusDays" => "rw::date_plus_days",
        "plusWeeks" => "rw::date_plus_weeks",
        "plusMonths" => "rw::date_plus_months",
        "plusYears" => "rw::date_plus_years",
        "minusDays" => "rw::date_minus_days",
        "minusWeeks" => "rw::date_minus_weeks",
        "minusMonths" => "rw::date_minus_months",
        "minusYears" => "rw::date_minus_years",
        "withDayOfMonth" => "rw::date_with_day",
        "withMonth" => "rw::date_with_month",
        "withYear" => "rw::date_with_year",
        "withDayOfYear" => "rw::date_with_day_of_year",
        "isBefore" => "rw::date_before",
        "isAfter" => "rw::date_after",
        "isEqual" => "rw::date_equal",
        "compareTo" => "rw::date_compare",
        _ => return None,
    })
}

/// The number of a constant of `DayOfWeek` or `Month`.
fn number(module: &str, name: &str) -> Option<usize> {
    let all: &[&str] = match module {
        "DayOfWeek" => &DAY_CONSTANTS,
        "Month" => &MONTH_CONSTANTS,
        _ => return None,
    };
    all.iter().position(|n| *n == name).map(|i| i + 1)
}

/// The name of a unit.
fn unit(e: &Expr) -> Option<&'static str> {
    match &e.kind {
        ExprKind::Call { method, .. } if method.recv == "static ChronoUnit" => Some(method.name),
        _ => None,
    }
}

impl<'p> Emit<'p> {
    pub(super) fn date_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let refuse = || Err(uncovered(method, e.span));
        let class = match &recv.ty {
            Ty::Class(name) => name.as_str(),
            _ => "",
        };
        let sides = || std::iter::once(recv).chain(args);
        // Arguments of other types, like `ChronoLocalDate`, are dates too or refused.
        let dates = args
            .iter()
            .all(|a| self.cpp(super::slots::bare(a)).is_ok_and(|c| c == Cpp::Date));
        match (class, method.name, args) {
            ("Date", "toLocalDate", []) => {
                let value = self.expr(recv)?;
                let value = self.spill(value, recv.span);
                self.checked(format!("rw::date_epoch_day(row, {value})"), e.span);
                Ok(value)
            }
            ("Date", "before", [_]) if dates => self.helper("rw::date_before", sides(), e.span),
            ("Date", "after", [_]) if dates => self.helper("rw::date_after", sides(), e.span),
            ("LocalDate", "isBefore" | "isAfter" | "isEqual" | "compareTo", [_]) if !dates => refuse(),
            ("LocalDate", "plus" | "minus", [n, by]) => {
                let name = match (method.name, unit(by)) {
                    ("plus", Some("DAYS")) => "plusDays",
                    ("plus", Some("WEEKS")) => "plusWeeks",
                    ("plus", Some("MONTHS")) => "plusMonths",
                    ("plus", Some("YEARS")) => "plusYears",
                    ("minus", Some("DAYS")) => "minusDays",
                    ("minus", Some("WEEKS")) => "minusWeeks",
                    ("minus", Some("MONTHS")) => "minusMonths",
                    ("minus", Some("YEARS")) => "minusYears",
                    _ => return refuse(),
                };
                match local_date(name) {
                    Some(helper) => self.helper(helper, [recv, n], e.span),
                    None => refuse(),
                }
            }
            ("LocalDate", "format", [formatter]) => {
                let pattern = self.date_pattern(formatter, true)?;
                let value = self.expr(recv)?;
                Ok(self.helped("rw::date_format", &[value, pattern], e.span))
            }
            ("LocalDate", "until", [other, by]) => self.between(recv, other, by, method, e),
            ("LocalDate", name, _) => match local_date(name) {
                Some(helper) => self.helper(helper, sides(), e.span),
                None => refuse(),
            },
            ("Timestamp", "getTime", []) | ("Instant", "toEpochMilli", []) => {
                self.helper("rw::date_millis", [recv], e.span)
            }
            ("Instant", "getEpochSecond", []) => self.helper("rw::date_seconds", [recv], e.span),
            ("Timestamp", "toInstant", []) => {
                let value = self.expr(recv)?;
                let value = self.spill(value, recv.span);
                self.checked(format!("rw::date_micros(row, {value})"), e.span);
                Ok(value)
            }
            _ => refuse(),
        }
    }

    /// The pattern of a formatter: one year of four digits, a month and a day of two, and what stands between them.
    fn date_pattern(&self, formatter: &'p Expr, printing: bool) -> Understood<String> {
        let refuse = || Refusal::new(formatter.span, "this DateTimeFormatter is not covered by the cuda tier");
        let made = match &formatter.kind {
            ExprKind::Global(id) => &self.program.globals[id.0 as usize].init,
            ExprKind::Local(id) => self.inits.get(&(id.0 as usize)).copied().ok_or_else(refuse)?,
            _ => formatter,
        };
        let text = match &made.kind {
            ExprKind::Call { method, args, .. } => match (method.name, args.as_slice()) {
                ("ofPattern", [pattern]) => self.known(pattern),
                ("ISO_LOCAL_DATE" | "ISO_DATE", []) if printing => Some(crate::jvm::value::Value::str("uuuu-MM-dd")),
                _ => None,
            },
            _ => None,
        };
        let Some(crate::jvm::value::Value::Str(text)) = text else {
            return Err(refuse());
        };
        let text = text.to_utf8().into_owned();
        let mut letters: Vec<String> = Vec::new();
        let mut last = ' ';
        for c in text.chars() {
            match (c.is_ascii_alphabetic(), letters.last_mut()) {
                (true, Some(run)) if last == c => run.push(c),
                (true, _) => letters.push(c.to_string()),
                (false, _) if "-/. ,_:".contains(c) => {}
                _ => return Err(refuse()),
            }
            last = c;
        }
        letters.sort();
        let known = matches!(
            letters.iter().map(String::as_str).collect::<Vec<_>>().as_slice(),
            ["MM", "dd", "yyyy" | "uuuu"]
        );
        // Next to another number a year takes as many digits as there are.
        if !known
            || (!printing && text.contains("yM") | text.contains("yd") | text.contains("uM") | text.contains("ud"))
        {
            return Err(refuse());
        }
        super::types::text_literal(&text.encode_utf16().collect::<Vec<u16>>(), formatter.span)
    }

    fn between(
        &mut self,
        from: &'p Expr,
        to: &'p Expr,
        by: &'p Expr,
        method: &'static Method,
        e: &'p Expr,
    ) -> Understood<String> {
        let helper = match unit(by) {
            Some("DAYS") => "rw::date_days_between",
            Some("WEEKS") => "rw::date_weeks_between",
            Some("MONTHS") => "rw::date_months_between",
            Some("YEARS") => "rw::date_years_between",
            _ => return Err(uncovered(method, e.span)),
        };
        let (from, to) = (super::slots::bare(from), super::slots::bare(to));
        for side in [from, to] {
            if !matches!(&side.ty, Ty::Class(n) if n == "LocalDate") {
                return Err(Refusal::new(
                    side.span,
                    "only days of LocalDate are counted by the cuda tier",
                ));
            }
        }
        self.helper(helper, [from, to], e.span)
    }

    /// Static methods and constants.
    pub(super) fn date_static(
        &mut self,
        module: &str,
        method: &'static Method,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        match (module, method.name, args) {
            ("LocalDate", "of", [_, _, _]) => self.helper("rw::date_of", args, e.span),
            ("LocalDate", "ofEpochDay", [_]) => self.helper("rw::date_at", args, e.span),
            ("LocalDate", "parse", [text]) => {
                let text = self.expr(super::slots::bare(text))?;
                Ok(self.helped("rw::date_parse_iso", &[text], e.span))
            }
            ("LocalDate", "parse", [text, formatter]) => {
                let pattern = self.date_pattern(formatter, false)?;
                let text = self.expr(super::slots::bare(text))?;
                Ok(self.helped("rw::date_parse", &[text, pattern], e.span))
            }
            ("LocalDate", "EPOCH", []) => Ok("rw::Date{0, true}".into()),
            ("Date", "valueOf", [day]) if matches!(&day.ty, Ty::Class(n) if n == "LocalDate") => {
                let value = self.expr(day)?;
                let value = self.spill(value, day.span);
                self.checked(format!("rw::date_for_sql(row, {value})"), e.span);
                Ok(value)
            }
            (_, name, []) => match number(module, name) {
                Some(n) => Ok(n.to_string()),
                None => Err(uncovered(method, e.span)),
            },
            _ => Err(uncovered(method, e.span)),
        }
    }

    /// Methods of a day of the week or a month, which are their numbers.
    pub(super) fn enumeration_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let class = match &recv.ty {
            Ty::Class(name) => name.as_str(),
            _ => "",
        };
        let cycle = if class == "Month" { 12 } else { 7 };
        match (class, method.name, args) {
            (_, "getValue", []) => self.expr(recv),
            (_, "ordinal", []) => self.expr(recv).map(|v| format!("({v} - 1)")),
            (_, "plus" | "minus", [n]) if self.cpp(n)? == Cpp::Prim(Prim::Long) => {
                let v = self.operands([recv, n])?;
                let sign = if method.name == "plus" { "+" } else { "-" };
                Ok(format!(
                    "static_cast<int32_t>(rw::date_floor_mod({} - 1 {sign} {} % {cycle}, {cycle}) + 1)",
                    v[0], v[1]
                ))
            }
            _ => Err(uncovered(method, e.span)),
        }
    }

    /// `ChronoUnit.DAYS.between(a, b)`.
    pub(super) fn unit_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        match (method.name, args) {
            ("between", [from, to]) => self.between(from, to, recv, method, e),
            _ => Err(uncovered(method, e.span)),
        }
    }
}
