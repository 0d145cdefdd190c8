//! Arrays seen as sequences: Scala's wrapper shares the array, the interpreter's copy does not. In: the functions of a typed
//! program; out: the place where that could be seen. A wrapper that is used up at once shows nothing.

use crate::lang::ast::{Conv, Expr, ExprKind, Function, Global, Stmt};
use crate::lang::ty::Ty;
use crate::lang::visit::walk;
use crate::source::Span;

/// Library methods that change an array.
const CHANGES: &[&str] = &[
    "update",
    "fill",
    "sort",
    "copyToArray",
    "arraycopy",
    "parallelSort",
    "setAll",
];

/// A kept sequence that shares an array, in a program that changes arrays.
pub(super) fn kept_wrapper(functions: &[Function], globals: &[Global]) -> Option<Span> {
    let (mut kept, mut changes) = (None, false);
    let bodies = functions.iter().map(|f| &f.body).chain(globals.iter().map(|g| &g.init));
    for body in bodies {
        walk(body, &mut |e| match &e.kind {
            ExprKind::Block(stmts, _) => {
                for stmt in stmts {
                    match stmt {
                        Stmt::SetIndex { .. } => changes = true,
                        Stmt::Let { init: value, .. } | Stmt::Assign { value, .. } => note(value, &mut kept),
                        _ => {}
                    }
                }
            }
            ExprKind::Call { method, recv, args } if CHANGES.contains(&method.name) => {
                let on_array = recv
                    .iter()
                    .map(|r| &**r)
                    .chain(args)
                    .any(|a| matches!(a.ty, Ty::Array(_)));
                changes |= on_array;
            }
            ExprKind::Tuple(items) | ExprKind::SeqLit(items) | ExprKind::NewClass { args: items, .. } => {
                items.iter().for_each(|i| note(i, &mut kept));
            }
            _ => {}
        });
    }
    kept.filter(|_| changes)
}

fn note(value: &Expr, kept: &mut Option<Span>) {
    let wraps = match &value.kind {
        ExprKind::Convert(Conv::ToSeq, array) => matches!(array.ty, Ty::Array(_)),
        ExprKind::Call {
            method,
            recv: Some(array),
            ..
        } => {
            matches!(
                method.name,
                "toSeq" | "toIndexedSeq" | "seq" | "view" | "toIterable" | "asList"
            ) && matches!(array.ty, Ty::Array(_))
        }
        ExprKind::Call { method, args, .. } => {
            matches!(method.name, "asList") && args.iter().any(|a| matches!(a.ty, Ty::Array(_)))
        }
        ExprKind::Block(_, Some(inner)) => return note(inner, kept),
        _ => false,
    };
    if wraps {
        kept.get_or_insert(value.span);
    }
}
