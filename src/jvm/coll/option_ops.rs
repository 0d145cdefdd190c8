//! `Option`, `Try` and `Either`.

use super::super::equality::scala_eq;
use super::super::exceptions::is_subclass;
use super::super::object::Object;
use super::super::table::Context;
use super::super::value::{Eval, Throw, Value};
use super::{holds, no_such_element, truth, unsupported};
use crate::lang::ast::Wrapper;
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

fn content(v: &Value) -> Eval<Option<Value>> {
    match v.as_obj() {
        Some(Object::Some(x)) => Ok(Some(x.clone())),
        Some(Object::None) => Ok(None),
        _ => Err(unsupported(v)),
    }
}

/// As [`content`], the predicate of `withFilter` asked.
fn chosen(cx: Cx<'_>, v: &Value) -> Eval<Option<Value>> {
    if let Some(Object::WithFilter(inner, p)) = v.as_obj() {
        let found = chosen(cx, inner)?;
        return match found {
            Some(x) if holds(cx, p, &x)? => Ok(Some(x)),
            _ => Ok(None),
        };
    }
    content(v)
}

/// `Option(x)`: null is None.
pub fn of_nullable(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(match a[0].is_null() {
        true => Value::none(),
        false => Value::some(a[0].clone()),
    })
}

/// `Some(x)`.
pub fn some(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::some(a[0].clone()))
}

/// `Optional.of(x)`: null throws.
pub fn of_present(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].is_null() {
        true => Err(Throw::null_pointer()),
        false => Ok(Value::some(a[0].clone())),
    }
}

/// `None`, `Option.empty`.
pub fn none(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    Ok(Value::none())
}

/// `isDefined`, `nonEmpty`, `isPresent`.
pub fn is_defined(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(content(&a[0])?.is_some()))
}

/// `isEmpty`.
pub fn is_empty(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(content(&a[0])?.is_none()))
}

/// `get`.
pub fn get(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    content(&a[0])?.ok_or_else(|| no_such_element("None.get"))
}

/// `getOrElse(default)`.
pub fn get_or_else(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(v),
        None => cx.call(&a[1], &[]),
    }
}

/// Java's `orElse(default)`: evaluated before.
pub fn java_or_else(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(content(&a[0])?.unwrap_or_else(|| a[1].clone()))
}

/// `orElse(alternative)`.
pub fn or_else(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(_) => Ok(a[0].clone()),
        None => cx.call(&a[1], &[]),
    }
}

/// `orNull`.
pub fn or_null(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(content(&a[0])?.unwrap_or_default())
}

/// `map`.
pub fn map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match chosen(cx, &a[0])? {
        Some(v) => Ok(Value::some(cx.call(&a[1], &[v])?)),
        None => Ok(Value::none()),
    }
}

/// Java's `map`: a null result is empty.
pub fn java_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => {
            let r = cx.call(&a[1], &[v])?;
            Ok(if r.is_null() { Value::none() } else { Value::some(r) })
        }
        None => Ok(Value::none()),
    }
}

/// `flatMap`.
pub fn flat_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match chosen(cx, &a[0])? {
        Some(v) => cx.call(&a[1], &[v]),
        None => Ok(Value::none()),
    }
}

/// `flatten`.
pub fn flatten(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(content(&a[0])?.unwrap_or_else(Value::none))
}

fn filtered(cx: Cx<'_>, a: &[Value], want: bool) -> Eval {
    match content(&a[0])? {
        Some(v) if holds(cx, &a[1], &v)? == want => Ok(a[0].clone()),
        _ => Ok(Value::none()),
    }
}

/// `filter`.
pub fn filter(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    filtered(cx, a, true)
}

/// `filterNot`.
pub fn filter_not(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    filtered(cx, a, false)
}

/// `exists`.
pub fn exists(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(Value::Bool(holds(cx, &a[1], &v)?)),
        None => Ok(Value::Bool(false)),
    }
}

/// `forall`.
pub fn forall(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(Value::Bool(holds(cx, &a[1], &v)?)),
        None => Ok(Value::Bool(true)),
    }
}

/// `contains`.
pub fn contains(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(Value::Bool(scala_eq(&v, &a[1])?)),
        None => Ok(Value::Bool(false)),
    }
}

/// `foreach`, `ifPresent`.
pub fn foreach(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(v) = chosen(cx, &a[0])? {
        cx.call(&a[1], &[v])?;
    }
    Ok(Value::Unit)
}

/// `fold(ifEmpty)(f)`.
pub fn fold(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => cx.call(&a[2], &[v]),
        None => cx.call(&a[1], &[]),
    }
}

/// `foldLeft(z)(f)`.
pub fn fold_left(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => cx.call(&a[2], &[a[1].clone(), v]),
        None => Ok(a[1].clone()),
    }
}

/// `collect`.
pub fn collect(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(Value::option(cx.call_partial(&a[1], &[v])?)),
        None => Ok(Value::none()),
    }
}

/// `toList`.
pub fn to_list(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::list(content(&a[0])?.into_iter().collect()))
}

/// `zip` with another option; an `Iterable` of pairs in Scala 2.12.
pub fn zip(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::list(match (content(&a[0])?, content(&a[1])?) {
        (Some(x), Some(y)) => vec![Value::tuple(vec![x, y])],
        _ => Vec::new(),
    }))
}

fn wrap(w: Wrapper, v: Value) -> Value {
    Value::obj(Object::Wrapper(w, v))
}

/// `toRight(left)`.
pub fn to_right(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(wrap(Wrapper::Right, v)),
        None => Ok(wrap(Wrapper::Left, cx.call(&a[1], &[])?)),
    }
}

/// `toLeft(right)`.
pub fn to_left(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match content(&a[0])? {
        Some(v) => Ok(wrap(Wrapper::Left, v)),
        None => Ok(wrap(Wrapper::Right, cx.call(&a[1], &[])?)),
    }
}

/// What `NonFatal` lets through.
pub fn non_fatal(class: &str) -> bool {
    !(is_subclass(class, "VirtualMachineError")
        || is_subclass(class, "ControlThrowable")
        || matches!(
            class,
            "ThreadDeath" | "InterruptedException" | "LinkageError" | "ControlThrowable"
        ))
}

/// The outcome of code as a `Try`: only what is not fatal becomes a `Failure`.
fn attempt(ran: Eval) -> Eval {
    match ran {
        Ok(v) => Ok(wrap(Wrapper::Success, v)),
        Err(Throw::Exception(e)) if non_fatal(&e.class) => Ok(wrap(Wrapper::Failure, Value::obj(Object::Exception(e)))),
        Err(other) => Err(other),
    }
}

/// A `Try` that an operation gives, or the failure of the operation itself.
fn attempt_flat(ran: Eval) -> Eval {
    match ran {
        Ok(v) => Ok(v),
        failed => attempt(failed),
    }
}

fn wrapper(v: &Value) -> Eval<(Wrapper, Value)> {
    match v.as_obj() {
        Some(Object::Wrapper(w, x)) => Ok((*w, x.clone())),
        _ => Err(unsupported(v)),
    }
}

/// `Try(code)`.
pub fn try_apply(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    attempt(cx.call(&a[0], &[]))
}

/// `Success(v)`.
pub fn success(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(wrap(Wrapper::Success, a[0].clone()))
}

/// `Failure(e)`.
pub fn failure(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(wrap(Wrapper::Failure, a[0].clone()))
}

/// `Left(v)`.
pub fn left(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(wrap(Wrapper::Left, a[0].clone()))
}

/// `Right(v)`.
pub fn right(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(wrap(Wrapper::Right, a[0].clone()))
}

fn good(w: Wrapper) -> bool {
    matches!(w, Wrapper::Success | Wrapper::Right)
}

/// `isSuccess`, `isRight`.
pub fn is_good(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(good(wrapper(&a[0])?.0)))
}

/// `isFailure`, `isLeft`.
pub fn is_bad(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(!good(wrapper(&a[0])?.0)))
}

fn rethrow(v: &Value) -> Throw {
    match v.as_obj() {
        Some(Object::Exception(e)) => Throw::Exception(e.clone()),
        _ => Throw::null_pointer(),
    }
}

/// `Try.get`.
pub fn try_get(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (Wrapper::Success, v) => Ok(v),
        (_, e) => Err(rethrow(&e)),
    }
}

/// `getOrElse` of `Try` and `Either`.
pub fn good_or_else(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (w, v) if good(w) => Ok(v),
        _ => cx.call(&a[1], &[]),
    }
}

/// `orElse` of `Try`.
pub fn try_or_else(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (w, _) if good(w) => Ok(a[0].clone()),
        _ => attempt_flat(cx.call(&a[1], &[])),
    }
}

/// `toOption`.
pub fn to_option(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (w, v) if good(w) => Ok(Value::some(v)),
        _ => Ok(Value::none()),
    }
}

/// `toEither` of `Try`.
pub fn to_either(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (w, v) if good(w) => Ok(wrap(Wrapper::Right, v)),
        (_, e) => Ok(wrap(Wrapper::Left, e)),
    }
}

/// `Try.map`: what the function throws is caught.
pub fn try_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (Wrapper::Success, v) => attempt(cx.call(&a[1], &[v])),
        _ => Ok(a[0].clone()),
    }
}

/// `Try.flatMap`.
pub fn try_flat_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (Wrapper::Success, v) => attempt_flat(cx.call(&a[1], &[v])),
        _ => Ok(a[0].clone()),
    }
}

/// `Try.filter`.
pub fn try_filter(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (Wrapper::Success, v) = wrapper(&a[0])? else {
        return Ok(a[0].clone());
    };
    match holds(cx, &a[1], &v) {
        Ok(true) => Ok(a[0].clone()),
        Ok(false) => {
            let text = super::super::show::value_of(cx, &v)?.to_utf8().into_owned();
            let e = no_such_element(format!("Predicate does not hold for {text}"));
            attempt(Err(e))
        }
        Err(throw) => attempt(Err(throw)),
    }
}

/// `Try.foreach`: exceptions pass.
pub fn good_foreach(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let (w, v) = wrapper(&a[0])?
        && good(w)
    {
        cx.call(&a[1], &[v])?;
    }
    Ok(Value::Unit)
}

/// `recover { case … }`.
pub fn recover(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (Wrapper::Failure, e) = wrapper(&a[0])? else {
        return Ok(a[0].clone());
    };
    match cx.call_partial(&a[1], &[e]) {
        Ok(None) => Ok(a[0].clone()),
        Ok(Some(v)) => attempt(Ok(v)),
        Err(throw) => attempt(Err(throw)),
    }
}

/// `recoverWith { case … }`.
pub fn recover_with(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (Wrapper::Failure, e) = wrapper(&a[0])? else {
        return Ok(a[0].clone());
    };
    match cx.call_partial(&a[1], &[e]) {
        Ok(None) => Ok(a[0].clone()),
        Ok(Some(v)) => Ok(v),
        Err(throw) => attempt(Err(throw)),
    }
}

/// `Try.failed`.
pub fn failed(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (Wrapper::Failure, e) => Ok(wrap(Wrapper::Success, e)),
        _ => attempt(Err(super::empty("Success.failed"))),
    }
}

/// `Either.map`.
pub fn right_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (Wrapper::Right, v) => Ok(wrap(Wrapper::Right, cx.call(&a[1], &[v])?)),
        _ => Ok(a[0].clone()),
    }
}

/// `Either.flatMap`.
pub fn right_flat_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (Wrapper::Right, v) => cx.call(&a[1], &[v]),
        _ => Ok(a[0].clone()),
    }
}

/// `fold(onBad, onGood)` of `Either` and `Try`; in `Try` what `onGood` throws goes to `onBad`.
pub fn both_fold(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (Wrapper::Success, v) => match cx.call(&a[2], &[v]) {
            Err(Throw::Exception(e)) if non_fatal(&e.class) => cx.call(&a[1], &[Value::obj(Object::Exception(e))]),
            other => other,
        },
        (Wrapper::Right, v) => cx.call(&a[2], &[v]),
        (_, v) => cx.call(&a[1], &[v]),
    }
}

/// `swap`.
pub fn swap(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(match wrapper(&a[0])? {
        (Wrapper::Right, v) => wrap(Wrapper::Left, v),
        (_, v) => wrap(Wrapper::Right, v),
    })
}

/// `exists` of `Either`.
pub fn right_exists(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match wrapper(&a[0])? {
        (Wrapper::Right, v) => Ok(Value::Bool(truth(&cx.call(&a[1], &[v])?))),
        _ => Ok(Value::Bool(false)),
    }
}
