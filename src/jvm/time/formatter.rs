//! `DateTimeFormatter`: a pattern or an ISO constant becomes a list of [`Item`]s, which [`super::print`] and [`super::parse`]
//! follow. Letters that depend on more of a locale than English (US) are refused.

use crate::jvm::value::{Eval, Throw};

/// What an item reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// `u`.
    Year,
    /// `y`.
    YearOfEra,
    /// `Y`: of weeks that begin on Sunday.
    WeekYear,
    /// `M`, `L`.
    Month,
    /// `d`.
    Day,
    /// `D`.
    DayOfYear,
    /// `E`.
    DayOfWeek,
    /// `a`.
    AmPm,
    /// `H`.
    Hour,
    /// `k`.
    ClockHour,
    /// `h`.
    ClockHourOfAmPm,
    /// `K`.
    HourOfAmPm,
    /// `m`.
    Minute,
    /// `s`.
    Second,
    /// `S`.
    Nano,
}

/// Which signs a number may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A minus.
    Normal,
    /// None.
    Never,
    /// A plus where there are more digits than the least number of them.
    ExceedsPad,
}

/// One part of a formatter.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// Text as it stands.
    Literal(String),
    /// A number. `after` is the number of digits that following numbers of fixed width take; `fixed` says that this one is read in
    /// exactly its width.
    Number {
        field: Field,
        min: usize,
        max: usize,
        sign: Sign,
        after: usize,
        fixed: bool,
    },
    /// The last two digits of a year from 2000 on.
    Reduced { field: Field, after: usize },
    /// A fraction of a second; `point` writes one in front if there are digits.
    Fraction { min: usize, max: usize, point: bool },
    /// A name in English, short or full.
    Text { field: Field, full: bool },
    /// An offset: `XXX` and its kin.
    Offset { pattern: &'static str, zero: &'static str },
    /// `VV`: the id of the zone.
    ZoneId,
    /// `[…]`.
    Optional(Vec<Item>),
    /// Any case from here on (only the ISO constants).
    AnyCase(bool),
}

/// A `DateTimeFormatter`.
#[derive(Debug, Clone, PartialEq)]
pub struct Formatter {
    /// Its parts.
    pub items: Vec<Item>,
    /// `ResolverStyle.STRICT`; patterns are `SMART`.
    pub strict: bool,
}

fn number(field: Field, min: usize, max: usize, sign: Sign) -> Item {
    Item::Number {
        field,
        min,
        max,
        sign,
        after: 0,
        fixed: false,
    }
}

fn two(field: Field) -> Item {
    number(field, 2, 2, Sign::Never)
}

fn literal(text: &str) -> Item {
    Item::Literal(text.into())
}

fn iso_date() -> Vec<Item> {
    vec![
        number(Field::Year, 4, 10, Sign::ExceedsPad),
        literal("-"),
        two(Field::Month),
        literal("-"),
        two(Field::Day),
    ]
}

fn iso_time() -> Vec<Item> {
    let fraction = Item::Optional(vec![Item::Fraction {
        min: 0,
        max: 9,
        point: true,
    }]);
    let seconds = Item::Optional(vec![literal(":"), two(Field::Second), fraction]);
    vec![two(Field::Hour), literal(":"), two(Field::Minute), seconds]
}

fn iso_offset() -> Item {
    Item::Offset {
        pattern: "+HH:MM:ss",
        zero: "Z",
    }
}

/// The ISO constants that are covered.
pub fn iso(name: &str) -> Option<Formatter> {
    let date_time = || {
        let mut items = iso_date();
        items.push(Item::AnyCase(true));
        items.push(literal("T"));
        items.push(Item::AnyCase(false));
        items.extend(iso_time());
        items
    };
    let zone = || Item::Optional(vec![literal("["), Item::ZoneId, literal("]")]);
    let with = |mut items: Vec<Item>, more: Vec<Item>| {
        items.extend(more);
        items
    };
    let items = match name {
        "ISO_LOCAL_DATE" => iso_date(),
        "ISO_LOCAL_TIME" => iso_time(),
        "ISO_LOCAL_DATE_TIME" => date_time(),
        "ISO_DATE" => with(iso_date(), vec![Item::Optional(vec![iso_offset()])]),
        "ISO_TIME" => with(iso_time(), vec![Item::Optional(vec![iso_offset()])]),
        "ISO_OFFSET_DATE_TIME" => with(date_time(), vec![iso_offset()]),
        "ISO_DATE_TIME" => with(date_time(), vec![Item::Optional(vec![iso_offset(), zone()])]),
        "ISO_ZONED_DATE_TIME" => with(date_time(), vec![iso_offset(), zone()]),
        "BASIC_ISO_DATE" => {
            let year = number(Field::Year, 4, 4, Sign::Never);
            let mut items = vec![year, two(Field::Month), two(Field::Day)];
            link_numbers(&mut items);
            items.push(Item::Optional(vec![Item::Offset {
                pattern: "+HHMMss",
                zero: "Z",
            }]));
            items
        }
        _ => return None,
    };
    Some(Formatter { items, strict: true })
}

fn illegal(message: String) -> Throw {
    Throw::exception("IllegalArgumentException", message)
}

/// `DateTimeFormatter.ofPattern` in English (US).
pub fn of_pattern(pattern: &str) -> Eval<Formatter> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut open: Vec<Vec<Item>> = vec![Vec::new()];
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let items = open
            .last_mut()
            .ok_or_else(|| illegal("Pattern invalid as it contains ] without previous [".into()))?;
        if c.is_ascii_alphabetic() {
            let count = chars[at..].iter().take_while(|x| **x == c).count();
            items.extend(letter(c, count)?);
            at += count;
            continue;
        }
        match c {
            '\'' => {
                let (text, next) = quoted(&chars, at, pattern)?;
                items.push(Item::Literal(text));
                at = next;
                continue;
            }
            '[' => open.push(Vec::new()),
            ']' => {
                let closed = open.pop().unwrap_or_default();
                let outer = open
                    .last_mut()
                    .ok_or_else(|| illegal("Pattern invalid as it contains ] without previous [".into()))?;
                outer.push(Item::Optional(closed));
            }
            '{' | '}' | '#' => return Err(illegal(format!("Pattern includes reserved character: '{c}'"))),
            other => items.push(Item::Literal(other.to_string())),
        }
        at += 1;
    }
    while open.len() > 1 {
        let closed = open.pop().unwrap_or_default();
        if let Some(outer) = open.last_mut() {
            outer.push(Item::Optional(closed));
        }
    }
    let mut items = open.pop().unwrap_or_default();
    link_numbers(&mut items);
    Ok(Formatter { items, strict: false })
}

/// The text between quotes; two quotes are one.
fn quoted(chars: &[char], start: usize, pattern: &str) -> Eval<(String, usize)> {
    let mut text = String::new();
    let mut at = start + 1;
    loop {
        match (chars.get(at), chars.get(at + 1)) {
            (Some('\''), Some('\'')) => {
                text.push('\'');
                at += 2;
            }
            (Some('\''), _) => break,
            (Some(c), _) => {
                text.push(*c);
                at += 1;
            }
            (None, _) => {
                return Err(illegal(format!(
                    "Pattern ends with an incomplete string literal: {pattern}"
                )));
            }
        }
    }
    Ok((if text.is_empty() { "'".into() } else { text }, at + 1))
}

/// The items of a letter repeated `count` times.
fn letter(c: char, count: usize) -> Eval<Vec<Item>> {
    let too_many = || illegal(format!("Too many pattern letters: {c}"));
    let refused = || {
        Throw::Unsupported(format!(
            "the date pattern letters {} are not covered",
            c.to_string().repeat(count)
        ))
    };
    let field = match c {
        'u' => Field::Year,
        'y' => Field::YearOfEra,
        'Y' => Field::WeekYear,
        'M' | 'L' => Field::Month,
        'd' => Field::Day,
        'D' => Field::DayOfYear,
        'E' => Field::DayOfWeek,
        'a' => Field::AmPm,
        'H' => Field::Hour,
        'k' => Field::ClockHour,
        'h' => Field::ClockHourOfAmPm,
        'K' => Field::HourOfAmPm,
        'm' => Field::Minute,
        's' => Field::Second,
        'S' => Field::Nano,
        'X' | 'x' | 'Z' => return offset(c, count).map(|item| vec![item]).ok_or_else(refused),
        'V' if count == 2 => return Ok(vec![Item::ZoneId]),
        'G' | 'Q' | 'q' | 'w' | 'W' | 'e' | 'c' | 'F' | 'A' | 'n' | 'N' | 'V' | 'v' | 'z' | 'O' | 'p' | 'g' | 'B' => {
            return Err(refused());
        }
        _ => return Err(illegal(format!("Unknown pattern letter: {c}"))),
    };
    Ok(vec![match (field, count) {
        (Field::Year | Field::YearOfEra | Field::WeekYear, 2) => Item::Reduced { field, after: 0 },
        (Field::Year | Field::YearOfEra | Field::WeekYear, 1) => number(field, 1, 19, Sign::Normal),
        (Field::Year | Field::YearOfEra | Field::WeekYear, 3) => number(field, 3, 19, Sign::Normal),
        (Field::Year | Field::YearOfEra | Field::WeekYear, n) if n <= 19 => number(field, n, 19, Sign::ExceedsPad),
        (Field::Month, 3 | 4) => Item::Text {
            field,
            full: count == 4,
        },
        (Field::Month, 5) | (Field::DayOfWeek, 5) => return Err(refused()),
        (Field::DayOfWeek, 1..=4) => Item::Text {
            field,
            full: count == 4,
        },
        (Field::AmPm, 1) => Item::Text { field, full: false },
        (Field::DayOfYear, 1) => number(field, 1, 19, Sign::Normal),
        (Field::DayOfYear, 2 | 3) => number(field, count, 3, Sign::Never),
        (Field::Nano, 1..=9) => Item::Fraction {
            min: count,
            max: count,
            point: false,
        },
        (Field::DayOfWeek | Field::AmPm | Field::DayOfYear | Field::Nano, _) => return Err(too_many()),
        (_, 1) => number(field, 1, 19, Sign::Normal),
        (_, 2) => two(field),
        _ => return Err(too_many()),
    }])
}

fn offset(c: char, count: usize) -> Option<Item> {
    let zero = if c == 'X' { "Z" } else { "" };
    let (pattern, zero) = match (c, count) {
        ('Z', 1..=3) => ("+HHMM", "+0000"),
        ('Z', 5) => ("+HH:MM:ss", "Z"),
        ('X' | 'x', 1) => ("+HHmm", if c == 'X' { zero } else { "+00" }),
        ('X' | 'x', 2) => ("+HHMM", if c == 'X' { zero } else { "+0000" }),
        ('X' | 'x', 3) => ("+HH:MM", if c == 'X' { zero } else { "+00:00" }),
        _ => return None,
    };
    Some(Item::Offset { pattern, zero })
}

/// Numbers that follow each other directly share their digits: those of fixed width keep theirs, the one before gives way.
fn link_numbers(items: &mut [Item]) {
    let mut first: Option<usize> = None;
    for at in 0..items.len() {
        if let Item::Optional(inner) = &mut items[at] {
            link_numbers(inner);
            first = None;
            continue;
        }
        let width = match &items[at] {
            Item::Number { min, max, sign, .. } if min == max && *sign == Sign::Never => Some(*min),
            Item::Fraction { min, max, point: false } if min == max => Some(*min),
            Item::Number { .. } => None,
            Item::Reduced { .. } => Some(2),
            _ => {
                first = None;
                continue;
            }
        };
        match (first, width) {
            (Some(base), Some(width)) => {
                match &mut items[base] {
                    Item::Number { after, .. } | Item::Reduced { after, .. } => *after += width,
                    _ => {}
                }
                if let Item::Number { fixed, .. } = &mut items[at] {
                    *fixed = true;
                }
            }
            (Some(base), None) => {
                if let Item::Number { fixed, .. } = &mut items[base] {
                    *fixed = true;
                }
                first = Some(at);
            }
            (None, _) => first = Some(at),
        }
    }
}
