//! Maps: building with Spark's check for duplicate and null keys, looking up, taking apart.

use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::{apply, implicit};
use super::super::ty::{Ty, wider, wider_no_string};
use super::super::val::{Val, compare};
use super::control::widen_to;
use super::own;

/// The functions of this file.
pub const TABLE: &[Def] = &[
    own("map", Nulls::Sees, map_sig, |_, a| {
        checked_map(a.chunks(2).map(|p| (p[0].clone(), p[1].clone())).collect())
    }),
    own("map_from_arrays", Nulls::Strict, arrays_sig, map_from_arrays),
    own("map_from_entries", Nulls::Strict, entries_sig, map_from_entries),
    own("map_keys", Nulls::Strict, keys_sig, |_, a| {
        Ok(Val::Arr(a[0].entries().iter().map(|e| e.0.clone()).collect()))
    }),
    own("map_values", Nulls::Strict, values_sig, |_, a| {
        Ok(Val::Arr(a[0].entries().iter().map(|e| e.1.clone()).collect()))
    }),
    own("map_entries", Nulls::Strict, to_entries_sig, |_, a| {
        Ok(Val::Arr(
            a[0].entries()
                .iter()
                .map(|(k, v)| Val::Struct(vec![k.clone(), v.clone()]))
                .collect(),
        ))
    }),
    own("map_contains_key", Nulls::Strict, contains_sig, |_, a| {
        Ok(Val::Bool(a[0].entries().iter().any(|(k, _)| compare(k, &a[1]).is_eq())))
    }),
    own("map_concat", Nulls::Strict, concat_sig, |_, a| {
        checked_map(a.iter().flat_map(|m| m.entries().iter().cloned()).collect())
    }),
    own("[map]", Nulls::Strict, index_sig, |_, a| {
        Ok(lookup(a[0].entries(), &a[1]))
    }),
];

/// The value under a key, or null.
pub fn lookup<'a>(entries: &[(Val<'a>, Val<'a>)], key: &Val) -> Val<'a> {
    entries
        .iter()
        .find(|(k, _)| compare(k, key).is_eq())
        .map_or(Val::Null, |e| e.1.clone())
}

/// A map from entries: a null key or a second equal key raises.
pub fn checked_map<'a>(entries: Vec<(Val<'a>, Val<'a>)>) -> RowResult<Val<'a>> {
    for (i, (k, _)) in entries.iter().enumerate() {
        if k.is_null() || entries[..i].iter().any(|(other, _)| compare(other, k).is_eq()) {
            return Err(Stop::Throw(exc::SPARK_RUNTIME));
        }
    }
    // Zeros are stored as one key, the positive one.
    let normal = |k: Val<'a>| match k {
        Val::F64(0.0) => Val::F64(0.0),
        Val::F32(0.0) => Val::F32(0.0),
        other => other,
    };
    Ok(Val::Map(entries.into_iter().map(|(k, v)| (normal(k), v)).collect()))
}

fn key_type(k: &Ty) -> Result<(), String> {
    if k.has_map() {
        Err(format!("{k} cannot be a key"))
    } else {
        Ok(())
    }
}

fn map_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if !args.len().is_multiple_of(2) {
        return Err("takes pairs of key and value".into());
    }
    let common = |args: &[Node], odd: usize| {
        let mut t = Ty::Null;
        for a in args.iter().skip(odd).step_by(2) {
            t = wider(&t, &a.ty, ansi).ok_or_else(|| format!("{t} and {} have nothing in common", a.ty))?;
        }
        Ok::<Ty, String>(t)
    };
    let (mut k, mut v) = (common(args, 0)?, common(args, 1)?);
    if args.is_empty() {
        (k, v) = (Ty::Str, Ty::Str);
    }
    key_type(&k)?;
    let given = std::mem::take(args);
    for (i, n) in given.into_iter().enumerate() {
        let mut one = vec![n];
        widen_to(&mut one, if i % 2 == 0 { &k } else { &v }, ansi);
        args.append(&mut one);
    }
    Ok(Ty::Map(Box::new(k), Box::new(v)))
}

fn arrays_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    match args.as_slice() {
        [k, v] => match (&k.ty, &v.ty) {
            (Ty::Arr(k), Ty::Arr(v)) => {
                key_type(k)?;
                Ok(Ty::Map(k.clone(), v.clone()))
            }
            _ => Err("needs two arrays".into()),
        },
        _ => Err(format!("takes 2 arguments, found {}", args.len())),
    }
}

fn map_from_arrays<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    let (k, v) = (a[0].items(), a[1].items());
    if k.len() != v.len() {
        return Err(Stop::Throw(exc::SPARK_RUNTIME));
    }
    checked_map(k.iter().cloned().zip(v.iter().cloned()).collect())
}

fn entries_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    if let [n] = args.as_slice()
        && let Ty::Arr(t) = &n.ty
        && let Ty::Struct(fs) = &**t
        && let [(_, k), (_, v)] = fs.as_slice()
    {
        key_type(k)?;
        return Ok(Ty::Map(Box::new(k.clone()), Box::new(v.clone())));
    }
    Err("needs an array of structs of two fields".into())
}

fn map_from_entries<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    if a[0].items().iter().any(Val::is_null) {
        return Ok(Val::Null);
    }
    let pair = |e: &Val<'a>| (e.items()[0].clone(), e.items()[1].clone());
    checked_map(a[0].items().iter().map(pair).collect())
}

fn parts(args: &[Node]) -> Result<(Ty, Ty), String> {
    match args {
        [n] => match &n.ty {
            Ty::Map(k, v) => Ok(((**k).clone(), (**v).clone())),
            other => Err(format!("needs a map, found {other}")),
        },
        _ => Err(format!("takes 1 argument, found {}", args.len())),
    }
}

fn keys_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    Ok(Ty::Arr(Box::new(parts(args)?.0)))
}

fn values_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    Ok(Ty::Arr(Box::new(parts(args)?.1)))
}

fn to_entries_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    let (k, v) = parts(args)?;
    Ok(Ty::Arr(Box::new(Ty::Struct(vec![
        ("key".into(), k),
        ("value".into(), v),
    ]))))
}

fn contains_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    apply("M a -> b", args, ansi)?;
    let Ty::Map(k, v) = args[0].ty.clone() else {
        return Err("needs a map".into());
    };
    let key = args.remove(1);
    let t = wider_no_string(&k, &key.ty, ansi).ok_or("the key does not fit")?;
    let m = args.remove(0);
    args.push(implicit(m, &Ty::Map(Box::new(t.clone()), v), false).ok_or("the map does not fit")?);
    args.push(implicit(key, &t, false).ok_or("the key does not fit")?);
    Ok(Ty::Bool)
}

fn concat_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let mut t = args.first().ok_or("takes at least one map")?.ty.clone();
    for a in args.iter() {
        t = wider(&t, &a.ty, ansi).ok_or("maps of different types")?;
    }
    if !matches!(t, Ty::Map(..)) {
        return Err(format!("needs maps, found {t}"));
    }
    widen_to(args, &t, ansi);
    Ok(t)
}

fn index_sig(args: &mut Vec<Node>, _: bool) -> Result<Ty, String> {
    match args.as_slice() {
        [m, _] => match &m.ty {
            Ty::Map(_, v) => Ok((**v).clone()),
            other => Err(format!("needs a map, found {other}")),
        },
        _ => Err("takes a map and a key".into()),
    }
}
