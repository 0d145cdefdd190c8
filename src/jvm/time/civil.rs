//! Calendar arithmetic on plain numbers: days since 1970-01-01 against year, month and day, in the proleptic Gregorian calendar
//! of `java.time` and in the Julian one. Never checks ranges; callers do.

/// Days since 1970-01-01 of a date of the proleptic Gregorian calendar.
pub fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    y * 365 + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400) + (153 * shifted + 2) / 5 + day - 1 - 719_468
}

/// Year, month and day of a day of the proleptic Gregorian calendar.
pub fn date_of(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoe + era * 400 + i64::from(month <= 2), month, day)
}

/// Days since 1970-01-01 of a date of the Julian calendar.
pub fn julian_days_of(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    y * 365 + y.div_euclid(4) + (153 * shifted + 2) / 5 + day - 1 - 719_470
}

/// Year, month and day of a day of the Julian calendar.
pub fn julian_date_of(days: i64) -> (i64, i64, i64) {
    let z = days + 719_470;
    let cycle = z.div_euclid(1461);
    let rest = z.rem_euclid(1461);
    let yoc = (rest - rest / 1460) / 365;
    let doy = rest - 365 * yoc;
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoc + cycle * 4 + i64::from(month <= 2), month, day)
}

/// Leap year of the proleptic Gregorian calendar.
pub fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Number of days of a month.
pub fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Day of the week, Monday is 1.
pub fn day_of_week(days: i64) -> i64 {
    (days + 3).rem_euclid(7) + 1
}

/// Day of the year, from 1.
pub fn day_of_year(days: i64) -> i64 {
    days - days_of(date_of(days).0, 1, 1) + 1
}

/// The week-based year and its week, for weeks that begin on `first` (Monday is 1) and of which the first of a year has at
/// least `minimal` days in it.
pub fn week_of_year(days: i64, first: i64, minimal: i64) -> (i64, i64) {
    let year = date_of(days).0;
    for candidate in [year + 1, year, year - 1] {
        let start = week_year_start(candidate, first, minimal);
        if days >= start {
            return (candidate, (days - start) / 7 + 1);
        }
    }
    (year, 1)
}

/// The first day of the first week of a week-based year.
fn week_year_start(year: i64, first: i64, minimal: i64) -> i64 {
    let new_year = days_of(year, 1, 1);
    let into_week = (day_of_week(new_year) - first).rem_euclid(7);
    let in_year = 7 - into_week;
    if in_year >= minimal {
        new_year - into_week
    } else {
        new_year + in_year
    }
}

/// Names of the months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Names of the days of the week.
pub const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// The constants of `java.time.Month`, January first.
pub const MONTH_CONSTANTS: [&str; 12] = [
    "JANUARY",
    "FEBRUARY",
    "MARCH",
    "APRIL",
    "MAY",
    "JUNE",
    "JULY",
    "AUGUST",
    "SEPTEMBER",
    "OCTOBER",
    "NOVEMBER",
    "DECEMBER",
];

/// The constants of `java.time.DayOfWeek`, Monday first.
pub const DAY_CONSTANTS: [&str; 7] = [
    "MONDAY",
    "TUESDAY",
    "WEDNESDAY",
    "THURSDAY",
    "FRIDAY",
    "SATURDAY",
    "SUNDAY",
];
