//! Adding to and measuring between dates and times. In and out: days, nanoseconds and seconds; DateTimeException and
//! ArithmeticException as the JDK throws them.

use super::{NANOS_PER_DAY, NANOS_PER_SECOND, Zone, civil};
use crate::jvm::value::{Eval, Throw};

/// The largest year of `java.time`.
pub const MAX_YEAR: i64 = 999_999_999;

/// `java.time.temporal.ChronoUnit`, up to centuries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// A nanosecond.
    Nanos,
    /// A microsecond.
    Micros,
    /// A millisecond.
    Millis,
    /// A second.
    Seconds,
    /// A minute.
    Minutes,
    /// An hour.
    Hours,
    /// Half a day.
    HalfDays,
    /// A day.
    Days,
    /// A week.
    Weeks,
    /// A month.
    Months,
    /// A year.
    Years,
    /// Ten years.
    Decades,
    /// A hundred years.
    Centuries,
}

impl Unit {
    /// All, smallest first.
    pub const ALL: [Unit; 13] = [
        Unit::Nanos,
        Unit::Micros,
        Unit::Millis,
        Unit::Seconds,
        Unit::Minutes,
        Unit::Hours,
        Unit::HalfDays,
        Unit::Days,
        Unit::Weeks,
        Unit::Months,
        Unit::Years,
        Unit::Decades,
        Unit::Centuries,
    ];

    /// `toString`.
    pub fn text(self) -> &'static str {
        match self {
            Unit::Nanos => "Nanos",
            Unit::Micros => "Micros",
            Unit::Millis => "Millis",
            Unit::Seconds => "Seconds",
            Unit::Minutes => "Minutes",
            Unit::Hours => "Hours",
            Unit::HalfDays => "HalfDays",
            Unit::Days => "Days",
            Unit::Weeks => "Weeks",
            Unit::Months => "Months",
            Unit::Years => "Years",
            Unit::Decades => "Decades",
            Unit::Centuries => "Centuries",
        }
    }

    /// Length of a unit up to `HalfDays`.
    pub fn nanos(self) -> Option<i64> {
        Some(match self {
            Unit::Nanos => 1,
            Unit::Micros => 1_000,
            Unit::Millis => 1_000_000,
            Unit::Seconds => NANOS_PER_SECOND,
            Unit::Minutes => 60 * NANOS_PER_SECOND,
            Unit::Hours => 3_600 * NANOS_PER_SECOND,
            Unit::HalfDays => NANOS_PER_DAY / 2,
            _ => return None,
        })
    }

    /// Length of a unit of dates: in days, or else in months.
    fn date_size(self) -> Result<i64, i64> {
        match self {
            Unit::Weeks => Ok(7),
            Unit::Months => Err(1),
            Unit::Years => Err(12),
            Unit::Decades => Err(120),
            Unit::Centuries => Err(1200),
            _ => Ok(1),
        }
    }
}

/// `DateTimeException`.
pub fn date_time(message: impl Into<String>) -> Throw {
    Throw::exception("DateTimeException", message)
}

/// `ArithmeticException` of an exact operation on `long`.
pub fn overflow<T>(value: Option<T>) -> Eval<T> {
    value.ok_or_else(|| Throw::exception("ArithmeticException", "long overflow"))
}

/// `UnsupportedTemporalTypeException`.
pub fn unsupported_unit(unit: Unit) -> Throw {
    Throw::exception(
        "UnsupportedTemporalTypeException",
        format!("Unsupported unit: {}", unit.text()),
    )
}

/// A day within the years of `java.time`.
pub fn checked_day(days: i64) -> Eval<i64> {
    let (min, max) = (civil::days_of(-MAX_YEAR, 1, 1), civil::days_of(MAX_YEAR, 12, 31));
    if (min..=max).contains(&days) {
        Ok(days)
    } else {
        Err(date_time(format!(
            "Invalid value for EpochDay (valid values {min} - {max}): {days}"
        )))
    }
}

/// A field within its bounds.
pub fn checked_field(name: &str, value: i64, min: i64, max: i64) -> Eval<i64> {
    if (min..=max).contains(&value) {
        Ok(value)
    } else {
        Err(date_time(format!(
            "Invalid value for {name} (valid values {min} - {max}): {value}"
        )))
    }
}

/// `LocalDate.of`.
pub fn date(year: i64, month: i64, day: i64) -> Eval<i64> {
    checked_field("Year", year, -MAX_YEAR, MAX_YEAR)?;
    checked_field("MonthOfYear", month, 1, 12)?;
    checked_field("DayOfMonth", day, 1, 31)?;
    if day > civil::month_length(year, month) {
        return Err(date_time(if day == 29 {
            format!("Invalid date 'February 29' as '{year}' is not a leap year")
        } else {
            format!(
                "Invalid date '{} {day}'",
                civil::MONTHS[month as usize - 1].to_uppercase()
            )
        }));
    }
    Ok(civil::days_of(year, month, day))
}

/// A date whose day is cut off to the length of the month.
pub fn clipped_date(year: i64, month: i64, day: i64) -> Eval<i64> {
    checked_field("Year", year, -MAX_YEAR, MAX_YEAR)?;
    Ok(civil::days_of(year, month, day.min(civil::month_length(year, month))))
}

/// `LocalTime.of`.
pub fn time(hour: i64, minute: i64, second: i64, nano: i64) -> Eval<i64> {
    checked_field("HourOfDay", hour, 0, 23)?;
    checked_field("MinuteOfHour", minute, 0, 59)?;
    checked_field("SecondOfMinute", second, 0, 59)?;
    checked_field("NanoOfSecond", nano, 0, 999_999_999)?;
    Ok((hour * 3600 + minute * 60 + second) * NANOS_PER_SECOND + nano)
}

/// `plusDays`.
pub fn plus_days(days: i64, n: i64) -> Eval<i64> {
    checked_day(overflow(days.checked_add(n))?)
}

/// `plusMonths`: the day is cut off to the length of the month.
pub fn plus_months(days: i64, n: i64) -> Eval<i64> {
    let (year, month, day) = civil::date_of(days);
    let months = overflow((year * 12 + month - 1).checked_add(n))?;
    clipped_date(months.div_euclid(12), months.rem_euclid(12) + 1, day)
}

/// `plus(n, unit)` of a date.
pub fn plus_date(days: i64, n: i64, unit: Unit) -> Eval<i64> {
    if unit.nanos().is_some() {
        return Err(unsupported_unit(unit));
    }
    match unit.date_size() {
        Ok(size) => plus_days(days, overflow(n.checked_mul(size))?),
        Err(size) => plus_months(days, overflow(n.checked_mul(size))?),
    }
}

/// `plus(n, unit)` of a local date and time.
pub fn plus_local(days: i64, nanos: i64, n: i64, unit: Unit) -> Eval<(i64, i64)> {
    let Some(size) = unit.nanos() else {
        return Ok((plus_date(days, n, unit)?, nanos));
    };
    let total = i128::from(n) * i128::from(size) + i128::from(nanos);
    let moved = total.div_euclid(NANOS_PER_DAY.into());
    let moved = overflow(i64::try_from(moved).ok())?;
    Ok((plus_days(days, moved)?, total.rem_euclid(NANOS_PER_DAY.into()) as i64))
}

/// `plus(n, unit)` of a time of day, which wraps.
pub fn plus_time(nanos: i64, n: i64, unit: Unit) -> Eval<i64> {
    let size = unit.nanos().ok_or_else(|| unsupported_unit(unit))?;
    let total = i128::from(n) * i128::from(size) + i128::from(nanos);
    Ok(total.rem_euclid(NANOS_PER_DAY.into()) as i64)
}

/// Seconds and nanoseconds of an instant or a duration, from nanoseconds in total.
pub fn split(total: i128) -> Eval<(i64, u32)> {
    let seconds = overflow(i64::try_from(total.div_euclid(NANOS_PER_SECOND.into())).ok())?;
    Ok((seconds, total.rem_euclid(NANOS_PER_SECOND.into()) as u32))
}

/// Nanoseconds in total.
pub fn joined(seconds: i64, nanos: u32) -> i128 {
    i128::from(seconds) * i128::from(NANOS_PER_SECOND) + i128::from(nanos)
}

/// An instant within its bounds.
pub fn checked_instant((seconds, nanos): (i64, u32)) -> Eval<(i64, u32)> {
    if (-31_557_014_167_219_200..=31_556_889_864_403_199).contains(&seconds) {
        Ok((seconds, nanos))
    } else {
        Err(date_time("Instant exceeds minimum or maximum instant"))
    }
}

/// `plus(n, unit)` of an instant: units up to days.
pub fn plus_instant(at: (i64, u32), n: i64, unit: Unit) -> Eval<(i64, u32)> {
    let size = match unit {
        Unit::Days => NANOS_PER_DAY,
        other => other.nanos().ok_or_else(|| unsupported_unit(unit))?,
    };
    checked_instant(split(joined(at.0, at.1) + i128::from(n) * i128::from(size))?)
}

/// Whole months between two dates.
pub fn months_between(start: i64, end: i64) -> i64 {
    let packed = |days: i64| {
        let (year, month, day) = civil::date_of(days);
        (year * 12 + month - 1) * 32 + day
    };
    (packed(end) - packed(start)) / 32
}

/// `unit.between(start, end)` of dates.
pub fn between_dates(start: i64, end: i64, unit: Unit) -> Eval<i64> {
    if unit.nanos().is_some() {
        return Err(unsupported_unit(unit));
    }
    Ok(match unit.date_size() {
        Ok(size) => (end - start) / size,
        Err(size) => months_between(start, end) / size,
    })
}

/// `unit.between(start, end)` of local dates and times.
pub fn between_locals(start: (i64, i64), end: (i64, i64), unit: Unit) -> Eval<i64> {
    if let Some(size) = unit.nanos() {
        let total = i128::from(end.0 - start.0) * i128::from(NANOS_PER_DAY) + i128::from(end.1 - start.1);
        return overflow(i64::try_from(total / i128::from(size)).ok());
    }
    let mut last = end.0;
    if last > start.0 && end.1 < start.1 {
        last -= 1;
    } else if last < start.0 && end.1 > start.1 {
        last += 1;
    }
    between_dates(start.0, last, unit)
}

/// `unit.between(start, end)` of instants.
pub fn between_instants(start: (i64, u32), end: (i64, u32), unit: Unit) -> Eval<i64> {
    let size = match unit {
        Unit::Days => NANOS_PER_DAY,
        other => other.nanos().ok_or_else(|| unsupported_unit(unit))?,
    };
    let total = joined(end.0, end.1) - joined(start.0, start.1);
    overflow(i64::try_from(total / i128::from(size)).ok())
}

/// `Period.between`, `LocalDate.until`: years, months, days.
pub fn period_between(start: i64, end: i64) -> (i64, i64, i64) {
    let (y1, m1, d1) = civil::date_of(start);
    let (y2, m2, d2) = civil::date_of(end);
    let mut months = (y2 * 12 + m2) - (y1 * 12 + m1);
    let mut days = d2 - d1;
    if months > 0 && days < 0 {
        months -= 1;
        let total = y1 * 12 + m1 - 1 + months;
        let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
        days = end - civil::days_of(year, month, d1.min(civil::month_length(year, month)));
    } else if months < 0 && days > 0 {
        months += 1;
        days -= civil::month_length(y2, m2);
    }
    (months / 12, months % 12, days)
}

/// `truncatedTo(unit)` of a time of day; `Days` gives midnight.
pub fn truncated(nanos: i64, unit: Unit) -> Eval<i64> {
    match unit {
        Unit::Days => Ok(0),
        other => {
            let size = other.nanos().ok_or_else(|| {
                Throw::exception(
                    "UnsupportedTemporalTypeException",
                    "Unit is too large to be used for truncation",
                )
            })?;
            Ok(nanos / size * size)
        }
    }
}

/// A local date and time in seconds as if it were UTC.
pub fn local_seconds(days: i64, nanos: i64) -> i64 {
    days * 86_400 + nanos / NANOS_PER_SECOND
}

/// Days and nanoseconds of the day of an instant, seen at an offset.
pub fn local_of(seconds: i64, nanos: u32, offset: i32) -> (i64, i64) {
    let local = seconds + i64::from(offset);
    (
        local.div_euclid(86_400),
        local.rem_euclid(86_400) * NANOS_PER_SECOND + i64::from(nanos),
    )
}

/// `atZone` of a local date and time: moved forward out of a gap, the earlier offset in an overlap unless `preferred` is valid.
pub fn zoned(days: i64, nanos: i64, zone: &Zone, preferred: Option<i32>) -> (i64, i64, i32) {
    let local = local_seconds(days, nanos);
    if let (Some(wanted), Some((a, b))) = (preferred, zone.overlap(local))
        && (wanted == a || wanted == b)
    {
        return (days, nanos, wanted);
    }
    let before = zone.offset_of_local(local);
    zoned_instant(local - i64::from(before), (nanos % NANOS_PER_SECOND) as u32, zone)
}

/// `atZone` of an instant.
pub fn zoned_instant(seconds: i64, nanos: u32, zone: &Zone) -> (i64, i64, i32) {
    let offset = zone.offset_at(seconds);
    let (days, nanos) = local_of(seconds, nanos, offset);
    (days, nanos, offset)
}
