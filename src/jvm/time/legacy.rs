//! `java.sql.Date` and `java.sql.Timestamp`: the hybrid calendar (Julian before 1582-10-15) and the old time zone rules. In: what
//! Spark stores (proleptic Gregorian); out: the milliseconds that `getTime` gives, and back. Spark keeps the calendar's text,
//! so that days and local times agree and milliseconds do not.

use super::arithmetic::{local_of, local_seconds};
use super::{NANOS_PER_SECOND, Time, Zone, civil};

/// 1582-10-15, the first day of the Gregorian calendar.
pub const CUTOVER: i64 = -141_427;
/// 1900-01-01T00:00Z: the old rules know no transition before it, and use today's standard offset there.
const FIRST_TRANSITION: i64 = -2_208_988_800;

/// The day itself, but for the ten that the hybrid calendar lacks, which become the first Gregorian one.
pub fn existing_day(days: i64) -> i64 {
    if (CUTOVER - 10..CUTOVER).contains(&days) {
        CUTOVER
    } else {
        days
    }
}

/// The day of the hybrid calendar (in true days since 1970-01-01) with the text that a proleptic day has.
pub fn to_hybrid(days: i64) -> i64 {
    let days = existing_day(days);
    if days >= CUTOVER {
        return days;
    }
    let (year, month, day) = civil::date_of(days);
    civil::julian_days_of(year, month, day)
}

/// The proleptic day with the text that a true day has in the hybrid calendar.
pub fn from_hybrid(days: i64) -> i64 {
    if days >= CUTOVER {
        return days;
    }
    let (year, month, day) = civil::julian_date_of(days);
    civil::days_of(year, month, day)
}

/// Offset of the old rules at an instant.
pub fn offset_at(zone: &Zone, seconds: i64) -> i64 {
    if seconds < FIRST_TRANSITION {
        zone.standard_offset().into()
    } else {
        zone.offset_at(seconds).into()
    }
}

/// Offset of the old rules for a local time (seconds as if UTC): out of a gap it moves forward; in an overlap the earlier or the
/// later offset.
fn offset_of_wall(zone: &Zone, wall: i64, later: bool) -> i64 {
    if wall < FIRST_TRANSITION + 86_400 {
        let early = i64::from(zone.standard_offset());
        if wall - early < FIRST_TRANSITION {
            return early;
        }
    }
    match zone.overlap(wall) {
        Some((_, second)) if later => second.into(),
        _ => zone.offset_of_local(wall).into(),
    }
}

/// Seconds of a wall clock time in the hybrid calendar, given by proleptic days and seconds of the day.
fn seconds_of_wall(days: i64, seconds: i64, zone: &Zone) -> i64 {
    let wall = to_hybrid(days) * 86_400 + seconds;
    wall - offset_of_wall(zone, wall, false)
}

/// Proleptic days and milliseconds of the day that the hybrid calendar shows at an instant.
pub fn wall_of_millis(millis: i64, zone: &Zone) -> (i64, i64) {
    // The sum wraps as it does in Spark's own conversion.
    let wall = millis.wrapping_add(offset_at(zone, millis.div_euclid(1000)) * 1000);
    (from_hybrid(wall.div_euclid(86_400_000)), wall.rem_euclid(86_400_000))
}

/// `java.sql.Date.getTime` of a stored day.
pub fn date_millis(days: i64, zone: &Zone) -> i64 {
    seconds_of_wall(days, 0, zone).wrapping_mul(1000)
}

/// `new java.sql.Date(millis)`.
pub fn date_from_millis(millis: i64, zone: &Zone) -> Time {
    let (days, _) = wall_of_millis(millis, zone);
    if date_millis(days, zone) == millis {
        Time::SqlDate(days)
    } else {
        Time::SqlDateAt(millis)
    }
}

/// The day that Spark stores for a `java.sql.Date`.
pub fn stored_days(date: &Time, zone: &Zone) -> Option<i64> {
    match date {
        Time::SqlDate(days) => Some(existing_day(*days)),
        Time::SqlDateAt(millis) => Some(wall_of_millis(*millis, zone).0),
        _ => None,
    }
}

/// Local days and nanoseconds of the day of a stored timestamp (without its nanoseconds below a microsecond).
pub fn timestamp_local(micros: i128, zone: &Zone) -> (i64, i64) {
    let seconds = whole_seconds(micros);
    let nanos = micros.rem_euclid(1_000_000) as u32 * 1000;
    let (days, nanos) = local_of(seconds, nanos, zone.offset_at(seconds));
    (existing_day(days), nanos)
}

/// Seconds of microseconds; a timestamp has at most 2^63 milliseconds, so that they always fit.
fn whole_seconds(micros: i128) -> i64 {
    micros.div_euclid(1_000_000) as i64
}

/// `Timestamp.valueOf(LocalDateTime)`: the stored microseconds and the nanoseconds below.
pub fn timestamp_of_local(days: i64, nanos: i64, zone: &Zone) -> (i128, u16) {
    let local = local_seconds(days, nanos);
    // The old classes take the later offset of an overlap.
    let offset = zone
        .overlap(local)
        .map_or_else(|| zone.offset_of_local(local), |(_, later)| later);
    let seconds = local - i64::from(offset);
    let below = nanos % NANOS_PER_SECOND;
    (
        i128::from(seconds) * 1_000_000 + i128::from(below / 1000),
        (below % 1000) as u16,
    )
}

/// Whether the two calendars and rules agree from an instant on.
fn is_recent(seconds: i64) -> bool {
    seconds >= FIRST_TRANSITION + 3 * 86_400
}

/// True seconds (those of `getTime` and `toInstant`) of a stored timestamp.
pub fn timestamp_seconds(micros: i128, zone: &Zone) -> i64 {
    let seconds = whole_seconds(micros);
    if is_recent(seconds) {
        return seconds;
    }
    let (days, nanos) = timestamp_local(micros, zone);
    seconds_of_wall(days, nanos / NANOS_PER_SECOND, zone)
}

/// `getTime` of a stored timestamp. Near the least value the JVM's arithmetic wraps, and wraps back.
pub fn timestamp_millis(micros: i128, zone: &Zone) -> i64 {
    let below = micros.rem_euclid(1_000_000) as i64 / 1000;
    timestamp_seconds(micros, zone).wrapping_mul(1000).wrapping_add(below)
}

/// Stored microseconds of a timestamp given by its true seconds and nanoseconds. They may be more than Spark can store.
pub fn timestamp_from_seconds(seconds: i64, nanos: u32, zone: &Zone) -> (i128, u16) {
    let below = (nanos % 1000) as u16;
    let micros = i128::from(nanos / 1000);
    let stored = match is_recent(seconds) {
        true => seconds,
        false => {
            let wall = seconds + offset_at(zone, seconds);
            let local = from_hybrid(wall.div_euclid(86_400)) * 86_400 + wall.rem_euclid(86_400);
            local - i64::from(zone.offset_of_local(local))
        }
    };
    (i128::from(stored) * 1_000_000 + micros, below)
}

/// Milliseconds that a `Calendar` gives for a wall clock time (true milliseconds as if UTC): in an overlap the later (standard)
/// offset.
pub fn calendar_millis(wall: i64, zone: &Zone) -> i64 {
    wall - offset_of_wall(zone, wall.div_euclid(1000), true) * 1000
}
