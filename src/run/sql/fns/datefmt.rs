//! Dates and times as text by pattern: `date_format`, `to_date`, `to_timestamp`, `from_unixtime`, `unix_timestamp`. Covers
//! the letters that mean one thing in every locale; others are refused, and those that Spark rejects raise as it does.

use std::rc::Rc;

use super::super::calendar::{DAY, checked_days, civil, day_of_year, floor_days, weekday};
use super::super::cast::{string_to_date, string_to_micros};
use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::apply;
use super::super::ty::Ty;
use super::super::val::Val;
use super::{own, strict};
use crate::jvm::time::civil::{DAYS, MONTHS};

/// The functions of this file.
pub const TABLE: &[Def] = &[
    strict("date_format", "T s -> s", |c, a| format(c, a[0].long(), a[1].str())),
    strict("from_unixtime", "l s? -> s", from_unixtime),
    own(
        "to_date",
        Nulls::Strict,
        |a, ansi| parse_sig(a, ansi, Ty::Date),
        |c, a| to_date(c, a, c.rt.ansi),
    ),
    own(
        "to_timestamp",
        Nulls::Strict,
        |a, ansi| parse_sig(a, ansi, Ty::Ts),
        |c, a| to_timestamp(c, a, c.rt.ansi),
    ),
    own(
        "try_to_timestamp",
        Nulls::Strict,
        |a, ansi| parse_sig(a, ansi, Ty::Ts),
        |c, a| to_timestamp(c, a, false),
    ),
    own(
        "unix_timestamp",
        Nulls::Strict,
        |a, ansi| parse_sig(a, ansi, Ty::I64),
        unix_timestamp,
    ),
];

/// One piece of a pattern.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Letter(char, usize),
    Text(String),
}

fn pieces(pattern: &str) -> RowResult<Vec<Piece>> {
    let mut out: Vec<Piece> = Vec::new();
    let text = |out: &mut Vec<Piece>, s: &str| match out.last_mut() {
        Some(Piece::Text(t)) => t.push_str(s),
        _ => out.push(Piece::Text(s.to_string())),
    };
    let chars: Vec<char> = pattern.chars().collect();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if c == '\'' {
            let end = (i + 1..chars.len()).find(|k| chars[*k] == '\'');
            let Some(end) = end else {
                return Err(Stop::Refuse(format!("the date pattern `{pattern}` has an open quote")));
            };
            let inner: String = if end == i + 1 {
                "'".into()
            } else {
                chars[i + 1..end].iter().collect()
            };
            text(&mut out, &inner);
            i = end + 1;
        } else if c.is_ascii_alphabetic() {
            let n = chars[i..].iter().take_while(|x| **x == c).count();
            out.push(Piece::Letter(c, n));
            i += n;
        } else if matches!(c, '[' | ']' | '{' | '}' | '#') {
            return Err(Stop::Refuse(format!(
                "`{c}` in a date pattern is not covered by the cpu engine"
            )));
        } else {
            text(&mut out, &c.to_string());
            i += 1;
        }
    }
    Ok(out)
}

fn cached(c: &Call, pattern: &str) -> RowResult<Rc<RowResult<Vec<Piece>>>> {
    let p: Rc<RowResult<Vec<Piece>>> = c.rt.cached(b'd', pattern, || pieces(pattern));
    match p.as_ref() {
        Ok(_) => Ok(p),
        Err(e) => Err(e.clone()),
    }
}

fn format<'a>(c: &Call, us: i64, pattern: &str) -> RowResult<Val<'a>> {
    let compiled = cached(c, pattern)?;
    let Ok(pieces) = compiled.as_ref() else {
        return Err(Stop::Refuse("a date pattern that does not parse".into()));
    };
    let local = c.rt.zone.to_local(us);
    let mut out = String::new();
    for p in pieces {
        match p {
            Piece::Text(t) => out.push_str(t),
            Piece::Letter(l, n) => out.push_str(&letter(*l, *n, local)?),
        }
    }
    Ok(Val::text(out))
}

fn letter(l: char, n: usize, local: i64) -> RowResult<String> {
    let days = floor_days(local);
    let date = civil(days);
    let time = local.rem_euclid(DAY);
    let (h, m, s) = (time / 3_600_000_000, time / 60_000_000 % 60, time / 1_000_000 % 60);
    let refuse = || {
        Stop::Refuse(format!(
            "`{}` in a date pattern is not covered by the cpu engine",
            l.to_string().repeat(n)
        ))
    };
    let number = |v: i64| Ok(format!("{v:0n$}"));
    match (l, n) {
        ('y', 1 | 3..=6) if (1..=9999).contains(&date.year) => number(date.year),
        ('y', 4) if date.year > 9999 => Ok(format!("+{}", date.year)),
        ('y', 2) if date.year > 0 => Ok(format!("{:02}", date.year % 100)),
        ('M' | 'L', 1 | 2) => number(date.month),
        ('M', 3) => Ok(MONTHS[date.month as usize - 1][..3].to_string()),
        ('M', 4) => Ok(MONTHS[date.month as usize - 1].to_string()),
        ('d', 1 | 2) => number(date.day),
        ('D', 1) => number(day_of_year(days)),
        ('D', 3) => number(day_of_year(days)),
        ('H', 1 | 2) => number(h),
        ('k', 1 | 2) => number(if h == 0 { 24 } else { h }),
        ('h', 1 | 2) => number(if h % 12 == 0 { 12 } else { h % 12 }),
        ('K', 1 | 2) => number(h % 12),
        ('m', 1 | 2) => number(m),
        ('s', 1 | 2) => number(s),
        ('S', 1..=9) => Ok(format!("{:06}000", time % 1_000_000)[..n].to_string()),
        ('a', 1) => Ok(if h < 12 { "AM" } else { "PM" }.to_string()),
        ('E', 1..=3) => Ok(DAYS[weekday(days) as usize][..3].to_string()),
        ('E', 4) => Ok(DAYS[weekday(days) as usize].to_string()),
        ('Q' | 'q', 1 | 2) => number((date.month - 1) / 3 + 1),
        // Letters of the week, which Spark 3 rejects because their meaning changed.
        ('Y' | 'w' | 'W' | 'u' | 'e' | 'c', _) => Err(Stop::Throw(exc::UPGRADE)),
        _ => Err(refuse()),
    }
}

const DEFAULT: &str = "yyyy-MM-dd HH:mm:ss";

fn from_unixtime<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    match a[0].long().checked_mul(1_000_000) {
        Some(us) => format(c, us, a.get(1).map_or(DEFAULT, Val::str)),
        None => Err(Stop::Refuse(
            "seconds beyond the range of TIMESTAMP are not covered".into(),
        )),
    }
}

/// A string with an optional pattern, or a date or timestamp as it is.
fn parse_sig(args: &mut Vec<Node>, ansi: bool, ret: Ty) -> Result<Ty, String> {
    match args.as_slice() {
        [n] | [n, _] if matches!(n.ty, Ty::Date | Ty::Ts) => {
            args.truncate(1);
            apply("T -> T", args, ansi)?;
        }
        _ => {
            apply("s s? -> s", args, ansi)?;
        }
    }
    Ok(ret)
}

fn bad<'a>(raises: bool) -> RowResult<Val<'a>> {
    if raises {
        Err(Stop::Throw(exc::DATE_TIME))
    } else {
        Ok(Val::Null)
    }
}

fn to_date<'a>(c: &Call, a: &[Val<'a>], raises: bool) -> RowResult<Val<'a>> {
    let micros = match a {
        [Val::Ts(us)] => *us,
        [text] => {
            return match string_to_date(text.str()) {
                Some(d) => Ok(Val::Date(d)),
                None => bad(raises),
            };
        }
        [text, pattern, ..] => match parse(c, text.str(), pattern.str())? {
            Some(us) => us,
            None => return bad(raises),
        },
        [] => return Ok(Val::Null),
    };
    Ok(Val::Date(floor_days(c.rt.zone.to_local(micros)) as i32))
}

fn to_timestamp<'a>(c: &Call, a: &[Val<'a>], raises: bool) -> RowResult<Val<'a>> {
    let parsed = match a {
        [Val::Ts(us)] => Some(*us),
        [text] => string_to_micros(text.str(), &c.rt.zone)?,
        [text, pattern, ..] => parse(c, text.str(), pattern.str())?,
        [] => None,
    };
    match parsed {
        Some(us) => Ok(Val::Ts(us)),
        None => bad(raises),
    }
}

fn unix_timestamp<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let parsed = match a {
        [Val::Ts(us)] => Some(*us),
        [text] => parse(c, text.str(), DEFAULT)?,
        [text, pattern, ..] => parse(c, text.str(), pattern.str())?,
        [] => None,
    };
    match parsed {
        // Cut toward zero, unlike `unix_seconds`.
        Some(us) => Ok(Val::I64(us / 1_000_000)),
        None => bad(c.rt.ansi),
    }
}

/// Fields read so far.
#[derive(Default)]
struct Fields {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    hour: i64,
    minute: i64,
    second: i64,
    micros: i64,
}

/// An instant by pattern; `None` when the text does not fit. A text that only the parser of Spark 2 takes raises, as Spark
/// does under its default `timeParserPolicy`.
fn parse(c: &Call, text: &str, pattern: &str) -> RowResult<Option<i64>> {
    let compiled = cached(c, pattern)?;
    let Ok(pieces) = compiled.as_ref() else {
        return Err(Stop::Refuse("a date pattern that does not parse".into()));
    };
    if let Some(f) = strict_fields(text, pieces)?
        && let Some(local) = resolve(&f)
    {
        return Ok(Some(c.rt.zone.to_utc(local)));
    }
    match legacy(text, pieces) {
        Legacy::Reads => Err(Stop::Throw(exc::UPGRADE)),
        Legacy::Fails => Ok(None),
        Legacy::Unknown => Err(Stop::Refuse(format!(
            "whether Spark reads `{text}` as `{pattern}` depends on spark.sql.legacy.timeParserPolicy"
        ))),
    }
}

fn resolve(f: &Fields) -> Option<i64> {
    let days = checked_days(f.year.unwrap_or(1970), f.month.unwrap_or(1), f.day.unwrap_or(1))?;
    (f.hour < 24 && f.minute < 60 && f.second < 60)
        .then(|| days * DAY + ((f.hour * 60 + f.minute) * 60 + f.second) * 1_000_000 + f.micros)
}

fn strict_fields(text: &str, pieces: &[Piece]) -> RowResult<Option<Fields>> {
    let mut f = Fields::default();
    let mut rest = text;
    for (i, p) in pieces.iter().enumerate() {
        let adjacent = matches!(pieces.get(i + 1), Some(Piece::Letter(..)));
        match p {
            Piece::Text(t) => match strip_ignoring_case(rest, t) {
                Some(r) => rest = r,
                None => return Ok(None),
            },
            Piece::Letter(l, n) => {
                let (least, most) = match (l, n) {
                    ('y', 4) if !adjacent => (4, 10),
                    ('y', 4) => (4, 4),
                    ('M' | 'd' | 'H' | 'm' | 's', 2) => (2, 2),
                    ('M' | 'd' | 'H' | 'm' | 's', 1) if !adjacent => (1, 10),
                    ('S', 1..=6) => (*n, *n),
                    _ => {
                        return Err(Stop::Refuse(format!(
                            "reading `{}` by pattern is not covered by the cpu engine",
                            l.to_string().repeat(*n)
                        )));
                    }
                };
                let mut signed = rest;
                let plus = *l == 'y' && rest.starts_with('+');
                if plus {
                    signed = &rest[1..];
                }
                let have = signed.bytes().take_while(u8::is_ascii_digit).count().min(most);
                // A year of more than four digits has a sign, and only such a year has one.
                if have < least || (*l == 'y' && (have > 4) != plus) {
                    return Ok(None);
                }
                let Ok(v) = signed[..have].parse::<i64>() else {
                    return Ok(None);
                };
                match l {
                    'y' => f.year = Some(v).filter(|y| *y > 0),
                    'M' => f.month = Some(v),
                    'd' => f.day = Some(v),
                    'H' => f.hour = v,
                    'm' => f.minute = v,
                    's' => f.second = v,
                    _ => f.micros = v * 10i64.pow(6 - *n as u32),
                }
                if *l == 'y' && f.year.is_none() {
                    return Ok(None);
                }
                rest = &signed[have..];
            }
        }
    }
    Ok(rest.is_empty().then_some(f))
}

fn strip_ignoring_case<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// What `SimpleDateFormat`, not lenient, makes of a text.
#[derive(Debug, PartialEq)]
enum Legacy {
    Reads,
    Fails,
    Unknown,
}

/// Numbers of any length with blanks before them, text after the pattern ignored; anything beyond that is not decided.
fn legacy(text: &str, pieces: &[Piece]) -> Legacy {
    let mut rest = text;
    let mut f = Fields::default();
    for (i, p) in pieces.iter().enumerate() {
        match p {
            Piece::Text(t) => match rest.strip_prefix(t.as_str()) {
                Some(r) => rest = r,
                None => return Legacy::Fails,
            },
            Piece::Letter(l, n) => {
                let adjacent = matches!(pieces.get(i + 1), Some(Piece::Letter(..)));
                rest = rest.trim_start_matches([' ', '\t']);
                let mut have = rest.bytes().take_while(u8::is_ascii_digit).count();
                if adjacent {
                    have = have.min(*n);
                }
                if have == 0 {
                    let odd = rest.starts_with(['-', '+']) || rest.chars().next().is_some_and(|c| !c.is_ascii());
                    return if odd { Legacy::Unknown } else { Legacy::Fails };
                }
                let Ok(v) = rest[..have].parse::<i64>() else {
                    return Legacy::Unknown;
                };
                match l {
                    'y' if *n > 2 => f.year = Some(v),
                    'M' if *n <= 2 => f.month = Some(v),
                    'd' => f.day = Some(v),
                    'H' => f.hour = v,
                    'm' => f.minute = v,
                    's' => f.second = v,
                    'S' if v < 1000 => {}
                    _ => return Legacy::Unknown,
                }
                rest = &rest[have..];
            }
        }
    }
    match f.year {
        Some(y) if !(1..=292_000_000).contains(&y) => Legacy::Fails,
        Some(1582) => Legacy::Unknown,
        _ if resolve(&f).is_some() => Legacy::Reads,
        // The Julian calendar has leap days that the Gregorian one lacks.
        Some(y) if y < 1582 && f.month == Some(2) && f.day == Some(29) => Legacy::Unknown,
        _ => Legacy::Fails,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_and_legacy_readers_differ() {
        let p = pieces("yyyy-MM-dd").unwrap();
        let f = strict_fields("2024-02-09", &p).unwrap().unwrap();
        assert_eq!((f.year, f.month, f.day), (Some(2024), Some(2), Some(9)));
        assert!(strict_fields("2024-2-9", &p).unwrap().is_none());
        assert_eq!(legacy("2024-2-9 x", &p), Legacy::Reads);
        assert_eq!(legacy("2024-13-01", &p), Legacy::Fails);
        assert_eq!(legacy("x", &p), Legacy::Fails);
    }
}
