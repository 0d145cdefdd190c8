//! Sign and rounding: `abs`, `negative`, `ceil`, `floor`, `round`, `bround`.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::super::decimal::{self, Round, fit, rescale};
use super::super::jvmlib;
use super::super::plan::{Call, Def, Kind, Mode, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::{implicit, lacks};
use super::super::ty::{Ty, adjust};
use super::super::val::Val;
use super::own;

/// The functions of this file.
pub const TABLE: &[Def] = &[
    own("negative", Nulls::Strict, same_sig, negative),
    own("abs", Nulls::Strict, same_sig, abs),
    own("ceil", Nulls::Strict, floor_sig, |c, a| to_whole(c, a, Round::Ceiling)),
    own("floor", Nulls::Strict, floor_sig, |c, a| to_whole(c, a, Round::Floor)),
    own("round", Nulls::Strict, round_sig, |c, a| round(c, a, Round::HalfUp)),
    own("bround", Nulls::Strict, round_sig, |c, a| round(c, a, Round::HalfEven)),
];

fn same_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let [n] = args.as_slice() else {
        return Err(format!("takes 1 argument, found {}", args.len()));
    };
    if !n.ty.is_numeric() {
        if n.ty.is_interval() {
            return Err(lacks("intervals are not covered here by the cpu engine"));
        }
        let n = args.remove(0);
        args.push(implicit(n, &Ty::F64, ansi).ok_or("needs a number")?);
    }
    Ok(args[0].ty.clone())
}

fn checked<'a, T>(c: &Call, exact: Option<T>, wrapped: T, make: fn(T) -> Val<'static>) -> RowResult<Val<'a>> {
    match exact {
        Some(v) => Ok(make(v)),
        None if c.rt.ansi => Err(Stop::Throw(exc::ARITHMETIC)),
        None => Ok(make(wrapped)),
    }
}

fn negative<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    match a[0] {
        Val::I8(v) => checked(c, v.checked_neg(), v.wrapping_neg(), Val::I8),
        Val::I16(v) => checked(c, v.checked_neg(), v.wrapping_neg(), Val::I16),
        Val::I32(v) => checked(c, v.checked_neg(), v.wrapping_neg(), Val::I32),
        Val::I64(v) => checked(c, v.checked_neg(), v.wrapping_neg(), Val::I64),
        Val::F32(v) => Ok(Val::F32(-v)),
        Val::F64(v) => Ok(Val::F64(-v)),
        Val::Dec(v) => Ok(Val::Dec(-v)),
        _ => Ok(Val::Null),
    }
}

fn abs<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    match a[0] {
        Val::I8(v) => checked(c, v.checked_abs(), v.wrapping_abs(), Val::I8),
        Val::I16(v) => checked(c, v.checked_abs(), v.wrapping_abs(), Val::I16),
        Val::I32(v) => checked(c, v.checked_abs(), v.wrapping_abs(), Val::I32),
        Val::I64(v) => checked(c, v.checked_abs(), v.wrapping_abs(), Val::I64),
        Val::F32(v) => Ok(Val::F32(v.abs())),
        Val::F64(v) => Ok(Val::F64(v.abs())),
        Val::Dec(v) => Ok(Val::Dec(v.abs())),
        _ => Ok(Val::Null),
    }
}

fn scale_of(n: &Node) -> Result<Option<i32>, String> {
    match n.constant() {
        Some(Val::Null) => Ok(None),
        Some(v @ (Val::I8(_) | Val::I16(_) | Val::I32(_))) => Ok(Some(v.int())),
        _ => Err("the scale is an integer constant".into()),
    }
}

/// One argument: BIGINT for floats, a decimal without places for decimals. With a scale: always a decimal.
fn floor_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if args.is_empty() || args.len() > 2 {
        return Err(format!("takes 1 or 2 arguments, found {}", args.len()));
    }
    let target = args.get(1).map(scale_of).transpose()?;
    let n = args.remove(0);
    let from = n.ty.clone();
    if let Some(scale) = target {
        let Some(s) = scale else {
            return Err(lacks("a null scale is not covered by the cpu engine"));
        };
        let (p, sc) = match &from {
            Ty::Dec(p, s) => (*p, *s),
            Ty::F32 => (14, 7),
            Ty::F64 => (30, 15),
            t => t.as_decimal().ok_or("needs a number")?,
        };
        let mode = if ansi { Mode::Ansi } else { Mode::Legacy };
        let n = if from == Ty::Dec(p, sc) {
            n
        } else {
            Node::new(Ty::Dec(p, sc), Kind::Cast(Box::new(n), mode))
        };
        args.insert(0, n);
        return Ok(rounded_type(p, sc, s));
    }
    let (node, ret) = match from {
        Ty::Dec(p, s) => (n, adjust(i32::from(p) - i32::from(s) + 1, 0)),
        Ty::I64 => (n, Ty::I64),
        _ => (implicit(n, &Ty::F64, ansi).ok_or("needs a number")?, Ty::I64),
    };
    args.push(node);
    Ok(ret)
}

/// `RoundBase.dataType` for a decimal.
fn rounded_type(p: u8, s: u8, target: i32) -> Ty {
    let (p, s) = (i32::from(p), i32::from(s));
    let integral_least = p - s + 1;
    if target < 0 {
        let least = (-target + 1).min(38);
        return Ty::Dec(integral_least.max(least).min(38) as u8, 0);
    }
    let scale = s.min(target);
    adjust((integral_least + scale).min(38), scale)
}

fn to_whole<'a>(c: &Call, a: &[Val<'a>], mode: Round) -> RowResult<Val<'a>> {
    match (&c.args[0], &a[0]) {
        (Ty::Dec(_, s), Val::Dec(v)) => {
            let target = a.get(1).map_or(0, Val::int);
            decimal_round(c, *v, *s, target, mode)
        }
        (_, Val::F64(x)) => {
            let whole = if mode == Round::Ceiling { x.ceil() } else { x.floor() };
            Ok(Val::I64(whole as i64))
        }
        _ => Ok(a[0].clone()),
    }
}

fn decimal_round<'a>(c: &Call, v: i128, s: u8, target: i32, mode: Round) -> RowResult<Val<'a>> {
    let Ty::Dec(p, rs) = c.ret else {
        return Err(Stop::Refuse("rounding a decimal gives a decimal".into()));
    };
    let cut = rescale(&BigInt::from(v), i32::from(s), target.min(i32::from(s)), mode);
    let back = rescale(&cut, target.min(i32::from(s)), i32::from(*rs), Round::Down);
    match fit(&back, *p) {
        Some(d) => Ok(Val::Dec(d)),
        None if c.rt.ansi => Err(Stop::Throw(exc::ARITHMETIC)),
        None => Ok(Val::Null),
    }
}

fn round_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if args.is_empty() || args.len() > 2 {
        return Err(format!("takes 1 or 2 arguments, found {}", args.len()));
    }
    if args.len() == 1 {
        args.push(Node::lit(Ty::I32, Val::I32(0)));
    }
    let Some(scale) = scale_of(&args[1])? else {
        return Err(lacks("a null scale is not covered by the cpu engine"));
    };
    if !args[0].ty.is_numeric() {
        let n = args.remove(0);
        args.insert(0, implicit(n, &Ty::F64, ansi).ok_or("needs a number")?);
    }
    Ok(match args[0].ty {
        Ty::Dec(p, s) => rounded_type(p, s, scale),
        ref t => t.clone(),
    })
}

fn round<'a>(c: &Call, a: &[Val<'a>], mode: Round) -> RowResult<Val<'a>> {
    let scale = a[1].int();
    match (&c.args[0], &a[0]) {
        (Ty::Dec(_, s), Val::Dec(v)) => decimal_round(c, *v, *s, scale, mode),
        (Ty::F64, Val::F64(x)) => Ok(Val::F64(round_float(*x, scale, mode)?)),
        (Ty::F32, Val::F32(x)) => Ok(Val::F32(round_float(f64::from(*x), scale, mode)? as f32)),
        _ if scale >= 0 => Ok(a[0].clone()),
        (t, v) => {
            let whole = rescale(&BigInt::from(v.long()), 0, scale, mode);
            let whole = rescale(&whole, scale, 0, Round::Down);
            let n = whole.to_i64();
            let bits = match t {
                Ty::I8 => 8,
                Ty::I16 => 16,
                Ty::I32 => 32,
                _ => 64,
            };
            let fits = n.is_some_and(|n| bits == 64 || (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&n));
            if !fits && c.rt.ansi {
                return Err(Stop::Throw(exc::ARITHMETIC));
            }
            let low = (&whole & BigInt::from(u64::MAX)).to_u64().unwrap_or(0) as i64;
            Ok(super::super::cast::wrap(t, low))
        }
    }
}

/// `BigDecimal(x).setScale(scale, mode).toDouble`, where `BigDecimal(x)` goes through the text of the double.
fn round_float(x: f64, scale: i32, mode: Round) -> RowResult<f64> {
    if !x.is_finite() {
        return Ok(x);
    }
    let text = jvmlib::double_text(x)?;
    let Some((v, s)) = decimal::parse(&text) else {
        return Err(Stop::Refuse(format!("`{text}` is no decimal")));
    };
    let s = s as i32;
    // Beyond the digits that a double has, nothing changes or nothing is left.
    if scale >= s {
        return Ok(if v == BigInt::from(0) { 0.0 } else { x });
    }
    let cut = rescale(&v, s, scale, mode);
    Ok(format!("{cut}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN))
}
