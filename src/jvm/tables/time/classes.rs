//! The classes of `java.time` and `java.sql` as row types: from and to [`Value`].

use crate::jvm::args;
use crate::jvm::object::{Object, Other};
use crate::jvm::rows::{Class, object};
use crate::jvm::time::formatter::Formatter;
use crate::jvm::time::simple_format::SimpleFormat;
use crate::jvm::time::{Time, Unit, Zone};
use crate::jvm::value::{Eval, Value};

/// The date or time object of a value; null throws.
pub fn time<'a>(value: &'a Value, wanted: &str) -> Eval<&'a Time> {
    match args::object(value)? {
        Object::Time(time) => Ok(time),
        _ => Err(args::mismatch(wanted, value)),
    }
}

/// A date or time object as a value.
pub fn put_time(time: Time) -> Value {
    object(Object::Time(time))
}

macro_rules! time_class {
    ($(#[$doc:meta])* $name:ident($($field:ident: $ty:ty),*)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name($(pub $ty),*);

        impl Class for $name {
            fn get(value: &Value) -> Eval<Self> {
                match time(value, stringify!($name))? {
                    Time::$name($($field),*) => Ok($name($($field.clone()),*)),
                    _ => Err(args::mismatch(stringify!($name), value)),
                }
            }
            fn put(self) -> Value {
                let $name($($field),*) = self;
                put_time(Time::$name($($field),*))
            }
        }
    };
}

time_class!(
    /// Days.
    LocalDate(days: i64)
);
time_class!(
    /// Nanoseconds of the day.
    LocalTime(nanos: i64)
);
time_class!(
    /// Days and nanoseconds of the day.
    LocalDateTime(days: i64, nanos: i64)
);
time_class!(
    /// Seconds and nanoseconds.
    Instant(seconds: i64, nanos: u32)
);
time_class!(
    /// Days, nanoseconds of the day, offset, zone.
    ZonedDateTime(days: i64, nanos: i64, offset: i32, zone: Zone)
);
time_class!(
    /// Days, nanoseconds of the day, offset.
    OffsetDateTime(days: i64, nanos: i64, offset: i32)
);
time_class!(
    /// Seconds and nanoseconds.
    Duration(seconds: i64, nanos: u32)
);
time_class!(
    /// Years, months, days.
    Period(years: i32, months: i32, days: i32)
);
time_class!(
    /// Monday is 1.
    DayOfWeek(day: u8)
);
time_class!(
    /// January is 1.
    Month(month: u8)
);
time_class!(
    /// Months since year 0.
    YearMonth(months: i64)
);
time_class!(
    /// Milliseconds.
    UtilDate(millis: i64)
);

macro_rules! same_class {
    ($(#[$doc:meta])* $name:ident, $variant:ident, $inner:ty) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name(pub $inner);

        impl Class for $name {
            fn get(value: &Value) -> Eval<Self> {
                match time(value, stringify!($name))? {
                    Time::$variant(inner) => Ok($name(inner.clone())),
                    _ => Err(args::mismatch(stringify!($name), value)),
                }
            }
            fn put(self) -> Value {
                put_time(Time::$variant(self.0))
            }
        }
    };
}

same_class!(
    /// Any zone.
    ZoneId, Zone, Zone
);
same_class!(
    /// A fixed one.
    ZoneOffset, Zone, Zone
);
same_class!(
    /// A unit.
    ChronoUnit, Unit, Unit
);

/// `java.sql.Date`: either of its forms.
#[derive(Debug, Clone, PartialEq)]
pub struct Date(pub Time);

impl Class for Date {
    fn get(value: &Value) -> Eval<Self> {
        match time(value, "Date")? {
            date @ (Time::SqlDate(_) | Time::SqlDateAt(_)) => Ok(Date(date.clone())),
            _ => Err(args::mismatch("Date", value)),
        }
    }
    fn put(self) -> Value {
        put_time(self.0)
    }
}

/// `java.sql.Timestamp`: stored microseconds and nanoseconds below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub i128, pub u16);

impl Class for Timestamp {
    fn get(value: &Value) -> Eval<Self> {
        match time(value, "Timestamp")? {
            Time::SqlTimestamp { micros, sub_nanos } => Ok(Timestamp(*micros, *sub_nanos)),
            _ => Err(args::mismatch("Timestamp", value)),
        }
    }
    fn put(self) -> Value {
        put_time(Time::SqlTimestamp {
            micros: self.0,
            sub_nanos: self.1,
        })
    }
}

macro_rules! other_class {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name(pub $inner);

        impl Other for $name {
            fn class_name(&self) -> &'static str {
                stringify!($name)
            }
            fn as_any(&self) -> &dyn std::any::Any {
                self
            }
        }

        impl Class for $name {
            fn get(value: &Value) -> Eval<Self> {
                match args::object(value)? {
                    Object::Other(other) => other.as_any().downcast_ref::<$name>().cloned(),
                    _ => None,
                }
                .ok_or_else(|| args::mismatch(stringify!($name), value))
            }
            fn put(self) -> Value {
                object(Object::Other(Box::new(self)))
            }
        }
    };
}

other_class!(
    /// A formatter.
    DateTimeFormatter(Formatter)
);
other_class!(
    /// An old formatter.
    SimpleDateFormat(SimpleFormat)
);
/// `TemporalField` of `WeekFields`: first day of the week, its minimal days, and which number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeekNumber {
    /// `weekOfYear`.
    OfYear,
    /// `weekOfWeekBasedYear`.
    OfWeekBasedYear,
    /// `weekBasedYear`.
    Year,
    /// `dayOfWeek`.
    Day,
}
other_class!(
    /// First day (Monday is 1) and minimal days.
    WeekFields((i64, i64))
);
other_class!(
    /// A field of week numbering.
    WeekField((i64, i64, WeekNumber))
);
