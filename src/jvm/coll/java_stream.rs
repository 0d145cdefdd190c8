//! Streams, collectors and comparators of Java. In: a stream as a lazy iterator and functions; out: what JDK 17 gives. Sums of
//! `double` streams, which are compensated, are not covered.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex};

use super::super::maps::{MutClass, MutMap};
use super::super::object::{BufferClass, NativeFn, Object};
use super::super::order;
use super::super::show;
use super::super::table::Context;
use super::super::text::JStr;
use super::super::value::{Eval, Throw, Value};
use super::super::view::{all, each, lock, next_of};
use super::java_util::{ask, sorted};
use super::{holds, int, iter, unsupported};
use crate::lang::ty::{Prim, Ty};

type Cx<'a> = &'a mut dyn Context;

fn of(items: Vec<Value>) -> Value {
    iter::of_vec(items)
}

/// `collection.stream()`, `Arrays.stream(array)`, `Stream.of(…)`.
pub fn stream(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(of(all(cx, &a[0])?))
}

/// `text.chars()`.
pub fn chars(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let units = super::super::args::string(&a[0])?.units().into_owned();
    Ok(of(units.into_iter().map(|c| Value::Int(i32::from(c))).collect()))
}

fn range_of(cx: Cx<'_>, from: i32, to: i64) -> Eval {
    let count = (to - i64::from(from)).max(0);
    cx.step(count as u64)?;
    cx.grow(count as usize * std::mem::size_of::<Value>())?;
    Ok(of((0..count)
        .map(|i| Value::Int((i64::from(from) + i) as i32))
        .collect()))
}

/// `IntStream.range`.
pub fn range(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    range_of(cx, int(&a[0])?, i64::from(int(&a[1])?))
}

/// `IntStream.rangeClosed`.
pub fn range_closed(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    range_of(cx, int(&a[0])?, i64::from(int(&a[1])?) + 1)
}

/// `map`, `mapToInt`, `mapToObj`.
pub fn map(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(iter::map(&a[0], &a[1]))
}

/// `boxed`: the values are boxes already.
pub fn same(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(a[0].clone())
}

/// `asLongStream`, `asDoubleStream`.
pub fn widen(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let to = match ty {
        Ty::Java(_, args) => args.first().and_then(Ty::prim_type),
        _ => None,
    };
    let mut out = Vec::new();
    for item in all(cx, &a[0])? {
        out.push(match (item, to) {
            (Value::Int(i), Some(Prim::Long)) => Value::Long(i64::from(i)),
            (Value::Int(i), Some(Prim::Double)) => Value::Double(f64::from(i)),
            (Value::Long(i), Some(Prim::Double)) => Value::Double(i as f64),
            (other, _) => return Err(unsupported(&other)),
        });
    }
    Ok(of(out))
}

/// `filter`.
pub fn filter(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(iter::filter(&a[0], &a[1], true))
}

/// `flatMap`.
pub fn flat_map(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(iter::flat_map(&a[0], &a[1]))
}

/// `takeWhile`.
pub fn take_while(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    iter::take_while(&a[0], &a[1])
}

/// `dropWhile`.
pub fn drop_while(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    iter::drop_while(&a[0], &a[1])
}

fn amount(v: &Value) -> Eval<i32> {
    match v {
        Value::Long(n) if *n < 0 => Err(Throw::exception("IllegalArgumentException", n.to_string())),
        Value::Long(n) => Ok(i32::try_from(*n).unwrap_or(i32::MAX)),
        other => Err(unsupported(other)),
    }
}

/// `limit`.
pub fn limit(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    iter::take(cx, &a[0], amount(&a[1])?)
}

/// `skip`.
pub fn skip(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    iter::drop_first(cx, &a[0], amount(&a[1])?)
}

/// `distinct`: the first of equal elements stays.
pub fn distinct(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut seen = MutMap::new(MutClass::JavaLinked);
    for item in all(cx, &a[0])? {
        if seen.get(&item)?.is_none() {
            seen.put(item, Value::Unit)?;
        }
    }
    Ok(of(seen.in_order()?.into_iter().map(|e| e.0).collect()))
}

/// `sorted`.
pub fn sort(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = all(cx, &a[0])?;
    Ok(of(sorted(cx, items, a.get(1))?))
}

/// `count`.
pub fn count(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut n = 0i64;
    each(cx, &a[0], &mut |_, _| {
        n += 1;
        Ok(true)
    })?;
    Ok(Value::Long(n))
}

/// `sum` of an `int` or `long` stream.
pub fn sum(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut total = 0i64;
    each(cx, &a[0], &mut |_, v| {
        match v {
            Value::Int(i) => total = total.wrapping_add(i64::from(i)),
            Value::Long(i) => total = total.wrapping_add(i),
            other => return Err(unsupported(&other)),
        }
        Ok(true)
    })?;
    Ok(match ty {
        Ty::Prim(Prim::Int) => Value::Int(total as i32),
        _ => Value::Long(total),
    })
}

/// `average` of an `int` or `long` stream.
pub fn average(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (mut total, mut n) = (0i64, 0i64);
    each(cx, &a[0], &mut |_, v| {
        match v {
            Value::Int(i) => total = total.wrapping_add(i64::from(i)),
            Value::Long(i) => total = total.wrapping_add(i),
            other => return Err(unsupported(&other)),
        }
        n += 1;
        Ok(true)
    })?;
    Ok(Value::option((n > 0).then(|| Value::Double(total as f64 / n as f64))))
}

/// `max`, `min`; of several equal ones the first.
pub fn extreme(cx: Cx<'_>, a: &[Value], largest: bool) -> Eval {
    let mut best: Option<Value> = None;
    for item in all(cx, &a[0])? {
        best = Some(match best {
            None => item,
            Some(b) => {
                let by = match a.get(1) {
                    Some(c) => ask(cx, c, &b, &item)?,
                    None => order::compare(&b, &item)?,
                };
                let keep = if largest {
                    by != Ordering::Less
                } else {
                    by != Ordering::Greater
                };
                if keep { b } else { item }
            }
        });
    }
    match best {
        Some(Value::Null) => Err(Throw::null_pointer()),
        other => Ok(Value::option(other)),
    }
}

fn matching(cx: Cx<'_>, a: &[Value], stop: bool) -> Eval<bool> {
    let mut hit = false;
    each(cx, &a[0], &mut |cx, item| {
        hit = holds(cx, &a[1], &item)? == stop;
        Ok(!hit)
    })?;
    Ok(hit)
}

/// `anyMatch`.
pub fn any_match(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(matching(cx, a, true)?))
}

/// `allMatch`.
pub fn all_match(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(!matching(cx, a, false)?))
}

/// `noneMatch`.
pub fn none_match(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(!matching(cx, a, true)?))
}

/// `findFirst`, `findAny`.
pub fn find_first(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match next_of(cx, &a[0])? {
        Some(Value::Null) => Err(Throw::null_pointer()),
        other => Ok(Value::option(other)),
    }
}

/// `forEach`.
pub fn for_each(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    each(cx, &a[0], &mut |cx, item| {
        cx.call(&a[1], &[item])?;
        Ok(true)
    })?;
    Ok(Value::Unit)
}

/// `reduce(identity, f)`.
pub fn reduce_from(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut acc = a[1].clone();
    for item in all(cx, &a[0])? {
        acc = cx.call(&a[2], &[acc, item])?;
    }
    Ok(acc)
}

/// `reduce(f)`.
pub fn reduce(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut acc: Option<Value> = None;
    for item in all(cx, &a[0])? {
        acc = Some(match acc {
            None => item,
            Some(v) => cx.call(&a[1], &[v, item])?,
        });
    }
    match acc {
        Some(Value::Null) => Err(Throw::null_pointer()),
        other => Ok(Value::option(other)),
    }
}

/// `toArray()`.
pub fn to_array(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::array(all(cx, &a[0])?))
}

/// `toList()`: cannot be changed.
pub fn to_list(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(super::java_util::fixed(all(cx, &a[0])?))
}

/// `collect(collector)`.
pub fn collect(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = all(cx, &a[0])?;
    cx.call(&a[1], &[super::java_util::fixed(items)])
}

/// A collector: what it makes of all elements.
fn collector(f: impl Fn(&mut dyn Context, Vec<Value>) -> Eval + Send + Sync + 'static) -> Value {
    let body = move |cx: &mut dyn Context, args: &[Value]| {
        let items = all(cx, &args[0])?;
        f(cx, items)
    };
    Value::obj(Object::Native(NativeFn(Arc::new(body))))
}

fn list_of(items: Vec<Value>) -> Value {
    Value::obj(Object::Buffer(BufferClass::ArrayList, Mutex::new(items)))
}

/// `Collectors.toList()`.
pub fn collect_list(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    Ok(collector(|_, items| Ok(list_of(items))))
}

/// `Collectors.toSet()`.
pub fn collect_set(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    Ok(collector(|_, items| {
        let mut m = MutMap::new(MutClass::JavaHash);
        for item in items {
            if m.get(&item)?.is_none() {
                m.put(item, Value::Unit)?;
            }
        }
        Ok(Value::obj(Object::MutSet(Mutex::new(m))))
    }))
}

/// `Collectors.counting()`.
pub fn counting(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    Ok(collector(|_, items| Ok(Value::Long(items.len() as i64))))
}

/// `Collectors.joining()`, with a delimiter, with a prefix and a suffix.
pub fn joining(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut parts = Vec::new();
    for v in a {
        parts.push(super::super::args::string(v)?.units().into_owned());
    }
    Ok(collector(move |cx, items| {
        let part = |i: usize| parts.get(i).map(Vec::as_slice).unwrap_or_default();
        let mut out = part(1).to_vec();
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                out.extend_from_slice(part(0));
            }
            show::append(cx, item, &mut out)?;
        }
        out.extend_from_slice(part(2));
        cx.grow(out.len() * 2)?;
        Ok(Value::Str(JStr::from_units(&out)))
    }))
}

/// `Collectors.mapping(f, downstream)`.
pub fn mapping(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (f, down) = (a[0].clone(), a[1].clone());
    Ok(collector(move |cx, items| {
        let mut out = Vec::new();
        for item in items {
            out.push(cx.call(&f, &[item])?);
        }
        cx.call(&down, &[super::java_util::fixed(out)])
    }))
}

/// `Collectors.groupingBy(f)`, `groupingBy(f, downstream)`.
pub fn grouping(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (f, down) = (a[0].clone(), a.get(1).cloned());
    Ok(collector(move |cx, items| {
        let mut groups = MutMap::new(MutClass::JavaHash);
        for item in items {
            groups.settle()?;
            let key = cx.call(&f, std::slice::from_ref(&item))?;
            if key.is_null() {
                return Err(Throw::exception(
                    "NullPointerException",
                    "element cannot be mapped to a null key",
                ));
            }
            match groups.get(&key)?.as_ref().and_then(Value::as_obj) {
                Some(Object::Buffer(_, group)) => lock(group).push(item),
                _ => groups.put_front(key, list_of(vec![item]))?,
            }
        }
        if let Some(down) = &down {
            for (k, group) in groups.unordered() {
                let made = cx.call(down, &[group])?;
                groups.put(k, made)?;
            }
        }
        Ok(Value::obj(Object::MutMap(Mutex::new(groups))))
    }))
}

/// `Collectors.toMap(key, value)`, `toMap(key, value, merge)`.
pub fn to_map(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (key, value, merge) = (a[0].clone(), a[1].clone(), a.get(2).cloned());
    Ok(collector(move |cx, items| {
        let mut m = MutMap::new(MutClass::JavaHash);
        for item in items {
            let k = cx.call(&key, std::slice::from_ref(&item))?;
            let v = cx.call(&value, &[item])?;
            if v.is_null() {
                return Err(Throw::null_pointer());
            }
            if merge.is_some() {
                m.settle()?;
            }
            let old = m.get(&k)?;
            let new = match (old, &merge) {
                (None, _) => v,
                (Some(old), Some(f)) => cx.call(f, &[old, v])?,
                (Some(old), None) => {
                    let mut text = "Duplicate key ".encode_utf16().collect::<Vec<u16>>();
                    show::append(cx, &k, &mut text)?;
                    text.extend(" (attempted merging values ".encode_utf16());
                    show::append(cx, &old, &mut text)?;
                    text.extend(" and ".encode_utf16());
                    show::append(cx, &v, &mut text)?;
                    text.push(u16::from(b')'));
                    return Err(Throw::exception(
                        "IllegalStateException",
                        String::from_utf16_lossy(&text),
                    ));
                }
            };
            if merge.is_some() {
                m.put_front(k, new)?;
            } else {
                m.put(k, new)?;
            }
        }
        Ok(Value::obj(Object::MutMap(Mutex::new(m))))
    }))
}

/// A comparator made by the library.
fn comparator(f: impl Fn(&mut dyn Context, &Value, &Value) -> Eval<Ordering> + Send + Sync + 'static) -> Value {
    let body = move |cx: &mut dyn Context, args: &[Value]| Ok(Value::Int(f(cx, &args[0], &args[1])? as i32));
    Value::obj(Object::Native(NativeFn(Arc::new(body))))
}

/// `Comparator.naturalOrder()`.
pub fn natural(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    Ok(comparator(|_, x, y| order::compare(x, y)))
}

/// `Comparator.reverseOrder()`.
pub fn reverse(_: Cx<'_>, _: &[Value], _: &Ty) -> Eval {
    Ok(comparator(|_, x, y| order::compare(y, x)))
}

/// `Comparator.comparing(f)` and its like.
pub fn comparing(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (f, by) = (a[0].clone(), a.get(1).cloned());
    Ok(comparator(move |cx, x, y| {
        let (x, y) = (
            cx.call(&f, std::slice::from_ref(x))?,
            cx.call(&f, std::slice::from_ref(y))?,
        );
        match &by {
            Some(c) => ask(cx, c, &x, &y),
            None => order::compare(&x, &y),
        }
    }))
}

/// `comparator.reversed()`.
pub fn reversed(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let c = a[0].clone();
    Ok(comparator(move |cx, x, y| ask(cx, &c, y, x)))
}

/// `comparator.thenComparing(other)`, of a comparator.
pub fn then(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (first, second) = (a[0].clone(), a[1].clone());
    Ok(comparator(move |cx, x, y| match ask(cx, &first, x, y)? {
        Ordering::Equal => ask(cx, &second, x, y),
        other => Ok(other),
    }))
}

/// `comparator.thenComparing(f)`, of a key.
pub fn then_by(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (first, f) = (a[0].clone(), a[1].clone());
    Ok(comparator(move |cx, x, y| match ask(cx, &first, x, y)? {
        Ordering::Equal => {
            let (x, y) = (
                cx.call(&f, std::slice::from_ref(x))?,
                cx.call(&f, std::slice::from_ref(y))?,
            );
            order::compare(&x, &y)
        }
        other => Ok(other),
    }))
}
