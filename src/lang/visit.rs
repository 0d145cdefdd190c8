//! Walks typed trees: every expression once, parents before children.

use super::ast::{Case, Expr, ExprKind, Pattern, PatternKind, Stmt};

/// Calls `on` for the expression and everything inside it, lambdas and patterns included.
pub fn walk<'a>(e: &'a Expr, on: &mut dyn FnMut(&'a Expr)) {
    on(e);
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::FnRef(_) => {}
        ExprKind::Unary(_, a)
        | ExprKind::Convert(_, a)
        | ExprKind::Throw(a)
        | ExprKind::TupleField(a, _)
        | ExprKind::InstanceOf(a, _)
        | ExprKind::Cast(a, _) => walk(a, on),
        ExprKind::Field { recv, .. } => walk(recv, on),
        ExprKind::Lambda { body, .. } => walk(body, on),
        ExprKind::Binary { lhs, rhs, .. }
        | ExprKind::And(lhs, rhs)
        | ExprKind::Or(lhs, rhs)
        | ExprKind::RefEq { lhs, rhs, .. }
        | ExprKind::Identity { lhs, rhs, .. }
        | ExprKind::Index { array: lhs, index: rhs } => {
            walk(lhs, on);
            walk(rhs, on);
        }
        ExprKind::Concat(parts) | ExprKind::Tuple(parts) | ExprKind::SeqLit(parts) => {
            parts.iter().for_each(|p| walk(p, on));
        }
        ExprKind::NewClass { args, .. } | ExprKind::CallFn { args, .. } => args.iter().for_each(|a| walk(a, on)),
        ExprKind::Call { recv, args, .. } => {
            recv.iter().for_each(|r| walk(r, on));
            args.iter().for_each(|a| walk(a, on));
        }
        ExprKind::Apply { func, args } => {
            walk(func, on);
            args.iter().for_each(|a| walk(a, on));
        }
        ExprKind::Return(value) => value.iter().for_each(|v| walk(v, on)),
        ExprKind::If { cond, then, otherwise } => {
            walk(cond, on);
            walk(then, on);
            otherwise.iter().for_each(|o| walk(o, on));
        }
        ExprKind::Block(stmts, value) => {
            stmts.iter().for_each(|s| walk_stmt(s, on));
            value.iter().for_each(|v| walk(v, on));
        }
        ExprKind::Match { scrutinee, cases } => {
            walk(scrutinee, on);
            cases.iter().for_each(|c| walk_case(c, on));
        }
        ExprKind::Try { body, catches, finally } => {
            walk(body, on);
            catches.iter().for_each(|c| walk_case(c, on));
            finally.iter().for_each(|f| walk(f, on));
        }
    }
}

fn walk_stmt<'a>(s: &'a Stmt, on: &mut dyn FnMut(&'a Expr)) {
    match s {
        Stmt::Expr(e) | Stmt::Let { init: e, .. } | Stmt::Assign { value: e, .. } => walk(e, on),
        Stmt::LetPattern { pattern, init } => {
            walk_pattern(pattern, on);
            walk(init, on);
        }
        Stmt::SetIndex { array, index, value } => [array, index, value].into_iter().for_each(|e| walk(e, on)),
        Stmt::Loop { cond, body, update, .. } => {
            walk(cond, on);
            walk(body, on);
            update.iter().for_each(|s| walk_stmt(s, on));
        }
        Stmt::Break(_) | Stmt::Continue(_) => {}
    }
}

fn walk_case<'a>(c: &'a Case, on: &mut dyn FnMut(&'a Expr)) {
    walk_pattern(&c.pattern, on);
    c.guard.iter().for_each(|g| walk(g, on));
    walk(&c.body, on);
}

fn walk_pattern<'a>(p: &'a Pattern, on: &mut dyn FnMut(&'a Expr)) {
    match &p.kind {
        PatternKind::Value(e) => walk(e, on),
        PatternKind::Regex { regex, groups, .. } => {
            walk(regex, on);
            groups.iter().for_each(|g| walk_pattern(g, on));
        }
        PatternKind::Bind(_, Some(inner))
        | PatternKind::Some(inner)
        | PatternKind::Wrapper(_, inner)
        | PatternKind::NonFatal(inner) => walk_pattern(inner, on),
        PatternKind::Alternative(all) | PatternKind::Tuple(all) | PatternKind::Class { fields: all, .. } => {
            all.iter().for_each(|x| walk_pattern(x, on));
        }
        PatternKind::Seq { items, rest, .. } => {
            items.iter().for_each(|x| walk_pattern(x, on));
            rest.iter().for_each(|x| walk_pattern(x, on));
        }
        PatternKind::Cons(head, tail) => [head, tail].into_iter().for_each(|x| walk_pattern(x, on)),
        PatternKind::Wildcard
        | PatternKind::Bind(_, None)
        | PatternKind::Lit(_)
        | PatternKind::Typed(_)
        | PatternKind::None
        | PatternKind::Nil => {}
    }
}
