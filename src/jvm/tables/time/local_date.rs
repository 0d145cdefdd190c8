//! `LocalDate`.

use super::classes::*;
use super::format::{day_field, known_of, parsed_date};
use crate::jvm::rows::{methods, statics};
use crate::jvm::text::JStr;
use crate::jvm::time::{Zone, arithmetic, civil, print, text};
use crate::jvm::value::{Eval, Value};

/// Days of a `LocalDate` argument.
pub(super) fn days(value: &Value) -> Eval<i64> {
    <LocalDate as crate::jvm::rows::Class>::get(value).map(|d| d.0)
}

/// `minus` is `plus` of the opposite, also of the least number.
pub(super) fn opposite(n: i64) -> Eval<i64> {
    arithmetic::overflow(n.checked_neg())
}

fn at_start(days: i64, zone: &Zone) -> ZonedDateTime {
    let (d, n, o) = arithmetic::zoned(days, 0, zone, None);
    ZonedDateTime(d, n, o, zone.clone())
}

fn year_day(year: i64, day: i64) -> Eval<i64> {
    arithmetic::checked_field("Year", year, -arithmetic::MAX_YEAR, arithmetic::MAX_YEAR)?;
    arithmetic::checked_field("DayOfYear", day, 1, 366)?;
    if day == 366 && !civil::is_leap(year) {
        return Err(arithmetic::date_time(format!(
            "Invalid date 'DayOfYear 366' as '{year}' is not a leap year"
        )));
    }
    Ok(civil::days_of(year, 1, 1) + day - 1)
}

statics!(
    /// Static methods.
    STATIC, "static LocalDate", "LocalDate", cx;
    over "of"(y: Int, m: Int, d: Int) -> LocalDate throws "DateTimeException" = LocalDate(arithmetic::date(y.into(), m.into(), d.into())?);
    over "of"(y: Int, m: Month, d: Int) -> LocalDate throws "DateTimeException" = LocalDate(arithmetic::date(y.into(), m.0.into(), d.into())?);
    one "ofEpochDay"(n: Long) -> LocalDate throws "DateTimeException" = LocalDate(arithmetic::checked_day(n)?);
    one "ofYearDay"(y: Int, n: Int) -> LocalDate throws "DateTimeException" = LocalDate(year_day(y.into(), n.into())?);
    over "ofInstant"(at: Instant, z: ZoneId) -> LocalDate = LocalDate(arithmetic::zoned_instant(at.0, at.1, &z.0).0);
    over "ofInstant"(at: Instant, z: ZoneOffset) -> LocalDate = LocalDate(arithmetic::zoned_instant(at.0, at.1, &z.0).0);
    over "parse"(s: ("String")) -> LocalDate throws "DateTimeParseException" = LocalDate(parsed_date(s, None)?);
    over "parse"(s: ("String"), f: DateTimeFormatter) -> LocalDate throws "DateTimeParseException" = LocalDate(parsed_date(s, Some(&f.0))?);
    one "EPOCH"() -> LocalDate = LocalDate(0);
    one "MIN"() -> LocalDate = LocalDate(civil::days_of(-arithmetic::MAX_YEAR, 1, 1));
    one "MAX"() -> LocalDate = LocalDate(civil::days_of(arithmetic::MAX_YEAR, 12, 31));
);

methods!(
    /// Methods.
    METHODS, "LocalDate", x: LocalDate, cx;
    one "getYear"() -> Int = civil::date_of(x.0).0 as i32;
    one "getMonthValue"() -> Int = civil::date_of(x.0).1 as i32;
    one "getMonth"() -> Month = Month(civil::date_of(x.0).1 as u8);
    one "getDayOfMonth"() -> Int = civil::date_of(x.0).2 as i32;
    one "getDayOfYear"() -> Int = civil::day_of_year(x.0) as i32;
    one "getDayOfWeek"() -> DayOfWeek = DayOfWeek(civil::day_of_week(x.0) as u8);
    one "lengthOfMonth"() -> Int = civil::month_length(civil::date_of(x.0).0, civil::date_of(x.0).1) as i32;
    one "lengthOfYear"() -> Int = if civil::is_leap(civil::date_of(x.0).0) { 366 } else { 365 };
    one "isLeapYear"() -> Boolean = civil::is_leap(civil::date_of(x.0).0);
    one "toEpochDay"() -> Long = x.0;
    one "isBefore"(y: Any) -> Boolean = x.0 < days(y)?;
    one "isAfter"(y: Any) -> Boolean = x.0 > days(y)?;
    one "isEqual"(y: Any) -> Boolean = x.0 == days(y)?;
    one "compareTo"(y: Any) -> Int = compare(x.0, days(y)?);
    one "hashCode"() -> Int = hash(x.0);
    one "toString"() -> String = JStr::new(&text::date(x.0));
    one "plusDays"(n: Long) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(arithmetic::plus_date(x.0, n, arithmetic::Unit::Days)?);
    one "minusDays"(n: Long) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(arithmetic::plus_date(x.0, opposite(n)?, arithmetic::Unit::Days)?);
    one "plusWeeks"(n: Long) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(arithmetic::plus_date(x.0, n, arithmetic::Unit::Weeks)?);
    one "minusWeeks"(n: Long) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(arithmetic::plus_date(x.0, opposite(n)?, arithmetic::Unit::Weeks)?);
    one "plusMonths"(n: Long) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(arithmetic::plus_date(x.0, n, arithmetic::Unit::Months)?);
    one "minusMonths"(n: Long) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(arithmetic::plus_date(x.0, opposite(n)?, arithmetic::Unit::Months)?);
    one "plusYears"(n: Long) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(arithmetic::plus_date(x.0, n, arithmetic::Unit::Years)?);
    one "minusYears"(n: Long) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(arithmetic::plus_date(x.0, opposite(n)?, arithmetic::Unit::Years)?);
    over "plus"(n: Long, u: ChronoUnit) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(arithmetic::plus_date(x.0, n, u.0)?);
    over "minus"(n: Long, u: ChronoUnit) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(arithmetic::plus_date(x.0, opposite(n)?, u.0)?);
    over "plus"(p: Period) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(plus_period(x.0, &p, 1)?);
    over "minus"(p: Period) -> LocalDate throws "DateTimeException" "ArithmeticException" = LocalDate(plus_period(x.0, &p, -1)?);
    one "withYear"(n: Int) -> LocalDate throws "DateTimeException" = LocalDate(with(x.0, Some(n), None, None)?);
    one "withMonth"(n: Int) -> LocalDate throws "DateTimeException" = LocalDate(with(x.0, None, Some(n), None)?);
    one "withDayOfMonth"(n: Int) -> LocalDate throws "DateTimeException" = LocalDate(with(x.0, None, None, Some(n))?);
    one "withDayOfYear"(n: Int) -> LocalDate throws "DateTimeException" = LocalDate(year_day(civil::date_of(x.0).0, n.into())?);
    over "until"(y: Any) -> Period = period(x.0, days(y)?);
    over "until"(y: Any, u: ChronoUnit) -> Long throws "DateTimeException" "ArithmeticException" = arithmetic::between_dates(x.0, days(y)?, u.0)?;
    over "atStartOfDay"() -> LocalDateTime = LocalDateTime(x.0, 0);
    over "atStartOfDay"(z: ZoneId) -> ZonedDateTime = at_start(x.0, &z.0);
    over "atStartOfDay"(z: ZoneOffset) -> ZonedDateTime = at_start(x.0, &z.0);
    over "atTime"(h: Int, m: Int) -> LocalDateTime throws "DateTimeException" = LocalDateTime(x.0, arithmetic::time(h.into(), m.into(), 0, 0)?);
    over "atTime"(h: Int, m: Int, s: Int) -> LocalDateTime throws "DateTimeException" = LocalDateTime(x.0, arithmetic::time(h.into(), m.into(), s.into(), 0)?);
    over "atTime"(t: LocalTime) -> LocalDateTime = LocalDateTime(x.0, t.0);
    one "format"(f: DateTimeFormatter) -> String throws "DateTimeException" = JStr::new(&print::format(&f.0, &known_of(&crate::jvm::time::Time::LocalDate(x.0)))?);
    over "get"(f: WeekField) -> Int = day_field(x.0, &f) as i32;
    over "getLong"(f: WeekField) -> Long = day_field(x.0, &f);
);

/// Java's `compareTo`: the difference of the first part that differs.
pub(super) fn compare(a: i64, b: i64) -> i32 {
    let ((y1, m1, d1), (y2, m2, d2)) = (civil::date_of(a), civil::date_of(b));
    let difference = if y1 != y2 {
        y1 - y2
    } else if m1 != m2 {
        m1 - m2
    } else {
        d1 - d2
    };
    difference as i32
}

/// `hashCode`.
pub(super) fn hash(days: i64) -> i32 {
    let (year, month, day) = civil::date_of(days);
    let (year, month, day) = (year as i32, month as i32, day as i32);
    (year & -2048) ^ ((year << 11).wrapping_add(month << 6).wrapping_add(day))
}

/// `plus(Period)`: months first, then days.
pub(super) fn plus_period(days: i64, period: &Period, sign: i64) -> Eval<i64> {
    let months = i64::from(period.0) * 12 + i64::from(period.1);
    let moved = if months == 0 {
        days
    } else {
        arithmetic::plus_months(days, sign * months)?
    };
    arithmetic::plus_days(moved, sign * i64::from(period.2))
}

/// `Period.between`.
pub(super) fn period(start: i64, end: i64) -> Period {
    let (years, months, days) = arithmetic::period_between(start, end);
    Period(years as i32, months as i32, days as i32)
}

/// `withYear` and its kin: year and month cut the day off, the day of the month must exist.
pub(super) fn with(days: i64, year: Option<i32>, month: Option<i32>, day: Option<i32>) -> Eval<i64> {
    let (y, m, d) = civil::date_of(days);
    if let Some(day) = day {
        return arithmetic::date(y, m, day.into());
    }
    let month = arithmetic::checked_field("MonthOfYear", month.map_or(m, i64::from), 1, 12)?;
    arithmetic::clipped_date(year.map_or(y, i64::from), month, d)
}
