//! `java.time`, `java.sql.Date` and `java.sql.Timestamp`. In and out: plain numbers and [`Time`] values, exact as in JDK 17
//! with an English (US) locale. Never reads the clock.

pub mod arithmetic;
pub mod civil;
pub mod formatter;
pub mod legacy;
pub mod parse;
pub mod print;
pub mod simple_format;
pub mod text;
pub mod zone;

pub use arithmetic::Unit;
pub use zone::Zone;

/// Nanoseconds of a second.
pub const NANOS_PER_SECOND: i64 = 1_000_000_000;
/// Nanoseconds of a day.
pub const NANOS_PER_DAY: i64 = 86_400 * NANOS_PER_SECOND;

/// A date or time object.
#[derive(Debug, Clone, PartialEq)]
pub enum Time {
    /// `java.time.LocalDate`: days since 1970-01-01.
    LocalDate(i64),
    /// `java.time.LocalTime`: nanoseconds of the day.
    LocalTime(i64),
    /// `java.time.LocalDateTime`: days and nanoseconds of the day.
    LocalDateTime(i64, i64),
    /// `java.sql.Date` that is a day: its local date (proleptic Gregorian days, as Spark stores them).
    SqlDate(i64),
    /// `java.sql.Date` made from milliseconds that are not the beginning of a day; Spark stores its local date, which
    /// [`legacy::stored_days`] gives.
    SqlDateAt(i64),
    /// `java.util.Date`: milliseconds.
    UtilDate(i64),
    /// `java.sql.Timestamp`: microseconds since the epoch, as Spark stores them, and the nanoseconds below a microsecond.
    SqlTimestamp { micros: i128, sub_nanos: u16 },
    /// `java.time.Instant`: seconds and nanoseconds.
    Instant(i64, u32),
    /// `java.time.ZonedDateTime`: days, nanoseconds of the day, seconds east of UTC, zone.
    ZonedDateTime(i64, i64, i32, Zone),
    /// `java.time.OffsetDateTime`: days, nanoseconds of the day, seconds east of UTC.
    OffsetDateTime(i64, i64, i32),
    /// `ZoneId`, `ZoneOffset`.
    Zone(Zone),
    /// `java.time.Duration`: seconds and nanoseconds.
    Duration(i64, u32),
    /// `java.time.Period`: years, months, days.
    Period(i32, i32, i32),
    /// `java.time.DayOfWeek`: Monday is 1.
    DayOfWeek(u8),
    /// `java.time.Month`: January is 1.
    Month(u8),
    /// `java.time.YearMonth`: months since year 0.
    YearMonth(i64),
    /// `java.time.temporal.ChronoUnit`.
    Unit(Unit),
}

impl Time {
    /// Simple class name, under which rows are found.
    pub fn class_name(&self) -> &'static str {
        match self {
            Time::LocalDate(_) => "LocalDate",
            Time::LocalTime(_) => "LocalTime",
            Time::LocalDateTime(..) => "LocalDateTime",
            Time::SqlDate(_) | Time::SqlDateAt(_) => "Date",
            Time::UtilDate(_) => "UtilDate",
            Time::SqlTimestamp { .. } => "Timestamp",
            Time::Instant(..) => "Instant",
            Time::ZonedDateTime(..) => "ZonedDateTime",
            Time::OffsetDateTime(..) => "OffsetDateTime",
            Time::Zone(zone) if zone.is_offset => "ZoneOffset",
            Time::Zone(_) => "ZoneId",
            Time::Duration(..) => "Duration",
            Time::Period(..) => "Period",
            Time::DayOfWeek(_) => "DayOfWeek",
            Time::Month(_) => "Month",
            Time::YearMonth(_) => "YearMonth",
            Time::Unit(_) => "ChronoUnit",
        }
    }
}

#[cfg(test)]
mod tests;
