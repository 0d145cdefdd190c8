//! Finds rows of the library. In: a receiver type and a name, or a module and a name; out: the rows that may be meant, with
//! their parsed signatures. Which of them a call means is for the caller, who knows the arguments. Never types expressions.
//!
//! The precise meaning of the notation of [`super::table`]:
//! - Type variables are names of one capital letter with at most one digit. `[B >: A]` bounds one from below.
//! - Several parameter lists are written one after the other (`[B](B)((B, A) => B): B`) or as one; a call may supply them in
//!   as many lists as the source does. The arguments of a `Call` are always flat.
//! - A partial function (`collect`) is written as a function: its argument is a lambda whose body is a match on its only
//!   parameter.
//! - Arguments for `A*` come as one `Seq` value.
//! - A receiver is passed as it is, also where a row of another type serves it: `Array[A]` and `String` fall back to rows
//!   of `Seq[A]` (`Self` stays the array or string type, `Self[B]` is `Array[B]`; for strings `Self[Char]` is `String`
//!   and other elements give a `Vector`); `Set[A]`, `Map[K, V]` do not. Only boxed receivers are unboxed first (after a
//!   row of the box itself was looked for) and primitive ones boxed for rows of `Any`.

pub use super::signature::parse_row;
use super::signature::self_marker;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::table::Method;
use super::tables;
use crate::lang::relate::{conforms, is_throwable, weak_lub, widens};
use crate::lang::ty::{JavaKind, Prim, SeqKind, Ty};

/// What a row is called on.
#[derive(Debug, Clone, PartialEq)]
pub enum Receiver {
    /// An instance whose type matches.
    Instance(Ty),
    /// The static side of a class, or an object.
    Static(String),
    /// A constructor.
    New(String),
}

/// A parameter of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamSig {
    /// Its type; of the elements if `varargs`.
    pub ty: Ty,
    /// `=> A`.
    pub by_name: bool,
    /// `A*`.
    pub varargs: bool,
}

/// A row with its parsed signature.
#[derive(Debug)]
pub struct Row {
    /// The row.
    pub method: &'static Method,
    /// What it is called on.
    pub recv: Receiver,
    /// Type variables that the call decides, in order, with their lower bounds.
    pub vars: Vec<(String, Option<Ty>)>,
    /// All parameters, flat.
    pub params: Vec<ParamSig>,
    /// How many parameter lists the signature has: none for what is called without parentheses.
    pub lists: usize,
    /// Result type.
    pub ret: Ty,
}

/// What type variables stand for.
pub type Subst = HashMap<String, Ty>;

/// What happens to a receiver before a row gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Nothing.
    AsIs,
    /// A box is opened.
    Unbox(Prim),
    /// A primitive is boxed.
    Box(Prim),
    /// A primitive is widened.
    Widen(Prim, Prim),
}

/// A row that fits a receiver.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The row.
    pub row: &'static Row,
    /// Variables that the receiver binds, and `Self`.
    pub subst: Subst,
    /// What happens to the receiver.
    pub view: View,
}

struct Index {
    by_name: HashMap<&'static str, Vec<Row>>,
    modules: HashMap<String, ()>,
    classes: HashMap<String, ()>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index = Index {
            by_name: HashMap::new(),
            modules: HashMap::new(),
            classes: HashMap::new(),
        };
        for method in tables::all() {
            if let Ok(row) = parse_row(method) {
                match &row.recv {
                    Receiver::Static(m) => drop(index.modules.insert(m.clone(), ())),
                    Receiver::New(c) => drop(index.classes.insert(c.clone(), ())),
                    Receiver::Instance(t) => note_classes(t, &mut index.classes),
                }
                note_classes(&row.ret, &mut index.classes);
                index.by_name.entry(method.name).or_default().push(row);
            }
        }
        index
    })
}

fn note_classes(ty: &Ty, classes: &mut HashMap<String, ()>) {
    match ty {
        Ty::Class(name) => drop(classes.insert(name.clone(), ())),
        Ty::Option(a) | Ty::Seq(_, a) => note_classes(a, classes),
        _ => {}
    }
}

/// Whether some row is static on a module of this name.
pub fn has_module(name: &str) -> bool {
    index().modules.contains_key(name)
}

/// Whether some row knows a class of this simple name.
pub fn has_class(name: &str) -> bool {
    index().classes.contains_key(name)
}

/// Static rows of a module.
pub fn static_rows(module: &str, name: &str) -> Vec<Fit> {
    plain_rows(name, |r| matches!(r, Receiver::Static(m) if m == module))
}

/// Constructors of a class.
pub fn constructors(class: &str) -> Vec<Fit> {
    let wanted = |r: &Receiver| matches!(r, Receiver::New(c) if c == class);
    let mut found = plain_rows("new", wanted);
    for name in ["<init>", class] {
        found.extend(plain_rows(name, wanted));
    }
    found
}

fn plain_rows(name: &str, wanted: impl Fn(&Receiver) -> bool) -> Vec<Fit> {
    let rows = index().by_name.get(name).map(Vec::as_slice).unwrap_or_default();
    let fit = |row| Fit {
        row,
        subst: Subst::new(),
        view: View::AsIs,
    };
    rows.iter().filter(|r| wanted(&r.recv)).map(fit).collect()
}

/// The tiers of rows that may serve a receiver: all of the first non-empty tier compete; later ones count only if none of an
/// earlier one takes the arguments.
pub fn instance_rows(recv: &Ty, name: &str) -> Vec<Vec<Fit>> {
    let rows = index().by_name.get(name).map(Vec::as_slice).unwrap_or_default();
    let mut tiers = Vec::new();
    for (ty, view) in views(recv) {
        let mut tier = Vec::new();
        for row in rows {
            let Receiver::Instance(pattern) = &row.recv else {
                continue;
            };
            let mut subst = Subst::new();
            if match_receiver(pattern, &ty, &mut subst) {
                let own = if view == View::AsIs { recv.clone() } else { ty.clone() };
                subst.insert("Self".into(), own);
                tier.push(Fit { row, subst, view });
            }
        }
        if !tier.is_empty() {
            tiers.push(tier);
        }
    }
    tiers
}

/// The types under which a receiver is looked up, in order.
fn views(recv: &Ty) -> Vec<(Ty, View)> {
    let mut out = vec![(recv.clone(), View::AsIs)];
    match recv {
        Ty::Boxed(p) => {
            out.push((Ty::Any, View::AsIs));
            out.push((Ty::Prim(*p), View::Unbox(*p)));
        }
        Ty::Prim(p) => {
            for to in [Prim::Int, Prim::Long, Prim::Float, Prim::Double] {
                if to != *p && widens(*p, to) {
                    out.push((Ty::Prim(to), View::Widen(*p, to)));
                }
            }
            out.push((Ty::Boxed(*p), View::Box(*p)));
            out.push((Ty::Any, View::Box(*p)));
        }
        Ty::Array(a) => out.push((Ty::Seq(SeqKind::Seq, a.clone()), View::AsIs)),
        Ty::String => out.push((Ty::Seq(SeqKind::Seq, Box::new(Ty::CHAR)), View::AsIs)),
        _ => {}
    }
    if recv.is_reference() && !matches!(recv, Ty::Boxed(_)) {
        out.push((Ty::Any, View::AsIs));
    }
    out
}

fn match_receiver(pattern: &Ty, actual: &Ty, subst: &mut Subst) -> bool {
    match (pattern, actual) {
        (Ty::Any, a) => *a == Ty::Any,
        (Ty::Class(p), Ty::Class(a)) => p == a || (is_throwable(p) && is_throwable(a) && conforms(actual, pattern)),
        (Ty::Seq(SeqKind::Seq, p), Ty::Seq(k, a)) if *k != SeqKind::JavaList => match_receiver(p, a, subst),
        (Ty::Seq(k, p), Ty::Seq(l, a)) => k == l && match_receiver(p, a, subst),
        _ => unify(pattern, actual, subst),
    }
}

/// Binds the variables of `pattern` so that `actual` fits it; a variable met twice gets the least type above both.
pub fn unify(pattern: &Ty, actual: &Ty, subst: &mut Subst) -> bool {
    let all = |ps: &[Ty], qs: &[Ty], subst: &mut Subst| {
        ps.len() == qs.len() && ps.iter().zip(qs).all(|(p, a)| unify(p, a, subst))
    };
    match (pattern, actual) {
        (Ty::Var(v), _) => {
            let next = match subst.get(v) {
                Some(old) => weak_lub(old, actual),
                None => actual.clone(),
            };
            subst.insert(v.clone(), next);
            true
        }
        (_, Ty::Nothing) => true,
        (_, Ty::Null) => pattern.is_reference(),
        (Ty::Option(p), Ty::Option(a))
        | (Ty::Array(p), Ty::Array(a))
        | (Ty::Iterator(p), Ty::Iterator(a))
        | (Ty::Set(p), Ty::Set(a))
        | (Ty::Try(p), Ty::Try(a)) => unify(p, a, subst),
        (Ty::Seq(k, p), Ty::Seq(l, a)) => {
            (k == l || (*k == SeqKind::Seq && *l != SeqKind::JavaList)) && unify(p, a, subst)
        }
        (Ty::Map(k, v), Ty::Map(l, w)) | (Ty::Either(k, v), Ty::Either(l, w)) => {
            unify(k, l, subst) && unify(v, w, subst)
        }
        (Ty::Tuple(ps), Ty::Tuple(qs)) => all(ps, qs, subst),
        (Ty::Java(k, ps), Ty::Java(l, qs)) => l.is(*k) && all(ps, qs, subst),
        (Ty::Java(JavaKind::Collection, ps), Ty::Seq(SeqKind::JavaList, a)) => {
            all(ps, std::slice::from_ref(&**a), subst)
        }
        (Ty::Fn(ps, r), Ty::Fn(qs, s)) => all(ps, qs, subst) && unify(r, s, subst),
        _ => conforms(actual, pattern) || *pattern == Ty::Any,
    }
}

/// Whether a type still has variables.
pub fn is_open(ty: &Ty) -> bool {
    match ty {
        Ty::Var(_) => true,
        Ty::Option(a) | Ty::Seq(_, a) | Ty::Array(a) | Ty::Iterator(a) | Ty::Set(a) | Ty::Try(a) => is_open(a),
        Ty::Map(a, b) | Ty::Either(a, b) => is_open(a) || is_open(b),
        Ty::Tuple(items) | Ty::Java(_, items) => items.iter().any(is_open),
        Ty::Fn(ps, r) => ps.iter().any(is_open) || is_open(r),
        _ => false,
    }
}

/// Replaces variables by what they stand for; unknown ones stay.
pub fn substitute(ty: &Ty, subst: &Subst) -> Ty {
    let sub = |t: &Ty| Box::new(substitute(t, subst));
    match ty {
        Ty::Var(v) => subst.get(v).cloned().unwrap_or_else(|| ty.clone()),
        Ty::Either(marker, elem) if **marker == self_marker() => {
            let own = subst.get("Self").cloned().unwrap_or(Ty::Any);
            self_of(&own, substitute(elem, subst))
        }
        Ty::Option(a) => Ty::Option(sub(a)),
        Ty::Seq(k, a) => Ty::Seq(*k, sub(a)),
        Ty::Array(a) => Ty::Array(sub(a)),
        Ty::Iterator(a) => Ty::Iterator(sub(a)),
        Ty::Set(a) => Ty::Set(sub(a)),
        Ty::Try(a) => Ty::Try(sub(a)),
        Ty::Map(k, v) => Ty::Map(sub(k), sub(v)),
        Ty::Either(a, b) => Ty::Either(sub(a), sub(b)),
        Ty::Tuple(items) => Ty::Tuple(items.iter().map(|t| substitute(t, subst)).collect()),
        Ty::Java(k, items) => Ty::Java(*k, items.iter().map(|t| substitute(t, subst)).collect()),
        Ty::Fn(ps, r) => Ty::Fn(ps.iter().map(|t| substitute(t, subst)).collect(), sub(r)),
        _ => ty.clone(),
    }
}

/// `Self[elem]` for a receiver of type `own`.
fn self_of(own: &Ty, elem: Ty) -> Ty {
    match (own, &elem) {
        (Ty::Seq(SeqKind::Range, _), _) => Ty::Seq(SeqKind::Vector, Box::new(elem)),
        (Ty::Seq(k, _), _) => Ty::Seq(*k, Box::new(elem)),
        (Ty::Array(_), _) => Ty::Array(Box::new(elem)),
        (Ty::String, Ty::Prim(Prim::Char)) => Ty::String,
        (Ty::String, _) => Ty::Seq(SeqKind::Vector, Box::new(elem)),
        (Ty::Set(_), _) => Ty::Set(Box::new(elem)),
        (Ty::Option(_), _) => Ty::Option(Box::new(elem)),
        (Ty::Iterator(_), _) => Ty::Iterator(Box::new(elem)),
        (Ty::Try(_), _) => Ty::Try(Box::new(elem)),
        (Ty::Map(..), Ty::Tuple(kv)) if kv.len() == 2 => Ty::Map(Box::new(kv[0].clone()), Box::new(kv[1].clone())),
        (Ty::Map(..), _) => Ty::Seq(SeqKind::Seq, Box::new(elem)),
        _ => Ty::Seq(SeqKind::Seq, Box::new(elem)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(recv: &'static str, sig: &'static str) -> Row {
        fn nothing(
            _: &mut dyn crate::jvm::table::Context,
            _: &[crate::jvm::value::Value],
            _: &Ty,
        ) -> crate::jvm::value::Eval {
            Ok(crate::jvm::value::Value::Null)
        }
        let method = Box::leak(Box::new(Method {
            id: "test",
            recv,
            name: "test",
            sig,
            throws: &[],
            eval: nothing,
            null_recv: false,
        }));
        parse_row(method).unwrap()
    }

    #[test]
    fn every_row_of_the_library_can_be_read() {
        for method in tables::all() {
            if let Err(e) = parse_row(method) {
                panic!("{}: {e}", method.id);
            }
        }
    }

    #[test]
    fn signatures_are_read_flat() {
        let r = row("Seq[A]", "[B](B)((B, A) => B): B");
        assert_eq!(r.params.len(), 2);
        assert_eq!(r.params[1].ty.to_string(), "(B, A) => B");
        assert_eq!(r.lists, 2);
        let r = row("String", ": Int");
        assert!(r.lists == 0 && r.params.is_empty() && r.ret == Ty::INT);
        let r = row("Option[A]", "[B >: A](=> B): B");
        assert!(r.params[0].by_name && r.vars[0].1 == Some(Ty::Var("A".into())));
        let r = row("static String", "(String, Any*): String");
        assert!(r.params[1].varargs && r.recv == Receiver::Static("String".into()));
    }

    #[test]
    fn self_keeps_the_kind_of_the_receiver() {
        let r = row("Seq[A]", "[B](A => B): Self[B]");
        let mut subst = Subst::new();
        subst.insert("Self".into(), Ty::String);
        subst.insert("B".into(), Ty::CHAR);
        assert_eq!(substitute(&r.ret, &subst), Ty::String);
        subst.insert("B".into(), Ty::INT);
        assert_eq!(substitute(&r.ret, &subst).to_string(), "Vector[Int]");
        subst.insert("Self".into(), Ty::Array(Box::new(Ty::String)));
        assert_eq!(substitute(&r.ret, &subst).to_string(), "Array[Int]");
    }
}
