//! `if`, `match`, `try`, `throw`, `return`: branches meet in the expected type, or in the weak least upper bound.

use tree_sitter::Node;

use super::cst::{field, field_all, kids, span};
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Case, Expr, ExprKind};
use crate::lang::ty::Ty;
use crate::source::{Span, Understood};

impl<'t> Typer<'t> {
    /// `if`.
    pub(super) fn if_(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let (Some(cond), Some(then)) = (field(n, "condition"), field(n, "consequence")) else {
            return self.refuse(n, "`if` that cannot be read");
        };
        let cond = Box::new(self.checked(cond, &Ty::BOOLEAN)?);
        let Some(other) = field(n, "alternative") else {
            let then = self.expr(then, Some(&Ty::Unit))?;
            let then = Box::new(self.coerce(then, &Ty::Unit)?);
            let kind = ExprKind::If {
                cond,
                then,
                otherwise: None,
            };
            return Ok(mk(kind, Ty::Unit, span(n)));
        };
        let branches = vec![self.branch(then, hint)?, self.branch(other, hint)?];
        let (mut branches, ty) = self.meet_branches(branches, hint)?;
        let otherwise = branches.pop().map(Box::new);
        match branches.pop() {
            Some(then) => {
                let then = Box::new(then);
                Ok(mk(ExprKind::If { cond, then, otherwise }, ty, span(n)))
            }
            None => self.refuse(n, "`if` that cannot be read"),
        }
    }

    fn branch(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let e = self.expr(n, hint)?;
        match hint {
            Some(h) if !lookup::is_open(h) => self.coerce(e, h),
            Some(h) => self.fit_open(e, h),
            None => Ok(e),
        }
    }

    /// Converts branches to their common type.
    fn meet_branches(&mut self, branches: Vec<Expr>, hint: Option<&Ty>) -> Understood<(Vec<Expr>, Ty)> {
        let ty = match hint {
            Some(h) if !lookup::is_open(h) => h.clone(),
            _ => self.join(&branches.iter().map(|b| b.ty.clone()).collect::<Vec<_>>()),
        };
        let branches = branches
            .into_iter()
            .map(|b| self.coerce(b, &ty))
            .collect::<Understood<Vec<Expr>>>()?;
        Ok((branches, ty))
    }

    /// `x match { … }`.
    pub(super) fn match_(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let (Some(value), Some(body)) = (field(n, "value"), field(n, "body")) else {
            return self.refuse(n, "`match` that cannot be read");
        };
        if body.kind() != "case_block" {
            return self.refuse(body, "cases by indentation are not Scala 2");
        }
        let scrutinee = self.expr(value, None)?;
        self.cases(scrutinee, body, hint, span(n))
    }

    /// A match over the cases of a block.
    pub(super) fn cases(&mut self, scrutinee: Expr, block: Node<'t>, hint: Option<&Ty>, at: Span) -> Understood<Expr> {
        let (cases, ty) = self.case_list(&kids(block), &scrutinee.ty.clone(), hint)?;
        let kind = ExprKind::Match {
            scrutinee: Box::new(scrutinee),
            cases,
        };
        Ok(mk(kind, ty, at))
    }

    fn case_list(&mut self, nodes: &[Node<'t>], scrutinee: &Ty, hint: Option<&Ty>) -> Understood<(Vec<Case>, Ty)> {
        let mut heads = Vec::new();
        let mut bodies = Vec::new();
        for c in nodes {
            if c.kind() != "case_clause" {
                return self.refuse(*c, "case that cannot be read");
            }
            self.push_scope();
            let case = self.case(*c, scrutinee, hint);
            self.pop_scope();
            let (pattern, guard, body) = case?;
            heads.push((pattern, guard, span(*c)));
            bodies.push(body);
        }
        let (bodies, ty) = self.meet_branches(bodies, hint)?;
        let cases = heads
            .into_iter()
            .zip(bodies)
            .map(|((pattern, guard, span), body)| Case {
                pattern,
                guard,
                body,
                span,
            });
        Ok((cases.collect(), ty))
    }

    fn case(
        &mut self,
        c: Node<'t>,
        scrutinee: &Ty,
        hint: Option<&Ty>,
    ) -> Understood<(crate::lang::ast::Pattern, Option<Expr>, Expr)> {
        let Some(pattern) = field(c, "pattern") else {
            return self.refuse(c, "case without a pattern");
        };
        let pattern = self.pattern(pattern, scrutinee)?;
        let guard = kids(c)
            .into_iter()
            .find(|k| k.kind() == "guard")
            .and_then(|g| field(g, "condition"));
        let guard = guard.map(|g| self.checked(g, &Ty::BOOLEAN)).transpose()?;
        let stmts = field_all(c, "body");
        let body = match stmts[..] {
            [only] => self.branch(only, hint)?,
            _ => self.statements(&stmts, span(c), hint)?,
        };
        Ok((pattern, guard, body))
    }

    /// `try`.
    pub(super) fn try_(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let Some(body) = field(n, "body") else {
            return self.refuse(n, "`try` without a body");
        };
        let parts = kids(n);
        let mut branches = vec![self.branch(body, hint)?];
        let mut heads = Vec::new();
        if let Some(clause) = parts.iter().find(|k| k.kind() == "catch_clause") {
            let block = kids(*clause);
            let [block] = block[..] else {
                return self.refuse(*clause, "`catch` that cannot be read");
            };
            if block.kind() != "case_block" {
                return self.refuse(*clause, "`catch` without cases is not covered");
            }
            let throwable = Ty::Class("Throwable".into());
            for c in kids(block) {
                self.push_scope();
                let case = self.case(c, &throwable, hint);
                self.pop_scope();
                let (pattern, guard, body) = case?;
                heads.push((pattern, guard, span(c)));
                branches.push(body);
            }
        }
        let (mut branches, ty) = self.meet_branches(branches, hint)?;
        let catches = branches.split_off(1);
        let catches = heads
            .into_iter()
            .zip(catches)
            .map(|((pattern, guard, span), body)| Case {
                pattern,
                guard,
                body,
                span,
            });
        let catches: Vec<Case> = catches.collect();
        let finally = match parts
            .iter()
            .find(|k| k.kind() == "finally_clause")
            .and_then(|f| kids(*f).first().copied())
        {
            Some(f) => Some(Box::new(self.checked(f, &Ty::Unit)?)),
            None => None,
        };
        match branches.pop() {
            Some(body) => {
                let body = Box::new(body);
                Ok(mk(ExprKind::Try { body, catches, finally }, ty, span(n)))
            }
            None => self.refuse(n, "`try` that cannot be read"),
        }
    }

    /// `throw`.
    pub(super) fn throw(&mut self, n: Node<'t>) -> Understood<Expr> {
        let Some(value) = kids(n).first().copied() else {
            return self.refuse(n, "`throw` without a value");
        };
        let e = self.checked(value, &Ty::Class("Throwable".into()))?;
        Ok(mk(ExprKind::Throw(Box::new(e)), Ty::Nothing, span(n)))
    }

    /// `return`.
    pub(super) fn return_(&mut self, n: Node<'t>) -> Understood<Expr> {
        let Some(ret) = self.frame().ret.clone() else {
            return self.refuse(n, "`return` outside of a method with a written result type");
        };
        let value = match kids(n).first().copied() {
            Some(v) => Some(Box::new(self.checked(v, &ret)?)),
            None => None,
        };
        Ok(mk(ExprKind::Return(value), Ty::Nothing, span(n)))
    }
}
