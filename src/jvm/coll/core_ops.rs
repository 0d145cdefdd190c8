//! Methods of every object, tuples, exceptions, function values, `Predef`, `Row`.

use std::sync::Arc;

use super::super::equality::{java_eq, scala_eq};
use super::super::hash::{java_hash, scala_hash};
use super::super::object::{Exception, NativeFn, Object};
use super::super::show;
use super::super::table::Context;
use super::super::value::{Eval, Throw, Value};
use super::{int, truth, unsupported};
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

/// `toString`.
pub fn to_text(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Str(show::value_of(cx, &a[0])?))
}

/// `equals`.
pub fn equals(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(java_eq(&a[0], &a[1])?))
}

/// `Objects.equals`, null-safe.
pub fn objects_equal(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(java_eq(&a[0], &a[1])?))
}

/// `==` as a method.
pub fn same(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(scala_eq(&a[0], &a[1])?))
}

/// `hashCode`.
pub fn hash(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match java_hash(&a[0]) {
        Some(h) => Ok(Value::Int(h)),
        None => Err(Throw::Unsupported(format!(
            "the hash code of a {}",
            show::class_of(&a[0])
        ))),
    }
}

/// `##`.
pub fn hash_hash(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match scala_hash(&a[0]) {
        Some(h) => Ok(Value::Int(h)),
        None => Err(Throw::Unsupported(format!(
            "the hash code of a {}",
            show::class_of(&a[0])
        ))),
    }
}

/// `swap` of a pair.
pub fn swap(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (x, y) = super::pair(&a[0])?;
    Ok(Value::tuple(vec![y, x]))
}

fn exception(v: &Value) -> Eval<&Arc<Exception>> {
    match v.as_obj() {
        Some(Object::Exception(e)) => Ok(e),
        _ => Err(unsupported(v)),
    }
}

/// A constructor of an exception: the class is that of the static type.
pub fn new_exception(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let Ty::Class(class) = ty else {
        return Err(Throw::Unsupported("an exception of an unknown class".into()));
    };
    let mut e = Exception::new(class.clone(), None);
    for arg in a {
        match (arg, arg.as_obj()) {
            (_, Some(Object::Exception(cause))) => {
                if a.len() == 1 {
                    e.message = Some(show::exception_text(cause)?);
                }
                e.cause = Some(cause.clone());
            }
            (Value::Null, _) => {}
            (other, _) => {
                let text = show::value_of(cx, other)?;
                e.message = Some(String::from_utf16_lossy(&text.units()));
            }
        }
    }
    Ok(Value::obj(Object::Exception(Arc::new(e))))
}

/// `break`: an exception that only `breakable` is meant to catch.
pub fn leave_breakable(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    Err(Throw::Exception(Arc::new(Exception::new("BreakControl", None))))
}

/// `breakable { … }`: the innermost one that is running ends.
pub fn breakable(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match cx.call(&a[0], &[]) {
        Err(Throw::Exception(e)) if e.class == "BreakControl" => Ok(Value::Unit),
        Err(other) => Err(other),
        Ok(_) => Ok(Value::Unit),
    }
}

/// `getMessage`.
pub fn message(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let e = exception(&a[0])?;
    match (&e.message, super::super::exceptions::package(&e.class)) {
        // A null message is sure only where the UDF made the exception itself or the class never has one.
        (Some(m), _) => Ok(Value::str(m)),
        (None, Some(_)) if e.class == "NullPointerException" => Err(Throw::Unsupported(
            "the message of a NullPointerException depends on the compiled code".into(),
        )),
        (None, _) => Ok(Value::Null),
    }
}

/// `getCause`.
pub fn cause(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(match &exception(&a[0])?.cause {
        Some(c) => Value::obj(Object::Exception(c.clone())),
        None => Value::Null,
    })
}

/// `require(condition)`, `require(condition, message)`.
pub fn require(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    checked(cx, a, "IllegalArgumentException", "requirement failed")
}

/// `assert`.
pub fn assert(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    checked(cx, a, "AssertionError", "assertion failed")
}

/// `assume`.
pub fn assume(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    checked(cx, a, "AssertionError", "assumption failed")
}

fn checked(cx: Cx<'_>, a: &[Value], class: &'static str, what: &str) -> Eval {
    if truth(&a[0]) {
        return Ok(Value::Unit);
    }
    match a.get(1) {
        None => Err(Throw::exception(class, what)),
        Some(message) => {
            let text = cx.call(message, &[])?;
            let text = show::value_of(cx, &text)?.to_utf8().into_owned();
            Err(Throw::exception(class, format!("{what}: {text}")))
        }
    }
}

/// `???`.
pub fn not_implemented(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    Err(Throw::exception("NotImplementedError", "an implementation is missing"))
}

/// `identity`, `locally`.
pub fn identity(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(a[0].clone())
}

/// `println`: the argument is made into text, nothing is printed.
pub fn println(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(v) = a.first()
        && let Err(throw @ Throw::Exception(_)) = show::value_of(cx, v)
    {
        return Err(throw);
    }
    Ok(Value::Unit)
}

/// `f.andThen(g)`.
pub fn and_then(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (f, g) = (a[0].clone(), a[1].clone());
    Ok(native(move |cx, args| {
        let v = cx.call(&f, args)?;
        cx.call(&g, &[v])
    }))
}

/// `f.compose(g)`.
pub fn compose(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (f, g) = (a[0].clone(), a[1].clone());
    Ok(native(move |cx, args| {
        let v = cx.call(&g, args)?;
        cx.call(&f, &[v])
    }))
}

fn native(f: impl Fn(&mut dyn Context, &[Value]) -> Eval + Send + Sync + 'static) -> Value {
    Value::obj(Object::Native(NativeFn(Arc::new(f))))
}

/// `f.apply(args)`.
pub fn call(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    cx.call(&a[0], &a[1..])
}

/// `f.curried` of two parameters.
pub fn curried(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let f = a[0].clone();
    Ok(native(move |_, first| {
        let (f, x) = (f.clone(), first[0].clone());
        Ok(native(move |cx, second| cx.call(&f, &[x.clone(), second[0].clone()])))
    }))
}

/// `f.tupled` of two parameters.
pub fn tupled(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let f = a[0].clone();
    Ok(native(move |cx, args| {
        let (x, y) = super::pair(&args[0])?;
        cx.call(&f, &[x, y])
    }))
}

fn row(v: &Value) -> Eval<(&[String], &[Value])> {
    match v.as_obj() {
        Some(Object::Row(names, values)) => Ok((names, values)),
        _ => Err(unsupported(v)),
    }
}

fn position(v: &Value, key: &Value) -> Eval<usize> {
    let (names, values) = row(v)?;
    match key {
        Value::Str(name) => {
            let name = name.to_utf8();
            names
                .iter()
                .position(|n| *n == *name)
                .ok_or_else(|| Throw::exception("IllegalArgumentException", format!("{name} does not exist.")))
        }
        _ => {
            let i = int(key)?;
            usize::try_from(i).ok().filter(|i| *i < values.len()).ok_or_else(|| {
                Throw::exception(
                    "ArrayIndexOutOfBoundsException",
                    format!("Index {i} out of bounds for length {}", values.len()),
                )
            })
        }
    }
}

/// `get(i)`, `apply(i)`, `getAs[T](i)`, `getAs[T](name)`: a null stays one, a primitive type of `getAs` makes it zero.
pub fn row_get(_: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let at = position(&a[0], &a[1])?;
    let v = row(&a[0])?.1[at].clone();
    match ty {
        Ty::Any => Ok(v),
        _ => typed(v, ty),
    }
}

/// `getInt(i)` and the others of primitives: null throws.
pub fn row_primitive(_: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let at = position(&a[0], &a[1])?;
    let v = row(&a[0])?.1[at].clone();
    if v.is_null() {
        return Err(Throw::exception(
            "NullPointerException",
            format!("Value at index {at} is null"),
        ));
    }
    typed(v, ty)
}

/// A field as the type asked for; another class throws ClassCastException.
fn typed(v: Value, ty: &Ty) -> Eval {
    let fits = match (&v, ty) {
        (Value::Null, _) => true,
        (Value::Str(_), Ty::String) => true,
        (_, Ty::Prim(p) | Ty::Boxed(p)) => matches!(
            (&v, p.name()),
            (Value::Int(_), "Int")
                | (Value::Long(_), "Long")
                | (Value::Double(_), "Double")
                | (Value::Float(_), "Float")
                | (Value::Short(_), "Short")
                | (Value::Byte(_), "Byte")
                | (Value::Bool(_), "Boolean")
        ),
        (Value::Obj(_), Ty::String | Ty::Any) => false,
        (Value::Obj(_), _) => return Ok(v),
        _ => false,
    };
    match fits {
        true => Ok(v),
        false => Err(Throw::exception(
            "ClassCastException",
            format!("class {} cannot be cast to class {ty}", show::class_of(&v)),
        )),
    }
}

/// `isNullAt(i)`.
pub fn row_is_null(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let at = position(&a[0], &a[1])?;
    Ok(Value::Bool(row(&a[0])?.1[at].is_null()))
}

/// `anyNull`.
pub fn row_any_null(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(row(&a[0])?.1.iter().any(Value::is_null)))
}

/// `fieldIndex(name)`.
pub fn row_field_index(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Int(position(&a[0], &a[1])? as i32))
}

/// `length`, `size`.
pub fn row_size(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Int(row(&a[0])?.1.len() as i32))
}

/// `toSeq` of a row.
pub fn row_to_seq(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::seq(
        super::super::object::SeqClass::WrappedArray,
        row(&a[0])?.1.to_vec(),
    ))
}

/// `Objects.requireNonNull`.
pub fn require_non_null(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].is_null() {
        true => Err(Throw::null_pointer()),
        false => Ok(a[0].clone()),
    }
}

/// `Objects.isNull`.
pub fn is_null(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(a[0].is_null()))
}

/// `Objects.nonNull`.
pub fn non_null(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(!a[0].is_null()))
}

/// `intValue` and so on: the conversion of the JVM.
pub fn box_value(_: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    use crate::run::embedded::bits;
    match (bits::of(&a[0]), ty.prim()) {
        (Some((b, from)), Some(to)) => Ok(bits::wrap(bits::convert(b, from, to), to)),
        _ => Err(unsupported(&a[0])),
    }
}

/// `compareTo` of boxes.
pub fn box_compare(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    // The small types give the difference, the others only its sign.
    match (&a[0], &a[1]) {
        (Value::Byte(x), Value::Byte(y)) => return Ok(Value::Int(i32::from(*x) - i32::from(*y))),
        (Value::Short(x), Value::Short(y)) => return Ok(Value::Int(i32::from(*x) - i32::from(*y))),
        _ => {}
    }
    Ok(Value::Int(match super::super::order::compare(&a[0], &a[1])? {
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 1,
    }))
}

fn floating(v: &Value) -> Eval<f64> {
    match v {
        Value::Double(x) => Ok(*x),
        Value::Float(x) => Ok(f64::from(*x)),
        _ => Err(unsupported(v)),
    }
}

/// `isNaN`.
pub fn box_is_nan(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(floating(&a[0])?.is_nan()))
}

/// `isInfinite`.
pub fn box_is_infinite(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(floating(&a[0])?.is_infinite()))
}
