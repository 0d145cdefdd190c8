//! Between run-time values and Rust's types for the rows of the library: in, a [`Value`]; out, what it holds. The front end has
//! typed and converted every argument, so that a wrong kind here is a defect of rewright: it is refused, never guessed.

use num_bigint::BigInt;

use super::decimal::JDecimal;
use super::object::Object;
use super::text::JStr;
use super::value::{Eval, Throw, Value};

/// What a value of the wrong kind leads to: NullPointerException for null, a refusal otherwise.
pub fn wrong(value: &Value, wanted: &str) -> Throw {
    match value {
        Value::Null => Throw::null_pointer(),
        other => Throw::Unsupported(format!("a library call got {other:?} where it takes {wanted}")),
    }
}

macro_rules! primitive {
    ($(#[$doc:meta])* $name:ident, $variant:ident, $ty:ty) => {
        $(#[$doc])*
        pub fn $name(value: &Value) -> Eval<$ty> {
            match value {
                Value::$variant(x) => Ok(*x),
                other => Err(wrong(other, stringify!($variant))),
            }
        }
    };
}

primitive!(
    /// A `Boolean`.
    boolean, Bool, bool
);
primitive!(
    /// A `Byte`.
    byte, Byte, i8
);
primitive!(
    /// A `Short`.
    short, Short, i16
);
primitive!(
    /// A `Char`.
    char, Char, u16
);
primitive!(
    /// An `Int`.
    int, Int, i32
);
primitive!(
    /// A `Long`.
    long, Long, i64
);
primitive!(
    /// A `Float`.
    float, Float, f32
);
primitive!(
    /// A `Double`.
    double, Double, f64
);

/// A `String`.
pub fn string(value: &Value) -> Eval<&JStr> {
    match value {
        Value::Str(s) => Ok(s),
        other => Err(wrong(other, "String")),
    }
}

/// The heap object of a value.
pub fn object<'a>(value: &'a Value, wanted: &str) -> Eval<&'a Object> {
    match value {
        Value::Obj(object) => Ok(object),
        other => Err(wrong(other, wanted)),
    }
}

/// A `BigDecimal`, Scala's or Java's.
pub fn decimal(value: &Value) -> Eval<&JDecimal> {
    match object(value, "BigDecimal")? {
        Object::Decimal { value, .. } => Ok(value),
        _ => Err(wrong(value, "BigDecimal")),
    }
}

/// A `BigInt` or `BigInteger`.
pub fn big_int(value: &Value) -> Eval<&BigInt> {
    match object(value, "BigInt")? {
        Object::BigInt(n) => Ok(n),
        _ => Err(wrong(value, "BigInt")),
    }
}
