//! `StringBuilder`.

use super::super::object::Object;
use super::super::show;
use super::super::table::Context;
use super::super::text::JStr;
use super::super::value::{Eval, Throw, Value};
use super::super::view::lock;
use super::{int, unsupported};
use crate::lang::ast::Dialect;
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

fn units(v: &Value) -> Eval<&std::sync::Mutex<Vec<u16>>> {
    match v.as_obj() {
        Some(Object::StringBuilder(units)) => Ok(units),
        _ => Err(unsupported(v)),
    }
}

fn made(text: Vec<u16>) -> Value {
    Value::obj(Object::StringBuilder(std::sync::Mutex::new(text)))
}

/// `new StringBuilder`, of a capacity or of a text; a null text throws.
pub fn new(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a.first() {
        None => Ok(made(Vec::new())),
        Some(Value::Int(n)) if *n < 0 => Err(Throw::exception("NegativeArraySizeException", n.to_string())),
        Some(Value::Int(_)) => Ok(made(Vec::new())),
        Some(Value::Str(s)) => Ok(made(s.units().into_owned())),
        Some(Value::Null) => Err(Throw::null_pointer()),
        Some(other) => Err(unsupported(other)),
    }
}

/// The text that `append` and `insert` add.
fn text_of(cx: Cx<'_>, v: &Value) -> Eval<Vec<u16>> {
    let mut out = Vec::new();
    match v.as_obj() {
        Some(Object::Array(items)) => {
            for item in lock(items).iter() {
                match item {
                    Value::Char(c) => out.push(*c),
                    _ => return Err(unsupported(v)),
                }
            }
        }
        _ => show::append(cx, v, &mut out)?,
    }
    cx.grow(out.len() * 2)?;
    Ok(out)
}

/// `append`, `+=`.
pub fn append(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Value::Char(c) = &a[1] {
        cx.grow(2)?;
        lock(units(&a[0])?).push(*c);
        return Ok(a[0].clone());
    }
    let text = text_of(cx, &a[1])?;
    lock(units(&a[0])?).extend_from_slice(&text);
    Ok(a[0].clone())
}

/// `append(text, start, end)`.
pub fn append_part(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let text = text_of(cx, &a[1])?;
    let (start, end) = (int(&a[2])?, int(&a[3])?);
    if start < 0 || start > end || end as usize > text.len() {
        let message = format!("start {start}, end {end}, length {}", text.len());
        return Err(Throw::exception("IndexOutOfBoundsException", message));
    }
    lock(units(&a[0])?).extend_from_slice(&text[start as usize..end as usize]);
    Ok(a[0].clone())
}

/// `appendAll`, `++=` of characters.
pub fn append_all(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = super::super::view::all(cx, &a[1])?;
    let mut text = Vec::new();
    for item in &items {
        show::append(cx, item, &mut text)?;
    }
    lock(units(&a[0])?).extend_from_slice(&text);
    Ok(a[0].clone())
}

fn bad_index(message: String) -> Throw {
    Throw::exception("StringIndexOutOfBoundsException", message)
}

/// `charAt`, `apply`.
pub fn char_at(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    let text = lock(units(&a[0])?);
    match usize::try_from(i).ok().and_then(|i| text.get(i)) {
        Some(c) => Ok(Value::Char(*c)),
        None => Err(bad_index(format!("index {i},length {}", text.len()))),
    }
}

/// `setCharAt`, `update`.
pub fn set_char_at(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    let Value::Char(c) = a[2] else {
        return Err(unsupported(&a[2]));
    };
    let mut text = lock(units(&a[0])?);
    let len = text.len();
    match usize::try_from(i).ok().and_then(|i| text.get_mut(i)) {
        Some(place) => {
            *place = c;
            Ok(Value::Unit)
        }
        None => Err(bad_index(format!("index {i},length {len}"))),
    }
}

/// `deleteCharAt`.
pub fn delete_char_at(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    let mut text = lock(units(&a[0])?);
    match usize::try_from(i).ok().filter(|i| *i < text.len()) {
        Some(i) => {
            text.remove(i);
        }
        None => return Err(bad_index(format!("index {i},length {}", text.len()))),
    }
    drop(text);
    Ok(a[0].clone())
}

/// `delete(start, end)`: the end is cut to the length.
pub fn delete(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (start, end) = (int(&a[1])?, int(&a[2])?);
    {
        let mut text = lock(units(&a[0])?);
        let end = end.min(text.len() as i32);
        if start < 0 || start > end {
            return Err(bad_index(format!("start {start}, end {end}, length {}", text.len())));
        }
        text.drain(start as usize..end as usize);
    }
    Ok(a[0].clone())
}

/// `insert(offset, value)`.
pub fn insert(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let i = int(&a[1])?;
    let new = text_of(cx, &a[2])?;
    {
        let mut text = lock(units(&a[0])?);
        match usize::try_from(i).ok().filter(|i| *i <= text.len()) {
            Some(i) => drop(text.splice(i..i, new)),
            None => return Err(bad_index(format!("offset {i}, length {}", text.len()))),
        }
    }
    Ok(a[0].clone())
}

/// `setLength`: cut, or filled with NUL.
pub fn set_length(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let n = int(&a[1])?;
    let Ok(len) = usize::try_from(n) else {
        return Err(bad_index(format!("String index out of range: {n}")));
    };
    cx.grow(len * 2)?;
    lock(units(&a[0])?).resize(len, 0);
    Ok(Value::Unit)
}

/// `clear()`.
pub fn clear(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    lock(units(&a[0])?).clear();
    Ok(Value::Unit)
}

/// `reverse`: surrogate pairs stay pairs. Java's turns the builder itself round, Scala's gives a new one.
pub fn reverse(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut text = lock(units(&a[0])?).clone();
    text.reverse();
    for i in 1..text.len() {
        if (0xdc00..0xe000).contains(&text[i - 1]) && (0xd800..0xdc00).contains(&text[i]) {
            text.swap(i - 1, i);
        }
    }
    match cx.dialect() {
        Dialect::Java => {
            *lock(units(&a[0])?) = text;
            Ok(a[0].clone())
        }
        Dialect::Scala => Ok(made(text)),
    }
}

/// `length`, `size`.
pub fn length(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Int(lock(units(&a[0])?).len() as i32))
}

/// `isEmpty`.
pub fn is_empty(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(lock(units(&a[0])?).is_empty()))
}

/// `nonEmpty`.
pub fn non_empty(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::Bool(!lock(units(&a[0])?).is_empty()))
}

/// `toString`, `result()`, `mkString`.
pub fn to_text(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let text = lock(units(&a[0])?);
    cx.grow(text.len() * 2)?;
    Ok(Value::Str(JStr::from_units(&text)))
}

/// `substring(start)`, `substring(start, end)`.
pub fn substring(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let text = lock(units(&a[0])?);
    let start = int(&a[1])?;
    let end = match a.get(2) {
        Some(e) => int(e)?,
        None => text.len() as i32,
    };
    if start < 0 || start > end || end as usize > text.len() {
        return Err(bad_index(format!("start {start}, end {end}, length {}", text.len())));
    }
    Ok(Value::Str(JStr::from_units(&text[start as usize..end as usize])))
}

/// `indexOf(text)`.
pub fn index_of(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let text = lock(units(&a[0])?);
    let Value::Str(part) = &a[1] else {
        return Err(Throw::null_pointer());
    };
    let part = part.units();
    if part.is_empty() {
        return Ok(Value::Int(0));
    }
    let found = text.windows(part.len()).position(|w| *w == *part);
    Ok(Value::Int(found.map_or(-1, |i| i as i32)))
}

/// `last`, `head` of Scala's builder.
pub fn last(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let text = lock(units(&a[0])?);
    text.last()
        .map(|c| Value::Char(*c))
        .ok_or_else(|| super::no_such_element("next on empty iterator"))
}
