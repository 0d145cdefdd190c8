//! `DateTimeFormatter.format`. In: a formatter and what the object knows of date, time, offset and zone; out: text, or the
//! exception for a field that it does not know.

use super::arithmetic::date_time;
use super::formatter::{Field, Formatter, Item, Sign};
use super::{NANOS_PER_SECOND, Zone, civil};
use crate::jvm::value::{Eval, Throw};

/// What an object knows.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Days since 1970-01-01.
    pub date: Option<i64>,
    /// Nanoseconds of the day.
    pub time: Option<i64>,
    /// Seconds east of UTC.
    pub offset: Option<i32>,
    /// The zone.
    pub zone: Option<Zone>,
}

fn unknown(field: &str) -> Throw {
    Throw::exception(
        "UnsupportedTemporalTypeException",
        format!("Unsupported field: {field}"),
    )
}

impl Known {
    fn date(&self, field: &str) -> Eval<i64> {
        self.date.ok_or_else(|| unknown(field))
    }

    fn time(&self, field: &str) -> Eval<i64> {
        self.time.ok_or_else(|| unknown(field))
    }

    /// The value of a field.
    pub fn field(&self, field: Field) -> Eval<i64> {
        let seconds = |nanos: i64| nanos / NANOS_PER_SECOND;
        Ok(match field {
            Field::Year => civil::date_of(self.date("Year")?).0,
            Field::YearOfEra => {
                let year = civil::date_of(self.date("YearOfEra")?).0;
                if year > 0 { year } else { 1 - year }
            }
            Field::WeekYear => civil::week_of_year(self.date("WeekBasedYear")?, 7, 1).0,
            Field::Month => civil::date_of(self.date("MonthOfYear")?).1,
            Field::Day => civil::date_of(self.date("DayOfMonth")?).2,
            Field::DayOfYear => civil::day_of_year(self.date("DayOfYear")?),
            Field::DayOfWeek => civil::day_of_week(self.date("DayOfWeek")?),
            Field::AmPm => seconds(self.time("AmPmOfDay")?) / 43_200,
            Field::Hour => seconds(self.time("HourOfDay")?) / 3600,
            Field::ClockHour => (seconds(self.time("ClockHourOfDay")?) / 3600 + 23) % 24 + 1,
            Field::ClockHourOfAmPm => (seconds(self.time("ClockHourOfAmPm")?) / 3600 + 11) % 12 + 1,
            Field::HourOfAmPm => seconds(self.time("HourOfAmPm")?) / 3600 % 12,
            Field::Minute => seconds(self.time("MinuteOfHour")?) / 60 % 60,
            Field::Second => seconds(self.time("SecondOfMinute")?) % 60,
            Field::Nano => self.time("NanoOfSecond")? % NANOS_PER_SECOND,
        })
    }
}

/// `format`.
pub fn format(formatter: &Formatter, known: &Known) -> Eval<String> {
    let mut out = String::new();
    print_all(&formatter.items, known, &mut out)?;
    Ok(out)
}

fn print_all(items: &[Item], known: &Known, out: &mut String) -> Eval<()> {
    for item in items {
        match item {
            Item::Literal(text) => out.push_str(text),
            Item::Number {
                field, min, max, sign, ..
            } => {
                out.push_str(&number(known.field(*field)?, *min, *max, *sign)?);
            }
            Item::Reduced { field, .. } => {
                let value = known.field(*field)?;
                out.push_str(&format!(
                    "{:02}",
                    if value >= 2000 { value % 100 } else { value.abs() % 100 }
                ));
            }
            Item::Fraction { min, max, point } => {
                let digits = format!("{:09}", known.field(Field::Nano)?);
                let kept = digits.trim_end_matches('0').len().clamp(*min, *max);
                if kept > 0 {
                    out.push_str(if *point { "." } else { "" });
                    out.push_str(&digits[..kept]);
                }
            }
            Item::Text { field, full } => out.push_str(name(*field, known.field(*field)?, *full)),
            Item::Offset { pattern, zero } => {
                let offset = known.offset.ok_or_else(|| unknown("OffsetSeconds"))?;
                out.push_str(&offset_text(offset, pattern, zero));
            }
            Item::ZoneId => match &known.zone {
                Some(zone) => out.push_str(&zone.id),
                None => return Err(date_time("Unable to extract ZoneId from temporal")),
            },
            Item::Optional(inner) => {
                let mark = out.len();
                match print_all(inner, known, out) {
                    Ok(()) => {}
                    Err(Throw::Exception(_)) => out.truncate(mark),
                    Err(other) => return Err(other),
                }
            }
            Item::AnyCase(_) => {}
        }
    }
    Ok(())
}

fn number(value: i64, min: usize, max: usize, sign: Sign) -> Eval<String> {
    let digits = value.unsigned_abs().to_string();
    if digits.len() > max {
        return Err(date_time(format!(
            "Field cannot be printed as the value {value} exceeds the maximum print width of {max}"
        )));
    }
    let mark = match sign {
        _ if value < 0 && sign != Sign::Never => "-",
        _ if value < 0 => {
            return Err(date_time(format!(
                "Field cannot be printed as the value {value} cannot be negative"
            )));
        }
        Sign::ExceedsPad if digits.len() > min => "+",
        _ => "",
    };
    Ok(format!("{mark}{digits:0>min$}"))
}

/// The English name of a field's value.
pub fn name(field: Field, value: i64, full: bool) -> &'static str {
    let names: &[&'static str] = match field {
        Field::Month => &civil::MONTHS,
        Field::DayOfWeek => &civil::DAYS,
        _ => return if value == 0 { "AM" } else { "PM" },
    };
    let name = names[value as usize - 1];
    if full { name } else { &name[..3] }
}

/// An offset in one of the patterns of `appendOffset`.
pub fn offset_text(offset: i32, pattern: &str, zero: &str) -> String {
    if offset == 0 {
        return zero.into();
    }
    let s = offset.abs();
    let (hours, minutes, seconds) = (s / 3600, s / 60 % 60, s % 60);
    let colon = if pattern.contains(':') { ":" } else { "" };
    if hours == 0 && minutes == 0 && (seconds == 0 || !pattern.ends_with("ss")) {
        return zero.into();
    }
    let mut text = format!("{}{hours:02}", if offset < 0 { '-' } else { '+' });
    if pattern.contains("MM") || minutes > 0 {
        text.push_str(&format!("{colon}{minutes:02}"));
    }
    if pattern.ends_with("ss") && seconds > 0 {
        text.push_str(&format!("{colon}{seconds:02}"));
    }
    text
}
