//! Reads arguments of library rows and builds results. In: the [`Value`]s a row was called with; out: plain Rust values, or
//! the exception the JVM throws for a null. A value of another class than the row's signature says is refused as
//! unsupported, never guessed at.

use std::sync::Arc;

use super::decimal::JDecimal;
use super::object::{Exception, Object};
use super::table::{EvalFn, Method};
use super::text::JStr;
use super::value::{Eval, Throw, Value};

/// The refusal for a value that does not have the class which the signature promises.
pub fn mismatch(wanted: &str, got: &Value) -> Throw {
    match got {
        Value::Null => Throw::null_pointer(),
        other => Throw::Unsupported(format!(
            "a value of another class stands where {wanted} is expected: {other:?}"
        )),
    }
}

/// A `String`; null throws.
pub fn string(v: &Value) -> Eval<&JStr> {
    match v {
        Value::Str(s) => Ok(s),
        other => Err(mismatch("String", other)),
    }
}

/// An `Int`, or a narrower integer widened.
pub fn int(v: &Value) -> Eval<i32> {
    match v {
        Value::Int(i) => Ok(*i),
        Value::Short(i) => Ok(i32::from(*i)),
        Value::Byte(i) => Ok(i32::from(*i)),
        Value::Char(c) => Ok(i32::from(*c)),
        other => Err(mismatch("Int", other)),
    }
}

/// A `Long`, or a narrower integer widened.
pub fn long(v: &Value) -> Eval<i64> {
    match v {
        Value::Long(i) => Ok(*i),
        other => int(other).map(i64::from),
    }
}

/// A `Double`, or a `Float` widened.
pub fn double(v: &Value) -> Eval<f64> {
    match v {
        Value::Double(d) => Ok(*d),
        Value::Float(f) => Ok(f64::from(*f)),
        other => Err(mismatch("Double", other)),
    }
}

/// A `Float`.
pub fn float(v: &Value) -> Eval<f32> {
    match v {
        Value::Float(f) => Ok(*f),
        other => Err(mismatch("Float", other)),
    }
}

/// A `Char`.
pub fn character(v: &Value) -> Eval<u16> {
    match v {
        Value::Char(c) => Ok(*c),
        other => Err(mismatch("Char", other)),
    }
}

/// A `Boolean`.
pub fn boolean(v: &Value) -> Eval<bool> {
    match v {
        Value::Bool(b) => Ok(*b),
        other => Err(mismatch("Boolean", other)),
    }
}

/// A `Byte`.
pub fn byte(v: &Value) -> Eval<i8> {
    match v {
        Value::Byte(i) => Ok(*i),
        other => Err(mismatch("Byte", other)),
    }
}

/// A `Short`, or a `Byte` widened.
pub fn short(v: &Value) -> Eval<i16> {
    match v {
        Value::Short(i) => Ok(*i),
        Value::Byte(i) => Ok(i16::from(*i)),
        other => Err(mismatch("Short", other)),
    }
}

/// A `BigDecimal`, Scala's or Java's; null throws.
pub fn decimal(v: &Value) -> Eval<&JDecimal> {
    match object(v)? {
        Object::Decimal { value, .. } => Ok(value),
        _ => Err(mismatch("BigDecimal", v)),
    }
}

/// A `BigInt` or `BigInteger`; null throws.
pub fn big_int(v: &Value) -> Eval<&num_bigint::BigInt> {
    match object(v)? {
        Object::BigInt(n) => Ok(n),
        _ => Err(mismatch("BigInt", v)),
    }
}

/// A heap object; null throws.
pub fn object(v: &Value) -> Eval<&Object> {
    match v {
        Value::Obj(o) => Ok(o),
        other => Err(mismatch("an object", other)),
    }
}

/// A `String` value from UTF-16 units.
pub fn text_units(units: &[u16]) -> Value {
    Value::Str(JStr::from_units(units))
}

/// An exception without a message.
pub fn bare_exception(class: &'static str) -> Throw {
    Throw::Exception(Arc::new(Exception::new(class, None)))
}

/// A row, in the order of its columns in the tables.
pub const fn row(
    id: &'static str,
    recv: &'static str,
    name: &'static str,
    sig: &'static str,
    throws: &'static [&'static str],
    eval: EvalFn,
) -> Method {
    Method {
        id,
        recv,
        name,
        sig,
        throws,
        eval,
        null_recv: false,
    }
}

/// A row that is also called on null.
pub const fn null_row(
    id: &'static str,
    recv: &'static str,
    name: &'static str,
    sig: &'static str,
    throws: &'static [&'static str],
    eval: EvalFn,
) -> Method {
    Method {
        null_recv: true,
        ..row(id, recv, name, sig, throws, eval)
    }
}
