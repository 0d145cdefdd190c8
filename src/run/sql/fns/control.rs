//! Functions that raise, choose or build: `raise_error`, `assert_true`, `greatest`, `least`, structs.

use super::super::plan::{Call, Def, Node, Nulls, RowResult, Stop, exc};
use super::super::resolve::implicit;
use super::super::ty::{Ty, wider_no_string};
use super::super::val::{Val, compare};
use super::{own, sees};

/// The functions of this file.
pub const TABLE: &[Def] = &[
    own("raise_error", Nulls::Sees, raise_sig, |_, _| {
        Err(Stop::Throw(exc::RUNTIME))
    }),
    sees("assert_true", "b a? -> 0", assert_true),
    own("greatest", Nulls::Sees, extreme_sig, |_, a| Ok(extreme(a, true))),
    own("least", Nulls::Sees, extreme_sig, |_, a| Ok(extreme(a, false))),
    own(
        "[struct]",
        Nulls::Sees,
        |_, _| Err("structs are built by `struct`".into()),
        |_, a| Ok(Val::Struct(a.to_vec())),
    ),
];

fn raise_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let [_] = args.as_slice() else {
        return Err(format!("takes 1 argument, found {}", args.len()));
    };
    let e = args.remove(0);
    args.push(implicit(e, &Ty::Str, ansi).ok_or("the message is a string")?);
    Ok(Ty::Null)
}

fn assert_true<'a>(_: &Call, a: &[Val<'a>]) -> RowResult<Val<'a>> {
    if a[0].is_true() {
        Ok(Val::Null)
    } else {
        Err(Stop::Throw(exc::RUNTIME))
    }
}

fn extreme_sig(args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    if args.len() < 2 {
        return Err("takes at least 2 arguments".into());
    }
    let mut t = args[0].ty.clone();
    for a in args.iter().skip(1) {
        t = wider_no_string(&t, &a.ty, ansi).ok_or_else(|| format!("{t} and {} have nothing in common", a.ty))?;
    }
    if t.has_map() || t == Ty::Cal {
        return Err(format!("values of {t} have no order"));
    }
    widen_to(args, &t, ansi);
    Ok(t)
}

/// Casts every argument to one type that is known to fit.
pub fn widen_to(args: &mut [Node], t: &Ty, ansi: bool) {
    use super::super::plan::{Kind, Mode};
    let mode = if ansi { Mode::Ansi } else { Mode::Legacy };
    for a in args.iter_mut() {
        if a.ty != *t {
            let old = std::mem::replace(a, Node::lit(Ty::Null, Val::Null));
            *a = Node::new(t.clone(), Kind::Cast(Box::new(old), mode));
        }
    }
}

/// The first of the largest or smallest that is not null.
fn extreme<'a>(a: &[Val<'a>], greatest: bool) -> Val<'a> {
    let mut best: Option<&Val<'a>> = None;
    for v in a.iter().filter(|v| !v.is_null()) {
        let better = best.is_none_or(|b| {
            if greatest {
                compare(v, b).is_gt()
            } else {
                compare(v, b).is_lt()
            }
        });
        if better {
            best = Some(v);
        }
    }
    best.cloned().unwrap_or(Val::Null)
}
