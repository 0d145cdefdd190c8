//! Loops. In: `while`, `do`, `for`, `for (x : xs)`; out: typed loops.

use tree_sitter::Node;

use super::cst::{field, field_all, name_of, span, text};
use super::{Target, TargetKind, Typer, block, mk, stmt};
use crate::lang::ast::{BinOp, Expr, ExprKind, Lit, Stmt};
use crate::lang::ty::{JavaKind, Prim, SeqKind, Ty};
use crate::source::{Span, Understood};

impl<'t> Typer<'t> {
    /// A loop, with its label.
    pub(super) fn loop_statement(&mut self, n: Node<'t>, label: Option<String>) -> Understood<Vec<Stmt>> {
        let before = self.frame().written.clone();
        let result = self.scoped(|t| match n.kind() {
            "for_statement" => t.for_loop(n, label),
            "enhanced_for_statement" => t.for_each(n, label),
            _ => {
                let first = n.kind() == "while_statement";
                let Some(c) = field(n, "condition") else {
                    return t.refuse(n, "loop without a condition");
                };
                let cond = t.truth(c)?;
                Ok(vec![t.loop_of(n, label, cond, first, Vec::new(), Vec::new())?])
            }
        });
        self.frame().written = before;
        result
    }

    /// The loop itself around the body of the node; `head` goes in front of the body.
    fn loop_of(
        &mut self,
        n: Node<'t>,
        label: Option<String>,
        cond: Expr,
        test_first: bool,
        head: Vec<Stmt>,
        update: Vec<Stmt>,
    ) -> Understood<Stmt> {
        let Some(body) = field(n, "body") else {
            return self.refuse(n, "loop without a body");
        };
        let emitted = self.fresh_label();
        self.frame().targets.push(Target {
            label,
            emitted: emitted.clone(),
            kind: TargetKind::Loop,
            used: false,
        });
        let typed = self.body(body);
        let target = self.frame().targets.pop();
        let mut inner = typed?;
        if !head.is_empty() {
            let at = inner.span;
            let mut stmts = head;
            match inner.kind {
                ExprKind::Block(own, None) => stmts.extend(own),
                kind => stmts.push(stmt(Expr { kind, ..inner })),
            }
            inner = mk(ExprKind::Block(stmts, None), Ty::Unit, at);
        }
        Ok(Stmt::Loop {
            cond,
            body: Box::new(inner),
            update,
            test_first,
            label: target.filter(|t| t.used).map(|_| emitted),
            span: span(n),
        })
    }

    fn for_loop(&mut self, n: Node<'t>, label: Option<String>) -> Understood<Vec<Stmt>> {
        let mut out = Vec::new();
        for init in field_all(n, "init") {
            out.extend(match init.kind() {
                "local_variable_declaration" => self.statement(init)?,
                _ => self.effect(init)?,
            });
        }
        let cond = match field(n, "condition") {
            Some(c) => self.truth(c)?,
            None => mk(ExprKind::Lit(Lit::Bool(true)), Ty::BOOLEAN, span(n)),
        };
        let mut update = Vec::new();
        for u in field_all(n, "update") {
            update.extend(self.effect(u)?);
        }
        out.push(self.loop_of(n, label, cond, true, Vec::new(), update)?);
        Ok(vec![stmt(mk(ExprKind::Block(out, None), Ty::Unit, span(n)))])
    }

    /// `for (T x : xs)`: over an array by index, over a collection by its iterator.
    fn for_each(&mut self, n: Node<'t>, label: Option<String>) -> Understood<Vec<Stmt>> {
        let (Some(written), Some(value), Some(name)) = (field(n, "type"), field(n, "value"), name_of(n, self.text()))
        else {
            return self.refuse(n, "loop that cannot be read");
        };
        let inferred = text(written, self.text()) == "var";
        let want = if inferred { None } else { Some(self.ty(written)?) };
        let xs = self.expr(value, None)?;
        let at = span(value);
        let mut out = Vec::new();
        let (cond, item, update) = match xs.ty.clone() {
            Ty::Array(elem) => self.over_array(xs, *elem, value, &mut out)?,
            Ty::Seq(SeqKind::JavaList, _) | Ty::Java(JavaKind::Collection | JavaKind::Set | JavaKind::Deque, _) => {
                self.over_iterator(xs, value, &mut out)?
            }
            other => return self.refuse(value, format!("a loop over `{other}` is not covered")),
        };
        let ty = want.unwrap_or_else(|| item.ty.clone());
        let init = self.assigned(item, &ty, value)?;
        let local = self.declare(name, ty);
        let head = vec![Stmt::Let {
            local,
            init: Expr { span: at, ..init },
            lazy: false,
        }];
        out.push(self.loop_of(n, label, cond, true, head, update)?);
        Ok(vec![stmt(mk(ExprKind::Block(out, None), Ty::Unit, span(n)))])
    }

    fn over_array(
        &mut self,
        xs: Expr,
        elem: Ty,
        n: Node<'t>,
        out: &mut Vec<Stmt>,
    ) -> Understood<(Expr, Expr, Vec<Stmt>)> {
        let at = span(n);
        let array = self.hold("$array", xs, out);
        let zero = mk(ExprKind::Lit(Lit::Int(0)), Ty::INT, at);
        let length = self.length(self.read(array, at), n)?;
        let end = self.hold("$end", length, out);
        let i = self.hold("$i", zero, out);
        let cond = int_op(BinOp::Lt, self.read(i, at), self.read(end, at), Ty::BOOLEAN, at);
        let kind = ExprKind::Index {
            array: Box::new(self.read(array, at)),
            index: Box::new(self.read(i, at)),
        };
        let one = mk(ExprKind::Lit(Lit::Int(1)), Ty::INT, at);
        let next = Stmt::Assign {
            local: i,
            value: int_op(BinOp::Add, self.read(i, at), one, Ty::INT, at),
        };
        Ok((cond, mk(kind, elem, at), vec![next]))
    }

    fn over_iterator(&mut self, xs: Expr, n: Node<'t>, out: &mut Vec<Stmt>) -> Understood<(Expr, Expr, Vec<Stmt>)> {
        let at = span(n);
        let iterator = self.library_member(xs, "iterator", Vec::new(), n)?;
        let slot = self.hold("$iterator", iterator, out);
        let has_next = self.library_member(self.read(slot, at), "hasNext", Vec::new(), n)?;
        let next = self.library_member(self.read(slot, at), "next", Vec::new(), n)?;
        Ok((has_next, next, Vec::new()))
    }

    /// A member of the library on typed arguments.
    pub(super) fn library_member(&mut self, recv: Expr, name: &str, args: Vec<Expr>, n: Node<'t>) -> Understood<Expr> {
        let args = args.into_iter().map(super::rows::Arg::Typed).collect();
        let ty = recv.ty.clone();
        match self.instance_call(recv, name, args, None, n)? {
            Some(e) => Ok(e),
            None => self.refuse(n, format!("`{name}` on `{ty}` is not covered")),
        }
    }

    /// A value kept in a slot, read twice: the value's statements, then a test that it is not null.
    pub(super) fn not_null(&mut self, e: Expr, n: Node<'t>) -> Understood<Expr> {
        if !e.ty.is_reference() || matches!(e.kind, ExprKind::NewClass { .. }) {
            return Ok(e);
        }
        let at = e.span;
        let mut stmts = Vec::new();
        let slot = self.hold("$checked", e, &mut stmts);
        let null = mk(ExprKind::Lit(Lit::Null), Ty::Null, at);
        let missing = mk(
            ExprKind::RefEq {
                lhs: Box::new(self.read(slot, at)),
                rhs: Box::new(null),
                negated: false,
            },
            Ty::BOOLEAN,
            at,
        );
        let made = self.new_library("NullPointerException", Vec::new(), n)?;
        let raise = mk(ExprKind::Throw(Box::new(made)), Ty::Nothing, at);
        let test = ExprKind::If {
            cond: Box::new(missing),
            then: Box::new(mk(ExprKind::Block(vec![stmt(raise)], None), Ty::Unit, at)),
            otherwise: None,
        };
        stmts.push(stmt(mk(test, Ty::Unit, at)));
        let read = self.read(slot, at);
        Ok(block(stmts, read))
    }
}

fn int_op(op: BinOp, lhs: Expr, rhs: Expr, ty: Ty, at: Span) -> Expr {
    let kind = ExprKind::Binary {
        op,
        prim: Prim::Int,
        lhs: Box::new(lhs),
        rhs: Box::new(rhs),
    };
    mk(kind, ty, at)
}
