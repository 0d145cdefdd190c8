//! What Spark SQL does with days since 1970-01-01 and local microseconds: dates that exist, months added, ISO weeks, texts.

use crate::jvm::time::civil::{date_of, day_of_week, week_of_year};
pub use crate::jvm::time::civil::{day_of_year, days_of, month_length};

/// Microseconds of a day.
pub const DAY: i64 = 86_400_000_000;

/// A local date and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Civil {
    /// Proleptic year.
    pub year: i64,
    /// 1 to 12.
    pub month: i64,
    /// 1 to 31.
    pub day: i64,
}

/// Whole days, rounded down.
pub fn floor_days(micros: i64) -> i64 {
    micros.div_euclid(DAY)
}

/// The date of a day number.
pub fn civil(days: i64) -> Civil {
    let (year, month, day) = date_of(days);
    Civil { year, month, day }
}

/// Days of a date that exists.
pub fn checked_days(year: i64, month: i64, day: i64) -> Option<i64> {
    ((1..=12).contains(&month) && day >= 1 && day <= month_length(year, month) && year.abs() <= 999_999_999)
        .then(|| days_of(year, month, day))
}

/// 0 for Monday to 6 for Sunday.
pub fn weekday(days: i64) -> i64 {
    day_of_week(days) - 1
}

/// `plusMonths`: the day is clipped to the length of the month.
pub fn add_months(days: i64, months: i64) -> i64 {
    let c = civil(days);
    let total = c.year * 12 + c.month - 1 + months;
    let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
    days_of(year, month, c.day.min(month_length(year, month)))
}

/// ISO week of the year.
pub fn iso_week(days: i64) -> i64 {
    week_of_year(days, 1, 4).1
}

/// The year to which the ISO week belongs.
pub fn iso_year(days: i64) -> i64 {
    week_of_year(days, 1, 4).0
}

/// A year as `java.time` writes it: four digits, a sign before more or before a negative one.
pub fn year_text(year: i64) -> String {
    match year {
        10_000.. => format!("+{year}"),
        0..=9999 => format!("{year:04}"),
        _ => format!("-{:04}", -year),
    }
}

/// `yyyy-MM-dd`.
pub fn date_text(days: i64) -> String {
    let c = civil(days);
    format!("{}-{:02}-{:02}", year_text(c.year), c.month, c.day)
}

/// `yyyy-MM-dd HH:mm:ss` and the fraction without its trailing zeros.
pub fn timestamp_text(local: i64) -> String {
    let time = local.rem_euclid(DAY);
    let secs = time / 1_000_000;
    let (h, m, s) = (secs / 3600, secs / 60 % 60, secs % 60);
    let mut out = format!("{} {h:02}:{m:02}:{s:02}", date_text(floor_days(local)));
    let micros = time % 1_000_000;
    if micros != 0 {
        out.push_str(format!(".{micros:06}").trim_end_matches('0'));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_inverse() {
        for d in [-719_528, -1, 0, 11_016, 19_782, 2_932_896, -1_000_000, 100_000_000] {
            let c = civil(d);
            assert_eq!(days_of(c.year, c.month, c.day), d);
        }
        assert_eq!(date_text(19_782), "2024-02-29");
        assert_eq!(weekday(0), 3);
    }
}
