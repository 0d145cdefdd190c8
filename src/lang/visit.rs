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
        PatternKind::Extract { result, .. } => walk_pattern(result, on),
        PatternKind::Cons(head, tail) | PatternKind::Snoc(head, tail) | PatternKind::Prepended(head, tail) => {
            [head, tail].into_iter().for_each(|x| walk_pattern(x, on))
        }
        PatternKind::Wildcard
        | PatternKind::Bind(_, None)
        | PatternKind::Lit(_)
        | PatternKind::Typed(_)
        | PatternKind::None
        | PatternKind::Nil => {}
    }
}

/// Calls `on` for every branch of the expression and inside it: the arms of conditions and the bodies of cases. `on` may
/// replace a branch; those inside it have been seen before.
pub fn rewrite_branches(e: &mut Expr, on: &mut dyn FnMut(&mut Expr)) {
    match &mut e.kind {
        ExprKind::If { cond, then, otherwise } => {
            rewrite_branches(cond, on);
            for branch in std::iter::once(then).chain(otherwise) {
                rewrite_branches(branch, on);
                on(branch);
            }
        }
        ExprKind::Match { scrutinee, cases } => {
            rewrite_branches(scrutinee, on);
            for case in cases {
                case.guard.iter_mut().for_each(|g| rewrite_branches(g, on));
                rewrite_branches(&mut case.body, on);
                on(&mut case.body);
            }
        }
        ExprKind::Block(stmts, value) => {
            stmts.iter_mut().for_each(|s| rewrite_statement(s, on));
            value.iter_mut().for_each(|v| rewrite_branches(v, on));
        }
        ExprKind::Lambda { body, .. } => rewrite_branches(std::sync::Arc::make_mut(body), on),
        ExprKind::Try { body, catches, finally } => {
            rewrite_branches(body, on);
            for case in catches {
                rewrite_branches(&mut case.body, on);
                on(&mut case.body);
            }
            finally.iter_mut().for_each(|f| rewrite_branches(f, on));
        }
        ExprKind::Unary(_, a)
        | ExprKind::Convert(_, a)
        | ExprKind::Throw(a)
        | ExprKind::TupleField(a, _)
        | ExprKind::Cast(a, _)
        | ExprKind::Field { recv: a, .. } => rewrite_branches(a, on),
        ExprKind::Binary { lhs, rhs, .. }
        | ExprKind::And(lhs, rhs)
        | ExprKind::Or(lhs, rhs)
        | ExprKind::RefEq { lhs, rhs, .. } => {
            rewrite_branches(lhs, on);
            rewrite_branches(rhs, on);
        }
        ExprKind::Concat(parts) | ExprKind::Tuple(parts) | ExprKind::SeqLit(parts) => {
            parts.iter_mut().for_each(|p| rewrite_branches(p, on));
        }
        ExprKind::CallFn { args, .. } | ExprKind::NewClass { args, .. } => {
            args.iter_mut().for_each(|a| rewrite_branches(a, on));
        }
        ExprKind::Call { recv, args, .. } => {
            recv.iter_mut().for_each(|r| rewrite_branches(r, on));
            args.iter_mut().for_each(|a| rewrite_branches(a, on));
        }
        ExprKind::Return(Some(value)) => rewrite_branches(value, on),
        // No branch stands in the rest, or only one that is not worth a mark.
        _ => {}
    }
}

fn rewrite_statement(s: &mut Stmt, on: &mut dyn FnMut(&mut Expr)) {
    match s {
        Stmt::Expr(e)
        | Stmt::Let { init: e, .. }
        | Stmt::Assign { value: e, .. }
        | Stmt::LetPattern { init: e, .. } => {
            rewrite_branches(e, on);
        }
        Stmt::SetIndex { value, .. } => rewrite_branches(value, on),
        Stmt::Loop { cond, body, .. } => {
            rewrite_branches(cond, on);
            rewrite_branches(body, on);
        }
        Stmt::Break(_) | Stmt::Continue(_) => {}
    }
}
