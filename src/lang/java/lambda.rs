//! Lambdas and method references. In: the node and the functional type that is expected; out: a function value whose parameters
//! are slots of the function around it.

use std::sync::Arc;

use tree_sitter::Node;

use super::convert::unboxed;
use super::cst::{field, first_error, kids, span, text};
use super::rows::Arg;
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Expr, ExprKind, LocalId};
use crate::lang::ty::{Prim, Ty};
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// How many parameters a lambda has; a method reference takes what it is given.
    pub(super) fn lambda_arity(&self, n: Node<'t>) -> Option<usize> {
        if n.kind() != "lambda_expression" {
            return None;
        }
        Some(self.lambda_names(n).len())
    }

    fn lambda_names(&self, n: Node<'t>) -> Vec<(String, Option<Node<'t>>)> {
        let Some(head) = field(n, "parameters") else {
            return Vec::new();
        };
        if head.kind() == "identifier" {
            return vec![(text(head, self.text()).to_owned(), None)];
        }
        kids(head)
            .into_iter()
            .map(|p| match p.kind() {
                "identifier" => (text(p, self.text()).to_owned(), None),
                _ => (self.parameter_name(p), Some(p)),
            })
            .collect()
    }

    /// The parameter types of a lambda: what is written, else what is expected.
    pub(super) fn lambda_params(&mut self, n: Node<'t>, expected: Vec<Ty>) -> Understood<Vec<Ty>> {
        if n.kind() != "lambda_expression" {
            return Ok(expected);
        }
        let mut out = Vec::new();
        for (i, (_, node)) in self.lambda_names(n).into_iter().enumerate() {
            let written = node.filter(|p| field(*p, "type").is_some_and(|t| text(t, self.text()) != "var"));
            out.push(match (written, expected.get(i)) {
                (Some(p), _) => self.parameter_type(p)?,
                (None, Some(t)) => t.clone(),
                (None, None) => return self.refuse(n, "lambda with another number of parameters"),
            });
        }
        Ok(out)
    }

    /// The function that Spark calls: a `return` in its block leaves the function itself.
    pub(super) fn entry_literal(&mut self, n: Node<'t>, params: &[Ty], ret: Option<&Ty>) -> Understood<Expr> {
        let (Some(ret), Some(body)) = (ret, field(n, "body").filter(|b| b.kind() == "block")) else {
            return self.function_literal(n, params, ret);
        };
        let types = self.lambda_params(n, params.to_vec())?;
        let names = self.lambda_names(n);
        let slots = names
            .iter()
            .zip(&types)
            .map(|((name, _), ty)| self.declare(name, ty.clone()))
            .collect();
        self.frame().returns.push(super::Exit::Function(ret.clone()));
        let stmts = self.scoped(|t| t.statements(&kids(body)))?;
        let typed = super::exits::tailed(mk(ExprKind::Block(stmts, None), Ty::Unit, span(body)));
        let typed = Expr {
            ty: ret.clone(),
            ..typed
        };
        Ok(literal(n, slots, typed, types, Some(ret)))
    }

    /// A lambda or a method reference as a value of a functional type.
    pub(super) fn function_literal(&mut self, n: Node<'t>, params: &[Ty], ret: Option<&Ty>) -> Understood<Expr> {
        if let Some(e) = first_error(n) {
            return self.refuse(e, "syntax error");
        }
        if n.kind() == "method_reference" {
            return self.method_reference(n, params, ret);
        }
        let types = self.lambda_params(n, params.to_vec())?;
        let names = self.lambda_names(n);
        let Some(body) = field(n, "body") else {
            return self.refuse(n, "lambda without a body");
        };
        let (slots, body) = self.scoped(|t| {
            let slots: Vec<LocalId> = names
                .iter()
                .zip(&types)
                .map(|((name, _), ty)| t.declare(name, ty.clone()))
                .collect();
            let value = if body.kind() == "block" {
                t.value_of(&kids(body), "return_statement", ret, span(body))?
            } else if ret == Some(&Ty::Unit) {
                let stmts = t.effect(body)?;
                mk(ExprKind::Block(stmts, None), Ty::Unit, span(body))
            } else {
                let e = t.expr(body, ret)?;
                match ret {
                    Some(r) => t.assigned(e, r, body)?,
                    None => e,
                }
            };
            Ok((slots, value))
        })?;
        Ok(literal(n, slots, body, types, ret))
    }

    /// `X::m`: parameters in slots of their own, and the call with them.
    fn method_reference(&mut self, n: Node<'t>, params: &[Ty], ret: Option<&Ty>) -> Understood<Expr> {
        let parts = kids(n);
        let Some(head) = parts.first().copied() else {
            return self.refuse(n, "method reference that cannot be read");
        };
        let name = if super::cst::has_token(n, "new") && parts.len() == 1 {
            "new".to_owned()
        } else {
            match parts.last() {
                Some(l) if parts.len() > 1 => text(*l, self.text()).to_owned(),
                _ => return self.refuse(n, "method reference that cannot be read"),
            }
        };
        let (slots, body) = self.scoped(|t| {
            let names = t.reference_names(head, &name, params.len());
            let slots: Vec<LocalId> = params.iter().zip(&names).map(|(p, n)| t.slot(n, p.clone())).collect();
            let args: Vec<Expr> = slots.iter().map(|s| t.read(*s, span(n))).collect();
            let call = t.referenced(head, &name, args, ret, n)?;
            let call = match ret {
                Some(Ty::Unit) => {
                    let at = call.span;
                    mk(ExprKind::Block(vec![super::stmt(call)], None), Ty::Unit, at)
                }
                Some(r) => t.assigned(call, r, n)?,
                None => call,
            };
            Ok((slots, call))
        })?;
        Ok(literal(n, slots, body, params.to_vec(), ret))
    }

    /// Names for the parameters of a method reference: those of the method, where it is one of the file.
    fn reference_names(&mut self, head: Node<'t>, name: &str, count: usize) -> Vec<String> {
        let class = match head.kind() {
            "this" => super::cst::enclosing(head),
            _ => self.class_name(head).and_then(|path| self.class_path(head, &path)),
        };
        let methods = class.map(|c| self.methods_of(c, name)).unwrap_or_default();
        match methods[..] {
            [only] if self.arity(only) == count => super::cst::parameters(only)
                .into_iter()
                .map(|p| self.parameter_name(p))
                .collect(),
            _ => (0..count).map(|i| format!("arg{i}")).collect(),
        }
    }

    fn referenced(
        &mut self,
        head: Node<'t>,
        name: &str,
        args: Vec<Expr>,
        ret: Option<&Ty>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        let typed = |args: &[Expr]| args.iter().cloned().map(Arg::Typed).collect::<Vec<Arg<'t>>>();
        if name == "new" {
            return self.reference_new(head, args, ret, n);
        }
        if head.kind() == "this" {
            return self.unqualified(name, typed(&args), ret, n);
        }
        let Some(path) = self.class_name(head) else {
            if matches!(head.kind(), "array_type" | "integral_type" | "floating_point_type") {
                return self.refuse(n, "this method reference is not covered");
            }
            let recv = self.expr(head, None)?;
            return self.member_call(recv, name, typed(&args), ret, n);
        };
        if let Some(class) = self.class_path(head, &path) {
            let methods = self.methods_of(class, name);
            let is_static = |m: &Node<'t>| super::cst::has_modifier(*m, "static");
            if methods.iter().any(is_static) || args.is_empty() {
                return self.class_call(class, name, methods, typed(&args), n);
            }
            let mut args = args;
            let recv = args.remove(0);
            return self.member_call(recv, name, typed(&args), ret, n);
        }
        let module = self.module(&path);
        for name in [format!("java.{name}"), name.to_owned()] {
            let rows = lookup::static_rows(&module, &name);
            if let Some(e) = self.call_rows(None, vec![rows], typed(&args), ret, n)? {
                return Ok(e);
            }
        }
        if args.is_empty() {
            return self.refuse(n, format!("`{module}::{name}` is not covered"));
        }
        let mut args = args;
        let recv = args.remove(0);
        let written = self.ty(head).ok();
        let recv = match written {
            Some(ty) if recv.ty == Ty::Any && ty != Ty::Any => self.cast_to(recv, &ty, n)?,
            _ => recv,
        };
        if matches!(recv.ty, Ty::Boxed(_))
            && args.is_empty()
            && matches!(name, "intValue" | "longValue" | "doubleValue")
        {
            let open = unboxed(recv.clone());
            let same = matches!(
                (&open.ty, name),
                (Ty::Prim(Prim::Int), "intValue")
                    | (Ty::Prim(Prim::Long), "longValue")
                    | (Ty::Prim(Prim::Double), "doubleValue")
            );
            if same {
                return Ok(open);
            }
        }
        self.member_call(recv, name, typed(&args), ret, n)
    }

    /// `ArrayList::new`, `Point::new`.
    fn reference_new(&mut self, head: Node<'t>, args: Vec<Expr>, ret: Option<&Ty>, n: Node<'t>) -> Understood<Expr> {
        if head.kind() == "array_type" {
            return self.refuse(n, "array constructors as functions are not covered");
        }
        let ty = self.ty(head)?;
        let args = args.into_iter().map(Arg::Typed).collect();
        let path = self.class_name(head).unwrap_or_default();
        self.construct(&path, ty, args, ret, head, n)
    }
}

fn literal(n: Node, slots: Vec<LocalId>, body: Expr, params: Vec<Ty>, ret: Option<&Ty>) -> Expr {
    let ret = match ret {
        Some(r) => r.clone(),
        None => body.ty.clone(),
    };
    let body = match (&body.ty, &ret) {
        (Ty::Nothing, r) => Expr { ty: r.clone(), ..body },
        _ => body,
    };
    let kind = ExprKind::Lambda {
        params: slots,
        body: Arc::new(body),
    };
    mk(kind, Ty::Fn(params, Box::new(ret)), span(n))
}
