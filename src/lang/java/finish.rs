//! The end of typing. In: functions, constants and classes as typed; out: the closed program. Hadoop's writable classes, which
//! exist only while typing, become what they hold.

use super::types::writable;
use super::{Typed, Typer, state};
use crate::lang::ast::{Case, Dialect, Expr, ExprKind, FnId, Local, Pattern, PatternKind, Program, Stmt};
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};

/// A type without writable classes.
pub(super) fn plain(ty: &Ty) -> Ty {
    match ty {
        Ty::Class(c) => writable(c).unwrap_or_else(|| ty.clone()),
        Ty::Array(a) => Ty::Array(Box::new(plain(a))),
        Ty::Seq(k, a) => Ty::Seq(*k, Box::new(plain(a))),
        Ty::Java(k, args) => Ty::Java(*k, args.iter().map(plain).collect()),
        Ty::Fn(ps, r) => Ty::Fn(ps.iter().map(plain).collect(), Box::new(plain(r))),
        _ => ty.clone(),
    }
}

pub(super) fn finish(t: Typer<'_>, entry: FnId) -> Understood<Typed> {
    let whole = Span::new(t.root.start_byte(), t.root.end_byte());
    let complete = |what: &str| Refusal::new(whole, format!("{what} could not be completed"));
    let mut functions = t
        .functions
        .into_iter()
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| complete("a helper"))?;
    let mut globals = t
        .globals
        .into_iter()
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| complete("a constant"))?;
    for f in &mut functions {
        f.ret = plain(&f.ret);
        for p in &mut f.params {
            p.ty = plain(&p.ty);
        }
        locals(&mut f.locals);
        expr(&mut f.body);
    }
    for g in &mut globals {
        g.ty = plain(&g.ty);
        locals(&mut g.locals);
        expr(&mut g.init);
    }
    let program = Program {
        entry,
        functions,
        globals,
        classes: t.classes,
        dialect: Dialect::Java,
    };
    state::check(&program)?;
    Ok(Typed {
        program,
        needs: t.needs.into_iter().collect(),
    })
}

fn locals(all: &mut [Local]) {
    for l in all {
        l.ty = plain(&l.ty);
    }
}

fn exprs(all: &mut [Expr]) {
    all.iter_mut().for_each(expr);
}

fn expr(e: &mut Expr) {
    e.ty = plain(&e.ty);
    match &mut e.kind {
        ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::FnRef(_) => {}
        ExprKind::Unary(_, a) | ExprKind::Convert(_, a) | ExprKind::Throw(a) | ExprKind::TupleField(a, _) => expr(a),
        ExprKind::InstanceOf(a, ty) | ExprKind::Cast(a, ty) => {
            *ty = plain(ty);
            expr(a);
        }
        ExprKind::Field { recv, .. } => expr(recv),
        ExprKind::Lambda { body, .. } => expr(std::sync::Arc::make_mut(body)),
        ExprKind::Binary { lhs, rhs, .. }
        | ExprKind::And(lhs, rhs)
        | ExprKind::Or(lhs, rhs)
        | ExprKind::RefEq { lhs, rhs, .. }
        | ExprKind::Identity { lhs, rhs, .. }
        | ExprKind::Index { array: lhs, index: rhs } => {
            expr(lhs);
            expr(rhs);
        }
        ExprKind::Concat(parts) | ExprKind::Tuple(parts) | ExprKind::SeqLit(parts) => exprs(parts),
        ExprKind::NewClass { args, .. } | ExprKind::CallFn { args, .. } => exprs(args),
        ExprKind::Call { recv, args, .. } => {
            recv.iter_mut().for_each(|r| expr(r));
            exprs(args);
        }
        ExprKind::Apply { func, args } => {
            expr(func);
            exprs(args);
        }
        ExprKind::Return(value) => value.iter_mut().for_each(|v| expr(v)),
        ExprKind::If { cond, then, otherwise } => {
            expr(cond);
            expr(then);
            otherwise.iter_mut().for_each(|o| expr(o));
        }
        ExprKind::Block(stmts, value) => {
            stmts.iter_mut().for_each(stmt);
            value.iter_mut().for_each(|v| expr(v));
        }
        ExprKind::Match { scrutinee, cases } => {
            expr(scrutinee);
            cases.iter_mut().for_each(case);
        }
        ExprKind::Try { body, catches, finally } => {
            expr(body);
            catches.iter_mut().for_each(case);
            finally.iter_mut().for_each(|f| expr(f));
        }
    }
}

fn case(c: &mut Case) {
    pattern(&mut c.pattern);
    c.guard.iter_mut().for_each(expr);
    expr(&mut c.body);
}

fn pattern(p: &mut Pattern) {
    match &mut p.kind {
        PatternKind::Value(e) => expr(e),
        PatternKind::Bind(_, Some(inner)) => pattern(inner),
        PatternKind::Alternative(items) => items.iter_mut().for_each(pattern),
        _ => {}
    }
}

fn stmt(s: &mut Stmt) {
    match s {
        Stmt::Expr(e) => expr(e),
        Stmt::Let { init, .. } | Stmt::LetPattern { init, .. } => expr(init),
        Stmt::Assign { value, .. } => expr(value),
        Stmt::SetIndex { array, index, value } => {
            expr(array);
            expr(index);
            expr(value);
        }
        Stmt::Loop { cond, body, update, .. } => {
            expr(cond);
            expr(body);
            update.iter_mut().for_each(stmt);
        }
        Stmt::Break(_) | Stmt::Continue(_) => {}
    }
}
