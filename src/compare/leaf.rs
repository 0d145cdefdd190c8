//! Leaves: scalar values out of Arrow arrays, and when two of them are the same.

use arrow::array::{Array, AsArray};
use arrow::datatypes::*;

/// A scalar of a result, widened so that results of near types compare by value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Leaf<'a> {
    /// SQL null.
    Null,
    /// Boolean.
    Bool(bool),
    /// Any integer, with its width in bits.
    Int(i64, u8),
    /// binary32.
    Float(f32),
    /// binary64.
    Double(f64),
    /// Unscaled value and scale.
    Decimal(i128, i8),
    /// Text.
    Str(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// Days since 1970-01-01.
    Date(i32),
    /// Microseconds since the epoch.
    Timestamp(i64),
    /// Something that is not compared, by the name of its type.
    Other(String),
}

/// The scalar in one cell.
pub(super) fn leaf<'a>(array: &'a dyn Array, row: usize) -> Leaf<'a> {
    if array.is_null(row) {
        return Leaf::Null;
    }
    match array.data_type() {
        DataType::Null => Leaf::Null,
        DataType::Boolean => Leaf::Bool(array.as_boolean().value(row)),
        DataType::Int8 => Leaf::Int(array.as_primitive::<Int8Type>().value(row).into(), 8),
        DataType::Int16 => Leaf::Int(array.as_primitive::<Int16Type>().value(row).into(), 16),
        DataType::Int32 => Leaf::Int(array.as_primitive::<Int32Type>().value(row).into(), 32),
        DataType::Int64 => Leaf::Int(array.as_primitive::<Int64Type>().value(row), 64),
        DataType::Float32 => Leaf::Float(array.as_primitive::<Float32Type>().value(row)),
        DataType::Float64 => Leaf::Double(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal128(_, s) => Leaf::Decimal(array.as_primitive::<Decimal128Type>().value(row), *s),
        DataType::Utf8 => Leaf::Str(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Leaf::Str(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Leaf::Str(array.as_string_view().value(row)),
        DataType::Binary => Leaf::Bytes(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => Leaf::Bytes(array.as_binary::<i64>().value(row)),
        DataType::Date32 => Leaf::Date(array.as_primitive::<Date32Type>().value(row)),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Leaf::Timestamp(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => Leaf::Timestamp(
            array
                .as_primitive::<TimestampMillisecondType>()
                .value(row)
                .saturating_mul(1000),
        ),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => Leaf::Timestamp(
            array
                .as_primitive::<TimestampNanosecondType>()
                .value(row)
                .div_euclid(1000),
        ),
        other => Leaf::Other(other.to_string()),
    }
}

/// Whether two leaves are the same: floats by bits but every NaN alike, numbers of different types by value.
pub(super) fn same(a: &Leaf, b: &Leaf) -> bool {
    match (a, b) {
        (Leaf::Double(x), Leaf::Double(y)) => same_f64(*x, *y),
        (Leaf::Float(x), Leaf::Float(y)) => same_f32(*x, *y),
        (Leaf::Int(x, _), Leaf::Int(y, _)) => x == y,
        (Leaf::Decimal(x, s), Leaf::Decimal(y, t)) => same_decimal((*x, *s), (*y, *t)),
        (Leaf::Other(_), _) | (_, Leaf::Other(_)) => false,
        (Leaf::Double(x), Leaf::Float(y)) | (Leaf::Float(y), Leaf::Double(x)) => same_f64(*x, f64::from(*y)),
        (Leaf::Int(x, _), Leaf::Decimal(y, s)) | (Leaf::Decimal(y, s), Leaf::Int(x, _)) => {
            same_decimal((i128::from(*x), 0), (*y, *s))
        }
        (Leaf::Int(x, _), Leaf::Double(y)) | (Leaf::Double(y), Leaf::Int(x, _)) => int_is_float(*x, *y),
        (Leaf::Int(x, _), Leaf::Float(y)) | (Leaf::Float(y), Leaf::Int(x, _)) => int_is_float(*x, f64::from(*y)),
        (a, b) => a == b,
    }
}

/// Bits alike, every NaN the same.
pub(super) fn same_f64(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Bits alike, every NaN the same.
pub(super) fn same_f32(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn int_is_float(x: i64, y: f64) -> bool {
    // -0.0 is no integer: its sign would be lost. 2^63 itself does not fit, hence the strict bound.
    !(y == 0.0 && y.is_sign_negative()) && y.fract() == 0.0 && y.abs() < 9.3e18 && y as i128 == i128::from(x)
}

fn same_decimal((x, s): (i128, i8), (y, t): (i128, i8)) -> bool {
    if s == t {
        return x == y;
    }
    // Bring both to the larger scale; what overflows there cannot be equal to something that does not, unless both do.
    let up = |v: i128, by: i32| 10i128.checked_pow(by as u32).and_then(|p| v.checked_mul(p));
    let top = i32::from(s.max(t));
    match (up(x, top - i32::from(s)), up(y, top - i32::from(t))) {
        (Some(x), Some(y)) => x == y,
        _ => false,
    }
}

/// A number's value as a float, for distances.
pub(super) fn number(leaf: &Leaf) -> Option<f64> {
    match leaf {
        Leaf::Int(x, _) => Some(*x as f64),
        Leaf::Float(x) => Some(f64::from(*x)),
        Leaf::Double(x) => Some(*x),
        Leaf::Decimal(x, s) => Some(*x as f64 / 10f64.powi(i32::from(*s))),
        _ => None,
    }
}

/// Distance in units in the last place; both finite or infinite, never NaN.
pub(super) fn ulp_f64(a: f64, b: f64) -> u64 {
    // Maps the bits so that neighbouring floats are neighbouring integers; both zeros fall together.
    let key = |x: f64| {
        let bits = x.to_bits() as i64;
        if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
    };
    key(a).abs_diff(key(b))
}

/// As [`ulp_f64`], for binary32.
pub(super) fn ulp_f32(a: f32, b: f32) -> u64 {
    let key = |x: f32| {
        let bits = x.to_bits() as i32;
        i64::from(if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits })
    };
    key(a).abs_diff(key(b))
}
