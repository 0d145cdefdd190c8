//! Unary operations on numbers. The transcendental ones use the host's functions: the device's differ by a few units in the
//! last place, which [`super::super::inexact_calls`] says.

use super::super::column::{Col, Data};
use super::super::dtype::{DType, TypeId};
use super::{K, cudf, decimal, refuse};

/// Power as the device's library defines it at the edges: `pow(1, NaN)` and `pow(-1, ±Infinity)` are 1.
pub fn pow(a: f64, b: f64) -> f64 {
    libm::pow(a, b)
}

fn function(op: &str) -> Option<fn(f64) -> f64> {
    Some(match op {
        "SIN" => libm::sin,
        "COS" => libm::cos,
        "TAN" => libm::tan,
        "ARCSIN" => libm::asin,
        "ARCCOS" => libm::acos,
        "ARCTAN" => libm::atan,
        "SINH" => libm::sinh,
        "COSH" => libm::cosh,
        "TANH" => libm::tanh,
        "ARCSINH" => libm::asinh,
        "ARCCOSH" => libm::acosh,
        "ARCTANH" => libm::atanh,
        "EXP" => libm::exp,
        "LOG" => libm::log,
        "CBRT" => libm::cbrt,
        "SQRT" => f64::sqrt,
        "CEIL" => f64::ceil,
        "FLOOR" => f64::floor,
        "RINT" => f64::round_ties_even,
        "ABS" => f64::abs,
        _ => return None,
    })
}

/// `unaryOp`.
pub fn run(op: &str, c: &Col) -> K {
    let nulls = c.nulls.clone();
    match op {
        "NOT" => {
            return match &c.data {
                Data::F64(v) => Ok(Col::bools(v.iter().map(|x| *x == 0.0), nulls)),
                Data::F32(v) => Ok(Col::bools(v.iter().map(|x| *x == 0.0), nulls)),
                _ if c.dtype.is_numeric() => Ok(Col::bools(c.to_i64().iter().map(|x| *x == 0), nulls)),
                _ => cudf("Unsupported data type for operation"),
            };
        }
        "BIT_INVERT" if c.dtype.is_integer() => {
            return Ok(Col::from_i64(c.dtype, c.to_i64().iter().map(|x| !x).collect(), nulls));
        }
        "BIT_COUNT" if c.dtype.is_integer() => {
            let bits = c.dtype.size() as u32 * 8;
            let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            let v = c
                .to_i64()
                .iter()
                .map(|x| (*x as u64 & mask).count_ones() as i32)
                .collect();
            return Ok(Col::ints(v, nulls));
        }
        "ABS" if c.dtype.is_signed() => {
            let v = c.to_i64().iter().map(|x| x.wrapping_abs()).collect();
            return Ok(Col::from_i64(c.dtype, v, nulls));
        }
        "ABS" if c.dtype.is_decimal() => {
            let v = c.to_i128();
            return Ok(Col::from_i128(c.dtype, v.iter().map(|x| x.wrapping_abs()), nulls));
        }
        "FLOOR" | "CEIL" if c.dtype.is_decimal() => return decimal::to_whole(c, op == "CEIL"),
        _ => {}
    }
    let Some(f) = function(op) else {
        return cudf("Unsupported data type for operation");
    };
    match &c.data {
        Data::F64(v) => Ok(Col::new(
            c.dtype,
            Data::F64(v.iter().map(|x| f(*x)).collect::<Vec<_>>().into()),
            nulls,
        )),
        Data::F32(v) if matches!(op, "SQRT" | "CEIL" | "FLOOR" | "RINT" | "ABS") => {
            let v: Vec<f32> = v.iter().map(|x| f(f64::from(*x)) as f32).collect();
            Ok(Col::new(c.dtype, Data::F32(v.into()), nulls))
        }
        Data::F32(v) => {
            let v: Vec<f32> = v.iter().map(|x| f(f64::from(*x)) as f32).collect();
            Ok(Col::new(c.dtype, Data::F32(v.into()), nulls))
        }
        _ => refuse(format!("{op} of {} is not covered", c.dtype)),
    }
}

/// The `BOOL8` tests: `isNan`, `isNotNan`, `isNull`, `isNotNull` never give null.
pub fn test(name: &str, c: &Col) -> K {
    let rows = 0..c.len;
    let nan = |i: usize| match &c.data {
        Data::F64(v) => v[i].is_nan(),
        Data::F32(v) => v[i].is_nan(),
        _ => false,
    };
    Ok(match name {
        "isNull" => Col::bools(rows.map(|i| !c.is_valid(i)), None),
        "isNotNull" => Col::bools(rows.map(|i| c.is_valid(i)), None),
        "isNan" | "isNotNan" if !c.dtype.is_float() => return cudf("input must be floating point type"),
        "isNan" => Col::bools(rows.map(|i| c.is_valid(i) && nan(i)), None),
        _ => Col::bools(rows.map(|i| !(c.is_valid(i) && nan(i))), None),
    })
}

/// `nansToNulls()`.
pub fn nans_to_nulls(c: &Col) -> K {
    if !c.dtype.is_float() {
        return cudf("input must be floating point type");
    }
    let valid: Vec<bool> = match &c.data {
        Data::F64(v) => v
            .iter()
            .enumerate()
            .map(|(i, x)| c.is_valid(i) && !x.is_nan())
            .collect(),
        Data::F32(v) => v
            .iter()
            .enumerate()
            .map(|(i, x)| c.is_valid(i) && !x.is_nan())
            .collect(),
        _ => Vec::new(),
    };
    Ok(c.with_nulls(super::super::column::mask(&valid)))
}

/// `normalizeNANsAndZeros()`: one NaN, one zero.
pub fn normalize(c: &Col) -> K {
    let data = match &c.data {
        Data::F64(v) => Data::F64(
            v.iter()
                .map(|x| {
                    if x.is_nan() {
                        f64::from_bits(0x7ff8 << 48)
                    } else {
                        x + 0.0
                    }
                })
                .collect::<Vec<_>>()
                .into(),
        ),
        Data::F32(v) => Data::F32(
            v.iter()
                .map(|x| {
                    if x.is_nan() {
                        f32::from_bits(0x7fc0_0000)
                    } else {
                        x + 0.0
                    }
                })
                .collect::<Vec<_>>()
                .into(),
        ),
        _ => return cudf("Expects float or double input"),
    };
    Ok(Col::new(c.dtype, data, c.nulls.clone()))
}

/// `UnaryOp` behind a method name.
pub fn op_of(method: &str) -> Option<&'static str> {
    Some(match method {
        "sin" => "SIN",
        "cos" => "COS",
        "tan" => "TAN",
        "arcsin" => "ARCSIN",
        "arccos" => "ARCCOS",
        "arctan" => "ARCTAN",
        "sinh" => "SINH",
        "cosh" => "COSH",
        "tanh" => "TANH",
        "arcsinh" => "ARCSINH",
        "arccosh" => "ARCCOSH",
        "arctanh" => "ARCTANH",
        "exp" => "EXP",
        "log" => "LOG",
        "cbrt" => "CBRT",
        "sqrt" => "SQRT",
        "ceil" => "CEIL",
        "floor" => "FLOOR",
        "rint" => "RINT",
        "abs" => "ABS",
        "not" => "NOT",
        "bitInvert" => "BIT_INVERT",
        "bitCount" => "BIT_COUNT",
        _ => return None,
    })
}

/// Whether a type is one that `log2()` and `log10()` take.
pub fn is_double(t: DType) -> bool {
    t.id == TypeId::Float64
}
