//! How static types relate. In: two types; out: whether one conforms to the other without any conversion, and the least
//! type above both. Never looks at expressions.

use std::cell::RefCell;
use std::collections::HashMap;

use super::ty::{JavaKind, Prim, SeqKind, Ty};
use crate::jvm::exceptions;

thread_local! {
    /// Classes and traits of the program that this thread types, each with those that it extends directly.
    static EXTENDS: RefCell<HashMap<String, Vec<String>>> = RefCell::new(HashMap::new());
}

/// Forgets the classes of the program that was typed before.
pub fn forget_classes() {
    EXTENDS.with_borrow_mut(HashMap::clear);
}

/// Makes known what a class or trait of the program extends.
pub fn declare_class(name: &str, parents: Vec<String>) {
    EXTENDS.with_borrow_mut(|all| all.insert(name.to_owned(), parents));
}

/// Whether a class of the program is another one or extends it, directly or not.
pub fn extends(class: &str, base: &str) -> bool {
    above(class).iter().any(|c| c == base)
}

/// A class of the program and everything that it extends, nearest first.
fn above(class: &str) -> Vec<String> {
    EXTENDS.with_borrow(|all| {
        let mut out = vec![class.to_owned()];
        let mut at = 0;
        while let Some(name) = out.get(at) {
            for parent in all.get(name).into_iter().flatten() {
                if !out.contains(parent) {
                    out.push(parent.clone());
                }
            }
            at += 1;
        }
        out
    })
}

/// Whether a value of type `a` is one of type `b` as it stands (subtyping; no boxing, no widening at the top level).
pub fn conforms(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        _ if a == b => true,
        (Ty::Nothing, _) => true,
        (Ty::Null, _) => b.is_reference(),
        (_, Ty::Any) => a.is_reference(),
        (Ty::Option(x), Ty::Option(y)) | (Ty::Try(x), Ty::Try(y)) | (Ty::Iterator(x), Ty::Iterator(y)) => inside(x, y),
        (Ty::Seq(k, x), Ty::Seq(l, y)) => (k == l || (*l == SeqKind::Seq && *k != SeqKind::JavaList)) && inside(x, y),
        (Ty::Set(x), Ty::Set(y)) => x == y || **x == Ty::Nothing,
        (Ty::Array(x), Ty::Array(y)) => x == y || **x == Ty::Nothing,
        (Ty::Map(k, v), Ty::Map(l, w)) => (k == l || **k == Ty::Nothing) && inside(v, w),
        (Ty::Either(x, v), Ty::Either(y, w)) => inside(x, y) && inside(v, w),
        (Ty::Tuple(xs), Ty::Tuple(ys)) => xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| inside(x, y)),
        (Ty::Fn(ps, r), Ty::Fn(qs, s)) => {
            ps.len() == qs.len() && ps.iter().zip(qs).all(|(p, q)| inside(q, p)) && inside(r, s)
        }
        (Ty::Java(k, xs), Ty::Java(l, ys)) => {
            k.is(*l) && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| inside(x, y))
        }
        (Ty::Seq(SeqKind::JavaList, x), Ty::Java(JavaKind::Collection, ys)) => ys.iter().all(|y| inside(x, y)),
        (Ty::Class(x), Ty::Class(y)) => {
            is_throwable(x) && is_throwable(y) && exceptions::is_subclass(x, y) || extends(x, y)
        }
        _ => false,
    }
}

/// Whether a class by this simple name is known to be a `Throwable`.
pub fn is_throwable(class: &str) -> bool {
    class == "Throwable" || exceptions::superclass(class).is_some()
}

/// Conformance of type arguments, where primitives are boxed.
fn inside(a: &Ty, b: &Ty) -> bool {
    conforms(a, b) || *b == Ty::Any
}

/// Order of numeric widening; `Char` and the smaller ones are no supertypes of each other.
fn rank(p: Prim) -> Option<u8> {
    Some(match p {
        Prim::Boolean => return None,
        Prim::Byte => 0,
        Prim::Short | Prim::Char => 1,
        Prim::Int => 2,
        Prim::Long => 3,
        Prim::Float => 4,
        Prim::Double => 5,
    })
}

/// Whether a numeric primitive widens implicitly to another one (or is it).
pub fn widens(from: Prim, to: Prim) -> bool {
    if from == to {
        return true;
    }
    match (rank(from), rank(to)) {
        (Some(a), Some(b)) => a < b && to != Prim::Char,
        _ => false,
    }
}

/// The type in which two numeric operands are combined (binary numeric promotion).
pub fn promote(a: Prim, b: Prim) -> Option<Prim> {
    if !a.is_numeric() || !b.is_numeric() {
        return None;
    }
    [Prim::Double, Prim::Float, Prim::Long]
        .into_iter()
        .find(|p| a == *p || b == *p)
        .or(Some(Prim::Int))
}

/// The weak least upper bound: what `if` and `match` give, with numeric widening at the top level.
pub fn weak_lub(a: &Ty, b: &Ty) -> Ty {
    match (a, b) {
        (Ty::Prim(p), Ty::Prim(q)) if widens(*p, *q) => b.clone(),
        (Ty::Prim(p), Ty::Prim(q)) if widens(*q, *p) => a.clone(),
        (Ty::Prim(p), Ty::Prim(q)) if p.is_numeric() && q.is_numeric() => Ty::INT,
        _ => lub(a, b),
    }
}

/// The least upper bound by subtyping; `Any` where only that is left.
pub fn lub(a: &Ty, b: &Ty) -> Ty {
    if conforms(a, b) {
        return b.clone();
    }
    if conforms(b, a) {
        return a.clone();
    }
    let both = |x: &Ty, y: &Ty| Box::new(lub(x, y));
    match (a, b) {
        (Ty::Option(x), Ty::Option(y)) => Ty::Option(both(x, y)),
        (Ty::Try(x), Ty::Try(y)) => Ty::Try(both(x, y)),
        (Ty::Iterator(x), Ty::Iterator(y)) => Ty::Iterator(both(x, y)),
        (Ty::Seq(k, x), Ty::Seq(l, y)) if *k != SeqKind::JavaList && *l != SeqKind::JavaList => {
            Ty::Seq(if k == l { *k } else { SeqKind::Seq }, both(x, y))
        }
        (Ty::Map(k, v), Ty::Map(l, w)) if k == l => Ty::Map(k.clone(), both(v, w)),
        (Ty::Either(x, v), Ty::Either(y, w)) => Ty::Either(both(x, y), both(v, w)),
        (Ty::Tuple(xs), Ty::Tuple(ys)) if xs.len() == ys.len() => {
            Ty::Tuple(xs.iter().zip(ys).map(|(x, y)| lub(x, y)).collect())
        }
        (Ty::Java(k, xs), Ty::Java(l, ys)) if k == l && xs.len() == ys.len() => {
            Ty::Java(*k, xs.iter().zip(ys).map(|(x, y)| lub(x, y)).collect())
        }
        (Ty::Seq(SeqKind::JavaList, x), Ty::Seq(SeqKind::JavaList, y)) => Ty::Seq(SeqKind::JavaList, both(x, y)),
        (Ty::Class(x), Ty::Class(y)) if is_throwable(x) && is_throwable(y) => {
            let mut at = Some(x.as_str());
            while let Some(name) = at {
                if exceptions::is_subclass(y, name) {
                    return Ty::Class(name.to_owned());
                }
                at = exceptions::superclass(name);
            }
            Ty::Class("Throwable".into())
        }
        (Ty::Class(x), Ty::Class(y)) => match above(x).into_iter().find(|base| extends(y, base)) {
            Some(base) => Ty::Class(base),
            None => Ty::Any,
        },
        _ => Ty::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_widen_as_in_scala() {
        assert!(widens(Prim::Int, Prim::Double) && widens(Prim::Char, Prim::Int) && widens(Prim::Long, Prim::Float));
        assert!(
            !widens(Prim::Short, Prim::Char) && !widens(Prim::Byte, Prim::Char) && !widens(Prim::Char, Prim::Short)
        );
        assert_eq!(promote(Prim::Byte, Prim::Byte), Some(Prim::Int));
        assert_eq!(weak_lub(&Ty::INT, &Ty::DOUBLE), Ty::DOUBLE);
        assert_eq!(weak_lub(&Ty::Null, &Ty::INT), Ty::Any);
        assert_eq!(weak_lub(&Ty::Null, &Ty::String), Ty::String);
    }

    #[test]
    fn exceptions_meet_in_their_ancestor() {
        let (a, b) = (
            Ty::Class("NumberFormatException".into()),
            Ty::Class("ArithmeticException".into()),
        );
        assert_eq!(lub(&a, &b), Ty::Class("RuntimeException".into()));
        assert!(!conforms(
            &Ty::Class("LocalDate".into()),
            &Ty::Class("Throwable".into())
        ));
    }
}
