//! Timestamps: fields, epochs, zones, truncation, interval arithmetic.

use super::super::calendar::{DAY, add_months, checked_days, floor_days};
use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::{implicit, lacks};
use super::super::ty::Ty;
use super::super::val::Val;
use super::super::zone::Zone;
use super::dates::start_of;
use super::{own, strict};

/// The functions of this file.
pub const TABLE: &[Def] = &[
    strict("hour", "T -> i", |c, a| {
        Ok(Val::I32((time_of_day(c, a) / 3_600_000_000) as i32))
    }),
    strict("minute", "T -> i", |c, a| {
        Ok(Val::I32((time_of_day(c, a) / 60_000_000 % 60) as i32))
    }),
    strict("second", "T -> i", |c, a| {
        Ok(Val::I32((time_of_day(c, a) / 1_000_000 % 60) as i32))
    }),
    strict("unix_seconds", "T -> l", |_, a| {
        Ok(Val::I64(a[0].long().div_euclid(1_000_000)))
    }),
    strict("unix_millis", "T -> l", |_, a| {
        Ok(Val::I64(a[0].long().div_euclid(1_000)))
    }),
    strict("unix_micros", "T -> l", |_, a| Ok(Val::I64(a[0].long()))),
    own("timestamp_seconds", Nulls::Strict, seconds_sig, timestamp_seconds),
    strict("timestamp_millis", "l -> T", |_, a| scaled(a[0].long(), 1_000)),
    strict("timestamp_micros", "l -> T", |_, a| Ok(Val::Ts(a[0].long()))),
    strict("from_utc_timestamp", "T s -> T", |_, a| moved(a, true)),
    strict("to_utc_timestamp", "T s -> T", |_, a| moved(a, false)),
    strict("date_trunc", "s T -> T", date_trunc),
    own("make_timestamp", Nulls::Strict, make_sig, make_timestamp),
    own("make_interval", Nulls::Strict, interval_sig, make_interval),
    own("[time+]", Nulls::Strict, plus_sig, |c, a| plus(c, &a[0], &a[1], 1)),
    own("[time-]", Nulls::Strict, plus_sig, |c, a| plus(c, &a[0], &a[1], -1)),
    own("[times-]", Nulls::Strict, |_, _| Ok(Ty::Dt), times_minus),
    strict("timestampadd", "s i T -> T", timestamp_add),
    strict("timestampdiff", "s T T -> l", timestamp_diff),
];

fn time_of_day(c: &Call, a: &[Val]) -> i64 {
    c.rt.zone.to_local(a[0].long()).rem_euclid(DAY)
}

fn overflow<T>() -> RowResult<T> {
    Err(Stop::Throw(exc::JVM_ARITHMETIC))
}

fn scaled<'a>(n: i64, by: i64) -> RowResult<Val<'a>> {
    match n.checked_mul(by) {
        Some(us) => Ok(Val::Ts(us)),
        None => overflow(),
    }
}

fn seconds_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    match args.as_slice() {
        [n] if n.ty.is_numeric() => {}
        [_] => {
            let n = args.remove(0);
            args.push(implicit(n, &Ty::F64, ansi).ok_or("needs a number")?);
        }
        _ => return Err(format!("takes 1 argument, found {}", args.len())),
    }
    Ok(Ty::Ts)
}

fn timestamp_seconds<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    match (&c.args[0], &a[0]) {
        (Ty::Dec(_, s), Val::Dec(v)) => {
            let micros = v.checked_mul(1_000_000);
            let unit = 10i128.pow(u32::from(*s));
            match micros
                .filter(|m| m % unit == 0)
                .and_then(|m| i64::try_from(m / unit).ok())
            {
                Some(us) => Ok(Val::Ts(us)),
                None => overflow(),
            }
        }
        (t, v) if t.is_float() => {
            let x = v.double();
            if !x.is_finite() {
                return Ok(Val::Null);
            }
            Ok(Val::Ts((x * 1e6) as i64))
        }
        (_, v) => scaled(v.long(), 1_000_000),
    }
}

fn moved<'a>(a: &[Val<'a>], from_utc: bool) -> RowResult<Val<'a>> {
    let Some(zone) = Zone::parse(a[1].str())? else {
        return Err(Stop::Throw(exc::JVM_DATE_TIME));
    };
    let t = a[0].long();
    Ok(Val::Ts(if from_utc { zone.to_local(t) } else { zone.to_utc(t) }))
}

fn date_trunc<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let unit = a[0].str().to_ascii_uppercase();
    let us = a[1].long();
    let local = c.rt.zone.to_local(us);
    let step = match unit.as_str() {
        "MICROSECOND" => return Ok(Val::Ts(us)),
        "MILLISECOND" => return Ok(Val::Ts(us - us.rem_euclid(1_000))),
        "SECOND" => return Ok(Val::Ts(us - us.rem_euclid(1_000_000))),
        "MINUTE" => 60_000_000,
        "HOUR" => 3_600_000_000,
        "DAY" | "DD" => DAY,
        _ => {
            return Ok(match start_of(floor_days(local), &unit) {
                Some(d) => Val::Ts(c.rt.zone.to_utc(d * DAY)),
                None => Val::Null,
            });
        }
    };
    // The offset of the moment is kept, so an overlap keeps its side.
    Ok(Val::Ts(keep_offset(&c.rt.zone, local - local.rem_euclid(step), us)))
}

fn make_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if !matches!(args.len(), 6 | 7) {
        return Err(format!("takes 6 or 7 arguments, found {}", args.len()));
    }
    let given = std::mem::take(args);
    for (i, n) in given.into_iter().enumerate() {
        let target = match i {
            5 => Ty::Dec(16, 6),
            6 => Ty::Str,
            _ => Ty::I32,
        };
        args.push(implicit(n, &target, false).ok_or("arguments do not fit")?);
    }
    let _ = ansi;
    Ok(Ty::Ts)
}

fn make_timestamp<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let bad = || {
        if c.rt.ansi {
            Err(Stop::Throw(exc::DATE_TIME))
        } else {
            Ok(Val::Null)
        }
    };
    let zone = match a.get(6) {
        Some(z) => match Zone::parse(z.str())? {
            Some(z) => z,
            None => return Err(Stop::Throw(exc::JVM_DATE_TIME)),
        },
        None => c.rt.zone.clone(),
    };
    let micros = a[5].unscaled() as i64;
    let (mut secs, fraction) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let mut extra = 0;
    if secs == 60 && fraction == 0 {
        (secs, extra) = (0, 60);
    }
    let (h, m) = (a[3].long(), a[4].long());
    let days = checked_days(a[0].long(), a[1].long(), a[2].long());
    let ok = (0..24).contains(&h) && (0..60).contains(&m) && (0..60).contains(&secs);
    let Some(days) = days.filter(|_| ok) else {
        return bad();
    };
    let local = days * DAY + ((h * 60 + m) * 60 + secs + extra) * 1_000_000 + fraction;
    Ok(Val::Ts(zone.to_utc(local)))
}

fn interval_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if args.len() > 7 {
        return Err(format!("takes at most 7 arguments, found {}", args.len()));
    }
    let given = std::mem::take(args);
    for (i, n) in given.into_iter().enumerate() {
        let target = if i == 6 { Ty::Dec(18, 6) } else { Ty::I32 };
        args.push(implicit(n, &target, ansi && i != 6).ok_or("arguments do not fit")?);
    }
    Ok(Ty::Cal)
}

/// Years, months, weeks, days, hours, minutes, seconds.
fn make_interval<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let n = |i: usize| a.get(i).map_or(0, |v| i128::from(v.long()));
    let secs = a.get(6).map_or(0, Val::unscaled);
    let months = n(0) * 12 + n(1);
    let days = n(2) * 7 + n(3);
    let micros = n(4) * 3_600_000_000 + n(5) * 60_000_000 + secs;
    match (i32::try_from(months), i32::try_from(days), i64::try_from(micros)) {
        (Ok(m), Ok(d), Ok(u)) => Ok(Val::Cal(m, d, u)),
        _ if c.rt.ansi => Err(Stop::Throw(exc::ARITHMETIC)),
        _ => Ok(Val::Null),
    }
}

fn plus_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let [time, interval] = args.as_slice() else {
        return Err("takes a time and an interval".into());
    };
    match (&time.ty, &interval.ty) {
        (Ty::Date, Ty::Day | Ty::Ym) => Ok(Ty::Date),
        (Ty::Date, Ty::Cal) => {
            if ansi {
                return Err(lacks("a DATE plus a calendar interval is not covered in ANSI mode"));
            }
            Err(lacks(
                "a DATE plus `make_interval` is not covered by the cpu engine; cast the date to TIMESTAMP",
            ))
        }
        (Ty::Date, _) => {
            let t = args.remove(0);
            args.insert(0, implicit(t, &Ty::Ts, ansi).ok_or("needs a timestamp")?);
            Ok(Ty::Ts)
        }
        _ => Ok(Ty::Ts),
    }
}

fn plus<'a>(c: &Call, time: &Val, interval: &Val, sign: i64) -> RowResult<Val<'a>> {
    if let (Val::Date(d), Val::Dt(us)) = (time, interval) {
        let days = i64::from(*d) + sign * (us / DAY);
        return i32::try_from(days).map(Val::Date).or_else(|_| overflow());
    }
    if let (Val::Date(d), Val::Ym(m)) = (time, interval) {
        let days = add_months(i64::from(*d), sign * i64::from(*m));
        return i32::try_from(days).map(Val::Date).or_else(|_| overflow());
    }
    let (months, days, micros) = match interval {
        Val::Ym(m) => (i64::from(*m), 0, 0),
        Val::Dt(us) => (0, us / DAY, us % DAY),
        Val::Cal(m, d, us) => (i64::from(*m), i64::from(*d), *us),
        _ => return Err(Stop::Refuse("not an interval".into())),
    };
    shifted(c, time.long(), sign * months, sign * days, sign * micros)
}

/// Months and days are counted on the local calendar, microseconds on the time line.
fn shifted<'a>(c: &Call, us: i64, months: i64, days: i64, micros: i64) -> RowResult<Val<'a>> {
    let mut at = us;
    for (months, days) in [(months, 0), (0, days)] {
        if months == 0 && days == 0 {
            continue;
        }
        let local = c.rt.zone.to_local(at);
        let day = add_months(floor_days(local), months) + days;
        let Some(local) = day.checked_mul(DAY).and_then(|d| d.checked_add(local.rem_euclid(DAY))) else {
            return overflow();
        };
        // The offset in force before is kept where the local time occurs twice.
        at = keep_offset(&c.rt.zone, local, at);
    }
    at.checked_add(micros).map(Val::Ts).map_or_else(overflow, Ok)
}

/// `ZonedDateTime.plus` prefers the old offset in an overlap.
fn keep_offset(zone: &Zone, local: i64, before: i64) -> i64 {
    let preferred = local - zone.offset_at(before) * 1_000_000;
    if zone.to_local(preferred) == local {
        preferred
    } else {
        zone.to_utc(local)
    }
}

fn times_minus<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let z = &c.rt.zone;
    match z.to_local(a[0].long()).checked_sub(z.to_local(a[1].long())) {
        Some(us) => Ok(Val::Dt(us)),
        None => overflow(),
    }
}

fn timestamp_add<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (n, us) = (a[1].long(), a[2].long());
    match a[0].str().to_ascii_uppercase().as_str() {
        "YEAR" => shifted(c, us, n * 12, 0, 0),
        "QUARTER" => shifted(c, us, n * 3, 0, 0),
        "MONTH" => shifted(c, us, n, 0, 0),
        "WEEK" => shifted(c, us, 0, n * 7, 0),
        "DAY" | "DAYOFYEAR" => shifted(c, us, 0, n, 0),
        "HOUR" => shifted(c, us, 0, 0, n * 3_600_000_000),
        "MINUTE" => shifted(c, us, 0, 0, n * 60_000_000),
        "SECOND" => shifted(c, us, 0, 0, n * 1_000_000),
        "MILLISECOND" => shifted(c, us, 0, 0, n * 1_000),
        "MICROSECOND" => shifted(c, us, 0, 0, n),
        other => Err(Stop::Refuse(format!("unit `{other}` is not covered by the cpu engine"))),
    }
}

fn timestamp_diff<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let z = &c.rt.zone;
    let (start, end) = (z.to_local(a[1].long()), z.to_local(a[2].long()));
    let months = || {
        use super::super::calendar::civil;
        let (s, e) = (floor_days(start), floor_days(end));
        let (p, q) = (civil(s), civil(e));
        let whole = (q.year * 12 + q.month) - (p.year * 12 + p.month);
        let rest = |c: i64, local: i64| (civil(c).day, local.rem_euclid(DAY));
        if whole > 0 && rest(e, end) < rest(s, start) {
            whole - 1
        } else if whole < 0 && rest(e, end) > rest(s, start) {
            whole + 1
        } else {
            whole
        }
    };
    let diff = end - start;
    Ok(Val::I64(match a[0].str().to_ascii_uppercase().as_str() {
        "YEAR" => months() / 12,
        "QUARTER" => months() / 3,
        "MONTH" => months(),
        "WEEK" => diff / (7 * DAY),
        "DAY" => diff / DAY,
        "HOUR" => diff / 3_600_000_000,
        "MINUTE" => diff / 60_000_000,
        "SECOND" => diff / 1_000_000,
        "MILLISECOND" => diff / 1_000,
        "MICROSECOND" => diff,
        other => return Err(Stop::Refuse(format!("unit `{other}` is not covered by the cpu engine"))),
    }))
}
