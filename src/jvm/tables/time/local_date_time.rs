//! `LocalDateTime`.

use super::classes::*;
use super::format::{known_of, parsed_local};
use super::local_date::{self, opposite, plus_period, with};
use super::local_time;
use crate::jvm::rows::{Class, methods, statics};
use crate::jvm::text::JStr;
use crate::jvm::time::{NANOS_PER_SECOND, Time, Zone, arithmetic, civil, print, text};
use crate::jvm::value::{Eval, Value};

/// Days and nanoseconds of a `LocalDateTime` argument.
pub(super) fn local(value: &Value) -> Eval<(i64, i64)> {
    LocalDateTime::get(value).map(|t| (t.0, t.1))
}

fn of(parts: [i32; 7]) -> Eval<LocalDateTime> {
    let [y, mo, d, h, mi, s, n] = parts.map(i64::from);
    Ok(LocalDateTime(
        arithmetic::date(y, mo, d)?,
        arithmetic::time(h, mi, s, n)?,
    ))
}

fn of_instant(at: &Instant, zone: &Zone) -> LocalDateTime {
    let (days, nanos, _) = arithmetic::zoned_instant(at.0, at.1, zone);
    LocalDateTime(days, nanos)
}

fn plus(x: &LocalDateTime, n: i64, unit: arithmetic::Unit) -> Eval<LocalDateTime> {
    let (days, nanos) = arithmetic::plus_local(x.0, x.1, n, unit)?;
    Ok(LocalDateTime(days, nanos))
}

fn plus_duration(x: &LocalDateTime, d: &Duration, sign: i64) -> Eval<LocalDateTime> {
    let (days, nanos) = arithmetic::plus_local(
        x.0,
        x.1,
        arithmetic::overflow(d.0.checked_mul(sign))?,
        arithmetic::Unit::Seconds,
    )?;
    let (days, nanos) = arithmetic::plus_local(days, nanos, sign * i64::from(d.1), arithmetic::Unit::Nanos)?;
    Ok(LocalDateTime(days, nanos))
}

/// `atZone`.
pub(super) fn at_zone(days: i64, nanos: i64, zone: &Zone) -> ZonedDateTime {
    let (d, n, o) = arithmetic::zoned(days, nanos, zone, None);
    ZonedDateTime(d, n, o, zone.clone())
}

fn at_offset(x: &LocalDateTime, zone: &Zone) -> OffsetDateTime {
    OffsetDateTime(x.0, x.1, zone.offset_at(0))
}

fn epoch_second(x: &LocalDateTime, zone: &Zone) -> i64 {
    arithmetic::local_seconds(x.0, x.1) - i64::from(zone.offset_at(0))
}

/// `compareTo`: by date, then by time.
fn compare(a: (i64, i64), b: (i64, i64)) -> i32 {
    if a.0 != b.0 {
        local_date::compare(a.0, b.0)
    } else {
        a.1.cmp(&b.1) as i32
    }
}

statics!(
    /// Static methods.
    STATIC, "static LocalDateTime", "LocalDateTime", cx;
    over "of"(y: Int, mo: Int, d: Int, h: Int, mi: Int) -> LocalDateTime throws "DateTimeException" = of([y, mo, d, h, mi, 0, 0])?;
    over "of"(y: Int, mo: Int, d: Int, h: Int, mi: Int, s: Int) -> LocalDateTime throws "DateTimeException" = of([y, mo, d, h, mi, s, 0])?;
    over "of"(y: Int, mo: Int, d: Int, h: Int, mi: Int, s: Int, n: Int) -> LocalDateTime throws "DateTimeException" = of([y, mo, d, h, mi, s, n])?;
    over "of"(d: LocalDate, t: LocalTime) -> LocalDateTime = LocalDateTime(d.0, t.0);
    over "ofInstant"(at: Instant, z: ZoneId) -> LocalDateTime = of_instant(&at, &z.0);
    over "ofInstant"(at: Instant, z: ZoneOffset) -> LocalDateTime = of_instant(&at, &z.0);
    one "ofEpochSecond"(s: Long, n: Int, z: ZoneOffset) -> LocalDateTime throws "DateTimeException" = {
        arithmetic::checked_field("NanoOfSecond", n.into(), 0, 999_999_999)?;
        of_instant(&Instant(s, n as u32), &z.0)
    };
    over "parse"(s: ("String")) -> LocalDateTime throws "DateTimeParseException" = parsed_local(s, None)?;
    over "parse"(s: ("String"), f: DateTimeFormatter) -> LocalDateTime throws "DateTimeParseException" = parsed_local(s, Some(&f.0))?;
);

methods!(
    /// Methods.
    METHODS, "LocalDateTime", x: LocalDateTime, cx;
    one "getYear"() -> Int = civil::date_of(x.0).0 as i32;
    one "getMonthValue"() -> Int = civil::date_of(x.0).1 as i32;
    one "getMonth"() -> Month = Month(civil::date_of(x.0).1 as u8);
    one "getDayOfMonth"() -> Int = civil::date_of(x.0).2 as i32;
    one "getDayOfYear"() -> Int = civil::day_of_year(x.0) as i32;
    one "getDayOfWeek"() -> DayOfWeek = DayOfWeek(civil::day_of_week(x.0) as u8);
    one "getHour"() -> Int = (x.1 / NANOS_PER_SECOND / 3600) as i32;
    one "getMinute"() -> Int = (x.1 / NANOS_PER_SECOND / 60 % 60) as i32;
    one "getSecond"() -> Int = (x.1 / NANOS_PER_SECOND % 60) as i32;
    one "getNano"() -> Int = (x.1 % NANOS_PER_SECOND) as i32;
    one "toLocalDate"() -> LocalDate = LocalDate(x.0);
    one "toLocalTime"() -> LocalTime = LocalTime(x.1);
    one "isBefore"(y: Any) -> Boolean = (x.0, x.1) < local(y)?;
    one "isAfter"(y: Any) -> Boolean = (x.0, x.1) > local(y)?;
    one "isEqual"(y: Any) -> Boolean = (x.0, x.1) == local(y)?;
    one "compareTo"(y: Any) -> Int = compare((x.0, x.1), local(y)?);
    one "toString"() -> String = JStr::new(&text::local(x.0, x.1));
    one "truncatedTo"(u: ChronoUnit) -> LocalDateTime throws "UnsupportedTemporalTypeException" = LocalDateTime(x.0, arithmetic::truncated(x.1, u.0)?);
    one "format"(f: DateTimeFormatter) -> String throws "DateTimeException" = JStr::new(&print::format(&f.0, &known_of(&Time::LocalDateTime(x.0, x.1)))?);
    over "atZone"(z: ZoneId) -> ZonedDateTime = at_zone(x.0, x.1, &z.0);
    over "atZone"(z: ZoneOffset) -> ZonedDateTime = at_zone(x.0, x.1, &z.0);
    one "atOffset"(z: ZoneOffset) -> OffsetDateTime = at_offset(&x, &z.0);
    one "toInstant"(z: ZoneOffset) -> Instant = Instant(epoch_second(&x, &z.0), (x.1 % NANOS_PER_SECOND) as u32);
    one "toEpochSecond"(z: ZoneOffset) -> Long = epoch_second(&x, &z.0);
    one "until"(y: Any, u: ChronoUnit) -> Long throws "DateTimeException" "ArithmeticException" = arithmetic::between_locals((x.0, x.1), local(y)?, u.0)?;
    one "plusDays"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, arithmetic::Unit::Days)?;
    one "minusDays"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, arithmetic::Unit::Days)?;
    one "plusWeeks"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, arithmetic::Unit::Weeks)?;
    one "minusWeeks"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, arithmetic::Unit::Weeks)?;
    one "plusMonths"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, arithmetic::Unit::Months)?;
    one "minusMonths"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, arithmetic::Unit::Months)?;
    one "plusYears"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, arithmetic::Unit::Years)?;
    one "minusYears"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, arithmetic::Unit::Years)?;
    one "plusHours"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, arithmetic::Unit::Hours)?;
    one "minusHours"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, arithmetic::Unit::Hours)?;
    one "plusMinutes"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, arithmetic::Unit::Minutes)?;
    one "minusMinutes"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, arithmetic::Unit::Minutes)?;
    one "plusSeconds"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, arithmetic::Unit::Seconds)?;
    one "minusSeconds"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, arithmetic::Unit::Seconds)?;
    one "plusNanos"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, arithmetic::Unit::Nanos)?;
    one "minusNanos"(n: Long) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, arithmetic::Unit::Nanos)?;
    over "plus"(n: Long, u: ChronoUnit) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, u.0)?;
    over "minus"(n: Long, u: ChronoUnit) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, u.0)?;
    over "plus"(d: Duration) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus_duration(&x, &d, 1)?;
    over "minus"(d: Duration) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = plus_duration(&x, &d, -1)?;
    over "plus"(p: Period) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = LocalDateTime(plus_period(x.0, &p, 1)?, x.1);
    over "minus"(p: Period) -> LocalDateTime throws "DateTimeException" "ArithmeticException" = LocalDateTime(plus_period(x.0, &p, -1)?, x.1);
    one "withYear"(n: Int) -> LocalDateTime throws "DateTimeException" = LocalDateTime(with(x.0, Some(n), None, None)?, x.1);
    one "withMonth"(n: Int) -> LocalDateTime throws "DateTimeException" = LocalDateTime(with(x.0, None, Some(n), None)?, x.1);
    one "withDayOfMonth"(n: Int) -> LocalDateTime throws "DateTimeException" = LocalDateTime(with(x.0, None, None, Some(n))?, x.1);
    one "withHour"(n: Int) -> LocalDateTime throws "DateTimeException" = LocalDateTime(x.0, local_time::with(x.1, Some(n), None, None, None)?);
    one "withMinute"(n: Int) -> LocalDateTime throws "DateTimeException" = LocalDateTime(x.0, local_time::with(x.1, None, Some(n), None, None)?);
    one "withSecond"(n: Int) -> LocalDateTime throws "DateTimeException" = LocalDateTime(x.0, local_time::with(x.1, None, None, Some(n), None)?);
    one "withNano"(n: Int) -> LocalDateTime throws "DateTimeException" = LocalDateTime(x.0, local_time::with(x.1, None, None, None, Some(n))?);
);
