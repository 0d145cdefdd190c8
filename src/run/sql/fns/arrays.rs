//! Arrays: building, looking up, and the set functions with Spark's equality (NaN equals NaN, zeros differ by sign in sets).

use std::cmp::Ordering;

use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::{apply, implicit, lacks};
use super::super::ty::{Ty, wider, wider_no_string};
use super::super::val::{Val, compare};
use super::control::widen_to;
use super::sequence;
use super::{MAX_ROW, own, strict};

/// The functions of this file.
pub const TABLE: &[Def] = &[
    own("array", Nulls::Sees, array_sig, |_, a| Ok(Val::Arr(a.to_vec()))),
    own("[array]", Nulls::Strict, index_sig, index),
    own("size", Nulls::Sees, size_sig, size),
    strict("array_size", "A -> i", |_, a| Ok(Val::I32(a[0].items().len() as i32))),
    own("element_at", Nulls::Strict, element_sig, |c, a| {
        element_at(c, a, c.rt.ansi)
    }),
    own("try_element_at", Nulls::Strict, element_sig, |c, a| {
        element_at(c, a, false)
    }),
    own("get", Nulls::Strict, get_sig, |_, a| Ok(at(a[0].items(), a[1].long()))),
    own(
        "array_contains",
        Nulls::Strict,
        |a, ansi| comparable(a, ansi).map(|()| Ty::Bool),
        contains,
    ),
    own(
        "array_position",
        Nulls::Strict,
        |a, ansi| comparable(a, ansi).map(|()| Ty::I64),
        position,
    ),
    own("array_remove", Nulls::Strict, list_sig, remove),
    own("array_append", Nulls::Sees, list_sig, |_, a| push(a, false)),
    own("array_prepend", Nulls::Sees, list_sig, |_, a| push(a, true)),
    own("array_join", Nulls::Strict, join_sig, join),
    own("array_max", Nulls::Strict, extreme_sig, |_, a| {
        Ok(extreme(a[0].items(), true))
    }),
    own("array_min", Nulls::Strict, extreme_sig, |_, a| {
        Ok(extreme(a[0].items(), false))
    }),
    own("sort_array", Nulls::Strict, sort_sig, sort_array),
    own("array_sort", Nulls::Strict, sort_sig, |_, a| {
        Ok(sorted(a[0].items(), true, false))
    }),
    own("array_distinct", Nulls::Strict, set_sig, |_, a| {
        Ok(Val::Arr(distinct(a[0].items().iter())))
    }),
    own("array_union", Nulls::Strict, set_sig, |_, a| {
        Ok(Val::Arr(distinct(a[0].items().iter().chain(a[1].items()))))
    }),
    own("array_intersect", Nulls::Strict, set_sig, |_, a| Ok(kept(a, true))),
    own("array_except", Nulls::Strict, set_sig, |_, a| Ok(kept(a, false))),
    own(
        "arrays_overlap",
        Nulls::Strict,
        |a, ansi| set_sig(a, ansi).map(|_| Ty::Bool),
        overlap,
    ),
    own(
        "slice",
        Nulls::Strict,
        |args, ansi| apply("A i i -> 0", args, ansi),
        slice,
    ),
    own("array_repeat", Nulls::Sees, repeat_sig, array_repeat),
    own(
        "array_compact",
        Nulls::Strict,
        |args, ansi| apply("A -> 0", args, ansi),
        |_, a| {
            Ok(Val::Arr(
                a[0].items().iter().filter(|v| !v.is_null()).cloned().collect(),
            ))
        },
    ),
    own("flatten", Nulls::Strict, flatten_sig, flatten),
    own("arrays_zip", Nulls::Strict, zip_sig, arrays_zip),
    own("sequence", Nulls::Strict, sequence::signature, sequence::run),
];

fn array_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let mut t = Ty::Null;
    for a in args.iter() {
        t = wider(&t, &a.ty, ansi).ok_or_else(|| format!("{t} and {} have nothing in common", a.ty))?;
    }
    widen_to(args, &t, ansi);
    Ok(Ty::Arr(Box::new(t)))
}

fn element(n: &Node) -> Result<Ty, String> {
    match &n.ty {
        Ty::Arr(t) => Ok((**t).clone()),
        other => Err(format!("needs an array, found {other}")),
    }
}

fn index_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    element(&args[0])
}

fn at<'a>(items: &[Val<'a>], i: i64) -> Val<'a> {
    usize::try_from(i)
        .ok()
        .and_then(|i| items.get(i))
        .cloned()
        .unwrap_or(Val::Null)
}

fn index<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (items, i) = (a[0].items(), a[1].long());
    if c.rt.ansi && !(0..items.len() as i64).contains(&i) {
        return Err(Stop::Throw(exc::ARRAY_INDEX));
    }
    Ok(at(items, i))
}

fn size_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    match args.as_slice() {
        [n] if matches!(n.ty, Ty::Arr(_) | Ty::Map(..)) => Ok(Ty::I32),
        _ => Err("needs an array or a map".into()),
    }
}

/// The size of null is -1, and null in ANSI mode.
fn size<'a>(c: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    Ok(match &a[0] {
        Val::Arr(v) => Val::I32(v.len() as i32),
        Val::Map(v) => Val::I32(v.len() as i32),
        _ if c.rt.ansi => Val::Null,
        _ => Val::I32(-1),
    })
}

fn element_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let [a, k] = args.as_slice() else {
        return Err(format!("takes 2 arguments, found {}", args.len()));
    };
    let (want, ret) = match &a.ty {
        Ty::Arr(t) if k.ty.is_integral() && k.ty != Ty::I64 || k.ty == Ty::Null => (Ty::I32, (**t).clone()),
        Ty::Map(k, v) => ((**k).clone(), (**v).clone()),
        other => return Err(format!("{other} is not indexed by {}", k.ty)),
    };
    let k = args.remove(1);
    args.push(implicit(k, &want, ansi).ok_or("the key does not fit")?);
    Ok(ret)
}

fn element_at<'a>(_: &Call, a: &[Val<'a>], raises: bool) -> RowResult<Val<'a>> {
    if let Val::Map(entries) = &a[0] {
        return Ok(super::maps::lookup(entries, &a[1]));
    }
    let (items, i) = (a[0].items(), a[1].long());
    if i.unsigned_abs() > items.len() as u64 {
        return if raises {
            Err(Stop::Throw(exc::ARRAY_INDEX))
        } else {
            Ok(Val::Null)
        };
    }
    match i {
        0 => Err(Stop::Throw(exc::SPARK_RUNTIME)),
        1.. => Ok(at(items, i - 1)),
        _ => Ok(at(items, items.len() as i64 + i)),
    }
}

fn get_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    apply("A i -> e", args, ansi)
}

/// Casts an array and a value to their common type, which is given back.
fn needle(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let [a, v] = args.as_slice() else {
        return Err(format!("takes 2 arguments, found {}", args.len()));
    };
    let e = element(a)?;
    let t = wider_no_string(&e, &v.ty, ansi).ok_or_else(|| format!("{e} and {} have nothing in common", v.ty))?;
    let list = Ty::Arr(Box::new(t.clone()));
    let value = args.remove(1);
    let array = args.remove(0);
    args.push(implicit(array, &list, false).ok_or("the array does not fit")?);
    args.push(implicit(value, &t, false).ok_or("the value does not fit")?);
    Ok(t)
}

fn comparable(args: &mut Vec<Node>, ansi: bool) -> Result<(), String> {
    let t = needle(args, ansi)?;
    ordered(&t)
}

fn list_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    needle(args, ansi).map(|t| Ty::Arr(Box::new(t)))
}

fn contains<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let mut saw_null = false;
    for x in a[0].items() {
        if x.is_null() {
            saw_null = true;
        } else if compare(x, &a[1]).is_eq() {
            return Ok(Val::Bool(true));
        }
    }
    Ok(if saw_null { Val::Null } else { Val::Bool(false) })
}

fn position<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let found = a[0]
        .items()
        .iter()
        .position(|x| !x.is_null() && compare(x, &a[1]).is_eq());
    Ok(Val::I64(found.map_or(0, |i| i as i64 + 1)))
}

fn remove<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let keep = |x: &&Val| x.is_null() || compare(x, &a[1]).is_ne();
    Ok(Val::Arr(a[0].items().iter().filter(keep).cloned().collect()))
}

fn push<'a>(a: &[Val<'a>], front: bool) -> RowResult<Val<'a>> {
    if a[0].is_null() {
        return Ok(Val::Null);
    }
    let mut items = a[0].items().to_vec();
    items.insert(if front { 0 } else { items.len() }, a[1].clone());
    Ok(Val::Arr(items))
}

fn join_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    element(args.first().ok_or("takes an array")?)?;
    let array = args.remove(0);
    let strings = Ty::Arr(Box::new(Ty::Str));
    let array = implicit(array, &strings, ansi).ok_or("the elements do not become strings")?;
    args.insert(0, array);
    apply("A s s? -> s", args, ansi)
}

fn join<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let replacement = a.get(2);
    let parts = a[0].items().iter().filter_map(|x| {
        if x.is_null() {
            replacement.map(Val::str)
        } else {
            Some(x.str())
        }
    });
    Ok(Val::text(parts.collect::<Vec<_>>().join(a[1].str())))
}

fn ordered(t: &Ty) -> Result<(), String> {
    if t.has_map() || *t == Ty::Cal {
        Err(format!("values of {t} have no order"))
    } else {
        Ok(())
    }
}

fn extreme_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let t = apply("A -> e", args, ansi)?;
    ordered(&t)?;
    Ok(t)
}

fn extreme<'a>(items: &[Val<'a>], greatest: bool) -> Val<'a> {
    let mut best: Option<&Val> = None;
    for v in items.iter().filter(|v| !v.is_null()) {
        if best.is_none_or(|b| {
            if greatest {
                compare(v, b).is_gt()
            } else {
                compare(v, b).is_lt()
            }
        }) {
            best = Some(v);
        }
    }
    best.cloned().unwrap_or(Val::Null)
}

fn sort_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let t = apply("A b? -> e", args, ansi)?;
    ordered(&t)?;
    Ok(args[0].ty.clone())
}

fn sorted<'a>(items: &[Val<'a>], nulls_last: bool, descending: bool) -> Val<'a> {
    let mut out = items.to_vec();
    out.sort_by(|x, y| match (x.is_null(), y.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) => {
            if nulls_last {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (false, true) => {
            if nulls_last {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        _ if descending => compare(y, x),
        _ => compare(x, y),
    });
    Val::Arr(out)
}

/// Ascending: nulls first; descending: nulls last.
fn sort_array<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let descending = a.get(1).is_some_and(|v| !v.is_true());
    Ok(sorted(a[0].items(), descending, descending))
}

fn set_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let mut t = args.first().ok_or("takes an array")?.ty.clone();
    for a in args.iter() {
        t = wider_no_string(&t, &a.ty, ansi).ok_or("arrays of different element types")?;
    }
    let Ty::Arr(e) = &t else {
        return Err("needs arrays".into());
    };
    ordered(e)?;
    widen_to(args, &t, ansi);
    Ok(t)
}

/// Equality inside sets: that of `SQLOpenHashSet`, where NaN equals NaN and the two zeros differ.
fn same(x: &Val, y: &Val) -> bool {
    match (x, y) {
        (Val::F64(p), Val::F64(q)) => p.to_bits() == q.to_bits() || (p.is_nan() && q.is_nan()),
        (Val::F32(p), Val::F32(q)) => p.to_bits() == q.to_bits() || (p.is_nan() && q.is_nan()),
        _ => x.is_null() == y.is_null() && compare(x, y).is_eq(),
    }
}

fn distinct<'v, 'a: 'v>(items: impl Iterator<Item = &'v Val<'a>>) -> Vec<Val<'a>> {
    let mut out: Vec<Val<'a>> = Vec::new();
    for v in items {
        if !out.iter().any(|o| same(o, v)) {
            out.push(v.clone());
        }
    }
    out
}

fn kept<'a>(a: &[Val<'a>], inside: bool) -> Val<'a> {
    let keep = a[0]
        .items()
        .iter()
        .filter(|x| a[1].items().iter().any(|y| same(x, y)) == inside);
    Val::Arr(distinct(keep))
}

/// True when a value is shared; null when none is but one side holds a null and neither is empty.
fn overlap<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (x, y) = (a[0].items(), a[1].items());
    if x.iter()
        .any(|p| !p.is_null() && y.iter().any(|q| !q.is_null() && compare(p, q).is_eq()))
    {
        return Ok(Val::Bool(true));
    }
    let unknown = !x.is_empty() && !y.is_empty() && x.iter().chain(y).any(Val::is_null);
    Ok(if unknown { Val::Null } else { Val::Bool(false) })
}

fn slice<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (items, start, len) = (a[0].items(), a[1].long(), a[2].long());
    if start == 0 || len < 0 {
        return Err(Stop::Throw(exc::SPARK_RUNTIME));
    }
    let from = if start > 0 {
        start - 1
    } else {
        items.len() as i64 + start
    };
    if from < 0 || from >= items.len() as i64 {
        return Ok(Val::Arr(Vec::new()));
    }
    let to = (from + len).min(items.len() as i64);
    Ok(Val::Arr(items[from as usize..to as usize].to_vec()))
}

fn repeat_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let t = apply("a i -> 0", args, ansi)?;
    Ok(Ty::Arr(Box::new(t)))
}

fn array_repeat<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    if a[1].is_null() {
        return Ok(Val::Null);
    }
    let n = a[1].long().max(0);
    if n > MAX_ROW {
        return Err(Stop::Refuse(format!(
            "a row makes an array of {n} elements, more than are run"
        )));
    }
    Ok(Val::Arr(vec![a[0].clone(); n as usize]))
}

fn flatten_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    match args.as_slice() {
        [n] => match &n.ty {
            Ty::Arr(t) if matches!(**t, Ty::Arr(_)) => Ok((**t).clone()),
            other => Err(format!("needs an array of arrays, found {other}")),
        },
        _ => Err(format!("takes 1 argument, found {}", args.len())),
    }
}

fn flatten<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    if a[0].items().iter().any(Val::is_null) {
        return Ok(Val::Null);
    }
    Ok(Val::Arr(
        a[0].items().iter().flat_map(|v| v.items().iter().cloned()).collect(),
    ))
}

fn zip_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    use super::super::plan::Kind;
    let mut fields = Vec::new();
    for (i, a) in args.iter().enumerate() {
        // Spark names the fields after the columns, whose names a plan does not keep.
        if matches!(a.kind, Kind::Slot(_)) {
            return Err(lacks(
                "arrays_zip of columns names its fields after them, which is not covered by the cpu engine; write zip_with",
            ));
        }
        fields.push((i.to_string(), element(a)?));
    }
    Ok(Ty::Arr(Box::new(Ty::Struct(fields))))
}

fn arrays_zip<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let n = a.iter().map(|v| v.items().len()).max().unwrap_or(0);
    let row = |i: usize| Val::Struct(a.iter().map(|v| at(v.items(), i as i64)).collect());
    Ok(Val::Arr((0..n).map(row).collect()))
}
