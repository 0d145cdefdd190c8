//! Statements. In: statement nodes; out: typed statements.

use tree_sitter::Node;

use super::cst::{dimensions, field, field_all, kids, name_of, span, text};
use super::exits::{default_of, leaves};
use super::types::arrays;
use super::{Exit, Target, TargetKind, Typer, mk, stmt};
use crate::lang::ast::{Expr, ExprKind, Lit, Stmt};
use crate::lang::ty::Ty;
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// Statements in order.
    pub(super) fn statements(&mut self, nodes: &[Node<'t>]) -> Understood<Vec<Stmt>> {
        let mut out = Vec::new();
        for n in nodes {
            out.extend(self.statement(*n)?);
        }
        Ok(out)
    }

    /// A statement as an expression without a value.
    pub(super) fn body(&mut self, n: Node<'t>) -> Understood<Expr> {
        let nodes = if n.kind() == "block" { kids(n) } else { vec![n] };
        let stmts = self.scoped(|t| t.statements(&nodes))?;
        Ok(mk(ExprKind::Block(stmts, None), Ty::Unit, span(n)))
    }

    pub(super) fn statement(&mut self, n: Node<'t>) -> Understood<Vec<Stmt>> {
        self.depth += 1;
        let result = if self.depth > super::MAX_DEPTH {
            self.refuse(n, "nested too deeply")
        } else {
            self.statement_kind(n)
        };
        self.depth -= 1;
        result
    }

    fn statement_kind(&mut self, n: Node<'t>) -> Understood<Vec<Stmt>> {
        match n.kind() {
            "block" => Ok(vec![stmt(self.body(n)?)]),
            "local_variable_declaration" => self.declaration(n),
            "expression_statement" => match kids(n).first() {
                Some(e) => self.effect(*e),
                None => Ok(Vec::new()),
            },
            "if_statement" => self.if_statement(n),
            "return_statement" => Ok(vec![self.return_statement(n)?].into_iter().flatten().collect()),
            "throw_statement" => Ok(vec![stmt(self.throw(n)?)]),
            "while_statement" | "do_statement" | "for_statement" | "enhanced_for_statement" => {
                self.loop_statement(n, None)
            }
            "labeled_statement" => self.labelled(n),
            "break_statement" | "continue_statement" => Ok(vec![self.jump(n)?]),
            "switch_expression" | "switch_statement" => self.switch_statement(n),
            "yield_statement" => self.yield_statement(n),
            "try_statement" => self.try_statement(n),
            "try_with_resources_statement" => self.refuse(n, "`try` with resources is not covered"),
            "synchronized_statement" => match field(n, "body") {
                Some(body) => Ok(vec![stmt(self.body(body)?)]),
                None => Ok(Vec::new()),
            },
            // Assertions are off unless the JVM is told otherwise.
            "assert_statement"
            | ";"
            | "class_declaration"
            | "record_declaration"
            | "enum_declaration"
            | "interface_declaration" => Ok(Vec::new()),
            other => self.refuse(n, format!("{} is not covered", other.replace('_', " "))),
        }
    }

    /// An expression whose value is dropped.
    pub(super) fn effect(&mut self, n: Node<'t>) -> Understood<Vec<Stmt>> {
        match n.kind() {
            "assignment_expression" | "update_expression" => {
                let e = if n.kind() == "update_expression" {
                    self.update(n, false)?
                } else {
                    self.assignment(n, false)?
                };
                match e.kind {
                    ExprKind::Block(stmts, None) => Ok(stmts),
                    kind => Ok(vec![stmt(Expr { kind, ..e })]),
                }
            }
            "method_invocation" => match self.writable_set(n)? {
                Some(stmts) => Ok(stmts),
                None => Ok(vec![stmt(self.expr(n, None)?)]),
            },
            _ => Ok(vec![stmt(self.expr(n, None)?)]),
        }
    }

    fn declaration(&mut self, n: Node<'t>) -> Understood<Vec<Stmt>> {
        let Some(written) = field(n, "type") else {
            return self.refuse(n, "declaration without a type");
        };
        let inferred = written.kind() == "type_identifier" && text(written, self.text()) == "var";
        let mut out = Vec::new();
        for d in field_all(n, "declarator") {
            let name = name_of(d, self.text()).unwrap_or("_").to_owned();
            let value = field(d, "value");
            let (ty, init) = if inferred {
                let Some(value) = value else {
                    return self.refuse(d, "`var` without a value");
                };
                let init = self.expr(value, None)?;
                (init.ty.clone(), init)
            } else {
                let base = self.ty(written)?;
                let ty = arrays(base, dimensions(d, self.text()));
                let init = match value {
                    Some(v) => {
                        let e = self.expr(v, Some(&ty))?;
                        self.assigned(e, &ty, v)?
                    }
                    None => default_of(&ty, span(d)),
                };
                (ty, init)
            };
            if ty == Ty::Null || ty == Ty::Unit {
                return self.refuse(d, "a variable whose type cannot be told");
            }
            let local = self.declare(&name, ty);
            out.push(Stmt::Let {
                local,
                init,
                lazy: false,
            });
        }
        Ok(out)
    }

    fn if_statement(&mut self, n: Node<'t>) -> Understood<Vec<Stmt>> {
        let (Some(c), Some(a)) = (field(n, "condition"), field(n, "consequence")) else {
            return self.refuse(n, "`if` that cannot be read");
        };
        let cond = self.truth(c)?;
        let before = self.frame().written.clone();
        let then = self.scoped(|t| {
            t.bind_patterns(c, true);
            t.body(a)
        })?;
        let after_then = std::mem::replace(&mut self.frame().written, before);
        let other = match field(n, "alternative") {
            Some(b) => Some(self.scoped(|t| {
                t.bind_patterns(c, false);
                t.body(b)
            })?),
            None => None,
        };
        let (then_leaves, other_leaves) = (leaves(&then), other.as_ref().is_some_and(leaves));
        if then_leaves {
            self.bind_patterns(c, false);
        }
        let frame = self.frame();
        frame.written = match (then_leaves, other_leaves) {
            (true, _) => std::mem::take(&mut frame.written),
            (false, true) => after_then,
            (false, false) => frame.written.intersection(&after_then).copied().collect(),
        };
        let kind = ExprKind::If {
            cond: Box::new(cond),
            then: Box::new(then),
            otherwise: other.map(Box::new),
        };
        Ok(vec![stmt(mk(kind, Ty::Unit, span(n)))])
    }

    fn return_statement(&mut self, n: Node<'t>) -> Understood<Option<Stmt>> {
        let at = span(n);
        let value = kids(n).first().copied();
        let exit = self.frame().returns.last().cloned();
        match exit {
            Some(Exit::Function(ty)) => {
                let value = match value {
                    Some(v) => {
                        let e = self.expr(v, Some(&ty))?;
                        Some(Box::new(self.assigned(e, &ty, v)?))
                    }
                    None => None,
                };
                Ok(Some(stmt(mk(ExprKind::Return(value), Ty::Nothing, at))))
            }
            Some(Exit::Slot { .. }) => self.leave_with(n, value).map(Some),
            _ => self.refuse(n, "`return` is not covered here"),
        }
    }

    fn yield_statement(&mut self, n: Node<'t>) -> Understood<Vec<Stmt>> {
        let value = kids(n).first().copied();
        Ok(vec![self.leave_with(n, value)?])
    }

    /// Stores a value in the slot of the innermost exit and leaves its loop.
    fn leave_with(&mut self, n: Node<'t>, value: Option<Node<'t>>) -> Understood<Stmt> {
        let Some(Exit::Slot { slot, ty, label }) = self.frame().returns.last().cloned() else {
            return self.refuse(n, "an exit is not covered here");
        };
        let mut stmts = Vec::new();
        if let Some(v) = value {
            let e = self.expr(v, Some(&ty))?;
            let value = self.assigned(e, &ty, v)?;
            stmts.push(Stmt::Assign { local: slot, value });
        }
        stmts.push(Stmt::Break(Some(label)));
        Ok(stmt(mk(ExprKind::Block(stmts, None), Ty::Nothing, span(n))))
    }

    pub(super) fn throw(&mut self, n: Node<'t>) -> Understood<Expr> {
        let Some(value) = kids(n).first().copied() else {
            return self.refuse(n, "`throw` without a value");
        };
        let e = self.expr(value, None)?;
        if !self.throwable(&e.ty) {
            return self.refuse(value, format!("throwing `{}` is not covered", e.ty));
        }
        Ok(mk(ExprKind::Throw(Box::new(e)), Ty::Nothing, span(n)))
    }

    fn labelled(&mut self, n: Node<'t>) -> Understood<Vec<Stmt>> {
        let parts = kids(n);
        let [name, inner] = parts[..] else {
            return self.refuse(n, "label that cannot be read");
        };
        let label = text(name, self.text()).to_owned();
        if inner.kind().ends_with("for_statement") || matches!(inner.kind(), "while_statement" | "do_statement") {
            return self.loop_statement(inner, Some(label));
        }
        let emitted = self.fresh_label();
        self.frame().targets.push(Target {
            label: Some(label),
            emitted: emitted.clone(),
            kind: TargetKind::Block,
            used: true,
        });
        let body = self.body(inner);
        self.frame().targets.pop();
        Ok(vec![once(body?, emitted)])
    }

    /// `break` and `continue`.
    fn jump(&mut self, n: Node<'t>) -> Understood<Stmt> {
        let wanted = kids(n).first().map(|l| text(*l, self.text()).to_owned());
        let leaves_loop = n.kind() == "break_statement";
        let targets = &mut self.frame().targets;
        let found = targets.iter().rposition(|t| match &wanted {
            Some(label) => t.label.as_ref() == Some(label),
            None if leaves_loop => t.kind != TargetKind::Block,
            None => t.kind == TargetKind::Loop,
        });
        let Some(i) = found else {
            return self.refuse(n, "a jump whose target is not here");
        };
        let innermost = i + 1 == targets.len();
        let label = if innermost {
            None
        } else {
            targets[i].used = true;
            Some(targets[i].emitted.clone())
        };
        Ok(if leaves_loop {
            Stmt::Break(label)
        } else {
            Stmt::Continue(label)
        })
    }
}

/// A loop of one turn, which labelled breaks leave.
pub(super) fn once(body: Expr, label: String) -> Stmt {
    let at = body.span;
    let mut stmts = vec![stmt(body)];
    if super::exits::completes(&stmts) {
        stmts.push(Stmt::Break(None));
    }
    Stmt::Loop {
        cond: mk(ExprKind::Lit(Lit::Bool(true)), Ty::BOOLEAN, at),
        body: Box::new(mk(ExprKind::Block(stmts, None), Ty::Unit, at)),
        update: Vec::new(),
        test_first: true,
        label: Some(label),
        span: at,
    }
}
