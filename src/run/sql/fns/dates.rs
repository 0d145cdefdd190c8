//! Dates: fields, days, months, and their differences.

use super::super::calendar::{
    DAY, add_months, checked_days, civil, day_of_year, days_of, floor_days, iso_week, iso_year, month_length, weekday,
};
use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::{apply, lacks};
use super::super::ty::Ty;
use super::super::val::Val;
use super::{own, strict};

/// Defines a function from a day number to INT.
macro_rules! part {
    ($name:literal, $f:expr) => {
        strict($name, "D -> i", |_, a| Ok(Val::I32($f(a[0].long()) as i32)))
    };
}

/// The functions of this file.
pub const TABLE: &[Def] = &[
    part!("year", |d| civil(d).year),
    part!("month", |d| civil(d).month),
    part!("day", |d| civil(d).day),
    part!("quarter", |d| (civil(d).month - 1) / 3 + 1),
    part!("dayofyear", day_of_year),
    part!("dayofweek", |d| (weekday(d) + 1) % 7 + 1),
    part!("weekday", weekday),
    part!("weekofyear", iso_week),
    part!("unix_date", |d| d),
    strict("date_from_unix_date", "i -> D", |_, a| Ok(Val::Date(a[0].int()))),
    own("date_add", Nulls::Strict, plus_sig, |_, a| {
        Ok(Val::Date(a[0].int().wrapping_add(a[1].int())))
    }),
    own("date_sub", Nulls::Strict, plus_sig, |_, a| {
        Ok(Val::Date(a[0].int().wrapping_sub(a[1].int())))
    }),
    strict("datediff", "D D -> i", |_, a| {
        Ok(Val::I32(a[0].int().wrapping_sub(a[1].int())))
    }),
    strict("add_months", "D i -> D", |_, a| {
        date(add_months(a[0].long(), a[1].long()))
    }),
    strict("last_day", "D -> D", |_, a| {
        let c = civil(a[0].long());
        date(days_of(c.year, c.month, month_length(c.year, c.month)))
    }),
    strict("next_day", "D s -> D", next_day),
    strict("trunc", "D s -> D", trunc),
    strict("make_date", "i i i -> D", make_date),
    strict("months_between", "T T b? -> d", months_between),
    own(
        "[days-]",
        Nulls::Strict,
        |_, _| Ok(Ty::Day),
        |_, a| Ok(Val::Dt((a[0].long() - a[1].long()) * DAY)),
    ),
    own("date_part", Nulls::Strict, part_sig, date_part),
];

fn date<'a>(days: i64) -> RowResult<Val<'a>> {
    i32::try_from(days)
        .map(Val::Date)
        .map_err(|_| Stop::Throw(exc::JVM_ARITHMETIC))
}

/// A day count is TINYINT to INT; a string only as a constant that holds an integer.
fn plus_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if let Some(n) = args.get(1)
        && !(n.ty.is_integral() && n.ty != Ty::I64)
        && !matches!(n.ty, Ty::Null | Ty::Str)
    {
        return Err(format!("the number of days is an INT, found {}", n.ty));
    }
    apply("D i -> D", args, ansi)
}

/// 0 for Monday, from the names and abbreviations of weekdays.
fn weekday_of(name: &str) -> Option<i64> {
    Some(match name.to_ascii_uppercase().as_str() {
        "MO" | "MON" | "MONDAY" => 0,
        "TU" | "TUE" | "TUESDAY" => 1,
        "WE" | "WED" | "WEDNESDAY" => 2,
        "TH" | "THU" | "THURSDAY" => 3,
        "FR" | "FRI" | "FRIDAY" => 4,
        "SA" | "SAT" | "SATURDAY" => 5,
        "SU" | "SUN" | "SUNDAY" => 6,
        _ => return None,
    })
}

fn next_day<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    match weekday_of(a[1].str()) {
        Some(w) => {
            let d = a[0].long();
            date(d + 1 + (w - weekday(d) - 1).rem_euclid(7))
        }
        None if c.rt.ansi => Err(Stop::Throw(exc::SPARK_ILLEGAL_ARGUMENT)),
        None => Ok(Val::Null),
    }
}

/// The first day of the period that a unit names, for periods of a week and more.
pub fn start_of(days: i64, unit: &str) -> Option<i64> {
    let c = civil(days);
    Some(match unit {
        "YEAR" | "YYYY" | "YY" => days_of(c.year, 1, 1),
        "QUARTER" => days_of(c.year, (c.month - 1) / 3 * 3 + 1, 1),
        "MONTH" | "MM" | "MON" => days_of(c.year, c.month, 1),
        "WEEK" => days - weekday(days),
        _ => return None,
    })
}

fn trunc<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    match start_of(a[0].long(), &a[1].str().to_ascii_uppercase()) {
        Some(d) => date(d),
        None => Ok(Val::Null),
    }
}

fn make_date<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    match checked_days(a[0].long(), a[1].long(), a[2].long()) {
        Some(d) => date(d),
        None if c.rt.ansi => Err(Stop::Throw(exc::DATE_TIME)),
        None => Ok(Val::Null),
    }
}

/// Whole months when the days are equal or both the last; else a fraction of 31 days, rounded to 8 places.
fn months_between<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let local = |v: &Val| c.rt.zone.to_local(v.long());
    let (t1, t2) = (local(&a[0]), local(&a[1]));
    let (d1, d2) = (floor_days(t1), floor_days(t2));
    let (c1, c2) = (civil(d1), civil(d2));
    let months = ((c1.year * 12 + c1.month) - (c2.year * 12 + c2.month)) as f64;
    let to_end = |c: super::super::calendar::Civil| month_length(c.year, c.month) - c.day;
    if c1.day == c2.day || (to_end(c1) == 0 && to_end(c2) == 0) {
        return Ok(Val::F64(months));
    }
    let seconds_in_day = |local: i64| local.rem_euclid(DAY) / 1_000_000;
    let diff = (c1.day - c2.day) * 86_400 + seconds_in_day(t1) - seconds_in_day(t2);
    let exact = months + diff as f64 / (31.0 * 86_400.0);
    let round_off = a.get(2).is_none_or(Val::is_true);
    Ok(Val::F64(if round_off {
        crate::jvm::math::ieee::round(exact * 1e8) as f64 / 1e8
    } else {
        exact
    }))
}

/// `EXTRACT` and `date_part`: which function a field stands for.
fn part_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let [field, source] = args.as_slice() else {
        return Err(format!("takes 2 arguments, found {}", args.len()));
    };
    let Some(Val::Str(name)) = field.constant() else {
        return Err("the field is a string constant".into());
    };
    let name = name.to_ascii_uppercase();
    if source.ty.is_interval() {
        return Err(lacks("fields of an interval are not covered by the cpu engine"));
    }
    let (sig, ret) = match canonical(&name) {
        Some("SECOND") => ("s T -> i", Ty::Dec(8, 6)),
        Some("HOUR" | "MINUTE") => ("s T -> i", Ty::I32),
        Some(_) => ("s D -> i", Ty::I32),
        None => return Err(format!("there is no field `{name}`")),
    };
    apply(sig, args, ansi)?;
    Ok(ret)
}

fn canonical(field: &str) -> Option<&'static str> {
    Some(match field {
        "YEAR" | "Y" | "YEARS" | "YR" | "YRS" => "YEAR",
        "YEAROFWEEK" => "YEAROFWEEK",
        "QUARTER" | "QTR" => "QUARTER",
        "MONTH" | "MON" | "MONS" | "MONTHS" => "MONTH",
        "WEEK" | "W" | "WEEKS" => "WEEK",
        "DAY" | "D" | "DAYS" => "DAY",
        "DAYOFWEEK" | "DOW" => "DAYOFWEEK",
        "DAYOFWEEK_ISO" | "DOW_ISO" => "DAYOFWEEK_ISO",
        "DOY" => "DOY",
        "HOUR" | "H" | "HOURS" | "HR" | "HRS" => "HOUR",
        "MINUTE" | "M" | "MIN" | "MINS" | "MINUTES" => "MINUTE",
        "SECOND" | "S" | "SEC" | "SECONDS" | "SECS" => "SECOND",
        _ => return None,
    })
}

fn date_part<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let field = a[0].str().to_ascii_uppercase();
    let d = a[1].long();
    let time = || c.rt.zone.to_local(d).rem_euclid(DAY);
    let n = match canonical(&field).unwrap_or("") {
        "YEAR" => civil(d).year,
        "YEAROFWEEK" => iso_year(d),
        "QUARTER" => (civil(d).month - 1) / 3 + 1,
        "MONTH" => civil(d).month,
        "WEEK" => iso_week(d),
        "DAY" => civil(d).day,
        "DAYOFWEEK" => (weekday(d) + 1) % 7 + 1,
        "DAYOFWEEK_ISO" => weekday(d) + 1,
        "DOY" => day_of_year(d),
        "HOUR" => time() / 3_600_000_000,
        "MINUTE" => time() / 60_000_000 % 60,
        _ => return Ok(Val::Dec(i128::from(time() % 60_000_000))),
    };
    Ok(Val::I32(n as i32))
}
