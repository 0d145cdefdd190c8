//! Iterators: lazy, one pass.

use super::super::object::{Iter, Object};
use super::super::table::Context;
use super::super::value::{Eval, Value};
use super::super::view::{all, lock, next_of};
use super::{holds, no_such_element, unsupported};
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

#[derive(Debug)]
struct OfVec(std::vec::IntoIter<Value>);

impl Iter for OfVec {
    fn next(&mut self, _: Cx<'_>) -> Eval<Option<Value>> {
        Ok(self.0.next())
    }
}

/// An iterator over values.
pub fn of_vec(items: Vec<Value>) -> Value {
    Value::iterator(Box::new(OfVec(items.into_iter())))
}

#[derive(Debug)]
enum Step {
    Map,
    Filter(bool),
    TakeWhile,
    DropWhile(bool),
}

#[derive(Debug)]
struct Stepped {
    from: Value,
    f: Value,
    step: Step,
    done: bool,
}

impl Iter for Stepped {
    fn next(&mut self, cx: Cx<'_>) -> Eval<Option<Value>> {
        while !self.done {
            cx.step(1)?;
            let Some(item) = next_of(cx, &self.from)? else {
                break;
            };
            match &mut self.step {
                Step::Map => return cx.call(&self.f, &[item]).map(Some),
                Step::Filter(want) => {
                    if holds(cx, &self.f, &item)? == *want {
                        return Ok(Some(item));
                    }
                }
                Step::TakeWhile => {
                    if holds(cx, &self.f, &item)? {
                        return Ok(Some(item));
                    }
                    self.done = true;
                }
                Step::DropWhile(dropping) => {
                    if *dropping && holds(cx, &self.f, &item)? {
                        continue;
                    }
                    *dropping = false;
                    return Ok(Some(item));
                }
            }
        }
        Ok(None)
    }
}

fn stepped(from: &Value, f: &Value, step: Step) -> Value {
    Value::iterator(Box::new(Stepped {
        from: from.clone(),
        f: f.clone(),
        step,
        done: false,
    }))
}

/// `map`.
pub fn map(from: &Value, f: &Value) -> Value {
    stepped(from, f, Step::Map)
}

/// `filter`, `filterNot`.
pub fn filter(from: &Value, f: &Value, want: bool) -> Value {
    stepped(from, f, Step::Filter(want))
}

/// `takeWhile`.
pub fn take_while(from: &Value, f: &Value) -> Eval {
    Ok(stepped(from, f, Step::TakeWhile))
}

/// `dropWhile`.
pub fn drop_while(from: &Value, f: &Value) -> Eval {
    Ok(stepped(from, f, Step::DropWhile(true)))
}

#[derive(Debug)]
struct FlatMap {
    from: Value,
    f: Value,
    now: std::vec::IntoIter<Value>,
}

impl Iter for FlatMap {
    fn next(&mut self, cx: Cx<'_>) -> Eval<Option<Value>> {
        loop {
            if let Some(item) = self.now.next() {
                return Ok(Some(item));
            }
            cx.step(1)?;
            let Some(item) = next_of(cx, &self.from)? else {
                return Ok(None);
            };
            let inner = cx.call(&self.f, &[item])?;
            self.now = all(cx, &inner)?.into_iter();
        }
    }
}

/// `flatMap`.
pub fn flat_map(from: &Value, f: &Value) -> Value {
    Value::iterator(Box::new(FlatMap {
        from: from.clone(),
        f: f.clone(),
        now: Vec::new().into_iter(),
    }))
}

#[derive(Debug)]
struct Take {
    from: Value,
    left: i32,
}

impl Iter for Take {
    fn next(&mut self, cx: Cx<'_>) -> Eval<Option<Value>> {
        if self.left <= 0 {
            return Ok(None);
        }
        self.left -= 1;
        next_of(cx, &self.from)
    }
}

/// `take`.
pub fn take(_: Cx<'_>, from: &Value, n: i32) -> Eval {
    Ok(Value::iterator(Box::new(Take {
        from: from.clone(),
        left: n,
    })))
}

/// `drop`.
pub fn drop_first(cx: Cx<'_>, from: &Value, n: i32) -> Eval {
    for _ in 0..n.max(0) {
        cx.step(1)?;
        if next_of(cx, from)?.is_none() {
            break;
        }
    }
    Ok(from.clone())
}

#[derive(Debug)]
struct Peeked {
    first: Option<Value>,
    rest: Box<dyn Iter>,
}

impl Iter for Peeked {
    fn next(&mut self, cx: Cx<'_>) -> Eval<Option<Value>> {
        match self.first.take() {
            Some(v) => Ok(Some(v)),
            None => self.rest.next(cx),
        }
    }
}

#[derive(Debug)]
struct Ended;

impl Iter for Ended {
    fn next(&mut self, _: Cx<'_>) -> Eval<Option<Value>> {
        Ok(None)
    }
}

/// `hasNext`: the element that was looked at comes next.
pub fn has_next(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let first = next_of(cx, &a[0])?;
    let found = first.is_some();
    if let (Some(Object::Iterator(cell)), true) = (a[0].as_obj(), found) {
        let mut inner = lock(cell);
        let rest = std::mem::replace(&mut *inner, Box::new(Ended));
        *inner = Box::new(Peeked { first, rest });
    }
    Ok(Value::Bool(found))
}

/// `isEmpty` of an iterator.
pub fn is_empty(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    match has_next(cx, a, ty)? {
        Value::Bool(b) => Ok(Value::Bool(!b)),
        _ => Err(unsupported(&a[0])),
    }
}

/// `next()`.
pub fn next(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    cx.step(1)?;
    next_of(cx, &a[0])?.ok_or_else(|| no_such_element("next on empty iterator"))
}

#[derive(Debug)]
struct Continually(Value);

impl Iter for Continually {
    fn next(&mut self, cx: Cx<'_>) -> Eval<Option<Value>> {
        cx.step(1)?;
        cx.call(&self.0, &[]).map(Some)
    }
}

#[derive(Debug)]
struct Iterate {
    f: Value,
    last: Value,
    started: bool,
}

impl Iter for Iterate {
    fn next(&mut self, cx: Cx<'_>) -> Eval<Option<Value>> {
        cx.step(1)?;
        if self.started {
            self.last = cx.call(&self.f, std::slice::from_ref(&self.last))?;
        }
        self.started = true;
        Ok(Some(self.last.clone()))
    }
}

/// `Iterator.iterate(start)(f)`.
pub fn iterate(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::iterator(Box::new(Iterate {
        f: a[1].clone(),
        last: a[0].clone(),
        started: false,
    })))
}

/// `Iterator.continually(elem)`.
pub fn continually(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::iterator(Box::new(Continually(a[0].clone()))))
}

#[derive(Debug)]
struct From(i32);

impl Iter for From {
    fn next(&mut self, cx: Cx<'_>) -> Eval<Option<Value>> {
        cx.step(1)?;
        let now = self.0;
        self.0 = now.wrapping_add(1);
        Ok(Some(Value::Int(now)))
    }
}

/// `Iterator.from(start)`.
pub fn from(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::iterator(Box::new(From(super::int(&a[0])?))))
}
