//! `try`. In: a statement with its catches and `finally`; out: a typed `try`. One whose only work is to give a variable a value, or
//! to return one, becomes a `try` with a value, which the columnar tiers can read.

use tree_sitter::Node;

use super::cst::{field, kids, name_of, span};
use super::exits::leaves;
use super::{Exit, Typer, mk, stmt};
use crate::lang::ast::{Case, Expr, ExprKind, LocalId, Pattern, PatternKind, Stmt};
use crate::lang::relate::lub;
use crate::lang::ty::Ty;
use crate::source::Understood;

impl<'t> Typer<'t> {
    pub(super) fn try_statement(&mut self, n: Node<'t>) -> Understood<Vec<Stmt>> {
        let Some(body) = field(n, "body") else {
            return self.refuse(n, "`try` that cannot be read");
        };
        let before = self.frame().written.clone();
        let typed = self.body(body)?;
        let after_body = std::mem::replace(&mut self.frame().written, before.clone());
        let mut written = if leaves(&typed) { None } else { Some(after_body) };
        let mut catches = Vec::new();
        let mut finally = None;
        for k in kids(n) {
            match k.kind() {
                "catch_clause" => {
                    self.frame().written = before.clone();
                    let case = self.catch(k)?;
                    if !leaves(&case.body) {
                        let now = self.frame().written.clone();
                        written = Some(match written {
                            Some(w) => w.intersection(&now).copied().collect(),
                            None => now,
                        });
                    }
                    catches.push(case);
                }
                "finally_clause" => {
                    self.frame().written = before.clone();
                    finally = match kids(k).first() {
                        Some(b) => Some(Box::new(self.body(*b)?)),
                        None => None,
                    };
                }
                _ => {}
            }
        }
        self.frame().written = written.unwrap_or(before);
        if finally.is_none()
            && let Some(simple) = self.as_value(&typed, &catches, n)
        {
            return Ok(vec![simple]);
        }
        let kind = ExprKind::Try {
            body: Box::new(typed),
            catches,
            finally,
        };
        Ok(vec![stmt(mk(kind, Ty::Unit, span(n)))])
    }

    fn catch(&mut self, n: Node<'t>) -> Understood<Case> {
        let parameter = kids(n).into_iter().find(|k| k.kind() == "catch_formal_parameter");
        let (Some(parameter), Some(body)) = (parameter, field(n, "body")) else {
            return self.refuse(n, "`catch` that cannot be read");
        };
        let mut types = Vec::new();
        for list in kids(parameter).into_iter().filter(|k| k.kind() == "catch_type") {
            for t in kids(list) {
                let ty = self.ty(t)?;
                if !self.throwable(&ty) {
                    return self.refuse(t, format!("catching `{ty}` is not covered"));
                }
                types.push((ty, span(t)));
            }
        }
        let joined = types.iter().map(|(t, _)| t.clone()).reduce(|a, b| lub(&a, &b));
        let (Some(ty), Some(name)) = (joined, name_of(parameter, self.text())) else {
            return self.refuse(n, "`catch` without a type");
        };
        let at = span(parameter);
        let mut tests: Vec<Pattern> = types
            .into_iter()
            .map(|(t, span)| Pattern {
                kind: PatternKind::Typed(t),
                span,
            })
            .collect();
        let test = if tests.len() == 1 {
            tests.remove(0)
        } else {
            Pattern {
                kind: PatternKind::Alternative(tests),
                span: at,
            }
        };
        let (local, body) = self.scoped(|t| {
            let local = t.declare(name, ty);
            Ok((local, t.body(body)?))
        })?;
        let pattern = Pattern {
            kind: PatternKind::Bind(local, Some(Box::new(test))),
            span: at,
        };
        Ok(Case {
            pattern,
            guard: None,
            body,
            span: span(n),
        })
    }

    /// `try { x = e; } catch … { x = d; }` as `x = try e catch … d`, and `try { return e; }` as `return try e`. What the catches
    /// do instead of giving a value leaves the function.
    fn as_value(&mut self, body: &Expr, catches: &[Case], n: Node<'t>) -> Option<Stmt> {
        let at = span(n);
        if catches.is_empty() {
            return None;
        }
        if let Some(Exit::Function(ty)) = self.frame().returns.last().cloned()
            && ty != Ty::Unit
            && let Some(value) = returned(body)
        {
            let kind = value_try(value, catches, &ty, &returned)?;
            let tried = mk(kind, ty, at);
            return Some(stmt(mk(ExprKind::Return(Some(Box::new(tried))), Ty::Nothing, at)));
        }
        let (local, value) = assigned(body)?;
        let ty = self.local_ty(local);
        let same = |e: &Expr| assigned(e).filter(|(l, _)| *l == local).map(|(_, v)| v);
        let kind = value_try(value, catches, &ty, &same)?;
        Some(Stmt::Assign {
            local,
            value: mk(kind, ty, at),
        })
    }
}

/// The `try` with a value whose catches each give one or leave.
fn value_try(body: Expr, catches: &[Case], ty: &Ty, value_of: &dyn Fn(&Expr) -> Option<Expr>) -> Option<ExprKind> {
    let mut out = Vec::new();
    for c in catches {
        let body = match value_of(&c.body) {
            Some(v) => v,
            None if leaves(&c.body) => Expr {
                ty: Ty::Nothing,
                ..c.body.clone()
            },
            None => return None,
        };
        out.push(Case { body, ..c.clone() });
    }
    Some(ExprKind::Try {
        body: Box::new(Expr { ty: ty.clone(), ..body }),
        catches: out,
        finally: None,
    })
}

/// The value of a block that declares variables, then returns; an earlier exit stays one.
fn returned(e: &Expr) -> Option<Expr> {
    let ExprKind::Block(stmts, None) = &e.kind else {
        return None;
    };
    let (last, first) = stmts.split_last()?;
    let Stmt::Expr(last) = last else { return None };
    let ExprKind::Return(Some(value)) = &last.kind else {
        return None;
    };
    if !first.iter().all(|s| matches!(s, Stmt::Let { .. })) {
        return None;
    }
    Some(super::block(first.to_vec(), (**value).clone()))
}

/// The variable and the value of a block that is one assignment.
fn assigned(e: &Expr) -> Option<(LocalId, Expr)> {
    let ExprKind::Block(stmts, None) = &e.kind else {
        return None;
    };
    match &stmts[..] {
        [Stmt::Assign { local, value }] => Some((*local, value.clone())),
        _ => None,
    }
}
