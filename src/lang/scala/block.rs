//! Blocks and statements: `val`, `var`, local `def`s, assignments in all forms, loops.

use tree_sitter::Node;

use super::calls::{Arg, Call};
use super::cst::{field, field_all, has_modifier, kids, name_text, span};
use super::names::Target;
use super::{Typer, mk};
use crate::lang::ast::{Expr, ExprKind, LocalId, Stmt};
use crate::lang::ty::Ty;
use crate::source::{Span, Understood};

/// Whether an operator is an assignment (`+=`), by the rule of the language.
pub(super) fn is_assignment(op: &str) -> bool {
    op.len() > 1
        && op.ends_with('=')
        && !op.starts_with('=')
        && !matches!(op, "<=" | ">=" | "!=")
        && op.chars().next().is_some_and(|c| !c.is_alphanumeric())
}

impl<'t> Typer<'t> {
    /// `{ … }`.
    pub(super) fn block(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let stmts = kids(n);
        if let [only] = stmts[..]
            && only.kind() == "lambda_expression"
        {
            return self.lambda(only, hint);
        }
        if n.kind() == "indented_block" && stmts.len() > 1 {
            return self.refuse(n, "blocks by indentation mean something else in Scala 2");
        }
        self.statements(&stmts, span(n), hint)
    }

    /// Statements in a scope of their own; the last one is the value.
    pub(super) fn statements(&mut self, stmts: &[Node<'t>], at: Span, hint: Option<&Ty>) -> Understood<Expr> {
        self.push_scope();
        let result = self.statements_in_scope(stmts, at, hint);
        self.pop_scope();
        result
    }

    fn statements_in_scope(&mut self, stmts: &[Node<'t>], at: Span, hint: Option<&Ty>) -> Understood<Expr> {
        for s in stmts.iter().filter(|s| s.kind() == "function_definition") {
            self.announce_local(*s)?;
        }
        let mut out = Vec::new();
        let mut value = None;
        for (i, s) in stmts.iter().enumerate() {
            let last = i + 1 == stmts.len();
            if last && !is_statement(*s, self.text()) {
                value = Some(match hint {
                    Some(h) if !crate::jvm::lookup::is_open(h) => self.checked(*s, h)?,
                    _ => self.expr(*s, hint)?,
                });
            } else {
                self.statement(*s, &mut out)?;
            }
        }
        match value {
            Some(v) if out.is_empty() => Ok(v),
            Some(v) => {
                let ty = v.ty.clone();
                Ok(mk(ExprKind::Block(out, Some(Box::new(v))), ty, at))
            }
            None => Ok(mk(ExprKind::Block(out, None), Ty::Unit, at)),
        }
    }

    fn statement(&mut self, n: Node<'t>, out: &mut Vec<Stmt>) -> Understood<()> {
        match n.kind() {
            "val_definition" | "var_definition" => self.definition(n, out),
            "function_definition" => self.define_local(n),
            "import_declaration" => Ok(()),
            "assignment_expression" => self.assignment(n, out),
            "while_expression" | "do_while_expression" => self.loop_(n, out),
            "infix_expression" if is_statement(n, self.text()) => self.compound(n, out),
            "class_definition" | "object_definition" | "trait_definition" | "type_definition" => {
                self.refuse(n, "definitions of types inside of a function are not covered")
            }
            _ => {
                let e = self.expr(n, None)?;
                out.push(Stmt::Expr(e));
                Ok(())
            }
        }
    }

    /// A statement where a value is expected: the value is `()`.
    pub(super) fn statement_value(&mut self, n: Node<'t>) -> Understood<Expr> {
        let mut out = Vec::new();
        self.statement(n, &mut out)?;
        if let [Stmt::Expr(e)] = &out[..] {
            return Ok(e.clone());
        }
        Ok(mk(ExprKind::Block(out, None), Ty::Unit, span(n)))
    }

    fn definition(&mut self, n: Node<'t>, out: &mut Vec<Stmt>) -> Understood<()> {
        let (Some(pattern), Some(value)) = (field(n, "pattern"), field(n, "value")) else {
            return self.refuse(n, "definition that cannot be read");
        };
        let mutable = n.kind() == "var_definition";
        let lazy = has_modifier(n, "lazy", self.text());
        let init = match field(n, "type") {
            Some(t) => {
                let ty = self.ty(t)?;
                let e = self.checked(value, &ty)?;
                Expr { ty, ..e }
            }
            None if mutable && value.kind() == "wildcard" => return self.refuse(n, "`var` without a value"),
            None => self.expr(value, None)?,
        };
        match pattern.kind() {
            "identifier" | "operator_identifier" => {
                let name = name_text(pattern, self.text()).to_owned();
                let local = self.declare(&name, init.ty.clone(), mutable);
                out.push(Stmt::Let { local, init, lazy });
                Ok(())
            }
            "wildcard" => {
                out.push(Stmt::Expr(init));
                Ok(())
            }
            _ if lazy || pattern.kind() == "identifiers" => self.refuse(n, "definition of several names at once"),
            _ => {
                let bound = self.pattern(pattern, &init.ty.clone())?;
                if mutable {
                    self.make_mutable(pattern);
                }
                out.push(Stmt::LetPattern { pattern: bound, init });
                Ok(())
            }
        }
    }

    fn make_mutable(&mut self, pattern: Node<'t>) {
        for name in super::outer::pattern_names(pattern, self.text()) {
            let found = self.frame().scopes.last().and_then(|s| s.get(&name)).cloned();
            if let Some(super::Binding::Local(id)) = found {
                self.frame().locals[id.0 as usize].mutable = true;
            }
        }
    }

    /// `x = e`, `a(i) = e`.
    fn assignment(&mut self, n: Node<'t>, out: &mut Vec<Stmt>) -> Understood<()> {
        let (Some(left), Some(right)) = (field(n, "left"), field(n, "right")) else {
            return self.refuse(n, "assignment that cannot be read");
        };
        if left.kind() == "call_expression" {
            return self.update(left, right, n, out);
        }
        let (local, ty) = self.variable(left)?;
        let value = self.checked(right, &ty)?;
        out.push(Stmt::Assign { local, value });
        Ok(())
    }

    /// A local `var` by name.
    fn variable(&mut self, n: Node<'t>) -> Understood<(LocalId, Ty)> {
        if n.kind() == "identifier"
            && let Some(Target::Value(Expr {
                kind: ExprKind::Local(id),
                ty,
                ..
            })) = self.target(n)?
            && self.frame().locals[id.0 as usize].mutable
        {
            return Ok((id, ty));
        }
        self.refuse(n, "assignment to something that is not a local `var`")
    }

    /// `a(i) = e`: an array element, or `update`.
    fn update(&mut self, left: Node<'t>, right: Node<'t>, n: Node<'t>, out: &mut Vec<Stmt>) -> Understood<()> {
        let (Some(function), Some(args)) = (field(left, "function"), field(left, "arguments")) else {
            return self.refuse(n, "assignment that cannot be read");
        };

        let target = self.own(function)?;
        let mut args = self.arguments(args)?;
        if let (Ty::Array(elem), [index]) = (target.ty.clone(), &args[..]) {
            let index = self.argument(index, &Ty::INT)?;
            let value = self.checked(right, &elem)?;
            out.push(Stmt::SetIndex {
                array: target,
                index,
                value,
            });
            return Ok(());
        }
        args.push(Arg::Node(right));
        let e = self.member(target, Call::new("update", vec![args], None, n))?;
        out.push(Stmt::Expr(e));
        Ok(())
    }

    /// `x += e`: a method of that name, or `x = x + e`.
    fn compound(&mut self, n: Node<'t>, out: &mut Vec<Stmt>) -> Understood<()> {
        let (Some(left), Some(operator), Some(right)) = (field(n, "left"), field(n, "operator"), field(n, "right"))
        else {
            return self.refuse(n, "assignment that cannot be read");
        };
        let assign = name_text(operator, self.text()).to_owned();
        let op = assign.trim_end_matches('=').to_owned();
        if left.kind() == "call_expression" {
            return self.compound_update(left, &op, right, n, out);
        }
        let current = self.expr(left, None)?;
        if current.ty.is_reference() && !crate::jvm::lookup::instance_rows(&current.ty, &assign).is_empty() {
            let e = self.operator(current, &assign, right, n, None)?;
            out.push(Stmt::Expr(e));
            return Ok(());
        }
        let (local, ty) = self.variable(left)?;
        let value = self.operator(current, &op, right, n, Some(&ty))?;
        let value = self.coerce(value, &ty)?;
        out.push(Stmt::Assign { local, value });
        Ok(())
    }

    /// Something whose elements may be assigned: not what outlives the row.
    fn own(&mut self, n: Node<'t>) -> Understood<Expr> {
        let e = self.expr(n, None)?;
        if matches!(e.kind, ExprKind::Global(_)) {
            return self.refuse(n, "assignment to an element of a constant: a later row would see it");
        }
        Ok(e)
    }

    /// `a(i) += e`, with array and index evaluated once.
    fn compound_update(
        &mut self,
        left: Node<'t>,
        op: &str,
        right: Node<'t>,
        n: Node<'t>,
        out: &mut Vec<Stmt>,
    ) -> Understood<()> {
        let (Some(function), Some(args)) = (field(left, "function"), field_all(left, "arguments").first().copied())
        else {
            return self.refuse(n, "assignment that cannot be read");
        };

        let target = self.own(function)?;
        let args = self.arguments(args)?;
        let [key] = &args[..] else {
            return self.refuse(n, "assignment with several indices");
        };
        let simple = |e: &Expr| matches!(e.kind, ExprKind::Local(_) | ExprKind::Lit(_) | ExprKind::Global(_));
        let target = if simple(&target) {
            target
        } else {
            self.keep(target, out)
        };
        let key = match &target.ty {
            Ty::Array(_) => self.argument(key, &Ty::INT)?,
            _ => self.free_argument(key, None)?,
        };
        let key = if simple(&key) { key } else { self.keep(key, out) };
        let read = Call::new("apply", vec![vec![Arg::Typed(key.clone())]], None, n);
        let current = self.apply_value(target.clone(), read)?;
        let value = self.operator(current, op, right, n, None)?;
        if let Ty::Array(elem) = target.ty.clone() {
            let value = self.coerce(value, &elem)?;
            out.push(Stmt::SetIndex {
                array: target,
                index: key,
                value,
            });
            return Ok(());
        }
        let write = Call::new("update", vec![vec![Arg::Typed(key), Arg::Typed(value)]], None, n);
        let e = self.member(target, write)?;
        out.push(Stmt::Expr(e));
        Ok(())
    }

    fn loop_(&mut self, n: Node<'t>, out: &mut Vec<Stmt>) -> Understood<()> {
        let (Some(cond), Some(body)) = (field(n, "condition"), field(n, "body")) else {
            return self.refuse(n, "loop that cannot be read");
        };
        let test_first = n.kind() == "while_expression";
        let cond = self.checked(cond, &Ty::BOOLEAN)?;
        let body = Box::new(self.expr(body, None)?);
        out.push(Stmt::Loop {
            cond,
            body,
            update: Vec::new(),
            test_first,
            label: None,
            span: span(n),
        });
        Ok(())
    }
}

/// Whether a node is a statement without a value of its own.
fn is_statement(n: Node, source: &str) -> bool {
    match n.kind() {
        "val_definition"
        | "var_definition"
        | "function_definition"
        | "import_declaration"
        | "assignment_expression"
        | "while_expression"
        | "do_while_expression"
        | "class_definition"
        | "object_definition"
        | "trait_definition"
        | "type_definition" => true,
        "infix_expression" => field(n, "operator").is_some_and(|o| is_assignment(name_text(o, source))),
        _ => false,
    }
}
