//! Function values: literals, `{ case … }`, placeholders, method values and eta-expansion.

use std::sync::Arc;

use tree_sitter::Node;

use super::calls::{Arg, Call};
use super::cst::{field, field_all, kids, name_text, span, unparen};

use super::names::Target;
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Expr, ExprKind, FnId, LocalId};
use crate::lang::ty::Ty;
use crate::source::Understood;

/// A parameter of a function literal.
struct LambdaParam<'t> {
    name: String,
    ty: Option<Node<'t>>,
    at: Node<'t>,
}

impl<'t> Typer<'t> {
    /// A function literal or `{ case … }`.
    pub(super) fn lambda(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        if n.kind() == "case_block" {
            return self.case_lambda(n, hint);
        }
        let params = self.lambda_params(n)?;
        let (hinted, ret) = function_hint(hint, params.len());
        self.push_scope();
        let mut ids = Vec::new();
        let mut tys = Vec::new();
        for (i, p) in params.iter().enumerate() {
            let ty = match (p.ty, hinted.get(i)) {
                (Some(t), _) => self.ty(t),
                (None, Some(h)) if !lookup::is_open(h) => Ok(h.clone()),
                _ => self.refuse(p.at, format!("type of parameter `{}` is not known", p.name)),
            };
            let ty = match ty {
                Ok(ty) => ty,
                Err(e) => {
                    self.pop_scope();
                    return Err(e);
                }
            };
            ids.push(self.declare(&p.name, ty.clone(), false));
            tys.push(ty);
        }
        let body = self.lambda_body(n, ret.as_ref());
        self.pop_scope();
        self.finish_lambda(n, ids, tys, body?)
    }

    fn lambda_params(&mut self, n: Node<'t>) -> Understood<Vec<LambdaParam<'t>>> {
        let mut out = Vec::new();
        let heads = field_all(n, "parameters");
        if field(n, "type_parameters").is_some() {
            return self.refuse(n, "generic function literal");
        }
        let typed_head = heads.len() == 2;
        for (i, head) in heads.iter().enumerate() {
            match head.kind() {
                "bindings" => {
                    for b in kids(*head) {
                        let name = field(b, "name").map(|x| name_text(x, self.text()).to_owned());
                        out.push(LambdaParam {
                            name: name.unwrap_or_else(|| "_".into()),
                            ty: field(b, "type"),
                            at: b,
                        });
                    }
                }
                "identifier" | "wildcard" if i == 0 => out.push(LambdaParam {
                    name: name_text(*head, self.text()).to_owned(),
                    ty: typed_head.then(|| heads[1]),
                    at: *head,
                }),
                _ if i == 1 && typed_head => {}
                _ => return self.refuse(*head, "parameter list that cannot be read"),
            }
        }
        Ok(out)
    }

    fn lambda_body(&mut self, n: Node<'t>, ret: Option<&Ty>) -> Understood<Expr> {
        let heads: Vec<usize> = field_all(n, "parameters").iter().map(|h| h.id()).collect();
        let stmts: Vec<Node<'t>> = kids(n).into_iter().filter(|k| !heads.contains(&k.id())).collect();
        let stmts = match stmts[..] {
            [only] if only.kind() == "indented_block" && n.parent().is_some_and(|p| p.kind() == "block") => kids(only),
            _ => stmts,
        };
        let body = match stmts[..] {
            [only] => self.expr(only, ret)?,
            _ => self.statements(&stmts, span(n), ret)?,
        };
        self.meet(body, ret)
    }

    /// Converts to the hinted type: fully if it is closed, else as far as its head says.
    pub(super) fn meet(&mut self, e: Expr, want: Option<&Ty>) -> Understood<Expr> {
        match want {
            Some(t) if !lookup::is_open(t) => self.coerce(e, t),
            Some(t) => self.fit_open(e, t),
            None => Ok(e),
        }
    }

    fn finish_lambda(&mut self, n: Node<'t>, ids: Vec<LocalId>, tys: Vec<Ty>, body: Expr) -> Understood<Expr> {
        let ty = Ty::Fn(tys, Box::new(body.ty.clone()));
        let kind = ExprKind::Lambda {
            params: ids,
            body: Arc::new(body),
        };
        Ok(mk(kind, ty, span(n)))
    }

    /// `{ case … }`: a match on the parameter (on a tuple of them, for several).
    fn case_lambda(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let Some(Ty::Fn(params, ret)) = hint else {
            return self.refuse(n, "type of the function that these cases stand for is not known");
        };
        if params.iter().any(lookup::is_open) {
            return self.refuse(n, "type of the function that these cases stand for is not known");
        }
        let ids: Vec<LocalId> = params.iter().map(|p| self.slot("$x", p.clone(), false)).collect();
        let at = span(n);
        let read = |(id, ty): (&LocalId, &Ty)| mk(ExprKind::Local(*id), ty.clone(), at);
        let mut values: Vec<Expr> = ids.iter().zip(params).map(read).collect();
        let scrutinee = if values.len() == 1 {
            values.remove(0)
        } else {
            let ty = Ty::Tuple(params.clone());
            mk(ExprKind::Tuple(values), ty, at)
        };
        let body = self.cases(scrutinee, n, Some(ret), at)?;
        let body = self.meet(body, Some(ret))?;
        self.finish_lambda(n, ids, params.clone(), body)
    }

    /// The placeholders that make `n` itself a function literal.
    pub(super) fn placeholders_of(&self, n: Node<'t>) -> Vec<Node<'t>> {
        let mut out = Vec::new();
        if n.kind() != "wildcard" && may_hold_placeholder(n) {
            collect_placeholders(n, &mut out);
        }
        out.retain(|h| !self.placeholders.contains_key(&hole(*h).id()));
        out
    }

    pub(super) fn placeholder_lambda(
        &mut self,
        n: Node<'t>,
        holes: Vec<Node<'t>>,
        hint: Option<&Ty>,
    ) -> Understood<Expr> {
        let (hinted, ret) = function_hint(hint, holes.len());
        let mut ids = Vec::new();
        let mut tys = Vec::new();
        for (i, h) in holes.iter().enumerate() {
            let inner = unparen(*h);
            let written = inner.kind() == "ascription_expression" && field(inner, "type").is_some();
            let ty = match (written, hinted.get(i)) {
                (true, _) => self.ascribed_type(inner)?,
                (false, Some(t)) if !lookup::is_open(t) => t.clone(),
                _ => return self.refuse(*h, "type of this placeholder is not known"),
            };
            let id = self.slot("$x", ty.clone(), false);
            let e = mk(ExprKind::Local(id), ty.clone(), span(*h));
            self.placeholders.insert(hole(*h).id(), e);
            ids.push(id);
            tys.push(ty);
        }
        let body = self.expr(n, ret.as_ref()).and_then(|b| self.meet(b, ret.as_ref()));
        for h in &holes {
            self.placeholders.remove(&hole(*h).id());
        }
        self.finish_lambda(n, ids, tys, body?)
    }

    /// `f _`, `x.f _`.
    pub(super) fn method_value(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let Some(inner) = kids(n).first().copied() else {
            return self.refuse(n, "method value that cannot be read");
        };
        match self.target(inner)? {
            Some(Target::Def(def)) => {
                let def = self.overload_expected(def, hint, n)?;
                self.def_value(def, n)
            }
            Some(Target::LocalFn(id)) => self.local_fn_value(id, n),
            Some(Target::Value(e)) if matches!(e.ty, Ty::Fn(..)) => Ok(e),
            Some(other) => self.target_value(other, n, hint),
            None => match self.partly_applied(inner, n)? {
                Some(e) => Ok(e),
                None => self.expr(inner, hint),
            },
        }
    }

    /// A `def` of the file as a function value.
    pub(super) fn def_value(&mut self, def: Node<'t>, n: Node<'t>) -> Understood<Expr> {
        let id = self.function_of(def, Vec::new())?;
        let sig = self.sigs[id.0 as usize].clone();
        if sig.lists.len() > 1 || sig.params.iter().any(|p| p.by_name || p.varargs) {
            return self.refuse(
                n,
                "method value of a method with several lists, by-name or repeated parameters",
            );
        }
        let Some(ret) = sig.ret else {
            return self.refuse(n, "recursive method without a written result type");
        };
        let params = sig.params.iter().map(|p| p.ty.clone()).collect();
        Ok(mk(ExprKind::FnRef(id), Ty::Fn(params, Box::new(ret)), span(n)))
    }

    /// A local `def` as a function value: a literal that calls it, since it shares the frame.
    pub(super) fn local_fn_value(&mut self, id: FnId, n: Node<'t>) -> Understood<Expr> {
        let sig = self.sigs[id.0 as usize].clone();
        let params: Vec<Ty> = sig.params.iter().map(|p| p.ty.clone()).collect();
        self.eta(&params, n, |t, args| {
            let call = Call::new("", vec![args], None, n);
            t.call_target(Target::LocalFn(id), call)
        })
    }

    /// A literal that passes its parameters on.
    pub(super) fn eta(
        &mut self,
        params: &[Ty],
        n: Node<'t>,
        call: impl FnOnce(&mut Self, Vec<Arg<'t>>) -> Understood<Expr>,
    ) -> Understood<Expr> {
        if params.iter().any(lookup::is_open) {
            return self.refuse(n, "types of this method value are not known");
        }
        let ids: Vec<LocalId> = params.iter().map(|p| self.slot("$x", p.clone(), false)).collect();
        let at = span(n);
        let args = ids
            .iter()
            .zip(params)
            .map(|(id, ty)| Arg::Typed(mk(ExprKind::Local(*id), ty.clone(), at)))
            .collect();
        let body = call(self, args)?;
        self.finish_lambda(n, ids, params.to_vec(), body)
    }

    /// A literal that passes its parameters to a function value.
    pub(super) fn eta_value(
        &mut self,
        params: &[Ty],
        n: Node<'t>,
        value: impl FnOnce(&mut Self) -> Understood<Expr>,
    ) -> Understood<Expr> {
        self.eta(params, n, |t, args| {
            let func = value(t)?;
            let Ty::Fn(_, ret) = func.ty.clone() else {
                return t.refuse(n, "function value that cannot be read");
            };
            let typed = args.into_iter().filter_map(|a| match a {
                Arg::Typed(e) => Some(e),
                _ => None,
            });
            let args = typed.collect();
            let kind = ExprKind::Apply {
                func: Box::new(func),
                args,
            };
            Ok(mk(kind, *ret, span(n)))
        })
    }

    /// `f(a) _`: the lists that are left, as a literal.
    fn partly_applied(&mut self, inner: Node<'t>, n: Node<'t>) -> Understood<Option<Expr>> {
        let mut lists = Vec::new();
        let mut head = inner;
        while let ("call_expression", Some(function), Some(args)) =
            (head.kind(), field(head, "function"), field(head, "arguments"))
        {
            lists.insert(0, self.arguments(args)?);
            head = function;
        }
        if lists.is_empty() || !matches!(head.kind(), "identifier" | "field_expression") {
            return Ok(None);
        }
        let Some(Target::Def(def)) = self.target(head)? else {
            return Ok(None);
        };
        if !self.type_params(def).is_empty() {
            return Ok(None);
        }
        let sig = self.signature(def, false)?;
        let given: usize = sig.lists.iter().take(lists.len()).sum();
        let open = sig.params.iter().any(|p| p.by_name || p.varargs);
        if open || sig.lists.len() != lists.len() + 1 {
            return Ok(None);
        }
        let rest: Vec<Ty> = sig.params[given..].iter().map(|p| p.ty.clone()).collect();
        let made = self.eta(&rest, n, |t, args| {
            lists.push(args);
            t.call_def(def, Call::new("", lists, None, n))
        });
        made.map(Some)
    }

    /// The companion of a case class as a function.
    pub(super) fn eta_class(&mut self, class: Node<'t>, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let Some(Ty::Fn(params, _)) = hint else {
            return self.refuse(n, "companion of a case class as a value");
        };
        let params = params.clone();
        self.eta(&params, n, |t, args| t.new_case_class(class, vec![args], n))
    }
}

/// Parameter and result hints out of an expected function type.
pub(super) fn function_hint(hint: Option<&Ty>, count: usize) -> (Vec<Ty>, Option<Ty>) {
    match hint {
        Some(Ty::Fn(params, ret)) if params.len() == count => (params.clone(), Some((**ret).clone())),
        _ => (Vec::new(), None),
    }
}

/// The wildcard inside `_`, `(_)`, `(_: T)`.
fn hole(n: Node) -> Node {
    let inner = unparen(n);
    if inner.kind() == "ascription_expression" {
        kids(inner).first().copied().unwrap_or(inner)
    } else {
        inner
    }
}

fn is_hole(n: Node) -> bool {
    let inner = unparen(n);
    inner.kind() == "wildcard"
        || (inner.kind() == "ascription_expression" && kids(inner).first().is_some_and(|k| k.kind() == "wildcard"))
}

fn may_hold_placeholder(n: Node) -> bool {
    matches!(
        n.kind(),
        "infix_expression"
            | "prefix_expression"
            | "postfix_expression"
            | "field_expression"
            | "generic_function"
            | "call_expression"
            | "ascription_expression"
            | "tuple_expression"
            | "match_expression"
            | "instance_expression"
    )
}

/// Placeholders that belong to `n`: not those inside of arguments, which are functions of their own.
fn collect_placeholders<'t>(n: Node<'t>, out: &mut Vec<Node<'t>>) {
    let visit = |k: Node<'t>, out: &mut Vec<Node<'t>>| {
        if is_hole(k) {
            out.push(k);
        } else if may_hold_placeholder(k) && !matches!(k.kind(), "tuple_expression") {
            collect_placeholders(k, out);
        }
    };
    match n.kind() {
        "infix_expression" => {
            for f in ["left", "right"] {
                field_all(n, f).into_iter().for_each(|k| visit(k, out));
            }
        }
        "field_expression" | "match_expression" => field_all(n, "value").into_iter().for_each(|k| visit(k, out)),
        "generic_function" => field_all(n, "function").into_iter().for_each(|k| visit(k, out)),
        "call_expression" => {
            field_all(n, "function").into_iter().for_each(|k| visit(k, out));
            holes_of_arguments(n, out);
        }
        "instance_expression" => holes_of_arguments(n, out),
        "ascription_expression" => {
            if kids(n).first().is_some_and(|k| k.kind() == "wildcard") {
                out.push(n);
            } else if let Some(k) = kids(n).first() {
                visit(*k, out);
            }
        }
        "tuple_expression" => kids(n).into_iter().filter(|k| is_hole(*k)).for_each(|k| out.push(k)),
        _ => kids(n).into_iter().for_each(|k| visit(k, out)),
    }
}

fn holes_of_arguments<'t>(n: Node<'t>, out: &mut Vec<Node<'t>>) {
    for list in field_all(n, "arguments")
        .into_iter()
        .filter(|a| a.kind() == "arguments")
    {
        for arg in kids(list) {
            let value = if arg.kind() == "assignment_expression" {
                field(arg, "right").unwrap_or(arg)
            } else {
                arg
            };
            if is_hole(value) {
                out.push(value);
            }
        }
    }
}
