//! Numbers to text and back, with the digits the device produces: floats keep ten digits, parsing stops at the first bad
//! character and never fails.

use super::super::column::{Col, Data, StrBuilder};
use super::super::dtype::{DType, TypeId};
use super::{K, cudf, dates, decimal, refuse};

/// `castTo(STRING)`.
pub fn to_text(c: &Col) -> K {
    let mut b = StrBuilder::with_rows(c.len);
    let mut rows = |f: &mut dyn FnMut(usize) -> String| {
        for i in 0..c.len {
            if c.is_valid(i) {
                b.buffer().extend_from_slice(f(i).as_bytes());
            }
            b.finish_row(c.is_valid(i));
        }
    };
    match (&c.data, c.dtype) {
        (Data::F64(v), _) => rows(&mut |i| float_text(v[i])),
        (Data::F32(v), _) => rows(&mut |i| float_text(f64::from(v[i]))),
        (Data::I8(v), t) if t.id == TypeId::Bool8 => rows(&mut |i| (v[i] != 0).to_string()),
        (_, t) if t.is_integer() => {
            let v = c.to_i128();
            rows(&mut |i| v[i].to_string());
        }
        (_, t) if t.is_decimal() => {
            let v = c.to_i128();
            rows(&mut |i| decimal::plain(v[i], t.scale));
        }
        (_, t) if t.is_timestamp() => {
            let format = if t.id == TypeId::TimestampDays {
                "%Y-%m-%d"
            } else {
                "%Y-%m-%d %H:%M:%S.%f"
            };
            return dates::format(c, format);
        }
        (Data::Str(_), _) => return Ok(c.clone()),
        (_, t) => return refuse(format!("castTo from {t} to STRING is not covered")),
    }
    Ok(b.finish()?)
}

/// Powers of ten by which a value is brought between 1 and 10, largest first.
const STEPS: [(i32, f64, f64, f64); 9] = [
    (256, 1e256, 1e-256, 1e-255),
    (128, 1e128, 1e-128, 1e-127),
    (64, 1e64, 1e-64, 1e-63),
    (32, 1e32, 1e-32, 1e-31),
    (16, 1e16, 1e-16, 1e-15),
    (8, 1e8, 1e-8, 1e-7),
    (4, 1e4, 1e-4, 1e-3),
    (2, 1e2, 1e-2, 1e-1),
    (1, 1e1, 1e-1, 1e0),
];

/// Ten significant digits at most, an exponent above 10^9 and below 10^-4.
pub fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let mut x = value.abs();
    if x.is_infinite() {
        return format!("{sign}Inf");
    }
    let mut exponent = 0;
    if x > 1e9 {
        for (e, up, down, _) in STEPS {
            if x >= up {
                x *= down;
                exponent += e;
            }
        }
    } else if x > 0.0 && x < 1e-4 {
        for (e, up, _, below) in STEPS {
            if x < below {
                x *= up;
                exponent -= e;
            }
        }
    }
    let mut whole = x as u32;
    let mut places = 9usize;
    let mut unit = 1_000_000_000u32;
    let mut rest = whole;
    while rest >= 10 {
        places -= 1;
        unit /= 10;
        rest /= 10;
    }
    let scaled = (x - f64::from(whole)) * f64::from(unit);
    let mut part = scaled as u32;
    part += (2.0 * (scaled - f64::from(part))) as u32;
    if part >= unit {
        part = 0;
        whole += 1;
        if exponent != 0 && whole >= 10 {
            exponent += 1;
            whole = 1;
        }
    }
    while part.is_multiple_of(10) && places > 0 {
        part /= 10;
        places -= 1;
    }
    let fraction = if places == 0 {
        "0".to_string()
    } else {
        format!("{part:0>places$}")
    };
    let tail = match exponent {
        0 => String::new(),
        e => format!("e{}{:02}", if e < 0 { '-' } else { '+' }, e.abs()),
    };
    format!("{sign}{whole}.{fraction}{tail}")
}

/// `castTo` from text.
pub fn from_text(c: &Col, to: DType) -> K {
    let nulls = c.nulls.clone();
    let rows = c.texts().map(Option::unwrap_or_default);
    Ok(match to.id {
        TypeId::Float64 => {
            let v: Vec<f64> = rows.map(parse_float).collect();
            Col::new(to, Data::F64(v.into()), nulls)
        }
        TypeId::Float32 => {
            let v: Vec<f32> = rows.map(|t| parse_float(t) as f32).collect();
            Col::new(to, Data::F32(v.into()), nulls)
        }
        TypeId::Bool8 => Col::bools(rows.map(|t| t == b"true"), nulls),
        _ if to.is_integer() => Col::from_i64(to, rows.map(parse_integer).collect(), nulls),
        _ if to.is_decimal() => {
            let v: Option<Vec<i128>> = rows.map(|t| parse_decimal(t, to)).collect();
            match v {
                Some(v) => Col::from_i128(to, v.into_iter(), nulls),
                None => {
                    return refuse(format!(
                        "castTo of text beyond the range of {to}: such values were not measured"
                    ));
                }
            }
        }
        _ => return refuse(format!("castTo from STRING to {to} is not covered")),
    })
}

fn signed(t: &[u8]) -> (bool, &[u8]) {
    match t.first() {
        Some(b'-') => (true, &t[1..]),
        Some(b'+') => (false, &t[1..]),
        _ => (false, t),
    }
}

/// Digits up to the first other character, added up in 64 bits.
pub fn parse_integer(t: &[u8]) -> i64 {
    let (negative, digits) = signed(t);
    let v = digits
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .fold(0i64, |v, b| v.wrapping_mul(10).wrapping_add(i64::from(b - b'0')));
    if negative { v.wrapping_neg() } else { v }
}

fn is_word(t: &[u8], words: &[&str]) -> bool {
    words.iter().any(|w| t.eq_ignore_ascii_case(w.as_bytes()))
}

fn parse_float(t: &[u8]) -> f64 {
    let (negative, rest) = signed(t);
    let sign = if negative { -1.0 } else { 1.0 };
    if rest.first().is_some_and(|b| *b > b'9') {
        if is_word(rest, &["nan"]) {
            return f64::NAN;
        }
        if is_word(rest, &["inf", "infinity"]) {
            return sign * f64::INFINITY;
        }
    }
    let mut at = 0;
    let mut digits = 0u64;
    let mut exponent = 0i32;
    let mut after_point = false;
    let limit = (u64::MAX - 9) / 10;
    // The mantissa is read while it fits 64 bits.
    while at < rest.len() {
        match rest[at] {
            b'.' => after_point = true,
            b @ b'0'..=b'9' if digits <= limit => {
                digits = digits * 10 + u64::from(b - b'0');
                exponent -= i32::from(after_point);
            }
            _ => break,
        }
        at += 1;
    }
    if digits == 0 {
        return sign * 0.0;
    }
    // The digits beyond only count.
    while at < rest.len() {
        match rest[at] {
            b'.' => after_point = true,
            b'0'..=b'9' => exponent += i32::from(!after_point),
            _ => break,
        }
        at += 1;
    }
    if at < rest.len() && matches!(rest[at], b'e' | b'E') {
        let (minus, tail) = signed(&rest[at + 1..]);
        let e = tail
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .fold(0i32, |e, b| e.saturating_mul(10).saturating_add(i32::from(b - b'0')));
        exponent = exponent.saturating_add(if minus { -e } else { e });
    }
    scaled(sign, digits, exponent)
}

/// `digits × 10^exponent` by one multiplication or division, so that long mantissas are not rounded correctly.
fn scaled(sign: f64, digits: u64, exponent: i32) -> f64 {
    let count = (digits as f64).log10() as i32 + 1;
    if exponent.saturating_add(count - 1) > 308 {
        return sign * f64::INFINITY;
    }
    let base = sign * digits as f64;
    let shift = -307 - exponent;
    if shift > 0 {
        let base = base / power(count - 1 + shift);
        return base * power(exponent + count - 1 + shift);
    }
    if exponent < 0 {
        base / power(-exponent)
    } else {
        base * power(exponent)
    }
}

fn power(n: i32) -> f64 {
    format!("1e{n}").parse().unwrap_or(f64::NAN)
}

/// The value at the scale of a type, truncated; `None` beyond its range.
fn parse_decimal(t: &[u8], to: DType) -> Option<i128> {
    let (negative, rest) = signed(t);
    let mut value = 0i128;
    let mut exponent = 0i32;
    let mut after_point = false;
    let mut at = 0;
    while at < rest.len() {
        match rest[at] {
            b'.' if !after_point => after_point = true,
            b @ b'0'..=b'9' => {
                value = value.checked_mul(10)?.checked_add(i128::from(b - b'0'))?;
                exponent -= i32::from(after_point);
            }
            _ => break,
        }
        at += 1;
    }
    if at < rest.len() && matches!(rest[at], b'e' | b'E') {
        let (minus, tail) = signed(&rest[at + 1..]);
        let e = tail
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .fold(0i32, |e, b| e.saturating_mul(10).saturating_add(i32::from(b - b'0')));
        exponent = exponent.saturating_add(if minus { -e } else { e });
    }
    let shift = exponent.saturating_sub(to.scale);
    let v = match shift {
        _ if value == 0 => 0,
        ..-38 => 0,
        -38..0 => value / 10i128.pow(shift.unsigned_abs()),
        _ => value.checked_mul(10i128.checked_pow(shift.unsigned_abs())?)?,
    };
    let v = if negative { -v } else { v };
    (decimal::wrap(v, to) == v).then_some(v)
}

/// `isInteger()`, `isInteger(type)`.
pub fn is_integer(c: &Col, t: Option<DType>) -> K {
    if c.dtype != DType::STRING {
        return cudf("The column must be of type STRING");
    }
    let rows = c.texts().map(|t_| {
        let text = t_.unwrap_or_default();
        let (negative, digits) = signed(text);
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return false;
        }
        let Some(t) = t else { return true };
        let trimmed: Vec<u8> = digits.iter().copied().skip_while(|b| *b == b'0').collect();
        if trimmed.len() > 20 {
            return false;
        }
        let v: i128 = std::str::from_utf8(&trimmed)
            .ok()
            .and_then(|s| if s.is_empty() { Some(0) } else { s.parse().ok() })
            .unwrap_or(i128::MAX);
        let v = if negative { -v } else { v };
        let bits = t.size() as u32 * 8;
        if t.is_unsigned() {
            v >= 0 && v < 1 << bits
        } else {
            v >= -(1i128 << (bits - 1)) && v < 1 << (bits - 1)
        }
    });
    Ok(Col::bools(rows.collect::<Vec<_>>(), c.nulls.clone()))
}

/// `isFloat()`: also `.`, `1e` and the words for infinity and NaN in any case.
pub fn is_float(c: &Col) -> K {
    if c.dtype != DType::STRING {
        return cudf("The column must be of type STRING");
    }
    let rows = c.texts().map(|t| float_form(t.unwrap_or_default()));
    Ok(Col::bools(rows.collect::<Vec<_>>(), c.nulls.clone()))
}

fn float_form(t: &[u8]) -> bool {
    if t.is_empty() {
        return false;
    }
    let (_, rest) = signed(t);
    if is_word(rest, &["nan", "inf", "infinity"]) {
        return true;
    }
    let (mut point, mut exponent, mut at) = (false, false, 0);
    if !rest.first().is_some_and(|b| b.is_ascii_digit() || *b == b'.') {
        return false;
    }
    while at < rest.len() {
        match rest[at] {
            b'0'..=b'9' => {}
            b'.' if !point && !exponent => point = true,
            b'e' | b'E' if !exponent => {
                exponent = true;
                if rest.get(at + 1).is_some_and(|b| matches!(b, b'+' | b'-')) {
                    at += 1;
                }
            }
            _ => return false,
        }
        at += 1;
    }
    true
}

/// `isFixedPoint(type)`: the form of a decimal whose value fits the type.
pub fn is_fixed_point(c: &Col, t: DType) -> K {
    if !t.is_decimal() {
        return cudf("Must be a decimal type");
    }
    let rows = c.texts().map(|text| fixed_form(text.unwrap_or_default(), t));
    Ok(Col::bools(rows.collect::<Vec<_>>(), c.nulls.clone()))
}

fn fixed_form(text: &[u8], t: DType) -> bool {
    if text.is_empty() {
        return false;
    }
    let (_, rest) = signed(text);
    let mut digits: Vec<u8> = Vec::new();
    let (mut point, mut exponent, mut at) = (false, 0i32, 0);
    while at < rest.len() {
        match rest[at] {
            b @ b'0'..=b'9' => {
                digits.push(b);
                exponent -= i32::from(point);
            }
            b'.' if !point => point = true,
            b'e' | b'E' => {
                let (minus, tail) = signed(&rest[at + 1..]);
                if !tail.iter().all(u8::is_ascii_digit) {
                    return false;
                }
                let e = tail
                    .iter()
                    .fold(0i32, |e, b| e.saturating_mul(10).saturating_add(i32::from(b - b'0')));
                exponent = exponent.saturating_add(if minus { -e } else { e });
                at = rest.len();
            }
            _ => return false,
        }
        at += 1;
    }
    let value: num_bigint::BigInt = match std::str::from_utf8(&digits).ok().filter(|s| !s.is_empty()) {
        Some(s) => s.parse().unwrap_or_default(),
        None => return true,
    };
    let shift = exponent.saturating_sub(t.scale);
    if shift > 400 {
        // Such exponents are let through.
        return true;
    }
    let ten = num_bigint::BigInt::from(10);
    let scaled = if shift >= 0 {
        value * ten.pow(shift as u32)
    } else {
        value / ten.pow(shift.unsigned_abs())
    };
    let limit = num_bigint::BigInt::from(1) << (t.size() * 8 - 1);
    scaled < limit
}

/// `toHex()`: upper case, whole bytes, leading zero bytes dropped.
pub fn to_hex(c: &Col) -> K {
    if !c.dtype.is_integer() {
        return cudf("only integral type columns are supported");
    }
    let width = c.dtype.size();
    let v = c.to_i64();
    let mut b = StrBuilder::with_rows(c.len);
    for (i, x) in v.iter().enumerate() {
        let bytes = &x.to_be_bytes()[8 - width..];
        let skip = bytes.iter().take_while(|b| **b == 0).count().min(width - 1);
        if c.is_valid(i) {
            let text: String = bytes[skip..].iter().map(|b| format!("{b:02X}")).collect();
            b.buffer().extend_from_slice(text.as_bytes());
        }
        b.finish_row(c.is_valid(i));
    }
    Ok(b.finish()?)
}
