//! Time zones: the offset at an instant, and the instant of a local time, by the rules of `java.time`.

use chrono::{DateTime, Offset, TimeZone};
use chrono_tz::Tz;

use super::calendar::{DAY, civil, days_of, weekday};

/// A time zone of the JVM.
#[derive(Debug, Clone, PartialEq)]
pub enum Zone {
    /// A fixed offset in seconds.
    Fixed(i32),
    /// A region.
    Region(Tz),
}

impl Zone {
    /// A zone by its id, as Spark's `getZoneId` reads it.
    pub fn parse(id: &str) -> Option<Zone> {
        let id = id.trim();
        if matches!(id, "Z" | "UTC" | "GMT" | "UT" | "Etc/UTC") {
            return Some(Zone::Fixed(0));
        }
        for prefix in ["UTC", "GMT", "UT"] {
            if let Some(rest) = id.strip_prefix(prefix)
                && rest.starts_with(['+', '-'])
            {
                return offset(rest).map(Zone::Fixed);
            }
        }
        if id.starts_with(['+', '-']) {
            return offset(id).map(Zone::Fixed);
        }
        id.parse::<Tz>().ok().map(Zone::Region)
    }

    /// Seconds east of UTC at an instant in microseconds.
    pub fn offset_at(&self, micros: i64) -> i64 {
        match self {
            Zone::Fixed(s) => i64::from(*s),
            Zone::Region(tz) => {
                let secs = equivalent(micros.div_euclid(1_000_000));
                let Some(utc) = DateTime::from_timestamp(secs, 0) else {
                    return 0;
                };
                i64::from(tz.offset_from_utc_datetime(&utc.naive_utc()).fix().local_minus_utc())
            }
        }
    }

    /// Local time in microseconds for an instant.
    pub fn to_local(&self, micros: i64) -> i64 {
        micros.saturating_add(self.offset_at(micros) * 1_000_000)
    }

    /// The instant of a local time: in a gap it moves on by the length of the gap, in an overlap the earlier offset counts.
    pub fn to_utc(&self, local: i64) -> i64 {
        let before = self.offset_at(local.saturating_sub(DAY)) * 1_000_000;
        let after = self.offset_at(local.saturating_add(DAY)) * 1_000_000;
        let first = local.saturating_sub(before);
        if before == after || self.offset_at(first) * 1_000_000 == before {
            return first;
        }
        let second = local.saturating_sub(after);
        if self.offset_at(second) * 1_000_000 == after {
            second
        } else {
            first
        }
    }
}

/// Beyond the compiled table the last rules repeat: the same day in one of its last years that has the same weekdays.
fn equivalent(secs: i64) -> i64 {
    let day = secs.div_euclid(86_400);
    let date = civil(day);
    if date.year <= 2037 {
        return secs;
    }
    // Rules name weekdays of a month, so what counts is the weekday of 1 March, or of 1 January before it.
    let anchor = if date.month >= 3 { 3 } else { 1 };
    let start = days_of(date.year, anchor, 1);
    let alike = (2026..=2037)
        .map(|y| days_of(y, anchor, 1))
        .find(|d| weekday(*d) == weekday(start));
    alike.map_or(day, |d| d + (day - start)) * 86_400 + secs.rem_euclid(86_400)
}

/// `+h`, `+hh`, `+h:mm`, `+hh:mm`, `+hh:mm:ss`, `+hhmm`, `+hhmmss`.
fn offset(text: &str) -> Option<i32> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let body = &text[1..];
    let parts: Vec<&str> = if body.contains(':') {
        body.split(':').collect()
    } else {
        match body.len() {
            1 | 2 => vec![body],
            4 => vec![&body[..2], &body[2..]],
            6 => vec![&body[..2], &body[2..4], &body[4..]],
            _ => return None,
        }
    };
    if parts.len() > 3
        || parts
            .iter()
            .any(|p| p.is_empty() || p.len() > 2 || !p.bytes().all(|b| b.is_ascii_digit()))
    {
        return None;
    }
    let n = |i: usize| parts.get(i).map_or(Some(0), |p| p.parse::<i32>().ok());
    let (h, m, s) = (n(0)?, n(1)?, n(2)?);
    let total = h * 3600 + m * 60 + s;
    (m < 60 && s < 60 && total <= 18 * 3600).then_some(sign * total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_go_on_beyond_the_table() {
        let ny = Zone::parse("America/New_York").unwrap();
        let at = |y, m| days_of(y, m, 15) * DAY;
        assert_eq!(ny.offset_at(at(2050, 7)), -4 * 3600);
        assert_eq!(ny.offset_at(at(2060, 1)), -5 * 3600);
        let sao_paulo = Zone::parse("America/Sao_Paulo").unwrap();
        assert_eq!(sao_paulo.offset_at(at(2040, 1)), -3 * 3600);
    }

    #[test]
    fn gaps_move_on_and_overlaps_take_the_first() {
        let ny = Zone::parse("America/New_York").unwrap();
        let local = |d, h| days_of(2024, 3, d) * DAY + h * 3_600_000_000;
        assert_eq!(ny.to_local(ny.to_utc(local(10, 2))), local(10, 3));
        let twice = days_of(2024, 11, 3) * DAY + 3_600_000_000;
        assert_eq!(twice - ny.to_utc(twice), -4 * 3_600_000_000);
    }
}
