//! Rows for the methods of Scala's `StringOps` that call a function for each character.

use super::java::chars;
use super::{made, slice};
use crate::jvm::args::{boolean, character, int, row, string};
use crate::jvm::object::{Iter, SeqClass};
use crate::jvm::table::{Context, Method};
use crate::jvm::value::{Eval, Throw, Value};
use crate::jvm::view;
use crate::lang::ty::Ty;

const S: &str = "String";
const NONE: &[&str] = &[];

/// The rows.
#[rustfmt::skip]
pub static ROWS: &[Method] = &[
    row("String.map(Char=>Char)", S, "map", "(Char => Char): String", NONE, |cx, a, _| {
        let mut out = Vec::new();
        walk(cx, a, |v, _| { out.push(character(&v)?); Ok(true) })?;
        made(cx, &out)
    }),
    row("String.map", S, "map", "[B](Char => B): Vector[B]", NONE, |cx, a, _| {
        let mut out = Vec::new();
        walk(cx, a, |v, _| { out.push(v); Ok(true) })?;
        cx.grow(out.len() * std::mem::size_of::<Value>())?;
        Ok(Value::seq(SeqClass::Vector, out))
    }),
    row("String.flatMap(String)", S, "flatMap", "(Char => String): String", NONE, flat_map_text),
    row("String.flatMap(Seq[Char])", S, "flatMap", "(Char => Seq[Char]): String", NONE, flat_map_text),
    row("String.flatMap(Option[Char])", S, "flatMap", "(Char => Option[Char]): String", NONE, flat_map_text),
    row("String.flatMap", S, "flatMap", "[B](Char => Seq[B]): Vector[B]", NONE, flat_map),
    row("String.flatMap(Option)", S, "flatMap", "[B](Char => Option[B]): Vector[B]", NONE, flat_map),
    row("String.collect(Char)", S, "collect", "(Char => Char): String", NONE, |cx, a, _| {
        let mut out = Vec::new();
        for c in collected(cx, a)? {
            out.push(character(&c)?);
        }
        made(cx, &out)
    }),
    row("String.collect", S, "collect", "[B](Char => B): Vector[B]", NONE, |cx, a, _| Ok(Value::seq(SeqClass::Vector, collected(cx, a)?))),
    row("String.filter", S, "filter", "(Char => Boolean): String", NONE, |cx, a, _| filter(cx, a, true)),
    row("String.withFilter", S, "withFilter", "(Char => Boolean): String", NONE, crate::jvm::coll::access::with_filter),
    row("String.filterNot", S, "filterNot", "(Char => Boolean): String", NONE, |cx, a, _| filter(cx, a, false)),
    row("String.partition", S, "partition", "(Char => Boolean): (String, String)", NONE, |cx, a, _| {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        walk(cx, a, |v, u| { if boolean(&v)? { yes.push(u) } else { no.push(u) } Ok(true) })?;
        Ok(Value::tuple(vec![made(cx, &yes)?, made(cx, &no)?]))
    }),
    row("String.takeWhile", S, "takeWhile", "(Char => Boolean): String", NONE, |cx, a, _| {
        let n = prefix(cx, a)?;
        Ok(slice(string(&a[0])?, 0, n))
    }),
    row("String.dropWhile", S, "dropWhile", "(Char => Boolean): String", NONE, |cx, a, _| {
        let n = prefix(cx, a)?;
        Ok(slice(string(&a[0])?, n, i64::MAX))
    }),
    row("String.span", S, "span", "(Char => Boolean): (String, String)", NONE, |cx, a, _| {
        let n = prefix(cx, a)?;
        let s = string(&a[0])?;
        Ok(Value::tuple(vec![slice(s, 0, n), slice(s, n, i64::MAX)]))
    }),
    row("String.prefixLength", S, "prefixLength", "(Char => Boolean): Int", NONE, |cx, a, _| Ok(Value::Int(prefix(cx, a)? as i32))),
    row("String.forall", S, "forall", "(Char => Boolean): Boolean", NONE, |cx, a, _| {
        let mut all = true;
        walk(cx, a, |v, _| { all = boolean(&v)?; Ok(all) })?;
        Ok(Value::Bool(all))
    }),
    row("String.exists", S, "exists", "(Char => Boolean): Boolean", NONE, |cx, a, _| Ok(Value::Bool(position(cx, a, 0)?.is_some()))),
    row("String.find", S, "find", "(Char => Boolean): Option[Char]", NONE, |cx, a, _| {
        let at = position(cx, a, 0)?;
        Ok(Value::option(at.and_then(|i| string(&a[0]).ok()?.unit(i)).map(Value::Char)))
    }),
    row("String.indexWhere", S, "indexWhere", "(Char => Boolean): Int", NONE, |cx, a, _| Ok(index(position(cx, a, 0)?))),
    row("String.indexWhere(Int)", S, "indexWhere", "(Char => Boolean, Int): Int", NONE, |cx, a, _| {
        let from = int(&a[2])?.max(0) as usize;
        Ok(index(position(cx, a, from)?))
    }),
    row("String.lastIndexWhere", S, "lastIndexWhere", "(Char => Boolean): Int", NONE, |cx, a, _| {
        let units = string(&a[0])?.units();
        for (i, u) in units.iter().enumerate().rev() {
            cx.step(1)?;
            if boolean(&cx.call(&a[1], &[Value::Char(*u)])?)? {
                return Ok(Value::Int(i as i32));
            }
        }
        Ok(Value::Int(-1))
    }),
    row("String.count", S, "count", "(Char => Boolean): Int", NONE, |cx, a, _| {
        let mut n = 0;
        walk(cx, a, |v, _| { n += i32::from(boolean(&v)?); Ok(true) })?;
        Ok(Value::Int(n))
    }),
    row("String.foreach", S, "foreach", "(Char => Any): Unit", NONE, |cx, a, _| {
        walk(cx, a, |_, _| Ok(true))?;
        Ok(Value::Unit)
    }),
    row("String.foldLeft", S, "foldLeft", "[B](B)((B, Char) => B): B", NONE, |cx, a, _| {
        let mut acc = a[1].clone();
        for c in chars(cx, string(&a[0])?)? {
            cx.step(1)?;
            acc = cx.call(&a[2], &[acc, c])?;
        }
        Ok(acc)
    }),
    row("String.foldRight", S, "foldRight", "[B](B)((Char, B) => B): B", NONE, |cx, a, _| {
        let mut acc = a[1].clone();
        for c in chars(cx, string(&a[0])?)?.into_iter().rev() {
            cx.step(1)?;
            acc = cx.call(&a[2], &[c, acc])?;
        }
        Ok(acc)
    }),
    row("String.groupBy", S, "groupBy", "[K](Char => K): Map[K, String]", NONE, group_by),
    row("String.sortBy", S, "sortBy", "(Char => Int): String", NONE, |cx, a, _| {
        let mut keyed = Vec::new();
        walk(cx, a, |v, u| { keyed.push((int(&v)?, u)); Ok(true) })?;
        keyed.sort_by_key(|(k, _)| *k);
        let units: Vec<u16> = keyed.into_iter().map(|(_, u)| u).collect();
        made(cx, &units)
    }),
];

/// Calls the function `a[1]` with each character of `a[0]` until `f` says stop.
fn walk(cx: &mut dyn Context, a: &[Value], mut f: impl FnMut(Value, u16) -> Eval<bool>) -> Eval<()> {
    // The receiver may be a string behind `withFilter`.
    view::each(cx, &a[0], &mut |cx, item| {
        let unit = character(&item)?;
        let v = cx.call(&a[1], &[item])?;
        f(v, unit)
    })
}

fn filter(cx: &mut dyn Context, a: &[Value], keep: bool) -> Eval {
    let mut out = Vec::new();
    walk(cx, a, |v, u| {
        if boolean(&v)? == keep {
            out.push(u);
        }
        Ok(true)
    })?;
    made(cx, &out)
}

/// Number of leading characters for which the predicate holds.
fn prefix(cx: &mut dyn Context, a: &[Value]) -> Eval<i64> {
    let mut n = 0;
    walk(cx, a, |v, _| {
        let holds = boolean(&v)?;
        n += i64::from(holds);
        Ok(holds)
    })?;
    Ok(n)
}

fn position(cx: &mut dyn Context, a: &[Value], from: usize) -> Eval<Option<usize>> {
    let s = string(&a[0])?;
    for i in from..s.len() {
        let Some(unit) = s.unit(i) else { break };
        cx.step(1)?;
        if boolean(&cx.call(&a[1], &[Value::Char(unit)])?)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

fn index(at: Option<usize>) -> Value {
    Value::Int(at.map_or(-1, |i| i as i32))
}

fn flat_map(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::seq(SeqClass::Vector, flat(cx, a)?))
}

fn flat_map_text(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    let mut out = Vec::new();
    for c in flat(cx, a)? {
        out.push(character(&c)?);
    }
    made(cx, &out)
}

fn flat(cx: &mut dyn Context, a: &[Value]) -> Eval<Vec<Value>> {
    let mut parts = Vec::new();
    walk(cx, a, |v, _| {
        parts.push(v);
        Ok(true)
    })?;
    let mut out = Vec::new();
    for part in parts {
        out.extend(view::all(cx, &part)?);
    }
    Ok(out)
}

fn collected(cx: &mut dyn Context, a: &[Value]) -> Eval<Vec<Value>> {
    let mut out = Vec::new();
    for c in chars(cx, string(&a[0])?)? {
        cx.step(1)?;
        if let Some(v) = cx.call_partial(&a[1], &[c])? {
            out.push(v);
        }
    }
    Ok(out)
}

/// The groups keep the order of the text; the order of the keys is that of a mutable hash map copied into an immutable map.
fn group_by(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    let mut groups = crate::jvm::maps::MutMap::new(crate::jvm::maps::MutClass::ScalaHash);
    let s = string(&a[0])?.clone();
    let mut texts: Vec<Vec<u16>> = Vec::new();
    for u in s.units().iter() {
        cx.step(1)?;
        let key = cx.call(&a[1], &[Value::Char(*u)])?;
        let slot = match groups.get(&key)? {
            Some(Value::Int(i)) => i as usize,
            _ => {
                texts.push(Vec::new());
                groups.put(key, Value::Int(texts.len() as i32 - 1))?;
                texts.len() - 1
            }
        };
        texts[slot].push(*u);
    }
    let mut entries = Vec::new();
    for (key, slot) in groups.in_order()? {
        let Value::Int(i) = slot else {
            return Err(Throw::Unsupported("groupBy lost a group".into()));
        };
        entries.push((key, made(cx, &texts[i as usize])?));
    }
    Ok(Value::map(entries))
}

/// An iterator over finished elements.
pub fn iterator(items: Vec<Value>) -> Value {
    #[derive(Debug)]
    struct Items(std::vec::IntoIter<Value>);
    impl Iter for Items {
        fn next(&mut self, _cx: &mut dyn Context) -> Eval<Option<Value>> {
            Ok(self.0.next())
        }
    }
    Value::iterator(Box::new(Items(items.into_iter())))
}
