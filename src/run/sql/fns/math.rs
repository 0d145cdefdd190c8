//! Functions of doubles. Spark's own choice of `java.lang.Math` or `StrictMath` per function is kept.

use super::super::jvmlib as j;
use super::super::plan::{Call, Def, Node, Nulls, RowResult};
use super::super::resolve::{apply, implicit};
use super::super::ty::{Ty, wider_no_string};
use super::super::val::Val;
use super::control::widen_to;
use super::{own, sees, strict};

/// Defines a function of one double.
macro_rules! unary {
    ($name:literal, $f:expr) => {
        strict($name, "d -> d", |_, a| Ok(Val::F64($f(a[0].double()))))
    };
}

/// The functions of this file.
pub const TABLE: &[Def] = &[
    unary!("sqrt", f64::sqrt),
    unary!("cbrt", j::cbrt),
    unary!("exp", j::exp),
    unary!("expm1", j::expm1),
    unary!("rint", f64::round_ties_even),
    unary!("sin", j::sin),
    unary!("cos", j::cos),
    unary!("tan", j::tan),
    unary!("cot", |x| 1.0 / j::tan(x)),
    unary!("sec", |x| 1.0 / j::cos(x)),
    unary!("csc", |x| 1.0 / j::sin(x)),
    unary!("asin", j::asin),
    unary!("acos", j::acos),
    unary!("atan", j::atan),
    unary!("sinh", j::sinh),
    unary!("cosh", j::cosh),
    unary!("tanh", j::tanh),
    unary!("degrees", j::degrees),
    unary!("radians", j::radians),
    unary!("signum", |x: f64| if x == 0.0 || x.is_nan() { x } else { x.signum() }),
    strict("ln", "d -> d", |_, a| Ok(above(a[0].double(), 0.0, j::ln))),
    strict("log10", "d -> d", |_, a| Ok(above(a[0].double(), 0.0, j::log10))),
    strict("log2", "d -> d", |_, a| {
        Ok(above(a[0].double(), 0.0, |x| j::ln(x) / j::ln_2()))
    }),
    strict("log1p", "d -> d", |_, a| Ok(above(a[0].double(), -1.0, j::log1p))),
    strict("log", "d d? -> d", log),
    strict("pow", "d d -> d", |_, a| {
        Ok(Val::F64(j::pow(a[0].double(), a[1].double())))
    }),
    strict("atan2", "d d -> d", |_, a| {
        Ok(Val::F64(j::atan2(a[0].double() + 0.0, a[1].double() + 0.0)))
    }),
    strict("hypot", "d d -> d", |_, a| {
        Ok(Val::F64(j::hypot(a[0].double(), a[1].double())))
    }),
    strict("e", " -> d", |_, _| Ok(Val::F64(std::f64::consts::E))),
    strict("pi", " -> d", |_, _| Ok(Val::F64(std::f64::consts::PI))),
    own("isnan", Nulls::Sees, isnan_sig, |_, a| {
        Ok(Val::Bool(a[0].double().is_nan()))
    }),
    own("nanvl", Nulls::Sees, nanvl_sig, nanvl),
    strict("factorial", "i -> l", factorial),
    sees("width_bucket", "d d d l -> l", width_bucket),
];

/// Null where the argument is not above the pole; NaN passes.
fn above<'a>(x: f64, pole: f64, f: impl Fn(f64) -> f64) -> Val<'a> {
    if x <= pole { Val::Null } else { Val::F64(f(x)) }
}

fn log<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let [base, x] = a else {
        return Ok(above(a[0].double(), 0.0, j::ln));
    };
    let (b, x) = (base.double(), x.double());
    Ok(if x <= 0.0 || b <= 0.0 {
        Val::Null
    } else {
        Val::F64(j::ln(x) / j::ln(b))
    })
}

fn isnan_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if matches!(args.as_slice(), [n] if n.ty == Ty::F32) {
        return Ok(Ty::Bool);
    }
    apply("d -> b", args, ansi)
}

fn nanvl_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let [a, b] = args.as_slice() else {
        return Err(format!("takes 2 arguments, found {}", args.len()));
    };
    let t = match wider_no_string(&a.ty, &b.ty, ansi) {
        Some(Ty::F32) => Ty::F32,
        _ => Ty::F64,
    };
    if a.ty.is_numeric() && b.ty.is_numeric() {
        widen_to(args, &t, ansi);
        return Ok(t);
    }
    let given = std::mem::take(args);
    for n in given {
        args.push(implicit(n, &t, ansi).ok_or("needs numbers")?);
    }
    Ok(t)
}

fn nanvl<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    if a[0].is_null() {
        return Ok(Val::Null);
    }
    Ok(if a[0].double().is_nan() {
        a[1].clone()
    } else {
        a[0].clone()
    })
}

fn factorial<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let n = a[0].int();
    Ok(if (0..=20).contains(&n) {
        Val::I64((1..=i64::from(n)).product())
    } else {
        Val::Null
    })
}

fn width_bucket<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    if a.iter().any(Val::is_null) {
        return Ok(Val::Null);
    }
    let (v, min, max, n) = (a[0].double(), a[1].double(), a[2].double(), a[3].long());
    let bad = n <= 0 || n == i64::MAX || v.is_nan() || min == max || !min.is_finite() || !max.is_finite();
    if bad {
        return Ok(Val::Null);
    }
    let (lower, upper) = (min.min(max), min.max(max));
    let bucket = if min < max {
        if v < lower {
            0
        } else if v >= upper {
            n + 1
        } else {
            (n as f64 * (v - lower) / (upper - lower)) as i64 + 1
        }
    } else if v > upper {
        0
    } else if v <= lower {
        n + 1
    } else {
        (n as f64 * (upper - v) / (upper - lower)) as i64 + 1
    };
    Ok(Val::I64(bucket))
}
