//! Statements: blocks, loops, assignments, `throw`, `return`.

use super::emit::Emit;
use super::lines::Lines;
use super::types::Cpp;
use crate::lang::ast::*;
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};

/// The code of an exception class that the error channel knows.
pub(super) fn error_code(class: &str) -> Option<&'static str> {
    const KNOWN: [&str; 14] = [
        "kNullPointerException",
        "kArithmeticException",
        "kStringIndexOutOfBoundsException",
        "kArrayIndexOutOfBoundsException",
        "kNumberFormatException",
        "kMatchError",
        "kIllegalArgumentException",
        "kNoSuchElementException",
        "kRuntimeException",
        "kIllegalStateException",
        "kUnsupportedOperationException",
        "kNegativeArraySizeException",
        "kIndexOutOfBoundsException",
        "kException",
    ];
    KNOWN.into_iter().find(|k| &k[1..] == class)
}

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
            ExprKind::Call { method, recv, args } if self.is_foreach(method, recv.as_deref(), args) => {
                self.foreach(recv.as_deref(), args, e.span)
            }
            ExprKind::Match { scrutinee, cases } if e.ty == Ty::Unit || e.ty == Ty::Nothing => {
                self.match_value(scrutinee, cases, e).map(drop)
            }
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

    fn throw(&mut self, what: &Expr, span: Span) -> Understood<()> {
        let class = match &what.ty {
            Ty::Class(name) => name.as_str(),
            _ => "",
        };
        let code = error_code(class)
            .ok_or_else(|| Refusal::new(span, format!("the error channel has no code for `{}`", what.ty)))?;
        self.lines.push(Some(span), format!("row.fail(rw::{code});"));
        let bail = self.ret.bail();
        self.lines.push(None, bail);
        Ok(())
    }

    fn return_(&mut self, value: Option<&'p Expr>, span: Span) -> Understood<()> {
        if self.in_try > 0 {
            return Err(Refusal::new(
                span,
                "`return` out of a `try` is not covered by the cuda tier",
            ));
        }
        match value {
            None => self.lines.push(Some(span), "return;"),
            Some(v) => {
                let text = self.branch(v, self.ret)?;
                if !text.is_empty() {
                    self.lines.push(Some(span), format!("return {text};"));
                }
            }
        }
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
            } => self.assign(*local, init),
            Stmt::Assign { local, value } => self.assign(*local, value),
            Stmt::Loop {
                cond,
                body,
                update,
                test_first,
                label: None,
                span,
            } => self.loop_(cond, body, update, *test_first, *span),
            Stmt::Break(None) => {
                self.lines.push(None, "break;");
                Ok(())
            }
            Stmt::Let { init, .. } => Err(Refusal::new(init.span, "a lazy val is not covered by the cuda tier")),
            Stmt::LetPattern { init, .. } => {
                Err(Refusal::new(init.span, "a val pattern is not covered by the cuda tier"))
            }
            Stmt::SetIndex { array, .. } => Err(Refusal::new(array.span, "arrays are not covered by the cuda tier")),
            Stmt::Loop { span, .. } => Err(Refusal::new(*span, "labels are not covered by the cuda tier")),
            Stmt::Break(_) | Stmt::Continue(_) => Err(Refusal::new(
                Span::default(),
                "`continue` and labels are not covered by the cuda tier",
            )),
        }
    }

    fn assign(&mut self, local: LocalId, value: &'p Expr) -> Understood<()> {
        let slot = local.0 as usize;
        let ty = Cpp::of(&self.local_type(slot), value.span)?;
        let name = self.local_name(slot);
        match ty {
            Cpp::Void => self.statement(value),
            Cpp::Builder => {
                // Only `new StringBuilder` makes one: it takes the scratch memory that is left.
                let made = matches!(&value.kind, ExprKind::Call { method, args, .. }
                    if method.recv.starts_with("new ") && args.is_empty());
                if !made {
                    return Err(Refusal::new(
                        value.span,
                        "only an empty `new StringBuilder` is covered by the cuda tier",
                    ));
                }
                self.partial = true;
                self.lines.push(Some(value.span), format!("rw::Builder {name}(row);"));
                Ok(())
            }
            _ => {
                let text = self.branch(value, ty)?;
                if !text.is_empty() {
                    self.lines.push(Some(value.span), format!("{name} = {text};"));
                }
                Ok(())
            }
        }
    }

    fn loop_(
        &mut self,
        cond: &'p Expr,
        body: &'p Expr,
        update: &'p [Stmt],
        test_first: bool,
        span: Span,
    ) -> Understood<()> {
        let (before, c) = self.apart(|s| s.expr(cond))?;
        let (mut inside, ()) = self.apart(|s| s.statement(body))?;
        let (after, ()) = self.apart(|s| update.iter().try_for_each(|u| s.stmt(u)))?;
        if test_first && before.is_empty() {
            inside.append(after);
            self.lines.push(Some(span), format!("while ({c}) {{"));
            self.lines.nest(inside);
            self.lines.push(None, "}");
            return Ok(());
        }
        let mut test = before;
        test.push(Some(cond.span), format!("if (!{c}) break;"));
        let mut whole = Lines::default();
        if test_first {
            whole.append(test);
            whole.append(inside);
            whole.append(after);
        } else {
            whole.append(inside);
            whole.append(after);
            whole.append(test);
        }
        self.lines.push(Some(span), "for (;;) {");
        self.lines.nest(whole);
        self.lines.push(None, "}");
        Ok(())
    }

    /// `for (i <- a until b) …` and `for (c <- text) …`.
    fn is_foreach(&self, method: &crate::jvm::table::Method, recv: Option<&Expr>, args: &[Expr]) -> bool {
        method.name == "foreach"
            && recv.is_some()
            && matches!(
                args,
                [Expr {
                    kind: ExprKind::Lambda { .. },
                    ..
                }]
            )
    }

    fn foreach(&mut self, recv: Option<&'p Expr>, args: &'p [Expr], span: Span) -> Understood<()> {
        let (
            Some(recv),
            [
                Expr {
                    kind: ExprKind::Lambda { params, body },
                    ..
                },
            ],
        ) = (recv, args)
        else {
            return Err(Refusal::new(span, "this `foreach` is not covered by the cuda tier"));
        };
        let item = self.local_name(params[0].0 as usize);
        if let ExprKind::Call {
            method,
            recv: Some(from),
            args,
        } = &recv.kind
            && matches!(method.name, "until" | "to")
            && from.ty == Ty::INT
        {
            let bounds = self.operands(std::iter::once(from.as_ref()).chain(&args[..1]))?;
            let (low, high) = (
                self.spill(bounds[0].clone(), from.span),
                self.spill(bounds[1].clone(), args[0].span),
            );
            let test = if method.name == "until" { "<" } else { "<=" };
            // In 64 bits, so that `to Int.MaxValue` ends.
            let counter = self.temp();
            let head = format!("for (int64_t {counter} = {low}; {counter} {test} {high}; ++{counter}) {{");
            self.lines.push(Some(recv.span), head);
            let (mut inside, ()) = self.apart(|s| {
                s.lines.push(None, format!("{item} = static_cast<int32_t>({counter});"));
                s.statement(body)
            })?;
            self.lines.nest(std::mem::take(&mut inside));
            self.lines.push(None, "}");
            return Ok(());
        }
        if recv.ty == Ty::String {
            let text = self.expr(recv)?;
            let (text, counter) = (self.spill(text, recv.span), self.temp());
            let end = self.checked(format!("rw::length(row, {text})"), recv.span);
            self.lines.push(
                Some(recv.span),
                format!("for (int32_t {counter} = 0; {counter} < {end}; ++{counter}) {{"),
            );
            let (inside, ()) = self.apart(|s| {
                s.lines
                    .push(None, format!("{item} = rw::char_at(row, {text}, {counter});"));
                s.statement(body)
            })?;
            self.lines.nest(inside);
            self.lines.push(None, "}");
            return Ok(());
        }
        Err(Refusal::new(
            recv.span,
            format!("walking a value of type {} is not covered by the cuda tier", recv.ty),
        ))
    }
}

/// Whether `break` or `continue` stands inside, outside of a loop of its own: in C++ it would leave the wrong block.
pub(super) fn breaks(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Block(stmts, value) => {
            let direct = stmts.iter().any(|s| match s {
                Stmt::Break(_) | Stmt::Continue(_) => true,
                Stmt::Expr(e) => breaks(e),
                _ => false,
            });
            direct || value.as_deref().is_some_and(breaks)
        }
        ExprKind::If { then, otherwise, .. } => breaks(then) || otherwise.as_deref().is_some_and(breaks),
        _ => false,
    }
}
