//! `ZoneId`, `ZoneOffset`, `ZonedDateTime`, `OffsetDateTime`.

use super::classes::*;
use super::format::{known_of, parsed, text_of};
use super::instant::at_zone;
use super::local_date::{opposite, with};
use super::local_date_time;
use super::local_time;
use crate::jvm::rows::{Class, methods, statics};
use crate::jvm::text::JStr;
use crate::jvm::time::arithmetic::{self, Unit};
use crate::jvm::time::{NANOS_PER_SECOND, Time, Zone, civil, print};
use crate::jvm::value::{Eval, Throw, Value};

/// Seconds and nanoseconds of the instant of a zoned or offset date and time.
pub(super) fn instant_of(days: i64, nanos: i64, offset: i32) -> (i64, u32) {
    let seconds = arithmetic::local_seconds(days, nanos) - i64::from(offset);
    (seconds, (nanos % NANOS_PER_SECOND) as u32)
}

fn instant(x: &ZonedDateTime) -> (i64, u32) {
    instant_of(x.0, x.1, x.2)
}

fn other(value: &Value) -> Eval<(i64, u32)> {
    ZonedDateTime::get(value).map(|z| instant(&z))
}

/// The same local time in the zone, keeping the offset where it is valid.
fn relocated(x: &ZonedDateTime, days: i64, nanos: i64) -> ZonedDateTime {
    let (d, n, o) = arithmetic::zoned(days, nanos, &x.3, Some(x.2));
    ZonedDateTime(d, n, o, x.3.clone())
}

/// `plus`: dates move the local time, times move the instant.
fn plus(x: &ZonedDateTime, n: i64, unit: Unit) -> Eval<ZonedDateTime> {
    if unit.nanos().is_some() {
        let moved = arithmetic::plus_instant(instant(x), n, unit)?;
        return Ok(at_zone(moved, &x.3));
    }
    Ok(relocated(x, arithmetic::plus_date(x.0, n, unit)?, x.1))
}

fn plus_duration(x: &ZonedDateTime, d: &Duration, sign: i64) -> Eval<ZonedDateTime> {
    let moved = arithmetic::plus_instant(instant(x), arithmetic::overflow(d.0.checked_mul(sign))?, Unit::Seconds)?;
    let moved = arithmetic::plus_instant(moved, sign * i64::from(d.1), Unit::Nanos)?;
    Ok(at_zone(moved, &x.3))
}

/// `compareTo`: by instant, then by local time, then by zone.
fn compare(x: &ZonedDateTime, y: &ZonedDateTime) -> i32 {
    let order = instant(x).cmp(&instant(y)).then((x.0, x.1).cmp(&(y.0, y.1)));
    if order.is_eq() {
        x.3.id.cmp(&y.3.id) as i32
    } else {
        order as i32
    }
}

fn parsed_zoned(text: &Value, formatter: Option<&crate::jvm::time::formatter::Formatter>) -> Eval<ZonedDateTime> {
    let known = parsed(text, formatter, "ISO_ZONED_DATE_TIME")?;
    let zone = known.zone.clone().or(known.offset.map(Zone::offset));
    match (known.date, known.time, zone) {
        (Some(days), Some(nanos), Some(zone)) => {
            let (d, n, o) = arithmetic::zoned(days, nanos, &zone, known.offset);
            Ok(ZonedDateTime(d, n, o, zone))
        }
        _ => Err(Throw::exception(
            "DateTimeParseException",
            format!("Text '{}' could not be parsed", text_of(text)?),
        )),
    }
}

fn parsed_offset(text: &Value, formatter: Option<&crate::jvm::time::formatter::Formatter>) -> Eval<OffsetDateTime> {
    let known = parsed(text, formatter, "ISO_OFFSET_DATE_TIME")?;
    match (known.date, known.time, known.offset) {
        (Some(days), Some(nanos), Some(offset)) => Ok(OffsetDateTime(days, nanos, offset)),
        _ => Err(Throw::exception(
            "DateTimeParseException",
            format!("Text '{}' could not be parsed", text_of(text)?),
        )),
    }
}

fn zone(cx: &dyn crate::jvm::table::Context) -> Eval<Zone> {
    super::sql::default_zone(cx)
}

statics!(
    /// `ZoneId`.
    ZONE_ID, "static ZoneId", "ZoneId", cx;
    one "of"(id: String) -> ZoneId throws "DateTimeException" "ZoneRulesException" = ZoneId(Zone::of(&id.to_utf8())?);
    one "systemDefault"() -> ZoneId = ZoneId(zone(cx)?);
);

methods!(
    /// Methods of `ZoneId`.
    ZONE_ID_METHODS, "ZoneId", x: ZoneId, cx;
    one "getId"() -> String = JStr::new(&x.0.id);
    one "toString"() -> String = JStr::new(&x.0.id);
);

statics!(
    /// `ZoneOffset`.
    ZONE_OFFSET, "static ZoneOffset", "ZoneOffset", cx;
    one "UTC"() -> ZoneOffset = ZoneOffset(Zone::utc());
    one "of"(id: String) -> ZoneOffset throws "DateTimeException" = ZoneOffset(Zone::offset_of(&id.to_utf8())?);
    one "ofHours"(h: Int) -> ZoneOffset throws "DateTimeException" = ZoneOffset(Zone::checked_offset(i64::from(h) * 3600)?);
    one "ofHoursMinutes"(h: Int, m: Int) -> ZoneOffset throws "DateTimeException" = ZoneOffset(hours_minutes(h, m)?);
    one "ofTotalSeconds"(n: Int) -> ZoneOffset throws "DateTimeException" = ZoneOffset(Zone::checked_offset(n.into())?);
);

/// `ZoneOffset.ofHoursMinutes`: both of one sign.
fn hours_minutes(h: i32, m: i32) -> Eval<Zone> {
    if (h > 0 && m < 0) || (h < 0 && m > 0) || m.abs() > 59 {
        return Err(arithmetic::date_time(
            "Zone offset minutes and hours must be of one sign and within range",
        ));
    }
    Zone::checked_offset(i64::from(h) * 3600 + i64::from(m) * 60)
}

methods!(
    /// Methods of `ZoneOffset`.
    ZONE_OFFSET_METHODS, "ZoneOffset", x: ZoneOffset, cx;
    one "getId"() -> String = JStr::new(&x.0.id);
    one "toString"() -> String = JStr::new(&x.0.id);
    one "getTotalSeconds"() -> Int = x.0.offset_at(0);
);

statics!(
    /// Static methods of `ZonedDateTime`.
    STATIC, "static ZonedDateTime", "ZonedDateTime", cx;
    over "of"(t: LocalDateTime, z: ZoneId) -> ZonedDateTime = local_date_time::at_zone(t.0, t.1, &z.0);
    over "of"(t: LocalDateTime, z: ZoneOffset) -> ZonedDateTime = local_date_time::at_zone(t.0, t.1, &z.0);
    over "of"(d: LocalDate, t: LocalTime, z: ZoneId) -> ZonedDateTime = local_date_time::at_zone(d.0, t.0, &z.0);
    over "of"(y: Int, mo: Int, d: Int, h: Int, mi: Int, s: Int, n: Int, z: ZoneId) -> ZonedDateTime throws "DateTimeException" = local_date_time::at_zone(arithmetic::date(y.into(), mo.into(), d.into())?, arithmetic::time(h.into(), mi.into(), s.into(), n.into())?, &z.0);
    over "ofInstant"(t: Instant, z: ZoneId) -> ZonedDateTime = at_zone((t.0, t.1), &z.0);
    over "ofInstant"(t: Instant, z: ZoneOffset) -> ZonedDateTime = at_zone((t.0, t.1), &z.0);
    over "parse"(s: ("String")) -> ZonedDateTime throws "DateTimeParseException" = parsed_zoned(s, None)?;
    over "parse"(s: ("String"), f: DateTimeFormatter) -> ZonedDateTime throws "DateTimeParseException" = parsed_zoned(s, Some(&f.0))?;
);

methods!(
    /// Methods of `ZonedDateTime`.
    METHODS, "ZonedDateTime", x: ZonedDateTime, cx;
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
    one "toLocalDateTime"() -> LocalDateTime = LocalDateTime(x.0, x.1);
    one "getZone"() -> ZoneId = ZoneId(x.3.clone());
    one "getOffset"() -> ZoneOffset = ZoneOffset(Zone::offset(x.2));
    one "toInstant"() -> Instant = {
        let (seconds, nanos) = instant(&x);
        Instant(seconds, nanos)
    };
    one "toEpochSecond"() -> Long = instant(&x).0;
    one "toOffsetDateTime"() -> OffsetDateTime = OffsetDateTime(x.0, x.1, x.2);
    over "withZoneSameInstant"(z: ZoneId) -> ZonedDateTime = at_zone(instant(&x), &z.0);
    over "withZoneSameInstant"(z: ZoneOffset) -> ZonedDateTime = at_zone(instant(&x), &z.0);
    over "withZoneSameLocal"(z: ZoneId) -> ZonedDateTime = {
        let (d, n, o) = arithmetic::zoned(x.0, x.1, &z.0, Some(x.2));
        ZonedDateTime(d, n, o, z.0)
    };
    one "isBefore"(y: Any) -> Boolean = instant(&x) < other(y)?;
    one "isAfter"(y: Any) -> Boolean = instant(&x) > other(y)?;
    one "isEqual"(y: Any) -> Boolean = instant(&x) == other(y)?;
    one "compareTo"(y: ZonedDateTime) -> Int = compare(&x, &y);
    one "truncatedTo"(u: ChronoUnit) -> ZonedDateTime throws "UnsupportedTemporalTypeException" = relocated(&x, x.0, arithmetic::truncated(x.1, u.0)?);
    one "format"(f: DateTimeFormatter) -> String throws "DateTimeException" = JStr::new(&print::format(&f.0, &known_of(&Time::ZonedDateTime(x.0, x.1, x.2, x.3.clone())))?);
    one "toString"() -> String = text_of_time(&Time::ZonedDateTime(x.0, x.1, x.2, x.3.clone()));
    one "until"(y: Any, u: ChronoUnit) -> Long throws "DateTimeException" "ArithmeticException" = super::names::between_values(&x.clone().put(), y, u.0)?;
    one "plusDays"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Days)?;
    one "minusDays"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Days)?;
    one "plusWeeks"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Weeks)?;
    one "minusWeeks"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Weeks)?;
    one "plusMonths"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Months)?;
    one "minusMonths"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Months)?;
    one "plusYears"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Years)?;
    one "minusYears"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Years)?;
    one "plusHours"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Hours)?;
    one "minusHours"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Hours)?;
    one "plusMinutes"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Minutes)?;
    one "minusMinutes"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Minutes)?;
    one "plusSeconds"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Seconds)?;
    one "minusSeconds"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Seconds)?;
    one "plusNanos"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Nanos)?;
    one "minusNanos"(n: Long) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Nanos)?;
    over "plus"(n: Long, u: ChronoUnit) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, n, u.0)?;
    over "minus"(n: Long, u: ChronoUnit) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, u.0)?;
    over "plus"(d: Duration) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus_duration(&x, &d, 1)?;
    over "minus"(d: Duration) -> ZonedDateTime throws "DateTimeException" "ArithmeticException" = plus_duration(&x, &d, -1)?;
    one "withYear"(n: Int) -> ZonedDateTime throws "DateTimeException" = relocated(&x, with(x.0, Some(n), None, None)?, x.1);
    one "withMonth"(n: Int) -> ZonedDateTime throws "DateTimeException" = relocated(&x, with(x.0, None, Some(n), None)?, x.1);
    one "withDayOfMonth"(n: Int) -> ZonedDateTime throws "DateTimeException" = relocated(&x, with(x.0, None, None, Some(n))?, x.1);
    one "withHour"(n: Int) -> ZonedDateTime throws "DateTimeException" = relocated(&x, x.0, local_time::with(x.1, Some(n), None, None, None)?);
    one "withMinute"(n: Int) -> ZonedDateTime throws "DateTimeException" = relocated(&x, x.0, local_time::with(x.1, None, Some(n), None, None)?);
    one "withSecond"(n: Int) -> ZonedDateTime throws "DateTimeException" = relocated(&x, x.0, local_time::with(x.1, None, None, Some(n), None)?);
    one "withNano"(n: Int) -> ZonedDateTime throws "DateTimeException" = relocated(&x, x.0, local_time::with(x.1, None, None, None, Some(n))?);
);

/// `toString` of what needs no zone.
fn text_of_time(time: &Time) -> JStr {
    JStr::new(&crate::jvm::time::text::of(time).unwrap_or_default())
}

statics!(
    /// Static methods of `OffsetDateTime`.
    OFFSET_STATIC, "static OffsetDateTime", "OffsetDateTime", cx;
    over "of"(t: LocalDateTime, z: ZoneOffset) -> OffsetDateTime = OffsetDateTime(t.0, t.1, z.0.offset_at(0));
    over "parse"(s: ("String")) -> OffsetDateTime throws "DateTimeParseException" = parsed_offset(s, None)?;
    over "parse"(s: ("String"), f: DateTimeFormatter) -> OffsetDateTime throws "DateTimeParseException" = parsed_offset(s, Some(&f.0))?;
);

methods!(
    /// Methods of `OffsetDateTime`.
    OFFSET_METHODS, "OffsetDateTime", x: OffsetDateTime, cx;
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
    one "toLocalDateTime"() -> LocalDateTime = LocalDateTime(x.0, x.1);
    one "getOffset"() -> ZoneOffset = ZoneOffset(Zone::offset(x.2));
    one "toInstant"() -> Instant = {
        let (seconds, nanos) = instant_of(x.0, x.1, x.2);
        Instant(seconds, nanos)
    };
    one "toEpochSecond"() -> Long = instant_of(x.0, x.1, x.2).0;
    one "atZoneSameInstant"(z: ZoneId) -> ZonedDateTime = at_zone(instant_of(x.0, x.1, x.2), &z.0);
    one "isBefore"(y: OffsetDateTime) -> Boolean = instant_of(x.0, x.1, x.2) < instant_of(y.0, y.1, y.2);
    one "isAfter"(y: OffsetDateTime) -> Boolean = instant_of(x.0, x.1, x.2) > instant_of(y.0, y.1, y.2);
    one "format"(f: DateTimeFormatter) -> String throws "DateTimeException" = JStr::new(&print::format(&f.0, &known_of(&Time::OffsetDateTime(x.0, x.1, x.2)))?);
    one "toString"() -> String = text_of_time(&Time::OffsetDateTime(x.0, x.1, x.2));
);
