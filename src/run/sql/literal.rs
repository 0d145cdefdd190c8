//! Literals with a type of their own: numbers with Spark's suffixes, and intervals. Part of the parser.

use super::ast::{Ast, AstKind};
use super::lex::{Tok, syntax};
use super::parse::{P, Parser};
use super::ty::Ty;
use super::val::Val;
use crate::source::Span;

/// The literal that these digits and this suffix stand for.
pub(super) fn number(digits: &str, suffix: &str, negative: bool, span: Span) -> P<Ast> {
    let text = if negative {
        format!("-{digits}")
    } else {
        digits.to_string()
    };
    let (val, ty) = match typed_number(&text, suffix) {
        Some(found) => found,
        None => {
            return syntax(
                span.start as usize,
                span.end as usize,
                format!("`{text}{suffix}` is outside the range of its type"),
            );
        }
    };
    Ok(Ast::new(AstKind::Lit(val, ty), span))
}

fn typed_number(text: &str, suffix: &str) -> Option<(Val<'static>, Ty)> {
    let exponent = text.contains(['e', 'E']);
    Some(match suffix {
        "L" => (Val::I64(text.parse().ok()?), Ty::I64),
        "S" => (Val::I16(text.parse().ok()?), Ty::I16),
        "Y" => (Val::I8(text.parse().ok()?), Ty::I8),
        "F" => (Val::F32(text.parse().ok().filter(|f: &f32| f.is_finite())?), Ty::F32),
        "D" => (Val::F64(text.parse().ok().filter(|f: &f64| f.is_finite())?), Ty::F64),
        "BD" => decimal(text)?,
        _ if exponent => (Val::F64(text.parse().ok().filter(|f: &f64| f.is_finite())?), Ty::F64),
        _ if text.contains('.') => decimal(text)?,
        _ => match (text.parse::<i32>(), text.parse::<i64>()) {
            (Ok(i), _) => (Val::I32(i), Ty::I32),
            (_, Ok(l)) => (Val::I64(l), Ty::I64),
            _ => decimal(text)?,
        },
    })
}

fn decimal(text: &str) -> Option<(Val<'static>, Ty)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((m, e)) => (m, e.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut unscaled: i128 = format!("{whole}{part}").parse().ok()?;
    let mut scale = part.len() as i32 - exponent;
    if scale < 0 {
        unscaled = unscaled.checked_mul(10i128.checked_pow(scale.unsigned_abs())?)?;
        scale = 0;
    }
    let digits = unscaled.unsigned_abs().to_string().len() as i32;
    let precision = digits.max(scale);
    (precision <= 38).then_some((Val::Dec(unscaled), Ty::Dec(precision as u8, scale as u8)))
}

#[derive(Default)]
struct Parts {
    months: Option<i64>,
    micros: Option<i128>,
    time: bool,
}

/// `INTERVAL …` after the keyword has been seen.
pub(super) fn interval(p: &mut Parser, start: Span) -> P<Ast> {
    p.next();
    let mut parts = Parts::default();
    if let (Tok::Str(text), false) = (p.peek().clone(), unit_at(p, 1).is_some()) {
        p.next();
        return text_units(&text, &mut parts)
            .and_then(|()| finish(&parts, start, p.since(start)))
            .map_or_else(|| p.fail("this interval is not covered by the cpu engine"), Ok);
    }
    loop {
        let negative = if p.op("-") {
            true
        } else {
            p.op("+");
            false
        };
        let value = match p.peek().clone() {
            Tok::Number(d, "") => d,
            Tok::Str(s) => s,
            _ if parts.months.is_some() || parts.micros.is_some() => break,
            _ => return p.fail("expected a number and a unit after INTERVAL"),
        };
        let Some(unit) = unit_at(p, 1) else {
            return p.fail("expected a unit such as DAY or HOUR after the number");
        };
        p.next();
        p.next();
        if p.is_word("TO") {
            p.next();
            let to = unit_of(p.peek());
            p.next();
            return range(&value, unit, to, negative)
                .and_then(|parts| finish(&parts, start, p.since(start)))
                .map_or_else(|| p.fail("this interval is not covered by the cpu engine"), Ok);
        }
        if add(&mut parts, value.trim(), unit, negative).is_none() {
            return p.fail("this interval is not covered by the cpu engine");
        }
        let more = matches!(p.peek(), Tok::Number(..) | Tok::Str(_))
            || p.is_op("-") && matches!(p.peek_at(1), Tok::Number(..)) && unit_at(p, 2).is_some();
        if !more || unit_at(p, if p.is_op("-") { 2 } else { 1 }).is_none() {
            break;
        }
    }
    let span = p.since(start);
    finish(&parts, start, span).map_or_else(
        || {
            syntax(
                start.start as usize,
                span.end as usize,
                "an interval holds either years and months or days and time",
            )
        },
        Ok,
    )
}

fn unit_at(p: &Parser, ahead: usize) -> Option<&'static str> {
    unit_of(p.peek_at(ahead))
}

fn unit_of(tok: &Tok) -> Option<&'static str> {
    match tok {
        Tok::Word(w) => unit_name(w),
        _ => None,
    }
}

fn unit_name(w: &str) -> Option<&'static str> {
    let w = w.to_ascii_lowercase();
    let w = w.strip_suffix('s').unwrap_or(&w);
    [
        "year",
        "month",
        "week",
        "day",
        "hour",
        "minute",
        "second",
        "millisecond",
        "microsecond",
    ]
    .into_iter()
    .find(|u| *u == w)
}

fn micros_per(unit: &str) -> i128 {
    match unit {
        "week" => 7 * 86_400_000_000,
        "day" => 86_400_000_000,
        "hour" => 3_600_000_000,
        "minute" => 60_000_000,
        "second" => 1_000_000,
        "millisecond" => 1_000,
        _ => 1,
    }
}

fn add(parts: &mut Parts, value: &str, unit: &str, negative: bool) -> Option<()> {
    parts.time |= !matches!(unit, "year" | "month" | "week" | "day");
    let sign = if negative { -1 } else { 1 };
    match unit {
        "year" | "month" => {
            let n: i64 = value.parse().ok()?;
            let months = n.checked_mul(if unit == "year" { 12 } else { 1 })?;
            parts.months = Some(parts.months.unwrap_or(0).checked_add(sign * months)?);
        }
        "second" if value.contains('.') => {
            let (whole, part) = value.split_once('.')?;
            let minus = whole.starts_with('-');
            let whole: i128 = if whole.is_empty() || whole == "-" {
                0
            } else {
                whole.parse().ok()?
            };
            if part.is_empty() || part.len() > 9 || !part.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            let micros: i128 = format!("{part:0<6}")[..6].parse().ok()?;
            let total = whole * 1_000_000 + if minus { -micros } else { micros };
            parts.micros = Some(parts.micros.unwrap_or(0) + i128::from(sign) * total);
        }
        _ => {
            let n: i64 = value.parse().ok()?;
            parts.micros = Some(parts.micros.unwrap_or(0) + i128::from(sign) * i128::from(n) * micros_per(unit));
        }
    }
    Some(())
}

/// `'1 day -2 hours'`.
fn text_units(text: &str, parts: &mut Parts) -> Option<()> {
    let lower = text.trim().to_ascii_lowercase();
    let words: Vec<&str> = lower
        .strip_prefix("interval ")
        .unwrap_or(&lower)
        .split_whitespace()
        .collect();
    if words.is_empty() || !words.len().is_multiple_of(2) {
        return None;
    }
    for pair in words.chunks(2) {
        add(
            parts,
            pair[0].strip_prefix('+').unwrap_or(pair[0]),
            unit_name(pair[1])?,
            false,
        )?;
    }
    Some(())
}

/// `'1-2' YEAR TO MONTH` and `'1 02:03:04.5' DAY TO SECOND`.
fn range(value: &str, from: &str, to: Option<&str>, negative: bool) -> Option<Parts> {
    let to = to?;
    let (minus, body) = match value.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, value.strip_prefix('+').unwrap_or(value)),
    };
    let negative = minus != negative;
    let order = ["day", "hour", "minute", "second"];
    let mut parts = Parts::default();
    if (from, to) == ("year", "month") {
        let (y, m) = body.split_once('-')?;
        if m.parse::<u32>().ok()? > 11 {
            return None;
        }
        add(&mut parts, y, "year", negative)?;
        add(&mut parts, m, "month", negative)?;
        return Some(parts);
    }
    let first = order.iter().position(|u| *u == from)?;
    let last = order.iter().position(|u| *u == to)?;
    let pieces: Vec<&str> = body.split([' ', ':']).collect();
    if last <= first || pieces.len() != last - first + 1 {
        return None;
    }
    for (i, piece) in pieces.iter().enumerate() {
        let unit = order[first + i];
        let bound = [u64::MAX, 23, 59, 59][first + i];
        let whole: u64 = piece.split('.').next()?.parse().ok()?;
        if i > 0 && whole > bound {
            return None;
        }
        add(&mut parts, piece, unit, negative)?;
    }
    Some(parts)
}

fn finish(parts: &Parts, _start: Span, span: Span) -> Option<Ast> {
    let (val, ty) = match (parts.months, parts.micros) {
        (Some(m), None) => (Val::Ym(i32::try_from(m).ok()?), Ty::Ym),
        (None, Some(us)) => (
            Val::Dt(i64::try_from(us).ok()?),
            if parts.time { Ty::Dt } else { Ty::Day },
        ),
        _ => return None,
    };
    Some(Ast::new(AstKind::Lit(val, ty), span))
}
