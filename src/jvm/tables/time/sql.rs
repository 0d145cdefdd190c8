//! `java.sql.Date`, `java.sql.Timestamp`, `java.util.Date`.

use super::classes::*;
use crate::jvm::args;
use crate::jvm::rows::{Class, methods, statics};
use crate::jvm::table::Context;
use crate::jvm::text::JStr;
use crate::jvm::time::{NANOS_PER_SECOND, Time, Zone, civil, legacy, simple_format, text};
use crate::jvm::value::{Eval, Throw, Value};

/// The JVM's default zone.
pub(super) fn default_zone(cx: &dyn Context) -> Eval<Zone> {
    Zone::of(cx.time_zone())
}

/// `getTime` of any of the three.
pub(super) fn millis_of(value: &Value, zone: &Zone) -> Eval<i64> {
    Ok(match time(value, "Date")? {
        Time::SqlDate(days) => legacy::date_millis(*days, zone),
        Time::SqlDateAt(millis) | Time::UtilDate(millis) => *millis,
        Time::SqlTimestamp { micros, .. } => legacy::timestamp_millis(*micros, zone),
        _ => return Err(args::mismatch("Date", value)),
    })
}

/// The day a `java.sql.Date` shows.
fn day(date: &Date, zone: &Zone) -> i64 {
    legacy::stored_days(&date.0, zone).unwrap_or_default()
}

/// A year whose four digits the old `toString` writes as they are.
fn plain_year(days: i64) -> Eval<()> {
    match civil::date_of(days).0 {
        1..=9999 => Ok(()),
        _ => Err(Throw::Unsupported(
            "the text of a java.sql date outside the years 1 to 9999 is not covered".into(),
        )),
    }
}

fn date_text(days: i64) -> Eval<JStr> {
    plain_year(days)?;
    Ok(JStr::new(&text::sql_date(days)))
}

/// `valueOf(String)`, for which null is an illegal argument.
fn argument(value: &Value) -> Eval<String> {
    match value {
        Value::Null => Err(Throw::exception("IllegalArgumentException", "null string")),
        other => args::string(other).map(|s| s.to_utf8().into_owned()),
    }
}

/// Local days and nanoseconds of a timestamp.
fn local(x: &Timestamp, zone: &Zone) -> Eval<(i64, i64)> {
    inside(x)?;
    let (days, nanos) = legacy::timestamp_local(x.0, zone);
    Ok((days, nanos + i64::from(x.1)))
}

/// In the first second of the JVM's range the old class shows another time than it holds.
fn inside(x: &Timestamp) -> Eval<()> {
    match x.0 < i128::from(i64::MIN / 1000 + 2) * 1_000_000 {
        true => Err(Throw::Unsupported(
            "the fields of a timestamp at the end of the range are not covered".into(),
        )),
        false => Ok(()),
    }
}

fn of_local(days: i64, nanos: i64, zone: &Zone) -> Timestamp {
    let (micros, below) = legacy::timestamp_of_local(days, nanos, zone);
    Timestamp(micros, below)
}

fn of_seconds(seconds: i64, nanos: u32, zone: &Zone) -> Timestamp {
    let (micros, below) = legacy::timestamp_from_seconds(seconds, nanos, zone);
    Timestamp(micros, below)
}

fn of_millis(millis: i64, zone: &Zone) -> Timestamp {
    of_seconds(
        millis.div_euclid(1000),
        (millis.rem_euclid(1000) * 1_000_000) as u32,
        zone,
    )
}

fn of_instant(at: &Instant, zone: &Zone) -> Eval<Timestamp> {
    if at.0.checked_mul(1000).is_none() {
        return Err(Throw::exception("IllegalArgumentException", "long overflow"));
    }
    Ok(of_seconds(at.0, at.1, zone))
}

/// Seconds and nanoseconds of a timestamp's instant.
fn instant(x: &Timestamp, zone: &Zone) -> Eval<Instant> {
    inside(x)?;
    Ok(Instant(legacy::timestamp_seconds(x.0, zone), nanos(x) as u32))
}

fn nanos(x: &Timestamp) -> i64 {
    x.0.rem_euclid(1_000_000) as i64 * 1000 + i64::from(x.1)
}

fn timestamp_text(x: &Timestamp, zone: &Zone) -> Eval<JStr> {
    let (days, nanos) = local(x, zone)?;
    plain_year(days)?;
    Ok(JStr::new(&text::timestamp(days, nanos)))
}

statics!(
    /// Static methods of `java.sql.Date`.
    DATE, "static Date", "Date", cx;
    over "valueOf"(s: ("String")) -> Date throws "IllegalArgumentException" "NumberFormatException" = Date(Time::SqlDate(simple_format::sql_date(&argument(s)?)?));
    over "valueOf"(d: LocalDate) -> Date = Date(Time::SqlDate(legacy::existing_day(d.0)));
);

statics!(
    /// Constructor of `java.sql.Date`.
    NEW_DATE, "new Date", "Date", cx;
    one "Date"(n: Long) -> Date = Date(legacy::date_from_millis(n, &default_zone(cx)?));
);

methods!(
    /// Methods of `java.sql.Date`.
    DATE_METHODS, "Date", x: Date, cx;
    one "getTime"() -> Long = millis_of(&x.put(), &default_zone(cx)?)?;
    one "toLocalDate"() -> LocalDate = LocalDate(day(&x, &default_zone(cx)?));
    one "toString"() -> String = date_text(day(&x, &default_zone(cx)?))?;
    one "getYear"() -> Int = (civil::date_of(day(&x, &default_zone(cx)?)).0 - 1900) as i32;
    one "getMonth"() -> Int = civil::date_of(day(&x, &default_zone(cx)?)).1 as i32 - 1;
    one "getDate"() -> Int = civil::date_of(day(&x, &default_zone(cx)?)).2 as i32;
    one "getDay"() -> Int = (civil::day_of_week(legacy::to_hybrid(day(&x, &default_zone(cx)?))) % 7) as i32;
    one "before"(y: Any) -> Boolean = {
        let zone = default_zone(cx)?;
        millis_of(&x.put(), &zone)? < millis_of(y, &zone)?
    };
    one "after"(y: Any) -> Boolean = {
        let zone = default_zone(cx)?;
        millis_of(&x.put(), &zone)? > millis_of(y, &zone)?
    };
    one "compareTo"(y: Any) -> Int = {
        let zone = default_zone(cx)?;
        millis_of(&x.put(), &zone)?.cmp(&millis_of(y, &zone)?) as i32
    };
    one "toInstant"() -> Instant throws "UnsupportedOperationException" = {
        let () = Err(crate::jvm::args::bare_exception("UnsupportedOperationException"))?;
        Instant(0, 0)
    };
);

statics!(
    /// Static methods of `Timestamp`.
    TIMESTAMP, "static Timestamp", "Timestamp", cx;
    over "valueOf"(s: ("String")) -> Timestamp throws "IllegalArgumentException" "NumberFormatException" = {
        let (days, nanos) = simple_format::sql_timestamp(&argument(s)?)?;
        of_local(days, nanos, &default_zone(cx)?)
    };
    over "valueOf"(t: LocalDateTime) -> Timestamp = of_local(legacy::existing_day(t.0), t.1, &default_zone(cx)?);
    one "from"(t: Instant) -> Timestamp throws "IllegalArgumentException" = of_instant(&t, &default_zone(cx)?)?;
);

statics!(
    /// Constructor of `Timestamp`.
    NEW_TIMESTAMP, "new Timestamp", "Timestamp", cx;
    one "Timestamp"(n: Long) -> Timestamp = of_millis(n, &default_zone(cx)?);
);

methods!(
    /// Methods of `Timestamp`.
    TIMESTAMP_METHODS, "Timestamp", x: Timestamp, cx;
    one "getTime"() -> Long = legacy::timestamp_millis(x.0, &default_zone(cx)?);
    one "getNanos"() -> Int = nanos(&x) as i32;
    one "toInstant"() -> Instant = instant(&x, &default_zone(cx)?)?;
    one "toLocalDateTime"() -> LocalDateTime = {
        let (days, nanos) = local(&x, &default_zone(cx)?)?;
        LocalDateTime(days, nanos)
    };
    one "toString"() -> String = timestamp_text(&x, &default_zone(cx)?)?;
    one "before"(y: Timestamp) -> Boolean = x < y;
    one "after"(y: Timestamp) -> Boolean = x > y;
    one "compareTo"(y: Timestamp) -> Int = x.cmp(&y) as i32;
    one "getYear"() -> Int = {
        let (days, nanos) = local(&x, &default_zone(cx)?)?;
        let _ = (days, nanos);
        (civil::date_of(days).0 - 1900) as i32
    };
    one "getMonth"() -> Int = {
        let (days, nanos) = local(&x, &default_zone(cx)?)?;
        let _ = (days, nanos);
        civil::date_of(days).1 as i32 - 1
    };
    one "getDate"() -> Int = {
        let (days, nanos) = local(&x, &default_zone(cx)?)?;
        let _ = (days, nanos);
        civil::date_of(days).2 as i32
    };
    one "getDay"() -> Int = {
        let (days, nanos) = local(&x, &default_zone(cx)?)?;
        let _ = (days, nanos);
        (civil::day_of_week(legacy::to_hybrid(days)) % 7) as i32
    };
    one "getHours"() -> Int = {
        let (days, nanos) = local(&x, &default_zone(cx)?)?;
        let _ = (days, nanos);
        (nanos / NANOS_PER_SECOND / 3600) as i32
    };
    one "getMinutes"() -> Int = {
        let (days, nanos) = local(&x, &default_zone(cx)?)?;
        let _ = (days, nanos);
        (nanos / NANOS_PER_SECOND / 60 % 60) as i32
    };
    one "getSeconds"() -> Int = {
        let (days, nanos) = local(&x, &default_zone(cx)?)?;
        let _ = (days, nanos);
        (nanos / NANOS_PER_SECOND % 60) as i32
    };
);

statics!(
    /// Constructor of `java.util.Date`.
    NEW_UTIL_DATE, "new UtilDate", "UtilDate", cx;
    one "UtilDate"(n: Long) -> UtilDate = UtilDate(n);
);

methods!(
    /// Methods of `java.util.Date`.
    UTIL_DATE_METHODS, "UtilDate", x: UtilDate, cx;
    one "getTime"() -> Long = x.0;
    one "toInstant"() -> Instant = Instant(x.0.div_euclid(1000), (x.0.rem_euclid(1000) * 1_000_000) as u32);
    one "before"(y: Any) -> Boolean = x.0 < millis_of(y, &default_zone(cx)?)?;
    one "after"(y: Any) -> Boolean = x.0 > millis_of(y, &default_zone(cx)?)?;
    one "compareTo"(y: Any) -> Int = x.0.cmp(&millis_of(y, &default_zone(cx)?)?) as i32;
);
