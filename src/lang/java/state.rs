//! State that would outlive a row. In: calls that change their receiver, and finished programs; out: a refusal where what is
//! changed may be a constant that all rows share. Never follows values: where it cannot tell, it refuses.

use tree_sitter::Node;

use super::Typer;
use crate::lang::ast::{Expr, ExprKind, Function, LocalId, Program, Stmt};
use crate::lang::ty::{SeqKind, Ty};
use crate::lang::visit;
use crate::source::{Refusal, Span, Understood};

/// Methods that change their receiver, or the first argument of a static one.
const MUTATORS: &[&str] = &[
    "add",
    "addAll",
    "addFirst",
    "addLast",
    "append",
    "clear",
    "compute",
    "computeIfAbsent",
    "computeIfPresent",
    "delete",
    "deleteCharAt",
    "fill",
    "find",
    "insert",
    "lookingAt",
    "matches",
    "merge",
    "next",
    "offer",
    "poll",
    "pollFirst",
    "pollLast",
    "pop",
    "push",
    "put",
    "putAll",
    "putIfAbsent",
    "remove",
    "removeAll",
    "removeFirst",
    "removeIf",
    "removeLast",
    "replace",
    "replaceAll",
    "reset",
    "retainAll",
    "reverse",
    "set",
    "setCharAt",
    "setLength",
    "setValue",
    "shuffle",
    "sort",
    "swap",
    "update",
];

/// Whether objects of a type can change.
fn mutable(ty: &Ty) -> bool {
    match ty {
        Ty::Array(_) | Ty::Java(..) | Ty::Seq(SeqKind::JavaList | SeqKind::Buffer, _) => true,
        Ty::Class(c) => matches!(
            c.as_str(),
            "StringBuilder" | "Matcher" | "StringJoiner" | "SimpleDateFormat" | "DecimalFormat" | "MessageDigest"
        ),
        _ => false,
    }
}

fn changes(name: &str) -> bool {
    let name = name.strip_prefix("java.").unwrap_or(name);
    MUTATORS.contains(&name)
}

/// The expression that a chain of reads starts from.
fn root(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Field { recv, .. } => root(recv),
        ExprKind::Index { array, .. } => root(array),
        ExprKind::Cast(a, _) | ExprKind::Convert(_, a) => root(a),
        ExprKind::Block(_, Some(v)) => root(v),
        ExprKind::Call { recv: Some(r), .. } if mutable(&e.ty) && mutable(&r.ty) => root(r),
        _ => e,
    }
}

fn shared(e: &Expr) -> bool {
    mutable(&e.ty) && matches!(root(e).kind, ExprKind::Global(_))
}

impl<'t> Typer<'t> {
    /// Refuses a call that changes a constant.
    pub(super) fn check_state(&self, name: &str, recv: Option<&Expr>, n: Node<'t>) -> Understood<()> {
        match recv {
            Some(r) if changes(name) && shared(r) => {
                self.refuse(n, "this keeps state between rows: a later row would see it")
            }
            _ => Ok(()),
        }
    }
}

/// Refuses a finished program in which a constant that can change is handed to where something of its kind is changed.
pub(super) fn check(program: &Program) -> Understood<()> {
    let mut handed: Vec<Ty> = Vec::new();
    each(program, &mut |_, e| match &e.kind {
        ExprKind::CallFn { args, .. } => handed.extend(args.iter().filter(|a| shared(a)).map(|a| a.ty.clone())),
        ExprKind::Return(Some(v)) if shared(v) => handed.push(v.ty.clone()),
        ExprKind::Block(stmts, value) => {
            for s in stmts {
                if let Stmt::Let { init: v, .. } | Stmt::Assign { value: v, .. } = s
                    && shared(v)
                {
                    handed.push(v.ty.clone());
                }
            }
            handed.extend(value.iter().filter(|v| shared(v)).map(|v| v.ty.clone()));
        }
        ExprKind::If { then, otherwise, .. } => {
            let sides = [Some(then), otherwise.as_ref()];
            handed.extend(sides.into_iter().flatten().filter(|v| shared(v)).map(|v| v.ty.clone()));
        }
        _ => {}
    });
    let mut found: Option<Span> = None;
    each(program, &mut |f, e| {
        let target = match &e.kind {
            ExprKind::Call {
                method, recv: Some(r), ..
            } if changes(method.name) => Some(&**r),
            ExprKind::Call {
                method,
                recv: None,
                args,
            } if changes(method.name) => args.first(),
            _ => None,
        };
        if let Some(t) = target
            && changed_constant(f, t, &handed)
        {
            found.get_or_insert(e.span);
        }
        if let ExprKind::Block(stmts, _) = &e.kind {
            for s in stmts {
                if let Stmt::SetIndex { array, .. } = s
                    && changed_constant(f, array, &handed)
                {
                    found.get_or_insert(e.span);
                }
            }
        }
    });
    match found {
        Some(at) => Err(Refusal::new(
            at,
            "this may change a constant, which a later row would see",
        )),
        None => Ok(()),
    }
}

fn changed_constant(f: &Function, target: &Expr, handed: &[Ty]) -> bool {
    if !mutable(&target.ty) {
        return false;
    }
    if shared(target) {
        return true;
    }
    let start = root(target);
    handed.contains(&target.ty) && !matches!(&start.kind, ExprKind::Local(l) if fresh(f, *l))
}

/// Whether a variable only ever holds what was made in this function.
fn fresh(f: &Function, local: LocalId) -> bool {
    if (local.0 as usize) < f.params.len() {
        return false;
    }
    let mut all = true;
    let mut look = |v: &Expr| {
        let made = match &root(v).kind {
            ExprKind::Call { recv: None, .. } | ExprKind::SeqLit(_) | ExprKind::Lit(_) => true,
            ExprKind::Call { .. } => !mutable(&root(v).ty) || matches!(root(v).kind, ExprKind::Call { .. }),
            _ => false,
        };
        all &= made;
    };
    visit::walk(&f.body, &mut |e| {
        if let ExprKind::Block(stmts, _) = &e.kind {
            for s in stmts {
                match s {
                    Stmt::Let { local: l, init: v, .. } | Stmt::Assign { local: l, value: v } if *l == local => look(v),
                    _ => {}
                }
            }
        }
    });
    all
}

fn each<'p>(program: &'p Program, on: &mut dyn FnMut(&'p Function, &'p Expr)) {
    for f in &program.functions {
        visit::walk(&f.body, &mut |e| on(f, e));
    }
}
