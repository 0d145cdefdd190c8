//! Decimal arithmetic as Spark 3.5 does it: exact where a `java.math.BigDecimal` is, 39 digits rounded down for products
//! and quotients, then HALF_UP to the result type, and null (or an exception) for what does not fit.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

use super::build::build;
use super::col::{Col, merge_errs, some_errs, strict_errs};
use super::plan::{Arith, Mode, Stop, exc};
use super::ty::Ty;
use super::val::{Reader, Val};
use crate::error::{Error, Result};

/// How a digit that does not fit is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// Ties away from zero.
    HalfUp,
    /// Ties to even.
    HalfEven,
    /// Towards minus infinity.
    Floor,
    /// Towards plus infinity.
    Ceiling,
    /// Towards zero.
    Down,
}

/// `10^n`.
pub fn pow10(n: u32) -> BigInt {
    BigInt::from(10u8).pow(n)
}

/// `v / d`, rounded; `d` is positive.
fn div_round(v: &BigInt, d: &BigInt, mode: Round) -> BigInt {
    let (q, r) = v.div_rem(d);
    if r.is_zero() {
        return q;
    }
    let away = match mode {
        Round::Down => false,
        Round::Floor => v.is_negative(),
        Round::Ceiling => !v.is_negative(),
        Round::HalfUp | Round::HalfEven => match (r.abs() * 2u8).cmp(d) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => mode == Round::HalfUp || q.is_odd(),
        },
    };
    match (away, v.is_negative()) {
        (false, _) => q,
        (true, true) => q - 1,
        (true, false) => q + 1,
    }
}

/// The unscaled value at another scale.
pub fn rescale(v: &BigInt, from: i32, to: i32, mode: Round) -> BigInt {
    match to.cmp(&from) {
        Ordering::Equal => v.clone(),
        Ordering::Greater => v * pow10((to - from) as u32),
        Ordering::Less => div_round(v, &pow10((from - to) as u32), mode),
    }
}

/// The value when it has at most `p` digits.
pub fn fit(v: &BigInt, p: u8) -> Option<i128> {
    let v = v.to_i128()?;
    (v.unsigned_abs() < 10u128.pow(u32::from(p))).then_some(v)
}

/// Rescaled with HALF_UP and checked against a precision.
pub fn to_precision(v: &BigInt, from: i32, p: u8, s: u8) -> Option<i128> {
    fit(&rescale(v, from, i32::from(s), Round::HalfUp), p)
}

/// Number of decimal digits, at least 1.
pub fn digits(v: &BigInt) -> u32 {
    v.magnitude().to_str_radix(10).len() as u32
}

/// Cuts a value to 39 significant digits, rounding down; gives the new scale too.
fn context(v: BigInt, scale: i32) -> (BigInt, i32) {
    let excess = digits(&v).saturating_sub(39);
    if excess == 0 {
        return (v, scale);
    }
    (div_round(&v, &pow10(excess), Round::Down), scale - excess as i32)
}

/// A decimal operand: unscaled value and scale.
#[derive(Clone, Copy)]
pub struct Operand {
    /// Unscaled value.
    pub v: i128,
    /// Scale.
    pub s: i32,
}

/// One operation; `None` where the divisor is zero or the result does not fit.
fn one(op: Arith, a: Operand, b: Operand, p: u8, s: u8) -> std::result::Result<Option<i128>, Stop> {
    let (x, y) = (BigInt::from(a.v), BigInt::from(b.v));
    let common = a.s.max(b.s);
    let align = || {
        (
            rescale(&x, a.s, common, Round::Down),
            rescale(&y, b.s, common, Round::Down),
        )
    };
    let (value, scale) = match op {
        Arith::Add | Arith::Sub => {
            if a.s == b.s && i32::from(s) == a.s {
                let sum = if op == Arith::Add { a.v + b.v } else { a.v - b.v };
                return Ok((sum.unsigned_abs() < 10u128.pow(u32::from(p))).then_some(sum));
            }
            let (x, y) = align();
            (if op == Arith::Add { x + y } else { x - y }, common)
        }
        Arith::Mul => context(x * y, a.s + b.s),
        Arith::Div => {
            if y.is_zero() {
                return Ok(None);
            }
            let shift = 39 - a.s + b.s;
            (rescale(&x, 0, shift.max(0), Round::Down) / y, shift.max(0) + a.s - b.s)
        }
        Arith::Rem | Arith::Pmod => {
            if y.is_zero() {
                return Ok(None);
            }
            let (x, y) = align();
            if digits(&(&x / &y)) > 39 {
                return Err(Stop::Throw(exc::JVM_ARITHMETIC));
            }
            let r = &x % &y;
            (
                if op == Arith::Pmod && r.is_negative() {
                    (r + &y) % &y
                } else {
                    r
                },
                common,
            )
        }
        Arith::IntDiv => {
            if y.is_zero() {
                return Ok(None);
            }
            let (x, y) = align();
            return match (x / y).to_i64() {
                Some(q) => Ok(Some(i128::from(q))),
                None => Err(Stop::Refuse(
                    "a decimal `div` beyond BIGINT is not covered by the cpu engine".into(),
                )),
            };
        }
        _ => return Err(Stop::Refuse("bit operations are not defined on decimals".into())),
    };
    Ok(to_precision(&value, scale, p, s))
}

/// Arithmetic over two decimal columns.
pub fn arith_col(op: Arith, types: [&Ty; 2], ret: &Ty, cols: [&Col; 2], rows: usize, mode: Mode) -> Result<Col> {
    let (Ty::Dec(_, s1), Ty::Dec(_, s2)) = (types[0], types[1]) else {
        return Err(Error::internal("decimal arithmetic needs decimals"));
    };
    let (p, s) = match ret {
        Ty::Dec(p, s) => (*p, *s),
        _ => (38, 0),
    };
    let konst = cols[0].konst && cols[1].konst;
    let n = if konst { 1 } else { rows };
    let divides = !matches!(op, Arith::Add | Arith::Sub | Arith::Mul);
    let before = strict_errs(&if divides { [cols[1], cols[0]] } else { cols }, n);
    let (x, y) = (
        Reader::new(types[0], cols[0].arr.as_ref()),
        Reader::new(types[1], cols[1].arr.as_ref()),
    );
    let mut errs = vec![0u8; n];
    let mut vals = Vec::with_capacity(n);
    for (i, err) in errs.iter_mut().enumerate() {
        let (Val::Dec(a), Val::Dec(b)) = (x.get(cols[0].at(i)), y.get(cols[1].at(i))) else {
            vals.push(Val::Null);
            continue;
        };
        let a = Operand {
            v: a,
            s: i32::from(*s1),
        };
        let b = Operand {
            v: b,
            s: i32::from(*s2),
        };
        vals.push(match one(op, a, b, p, s) {
            Ok(Some(v)) if op == Arith::IntDiv => Val::I64(v as i64),
            Ok(Some(v)) => Val::Dec(v),
            Ok(None) => {
                *err = if mode == Mode::Ansi { exc::ARITHMETIC } else { 0 };
                Val::Null
            }
            Err(Stop::Throw(e)) => {
                *err = e;
                Val::Null
            }
            Err(Stop::Refuse(why)) => return Err(Error::not_proven(why)),
        });
    }
    Ok(Col {
        arr: build(ret, &vals)?,
        konst,
        errs: merge_errs(before, some_errs(errs)),
    })
}

/// `toPlainString()`.
pub fn plain(v: i128, s: u8) -> String {
    let digits = format!("{:0>width$}", v.unsigned_abs(), width = usize::from(s) + 1);
    let sign = if v < 0 { "-" } else { "" };
    if s == 0 {
        return format!("{sign}{digits}");
    }
    let (whole, part) = digits.split_at(digits.len() - usize::from(s));
    format!("{sign}{whole}.{part}")
}

/// `toString()`: an exponent below 10^-6.
pub fn java_text(v: i128, s: u8) -> String {
    let digits = v.unsigned_abs().to_string();
    let exponent = digits.len() as i32 - 1 - i32::from(s);
    if exponent >= -6 {
        return plain(v, s);
    }
    let sign = if v < 0 { "-" } else { "" };
    let (first, rest) = digits.split_at(1);
    let dot = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{dot}{rest}E{exponent}")
}

/// `doubleValue()`: correctly rounded.
pub fn to_f64(v: i128, s: u8) -> f64 {
    if s == 0 {
        return v as f64;
    }
    format!("{v}e-{s}").parse().unwrap_or(f64::NAN)
}

/// `new BigDecimal(text)`: unscaled value and scale; `None` when it is no number.
pub fn parse(text: &str) -> Option<(BigInt, i64)> {
    let (negative, body) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match body.find(['e', 'E']) {
        Some(i) => (&body[..i], Some(&body[i + 1..])),
        None => (body, None),
    };
    let mut digits = String::new();
    let (mut scale, mut dot) = (0i64, false);
    for c in mantissa.chars() {
        if c == '.' && !dot {
            dot = true;
            continue;
        }
        digits.push(super::text::digit_value(c)?);
        scale += i64::from(dot);
    }
    if digits.is_empty() {
        return None;
    }
    if let Some(e) = exponent {
        let (minus, e) = match e.as_bytes().first()? {
            b'-' => (true, &e[1..]),
            b'+' => (false, &e[1..]),
            _ => (false, e),
        };
        let e: String = e.chars().map(super::text::digit_value).collect::<Option<_>>()?;
        if e.is_empty() || e.len() > 10 {
            return None;
        }
        let e: i64 = e.parse().ok()?;
        scale -= if minus { -e } else { e };
        if i32::try_from(scale).is_err() {
            return None;
        }
    }
    let v: BigInt = digits.parse().ok()?;
    Some((if negative { -v } else { v }, scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms() {
        assert_eq!(java_text(0, 18), "0E-18");
        assert_eq!(plain(-5, 2), "-0.05");
        assert_eq!(java_text(15, 8), "1.5E-7");
        assert_eq!(java_text(1, 6), "0.000001");
    }

    #[test]
    fn ties_go_away_from_zero_or_to_even() {
        let v = BigInt::from(-25);
        assert_eq!(rescale(&v, 1, 0, Round::HalfUp), BigInt::from(-3));
        assert_eq!(rescale(&v, 1, 0, Round::HalfEven), BigInt::from(-2));
        assert_eq!(rescale(&v, 1, 0, Round::Floor), BigInt::from(-3));
    }
}
