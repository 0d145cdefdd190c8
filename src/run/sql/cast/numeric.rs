//! Casts to numbers.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::{Caster, bad};
use crate::run::sql::decimal;
use crate::run::sql::jvmlib;
use crate::run::sql::plan::{Mode, RowResult, Stop, exc};
use crate::run::sql::text::{FloatText, float_text, java_trim, parse_long};
use crate::run::sql::ty::Ty;
use crate::run::sql::val::Val;

fn bounds(to: &Ty) -> (i64, i64) {
    match to {
        Ty::I8 => (i64::from(i8::MIN), i64::from(i8::MAX)),
        Ty::I16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Ty::I32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => (i64::MIN, i64::MAX),
    }
}

/// The low bits of a number as a value of an integral type.
pub fn wrap<'a>(to: &Ty, n: i64) -> Val<'a> {
    match to {
        Ty::I8 => Val::I8(n as i8),
        Ty::I16 => Val::I16(n as i16),
        Ty::I32 => Val::I32(n as i32),
        _ => Val::I64(n),
    }
}

pub(super) fn to_integer<'a>(c: &Caster, from: &Ty, to: &Ty, v: &Val) -> RowResult<Val<'a>> {
    let (low, high) = bounds(to);
    let strict = c.mode != Mode::Legacy;
    match v {
        Val::Str(s) => match parse_long(s, !strict).filter(|n| (low..=high).contains(n)) {
            Some(n) => Ok(wrap(to, n)),
            None => bad(c.mode, exc::NUMBER_FORMAT),
        },
        Val::Bool(b) => Ok(wrap(to, i64::from(*b))),
        Val::F32(_) | Val::F64(_) => float_to_integer(c, to, v.double()),
        Val::Dec(d) => {
            let Ty::Dec(_, s) = from else {
                return Err(Stop::Refuse("a decimal without its type".into()));
            };
            let whole = d / 10i128.pow(u32::from(*s));
            if strict && !(i128::from(low)..=i128::from(high)).contains(&whole) {
                return bad(c.mode, exc::ARITHMETIC);
            }
            Ok(wrap(to, whole as i64))
        }
        Val::Date(_) => Ok(Val::Null),
        Val::Ts(us) => checked(c, to, us.div_euclid(1_000_000)),
        _ => checked(c, to, v.long()),
    }
}

fn checked<'a>(c: &Caster, to: &Ty, n: i64) -> RowResult<Val<'a>> {
    let (low, high) = bounds(to);
    if c.mode != Mode::Legacy && !(low..=high).contains(&n) {
        return bad(c.mode, exc::ARITHMETIC);
    }
    Ok(wrap(to, n))
}

fn float_to_integer<'a>(c: &Caster, to: &Ty, x: f64) -> RowResult<Val<'a>> {
    if c.mode != Mode::Legacy {
        let (low, high) = bounds(to);
        if !(x.floor() <= high as f64 && x.ceil() >= low as f64) {
            return bad(c.mode, exc::ARITHMETIC);
        }
        return Ok(wrap(to, x as i64));
    }
    Ok(match to {
        Ty::I64 => Val::I64(x as i64),
        _ => wrap(to, i64::from(x as i32)),
    })
}

/// A text as DOUBLE; `None` when it is no number.
pub fn double_of_text(s: &str) -> RowResult<Option<f64>> {
    Ok(match float_text(s) {
        FloatText::Decimal(t) => t.parse().ok(),
        FloatText::Special(x) => Some(x),
        FloatText::Hex => jvmlib::parse_double(s)?,
        FloatText::Bad => None,
    })
}

fn float_of_text(s: &str) -> RowResult<Option<f32>> {
    Ok(match float_text(s) {
        FloatText::Decimal(t) => t.parse().ok(),
        FloatText::Special(x) => Some(x as f32),
        FloatText::Hex => jvmlib::parse_float(s)?,
        FloatText::Bad => None,
    })
}

pub(super) fn to_float<'a>(c: &Caster, from: &Ty, to: &Ty, v: &Val) -> RowResult<Val<'a>> {
    let single = *to == Ty::F32;
    let both = |x: f64| if single { Val::F32(x as f32) } else { Val::F64(x) };
    Ok(match v {
        Val::Str(s) => {
            let parsed = if single {
                float_of_text(s)?.map(Val::F32)
            } else {
                double_of_text(s)?.map(Val::F64)
            };
            match parsed {
                Some(v) => v,
                None => return bad(c.mode, exc::NUMBER_FORMAT),
            }
        }
        Val::Bool(b) => both(f64::from(u8::from(*b))),
        Val::F32(_) | Val::F64(_) => both(v.double()),
        Val::Dec(d) => match from {
            Ty::Dec(_, s) if single => Val::F32(format!("{d}e-{s}").parse().unwrap_or(f32::NAN)),
            Ty::Dec(_, s) => Val::F64(decimal::to_f64(*d, *s)),
            _ => return Err(Stop::Refuse("a decimal without its type".into())),
        },
        Val::Date(_) => Val::Null,
        Val::Ts(us) => both(*us as f64 / 1_000_000.0),
        _ if single => Val::F32(v.long() as f32),
        _ => Val::F64(v.long() as f64),
    })
}

/// What `Decimal.fromString` makes of a text.
pub enum DecimalText {
    /// Unscaled value and scale.
    Number(BigInt, i64),
    /// More than 38 digits before the point.
    TooLarge,
    /// No number.
    Bad,
}

/// A text as a decimal of any scale.
pub fn decimal_of_text(s: &str) -> DecimalText {
    let Some((v, scale)) = decimal::parse(java_trim(s)) else {
        return DecimalText::Bad;
    };
    let integral = i64::from(decimal::digits(&v)) - scale;
    if integral > 38 {
        DecimalText::TooLarge
    } else {
        DecimalText::Number(v, scale)
    }
}

fn fit<'a>(c: &Caster, v: &BigInt, scale: i64, p: u8, s: u8) -> RowResult<Val<'a>> {
    // Far below the last place kept, every digit rounds away.
    let scale_now = if scale > 10_000 && i64::from(decimal::digits(v)) < scale - 100 {
        return Ok(Val::Dec(0));
    } else {
        scale
    };
    let Ok(scale) = i32::try_from(scale_now) else {
        return bad(c.mode, exc::ARITHMETIC);
    };
    if scale < -10_000 && v.to_i8() != Some(0) {
        return bad(c.mode, exc::ARITHMETIC);
    }
    if v.to_i8() == Some(0) {
        return Ok(Val::Dec(0));
    }
    match decimal::to_precision(v, scale, p, s) {
        Some(d) => Ok(Val::Dec(d)),
        None => bad(c.mode, exc::ARITHMETIC),
    }
}

pub(super) fn to_decimal<'a>(c: &Caster, from: &Ty, p: u8, s: u8, v: &Val) -> RowResult<Val<'a>> {
    match v {
        Val::Str(t) => match decimal_of_text(t) {
            DecimalText::Number(v, scale) => fit(c, &v, scale, p, s),
            DecimalText::TooLarge => bad(c.mode, exc::ARITHMETIC),
            DecimalText::Bad => bad(c.mode, exc::NUMBER_FORMAT),
        },
        Val::F32(_) | Val::F64(_) => {
            let x = v.double();
            if !x.is_finite() {
                return Ok(Val::Null);
            }
            match decimal::parse(&jvmlib::double_text(x)?) {
                Some((v, scale)) => fit(c, &v, scale, p, s),
                None => Ok(Val::Null),
            }
        }
        Val::Dec(d) => match from {
            Ty::Dec(_, from_scale) => fit(c, &BigInt::from(*d), i64::from(*from_scale), p, s),
            _ => Err(Stop::Refuse("a decimal without its type".into())),
        },
        Val::Bool(b) => fit(c, &BigInt::from(u8::from(*b)), 0, p, s),
        Val::Date(_) => Ok(Val::Null),
        Val::Ts(us) => match decimal::parse(&jvmlib::double_text(*us as f64 / 1_000_000.0)?) {
            Some((v, scale)) => fit(c, &v, scale, p, s),
            None => Ok(Val::Null),
        },
        _ => fit(c, &BigInt::from(v.long()), 0, p, s),
    }
}
