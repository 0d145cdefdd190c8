//! `LocalTime`.

use super::classes::*;
use super::format::{known_of, parsed_time};
use super::local_date::opposite;
use crate::jvm::rows::{Class, methods, statics};
use crate::jvm::text::JStr;
use crate::jvm::time::{NANOS_PER_SECOND, Time, arithmetic, print, text};
use crate::jvm::value::{Eval, Value};

/// Nanoseconds of a `LocalTime` argument.
fn nanos(value: &Value) -> Eval<i64> {
    LocalTime::get(value).map(|t| t.0)
}

/// `withHour` and its kin: parts that are `None` stay.
pub(super) fn with(
    nanos: i64,
    hour: Option<i32>,
    minute: Option<i32>,
    second: Option<i32>,
    nano: Option<i32>,
) -> Eval<i64> {
    let seconds = nanos / NANOS_PER_SECOND;
    let keep = |new: Option<i32>, old: i64| new.map_or(old, i64::from);
    arithmetic::time(
        keep(hour, seconds / 3600),
        keep(minute, seconds / 60 % 60),
        keep(second, seconds % 60),
        keep(nano, nanos % NANOS_PER_SECOND),
    )
}

/// `LocalTime.compareTo`.
fn compare(a: i64, b: i64) -> i32 {
    a.cmp(&b) as i32
}

statics!(
    /// Static methods.
    STATIC, "static LocalTime", "LocalTime", cx;
    over "of"(h: Int, m: Int) -> LocalTime throws "DateTimeException" = LocalTime(arithmetic::time(h.into(), m.into(), 0, 0)?);
    over "of"(h: Int, m: Int, s: Int) -> LocalTime throws "DateTimeException" = LocalTime(arithmetic::time(h.into(), m.into(), s.into(), 0)?);
    over "of"(h: Int, m: Int, s: Int, n: Int) -> LocalTime throws "DateTimeException" = LocalTime(arithmetic::time(h.into(), m.into(), s.into(), n.into())?);
    one "ofSecondOfDay"(n: Long) -> LocalTime throws "DateTimeException" = LocalTime(arithmetic::checked_field("SecondOfDay", n, 0, 86_399)? * NANOS_PER_SECOND);
    one "ofNanoOfDay"(n: Long) -> LocalTime throws "DateTimeException" = LocalTime(arithmetic::checked_field("NanoOfDay", n, 0, crate::jvm::time::NANOS_PER_DAY - 1)?);
    over "parse"(s: ("String")) -> LocalTime throws "DateTimeParseException" = LocalTime(parsed_time(s, None)?);
    over "parse"(s: ("String"), f: DateTimeFormatter) -> LocalTime throws "DateTimeParseException" = LocalTime(parsed_time(s, Some(&f.0))?);
    one "MIDNIGHT"() -> LocalTime = LocalTime(0);
    one "MIN"() -> LocalTime = LocalTime(0);
    one "NOON"() -> LocalTime = LocalTime(43_200 * NANOS_PER_SECOND);
    one "MAX"() -> LocalTime = LocalTime(crate::jvm::time::NANOS_PER_DAY - 1);
);

methods!(
    /// Methods.
    METHODS, "LocalTime", x: LocalTime, cx;
    one "getHour"() -> Int = (x.0 / NANOS_PER_SECOND / 3600) as i32;
    one "getMinute"() -> Int = (x.0 / NANOS_PER_SECOND / 60 % 60) as i32;
    one "getSecond"() -> Int = (x.0 / NANOS_PER_SECOND % 60) as i32;
    one "getNano"() -> Int = (x.0 % NANOS_PER_SECOND) as i32;
    one "toSecondOfDay"() -> Int = (x.0 / NANOS_PER_SECOND) as i32;
    one "toNanoOfDay"() -> Long = x.0;
    one "isBefore"(y: Any) -> Boolean = x.0 < nanos(y)?;
    one "isAfter"(y: Any) -> Boolean = x.0 > nanos(y)?;
    one "compareTo"(y: Any) -> Int = compare(x.0, nanos(y)?);
    one "toString"() -> String = JStr::new(&text::time(x.0));
    one "truncatedTo"(u: ChronoUnit) -> LocalTime throws "UnsupportedTemporalTypeException" = LocalTime(arithmetic::truncated(x.0, u.0)?);
    one "format"(f: DateTimeFormatter) -> String throws "DateTimeException" = JStr::new(&print::format(&f.0, &known_of(&Time::LocalTime(x.0)))?);
    one "atDate"(d: LocalDate) -> LocalDateTime = LocalDateTime(d.0, x.0);
    one "withHour"(n: Int) -> LocalTime throws "DateTimeException" = LocalTime(with(x.0, Some(n), None, None, None)?);
    one "withMinute"(n: Int) -> LocalTime throws "DateTimeException" = LocalTime(with(x.0, None, Some(n), None, None)?);
    one "withSecond"(n: Int) -> LocalTime throws "DateTimeException" = LocalTime(with(x.0, None, None, Some(n), None)?);
    one "withNano"(n: Int) -> LocalTime throws "DateTimeException" = LocalTime(with(x.0, None, None, None, Some(n))?);
    one "plusHours"(n: Long) -> LocalTime = LocalTime(arithmetic::plus_time(x.0, n, arithmetic::Unit::Hours)?);
    one "minusHours"(n: Long) -> LocalTime = LocalTime(arithmetic::plus_time(x.0, -(n % crate::jvm::time::NANOS_PER_DAY), arithmetic::Unit::Hours)?);
    one "plusMinutes"(n: Long) -> LocalTime = LocalTime(arithmetic::plus_time(x.0, n, arithmetic::Unit::Minutes)?);
    one "minusMinutes"(n: Long) -> LocalTime = LocalTime(arithmetic::plus_time(x.0, -(n % crate::jvm::time::NANOS_PER_DAY), arithmetic::Unit::Minutes)?);
    one "plusSeconds"(n: Long) -> LocalTime = LocalTime(arithmetic::plus_time(x.0, n, arithmetic::Unit::Seconds)?);
    one "minusSeconds"(n: Long) -> LocalTime = LocalTime(arithmetic::plus_time(x.0, -(n % crate::jvm::time::NANOS_PER_DAY), arithmetic::Unit::Seconds)?);
    one "plusNanos"(n: Long) -> LocalTime = LocalTime(arithmetic::plus_time(x.0, n, arithmetic::Unit::Nanos)?);
    one "minusNanos"(n: Long) -> LocalTime = LocalTime(arithmetic::plus_time(x.0, -(n % crate::jvm::time::NANOS_PER_DAY), arithmetic::Unit::Nanos)?);
    over "plus"(n: Long, u: ChronoUnit) -> LocalTime throws "DateTimeException" "ArithmeticException" = LocalTime(arithmetic::plus_time(x.0, n, u.0)?);
    over "minus"(n: Long, u: ChronoUnit) -> LocalTime throws "DateTimeException" "ArithmeticException" = LocalTime(arithmetic::plus_time(x.0, opposite(n)?, u.0)?);
);
