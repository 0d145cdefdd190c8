//! `java.time`, `java.sql.Date` and `java.sql.Timestamp` values.

/// A date or time object.
#[derive(Debug, Clone, PartialEq)]
pub enum Time {
    /// `java.time.LocalDate`: days since 1970-01-01.
    LocalDate(i64),
    /// `java.sql.Date`: its local date (proleptic Gregorian days, as Spark stores them).
    SqlDate(i64),
    /// `java.sql.Timestamp`: microseconds since the epoch, as Spark stores them, and the nanoseconds below a microsecond.
    SqlTimestamp { micros: i64, sub_nanos: u16 },
    /// `java.time.Instant`: seconds and nanoseconds.
    Instant(i64, u32),
}
