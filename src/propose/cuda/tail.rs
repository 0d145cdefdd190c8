//! The end of a function, and calls of itself that stand there. In: the body; out: lines that return. A call of the function itself
//! in any other place is a call, down to a depth that the device's stack bounds.

use super::emit::Emit;
use super::types::Cpp;
use crate::lang::ast::*;
use crate::lang::visit::walk;
use crate::source::{Refusal, SourceFile, Understood};

impl<'p> Emit<'p> {
    /// The whole body of a function.
    pub(super) fn whole_body(&mut self, body: &'p Expr) -> Understood<()> {
        if self.again {
            if self.counted {
                let bail = self.ret.bail();
                self.line("int32_t rw_turns = 0;");
                self.line("again:;");
                self.line(format!("if (rw::too_often(row, rw_turns)) {bail}"));
                self.partial = true;
            } else {
                self.line("again:;");
            }
            return self.tail(body);
        }
        self.last(body)
    }

    /// A value that is returned.
    fn last(&mut self, e: &'p Expr) -> Understood<()> {
        let ty = self.ret.clone();
        if ty == Cpp::Void {
            return self.statement(e);
        }
        let value = self.branch(e, &ty)?;
        if !value.is_empty() {
            self.lines.push(Some(e.span), format!("return {value};"));
        }
        Ok(())
    }

    /// An expression in tail position, where calls of the function itself go back to its start.
    pub(super) fn tail(&mut self, e: &'p Expr) -> Understood<()> {
        match &e.kind {
            ExprKind::Block(stmts, Some(value)) => {
                stmts.iter().try_for_each(|s| self.stmt(s))?;
                self.tail(value)
            }
            ExprKind::If {
                cond,
                then,
                otherwise: Some(other),
            } => {
                let c = self.expr(cond)?;
                self.block(Some(cond.span), &format!("if ({c})"), |s| s.tail(then))?;
                self.block(None, "else", |s| s.tail(other))
            }
            ExprKind::Match { scrutinee, cases } => self.match_tail(scrutinee, cases, e.span),
            ExprKind::CallFn { func, args } if Some(*func) == self.function && self.again => self.start_again(args),
            _ if self.ret == Cpp::Void => {
                self.statement(e)?;
                self.lines.push(None, "return;");
                Ok(())
            }
            _ => self.last(e),
        }
    }

    /// New values for the parameters, and back to the start.
    fn start_again(&mut self, args: &'p [Expr]) -> Understood<()> {
        let Some(id) = self.function else { return Ok(()) };
        let params = &self.program.functions[id.0 as usize].params;
        let values = self.operands_as(args.iter().zip(params).map(|(a, p)| (a, &p.ty)))?;
        let mut fresh = Vec::new();
        for (slot, (value, a)) in values.into_iter().zip(args).enumerate() {
            let name = self.local_name(slot);
            match self.cpp(a).is_ok_and(|c| c.stays()) {
                true if value != name => {
                    return Err(Refusal::new(
                        a.span,
                        "another object that changes in a recursive call is not covered",
                    ));
                }
                true => {}
                false if value == name => {}
                false => fresh.push((name, self.spill(value, a.span))),
            }
        }
        for (name, value) in fresh {
            self.line(format!("{name} = {value};"));
        }
        self.line("goto again;");
        Ok(())
    }
}

/// Whether a function calls itself, and whether all these calls stand in tail position.
pub(super) fn recursion(body: &Expr, id: FnId) -> Option<bool> {
    let mut calls = 0;
    walk(body, &mut |e| {
        if matches!(&e.kind, ExprKind::CallFn { func, .. } | ExprKind::FnRef(func) if *func == id) {
            calls += 1;
        }
    });
    (calls > 0).then(|| tails(body, id) == calls)
}

/// Whether a call of a function that ends it is a jump in the JVM's code, too: Scala's compiler makes one where the method cannot be
/// overridden, Java's never does. Everywhere else each call takes a frame of a stack that has an end.
pub(super) fn is_loop(program: &Program, id: FnId, source: &SourceFile) -> bool {
    let function = &program.functions[id.0 as usize];
    let range = function.span.start as usize..function.span.end as usize;
    let text = source.text.get(range).unwrap_or_default();
    let before = text.split("def ").next().unwrap_or_default();
    program.dialect == Dialect::Scala
        && (function.parent.is_some() || ["tailrec", "final", "private"].iter().any(|word| before.contains(word)))
}

/// Whether a function calls itself in tail position.
pub(super) fn starts_again(body: &Expr, id: FnId) -> bool {
    tails(body, id) > 0
}

fn tails(e: &Expr, id: FnId) -> usize {
    match &e.kind {
        ExprKind::CallFn { func, .. } if *func == id => 1,
        ExprKind::Block(stmts, Some(value)) => stmts.iter().map(|s| returned(s, id)).sum::<usize>() + tails(value, id),
        ExprKind::If {
            then,
            otherwise: Some(other),
            ..
        } => tails(then, id) + tails(other, id),
        ExprKind::Match { cases, .. } => cases.iter().map(|c| tails(&c.body, id)).sum(),
        _ => leaving(e, id),
    }
}

/// Those behind a `return`.
fn leaving(e: &Expr, id: FnId) -> usize {
    match &e.kind {
        ExprKind::Return(Some(value)) => tails(value, id),
        ExprKind::Block(stmts, value) => {
            stmts.iter().map(|s| returned(s, id)).sum::<usize>() + value.as_ref().map_or(0, |v| leaving(v, id))
        }
        ExprKind::If { then, otherwise, .. } => leaving(then, id) + otherwise.as_ref().map_or(0, |o| leaving(o, id)),
        ExprKind::Match { cases, .. } => cases.iter().map(|c| leaving(&c.body, id)).sum(),
        // A `return` inside a `try` or a function value leaves a closure.
        _ => 0,
    }
}

fn returned(s: &Stmt, id: FnId) -> usize {
    match s {
        Stmt::Expr(e) => leaving(e, id),
        Stmt::Loop { body, .. } => leaving(body, id),
        _ => 0,
    }
}
