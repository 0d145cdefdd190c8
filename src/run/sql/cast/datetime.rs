//! Casts to DATE and TIMESTAMP, and the forms of text that Spark reads as such.

use super::{Caster, bad};
use crate::run::sql::calendar::{DAY, checked_days, floor_days};
use crate::run::sql::plan::{Mode, RowResult, Stop, exc};
use crate::run::sql::text::is_trimmed;
use crate::run::sql::ty::Ty;
use crate::run::sql::val::Val;
use crate::run::sql::zone::Zone;

pub(super) fn to_date<'a>(c: &Caster, from: &Ty, v: &Val) -> RowResult<Val<'a>> {
    match v {
        Val::Str(s) => match string_to_date(s) {
            Some(d) => Ok(Val::Date(d)),
            None => bad(c.mode, exc::DATE_TIME),
        },
        Val::Ts(us) => Ok(Val::Date(floor_days(c.rt.zone.to_local(*us)) as i32)),
        _ => Err(Stop::Refuse(format!(
            "a cast from {from} to DATE is not covered by the cpu engine"
        ))),
    }
}

pub(super) fn to_timestamp<'a>(c: &Caster, from: &Ty, v: &Val) -> RowResult<Val<'a>> {
    let overflow = || bad(c.mode, exc::ARITHMETIC);
    match v {
        Val::Str(s) => match string_to_micros(s, &c.rt.zone)? {
            Some(us) => Ok(Val::Ts(us)),
            None => bad(c.mode, exc::DATE_TIME),
        },
        Val::Date(d) => match i64::from(*d).checked_mul(DAY) {
            Some(local) => Ok(Val::Ts(c.rt.zone.to_utc(local))),
            None => Err(Stop::Throw(exc::JVM_ARITHMETIC)),
        },
        Val::F32(_) | Val::F64(_) => {
            let x = v.double();
            if !x.is_finite() {
                return bad(c.mode, exc::DATE_TIME);
            }
            if c.mode != Mode::Legacy && !((x * 1e6).floor() <= i64::MAX as f64 && (x * 1e6).ceil() >= i64::MIN as f64)
            {
                return overflow();
            }
            Ok(Val::Ts((x * 1e6) as i64))
        }
        Val::Dec(d) => {
            let Ty::Dec(_, s) = from else {
                return Err(Stop::Refuse("a decimal without its type".into()));
            };
            match d.checked_mul(1_000_000).map(|m| m / 10i128.pow(u32::from(*s))) {
                Some(m) => match i64::try_from(m) {
                    Ok(us) => Ok(Val::Ts(us)),
                    Err(_) => Err(Stop::Refuse(
                        "a decimal beyond the range of TIMESTAMP is not covered".into(),
                    )),
                },
                None => Err(Stop::Refuse(
                    "a decimal beyond the range of TIMESTAMP is not covered".into(),
                )),
            }
        }
        Val::Bool(b) => Ok(Val::Ts(i64::from(*b))),
        _ => Ok(Val::Ts(v.long().saturating_mul(1_000_000))),
    }
}

fn trimmed(s: &str) -> &[u8] {
    let b = s.as_bytes();
    let start = b.iter().position(|x| !is_trimmed(*x)).unwrap_or(b.len());
    let end = b.iter().rposition(|x| !is_trimmed(*x)).map_or(start, |i| i + 1);
    &b[start..end]
}

/// `[+-]y…`, `y…-m`, `y…-m-d`, and after a full date a blank or `T` with anything.
pub fn string_to_date(s: &str) -> Option<i32> {
    let b = trimmed(s);
    let (sign, body) = match b.first()? {
        b'-' => (-1, &b[1..]),
        b'+' => (1, &b[1..]),
        _ => (1, b),
    };
    let end = body.iter().position(|x| matches!(x, b' ' | b'T')).unwrap_or(body.len());
    let parts: Vec<&[u8]> = body[..end].splitn(3, |x| *x == b'-').collect();
    if parts.len() < 3 && end < body.len() {
        return None;
    }
    let mut n = [1i64; 3];
    for (i, p) in parts.iter().enumerate() {
        let ok = if i == 0 {
            (4..=7).contains(&p.len())
        } else {
            (1..=2).contains(&p.len())
        };
        if !ok || !p.iter().all(u8::is_ascii_digit) {
            return None;
        }
        n[i] = p.iter().fold(0, |acc, d| acc * 10 + i64::from(d - b'0'));
    }
    i32::try_from(checked_days(sign * n[0], n[1], n[2])?).ok()
}

/// State of reading a timestamp's text: the segments year, month, day, hour, minute, second, fraction.
struct Segments {
    n: [i64; 7],
    at: usize,
    value: i64,
    digits: usize,
}

impl Segments {
    fn valid(&self) -> bool {
        match self.at {
            0 => (4..=6).contains(&self.digits),
            6 => true,
            _ => (1..=2).contains(&self.digits),
        }
    }

    /// Ends a segment; the fraction keeps six digits.
    fn close(&mut self) -> Option<()> {
        if !self.valid() {
            return None;
        }
        self.n[self.at] = self.value;
        self.value = 0;
        self.digits = 0;
        self.at += 1;
        Some(())
    }
}

/// A text as an instant: `None` when it is no timestamp. A text that holds only a time means today and is refused.
pub fn string_to_micros(s: &str, zone: &Zone) -> RowResult<Option<i64>> {
    let b = trimmed(s);
    if b.is_empty() {
        return Ok(None);
    }
    let (sign, body) = match b[0] {
        b'-' => (-1, &b[1..]),
        b'+' => (1, &b[1..]),
        _ => (1, b),
    };
    let signed = body.len() < b.len();
    let first = body.iter().position(|x| !x.is_ascii_digit());
    let only_time = !signed && (b[0] == b'T' || first.is_some_and(|i| body[i] == b':' && (1..=2).contains(&i)));
    if only_time {
        return Err(Stop::Refuse(
            "a time without a date means the current date, which changes from run to run".into(),
        ));
    }
    let Some((n, tz)) = segments(body) else {
        return Ok(None);
    };
    let zone = match tz {
        Some(id) => match Zone::parse(id)? {
            Some(z) => z,
            None => return Ok(None),
        },
        None => zone.clone(),
    };
    Ok(local_micros(sign * n[0], &n).map(|local| zone.to_utc(local)))
}

fn local_micros(year: i64, n: &[i64; 7]) -> Option<i64> {
    let days = checked_days(year, n[1], n[2])?;
    if n[3] > 23 || n[4] > 59 || n[5] > 59 {
        return None;
    }
    let time = ((n[3] * 60 + n[4]) * 60 + n[5]) * 1_000_000 + n[6];
    i64::try_from(i128::from(days) * i128::from(DAY) + i128::from(time)).ok()
}

fn segments(body: &[u8]) -> Option<([i64; 7], Option<&str>)> {
    let mut s = Segments {
        n: [1, 1, 1, 0, 0, 0, 0],
        at: 0,
        value: 0,
        digits: 0,
    };
    let mut tz = None;
    for (j, b) in body.iter().enumerate() {
        if b.is_ascii_digit() {
            if s.at != 6 || s.digits < 6 {
                s.value = s.value.checked_mul(10)?.checked_add(i64::from(b - b'0'))?;
            }
            s.digits += 1;
            continue;
        }
        match (s.at, b) {
            (0 | 1, b'-') | (2, b' ' | b'T') | (3 | 4, b':') | (5, b'.') => s.close()?,
            (5 | 6, _) => {
                tz = Some(std::str::from_utf8(&body[j..]).ok()?.trim());
                break;
            }
            _ => return None,
        }
    }
    if !s.valid() {
        return None;
    }
    if s.at == 6 {
        let kept = s.digits.min(6) as u32;
        s.value *= 10i64.pow(6 - kept);
    }
    s.n[s.at] = s.value;
    Some((s.n, tz))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_lenient_as_spark_is() {
        assert_eq!(string_to_date(" 2024-2-9 "), string_to_date("2024-02-09"));
        assert_eq!(string_to_date("2024"), string_to_date("2024-01-01"));
        assert!(string_to_date("2024-01-01Tx").is_some());
        assert_eq!(string_to_date("2024-13-01"), None);
        assert_eq!(string_to_date("2024-1 x"), None);
    }

    #[test]
    fn timestamps_take_a_zone() {
        let utc = Zone::utc();
        let at = |s| string_to_micros(s, &utc).unwrap();
        assert_eq!(at("1970-01-01 00:00:01.5"), Some(1_500_000));
        assert_eq!(at("1970-01-01T01:00:00+01:00"), Some(0));
        assert_eq!(at("1970-01-01 24:00:00"), None);
    }
}
