//! `toString` of dates and times. In: numbers; out: ISO-8601 text as the JDK writes it.

use super::zone::offset_id;
use super::{NANOS_PER_SECOND, Time, civil};

/// `LocalDate.toString`.
pub fn date(days: i64) -> String {
    let (year, month, day) = civil::date_of(days);
    format!("{}-{month:02}-{day:02}", year_text(year))
}

/// At least four digits; a sign from five on.
pub fn year_text(year: i64) -> String {
    match year {
        0..=9999 => format!("{year:04}"),
        10_000.. => format!("+{year}"),
        -9999..=-1 => format!("-{:04}", -year),
        _ => year.to_string(),
    }
}

/// `LocalTime.toString`: seconds and fractions only where needed, fractions in groups of three.
pub fn time(nanos: i64) -> String {
    let seconds = nanos / NANOS_PER_SECOND;
    let fraction = nanos % NANOS_PER_SECOND;
    let mut text = format!("{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
    if seconds % 60 > 0 || fraction > 0 {
        text.push_str(&format!(":{:02}", seconds % 60));
    }
    text.push_str(&grouped_fraction(fraction));
    text
}

/// Nothing, or a point and 3, 6 or 9 digits.
fn grouped_fraction(fraction: i64) -> String {
    if fraction == 0 {
        String::new()
    } else if fraction % 1_000_000 == 0 {
        format!(".{:03}", fraction / 1_000_000)
    } else if fraction % 1000 == 0 {
        format!(".{:06}", fraction / 1000)
    } else {
        format!(".{fraction:09}")
    }
}

/// `LocalDateTime.toString`.
pub fn local(days: i64, nanos: i64) -> String {
    format!("{}T{}", date(days), time(nanos))
}

/// `Instant.toString`: seconds always.
pub fn instant(seconds: i64, nanos: u32) -> String {
    let days = seconds.div_euclid(86_400);
    let second = seconds.rem_euclid(86_400);
    format!(
        "{}T{:02}:{:02}:{:02}{}Z",
        date(days),
        second / 3600,
        second / 60 % 60,
        second % 60,
        grouped_fraction(nanos.into())
    )
}

/// `Duration.toString`.
pub fn duration(seconds: i64, nanos: u32) -> String {
    if seconds == 0 && nanos == 0 {
        return "PT0S".into();
    }
    let effective = if seconds < 0 && nanos > 0 { seconds + 1 } else { seconds };
    let (hours, minutes, rest) = (effective / 3600, effective % 3600 / 60, effective % 60);
    let mut text = String::from("PT");
    if hours != 0 {
        text.push_str(&format!("{hours}H"));
    }
    if minutes != 0 {
        text.push_str(&format!("{minutes}M"));
    }
    if rest == 0 && nanos == 0 && text.len() > 2 {
        return text;
    }
    let negative = seconds < 0 && nanos > 0;
    text.push_str(&if negative && rest == 0 {
        "-0".into()
    } else {
        rest.to_string()
    });
    if nanos > 0 {
        let fraction = if negative {
            NANOS_PER_SECOND - i64::from(nanos)
        } else {
            nanos.into()
        };
        text.push_str(format!(".{fraction:09}").trim_end_matches('0'));
    }
    text.push('S');
    text
}

/// `Period.toString`.
pub fn period(years: i32, months: i32, days: i32) -> String {
    let mut text = String::from("P");
    for (n, unit) in [(years, 'Y'), (months, 'M'), (days, 'D')] {
        if n != 0 {
            text.push_str(&format!("{n}{unit}"));
        }
    }
    if text.len() == 1 { "P0D".into() } else { text }
}

/// `java.sql.Timestamp.toString`: always a fraction, of one digit at least.
pub fn timestamp(days: i64, nanos: i64) -> String {
    let (year, month, day) = civil::date_of(days);
    let year = if year > 0 { year } else { 1 - year };
    let seconds = nanos / NANOS_PER_SECOND;
    let fraction = format!("{:09}", nanos % NANOS_PER_SECOND);
    let trimmed = fraction.trim_end_matches('0');
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}.{}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        if trimmed.is_empty() { "0" } else { trimmed }
    )
}

/// `java.sql.Date.toString`.
pub fn sql_date(days: i64) -> String {
    let (year, month, day) = civil::date_of(days);
    let year = if year > 0 { year } else { 1 - year };
    format!("{year:04}-{month:02}-{day:02}")
}

/// `toString` of what needs no time zone; `None` for `java.sql` and `java.util` objects.
pub fn of(value: &Time) -> Option<String> {
    Some(match value {
        Time::LocalDate(days) => date(*days),
        Time::LocalTime(nanos) => time(*nanos),
        Time::LocalDateTime(days, nanos) => local(*days, *nanos),
        Time::Instant(seconds, nanos) => instant(*seconds, *nanos),
        Time::OffsetDateTime(days, nanos, offset) => format!("{}{}", local(*days, *nanos), offset_id(*offset)),
        Time::ZonedDateTime(days, nanos, offset, zone) => {
            let text = format!("{}{}", local(*days, *nanos), offset_id(*offset));
            if zone.is_offset {
                text
            } else {
                format!("{text}[{}]", zone.id)
            }
        }
        Time::Zone(zone) => zone.id.to_string(),
        Time::Duration(seconds, nanos) => duration(*seconds, *nanos),
        Time::Period(years, months, days) => period(*years, *months, *days),
        Time::DayOfWeek(day) => civil::DAYS[usize::from(*day) - 1].to_uppercase(),
        Time::Month(month) => civil::MONTHS[usize::from(*month) - 1].to_uppercase(),
        Time::YearMonth(months) => format!("{}-{:02}", year_text(months.div_euclid(12)), months.rem_euclid(12) + 1),
        Time::Unit(unit) => unit.text().into(),
        Time::SqlDate(_) | Time::SqlDateAt(_) | Time::UtilDate(_) | Time::SqlTimestamp { .. } => return None,
    })
}
