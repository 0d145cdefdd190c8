//! Dates and timestamps: fields, calendar months, rounding, text by `strftime` letters. All in UTC, proleptic Gregorian.

use super::super::column::{Col, StrBuilder, mask};
use super::super::dtype::{DType, TypeId};
use super::{K, Operand, binary, cudf, refuse};

const DAY_NANOS: i64 = 86_400_000_000_000;

/// Days since 1970-01-01; months and days out of range count on from where they start.
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y - era * 400;
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let of_year = (153 * shifted + 2) / 5 + day - 1;
    let day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day of a day number.
pub fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z - era * 146_097;
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoe + era * 400 + i64::from(month <= 2), month, day)
}

fn is_leap(y: i64) -> bool {
    y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)
}

fn month_days(y: i64, m: i64) -> i64 {
    match m {
        2 => 28 + i64::from(is_leap(y)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Monday is 1.
fn week_day(days: i64) -> i64 {
    (days + 3).rem_euclid(7) + 1
}

/// Days and the nanoseconds within the day.
fn parts(v: i64, unit: i64) -> (i64, i64) {
    let per_day = DAY_NANOS / unit;
    (v.div_euclid(per_day), v.rem_euclid(per_day) * unit)
}

/// `year()`, `hour()` and the like; `None` if the name is no field.
pub fn field(name: &str, c: &Col) -> Option<K> {
    let known = [
        "year",
        "month",
        "day",
        "hour",
        "minute",
        "second",
        "weekDay",
        "dayOfYear",
        "lastDayOfMonth",
        "quarterOfYear",
        "isLeapYear",
        "daysInMonth",
    ];
    if !known.contains(&name) {
        return None;
    }
    let Some(unit) = c.dtype.unit_nanos().filter(|_| c.dtype.is_timestamp()) else {
        return Some(cudf("Column type should be timestamp"));
    };
    if matches!(name, "hour" | "minute" | "second") && c.dtype.id == TypeId::TimestampDays {
        return Some(refuse(format!("{name}() of TIMESTAMP_DAYS is not covered")));
    }
    let values = c.to_i64();
    let rows = values.iter().map(|v| {
        let (days, nanos) = parts(*v, unit);
        let (y, m, d) = civil_from_days(days);
        match name {
            "year" => y,
            "month" => m,
            "day" => d,
            "hour" => nanos / 3_600_000_000_000,
            "minute" => nanos / 60_000_000_000 % 60,
            "second" => nanos / 1_000_000_000 % 60,
            "weekDay" => week_day(days),
            "dayOfYear" => days - days_from_civil(y, 1, 1) + 1,
            "quarterOfYear" => (m - 1) / 3 + 1,
            "isLeapYear" => i64::from(is_leap(y)),
            "daysInMonth" => month_days(y, m),
            _ => days_from_civil(y, m, month_days(y, m)),
        }
    });
    let t = match name {
        "lastDayOfMonth" => TypeId::TimestampDays,
        "isLeapYear" => TypeId::Bool8,
        _ => TypeId::Int16,
    };
    Some(Ok(Col::from_i64(DType::of(t), rows.collect(), c.nulls.clone())))
}

/// `addCalendricalMonths`: clips to the end of the month.
pub fn add_months(c: &Col, months: &Operand) -> K {
    let Some(unit) = c.dtype.unit_nanos().filter(|_| c.dtype.is_timestamp()) else {
        return cudf("Column type should be timestamp");
    };
    if !matches!(months.dtype().id, TypeId::Int16 | TypeId::Int32) {
        return cudf("Months type should be INT16 or INT32");
    }
    let whole = std::rc::Rc::new(c.clone());
    let n = binary::rows(&Operand::Col(whole.clone()), months)?;
    let by: Vec<i64> = match months {
        Operand::Col(m) => m.to_i64().into_owned(),
        Operand::Scalar(s) => vec![binary::scalar_i64(s); n],
    };
    let values = c.to_i64();
    let rows = values.iter().zip(by).map(|(v, m)| {
        let (days, nanos) = parts(*v, unit);
        let (y, month, d) = civil_from_days(days);
        let total = y * 12 + month - 1 + m;
        let (y, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
        let days = days_from_civil(y, month, d.min(month_days(y, month)));
        days.wrapping_mul(DAY_NANOS / unit).wrapping_add(nanos / unit)
    });
    let rows = rows.collect();
    Ok(Col::from_i64(
        c.dtype,
        rows,
        binary::joined_nulls(&Operand::Col(whole), months, n),
    ))
}

/// `dateTimeFloor`, `dateTimeCeil`.
pub fn round(c: &Col, unit: &str, up: bool) -> K {
    let Some(own) = c.dtype.unit_nanos().filter(|_| c.dtype.is_timestamp()) else {
        return cudf("Must be timestamp type.");
    };
    let nanos = match unit {
        "DAY" => DAY_NANOS,
        "HOUR" => 3_600_000_000_000,
        "MINUTE" => 60_000_000_000,
        "SECOND" => 1_000_000_000,
        "MILLISECOND" => 1_000_000,
        "MICROSECOND" => 1_000,
        _ => 1,
    };
    let step = (nanos / own).max(1);
    let values = c.to_i64();
    let rows = values.iter().map(|v| {
        let low = v.div_euclid(step) * step;
        if up && low != *v { low + step } else { low }
    });
    Ok(Col::from_i64(c.dtype, rows.collect(), c.nulls.clone()))
}

enum Item {
    Literal(u8),
    /// A letter and, for `%f`, its digits.
    Letter(u8, usize),
}

fn items(format: &str) -> K<Vec<Item>> {
    let mut out = Vec::new();
    let mut bytes = format.bytes().peekable();
    while let Some(b) = bytes.next() {
        if b != b'%' {
            out.push(Item::Literal(b));
            continue;
        }
        let Some(mut letter) = bytes.next() else {
            return cudf("Unfinished specifier in timestamp format");
        };
        let mut digits = 6;
        if letter.is_ascii_digit() {
            digits = usize::from(letter - b'0');
            letter = bytes.next().unwrap_or(b'?');
            if letter != b'f' {
                return cudf("precision not supported for specifier");
            }
        }
        match letter {
            b'%' | b'n' | b't' => out.push(Item::Literal(match letter {
                b'n' => b'\n',
                b't' => b'\t',
                _ => b'%',
            })),
            b'Y' | b'y' | b'm' | b'd' | b'H' | b'I' | b'M' | b'S' | b'f' | b'j' | b'U' | b'W' | b'V' | b'G' | b'u'
            | b'w' | b'e' => out.push(Item::Letter(letter, digits)),
            b'p' | b'a' | b'A' | b'b' | b'B' | b'z' | b'Z' => {
                return refuse(format!("the letter %{} is not covered", letter as char));
            }
            _ => return cudf(format!("invalid format specifier: {}", letter as char)),
        }
    }
    Ok(out)
}

/// `asStrings(format)`.
pub fn format(c: &Col, pattern: &str) -> K {
    let Some(unit) = c.dtype.unit_nanos().filter(|_| c.dtype.is_timestamp()) else {
        return cudf("timestamps column must be of timestamp type");
    };
    if pattern.is_empty() {
        return cudf("Format parameter must not be empty.");
    }
    let items = items(pattern)?;
    let values = c.to_i64();
    let mut b = StrBuilder::with_rows(c.len);
    for (i, v) in values.iter().enumerate() {
        if c.is_valid(i) {
            let (days, nanos) = parts(*v, unit);
            for item in &items {
                match item {
                    Item::Literal(l) => b.buffer().push(*l),
                    Item::Letter(l, digits) => {
                        let text = letter(*l, *digits, days, nanos)?;
                        b.buffer().extend_from_slice(text.as_bytes());
                    }
                }
            }
        }
        b.finish_row(c.is_valid(i));
    }
    Ok(b.finish()?)
}

fn letter(l: u8, digits: usize, days: i64, nanos: i64) -> K<String> {
    let (y, m, d) = civil_from_days(days);
    let first = days_from_civil(y, 1, 1);
    let of_year = days - first + 1;
    let hour = nanos / 3_600_000_000_000;
    Ok(match l {
        b'Y' | b'y' if !(0..=9999).contains(&y) => return refuse("years outside 0 to 9999 as text are not covered"),
        b'Y' => format!("{y:04}"),
        b'y' => format!("{:02}", y % 100),
        b'm' => format!("{m:02}"),
        b'd' => format!("{d:02}"),
        b'e' => format!("{d:2}"),
        b'H' => format!("{hour:02}"),
        b'I' => format!("{:02}", (hour + 11) % 12 + 1),
        b'M' => format!("{:02}", nanos / 60_000_000_000 % 60),
        b'S' => format!("{:02}", nanos / 1_000_000_000 % 60),
        b'f' => {
            let text = format!("{:09}", nanos % 1_000_000_000);
            text[..digits.min(9)].to_string()
        }
        b'j' => format!("{of_year:03}"),
        b'u' => week_day(days).to_string(),
        b'w' => (week_day(days) % 7).to_string(),
        // Weeks that begin on Sunday, on Monday; days before the first one are week 0.
        b'U' => format!("{:02}", (of_year + 6 - week_day(days) % 7) / 7),
        b'W' => format!("{:02}", (of_year + 6 - (week_day(days) - 1)) / 7),
        _ => {
            let (year, week) = iso_week(days);
            if l == b'V' {
                format!("{week:02}")
            } else {
                format!("{year:04}")
            }
        }
    })
}

fn iso_week(days: i64) -> (i64, i64) {
    let thursday = days - week_day(days) + 4;
    let (year, ..) = civil_from_days(thursday);
    (year, (thursday - days_from_civil(year, 1, 1)) / 7 + 1)
}

fn width(l: u8, digits: usize) -> usize {
    match l {
        b'Y' | b'G' => 4,
        b'j' => 3,
        b'f' => digits,
        b'u' | b'w' => 1,
        _ => 2,
    }
}

/// Digits at the start, at most `limit`: their value and number.
fn number(t: &[u8], limit: usize) -> (i64, usize) {
    let digits = t.iter().take(limit).take_while(|b| b.is_ascii_digit());
    let mut n = 0;
    let v = digits.fold(0, |v, b| {
        n += 1;
        v * 10 + i64::from(b - b'0')
    });
    (v, n)
}

#[derive(Clone, Copy)]
struct Fields {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    nanos: i64,
}

const EPOCH: Fields = Fields {
    year: 1970,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
};

impl Fields {
    fn set(&mut self, l: u8, v: i64) {
        match l {
            b'Y' => self.year = v,
            b'm' => self.month = v,
            b'd' => self.day = v,
            b'H' => self.hour = v,
            b'M' => self.minute = v,
            b'S' => self.second = v,
            _ => {}
        }
    }
}

fn readable(items: &[Item]) -> K<()> {
    for i in items {
        if let Item::Letter(l, _) = i
            && !matches!(l, b'Y' | b'm' | b'd' | b'H' | b'M' | b'S' | b'f')
        {
            return refuse(format!("reading %{} is not covered", *l as char));
        }
    }
    Ok(())
}

/// `asTimestamp…(format)`: never fails; what is missing counts as 0, an empty text is the epoch.
pub fn parse(c: &Col, t: DType, pattern: &str) -> K {
    if c.dtype != DType::STRING {
        return cudf("A column of type string is required");
    }
    let items = items(pattern)?;
    readable(&items)?;
    let Some(unit) = t.unit_nanos().filter(|_| t.is_timestamp()) else {
        return cudf("unsupported conversion to a type that is no timestamp");
    };
    let rows = c.texts().map(|text| {
        let mut t = text.unwrap_or_default();
        if t.is_empty() {
            return 0;
        }
        let mut f = EPOCH;
        for item in &items {
            match item {
                Item::Literal(_) => t = &t[t.len().min(1)..],
                Item::Letter(b'f', digits) => {
                    let (v, n) = number(t, *digits);
                    f.nanos = v * 10i64.pow(9 - (n.min(9) as u32));
                    t = &t[n..];
                }
                Item::Letter(l, digits) => {
                    let (v, n) = number(t, width(*l, *digits));
                    f.set(*l, v);
                    t = &t[n..];
                }
            }
        }
        let days = days_from_civil(f.year, f.month, f.day);
        let nanos = ((f.hour * 60 + f.minute) * 60 + f.second) * 1_000_000_000 + f.nanos;
        if unit == DAY_NANOS {
            return days;
        }
        days.wrapping_mul(DAY_NANOS / unit).wrapping_add(nanos / unit)
    });
    let rows = rows.collect();
    Ok(Col::from_i64(t, rows, c.nulls.clone()))
}

/// `isTimestamp(format)`: the fields are there and such a day exists; text after them does not matter.
pub fn is_timestamp(c: &Col, pattern: &str) -> K {
    let items = items(pattern)?;
    readable(&items)?;
    let rows = c.texts().map(|t| t.is_some_and(|t| valid(t, &items)));
    let rows: Vec<bool> = rows.collect();
    Ok(Col::bools(rows, c.nulls.clone().or_else(|| mask(&c.validity()))))
}

fn valid(mut t: &[u8], items: &[Item]) -> bool {
    if t.is_empty() {
        return false;
    }
    let mut f = EPOCH;
    for item in items {
        match item {
            Item::Literal(l) => {
                if t.first() != Some(l) {
                    return false;
                }
                t = &t[1..];
            }
            Item::Letter(l, digits) => {
                let (v, n) = number(t, width(*l, *digits));
                let range = match l {
                    b'm' => 1..=12,
                    b'd' => 1..=31,
                    b'H' => 0..=23,
                    b'M' | b'S' => 0..=59,
                    _ => 0..=i64::MAX,
                };
                if (n == 0 && *l != b'f') || !range.contains(&v) {
                    return false;
                }
                f.set(*l, v);
                t = &t[n..];
            }
        }
    }
    f.day <= month_days(f.year, f.month)
}
