//! Collections from nothing: `fill`, `tabulate`, ranges, arrays.

use super::super::object::{BufferClass, Object, Range, SeqClass};
use super::super::table::Context;
use super::super::value::{Eval, Throw, Value};
use super::super::view::{all, lock};
use super::{elements, int, unsupported};
use crate::lang::ty::{Prim, SeqKind, Ty};

type Cx<'a> = &'a mut dyn Context;

/// The items as the class that the static type of a constructor call says.
pub fn of_type(ty: &Ty, items: Vec<Value>) -> Value {
    match ty {
        Ty::Array(_) => Value::array(items),
        Ty::Set(_) => Value::set(items),
        Ty::Seq(SeqKind::Vector, _) => Value::seq(SeqClass::Vector, items),
        Ty::Seq(SeqKind::Buffer, _) => {
            Value::obj(Object::Buffer(BufferClass::ArrayBuffer, std::sync::Mutex::new(items)))
        }
        Ty::Seq(SeqKind::JavaList, _) => Value::seq(SeqClass::JavaList, items),
        Ty::Iterator(_) => super::iter::of_vec(items),
        _ => Value::list(items),
    }
}

/// The zero of a type: what a new array holds.
pub fn zero(ty: &Ty) -> Value {
    match ty.prim_type() {
        Some(Prim::Boolean) => Value::Bool(false),
        Some(Prim::Byte) => Value::Byte(0),
        Some(Prim::Short) => Value::Short(0),
        Some(Prim::Char) => Value::Char(0),
        Some(Prim::Int) => Value::Int(0),
        Some(Prim::Long) => Value::Long(0),
        Some(Prim::Float) => Value::Float(0.0),
        Some(Prim::Double) => Value::Double(0.0),
        None => Value::Null,
    }
}

fn item_type(ty: &Ty) -> Option<&Ty> {
    match ty {
        Ty::Array(a) => Some(a),
        _ => None,
    }
}

/// `new Array[T](n)`, `new T[n]`.
pub fn new_array(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let Some(item) = item_type(ty) else {
        return Err(Throw::Unsupported("a new array of an unknown type".into()));
    };
    let n = int(&a[0])?;
    let Ok(len) = usize::try_from(n) else {
        return Err(Throw::exception("NegativeArraySizeException", n.to_string()));
    };
    cx.grow(len * std::mem::size_of::<Value>())?;
    if let (Ty::Array(_), Some(inner)) = (item, a.get(1)) {
        let rows = (0..len).map(|_| new_array(cx, std::slice::from_ref(inner), item));
        return Ok(Value::array(rows.collect::<Eval<Vec<_>>>()?));
    }
    Ok(Value::array(vec![zero(item); len]))
}

/// `fill(n)(elem)`: the element is evaluated each time.
pub fn fill(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let n = int(&a[0])?;
    let mut items = Vec::new();
    for _ in 0..n {
        cx.step(1)?;
        cx.grow(std::mem::size_of::<Value>())?;
        items.push(cx.call(&a[1], &[])?);
    }
    Ok(of_type(ty, items))
}

/// `fill(n, m)(elem)` of arrays.
pub fn fill2(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let inner = match ty {
        Ty::Array(i) | Ty::Seq(_, i) => (**i).clone(),
        _ => return Err(Throw::Unsupported("a nested fill of this type".into())),
    };
    let mut items = Vec::new();
    for _ in 0..int(&a[0])? {
        items.push(fill(cx, &a[1..], &inner)?);
    }
    Ok(of_type(ty, items))
}

/// `tabulate(n)(f)`.
pub fn tabulate(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let n = int(&a[0])?;
    let mut items = Vec::new();
    for i in 0..n {
        cx.step(1)?;
        cx.grow(std::mem::size_of::<Value>())?;
        items.push(cx.call(&a[1], &[Value::Int(i)])?);
    }
    Ok(of_type(ty, items))
}

/// `tabulate(n, m)(f)`.
pub fn tabulate2(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let inner = match ty {
        Ty::Array(i) | Ty::Seq(_, i) => (**i).clone(),
        _ => return Err(Throw::Unsupported("a nested table of this type".into())),
    };
    let width = int(&a[1])?;
    let mut rows = Vec::new();
    for i in 0..int(&a[0])? {
        let mut items = Vec::new();
        for j in 0..width {
            cx.step(1)?;
            cx.grow(std::mem::size_of::<Value>())?;
            items.push(cx.call(&a[2], &[Value::Int(i), Value::Int(j)])?);
        }
        cx.step(1)?;
        rows.push(of_type(&inner, items));
    }
    Ok(of_type(ty, rows))
}

/// `Seq.empty`, `Array.empty[T]`, `Nil`.
pub fn empty(_: Cx<'_>, _: &[Value], ty: &Ty) -> Eval {
    Ok(of_type(ty, Vec::new()))
}

/// `List(…)` of a sequence of arguments.
pub fn of_items(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let items = elements(cx, &a[0])?.to_vec();
    Ok(of_type(ty, items))
}

/// Integer value of a bound.
fn bound(v: &Value) -> Eval<(i64, Prim)> {
    Ok(match v {
        Value::Int(i) => (i64::from(*i), Prim::Int),
        Value::Long(i) => (*i, Prim::Long),
        Value::Char(i) => (i64::from(*i), Prim::Char),
        Value::Short(i) => (i64::from(*i), Prim::Int),
        Value::Byte(i) => (i64::from(*i), Prim::Int),
        _ => return Err(unsupported(v)),
    })
}

fn range(from: &Value, to: &Value, step: Option<&Value>, inclusive: bool) -> Eval {
    let (start, kind) = bound(from)?;
    let (end, other) = bound(to)?;
    let kind = if other == Prim::Long { Prim::Long } else { kind };
    let step = match step {
        Some(s) => bound(s)?.0,
        None => 1,
    };
    stepped(start, end, step, inclusive, kind)
}

fn stepped(start: i64, end: i64, step: i64, inclusive: bool, kind: Prim) -> Eval {
    if step == 0 {
        return Err(Throw::exception("IllegalArgumentException", "step cannot be 0."));
    }
    let span = i128::from(end) - i128::from(start);
    let forward = if step > 0 { span } else { -span };
    let width = i128::from(step).abs();
    let len = match (forward, inclusive) {
        (f, true) if f < 0 => 0,
        (f, false) if f <= 0 => 0,
        (f, true) => f / width + 1,
        (f, false) => (f + width - 1) / width,
    };
    // Longer ranges fail when their length is asked for, which the JVM does at once for most uses.
    let Some(len) = usize::try_from(len).ok().filter(|n| *n <= i32::MAX as usize) else {
        return Err(Throw::Unsupported("a range of more than 2147483647 elements".into()));
    };
    Ok(Value::obj(Object::Range(Range {
        start,
        step,
        len,
        end,
        inclusive,
        kind,
    })))
}

/// `a to b`, `a to (b, step)`.
pub fn to(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    range(&a[0], &a[1], a.get(2), true)
}

/// `a until b`, `Range(a, b)`.
pub fn until(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    range(&a[0], &a[1], a.get(2), false)
}

/// `range by step`: from the same start towards the same end.
pub fn by(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::Range(r)) => stepped(r.start, r.end, bound(&a[1])?.0, r.inclusive, r.kind),
        _ => Err(unsupported(&a[0])),
    }
}

/// `Array.range(a, b)`, `List.range(a, b, step)`.
pub fn range_of(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let r = range(&a[0], &a[1], a.get(2), false)?;
    Ok(of_type(ty, all(cx, &r)?))
}

/// `Array.concat`, `List.concat`.
pub fn concat(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let mut out = Vec::new();
    for part in elements(cx, &a[0])?.to_vec() {
        out.extend(all(cx, &part)?);
    }
    Ok(of_type(ty, out))
}

/// Items of an array argument, to be changed in place.
fn array(v: &Value) -> Eval<&std::sync::Mutex<Vec<Value>>> {
    match v.as_obj() {
        Some(Object::Array(items)) => Ok(items),
        _ if v.is_null() => Err(Throw::null_pointer()),
        _ => Err(unsupported(v)),
    }
}

/// `Arrays.copyOf(a, n)`, `Array.copyOf(a, n)`: longer ones are filled with zeros of the element type.
pub fn copy_of(cx: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let n = int(&a[1])?;
    let Ok(len) = usize::try_from(n) else {
        return Err(Throw::exception("NegativeArraySizeException", n.to_string()));
    };
    let mut items = lock(array(&a[0])?).clone();
    cx.grow(len * std::mem::size_of::<Value>())?;
    items.resize(len, item_type(ty).map_or(Value::Null, zero));
    Ok(Value::array(items))
}

/// `Arrays.copyOfRange(a, from, to)`.
pub fn copy_of_range(_: Cx<'_>, a: &[Value], ty: &Ty) -> Eval {
    let (from, to) = (int(&a[1])?, int(&a[2])?);
    let items = lock(array(&a[0])?).clone();
    if from > to {
        return Err(Throw::exception("IllegalArgumentException", format!("{from} > {to}")));
    }
    if from < 0 || from as usize > items.len() {
        return Err(Throw::exception(
            "ArrayIndexOutOfBoundsException",
            format!(
                "arraycopy: source index {from} out of bounds for length {}",
                items.len()
            ),
        ));
    }
    let mut out: Vec<Value> = items
        .into_iter()
        .skip(from as usize)
        .take((to - from) as usize)
        .collect();
    out.resize((to - from) as usize, item_type(ty).map_or(Value::Null, zero));
    Ok(Value::array(out))
}

/// `Arrays.fill(a, v)`.
pub fn fill_array(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    lock(array(&a[0])?).fill(a[1].clone());
    Ok(Value::Unit)
}

/// `Arrays.sort(a)`.
pub fn sort_array(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let cell = array(&a[0])?;
    let items = lock(cell).clone();
    let sorted = super::super::order::sort(items, &mut |x, y| super::super::order::compare(x, y))?;
    *lock(cell) = sorted;
    Ok(Value::Unit)
}

/// `Arrays.equals(a, b)`.
pub fn arrays_equal(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if a[0].is_null() || a[1].is_null() {
        return Ok(Value::Bool(a[0].is_null() && a[1].is_null()));
    }
    let (x, y) = (lock(array(&a[0])?).clone(), lock(array(&a[1])?).clone());
    if x.len() != y.len() {
        return Ok(Value::Bool(false));
    }
    for (p, q) in x.iter().zip(&y) {
        if !super::super::equality::java_eq(p, q)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

/// `Arrays.toString(a)`.
pub fn array_text(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if a[0].is_null() {
        return Ok(Value::str("null"));
    }
    let items = lock(array(&a[0])?).clone();
    let mut out = vec![u16::from(b'[')];
    super::super::show::join(cx, &items, ", ", &mut out)?;
    out.push(u16::from(b']'));
    Ok(Value::Str(super::super::text::JStr::from_units(&out)))
}

/// `Arrays.hashCode(a)`.
pub fn array_hash(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    if a[0].is_null() {
        return Ok(Value::Int(0));
    }
    let items = lock(array(&a[0])?).clone();
    let mut h = 1i32;
    for item in &items {
        let own = super::super::hash::java_hash(item)
            .ok_or_else(|| Throw::Unsupported("the hash of these elements is not covered".into()))?;
        h = h.wrapping_mul(31).wrapping_add(own);
    }
    Ok(Value::Int(h))
}

/// `Arrays.asList(…)`, `List.of(…)`.
pub fn java_list(cx: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    Ok(Value::seq(SeqClass::JavaList, elements(cx, &a[0])?.to_vec()))
}

/// `System.arraycopy`, `Array.copy`.
pub fn array_copy(_: Cx<'_>, a: &[Value], _: &Ty) -> Eval {
    let (from, to, n) = (int(&a[1])?, int(&a[3])?, int(&a[4])?);
    let source = lock(array(&a[0])?).clone();
    let mut target = lock(array(&a[2])?);
    let fits = |start: i32, len: usize| start >= 0 && n >= 0 && (start as usize) + (n as usize) <= len;
    if !fits(from, source.len()) || !fits(to, target.len()) {
        return Err(Throw::exception("ArrayIndexOutOfBoundsException", "arraycopy"));
    }
    let (from, to, n) = (from as usize, to as usize, n as usize);
    target[to..to + n].clone_from_slice(&source[from..from + n]);
    Ok(Value::Unit)
}
