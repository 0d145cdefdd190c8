//! Types of local variables. In: the slots of a function and its body; out: their types, where a slot of `Any` has the type of what
//! it is given, if that is always the same, and a list that is made there is one that grows.

use std::collections::HashMap;

use crate::lang::ast::*;
use crate::lang::ty::{SeqKind, Ty};
use crate::lang::visit::walk;

/// The types of the slots; `inits` as [`inits`] gives it.
pub(super) fn types(locals: &[Local], body: &Expr, inits: &HashMap<usize, &Expr>) -> Vec<Ty> {
    let mut types: Vec<Ty> = locals.iter().map(|l| l.ty.clone()).collect();
    let mut given: Vec<Vec<Ty>> = vec![Vec::new(); locals.len()];
    walk(body, &mut |e| {
        if let ExprKind::Block(stmts, _) = &e.kind {
            stmts.iter().for_each(|s| note(s, &types, &mut given));
        }
    });
    // A list that is made here and stands in one variable can grow there.
    for (&slot, init) in inits {
        let made = matches!(&bare(init).kind, ExprKind::Call { method, recv: None, .. }
            if matches!(method.recv, "new ArrayList" | "new LinkedList"));
        if let (true, Ty::Seq(SeqKind::JavaList, item)) = (made, &types[slot]) {
            types[slot] = Ty::Seq(SeqKind::Buffer, item.clone());
        }
    }
    for (ty, given) in types.iter_mut().zip(given) {
        if *ty == Ty::Any
            && let [first, rest @ ..] = given.as_slice()
            && rest.iter().all(|g| g == first)
        {
            *ty = first.clone();
        }
    }
    types
}

fn note(s: &Stmt, types: &[Ty], given: &mut [Vec<Ty>]) {
    let (local, value) = match s {
        Stmt::Let { local, init, .. } => (local, init),
        Stmt::Assign { local, value } => (local, value),
        _ => return,
    };
    let ty = match &bare(value).kind {
        ExprKind::Local(id) => types[id.0 as usize].clone(),
        _ => match (&value.kind, bare(value)) {
            (ExprKind::Convert(Conv::Box(p), _), _) => Ty::Boxed(*p),
            (_, inner) => inner.ty.clone(),
        },
    };
    if let Some(all) = given.get_mut(local.0 as usize) {
        all.push(ty);
    }
}

/// A value without what only changes its static type around it: casts to `Any`, empty blocks.
pub(super) fn bare(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(a, Ty::Any) => bare(a),
        ExprKind::Block(stmts, Some(a)) if stmts.is_empty() => bare(a),
        _ => e,
    }
}

/// A value without its box and the casts to `Any` around it: what `String.valueOf` shows is the same.
pub(super) fn unboxed(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(a, Ty::Any) | ExprKind::Convert(Conv::Box(_), a) => unboxed(a),
        ExprKind::Block(stmts, Some(a)) if stmts.is_empty() => unboxed(a),
        _ => e,
    }
}

/// What variables hold that are set once, where they are declared.
pub(super) fn inits(body: &Expr) -> HashMap<usize, &Expr> {
    let mut out = HashMap::new();
    walk(body, &mut |e| {
        if let ExprKind::Block(stmts, _) = &e.kind {
            for s in stmts {
                if let Stmt::Let { local, init, .. } = s {
                    out.insert(local.0 as usize, init);
                }
            }
        }
    });
    out.retain(|slot, _| !is_assigned(body, LocalId(*slot as u32)));
    out
}

/// Whether a body assigns a variable, besides its initialisation.
pub(super) fn is_assigned(body: &Expr, slot: LocalId) -> bool {
    let mut found = false;
    walk(body, &mut |e| {
        let ExprKind::Block(stmts, _) = &e.kind else { return };
        found |= stmts.iter().any(|s| assigns(s, slot));
    });
    found
}

fn assigns(s: &Stmt, slot: LocalId) -> bool {
    match s {
        Stmt::Assign { local, .. } => *local == slot,
        Stmt::Loop { update, .. } => update.iter().any(|u| assigns(u, slot)),
        _ => false,
    }
}
