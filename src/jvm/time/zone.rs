//! Time zones as `java.time` knows them. In: an id; out: offsets of instants and of local times. In a gap local times move
//! forward, in an overlap the earlier offset holds.

use std::sync::Arc;

use chrono::{DateTime, NaiveDateTime, Offset, TimeZone};
use chrono_tz::{OffsetComponents, Tz};

use super::civil;
use crate::jvm::value::{Eval, Throw};

/// A `ZoneId` or `ZoneOffset`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    /// `getId`.
    pub id: Arc<str>,
    /// Its rules.
    pub rules: Rules,
    /// Whether it is a `ZoneOffset`.
    pub is_offset: bool,
}

/// How a zone's offsets follow from instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Always this many seconds east of UTC.
    Fixed(i32),
    /// The rules of a region.
    Region(Tz),
}

/// Ids that the time zone data has and the JDK has not.
const NOT_IN_JDK: [&str; 5] = ["EST", "MST", "HST", "ROC", "Factory"];

/// Zones whose rules differ between the time zone data and the JDK, mostly because they follow the moon for decades ahead, and
/// one that is younger than the JDK's data.
const REFUSED: [&str; 6] = [
    "Africa/Casablanca",
    "Africa/El_Aaiun",
    "Africa/Windhoek",
    "America/Coyhaique",
    "Asia/Gaza",
    "Asia/Hebron",
];

fn date_time(message: String) -> Throw {
    Throw::exception("DateTimeException", message)
}

impl Zone {
    /// `ZoneOffset.UTC`.
    pub fn utc() -> Zone {
        Zone::offset(0)
    }

    /// `ZoneOffset.ofTotalSeconds`, within its bounds.
    pub fn offset(seconds: i32) -> Zone {
        Zone {
            id: offset_id(seconds).into(),
            rules: Rules::Fixed(seconds),
            is_offset: true,
        }
    }

    /// `ZoneOffset.ofTotalSeconds`.
    pub fn checked_offset(seconds: i64) -> Eval<Zone> {
        match i32::try_from(seconds) {
            Ok(s) if s.abs() <= 18 * 3600 => Ok(Zone::offset(s)),
            _ => Err(date_time("Zone offset not in valid range: -18:00 to +18:00".into())),
        }
    }

    /// `ZoneId.of(String)`.
    pub fn of(id: &str) -> Eval<Zone> {
        if id == "Z" {
            return Ok(Zone::utc());
        }
        if id.chars().count() <= 1 || id.starts_with(['+', '-']) {
            return parse_offset(id).map(Zone::offset).ok_or_else(|| invalid_offset(id));
        }
        for prefix in ["UTC", "GMT", "UT"] {
            if let Some(rest) = id.strip_prefix(prefix) {
                return with_prefix(id, prefix, rest);
            }
        }
        region(id)
    }

    /// `ZoneOffset.of(String)`.
    pub fn offset_of(id: &str) -> Eval<Zone> {
        if id == "Z" {
            return Ok(Zone::utc());
        }
        parse_offset(id).map(Zone::offset).ok_or_else(|| invalid_offset(id))
    }

    /// Seconds east of UTC at an instant.
    pub fn offset_at(&self, seconds: i64) -> i32 {
        match self.rules {
            Rules::Fixed(offset) => offset,
            Rules::Region(tz) => {
                let utc = DateTime::from_timestamp(within_data(seconds), 0)
                    .unwrap_or_default()
                    .naive_utc();
                tz.offset_from_utc_datetime(&utc).fix().local_minus_utc()
            }
        }
    }

    /// `TimeZone.getRawOffset` in seconds: the standard offset of today's rules.
    pub fn standard_offset(&self) -> i32 {
        let Rules::Region(tz) = self.rules else {
            return self.offset_at(0);
        };
        // Summer is the standard time there in the data, and not in the JDK's.
        if matches!(&*self.id, "Europe/Dublin" | "Eire") {
            return 0;
        }
        let utc = naive(1_767_225_600).unwrap_or_default();
        tz.offset_from_utc_datetime(&utc).base_utc_offset().num_seconds() as i32
    }

    /// The offset to use for a local time, counted in seconds as if it were UTC. In a gap it is the one before, by which the
    /// instant comes out as the JDK's, moved forward by the length of the gap.
    pub fn offset_of_local(&self, local: i64) -> i32 {
        let tz = match self.rules {
            Rules::Fixed(offset) => return offset,
            Rules::Region(tz) => tz,
        };
        let local = within_data(local);
        let at =
            |seconds: i64| naive(seconds).map(|t| tz.offset_from_local_datetime(&t).map(|o| o.fix().local_minus_utc()));
        for hours in 0..49 {
            match at(local - hours * 3600).and_then(|found| if hours == 0 { found.earliest() } else { found.latest() })
            {
                Some(offset) => return offset,
                None => continue,
            }
        }
        self.offset_at(local)
    }

    /// Both offsets of a local time in an overlap, earlier first.
    pub fn overlap(&self, local: i64) -> Option<(i32, i32)> {
        let Rules::Region(tz) = self.rules else { return None };
        let found = tz.offset_from_local_datetime(&naive(within_data(local))?);
        match found {
            chrono::LocalResult::Ambiguous(a, b) => Some((a.fix().local_minus_utc(), b.fix().local_minus_utc())),
            _ => None,
        }
    }
}

fn naive(seconds: i64) -> Option<NaiveDateTime> {
    DateTime::from_timestamp(seconds, 0).map(|t| t.naive_utc())
}

/// The time zone data end in 2100, while the rules go on: a later time is moved to a year of the same shape before that.
/// Times too early for the data to tell apart are cut off.
fn within_data(seconds: i64) -> i64 {
    let seconds = seconds.max(-60_000_000_000);
    let days = seconds.div_euclid(86_400);
    if days < civil::days_of(2098, 1, 1) {
        return seconds;
    }
    let (year, month, day) = civil::date_of(days);
    let shape = |y: i64| (civil::is_leap(y), civil::day_of_week(civil::days_of(y, 1, 1)));
    let same = (2070..2098).find(|y| shape(*y) == shape(year)).unwrap_or(2097);
    civil::days_of(same, month, day) * 86_400 + seconds.rem_euclid(86_400)
}

fn invalid_offset(id: &str) -> Throw {
    date_time(format!("Invalid ID for ZoneOffset, invalid format: {id}"))
}

fn with_prefix(id: &str, prefix: &str, rest: &str) -> Eval<Zone> {
    let fixed = |id: String, seconds: i32| Zone {
        id: id.into(),
        rules: Rules::Fixed(seconds),
        is_offset: false,
    };
    if rest.is_empty() {
        return Ok(fixed(prefix.into(), 0));
    }
    if !rest.starts_with(['+', '-']) {
        return region(id);
    }
    match parse_offset(rest) {
        Some(0) => Ok(fixed(prefix.into(), 0)),
        Some(seconds) => Ok(fixed(format!("{prefix}{}", offset_id(seconds)), seconds)),
        None => Err(date_time(format!("Invalid ID for offset-based ZoneId: {id}"))),
    }
}

fn region(id: &str) -> Eval<Zone> {
    let valid = id.len() >= 2
        && id
            .bytes()
            .enumerate()
            .all(|(i, b)| b.is_ascii_alphabetic() || (i > 0 && (b.is_ascii_digit() || b"/~._+-".contains(&b))));
    if !valid {
        return Err(date_time(format!(
            "Invalid ID for region-based ZoneId, invalid format: {id}"
        )));
    }
    if id.starts_with("SystemV/") || REFUSED.contains(&id) {
        return Err(Throw::Unsupported(format!("the time zone {id} is not covered")));
    }
    match id.parse::<Tz>() {
        Ok(tz) if !NOT_IN_JDK.contains(&id) => Ok(Zone {
            id: id.into(),
            rules: Rules::Region(tz),
            is_offset: false,
        }),
        _ => Err(Throw::exception(
            "ZoneRulesException",
            format!("Unknown time-zone ID: {id}"),
        )),
    }
}

/// `+h`, `+hh`, `+hh:mm`, `+hhmm`, `+hh:mm:ss`, `+hhmmss`, within 18 hours.
fn parse_offset(id: &str) -> Option<i32> {
    let (sign, rest) = match id.as_bytes().first()? {
        b'+' => (1, &id[1..]),
        b'-' => (-1, &id[1..]),
        _ => return None,
    };
    let two =
        |text: &str| (text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse::<i32>().ok())?;
    if !rest.is_ascii() {
        return None;
    }
    let parts: Vec<i32> = match (rest.len(), rest.contains(':')) {
        (1, false) => vec![two(&format!("0{rest}"))?],
        (2 | 4 | 6, false) => (0..rest.len())
            .step_by(2)
            .map(|i| two(&rest[i..i + 2]))
            .collect::<Option<_>>()?,
        (5 | 8, true) => rest.split(':').map(two).collect::<Option<_>>()?,
        _ => return None,
    };
    let (hours, minutes, seconds) = (
        parts[0],
        parts.get(1).copied().unwrap_or(0),
        parts.get(2).copied().unwrap_or(0),
    );
    let total = hours * 3600 + minutes * 60 + seconds;
    (minutes < 60 && seconds < 60 && total <= 18 * 3600).then_some(sign * total)
}

/// The id of an offset: `Z`, `+02:00`, `-03:30:15`.
pub fn offset_id(seconds: i32) -> String {
    if seconds == 0 {
        return "Z".into();
    }
    let sign = if seconds < 0 { '-' } else { '+' };
    let s = seconds.abs();
    let mut id = format!("{sign}{:02}:{:02}", s / 3600, s / 60 % 60);
    if s % 60 != 0 {
        id.push_str(&format!(":{:02}", s % 60));
    }
    id
}
