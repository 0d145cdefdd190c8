//! Statements: blocks, conditions, assignments, `throw`.

use super::codes::error_code;
use super::emit::Emit;
use super::loops::Turn;
use super::types::Cpp;
use crate::lang::ast::*;
use crate::lang::ty::{SeqKind, Ty};
use crate::source::{Refusal, Span, Understood};

impl<'p> Emit<'p> {
    /// An expression whose value is dropped.
    pub fn statement(&mut self, e: &'p Expr) -> Understood<()> {
        match &e.kind {
            ExprKind::Block(stmts, value) => {
                stmts.iter().try_for_each(|s| self.stmt(s))?;
                value.iter().try_for_each(|v| self.statement(v))
            }
            ExprKind::If { cond, then, otherwise } => self.if_statement(cond, then, otherwise.as_deref()),
            ExprKind::Throw(what) => self.throw(what, e.span),
            ExprKind::Return(value) => self.return_(value.as_deref(), e.span),
            ExprKind::Lit(_) | ExprKind::Local(_) => Ok(()),
            ExprKind::Call {
                method,
                recv: Some(recv),
                args,
            } if matches!(method.name, "foreach" | "ifPresent") && args.len() == 1 => self.foreach(recv, &args[0]),
            ExprKind::Match { scrutinee, cases } => self.match_as(scrutinee, cases, &Cpp::Void, e.span).map(drop),
            ExprKind::Try {
                body,
                catches,
                finally: None,
            } => self.try_as(body, catches, &Cpp::Void).map(drop),
            _ => {
                let value = self.expr(e)?;
                // A temporary has been evaluated already; anything else may have an effect.
                if value.contains('(') {
                    self.lines.push(Some(e.span), format!("{value};"));
                }
                Ok(())
            }
        }
    }

    fn if_statement(&mut self, cond: &'p Expr, then: &'p Expr, otherwise: Option<&'p Expr>) -> Understood<()> {
        let c = self.expr(cond)?;
        let (yes, ()) = self.apart(|s| s.statement(then))?;
        self.lines.push(Some(cond.span), format!("if ({c}) {{"));
        self.lines.nest(yes);
        if let Some(other) = otherwise {
            let (no, ()) = self.apart(|s| s.statement(other))?;
            if !no.is_empty() {
                self.lines.push(None, "} else {");
                self.lines.nest(no);
            }
        }
        self.lines.push(None, "}");
        Ok(())
    }

    fn throw(&mut self, what: &'p Expr, span: Span) -> Understood<()> {
        let what = super::slots::bare(what);
        let class = match &what.ty {
            Ty::Class(name) => name.as_str(),
            _ => "",
        };
        let made = matches!(&what.kind, ExprKind::Call { method, .. } if method.recv.starts_with("new "));
        let code = error_code(class)
            .filter(|_| made)
            .ok_or_else(|| Refusal::new(span, format!("the error channel has no code for `{}`", what.ty)))?;
        // The message is evaluated too: it may fail itself.
        if let ExprKind::Call { args, .. } = &what.kind {
            for a in args.iter().filter(|a| !harmless(a)) {
                self.statement(a)?;
            }
        }
        self.fail(&code, Some(span));
        Ok(())
    }

    /// One statement of a block.
    pub fn stmt(&mut self, s: &'p Stmt) -> Understood<()> {
        match s {
            Stmt::Expr(e) => self.statement(e),
            Stmt::Let {
                local,
                init,
                lazy: false,
            } => self.assign(*local, init, true),
            Stmt::Assign { local, value } => self.assign(*local, value, false),
            Stmt::Loop {
                cond,
                body,
                update,
                test_first,
                label,
                span,
            } => self.loop_(&Turn {
                cond,
                body,
                update,
                test_first: *test_first,
                label: label.as_ref(),
                span: *span,
            }),
            Stmt::Break(label) => self.leave_loop(label.as_ref(), false),
            Stmt::Continue(label) => self.leave_loop(label.as_ref(), true),
            Stmt::Let { init, .. } => Err(Refusal::new(init.span, "a lazy val is not covered by the cuda tier")),
            Stmt::LetPattern { pattern, init } => self.let_pattern(pattern, init),
            Stmt::SetIndex { array, index, value } => {
                let Cpp::Seq(item) = self.cpp(array)? else {
                    return Err(Refusal::new(array.span, "this array is not covered by the cuda tier"));
                };
                let mut values = self.operands([array, index])?;
                let (inner, text) = self.apart(|s| s.branch(value, &item))?;
                if !inner.is_empty() {
                    for v in &mut values {
                        *v = self.spill(std::mem::take(v), array.span);
                    }
                    self.lines.append(inner);
                }
                let (array_text, index_text) = (&values[0], &values[1]);
                self.lines.push(
                    Some(array.span),
                    format!("rw::seq_set<{}>(row, {array_text}, {index_text}, {text});", item.name()),
                );
                self.leave_on_error();
                Ok(())
            }
        }
    }

    fn assign(&mut self, local: LocalId, value: &'p Expr, first: bool) -> Understood<()> {
        let slot = local.0 as usize;
        // A function value is put in where it is called.
        if first && matches!(self.local_type(slot), Ty::Fn(..)) && !self.locals()[slot].mutable {
            self.lambdas.insert(slot, super::slots::bare(value));
            return Ok(());
        }
        let ty = Cpp::of(self.local_type(slot), value.span)?;
        let name = self.local_name(slot);
        match &ty {
            Cpp::Void => self.statement(value),
            Cpp::Builder | Cpp::Buffer(_) => self.fresh(&name, &ty, value),
            Cpp::Matcher => {
                let text = self.expr(value)?;
                if super::values::is_variable(&text) {
                    return Err(Refusal::new(
                        value.span,
                        "two names for one object that changes are not covered by the cuda tier",
                    ));
                }
                self.lines.push(Some(value.span), format!("{name} = {text};"));
                Ok(())
            }
            _ => {
                let text = self.branch(value, &ty)?;
                if !text.is_empty() {
                    self.lines.push(Some(value.span), format!("{name} = {text};"));
                }
                Ok(())
            }
        }
    }

    /// `new StringBuilder`, `new ArrayList`, `ListBuffer()`.
    pub(super) fn fresh(&mut self, name: &str, ty: &Cpp, value: &'p Expr) -> Understood<()> {
        let value = super::slots::bare(value);
        let made = match &value.kind {
            ExprKind::Call {
                method,
                recv: None,
                args,
            } if method.recv.starts_with("new ") || matches!(method.name, "empty" | "newBuilder" | "apply") => {
                Some(args)
            }
            ExprKind::SeqLit(items) => Some(items),
            _ => None,
        };
        let Some(args) = made else {
            return Err(Refusal::new(
                value.span,
                format!("only a new {} is covered by the cuda tier", value.ty),
            ));
        };
        self.partial = true;
        self.lines.push(Some(value.span), format!("{name} = {}();", ty.name()));
        let items: &[Expr] = match args.as_slice() {
            [
                Expr {
                    kind: ExprKind::SeqLit(items),
                    ..
                },
            ] => items,
            other => other,
        };
        for a in items {
            match (ty, &a.ty) {
                // A capacity; a negative one throws.
                (_, Ty::Prim(_)) if matches!(&value.kind, ExprKind::Call { method, .. } if method.recv.starts_with("new ")) =>
                {
                    let size = self.expr(a)?;
                    if !matches!(&a.kind, ExprKind::Lit(_)) {
                        let code = match ty {
                            Cpp::Builder => "kNegativeArraySizeException",
                            _ => "kIllegalArgumentException",
                        };
                        self.line(format!("if ({size} < 0) row.fail(rw::{code});"));
                        self.leave_on_error();
                    }
                }
                (Cpp::Builder, Ty::String) => {
                    let text = self.expr(a)?;
                    let text = self.spill(text, a.span);
                    self.checked(format!("rw::length(row, {text})"), a.span);
                    self.line(format!("{name}.append(row, {text});"));
                    self.leave_on_error();
                }
                (Cpp::Buffer(item), _) if !matches!(a.ty, Ty::Seq(SeqKind::JavaList, _)) => {
                    let text = self.branch(a, item)?;
                    self.line(format!("{name}.add(row, {text});"));
                    self.leave_on_error();
                }
                _ => {
                    return Err(Refusal::new(
                        a.span,
                        format!("only an empty new {} is covered by the cuda tier", value.ty),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Whether a message can be left out: nothing in it can fail.
pub(super) fn harmless(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Local(_) => true,
        ExprKind::Concat(parts) => parts.iter().all(harmless),
        ExprKind::Convert(Conv::Box(_) | Conv::Prim { .. }, a) | ExprKind::Cast(a, Ty::Any) => harmless(a),
        ExprKind::Block(stmts, Some(a)) => stmts.is_empty() && harmless(a),
        ExprKind::Lambda { params, body } => params.is_empty() && harmless(body),
        _ => false,
    }
}
