//! `Optional` and its relatives.

use super::super::super::object::Object;
use super::super::super::value::{Eval, Throw, Value};
use super::super::{holds, no_such_element, unsupported};
use super::Cx;
use crate::lang::ty::Ty;

fn content(v: &Value) -> Eval<Option<Value>> {
    match v.as_obj() {
        Some(Object::Some(x)) => Ok(Some(x.clone())),
        Some(Object::None) => Ok(None),
        _ => Err(unsupported(v)),
    }
}

/// `get`, `orElseThrow()`, `getAsInt`.
pub fn optional_get(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    content(&a[0])?.ok_or_else(|| no_such_element("No value present"))
}

/// `orElse`.
pub fn or_else(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(content(&a[0])?.unwrap_or_else(|| a[1].clone()))
}

/// `orElseGet`.
pub fn or_else_get(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(v),
        None => cx.call(&a[1], &[]),
    }
}

/// `orElseThrow(supplier)`.
pub fn or_else_throw(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(v),
        None => match cx.call(&a[1], &[])?.as_obj() {
            Some(Object::Exception(e)) => Err(Throw::Exception(e.clone())),
            _ => Err(unsupported(&a[1])),
        },
    }
}

/// `map`: a null result is nothing.
pub fn optional_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => {
            let made = cx.call(&a[1], &[v])?;
            Ok(Value::option((!made.is_null()).then_some(made)))
        }
        None => Ok(Value::none()),
    }
}

/// `flatMap`.
pub fn optional_flat_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => match cx.call(&a[1], &[v])? {
            Value::Null => Err(Throw::null_pointer()),
            made => Ok(made),
        },
        None => Ok(Value::none()),
    }
}

/// `filter`.
pub fn optional_filter(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) if holds(cx, &a[1], &v)? => Ok(a[0].clone()),
        _ => Ok(Value::none()),
    }
}

/// `ifPresent`.
pub fn if_present(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(v) = content(&a[0])? {
        cx.call(&a[1], &[v])?;
    }
    Ok(Value::Unit)
}
