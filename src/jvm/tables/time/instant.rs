//! `Instant`, `Duration`, `Period`.

use super::classes::*;
use super::local_date::{self, opposite};
use super::names::between;
use crate::jvm::rows::{Class, methods, statics};
use crate::jvm::text::JStr;
use crate::jvm::time::arithmetic::{self, Unit, joined, overflow, split};
use crate::jvm::time::{NANOS_PER_SECOND, Zone, parse, text};
use crate::jvm::value::{Eval, Value};

/// Seconds and nanoseconds of an `Instant` argument.
pub(super) fn instant(value: &Value) -> Eval<(i64, u32)> {
    Instant::get(value).map(|t| (t.0, t.1))
}

fn checked(total: i128) -> Eval<Instant> {
    let (seconds, nanos) = arithmetic::checked_instant(split(total)?)?;
    Ok(Instant(seconds, nanos))
}

fn plus(x: &Instant, n: i64, unit: Unit) -> Eval<Instant> {
    let (seconds, nanos) = arithmetic::plus_instant((x.0, x.1), n, unit)?;
    Ok(Instant(seconds, nanos))
}

/// `atZone`.
pub(super) fn at_zone(x: (i64, u32), zone: &Zone) -> ZonedDateTime {
    let (days, nanos, offset) = arithmetic::zoned_instant(x.0, x.1, zone);
    ZonedDateTime(days, nanos, offset, zone.clone())
}

fn at_offset(x: &Instant, zone: &Zone) -> OffsetDateTime {
    let (days, nanos, offset) = arithmetic::zoned_instant(x.0, x.1, zone);
    OffsetDateTime(days, nanos, offset)
}

/// `toEpochMilli`.
pub(super) fn epoch_milli(seconds: i64, nanos: u32) -> Eval<i64> {
    overflow(i64::try_from(joined(seconds, nanos).div_euclid(1_000_000)).ok())
}

fn truncated(x: &Instant, unit: Unit) -> Eval<Instant> {
    let day = x.0.div_euclid(86_400);
    let of_day = x.0.rem_euclid(86_400) * NANOS_PER_SECOND + i64::from(x.1);
    let kept = arithmetic::truncated(of_day, unit)?;
    Ok(Instant(
        day * 86_400 + kept / NANOS_PER_SECOND,
        (kept % NANOS_PER_SECOND) as u32,
    ))
}

fn duration(total: i128) -> Eval<Duration> {
    let (seconds, nanos) = split(total)?;
    Ok(Duration(seconds, nanos))
}

fn total(d: &Duration) -> i128 {
    joined(d.0, d.1)
}

fn of_units(n: i64, nanos: i64) -> Eval<Duration> {
    duration(i128::from(n) * i128::from(nanos))
}

fn as_units(d: &Duration, nanos: i64) -> Eval<i64> {
    overflow(i64::try_from(total(d).div_euclid(nanos.into())).ok())
}

statics!(
    /// Static methods of `Instant`.
    STATIC, "static Instant", "Instant", cx;
    over "ofEpochSecond"(s: Long) -> Instant throws "DateTimeException" = checked(joined(s, 0))?;
    over "ofEpochSecond"(s: Long, n: Long) -> Instant throws "DateTimeException" = checked(joined(s, 0) + i128::from(n))?;
    one "ofEpochMilli"(n: Long) -> Instant = checked(i128::from(n) * 1_000_000)?;
    one "EPOCH"() -> Instant = Instant(0, 0);
    one "parse"(s: ("String")) -> Instant throws "DateTimeParseException" = {
        let (seconds, nanos) = parse::instant(&super::format::text(s)?)?;
        Instant(seconds, nanos)
    };
);

methods!(
    /// Methods of `Instant`.
    METHODS, "Instant", x: Instant, cx;
    one "getEpochSecond"() -> Long = x.0;
    one "getNano"() -> Int = x.1 as i32;
    one "toEpochMilli"() -> Long throws "ArithmeticException" = epoch_milli(x.0, x.1)?;
    one "isBefore"(y: Any) -> Boolean = (x.0, x.1) < instant(y)?;
    one "isAfter"(y: Any) -> Boolean = (x.0, x.1) > instant(y)?;
    one "compareTo"(y: Any) -> Int = compare((x.0, x.1), instant(y)?);
    one "toString"() -> String = JStr::new(&text::instant(x.0, x.1));
    over "atZone"(z: ZoneId) -> ZonedDateTime = at_zone((x.0, x.1), &z.0);
    over "atZone"(z: ZoneOffset) -> ZonedDateTime = at_zone((x.0, x.1), &z.0);
    one "atOffset"(z: ZoneOffset) -> OffsetDateTime = at_offset(&x, &z.0);
    one "truncatedTo"(u: ChronoUnit) -> Instant throws "UnsupportedTemporalTypeException" = truncated(&x, u.0)?;
    over "plus"(n: Long, u: ChronoUnit) -> Instant throws "DateTimeException" "ArithmeticException" = plus(&x, n, u.0)?;
    over "minus"(n: Long, u: ChronoUnit) -> Instant throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, u.0)?;
    over "plus"(d: Duration) -> Instant throws "DateTimeException" "ArithmeticException" = checked(joined(x.0, x.1) + total(&d))?;
    over "minus"(d: Duration) -> Instant throws "DateTimeException" "ArithmeticException" = checked(joined(x.0, x.1) - total(&d))?;
    one "until"(y: Any, u: ChronoUnit) -> Long throws "DateTimeException" "ArithmeticException" = arithmetic::between_instants((x.0, x.1), instant(y)?, u.0)?;
    one "plusSeconds"(n: Long) -> Instant throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Seconds)?;
    one "minusSeconds"(n: Long) -> Instant throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Seconds)?;
    one "plusMillis"(n: Long) -> Instant throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Millis)?;
    one "minusMillis"(n: Long) -> Instant throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Millis)?;
    one "plusNanos"(n: Long) -> Instant throws "DateTimeException" "ArithmeticException" = plus(&x, n, Unit::Nanos)?;
    one "minusNanos"(n: Long) -> Instant throws "DateTimeException" "ArithmeticException" = plus(&x, opposite(n)?, Unit::Nanos)?;
);

/// `Instant.compareTo`: the seconds' order, else the difference of the nanoseconds.
fn compare(a: (i64, u32), b: (i64, u32)) -> i32 {
    if a.0 != b.0 {
        a.0.cmp(&b.0) as i32
    } else {
        a.1 as i32 - b.1 as i32
    }
}

statics!(
    /// Static methods of `Duration`.
    DURATION, "static Duration", "Duration", cx;
    one "ZERO"() -> Duration = Duration(0, 0);
    one "between"(a: Any, b: Any) -> Duration throws "DateTimeException" "ArithmeticException" = duration(between(a, b)?)?;
    over "ofSeconds"(n: Long, m: Long) -> Duration throws "ArithmeticException" = duration(joined(n, 0) + i128::from(m))?;
    one "ofDays"(n: Long) -> Duration throws "ArithmeticException" = of_units(n, 86_400 * NANOS_PER_SECOND)?;
    one "ofHours"(n: Long) -> Duration throws "ArithmeticException" = of_units(n, 3600 * NANOS_PER_SECOND)?;
    one "ofMinutes"(n: Long) -> Duration throws "ArithmeticException" = of_units(n, 60 * NANOS_PER_SECOND)?;
    over "ofSeconds"(n: Long) -> Duration throws "ArithmeticException" = of_units(n, NANOS_PER_SECOND)?;
    one "ofMillis"(n: Long) -> Duration throws "ArithmeticException" = of_units(n, 1_000_000)?;
    one "ofNanos"(n: Long) -> Duration throws "ArithmeticException" = of_units(n, 1)?;
);

methods!(
    /// Methods of `Duration`.
    DURATION_METHODS, "Duration", x: Duration, cx;
    one "getSeconds"() -> Long = x.0;
    one "toSeconds"() -> Long = x.0;
    one "getNano"() -> Int = x.1 as i32;
    one "toDays"() -> Long = x.0 / 86_400;
    one "toHours"() -> Long = x.0 / 3600;
    one "toMinutes"() -> Long = x.0 / 60;
    one "toMillis"() -> Long throws "ArithmeticException" = as_units(&x, 1_000_000)?;
    one "toNanos"() -> Long throws "ArithmeticException" = as_units(&x, 1)?;
    one "toDaysPart"() -> Long = x.0 / 86_400;
    one "toHoursPart"() -> Int = (x.0 / 3600 % 24) as i32;
    one "toMinutesPart"() -> Int = (x.0 / 60 % 60) as i32;
    one "toSecondsPart"() -> Int = (x.0 % 60) as i32;
    one "toMillisPart"() -> Int = (x.1 / 1_000_000) as i32;
    one "toNanosPart"() -> Int = x.1 as i32;
    one "isNegative"() -> Boolean = x.0 < 0;
    one "isZero"() -> Boolean = x.0 == 0 && x.1 == 0;
    one "negated"() -> Duration throws "ArithmeticException" = duration(-total(&x))?;
    one "abs"() -> Duration throws "ArithmeticException" = duration(total(&x).abs())?;
    one "compareTo"(y: Duration) -> Int = compare((x.0, x.1), (y.0, y.1));
    over "plus"(y: Duration) -> Duration throws "ArithmeticException" = duration(total(&x) + total(&y))?;
    over "minus"(y: Duration) -> Duration throws "ArithmeticException" = duration(total(&x) - total(&y))?;
    one "multipliedBy"(n: Long) -> Duration throws "ArithmeticException" = duration(overflow(total(&x).checked_mul(n.into()))?)?;
    one "toString"() -> String = JStr::new(&text::duration(x.0, x.1));
    one "plusDays"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) + i128::from(n) * i128::from(86_400 * NANOS_PER_SECOND))?;
    one "minusDays"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) - i128::from(n) * i128::from(86_400 * NANOS_PER_SECOND))?;
    one "plusHours"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) + i128::from(n) * i128::from(3600 * NANOS_PER_SECOND))?;
    one "minusHours"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) - i128::from(n) * i128::from(3600 * NANOS_PER_SECOND))?;
    one "plusMinutes"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) + i128::from(n) * i128::from(60 * NANOS_PER_SECOND))?;
    one "minusMinutes"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) - i128::from(n) * i128::from(60 * NANOS_PER_SECOND))?;
    one "plusSeconds"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) + i128::from(n) * i128::from(NANOS_PER_SECOND))?;
    one "minusSeconds"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) - i128::from(n) * i128::from(NANOS_PER_SECOND))?;
    one "plusMillis"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) + i128::from(n) * 1_000_000)?;
    one "minusMillis"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) - i128::from(n) * 1_000_000)?;
    one "plusNanos"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) + i128::from(n))?;
    one "minusNanos"(n: Long) -> Duration throws "ArithmeticException" = duration(total(&x) - i128::from(n))?;
);

statics!(
    /// Static methods of `Period`.
    PERIOD, "static Period", "Period", cx;
    one "ZERO"() -> Period = Period(0, 0, 0);
    one "between"(a: LocalDate, b: LocalDate) -> Period = local_date::period(a.0, b.0);
    one "of"(y: Int, m: Int, d: Int) -> Period = Period(y, m, d);
    one "ofDays"(n: Int) -> Period = Period(0, 0, n);
    one "ofWeeks"(n: Int) -> Period throws "ArithmeticException" = Period(0, 0, overflow(n.checked_mul(7))?);
    one "ofMonths"(n: Int) -> Period = Period(0, n, 0);
    one "ofYears"(n: Int) -> Period = Period(n, 0, 0);
);

methods!(
    /// Methods of `Period`.
    PERIOD_METHODS, "Period", x: Period, cx;
    one "getYears"() -> Int = x.0;
    one "getMonths"() -> Int = x.1;
    one "getDays"() -> Int = x.2;
    one "toTotalMonths"() -> Long = i64::from(x.0) * 12 + i64::from(x.1);
    one "isNegative"() -> Boolean = x.0 < 0 || x.1 < 0 || x.2 < 0;
    one "isZero"() -> Boolean = x.0 == 0 && x.1 == 0 && x.2 == 0;
    one "toString"() -> String = JStr::new(&text::period(x.0, x.1, x.2));
);
