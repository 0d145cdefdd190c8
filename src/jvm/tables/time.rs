//! Rows for `java.time`, `java.sql.Date`, `java.sql.Timestamp`.
//!
//! `Date` is `java.sql.Date`; `java.util.Date` is `UtilDate`. The JVM's default zone is the session's.

pub mod classes;
mod format;
mod instant;
mod local_date;
mod local_date_time;
mod local_time;
mod names;
mod sql;
mod zoned;

use crate::jvm::table::Method;

/// The rows, by group.
pub static GROUPS: &[&[Method]] = &[
    local_date::STATIC,
    local_date::METHODS,
    local_time::STATIC,
    local_time::METHODS,
    local_date_time::STATIC,
    local_date_time::METHODS,
    instant::STATIC,
    instant::METHODS,
    instant::DURATION,
    instant::DURATION_METHODS,
    instant::PERIOD,
    instant::PERIOD_METHODS,
    zoned::ZONE_ID,
    zoned::ZONE_ID_METHODS,
    zoned::ZONE_OFFSET,
    zoned::ZONE_OFFSET_METHODS,
    zoned::STATIC,
    zoned::METHODS,
    zoned::OFFSET_STATIC,
    zoned::OFFSET_METHODS,
    names::UNIT,
    names::UNIT_METHODS,
    names::DAY_OF_WEEK,
    names::DAY_OF_WEEK_METHODS,
    names::MONTH,
    names::MONTH_METHODS,
    names::YEAR,
    names::YEAR_MONTH,
    names::YEAR_MONTH_METHODS,
    names::WEEK_FIELDS,
    names::WEEK_FIELDS_METHODS,
    format::FORMATTER,
    format::FORMATTER_METHODS,
    format::SIMPLE,
    format::SIMPLE_METHODS,
    sql::DATE,
    sql::NEW_DATE,
    sql::DATE_METHODS,
    sql::TIMESTAMP,
    sql::NEW_TIMESTAMP,
    sql::TIMESTAMP_METHODS,
    sql::NEW_UTIL_DATE,
    sql::UTIL_DATE_METHODS,
];
