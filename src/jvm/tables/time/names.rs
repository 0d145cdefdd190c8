//! `ChronoUnit`, `DayOfWeek`, `Month`, `Year`, `YearMonth`, `WeekFields`.

use super::classes::*;
use super::zoned::instant_of;
use crate::jvm::rows::{methods, statics};
use crate::jvm::text::JStr;
use crate::jvm::time::arithmetic::{self, Unit, joined};
use crate::jvm::time::{NANOS_PER_DAY, Time, civil, text};
use crate::jvm::value::{Eval, Throw, Value};

/// Nanoseconds between two objects with a time: `Duration.between`.
pub(super) fn between(a: &Value, b: &Value) -> Eval<i128> {
    let locals =
        |a: (i64, i64), b: (i64, i64)| i128::from(b.0 - a.0) * i128::from(NANOS_PER_DAY) + i128::from(b.1 - a.1);
    let instants = |a: (i64, u32), b: (i64, u32)| joined(b.0, b.1) - joined(a.0, a.1);
    Ok(match (time(a, "Temporal")?, time(b, "Temporal")?) {
        (Time::LocalDateTime(d, n), Time::LocalDateTime(e, m)) => locals((*d, *n), (*e, *m)),
        (Time::LocalTime(n), Time::LocalTime(m)) => i128::from(m - n),
        (Time::Instant(s, n), Time::Instant(t, m)) => instants((*s, *n), (*t, *m)),
        (Time::ZonedDateTime(d, n, o, _), Time::ZonedDateTime(e, m, p, _))
        | (Time::OffsetDateTime(d, n, o), Time::OffsetDateTime(e, m, p)) => {
            instants(instant_of(*d, *n, *o), instant_of(*e, *m, *p))
        }
        (Time::LocalDate(_), Time::LocalDate(_)) => {
            return Err(Throw::exception(
                "UnsupportedTemporalTypeException",
                "Unsupported unit: Seconds",
            ));
        }
        _ => return Err(mixed()),
    })
}

fn mixed() -> Throw {
    Throw::Unsupported("measuring between these two classes of times is not covered".into())
}

/// `unit.between(a, b)`.
pub(super) fn between_values(a: &Value, b: &Value, unit: Unit) -> Eval<i64> {
    match (time(a, "Temporal")?, time(b, "Temporal")?) {
        (Time::LocalDate(d), Time::LocalDate(e)) => arithmetic::between_dates(*d, *e, unit),
        (Time::LocalDateTime(d, n), Time::LocalDateTime(e, m)) => arithmetic::between_locals((*d, *n), (*e, *m), unit),
        (Time::LocalTime(n), Time::LocalTime(m)) => unit
            .nanos()
            .map(|size| (m - n) / size)
            .ok_or_else(|| arithmetic::unsupported_unit(unit)),
        (Time::Instant(s, n), Time::Instant(t, m)) => arithmetic::between_instants((*s, *n), (*t, *m), unit),
        (Time::ZonedDateTime(d, n, o, zone), Time::ZonedDateTime(e, m, p, _)) => {
            let end = instant_of(*e, *m, *p);
            if unit.nanos().is_some() {
                return arithmetic::between_instants(instant_of(*d, *n, *o), end, unit);
            }
            let (days, nanos, _) = arithmetic::zoned_instant(end.0, end.1, zone);
            arithmetic::between_locals((*d, *n), (days, nanos), unit)
        }
        // The end is taken as the start's class knows it.
        (Time::LocalDate(d), Time::LocalDateTime(e, _)) => arithmetic::between_dates(*d, *e, unit),
        _ => Err(mixed()),
    }
}

fn named<T>(found: Option<T>, class: &str, name: &JStr) -> Eval<T> {
    found.ok_or_else(|| {
        Throw::exception(
            "IllegalArgumentException",
            format!("No enum constant java.time.{class}.{}", name.to_utf8()),
        )
    })
}

fn index_of(names: &[&str], name: &JStr) -> Option<u8> {
    names
        .iter()
        .position(|n| n.to_uppercase() == name.to_utf8())
        .map(|i| i as u8 + 1)
}

fn upper(names: &[&str], number: u8) -> JStr {
    JStr::new(&names[usize::from(number) - 1].to_uppercase())
}

/// The number `n` further in a circle of `size`, counted from 1.
fn around(number: u8, n: i64, size: i64) -> u8 {
    ((i64::from(number) - 1 + n % size).rem_euclid(size) + 1) as u8
}

/// The value of a week field on a day.
pub(super) fn week_field(days: i64, field: &WeekField) -> i64 {
    let (first, minimal, number) = field.0;
    match number {
        WeekNumber::Day => (civil::day_of_week(days) - first).rem_euclid(7) + 1,
        WeekNumber::OfWeekBasedYear => civil::week_of_year(days, first, minimal).1,
        WeekNumber::Year => civil::week_of_year(days, first, minimal).0,
        WeekNumber::OfYear => {
            let of_year = civil::day_of_year(days);
            let new_year = civil::day_of_week(days - of_year + 1);
            let into_week = (new_year - first).rem_euclid(7);
            let week = (of_year + into_week + 6) / 7;
            if 7 - into_week >= minimal { week } else { week - 1 }
        }
    }
}

fn length(month: u8, leap: bool) -> i32 {
    civil::month_length(if leap { 2000 } else { 2001 }, month.into()) as i32
}

statics!(
    /// `ChronoUnit`.
    UNIT, "static ChronoUnit", "ChronoUnit", cx;
    one "NANOS"() -> ChronoUnit = ChronoUnit(Unit::Nanos);
    one "MICROS"() -> ChronoUnit = ChronoUnit(Unit::Micros);
    one "MILLIS"() -> ChronoUnit = ChronoUnit(Unit::Millis);
    one "SECONDS"() -> ChronoUnit = ChronoUnit(Unit::Seconds);
    one "MINUTES"() -> ChronoUnit = ChronoUnit(Unit::Minutes);
    one "HOURS"() -> ChronoUnit = ChronoUnit(Unit::Hours);
    one "HALF_DAYS"() -> ChronoUnit = ChronoUnit(Unit::HalfDays);
    one "DAYS"() -> ChronoUnit = ChronoUnit(Unit::Days);
    one "WEEKS"() -> ChronoUnit = ChronoUnit(Unit::Weeks);
    one "MONTHS"() -> ChronoUnit = ChronoUnit(Unit::Months);
    one "YEARS"() -> ChronoUnit = ChronoUnit(Unit::Years);
    one "DECADES"() -> ChronoUnit = ChronoUnit(Unit::Decades);
    one "CENTURIES"() -> ChronoUnit = ChronoUnit(Unit::Centuries);
);

methods!(
    /// Methods of `ChronoUnit`.
    UNIT_METHODS, "ChronoUnit", x: ChronoUnit, cx;
    one "between"(a: Any, b: Any) -> Long throws "UnsupportedTemporalTypeException" "ArithmeticException" = between_values(a, b, x.0)?;
    one "toString"() -> String = JStr::new(x.0.text());
);

statics!(
    /// `DayOfWeek`.
    DAY_OF_WEEK, "static DayOfWeek", "DayOfWeek", cx;
    one "MONDAY"() -> DayOfWeek = DayOfWeek(1);
    one "TUESDAY"() -> DayOfWeek = DayOfWeek(2);
    one "WEDNESDAY"() -> DayOfWeek = DayOfWeek(3);
    one "THURSDAY"() -> DayOfWeek = DayOfWeek(4);
    one "FRIDAY"() -> DayOfWeek = DayOfWeek(5);
    one "SATURDAY"() -> DayOfWeek = DayOfWeek(6);
    one "SUNDAY"() -> DayOfWeek = DayOfWeek(7);
    one "of"(n: Int) -> DayOfWeek throws "DateTimeException" = DayOfWeek(arithmetic::checked_field("DayOfWeek", n.into(), 1, 7)? as u8);
    one "valueOf"(s: String) -> DayOfWeek throws "IllegalArgumentException" = DayOfWeek(named(index_of(&civil::DAYS, s), "DayOfWeek", s)?);
);

methods!(
    /// Methods of `DayOfWeek`.
    DAY_OF_WEEK_METHODS, "DayOfWeek", x: DayOfWeek, cx;
    one "getValue"() -> Int = x.0.into();
    one "ordinal"() -> Int = i32::from(x.0) - 1;
    one "name"() -> String = upper(&civil::DAYS, x.0);
    one "toString"() -> String = upper(&civil::DAYS, x.0);
    one "plus"(n: Long) -> DayOfWeek = DayOfWeek(around(x.0, n, 7));
    one "minus"(n: Long) -> DayOfWeek = DayOfWeek(around(x.0, -(n % 7), 7));
    one "compareTo"(y: DayOfWeek) -> Int = i32::from(x.0) - i32::from(y.0);
);

statics!(
    /// `Month`.
    MONTH, "static Month", "Month", cx;
    one "JANUARY"() -> Month = Month(1);
    one "FEBRUARY"() -> Month = Month(2);
    one "MARCH"() -> Month = Month(3);
    one "APRIL"() -> Month = Month(4);
    one "MAY"() -> Month = Month(5);
    one "JUNE"() -> Month = Month(6);
    one "JULY"() -> Month = Month(7);
    one "AUGUST"() -> Month = Month(8);
    one "SEPTEMBER"() -> Month = Month(9);
    one "OCTOBER"() -> Month = Month(10);
    one "NOVEMBER"() -> Month = Month(11);
    one "DECEMBER"() -> Month = Month(12);
    one "of"(n: Int) -> Month throws "DateTimeException" = Month(arithmetic::checked_field("MonthOfYear", n.into(), 1, 12)? as u8);
    one "valueOf"(s: String) -> Month throws "IllegalArgumentException" = Month(named(index_of(&civil::MONTHS, s), "Month", s)?);
);

methods!(
    /// Methods of `Month`.
    MONTH_METHODS, "Month", x: Month, cx;
    one "getValue"() -> Int = x.0.into();
    one "ordinal"() -> Int = i32::from(x.0) - 1;
    one "name"() -> String = upper(&civil::MONTHS, x.0);
    one "toString"() -> String = upper(&civil::MONTHS, x.0);
    one "plus"(n: Long) -> Month = Month(around(x.0, n, 12));
    one "minus"(n: Long) -> Month = Month(around(x.0, -(n % 12), 12));
    one "compareTo"(y: Month) -> Int = i32::from(x.0) - i32::from(y.0);
    one "length"(leap: Boolean) -> Int = length(x.0, leap);
    one "minLength"() -> Int = length(x.0, false);
    one "maxLength"() -> Int = length(x.0, true);
);

statics!(
    /// `Year`.
    YEAR, "static Year", "Year", cx;
    one "isLeap"(y: Long) -> Boolean = civil::is_leap(y);
);

fn year_month(year: i32, month: i32) -> Eval<YearMonth> {
    let year = arithmetic::checked_field("Year", year.into(), -arithmetic::MAX_YEAR, arithmetic::MAX_YEAR)?;
    let month = arithmetic::checked_field("MonthOfYear", month.into(), 1, 12)?;
    Ok(YearMonth(year * 12 + month - 1))
}

fn plus_months(x: &YearMonth, n: i64) -> Eval<YearMonth> {
    let months = arithmetic::overflow(x.0.checked_add(n))?;
    arithmetic::checked_field(
        "Year",
        months.div_euclid(12),
        -arithmetic::MAX_YEAR,
        arithmetic::MAX_YEAR,
    )?;
    Ok(YearMonth(months))
}

fn month_of(x: &YearMonth) -> (i64, i64) {
    (x.0.div_euclid(12), x.0.rem_euclid(12) + 1)
}

fn day_in(x: &YearMonth, day: i64) -> Eval<LocalDate> {
    let (year, month) = month_of(x);
    Ok(LocalDate(arithmetic::date(year, month, day)?))
}

fn last_day(x: &YearMonth) -> i64 {
    let (year, month) = month_of(x);
    civil::month_length(year, month)
}

statics!(
    /// `YearMonth`.
    YEAR_MONTH, "static YearMonth", "YearMonth", cx;
    one "of"(y: Int, m: Int) -> YearMonth throws "DateTimeException" = year_month(y, m)?;
    one "from"(d: LocalDate) -> YearMonth = YearMonth(civil::date_of(d.0).0 * 12 + civil::date_of(d.0).1 - 1);
);

methods!(
    /// Methods of `YearMonth`.
    YEAR_MONTH_METHODS, "YearMonth", x: YearMonth, cx;
    one "getYear"() -> Int = month_of(&x).0 as i32;
    one "getMonthValue"() -> Int = month_of(&x).1 as i32;
    one "getMonth"() -> Month = Month(month_of(&x).1 as u8);
    one "lengthOfMonth"() -> Int = last_day(&x) as i32;
    one "atDay"(d: Int) -> LocalDate throws "DateTimeException" = day_in(&x, d.into())?;
    one "atEndOfMonth"() -> LocalDate = day_in(&x, last_day(&x))?;
    one "plusMonths"(n: Long) -> YearMonth throws "DateTimeException" "ArithmeticException" = plus_months(&x, n)?;
    one "minusMonths"(n: Long) -> YearMonth throws "DateTimeException" "ArithmeticException" = plus_months(&x, arithmetic::overflow(n.checked_neg())?)?;
    one "plusYears"(n: Long) -> YearMonth throws "DateTimeException" "ArithmeticException" = plus_months(&x, arithmetic::overflow(n.checked_mul(12))?)?;
    one "isBefore"(y: YearMonth) -> Boolean = x.0 < y.0;
    one "isAfter"(y: YearMonth) -> Boolean = x.0 > y.0;
    one "toString"() -> String = JStr::new(&text::of(&Time::YearMonth(x.0)).unwrap_or_default());
);

statics!(
    /// `WeekFields`; of locales only `Locale.US` and those like it.
    WEEK_FIELDS, "static WeekFields", "WeekFields", cx;
    one "ISO"() -> WeekFields = WeekFields((1, 4));
    one "SUNDAY_START"() -> WeekFields = WeekFields((7, 1));
    over "of"(first: DayOfWeek, minimal: Int) -> WeekFields = WeekFields((first.0.into(), minimal.into()));
    over "of"(locale: ("Locale")) -> WeekFields = super::format::week_fields(locale)?;
);

methods!(
    /// Methods of `WeekFields`.
    WEEK_FIELDS_METHODS, "WeekFields", x: WeekFields, cx;
    one "weekOfYear"() -> WeekField = WeekField((x.0.0, x.0.1, WeekNumber::OfYear));
    one "weekOfWeekBasedYear"() -> WeekField = WeekField((x.0.0, x.0.1, WeekNumber::OfWeekBasedYear));
    one "weekBasedYear"() -> WeekField = WeekField((x.0.0, x.0.1, WeekNumber::Year));
    one "dayOfWeek"() -> WeekField = WeekField((x.0.0, x.0.1, WeekNumber::Day));
);
