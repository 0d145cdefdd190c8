//! `castTo`: between numbers as the device's conversion instructions do it (saturating from floats to 32 and 64 bits, then the
//! low bits), decimals truncated, timestamps floored, text by [`super::text_numbers`].

use super::super::column::{Col, Data};
use super::super::dtype::{DType, TypeId};
use super::{K, decimal, refuse, text_numbers};

/// `castTo`.
pub fn cast(c: &Col, to: DType) -> K {
    let from = c.dtype;
    if from == to {
        return Ok(c.clone());
    }
    if from.is_numeric() && to.is_numeric() {
        return numeric(c, to);
    }
    if to.id == TypeId::String {
        return text_numbers::to_text(c);
    }
    if from.id == TypeId::String {
        return text_numbers::from_text(c, to);
    }
    if from.is_decimal() && to.is_decimal() {
        return decimal_to_decimal(c, to);
    }
    if from.is_decimal() && to.is_integer() {
        let values = c.to_i128();
        return Ok(Col::from_i128(
            to,
            values.iter().map(|v| decimal::rescale(*v, from.scale, 0, from)),
            c.nulls.clone(),
        ));
    }
    if from.is_decimal() && to.is_float() {
        return decimal_to_float(c, to);
    }
    if (from.is_integer() || from.id == TypeId::Bool8) && to.is_decimal() {
        let values = c.to_i128();
        return Ok(Col::from_i128(
            to,
            values.iter().map(|v| decimal::rescale(*v, 0, to.scale, to)),
            c.nulls.clone(),
        ));
    }
    if from.is_float() && to.is_decimal() {
        return float_to_decimal(c, to);
    }
    if let (Some(a), Some(b)) = (from.unit_nanos(), to.unit_nanos())
        && from.is_timestamp() == to.is_timestamp()
    {
        return Ok(rescale_time(c, to, a, b));
    }
    // A timestamp or duration and the integers that count its units.
    if from.unit_nanos().is_some() && to.is_integer() || from.is_integer() && to.unit_nanos().is_some() {
        return Ok(Col::from_i64(to, c.to_i64().into_owned(), c.nulls.clone()));
    }
    refuse(format!("castTo from {from} to {to} is not covered"))
}

/// As [`numeric`], keeping the column when nothing changes.
pub fn numeric_owned(c: Col, to: DType) -> K {
    if c.dtype == to { Ok(c) } else { numeric(&c, to) }
}

/// Between Booleans, integers and floats.
pub fn numeric(c: &Col, to: DType) -> K {
    if c.dtype == to {
        return Ok(c.clone());
    }
    let nulls = c.nulls.clone();
    if to.id == TypeId::Bool8 {
        return Ok(match &c.data {
            Data::F64(v) => Col::bools(v.iter().map(|x| *x != 0.0), nulls),
            Data::F32(v) => Col::bools(v.iter().map(|x| *x != 0.0), nulls),
            _ => Col::bools(c.to_i64().iter().map(|x| *x != 0), nulls),
        });
    }
    let unsigned64 = c.dtype.id == TypeId::Uint64;
    match (to.id, &c.data) {
        (TypeId::Float64, Data::F32(v)) => Ok(Col::new(
            to,
            Data::F64(v.iter().map(|x| f64::from(*x)).collect::<Vec<_>>().into()),
            nulls,
        )),
        (TypeId::Float64, _) => {
            let v = c.to_i64();
            let v: Vec<f64> = v
                .iter()
                .map(|x| if unsigned64 { *x as u64 as f64 } else { *x as f64 })
                .collect();
            Ok(Col::new(to, Data::F64(v.into()), nulls))
        }
        (TypeId::Float32, Data::F64(v)) => Ok(Col::new(
            to,
            Data::F32(v.iter().map(|x| *x as f32).collect::<Vec<_>>().into()),
            nulls,
        )),
        (TypeId::Float32, _) => {
            let v = c.to_i64();
            let v: Vec<f32> = v
                .iter()
                .map(|x| if unsigned64 { *x as u64 as f32 } else { *x as f32 })
                .collect();
            Ok(Col::new(to, Data::F32(v.into()), nulls))
        }
        (_, Data::F64(v)) => Ok(Col::from_i64(
            to,
            v.iter().map(|x| double_to_integer(*x, to)).collect(),
            nulls,
        )),
        (_, Data::F32(v)) => Ok(Col::from_i64(
            to,
            v.iter().map(|x| single_to_integer(*x, to)).collect(),
            nulls,
        )),
        _ => Ok(Col::from_i64(to, c.to_i64().into_owned(), nulls)),
    }
}

/// What the device's conversion gives; narrow types keep the low bits of the 32-bit result.
pub(super) fn double_to_integer(x: f64, to: DType) -> i64 {
    match to.id {
        TypeId::Int64 if x.is_nan() => i64::MIN,
        TypeId::Int64 => x as i64,
        TypeId::Uint64 if x.is_nan() => i64::MIN,
        TypeId::Uint64 => x as u64 as i64,
        TypeId::Uint32 | TypeId::Uint16 | TypeId::Uint8 if x.is_nan() => i64::from(i32::MIN),
        TypeId::Uint32 | TypeId::Uint16 | TypeId::Uint8 => i64::from(x as u32),
        _ if x.is_nan() => i64::from(i32::MIN),
        _ => i64::from(x as i32),
    }
}

fn single_to_integer(x: f32, to: DType) -> i64 {
    match to.id {
        TypeId::Int64 | TypeId::Uint64 => double_to_integer(f64::from(x), to),
        // The 32-bit conversions of a binary32 NaN give zero.
        _ if x.is_nan() => 0,
        _ => double_to_integer(f64::from(x), to),
    }
}

fn decimal_to_decimal(c: &Col, to: DType) -> K {
    let from = c.dtype;
    // The arithmetic runs in the wider of the two types.
    let t = if from.id > to.id { from } else { to };
    let values = c.to_i128();
    Ok(Col::from_i128(
        to,
        values.iter().map(|v| decimal::rescale(*v, from.scale, to.scale, t)),
        c.nulls.clone(),
    ))
}

fn decimal_to_float(c: &Col, to: DType) -> K {
    if c.dtype.scale < -15 || c.dtype.id == TypeId::Decimal128 && c.to_i128().iter().any(|v| v.unsigned_abs() > 1 << 63)
    {
        return refuse(format!(
            "castTo from {} to {to} may be an ulp off on the device",
            c.dtype
        ));
    }
    let values = c.to_i128();
    let scale = -c.dtype.scale;
    let v: Vec<f64> = values
        .iter()
        .map(|v| format!("{v}e{}", -scale).parse().unwrap_or(f64::NAN))
        .collect();
    let wide = Col::new(DType::FLOAT64, Data::F64(v.into()), c.nulls.clone());
    if to.id == TypeId::Float32 {
        return refuse("castTo from a decimal to FLOAT32 is not covered");
    }
    numeric_owned(wide, to)
}

/// Truncates the decimal text of values of up to 15 digits; beyond, the device works on the binary value.
fn float_to_decimal(c: &Col, to: DType) -> K {
    let values: Vec<f64> = match &c.data {
        Data::F64(v) => v.to_vec(),
        Data::F32(_) => return refuse("castTo from FLOAT32 to a decimal is not covered"),
        _ => Vec::new(),
    };
    let mut valid = c.validity();
    let mut out = Vec::with_capacity(values.len());
    for (i, x) in values.iter().enumerate() {
        if !valid[i] || !x.is_finite() {
            valid[i] = false;
            out.push(0);
            continue;
        }
        match truncated(*x, to.scale) {
            Some(v) if decimal::wrap(v, to) == v => out.push(v),
            _ => {
                return refuse(format!(
                    "castTo of {x:?} to {to}: the device's result was not measured for such values"
                ));
            }
        }
    }
    Ok(Col::from_i128(to, out.into_iter(), super::super::column::mask(&valid)))
}

fn truncated(x: f64, scale: i32) -> Option<i128> {
    let text = format!("{:e}", x.abs());
    let (mantissa, exponent) = text.split_once('e')?;
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let exponent: i32 = exponent.parse().ok()?;
    // The number is digits × 10^power.
    let power = exponent - (digits.len() as i32 - 1) - scale;
    if x == 0.0 || exponent < scale - 1 {
        return Some(0);
    }
    let kept = exponent - scale + 1;
    if kept > 15 && digits.len() > 1 && digits.len() as i32 > 15 {
        return None;
    }
    let value: i128 = digits.parse().ok()?;
    let v = if power >= 0 {
        value.checked_mul(10i128.checked_pow(power as u32)?)?
    } else {
        value / 10i128.checked_pow(power.unsigned_abs())?
    };
    Some(if x < 0.0 { -v } else { v })
}

/// Finer units multiply, wrapping; coarser ones floor timestamps and truncate durations.
fn rescale_time(c: &Col, to: DType, a: i64, b: i64) -> Col {
    let values = c.to_i64();
    let floors = to.is_timestamp();
    let moved = values.iter().map(|v| {
        if a >= b {
            v.wrapping_mul(a / b)
        } else if floors {
            v.div_euclid(b / a)
        } else {
            v / (b / a)
        }
    });
    Col::from_i64(to, moved.collect(), c.nulls.clone())
}

/// `bitCastTo`, `logicalCastTo`: the same bits under another type of the same width.
pub fn bit_cast(c: &Col, to: DType) -> K {
    if c.dtype.size() != to.size() || to.size() == 0 {
        return super::cudf(format!("Types do not have the same size: {} and {to}", c.dtype));
    }
    let data = match &c.data {
        Data::F64(v) if to.id != TypeId::Float64 => {
            Data::I64(v.iter().map(|x| x.to_bits() as i64).collect::<Vec<_>>().into())
        }
        Data::F32(v) if to.id != TypeId::Float32 => {
            Data::I32(v.iter().map(|x| x.to_bits() as i32).collect::<Vec<_>>().into())
        }
        Data::I64(v) if to.id == TypeId::Float64 => {
            Data::F64(v.iter().map(|x| f64::from_bits(*x as u64)).collect::<Vec<_>>().into())
        }
        Data::I32(v) if to.id == TypeId::Float32 => {
            Data::F32(v.iter().map(|x| f32::from_bits(*x as u32)).collect::<Vec<_>>().into())
        }
        other => other.clone(),
    };
    Ok(Col::new(to, data, c.nulls.clone()))
}
