//! Primitives as 64 bits: 32-bit integers and smaller ones zero-extended from `u32`, floats by their bits. In: bits or values;
//! out: the other form, and the JVM's conversions between primitives. Never allocates.

use crate::jvm::value::{Eval, Throw, Value};
use crate::lang::ty::Prim;

/// Bits of an `Int` (and of `Byte`, `Short`, sign-extended to `Int` first).
#[inline(always)]
pub fn int(v: i32) -> u64 {
    u64::from(v as u32)
}

/// An `Int` from bits.
#[inline(always)]
pub fn to_int(b: u64) -> i32 {
    b as u32 as i32
}

/// Bits of a `Double`.
#[inline(always)]
pub fn double(v: f64) -> u64 {
    v.to_bits()
}

/// A `Double` from bits.
#[inline(always)]
pub fn to_double(b: u64) -> f64 {
    f64::from_bits(b)
}

/// Bits of a `Float`.
#[inline(always)]
pub fn float(v: f32) -> u64 {
    u64::from(v.to_bits())
}

/// A `Float` from bits.
#[inline(always)]
pub fn to_float(b: u64) -> f32 {
    f32::from_bits(b as u32)
}

/// The value that bits stand for.
#[inline]
pub fn wrap(b: u64, prim: Prim) -> Value {
    match prim {
        Prim::Boolean => Value::Bool(b != 0),
        Prim::Byte => Value::Byte(to_int(b) as i8),
        Prim::Short => Value::Short(to_int(b) as i16),
        Prim::Char => Value::Char(b as u16),
        Prim::Int => Value::Int(to_int(b)),
        Prim::Long => Value::Long(b as i64),
        Prim::Float => Value::Float(to_float(b)),
        Prim::Double => Value::Double(to_double(b)),
    }
}

/// Bits of a value and its primitive type; `None` for objects, strings and null.
#[inline]
pub fn of(value: &Value) -> Option<(u64, Prim)> {
    Some(match value {
        Value::Bool(b) => (u64::from(*b), Prim::Boolean),
        Value::Byte(v) => (int(i32::from(*v)), Prim::Byte),
        Value::Short(v) => (int(i32::from(*v)), Prim::Short),
        Value::Char(v) => (u64::from(*v), Prim::Char),
        Value::Int(v) => (int(*v), Prim::Int),
        Value::Long(v) => (*v as u64, Prim::Long),
        Value::Float(v) => (float(*v), Prim::Float),
        Value::Double(v) => (double(*v), Prim::Double),
        _ => return None,
    })
}

/// Bits of a value known to be of a primitive type. Generic code of the library gives boxes, whose null unboxes to zero in Scala.
#[inline]
pub fn unwrap(value: &Value, prim: Prim) -> Eval<u64> {
    match (value, prim) {
        (Value::Double(v), Prim::Double) => Ok(double(*v)),
        (Value::Int(v), Prim::Int) => Ok(int(*v)),
        (Value::Long(v), Prim::Long) => Ok(*v as u64),
        (Value::Bool(v), Prim::Boolean) => Ok(u64::from(*v)),
        (Value::Null, _) => Ok(0),
        _ => match of(value) {
            Some((b, p)) if p == prim => Ok(b),
            _ => Err(class_cast(value, prim)),
        },
    }
}

/// Unboxing: null is zero in Scala and throws in Java; a box of another class throws.
#[inline]
pub fn unbox(value: &Value, prim: Prim, null_is_zero: bool) -> Eval<u64> {
    if value.is_null() && !null_is_zero {
        return Err(Throw::null_pointer());
    }
    unwrap(value, prim)
}

fn class_cast(value: &Value, prim: Prim) -> Throw {
    let class = crate::jvm::show::class_of(value);
    Throw::exception(
        "ClassCastException",
        format!("class {class} cannot be cast to class java.lang.{}", prim.boxed_name()),
    )
}

/// A defect in how a program is typed; refused rather than guessed.
pub fn mistyped(what: &str) -> Throw {
    Throw::Unsupported(format!(
        "`{what}` is typed in a way that the interpreter does not expect"
    ))
}

fn integral(b: u64, from: Prim) -> i64 {
    match from {
        Prim::Long => b as i64,
        Prim::Char | Prim::Boolean => b as i64,
        _ => i64::from(to_int(b)),
    }
}

/// Converts between primitives as the JVM does: through `int` to the small types, wrapping between integers, saturating from
/// floats with NaN to zero.
pub fn convert(b: u64, from: Prim, to: Prim) -> u64 {
    match from {
        Prim::Double => from_double(to_double(b), to),
        Prim::Float => match to {
            Prim::Float => b,
            _ => from_double(f64::from(to_float(b)), to),
        },
        _ => from_integral(integral(b, from), to),
    }
}

fn from_integral(v: i64, to: Prim) -> u64 {
    match to {
        Prim::Byte => int(i32::from(v as i8)),
        Prim::Short => int(i32::from(v as i16)),
        Prim::Char => u64::from(v as u16),
        Prim::Int => int(v as i32),
        Prim::Long => v as u64,
        Prim::Float => float(v as f32),
        Prim::Double => double(v as f64),
        Prim::Boolean => u64::from(v != 0),
    }
}

fn from_double(v: f64, to: Prim) -> u64 {
    match to {
        Prim::Byte | Prim::Short | Prim::Char => from_integral(i64::from(v as i32), to),
        Prim::Int => int(v as i32),
        Prim::Long => (v as i64) as u64,
        Prim::Float => float(v as f32),
        Prim::Double => double(v),
        Prim::Boolean => u64::from(v != 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_saturate_and_small_types_go_through_int() {
        let c = |v: f64, to| wrap(convert(double(v), Prim::Double, to), to);
        assert!(matches!(c(300.0, Prim::Byte), Value::Byte(44)));
        assert!(matches!(c(f64::INFINITY, Prim::Byte), Value::Byte(-1)));
        assert!(matches!(c(f64::NAN, Prim::Long), Value::Long(0)));
        assert!(matches!(c(1e300, Prim::Int), Value::Int(i32::MAX)));
        assert!(matches!(c(-1.0, Prim::Char), Value::Char(0xffff)));
    }
}
