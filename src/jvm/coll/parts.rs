//! Parts of a collection, of its own class: `take`, `filter`, `grouped`.

use super::super::object::{Object, Range};
use super::super::table::Context;
use super::super::value::{Eval, Throw, Value};
use super::super::view::each;
use super::{elements, empty, holds, int, iter, position, same_class};
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

/// The elements from one position to another; a part of a range is a range.
fn slice_of(cx: Cx<'_>, recv: &Value, from: usize, to: usize) -> Eval {
    if let Some(Object::Range(r)) = recv.as_obj() {
        let to = to.min(r.len);
        let from = from.min(to);
        return Ok(Value::obj(Object::Range(Range {
            start: r.start + from as i64 * r.step,
            step: r.step,
            len: to - from,
            end: r.start + (to as i64 - 1) * r.step,
            inclusive: true,
            kind: r.kind,
        })));
    }
    if let Value::Str(s) = recv {
        let to = to.min(s.len());
        return Ok(Value::Str(s.slice(from.min(to), to)));
    }
    let items = elements(cx, recv)?.slice(from, to);
    cx.grow(items.len() * std::mem::size_of::<Value>())?;
    same_class(recv, items)
}

fn length(cx: Cx<'_>, recv: &Value) -> Eval<usize> {
    Ok(match recv.as_obj() {
        Some(Object::Iterator(_)) => usize::MAX >> 1,
        _ => elements(cx, recv)?.len(),
    })
}

/// `take`.
pub fn take(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(Object::Iterator(_)) = a[0].as_obj() {
        return iter::take(cx, &a[0], int(&a[1])?);
    }
    let len = length(cx, &a[0])?;
    slice_of(cx, &a[0], 0, position(&a[1], len)?)
}

/// `drop`.
pub fn drop_first(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(Object::Iterator(_)) = a[0].as_obj() {
        return iter::drop_first(cx, &a[0], int(&a[1])?);
    }
    let len = length(cx, &a[0])?;
    slice_of(cx, &a[0], position(&a[1], len)?, len)
}

/// `takeRight`.
pub fn take_right(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let len = length(cx, &a[0])?;
    slice_of(cx, &a[0], len - position(&a[1], len)?, len)
}

/// `dropRight`.
pub fn drop_right(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let len = length(cx, &a[0])?;
    slice_of(cx, &a[0], 0, len - position(&a[1], len)?)
}

/// `slice(from, until)`.
pub fn slice(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let len = elements(cx, &a[0])?.len();
    let (from, to) = (position(&a[1], len)?, position(&a[2], len)?);
    slice_of(cx, &a[0], from.min(to), to)
}

/// `tail`.
pub fn tail(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match length(cx, &a[0])? {
        0 => Err(match a[0].as_obj() {
            Some(Object::Seq(super::super::object::SeqClass::List, _) | Object::Range(_)) => {
                empty("tail of empty list")
            }
            _ => empty("empty.tail"),
        }),
        len => slice_of(cx, &a[0], 1, len),
    }
}

/// `init`.
pub fn init(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match length(cx, &a[0])? {
        0 => Err(empty("empty.init")),
        len => slice_of(cx, &a[0], 0, len - 1),
    }
}

/// `splitAt`.
pub fn split_at(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let len = elements(cx, &a[0])?.len();
    let at = position(&a[1], len)?;
    Ok(Value::tuple(vec![
        slice_of(cx, &a[0], 0, at)?,
        slice_of(cx, &a[0], at, len)?,
    ]))
}

fn prefix(cx: Cx<'_>, a: &[Value]) -> Eval<usize> {
    let view = elements(cx, &a[0])?;
    let mut n = 0;
    while let Some(item) = view.get(n) {
        cx.step(1)?;
        if !holds(cx, &a[1], &item)? {
            break;
        }
        n += 1;
    }
    Ok(n)
}

/// `takeWhile`.
pub fn take_while(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(Object::Iterator(_)) = a[0].as_obj() {
        return iter::take_while(&a[0], &a[1]);
    }
    let n = prefix(cx, a)?;
    slice_of(cx, &a[0], 0, n)
}

/// `dropWhile`.
pub fn drop_while(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(Object::Iterator(_)) = a[0].as_obj() {
        return iter::drop_while(&a[0], &a[1]);
    }
    let n = prefix(cx, a)?;
    let len = elements(cx, &a[0])?.len();
    slice_of(cx, &a[0], n, len)
}

/// `span`.
pub fn span(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let n = prefix(cx, a)?;
    let len = elements(cx, &a[0])?.len();
    Ok(Value::tuple(vec![
        slice_of(cx, &a[0], 0, n)?,
        slice_of(cx, &a[0], n, len)?,
    ]))
}

fn filtered(cx: Cx<'_>, a: &[Value], want: bool) -> Eval {
    match a[0].as_obj() {
        Some(Object::Iterator(_)) => return Ok(iter::filter(&a[0], &a[1], want)),
        Some(Object::Set(set)) => {
            let mut keep = Vec::new();
            for item in set.in_order()?.to_vec() {
                keep.push(holds(cx, &a[1], &item)? == want);
            }
            return Ok(Value::obj(Object::Set(set.keeping(&keep))));
        }
        Some(Object::Map(map)) => {
            let mut keep = Vec::new();
            for (k, v) in map.in_order()?.to_vec() {
                keep.push(holds(cx, &a[1], &Value::tuple(vec![k, v]))? == want);
            }
            return Ok(Value::obj(Object::Map(map.keeping(&keep))));
        }
        Some(Object::MutMap(_) | Object::MutSet(_)) => return Err(super::unsupported(&a[0])),
        _ => {}
    }
    let mut out = Vec::new();
    each(cx, &a[0], &mut |cx, item| {
        if holds(cx, &a[1], &item)? == want {
            out.push(item);
        }
        Ok(true)
    })?;
    same_class(&a[0], out)
}

/// `filter`.
pub fn filter(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    filtered(cx, a, true)
}

/// `filterNot`.
pub fn filter_not(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    filtered(cx, a, false)
}

/// `partition`.
pub fn partition(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    each(cx, &a[0], &mut |cx, item| {
        match holds(cx, &a[1], &item)? {
            true => yes.push(item),
            false => no.push(item),
        }
        Ok(true)
    })?;
    Ok(Value::tuple(vec![same_class(&a[0], yes)?, same_class(&a[0], no)?]))
}

fn windows(cx: Cx<'_>, recv: &Value, size: i32, step: i32, partial: bool) -> Eval {
    if size < 1 || step < 1 {
        let message = format!("requirement failed: size={size} and step={step}, but both must be positive");
        return Err(Throw::exception("IllegalArgumentException", message));
    }
    let view = elements(cx, recv)?;
    let (len, size, step) = (view.len(), size as usize, step as usize);
    let mut out = Vec::new();
    let mut at = 0;
    while at < len {
        cx.step(1)?;
        let part = view.slice(at, at + size);
        // `sliding` ends with the window that reaches the end; a shorter one comes only if it is the first.
        let reaches = at + size >= len;
        out.push(group_class(recv, part)?);
        if reaches && !partial {
            break;
        }
        at += step;
    }
    Ok(iter::of_vec(out))
}

/// Groups of an iterator are `List`s (of the class of a growing buffer, shown as `List`).
fn group_class(recv: &Value, part: Vec<Value>) -> Eval {
    match recv.as_obj() {
        Some(Object::Iterator(_)) => Ok(Value::list(part)),
        _ => same_class(recv, part),
    }
}

/// `grouped(n)`.
pub fn grouped(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let n = int(&a[1])?;
    windows(cx, &a[0], n, n, true)
}

/// `sliding(n)`, `sliding(n, step)`.
pub fn sliding(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let step = match a.get(2) {
        Some(s) => int(s)?,
        None => 1,
    };
    windows(cx, &a[0], int(&a[1])?, step, false)
}

/// `tails`, `inits` as iterators.
pub fn tails(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let len = elements(cx, &a[0])?.len();
    let parts = (0..=len)
        .map(|i| slice_of(cx, &a[0], i, len))
        .collect::<Eval<Vec<_>>>()?;
    Ok(iter::of_vec(parts))
}

/// `inits`.
pub fn inits(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let len = elements(cx, &a[0])?.len();
    let parts = (0..=len)
        .rev()
        .map(|i| slice_of(cx, &a[0], 0, i))
        .collect::<Eval<Vec<_>>>()?;
    Ok(iter::of_vec(parts))
}

/// `reverse`.
pub fn reverse(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(Object::Range(r)) = a[0].as_obj() {
        let last = r.start + (r.len.max(1) as i64 - 1) * r.step;
        return Ok(Value::obj(Object::Range(Range {
            start: last,
            step: -r.step,
            len: r.len,
            end: r.start,
            inclusive: true,
            kind: r.kind,
        })));
    }
    let mut items = elements(cx, &a[0])?.to_vec();
    items.reverse();
    same_class(&a[0], items)
}

/// `distinct`: first occurrences stay.
pub fn distinct(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut seen = super::super::chains::Chains::new(super::super::chains::Style::Linked);
    let mut out = Vec::new();
    each(cx, &a[0], &mut |_, item| {
        if seen.put(item.clone(), Value::Unit)?.is_none() {
            out.push(item);
        }
        Ok(true)
    })?;
    same_class(&a[0], out)
}

/// Occurrences of the elements of the argument, for `diff` and `intersect`.
fn occurrences(cx: Cx<'_>, v: &Value) -> Eval<super::super::chains::Chains> {
    let mut counts = super::super::chains::Chains::new(super::super::chains::Style::Linked);
    each(cx, v, &mut |_, item| {
        let n = match counts.get(&item)? {
            Some(Value::Int(n)) => n,
            _ => 0,
        };
        counts.put(item, Value::Int(n + 1))?;
        Ok(true)
    })?;
    Ok(counts)
}

fn by_occurrence(cx: Cx<'_>, a: &[Value], keep_found: bool) -> Eval {
    let mut counts = occurrences(cx, &a[1])?;
    let mut out = Vec::new();
    each(cx, &a[0], &mut |_, item| {
        let left = match counts.get(&item)? {
            Some(Value::Int(n)) => n,
            _ => 0,
        };
        if left > 0 {
            counts.put(item.clone(), Value::Int(left - 1))?;
        }
        if (left > 0) == keep_found {
            out.push(item);
        }
        Ok(true)
    })?;
    same_class(&a[0], out)
}

/// `diff` of sequences.
pub fn diff(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    by_occurrence(cx, a, false)
}

/// `intersect` of sequences.
pub fn intersect(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    by_occurrence(cx, a, true)
}

/// `groupBy`: groups of the receiver's class; up to four keys stay in the order they were met, more are ordered by hash.
pub fn group_by(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    use super::super::chains::{Chains, Style};
    let mut groups: Vec<Vec<Value>> = Vec::new();
    let mut table = Chains::new(Style::Linked);
    each(cx, &a[0], &mut |cx, item| {
        let key = cx.call(&a[1], std::slice::from_ref(&item))?;
        match table.get(&key)? {
            Some(Value::Int(i)) => groups[i as usize].push(item),
            _ => {
                table.put(key, Value::Int(groups.len() as i32))?;
                groups.push(vec![item]);
            }
        }
        Ok(true)
    })?;
    let keys = table.in_order()?.into_iter().map(|(key, _)| key);
    let entries = keys
        .zip(groups)
        .map(|(key, items)| Ok((key, same_class(&a[0], items)?)));
    Ok(Value::map(entries.collect::<Eval<Vec<_>>>()?))
}
