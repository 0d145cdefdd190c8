//! Bodies whose exits are values: lambdas with a block, blocks of a `switch` expression, bodies of functions. In: statements;
//! out: one expression. A `return` in tail position becomes a branch of the value; any other leaves a loop of one turn.

use tree_sitter::Node;

use super::cst::{field, kids, span};
use super::{Exit, Target, TargetKind, Typer, block, mk};
use crate::lang::ast::{Expr, ExprKind, Lit, Stmt};
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

impl<'t> Typer<'t> {
    /// The value of statements that end in `exit` statements (`return` or `yield`), of a type if one is known.
    pub(super) fn value_of(&mut self, nodes: &[Node<'t>], exit: &str, ty: Option<&Ty>, at: Span) -> Understood<Expr> {
        let no_value = matches!(ty, None | Some(Ty::Unit));
        if no_value && !nodes.iter().any(|n| holds_exit(*n, exit)) {
            let stmts = self.scoped(|t| t.statements(nodes))?;
            return Ok(mk(ExprKind::Block(stmts, None), Ty::Unit, at));
        }
        if tail_form(nodes, exit) {
            self.frame().returns.push(Exit::Value);
            let value = self.scoped(|t| t.tail_value(nodes, exit, ty, at));
            self.frame().returns.pop();
            return value;
        }
        let Some(ty) = ty.cloned() else {
            return Err(crate::source::Refusal::new(
                at,
                "a block with several exits whose type is not known is not covered",
            ));
        };
        self.one_turn(nodes, &ty, at)
    }

    /// Statements in tail form as a value.
    fn tail_value(&mut self, nodes: &[Node<'t>], exit: &str, ty: Option<&Ty>, at: Span) -> Understood<Expr> {
        let mut stmts = Vec::new();
        for (i, n) in nodes.iter().enumerate() {
            if n.kind() == exit {
                let value = match kids(*n).first() {
                    Some(v) => self.exit_value(*v, ty)?,
                    None => mk(ExprKind::Lit(Lit::Unit), Ty::Unit, span(*n)),
                };
                return Ok(block(stmts, value));
            }
            if n.kind() == "block" && holds_exit(*n, exit) {
                let inner = kids(*n);
                let value = self.scoped(|t| t.tail_value(&inner, exit, ty, span(*n)))?;
                return Ok(block(stmts, value));
            }
            if n.kind() == "if_statement" && holds_exit(*n, exit) {
                let value = self.tail_if(*n, &nodes[i + 1..], exit, ty, at)?;
                return Ok(block(stmts, value));
            }
            if n.kind() == "throw_statement" {
                let thrown = self.throw(*n)?;
                return Ok(block(stmts, thrown));
            }
            stmts.extend(self.statement(*n)?);
        }
        // Only a body without a value ends here.
        Ok(mk(ExprKind::Block(stmts, None), Ty::Unit, at))
    }

    fn exit_value(&mut self, v: Node<'t>, ty: Option<&Ty>) -> Understood<Expr> {
        let e = self.expr(v, ty)?;
        match ty {
            Some(Ty::Unit) | None => Ok(e),
            Some(t) => self.assigned(e, t, v),
        }
    }

    fn tail_if(&mut self, n: Node<'t>, rest: &[Node<'t>], exit: &str, ty: Option<&Ty>, at: Span) -> Understood<Expr> {
        let (Some(c), Some(a)) = (field(n, "condition"), field(n, "consequence")) else {
            return self.refuse(n, "`if` that cannot be read");
        };
        let cond = self.truth(c)?;
        let then = self.scoped(|t| {
            t.bind_patterns(c, true);
            t.tail_value(&[a], exit, ty, span(a))
        })?;
        let other = match field(n, "alternative") {
            Some(b) => self.scoped(|t| {
                t.bind_patterns(c, false);
                t.tail_value(&[b], exit, ty, span(b))
            })?,
            None => {
                self.bind_patterns(c, false);
                self.tail_value(rest, exit, ty, at)?
            }
        };
        let (then, other, ty) = match ty {
            Some(Ty::Unit) => (then, other, Ty::Unit),
            _ => self.branches(then, other, ty, n)?,
        };
        let kind = ExprKind::If {
            cond: Box::new(cond),
            then: Box::new(then),
            otherwise: Some(Box::new(other)),
        };
        Ok(mk(kind, ty, span(n)))
    }

    /// Statements with exits anywhere: a slot for the value and a loop of one turn that the exits leave.
    fn one_turn(&mut self, nodes: &[Node<'t>], ty: &Ty, at: Span) -> Understood<Expr> {
        let slot = self.slot("$result", ty.clone());
        let label = self.fresh_label();
        self.frame().targets.push(Target {
            label: None,
            emitted: label.clone(),
            kind: TargetKind::Block,
            used: true,
        });
        self.frame().returns.push(Exit::Slot {
            slot,
            ty: ty.clone(),
            label: label.clone(),
        });
        let body = self.scoped(|t| t.statements(nodes));
        self.frame().returns.pop();
        self.frame().targets.pop();
        let mut body = body?;
        if completes(&body) {
            body.push(Stmt::Break(Some(label.clone())));
        }
        let init = default_of(ty, at);
        let stmts = vec![
            Stmt::Let {
                local: slot,
                init,
                lazy: false,
            },
            Stmt::Loop {
                cond: mk(ExprKind::Lit(Lit::Bool(true)), Ty::BOOLEAN, at),
                body: Box::new(mk(ExprKind::Block(body, None), Ty::Unit, at)),
                update: Vec::new(),
                test_first: true,
                label: Some(label),
                span: at,
            },
        ];
        let read = self.read(slot, at);
        Ok(block(stmts, read))
    }
}

/// The value that a variable without an initialiser starts with.
pub(super) fn default_of(ty: &Ty, at: Span) -> Expr {
    let lit = match ty {
        Ty::Prim(p) => match p {
            Prim::Boolean => Lit::Bool(false),
            Prim::Byte => Lit::Byte(0),
            Prim::Short => Lit::Short(0),
            Prim::Char => Lit::Char(0),
            Prim::Int => Lit::Int(0),
            Prim::Long => Lit::Long(0),
            Prim::Float => Lit::Float(0.0),
            Prim::Double => Lit::Double(0.0),
        },
        Ty::Unit => Lit::Unit,
        _ => Lit::Null,
    };
    mk(ExprKind::Lit(lit), ty.clone(), at)
}

/// Whether a tree holds an exit statement of this kind outside of nested lambdas, classes and (for `yield`) switches.
pub(super) fn holds_exit(n: Node, exit: &str) -> bool {
    if n.kind() == exit {
        return true;
    }
    let closed = match n.kind() {
        "lambda_expression" | "class_body" => true,
        "switch_expression" => exit == "yield_statement",
        _ => false,
    };
    !closed && kids(n).into_iter().any(|k| holds_exit(k, exit))
}

/// Whether a lambda's block returns a value, or never ends.
pub(super) fn gives_value(body: Node) -> bool {
    fn valued(n: Node) -> bool {
        if n.kind() == "return_statement" {
            return !kids(n).is_empty();
        }
        !matches!(n.kind(), "lambda_expression" | "class_body") && kids(n).into_iter().any(valued)
    }
    valued(body) || kids(body).last().is_some_and(|l| l.kind() == "throw_statement")
}

/// Whether exits stand only where a value can: last, or in an `if` whose branches all exit or are followed by one that does.
fn tail_form(nodes: &[Node], exit: &str) -> bool {
    for (i, n) in nodes.iter().enumerate() {
        if n.kind() == exit || n.kind() == "throw_statement" {
            return i + 1 == nodes.len();
        }
        if !holds_exit(*n, exit) {
            continue;
        }
        return match n.kind() {
            "block" => i + 1 == nodes.len() && tail_form(&kids(*n), exit),
            "if_statement" => {
                let part = |name: &str| field(*n, name).is_some_and(|p| tail_form(&[p], exit));
                match field(*n, "alternative") {
                    Some(_) => i + 1 == nodes.len() && part("consequence") && part("alternative"),
                    None => part("consequence") && tail_form(&nodes[i + 1..], exit),
                }
            }
            _ => false,
        };
    }
    // Nothing exits: right for a body without a value only, which has no exits at all.
    false
}

/// Whether what follows these statements can be reached.
pub(super) fn completes(stmts: &[Stmt]) -> bool {
    !stmts.iter().any(never_ends)
}

fn never_ends(s: &Stmt) -> bool {
    match s {
        Stmt::Expr(e) => leaves(e),
        Stmt::Break(_) | Stmt::Continue(_) => true,
        Stmt::Loop { cond, body, label, .. } => {
            matches!(cond.kind, ExprKind::Lit(Lit::Bool(true))) && !breaks(body, label.as_deref(), true)
        }
        _ => false,
    }
}

/// Whether an expression never gives a value.
pub(super) fn leaves(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Return(_) | ExprKind::Throw(_) => true,
        ExprKind::Block(stmts, value) => stmts.iter().any(never_ends) || value.as_ref().is_some_and(|v| leaves(v)),
        ExprKind::If {
            then,
            otherwise: Some(other),
            ..
        } => leaves(then) && leaves(other),
        ExprKind::Match { cases, .. } => !cases.is_empty() && cases.iter().all(|c| leaves(&c.body)),
        ExprKind::Try { body, catches, finally } => {
            finally.as_ref().is_some_and(|f| leaves(f)) || (leaves(body) && catches.iter().all(|c| leaves(&c.body)))
        }
        _ => false,
    }
}

/// Whether a loop's body may break out of it.
fn breaks(e: &Expr, label: Option<&str>, direct: bool) -> bool {
    let stmt = |s: &Stmt, direct: bool| match s {
        Stmt::Break(None) => direct,
        Stmt::Break(Some(l)) => label == Some(l),
        Stmt::Expr(e) => breaks(e, label, direct),
        Stmt::Let { init, .. } => breaks(init, label, direct),
        Stmt::Assign { value, .. } => breaks(value, label, direct),
        Stmt::Loop { body, .. } => breaks(body, label, false),
        _ => false,
    };
    match &e.kind {
        ExprKind::Block(stmts, value) => {
            stmts.iter().any(|s| stmt(s, direct)) || value.as_ref().is_some_and(|v| breaks(v, label, direct))
        }
        ExprKind::If { then, otherwise, .. } => {
            breaks(then, label, direct) || otherwise.as_ref().is_some_and(|o| breaks(o, label, direct))
        }
        ExprKind::Match { cases, .. } => cases.iter().any(|c| breaks(&c.body, label, direct)),
        ExprKind::Try { body, catches, finally } => {
            breaks(body, label, direct)
                || catches.iter().any(|c| breaks(&c.body, label, direct))
                || finally.as_ref().is_some_and(|f| breaks(f, label, direct))
        }
        _ => false,
    }
}

/// The body of a function with a `return` in tail position as its value.
pub(super) fn tailed(e: Expr) -> Expr {
    let at = e.span;
    match e.kind {
        ExprKind::Return(Some(value)) => tailed(*value),
        ExprKind::Block(mut stmts, None) => match stmts.pop() {
            Some(Stmt::Expr(last)) if leaves(&last) => {
                let value = tailed(last);
                block_at(stmts, value, at)
            }
            Some(last) => {
                stmts.push(last);
                let ty = if completes(&stmts) { Ty::Unit } else { Ty::Nothing };
                mk(ExprKind::Block(stmts, None), ty, at)
            }
            None => mk(ExprKind::Block(stmts, None), Ty::Unit, at),
        },
        ExprKind::Block(stmts, Some(value)) => {
            let value = tailed(*value);
            block_at(stmts, value, at)
        }
        ExprKind::If {
            cond,
            then,
            otherwise: Some(other),
        } if leaves(&then) && leaves(&other) => {
            let (then, other) = (tailed(*then), tailed(*other));
            let ty = if then.ty == Ty::Nothing {
                other.ty.clone()
            } else {
                then.ty.clone()
            };
            let kind = ExprKind::If {
                cond,
                then: Box::new(then),
                otherwise: Some(Box::new(other)),
            };
            mk(kind, ty, at)
        }
        kind => Expr { kind, ..e },
    }
}

fn block_at(stmts: Vec<Stmt>, value: Expr, at: Span) -> Expr {
    if stmts.is_empty() {
        return value;
    }
    let ty = value.ty.clone();
    mk(ExprKind::Block(stmts, Some(Box::new(value))), ty, at)
}
