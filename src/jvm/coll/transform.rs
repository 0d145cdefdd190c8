//! New collections from old ones: `map`, `zip`, `++`, `toList`.

use super::super::object::{BufferClass, Object, SeqClass};
use super::super::table::Context;
use super::super::value::{Eval, Throw, Value};
use super::super::view::{all, each};
use super::{built_class, elements, int, iter, out_of_bounds, pair, unsupported};
use crate::lang::ty::Ty;

type Cx<'a> = &'a mut dyn Context;

/// `map`.
pub fn map(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    if let Some(Object::Iterator(_)) = a[0].as_obj() {
        return Ok(iter::map(&a[0], &a[1]));
    }
    let mut out = Vec::new();
    each(cx, &a[0], &mut |cx, item| {
        cx.grow(std::mem::size_of::<Value>())?;
        out.push(cx.call(&a[1], &[item])?);
        Ok(true)
    })?;
    built_class(&a[0], out, ty)
}

/// `flatMap`: the function gives anything with elements.
pub fn flat_map(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    if let Some(Object::Iterator(_)) = a[0].as_obj() {
        return Ok(iter::flat_map(&a[0], &a[1]));
    }
    let mut out = Vec::new();
    each(cx, &a[0], &mut |cx, item| {
        let inner = cx.call(&a[1], &[item])?;
        out.extend(all(cx, &inner)?);
        Ok(true)
    })?;
    built_class(&a[0], out, ty)
}

/// `flatten`.
pub fn flatten(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut out = Vec::new();
    each(cx, &a[0], &mut |cx, item| {
        out.extend(all(cx, &item)?);
        Ok(true)
    })?;
    built_class(&a[0], out, ty)
}

/// `collect`: what the partial function is defined at.
pub fn collect(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut out = Vec::new();
    each(cx, &a[0], &mut |cx, item| {
        out.extend(cx.call_partial(&a[1], &[item])?);
        Ok(true)
    })?;
    built_class(&a[0], out, ty)
}

/// `collectFirst`.
pub fn collect_first(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut found = None;
    each(cx, &a[0], &mut |cx, item| {
        found = cx.call_partial(&a[1], &[item])?;
        Ok(found.is_none())
    })?;
    Ok(Value::option(found))
}

/// `zip`.
pub fn zip(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let (x, y) = (elements(cx, &a[0])?, elements(cx, &a[1])?);
    let pairs = x.to_vec().into_iter().zip(y.to_vec());
    let out = pairs.map(|(p, q)| Value::tuple(vec![p, q])).collect();
    built_class(&a[0], out, ty)
}

/// `zipAll(that, here, there)`.
pub fn zip_all(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let (x, y) = (elements(cx, &a[0])?.to_vec(), elements(cx, &a[1])?.to_vec());
    let out = (0..x.len().max(y.len()))
        .map(|i| {
            let p = x.get(i).unwrap_or(&a[2]).clone();
            let q = y.get(i).unwrap_or(&a[3]).clone();
            Value::tuple(vec![p, q])
        })
        .collect();
    built_class(&a[0], out, ty)
}

/// `zipWithIndex`.
pub fn zip_with_index(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let items = elements(cx, &a[0])?.to_vec();
    let out = items
        .into_iter()
        .enumerate()
        .map(|(i, v)| Value::tuple(vec![v, Value::Int(i as i32)]))
        .collect();
    built_class(&a[0], out, ty)
}

/// `unzip`.
pub fn unzip(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    each(cx, &a[0], &mut |_, item| {
        let (p, q) = pair(&item)?;
        x.push(p);
        y.push(q);
        Ok(true)
    })?;
    Ok(Value::tuple(vec![
        built_class(&a[0], x, ty)?,
        built_class(&a[0], y, ty)?,
    ]))
}

/// `++`, `union`, `:::`: elements of the argument behind.
pub fn concat(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut out = elements(cx, &a[0])?.to_vec();
    out.extend(all(cx, &a[1])?);
    cx.grow(out.len() * std::mem::size_of::<Value>())?;
    cx.step(out.len() as u64)?;
    built_class(&a[0], out, ty)
}

/// `that ::: this` with this as the receiver.
pub fn prepend_all(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut out = all(cx, &a[1])?;
    out.extend(elements(cx, &a[0])?.to_vec());
    cx.step(out.len() as u64)?;
    built_class(&a[0], out, ty)
}

/// `:+`.
pub fn append(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut out = elements(cx, &a[0])?.to_vec();
    out.push(a[1].clone());
    cx.step(out.len() as u64)?;
    cx.grow(out.len() * std::mem::size_of::<Value>())?;
    built_class(&a[0], out, ty)
}

/// `+:` and `::` with the sequence as the receiver.
pub fn prepend(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut out = vec![a[1].clone()];
    out.extend(elements(cx, &a[0])?.to_vec());
    cx.step(out.len() as u64)?;
    cx.grow(out.len() * std::mem::size_of::<Value>())?;
    built_class(&a[0], out, ty)
}

/// `updated(i, v)`.
pub fn updated(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut out = elements(cx, &a[0])?.to_vec();
    let i = int(&a[1])?;
    match usize::try_from(i).ok().and_then(|i| out.get_mut(i)) {
        Some(place) => *place = a[2].clone(),
        None => return Err(out_of_bounds(i)),
    }
    built_class(&a[0], out, ty)
}

/// `patch(from, that, replaced)`.
pub fn patch(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let items = elements(cx, &a[0])?.to_vec();
    let from = super::position(&a[1], items.len())?;
    let until = from + super::position(&a[3], items.len() - from)?;
    let mut out = items[..from].to_vec();
    out.extend(all(cx, &a[2])?);
    out.extend_from_slice(&items[until..]);
    built_class(&a[0], out, ty)
}

/// `padTo(len, elem)`.
pub fn pad_to(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut out = elements(cx, &a[0])?.to_vec();
    let len = usize::try_from(int(&a[1])?).unwrap_or(0);
    cx.grow(len.saturating_sub(out.len()) * std::mem::size_of::<Value>())?;
    if out.len() < len {
        out.resize(len, a[2].clone());
    }
    built_class(&a[0], out, ty)
}

/// `transpose`.
pub fn transpose(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut rows = Vec::new();
    for row in elements(cx, &a[0])?.to_vec() {
        rows.push(all(cx, &row)?);
    }
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|r| r.len() != width) {
        return Err(Throw::exception(
            "IllegalArgumentException",
            "transpose requires all collections have the same size",
        ));
    }
    let mut columns = Vec::new();
    for i in 0..width {
        let column = rows.iter().map(|r| r[i].clone()).collect();
        columns.push(built_class(&a[0], column, ty)?);
    }
    built_class(&a[0], columns, ty)
}

/// `transpose` of an array of arrays: as wide as the first row, and a shorter one is read beyond its end.
pub fn transpose_array(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut rows = Vec::new();
    for row in elements(cx, &a[0])?.to_vec() {
        if row.is_null() {
            return Err(Throw::null_pointer());
        }
        rows.push(all(cx, &row)?);
    }
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|r| r.len() != width) {
        return Err(Throw::Unsupported(
            "transposing an array with rows of different lengths is not covered".into(),
        ));
    }
    let column = |i: usize| Value::array(rows.iter().map(|r| r[i].clone()).collect());
    Ok(Value::array((0..width).map(column).collect()))
}

/// `toList`.
pub fn to_list(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::Seq(SeqClass::List, _)) => Ok(a[0].clone()),
        _ => Ok(Value::list(elements(cx, &a[0])?.to_vec())),
    }
}

/// `toVector`, `toIndexedSeq`.
pub fn to_vector(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::Seq(SeqClass::Vector, _)) => Ok(a[0].clone()),
        _ => Ok(Value::seq(SeqClass::Vector, elements(cx, &a[0])?.to_vec())),
    }
}

/// `toArray`: a copy.
pub fn to_array(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::array(elements(cx, &a[0])?.to_vec()))
}

/// `toBuffer`.
pub fn to_buffer(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let items = elements(cx, &a[0])?.to_vec();
    Ok(Value::obj(Object::Buffer(
        BufferClass::ArrayBuffer,
        std::sync::Mutex::new(items),
    )))
}

/// `toSeq`: every class has its own idea.
pub fn to_seq(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(match (&a[0], a[0].as_obj()) {
        (Value::Str(_), _) => Value::seq(SeqClass::WrappedString, elements(cx, &a[0])?.to_vec()),
        (_, Some(Object::Array(_))) => Value::seq(SeqClass::WrappedArray, elements(cx, &a[0])?.to_vec()),
        (_, Some(Object::Seq(SeqClass::MapValues, items))) => Value::seq(SeqClass::Stream, items.clone()),
        (_, Some(Object::Seq(..) | Object::Range(_) | Object::Buffer(..))) => a[0].clone(),
        (_, Some(Object::Map(_) | Object::Set(_))) => Value::seq(SeqClass::Vector, elements(cx, &a[0])?.to_vec()),
        (_, Some(Object::MutMap(_) | Object::MutSet(_))) => {
            Value::seq(SeqClass::ArrayBuffer, elements(cx, &a[0])?.to_vec())
        }
        (_, Some(Object::Iterator(_))) => Value::seq(SeqClass::Stream, elements(cx, &a[0])?.to_vec()),
        (_, Some(Object::Some(_) | Object::None)) => Value::list(elements(cx, &a[0])?.to_vec()),
        _ => return Err(unsupported(&a[0])),
    })
}

/// `toSet`.
pub fn to_set(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(Object::Set(_)) = a[0].as_obj() {
        return Ok(a[0].clone());
    }
    let items = elements(cx, &a[0])?.to_vec();
    cx.step(items.len() as u64)?;
    Ok(Value::set(items))
}

/// `toMap`.
pub fn to_map(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if let Some(Object::Map(_)) = a[0].as_obj() {
        return Ok(a[0].clone());
    }
    let items = elements(cx, &a[0])?.to_vec();
    cx.step(items.len() as u64)?;
    Ok(Value::map(super::entries(&items)?))
}

/// `iterator`, `toIterator`.
pub fn iterator(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::Iterator(_)) => Ok(a[0].clone()),
        _ => Ok(iter::of_vec(elements(cx, &a[0])?.to_vec())),
    }
}

/// `reverseIterator`.
pub fn reverse_iterator(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let mut items = elements(cx, &a[0])?.to_vec();
    items.reverse();
    Ok(iter::of_vec(items))
}
