//! `java.text.SimpleDateFormat` (lenient, English) and the `valueOf` of `java.sql`. In: a pattern and text, or milliseconds; out:
//! milliseconds, or text. Letters that need time zone names, eras or weeks are refused.

use super::civil;
use super::legacy::{self, CUTOVER};
use super::print::{name, offset_text};
use super::{NANOS_PER_SECOND, Zone, formatter::Field};
use crate::jvm::number_text::parse_integer;
use crate::jvm::unicode;
use crate::jvm::value::{Eval, Throw};

/// One part of a pattern.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    Letter(char, usize),
    Literal(String),
}

/// A `SimpleDateFormat`.
#[derive(Debug, Clone, PartialEq)]
pub struct SimpleFormat {
    /// The pattern as written.
    pub pattern: String,
    parts: Vec<Part>,
}

impl SimpleFormat {
    /// Whether it writes or reads names, which depend on the locale.
    pub fn has_names(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Letter('E' | 'a', _) => true,
            Part::Letter('M', count) => *count >= 3,
            _ => false,
        })
    }
}

const LETTERS: &str = "GyMwWDdFEaHkKhmsSzZYuXL";
const COVERED: &str = "yMdEaHhkKmsSZX";

/// `new SimpleDateFormat(pattern)`.
pub fn compile(pattern: &str) -> Eval<SimpleFormat> {
    let illegal = |message: String| Throw::exception("IllegalArgumentException", message);
    let chars: Vec<char> = pattern.chars().collect();
    let mut parts: Vec<Part> = Vec::new();
    let push = |parts: &mut Vec<Part>, c: char| match parts.last_mut() {
        Some(Part::Literal(text)) => text.push(c),
        _ => parts.push(Part::Literal(c.to_string())),
    };
    let (mut at, mut quoted) = (0, false);
    while at < chars.len() {
        let c = chars[at];
        if c == '\'' {
            if chars.get(at + 1) == Some(&'\'') {
                push(&mut parts, '\'');
                at += 2;
                continue;
            }
            quoted = !quoted;
        } else if quoted || !c.is_ascii_alphabetic() {
            push(&mut parts, c);
        } else {
            if !LETTERS.contains(c) {
                return Err(illegal(format!("Illegal pattern character '{c}'")));
            }
            let count = chars[at..].iter().take_while(|x| **x == c).count();
            if !COVERED.contains(c) {
                return Err(Throw::Unsupported(format!(
                    "the date pattern letter {c} is not covered"
                )));
            }
            parts.push(Part::Letter(c, count));
            at += count;
            continue;
        }
        at += 1;
    }
    if quoted {
        return Err(illegal("Unterminated quote".into()));
    }
    Ok(SimpleFormat {
        pattern: pattern.into(),
        parts,
    })
}

/// The true day of a lenient year, month and day of the hybrid calendar.
fn hybrid_day(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
    let gregorian = civil::days_of(year, month, 1) + day - 1;
    if gregorian >= CUTOVER {
        gregorian
    } else {
        civil::julian_days_of(year, month, 1) + day - 1
    }
}

/// The stored (proleptic) day of a lenient year, month and day of the hybrid calendar. A Julian leap day that the proleptic
/// calendar lacks is refused, since the object would show it and the stored day cannot.
fn lenient_day(year: i64, month: i64, day: i64) -> Eval<i64> {
    let true_day = hybrid_day(year, month, day);
    let (year, month, day) = civil::julian_date_of(true_day);
    if true_day < CUTOVER && month == 2 && day == 29 && !civil::is_leap(year) {
        return Err(Throw::Unsupported(
            "a leap day of the Julian calendar is not covered".into(),
        ));
    }
    Ok(legacy::from_hybrid(true_day))
}

/// The fields that parsing fills in, as a lenient `Calendar` holds them.
struct Fields {
    year: i64,
    month: i64,
    day: i64,
    hour: Option<i64>,
    half: Option<i64>,
    hour_of_half: Option<i64>,
    minute: i64,
    second: i64,
    milli: i64,
}

/// `parse(text)`: milliseconds; text after the last part is ignored.
pub fn parse(format: &SimpleFormat, text: &str, zone: &Zone) -> Eval<i64> {
    let chars: Vec<char> = text.chars().collect();
    let mut fields = Fields {
        year: 1970,
        month: 1,
        day: 1,
        hour: None,
        half: None,
        hour_of_half: None,
        minute: 0,
        second: 0,
        milli: 0,
    };
    let unparseable = || Throw::exception("ParseException", format!("Unparseable date: \"{text}\""));
    let mut at = 0;
    for (i, part) in format.parts.iter().enumerate() {
        at = match part {
            Part::Literal(literal) => literal_end(literal, &chars, at).ok_or_else(unparseable)?,
            Part::Letter(letter, count) => {
                let next = format.parts.get(i + 1);
                field(&mut fields, *letter, *count, next, &chars, at)?.ok_or_else(unparseable)?
            }
        };
    }
    let hour = match (fields.hour, fields.half, fields.hour_of_half) {
        (Some(hour), _, _) => hour,
        (None, half, of_half) => half.unwrap_or(0) * 12 + of_half.unwrap_or(0),
    };
    let day = hybrid_day(fields.year, fields.month, fields.day);
    let millis = ((hour * 60 + fields.minute) * 60 + fields.second) * 1000 + fields.milli;
    Ok(legacy::calendar_millis(day * 86_400_000 + millis, zone))
}

fn literal_end(literal: &str, chars: &[char], start: usize) -> Option<usize> {
    let mut at = start;
    for c in literal.chars() {
        if chars.get(at) != Some(&c) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// Reads one letter's field; where it ends, or `None` if the text does not fit.
fn field(
    fields: &mut Fields,
    letter: char,
    count: usize,
    next: Option<&Part>,
    chars: &[char],
    start: usize,
) -> Eval<Option<usize>> {
    let mut at = start;
    while matches!(chars.get(at), Some(' ' | '\t')) {
        at += 1;
    }
    if at >= chars.len() {
        return Ok(None);
    }
    if letter == 'E' || letter == 'a' || (letter == 'M' && count >= 3) {
        return Ok(named(fields, letter, chars, at));
    }
    if letter == 'Z' || letter == 'X' {
        return Err(Throw::Unsupported(
            "parsing an offset by SimpleDateFormat is not covered".into(),
        ));
    }
    let Some((value, end)) = number(count, next, chars, at) else {
        return Ok(None);
    };
    let digits = end - at;
    match letter {
        'y' if count <= 2 && digits == 2 && value >= 0 => {
            return Err(Throw::Unsupported(
                "a year of two digits, whose century depends on the day it is read, is not covered".into(),
            ));
        }
        'y' => fields.year = value,
        'M' => fields.month = value,
        'd' => fields.day = value,
        'H' => fields.hour = Some(value),
        'k' => fields.hour = Some(if value == 24 { 0 } else { value }),
        'h' => fields.hour_of_half = Some(if value == 12 { 0 } else { value }),
        'K' => fields.hour_of_half = Some(value),
        'm' => fields.minute = value,
        's' => fields.second = value,
        _ => fields.milli = value,
    }
    Ok(Some(end))
}

/// A name, in any case; long ones first.
fn named(fields: &mut Fields, letter: char, chars: &[char], at: usize) -> Option<usize> {
    let (field, values) = match letter {
        'M' => (Field::Month, 1..=12),
        'E' => (Field::DayOfWeek, 1..=7),
        _ => (Field::AmPm, 0..=1),
    };
    for full in [true, false] {
        for value in values.clone() {
            let text = name(field, value, full);
            let found: String = chars[at..].iter().take(text.len()).collect();
            if found.eq_ignore_ascii_case(text) {
                match letter {
                    'M' => fields.month = value,
                    'a' => fields.half = Some(value),
                    _ => {}
                }
                return Some(at + text.len());
            }
        }
    }
    None
}

/// A number: exactly `count` digits where another number follows directly, else as many as there are, with a minus.
fn number(count: usize, next: Option<&Part>, chars: &[char], at: usize) -> Option<(i64, usize)> {
    let abutting = matches!(next, Some(Part::Letter(..)));
    let limit = if abutting {
        (at + count).min(chars.len())
    } else {
        chars.len()
    };
    if abutting && at + count > chars.len() {
        return None;
    }
    let negative = chars[at] == '-';
    let from = at + usize::from(negative);
    let digits: String = chars[from.min(limit)..limit]
        .iter()
        .map_while(|c| unicode::digit(u32::from(*c), 10).and_then(|d| char::from_digit(d, 10)))
        .collect();
    let mut end = from + digits.len();
    // A number beyond a long is cut to an Int by way of a double; those are refused by not matching any date.
    let mut value: i64 = digits.parse::<i64>().ok().filter(|_| digits.len() <= 9)?;
    if negative {
        value = -value;
        let minus_follows = matches!(next, Some(Part::Literal(text)) if text.starts_with('-'));
        let next_char = chars.get(end);
        if minus_follows
            && value < 0
            && (next_char.is_some_and(|c| *c != '-') || (next_char.is_none() && chars[end - 1] == '-'))
        {
            value = -value;
            end -= 1;
        }
    }
    Some((value, end))
}

/// `format(date)`.
pub fn format(format: &SimpleFormat, millis: i64, zone: &Zone) -> Eval<String> {
    let (days, of_day) = legacy::wall_of_millis(millis, zone);
    let (year, month, day) = civil::date_of(days);
    if year <= 0 {
        return Err(Throw::Unsupported("formatting a year before 1 is not covered".into()));
    }
    let seconds = of_day / 1000;
    let hour = seconds / 3600;
    let mut out = String::new();
    for part in &format.parts {
        let (letter, count) = match part {
            Part::Literal(text) => {
                out.push_str(text);
                continue;
            }
            Part::Letter(letter, count) => (*letter, *count),
        };
        let value = match letter {
            'y' if count == 2 => year % 100,
            'y' => year,
            'M' if count >= 3 => {
                out.push_str(name(Field::Month, month, count >= 4));
                continue;
            }
            'M' => month,
            'd' => day,
            'E' => {
                out.push_str(name(
                    Field::DayOfWeek,
                    civil::day_of_week(legacy::to_hybrid(days)),
                    count >= 4,
                ));
                continue;
            }
            'a' => {
                out.push_str(name(Field::AmPm, hour / 12, false));
                continue;
            }
            'H' => hour,
            'k' => (hour + 23) % 24 + 1,
            'h' => (hour + 11) % 12 + 1,
            'K' => hour % 12,
            'm' => seconds / 60 % 60,
            's' => seconds % 60,
            'S' => of_day % 1000,
            _ => {
                let offset = legacy::offset_at(zone, millis.div_euclid(1000)) as i32;
                let (pattern, zero) = match (letter, count) {
                    ('Z', _) => ("+HHMM", "+0000"),
                    (_, 1) => ("+HH", "Z"),
                    (_, 2) => ("+HHMM", "Z"),
                    (_, 3) => ("+HH:MM", "Z"),
                    _ => {
                        return Err(Throw::exception(
                            "IllegalArgumentException",
                            format!("invalid ISO 8601 format: length={count}"),
                        ));
                    }
                };
                let text = offset_text(offset, pattern, zero);
                out.push_str(if pattern == "+HH" {
                    &text[..text.len().min(3)]
                } else {
                    &text
                });
                continue;
            }
        };
        out.push_str(&format!("{value:0>count$}"));
    }
    Ok(out)
}

fn illegal(message: &str) -> Throw {
    Throw::exception("IllegalArgumentException", message)
}

/// `Integer.parseInt` of a part.
fn int(text: &str) -> Eval<i64> {
    let units: Vec<u16> = text.encode_utf16().collect();
    parse_integer(&units, 10, i32::MIN.into(), i32::MAX.into())
        .map_err(|_| Throw::exception("NumberFormatException", format!("For input string: \"{text}\"")))
}

/// Year, month and day of `yyyy-[m]m-[d]d`, where the text has that shape.
fn date_parts(text: &str) -> Eval<Option<(i64, i64, i64)>> {
    let parts: Vec<&str> = text.splitn(3, '-').collect();
    let [year, month, day] = parts[..] else { return Ok(None) };
    let length = |s: &str| s.encode_utf16().count();
    if length(year) != 4 || !(1..=2).contains(&length(month)) || !(1..=2).contains(&length(day)) {
        return Ok(None);
    }
    let (year, month, day) = (int(year)?, int(month)?, int(day)?);
    Ok(((1..=12).contains(&month) && (1..=31).contains(&day)).then_some((year, month, day)))
}

/// `java.sql.Date.valueOf(String)`: the stored day.
pub fn sql_date(text: &str) -> Eval<i64> {
    match date_parts(text)? {
        Some((year, month, day)) => lenient_day(year, month, day),
        None => Err(Throw::Exception(std::sync::Arc::new(
            crate::jvm::object::Exception::new("IllegalArgumentException", None),
        ))),
    }
}

/// `java.sql.Timestamp.valueOf(String)`: stored local days and nanoseconds of the day.
pub fn sql_timestamp(text: &str) -> Eval<(i64, i64)> {
    const MESSAGE: &str = "Timestamp format must be yyyy-mm-dd hh:mm:ss[.fffffffff]";
    let text = text.trim_matches(|c| c <= ' ');
    let (date, time) = text.split_once(' ').ok_or_else(|| illegal(MESSAGE))?;
    let (year, month, day) = date_parts(date)?.ok_or_else(|| illegal(MESSAGE))?;
    let mut parts = time.splitn(3, ':');
    let (Some(hour), Some(minute), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(illegal(MESSAGE));
    };
    if rest.is_empty() {
        return Err(illegal(MESSAGE));
    }
    let (hour, minute) = (int(hour)?, int(minute)?);
    let (second, nanos) = match rest.split_once('.') {
        None => (int(rest)?, 0),
        Some((second, fraction)) => {
            if fraction.is_empty() || fraction.encode_utf16().count() > 9 || !fraction.starts_with(char::is_numeric) {
                return Err(illegal(MESSAGE));
            }
            let digits = int(fraction)?;
            let nanos = digits * 10_i64.pow(9 - fraction.encode_utf16().count() as u32);
            (int(second)?, nanos)
        }
    };
    let seconds = (hour * 60 + minute) * 60 + second;
    let day = lenient_day(year, month, day)?;
    let day = legacy::from_hybrid(legacy::to_hybrid(day) + seconds.div_euclid(86_400));
    Ok((day, seconds.rem_euclid(86_400) * NANOS_PER_SECOND + nanos))
}
