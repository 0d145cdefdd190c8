//! `DateTimeFormatter.parse`. In: a formatter and text; out: what it says of date, time, offset and zone, or
//! DateTimeParseException. Steps and limits are those of the JDK's strict parsing, with strict or smart resolving.

use std::collections::BTreeMap;

use super::arithmetic::{self, MAX_YEAR};
use super::civil;
use super::formatter::{Field, Formatter, Item, Sign};
use super::print::{self, Known};
use super::zone::Zone;
use crate::jvm::value::{Eval, Throw};

/// `DateTimeParseException`.
pub fn unparseable(text: &str) -> Throw {
    Throw::exception("DateTimeParseException", format!("Text '{text}' could not be parsed"))
}

#[derive(Clone)]
struct State<'a> {
    text: &'a [char],
    fields: BTreeMap<Field, i64>,
    offset: Option<i32>,
    zone: Option<Zone>,
    any_case: bool,
}

/// Parses all of the text.
pub fn parse(formatter: &Formatter, text: &str) -> Eval<Known> {
    let chars: Vec<char> = text.chars().collect();
    let mut state = State {
        text: &chars,
        fields: BTreeMap::new(),
        offset: None,
        zone: None,
        any_case: false,
    };
    match state.all(&formatter.items, 0)? {
        Some(end) if end == chars.len() => {}
        _ => return Err(unparseable(text)),
    }
    resolve(&state, formatter.strict).map_err(|e| match e {
        Throw::Exception(cause) => Throw::exception(
            "DateTimeParseException",
            format!(
                "Text '{text}' could not be parsed: {}",
                cause.message.as_deref().unwrap_or_default()
            ),
        ),
        other => other,
    })
}

impl State<'_> {
    /// The position after all items, `None` where one does not match.
    fn all(&mut self, items: &[Item], start: usize) -> Eval<Option<usize>> {
        let mut at = start;
        for item in items {
            match self.one(item, at)? {
                Some(next) => at = next,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    fn one(&mut self, item: &Item, at: usize) -> Eval<Option<usize>> {
        Ok(match item {
            Item::Literal(text) => self.literal(text, at),
            Item::Number {
                field,
                min,
                max,
                sign,
                after,
                fixed,
            } => {
                let after = if *fixed { None } else { Some(*after) };
                self.number(at, *min, *max, *sign, after)
                    .and_then(|(value, end)| self.set(*field, value, end))
            }
            Item::Reduced { field, after } => {
                let found = self.number(at, 2, 2, Sign::Never, Some(*after));
                found.and_then(|(value, end)| self.set(*field, 2000 + value, end))
            }
            Item::Fraction { min, max, point } => self.fraction(at, *min, *max, *point),
            Item::Text { field, full } => self.name(*field, *full, at),
            Item::Offset { pattern, zero } => self.read_offset(at, pattern, zero)?,
            Item::ZoneId => self.zone_id(at)?,
            Item::Optional(inner) => {
                let before = self.clone();
                match self.all(inner, at)? {
                    Some(end) => Some(end),
                    None => {
                        *self = before;
                        Some(at)
                    }
                }
            }
            Item::AnyCase(any) => {
                self.any_case = *any;
                Some(at)
            }
        })
    }

    fn literal(&self, text: &str, at: usize) -> Option<usize> {
        let mut end = at;
        for c in text.chars() {
            let found = *self.text.get(end)?;
            if found != c && !(self.any_case && found.eq_ignore_ascii_case(&c)) {
                return None;
            }
            end += 1;
        }
        Some(end)
    }

    /// A field may be set twice only to the same value.
    fn set(&mut self, field: Field, value: i64, end: usize) -> Option<usize> {
        match self.fields.insert(field, value) {
            Some(other) if other != value => None,
            _ => Some(end),
        }
    }

    /// A number and where it ends. `after` is the width that following numbers need, `None` where this one has a fixed width.
    fn number(&self, start: usize, min: usize, max: usize, sign: Sign, after: Option<usize>) -> Option<(i64, usize)> {
        let mut at = start;
        let (mut negative, mut positive) = (false, false);
        match self.text.get(at)? {
            '+' if sign == Sign::ExceedsPad => (positive, at) = (true, at + 1),
            '-' if sign != Sign::Never => (negative, at) = (true, at + 1),
            _ => {}
        }
        let after = after.unwrap_or(0);
        let digits = |limit: usize| {
            self.text[at..]
                .iter()
                .take(limit)
                .take_while(|c| c.is_ascii_digit())
                .count()
        };
        let mut width = digits(max + after);
        if width < min {
            return None;
        }
        if after > 0 {
            width = digits(min.max(width.saturating_sub(after)));
        }
        let text: String = self.text[at..at + width].iter().collect();
        let value: i64 = text.parse().ok()?;
        if negative && value == 0 {
            return None;
        }
        if !negative && sign == Sign::ExceedsPad && positive != (width > min) {
            return None;
        }
        Some((if negative { -value } else { value }, at + width))
    }

    fn fraction(&mut self, start: usize, min: usize, max: usize, point: bool) -> Option<usize> {
        let mut at = start;
        if point {
            if self.text.get(at) != Some(&'.') {
                return if min > 0 { None } else { Some(start) };
            }
            at += 1;
        }
        let digits: String = self.text[at.min(self.text.len())..]
            .iter()
            .take(max)
            .take_while(|c| c.is_ascii_digit())
            .collect();
        if digits.len() < min {
            return None;
        }
        if digits.is_empty() {
            // A point without digits: the JDK reads it as a fraction of none.
            return self.set(Field::Nano, 0, at);
        }
        let value: i64 = format!("{digits:0<9}").parse().ok()?;
        self.set(Field::Nano, value, at + digits.len())
    }

    fn name(&mut self, field: Field, full: bool, at: usize) -> Option<usize> {
        let values = match field {
            Field::Month => 1..=12,
            Field::DayOfWeek => 1..=7,
            _ => 0..=1,
        };
        for value in values {
            if let Some(end) = self.literal(print::name(field, value, full), at) {
                return self.set(field, value, end);
            }
        }
        None
    }

    /// An offset; forms with optional parts beyond `+HH:MM:ss` are read as far as they are written.
    fn read_offset(&mut self, at: usize, pattern: &str, zero: &str) -> Eval<Option<usize>> {
        if !zero.is_empty()
            && let Some(end) = self.literal(zero, at)
            && !zero.starts_with('+')
        {
            self.offset = Some(0);
            return Ok(Some(end));
        }
        let sign = match self.text.get(at) {
            Some('+') => 1,
            Some('-') => -1,
            _ => return Ok(None),
        };
        let colon = pattern.contains(':');
        let mut at = at + 1;
        let mut parts = [0; 3];
        let wanted = if pattern.ends_with("ss") { 3 } else { 2 };
        for (i, part) in parts.iter_mut().enumerate().take(wanted) {
            let mut from = at;
            if i > 0 && colon {
                if self.text.get(from) != Some(&':') {
                    if i == 1 {
                        return Ok(None);
                    }
                    break;
                }
                from += 1;
            }
            match self.number(from, 2, 2, Sign::Never, None) {
                Some((value, end)) if value < 60 => (*part, at) = (value, end),
                _ if i == 0 || (i == 1 && pattern.contains("MM")) => return Ok(None),
                _ => break,
            }
        }
        let total = parts[0] * 3600 + parts[1] * 60 + parts[2];
        if total > 18 * 3600 {
            return Ok(None);
        }
        self.offset = Some(sign * total as i32);
        Ok(Some(at))
    }

    fn zone_id(&mut self, at: usize) -> Eval<Option<usize>> {
        let id: String = self.text[at.min(self.text.len())..]
            .iter()
            .take_while(|c| c.is_ascii_alphanumeric() || "/~._+-:".contains(**c))
            .collect();
        match Zone::of(&id) {
            Ok(zone) => {
                self.zone = Some(zone);
                Ok(Some(at + id.len()))
            }
            Err(Throw::Exception(_)) => Ok(None),
            Err(other) => Err(other),
        }
    }
}

/// What the fields say together.
fn resolve(state: &State<'_>, strict: bool) -> Eval<Known> {
    let get = |field: Field| state.fields.get(&field).copied();
    let (time, excess) = resolve_time(&get, strict)?;
    let mut date = resolve_date(&get, strict)?;
    if let (Some(days), Some(weekday)) = (date, get(Field::DayOfWeek))
        && civil::day_of_week(days) != weekday
    {
        return Err(arithmetic::date_time(
            "Conflict found: the day of the week differs from the date",
        ));
    }
    if get(Field::WeekYear).is_some() {
        return Err(Throw::Unsupported("parsing a week-based year is not covered".into()));
    }
    if let (Some(days), Some(_)) = (date, time) {
        date = Some(arithmetic::plus_days(days, excess)?);
    }
    Ok(Known {
        date,
        time,
        offset: state.offset,
        zone: state.zone.clone(),
    })
}

fn resolve_date(get: &dyn Fn(Field) -> Option<i64>, strict: bool) -> Eval<Option<i64>> {
    let mut year = get(Field::Year);
    if let Some(of_era) = get(Field::YearOfEra) {
        arithmetic::checked_field("YearOfEra", of_era, 1, MAX_YEAR + 1)?;
        // Without an era, strict resolving leaves the year of the era alone.
        if !strict {
            if year.is_some_and(|y| (if y > 0 { y } else { 1 - y }) != of_era) {
                return Err(arithmetic::date_time(
                    "Conflict found: the year of the era differs from the year",
                ));
            }
            year = year.or(Some(of_era));
        }
    }
    let month = get(Field::Month)
        .map(|m| arithmetic::checked_field("MonthOfYear", m, 1, 12))
        .transpose()?;
    let day = get(Field::Day)
        .map(|d| arithmetic::checked_field("DayOfMonth", d, 1, 31))
        .transpose()?;
    let day_of_year = get(Field::DayOfYear)
        .map(|d| arithmetic::checked_field("DayOfYear", d, 1, 366))
        .transpose()?;
    if let Some(year) = year {
        arithmetic::checked_field("Year", year, -MAX_YEAR, MAX_YEAR)?;
    }
    match (year, month, day, day_of_year) {
        (Some(y), Some(m), Some(d), _) if strict => arithmetic::date(y, m, d).map(Some),
        (Some(y), Some(m), Some(d), _) => {
            let limit = civil::month_length(y, m);
            arithmetic::date(y, m, d.min(limit)).map(Some)
        }
        (Some(y), _, _, Some(d)) => {
            if d == 366 && !civil::is_leap(y) {
                return Err(arithmetic::date_time(format!(
                    "Invalid date 'DayOfYear 366' as '{y}' is not a leap year"
                )));
            }
            Ok(Some(civil::days_of(y, 1, 1) + d - 1))
        }
        _ => Ok(None),
    }
}

/// The time of day and the days that 24:00 is beyond it.
fn resolve_time(get: &dyn Fn(Field) -> Option<i64>, strict: bool) -> Eval<(Option<i64>, i64)> {
    let half = get(Field::AmPm);
    // Smart resolving lets a clock hour be zero.
    let least_clock = i64::from(strict);
    let mut hour = get(Field::Hour);
    if let Some(clock) = get(Field::ClockHour) {
        let clock = arithmetic::checked_field("ClockHourOfDay", clock, least_clock, 24)?;
        hour = hour.or(Some(clock % 24));
    }
    let of_half = match (get(Field::HourOfAmPm), get(Field::ClockHourOfAmPm)) {
        (Some(h), _) => Some(arithmetic::checked_field("HourOfAmPm", h, 0, 11)?),
        (None, Some(h)) => Some(arithmetic::checked_field("ClockHourOfAmPm", h, least_clock, 12)? % 12),
        (None, None) => None,
    };
    if let (Some(half), Some(of_half)) = (half, of_half) {
        hour = hour.or(Some(half * 12 + of_half));
    }
    let (minute, second, nano) = (get(Field::Minute), get(Field::Second), get(Field::Nano));
    let Some(hour) = hour else { return Ok((None, 0)) };
    if minute.is_none() && (second.is_some() || nano.is_some())
        || second.is_none() && nano.is_some() && minute.is_some()
    {
        return Ok((None, 0));
    }
    let rest = [minute, second, nano].map(|v| v.unwrap_or(0));
    if hour == 24 && !strict && rest == [0, 0, 0] {
        return Ok((Some(0), 1));
    }
    Ok((Some(arithmetic::time(hour, rest[0], rest[1], rest[2])?), 0))
}

/// `Instant.parse`: ISO_INSTANT of JDK 17, which takes an offset in place of `Z`, hour 24 and the leap second.
pub fn instant(text: &str) -> Eval<(i64, u32)> {
    instant_of(text).ok_or_else(|| unparseable(text))
}

fn instant_of(text: &str) -> Option<(i64, u32)> {
    let mut at = Digits(text.as_bytes());
    let year = at.year()?;
    at.one(b"-")?;
    let month = at.two()?;
    at.one(b"-")?;
    let day = at.two()?;
    at.one(b"Tt")?;
    let mut hour = at.two()?;
    at.one(b":")?;
    let minute = at.two()?;
    at.one(b":")?;
    let mut second = at.two()?;
    let nanos = at.fraction();
    let offset = at.offset()?;
    if !at.0.is_empty() || !(1..=12).contains(&month) || !(1..=civil::month_length(year, month)).contains(&day) {
        return None;
    }
    let mut days = civil::days_of(year, month, day);
    if (hour, minute, second, nanos) == (24, 0, 0, 0) {
        (hour, days) = (0, days + 1);
    } else if (hour, minute, second) == (23, 59, 60) {
        second = 59;
    }
    if hour > 23 || minute > 59 || second > 59 || offset.abs() > 18 * 3600 {
        return None;
    }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset;
    // The range of `Instant`.
    (-31_557_014_167_219_200..=31_556_889_864_403_199)
        .contains(&seconds)
        .then_some((seconds, nanos))
}

/// What is left of a text that consists of numbers of fixed width.
struct Digits<'a>(&'a [u8]);

impl Digits<'_> {
    /// One of these characters.
    fn one(&mut self, of: &[u8]) -> Option<u8> {
        let first = *self.0.first().filter(|c| of.contains(c))?;
        self.0 = &self.0[1..];
        Some(first)
    }

    fn digit(&mut self) -> Option<i64> {
        self.one(b"0123456789").map(|c| i64::from(c - b'0'))
    }

    fn two(&mut self) -> Option<i64> {
        Some(self.digit()? * 10 + self.digit()?)
    }

    /// Four digits; with a sign up to ten, and with `+` more than four.
    fn year(&mut self) -> Option<i64> {
        let sign = self.one(b"+-");
        let (mut year, mut count) = (0, 0);
        while count < if sign.is_some() { 10 } else { 4 } {
            let Some(digit) = self.digit() else { break };
            (year, count) = (year * 10 + digit, count + 1);
        }
        match sign {
            _ if count < 4 => None,
            Some(b'+') if count == 4 => None,
            Some(b'-') if year == 0 => None,
            Some(b'-') => Some(-year),
            _ => Some(year),
        }
    }

    /// Nanoseconds after a point, up to nine digits and maybe none.
    fn fraction(&mut self) -> u32 {
        let (mut nanos, mut unit) = (0, 100_000_000);
        if self.one(b".").is_some() {
            while unit > 0 {
                let Some(digit) = self.digit() else { break };
                nanos += digit as u32 * unit;
                unit /= 10;
            }
        }
        nanos
    }

    /// `Z`, `+HH:MM` or `+HH:MM:ss`, in seconds.
    fn offset(&mut self) -> Option<i64> {
        if self.one(b"Zz").is_some() {
            return Some(0);
        }
        let sign = if self.one(b"+-")? == b'-' { -1 } else { 1 };
        let hour = self.two()?;
        self.one(b":")?;
        let minute = self.two()?;
        let rest = self.0;
        let second = match self.one(b":").and_then(|_| self.two()) {
            Some(second) => second,
            None => {
                self.0 = rest;
                0
            }
        };
        (hour <= 23 && minute <= 59 && second <= 59).then_some(sign * (hour * 3600 + minute * 60 + second))
    }
}
