//! Single elements and questions about all of them.

use super::super::apply;
use super::super::equality::{java_eq, scala_eq};
use super::super::object::{Exception, Object, SeqClass};
use super::super::show;
use super::super::table::Context;
use super::super::text::JStr;
use super::super::value::{Eval, Throw, Value};
use super::super::view::{View, each};
use super::{elements, empty, holds, int, no_such_element, position, same_class, unsupported};
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

/// `length`, `size`.
pub fn size(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let n = match a[0].as_obj() {
        Some(Object::Set(s)) => s.len(),
        Some(Object::Map(m)) => m.len(),
        Some(Object::MutMap(m) | Object::MutSet(m)) => super::super::view::lock(m).len(),
        Some(Object::Iterator(_)) => elements(cx, &a[0])?.len(),
        _ => View::of(&a[0])?.len(),
    };
    Ok(Value::Int(n as i32))
}

fn count_of(cx: Cx<'_>, v: &Value) -> Eval<i32> {
    match size(cx, std::slice::from_ref(v), &Ty::INT)? {
        Value::Int(n) => Ok(n),
        _ => Ok(0),
    }
}

/// `isEmpty`.
pub fn is_empty(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(count_of(cx, &a[0])? == 0))
}

/// `nonEmpty`.
pub fn non_empty(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(count_of(cx, &a[0])? != 0))
}

/// What `head` of an empty collection throws: each class has its own.
fn no_head(recv: &Value) -> Throw {
    match recv.as_obj() {
        Some(Object::Seq(SeqClass::Vector, _)) => empty("empty.head"),
        Some(Object::Seq(SeqClass::List, _) | Object::Range(_)) => no_such_element("head of empty list"),
        Some(Object::Buffer(super::super::object::BufferClass::ListBuffer, _)) => no_such_element("head of empty list"),
        _ => no_such_element("next on empty iterator"),
    }
}

fn no_last(recv: &Value) -> Throw {
    match recv.as_obj() {
        Some(Object::Seq(SeqClass::Vector, _)) => empty("empty.last"),
        Some(Object::Seq(SeqClass::List, _) | Object::Range(_)) => {
            Throw::Exception(Exception::new("NoSuchElementException", None).into())
        }
        Some(Object::Buffer(super::super::object::BufferClass::ListBuffer, _)) => {
            no_such_element("last of empty ListBuffer")
        }
        _ => no_such_element("next on empty iterator"),
    }
}

/// `head`.
pub fn head(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    elements(cx, &a[0])?.get(0).ok_or_else(|| no_head(&a[0]))
}

/// `headOption`.
pub fn head_option(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::option(elements(cx, &a[0])?.get(0)))
}

/// `last`.
pub fn last(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let view = elements(cx, &a[0])?;
    let last = view.len().checked_sub(1).and_then(|i| view.get(i));
    last.ok_or_else(|| no_last(&a[0]))
}

/// `lastOption`.
pub fn last_option(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let view = elements(cx, &a[0])?;
    Ok(Value::option(view.len().checked_sub(1).and_then(|i| view.get(i))))
}

/// `apply(i)`.
pub fn element(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    apply::element(&a[0], &a[1])
}

/// `lift(i)` applied: `Some` within the bounds.
pub fn lift(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let seq = a[0].clone();
    Ok(Value::obj(Object::Native(super::super::object::NativeFn(
        std::sync::Arc::new(move |_, args| {
            let view = View::of(&seq)?;
            let i = int(&args[0])?;
            Ok(Value::option(usize::try_from(i).ok().and_then(|i| view.get(i))))
        }),
    ))))
}

/// `isDefinedAt(i)`.
pub fn is_defined_at(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    Ok(Value::Bool(i >= 0 && i < count_of(cx, &a[0])?))
}

/// `contains`: of elements, by `==`; of the parts of a string, by the string's own row.
pub fn contains(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut found = false;
    each(cx, &a[0], &mut |_, item| {
        found = scala_eq(&item, &a[1])?;
        Ok(!found)
    })?;
    Ok(Value::Bool(found))
}

/// `contains` of Java's collections, by `equals`.
pub fn java_contains(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut found = false;
    each(cx, &a[0], &mut |_, item| {
        found = java_eq(&a[1], &item)?;
        Ok(!found)
    })?;
    Ok(Value::Bool(found))
}

/// `exists`.
pub fn exists(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut found = false;
    each(cx, &a[0], &mut |cx, item| {
        found = holds(cx, &a[1], &item)?;
        Ok(!found)
    })?;
    Ok(Value::Bool(found))
}

/// `forall`.
pub fn forall(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut all = true;
    each(cx, &a[0], &mut |cx, item| {
        all = holds(cx, &a[1], &item)?;
        Ok(all)
    })?;
    Ok(Value::Bool(all))
}

/// `count`.
pub fn count(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut n = 0;
    each(cx, &a[0], &mut |cx, item| {
        n += i32::from(holds(cx, &a[1], &item)?);
        Ok(true)
    })?;
    Ok(Value::Int(n))
}

/// `find`.
pub fn find(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut found = None;
    each(cx, &a[0], &mut |cx, item| {
        if holds(cx, &a[1], &item)? {
            found = Some(item);
        }
        Ok(found.is_none())
    })?;
    Ok(Value::option(found))
}

/// `foreach`.
pub fn foreach(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    each(cx, &a[0], &mut |cx, item| {
        cx.call(&a[1], &[item])?;
        Ok(true)
    })?;
    Ok(Value::Unit)
}

/// `indexOf(elem)`, `indexOf(elem, from)`.
pub fn index_of(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let view = elements(cx, &a[0])?;
    let from = match a.get(2) {
        Some(f) => position(f, view.len())?,
        None => 0,
    };
    for i in from..view.len() {
        cx.step(1)?;
        if let Some(item) = view.get(i)
            && scala_eq(&a[1], &item)?
        {
            return Ok(Value::Int(i as i32));
        }
    }
    Ok(Value::Int(-1))
}

/// `lastIndexOf(elem)`.
pub fn last_index_of(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let view = elements(cx, &a[0])?;
    for i in (0..view.len()).rev() {
        cx.step(1)?;
        if let Some(item) = view.get(i)
            && scala_eq(&a[1], &item)?
        {
            return Ok(Value::Int(i as i32));
        }
    }
    Ok(Value::Int(-1))
}

/// `indexWhere(p)`, `indexWhere(p, from)`.
pub fn index_where(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let view = elements(cx, &a[0])?;
    let from = match a.get(2) {
        Some(f) => position(f, view.len())?,
        None => 0,
    };
    for i in from..view.len() {
        if let Some(item) = view.get(i)
            && holds(cx, &a[1], &item)?
        {
            return Ok(Value::Int(i as i32));
        }
    }
    Ok(Value::Int(-1))
}

/// `lastIndexWhere(p)`.
pub fn last_index_where(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let view = elements(cx, &a[0])?;
    for i in (0..view.len()).rev() {
        if let Some(item) = view.get(i)
            && holds(cx, &a[1], &item)?
        {
            return Ok(Value::Int(i as i32));
        }
    }
    Ok(Value::Int(-1))
}

/// `segmentLength(p, from)` and `prefixLength(p)`.
pub fn prefix_length(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut n = 0;
    each(cx, &a[0], &mut |cx, item| {
        let go = holds(cx, &a[1], &item)?;
        n += i32::from(go);
        Ok(go)
    })?;
    Ok(Value::Int(n))
}

/// `startsWith`.
pub fn starts_with(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (all, part) = (elements(cx, &a[0])?, elements(cx, &a[1])?);
    equal_at(&all, &part, 0).map(Value::Bool)
}

/// `endsWith`.
pub fn ends_with(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (all, part) = (elements(cx, &a[0])?, elements(cx, &a[1])?);
    match all.len().checked_sub(part.len()) {
        Some(at) => equal_at(&all, &part, at).map(Value::Bool),
        None => Ok(Value::Bool(false)),
    }
}

/// `indexOfSlice`, `containsSlice` give the place of a part.
pub fn index_of_slice(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let (all, part) = (elements(cx, &a[0])?, elements(cx, &a[1])?);
    let mut at = -1;
    for i in 0..=all.len().saturating_sub(part.len()) {
        cx.step(1)?;
        if part.len() <= all.len() && equal_at(&all, &part, i)? {
            at = i as i32;
            break;
        }
    }
    Ok(if *ty == Ty::BOOLEAN {
        Value::Bool(at >= 0)
    } else {
        Value::Int(at)
    })
}

fn equal_at(all: &View, part: &View, at: usize) -> Eval<bool> {
    for i in 0..part.len() {
        match (all.get(at + i), part.get(i)) {
            (Some(x), Some(y)) if scala_eq(&x, &y)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// `sameElements`.
pub fn same_elements(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (x, y) = (elements(cx, &a[0])?, elements(cx, &a[1])?);
    Ok(Value::Bool(x.len() == y.len() && equal_at(&x, &y, 0)?))
}

/// `corresponds`.
pub fn corresponds(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (x, y) = (elements(cx, &a[0])?, elements(cx, &a[1])?);
    for i in 0..x.len().min(y.len()) {
        if let (Some(p), Some(q)) = (x.get(i), y.get(i))
            && !super::truth(&cx.call(&a[2], &[p, q])?)
        {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(x.len() == y.len()))
}

/// `mkString` in its three forms.
pub fn mk_string(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = elements(cx, &a[0])?.to_vec();
    let (start, sep, end) = match a.len() {
        1 => (None, None, None),
        2 => (None, a.get(1), None),
        _ => (a.get(1), a.get(2), a.get(3)),
    };
    let mut part = |v: Option<&Value>| match v {
        Some(v) => show::value_of(cx, v),
        None => Ok(JStr::new("")),
    };
    let (start, sep, end) = (part(start)?, part(sep)?, part(end)?);
    let mut out = start.units().into_owned();
    show::join_units(cx, &items, &sep.units(), &mut out)?;
    out.extend_from_slice(&end.units());
    cx.grow(out.len() * 2)?;
    Ok(Value::Str(JStr::from_units(&out)))
}

/// `indices`.
pub fn indices(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let len = elements(cx, &a[0])?.len();
    Ok(Value::obj(Object::Range(super::super::object::Range::indices(len))))
}

/// `lengthCompare(n)`: only its sign is told.
pub fn length_compare(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (len, n) = (count_of(cx, &a[0])?, int(&a[1])?);
    Ok(Value::Int(match a[0].as_obj() {
        Some(Object::Seq(SeqClass::List, _)) => (len - n).signum(),
        _ => len - n,
    }))
}

/// `withFilter`: asked as elements are walked.
pub fn with_filter(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::obj(Object::WithFilter(a[0].clone(), a[1].clone())))
}

/// The receiver itself: `seq`, `toSeq` of a sequence, `view` where nothing shows.
pub fn itself(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(a[0].clone())
}

/// A copy of an array (`clone`).
pub fn copy(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::Array(_) | Object::Buffer(..)) => same_class(&a[0], View::of(&a[0])?.to_vec()),
        _ => Err(unsupported(&a[0])),
    }
}
