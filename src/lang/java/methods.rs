//! Methods of the file. In: a method declaration; out: a function of the program, typed once, and calls of it.

use std::collections::HashMap;

use tree_sitter::Node;

use super::cst::{field, kids, name_of, parameters, span};
use super::exits::tailed;
use super::rows::Arg;
use super::{Exit, Signature, This, Typer, mk};
use crate::lang::ast::{Expr, ExprKind, FnId, Function, Param};
use crate::lang::ty::Ty;
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// What callers need to know of a method; its own type variables stand for any object.
    pub(super) fn signature(&mut self, method: Node<'t>) -> Understood<Signature> {
        let vars: HashMap<String, Ty> = self.type_parameters(method).into_iter().map(|v| (v, Ty::Any)).collect();
        self.type_vars.push(vars);
        let sig = self.signature_in_scope(method);
        self.type_vars.pop();
        sig
    }

    fn signature_in_scope(&mut self, method: Node<'t>) -> Understood<Signature> {
        let mut params = Vec::new();
        for p in parameters(method) {
            params.push((self.parameter_name(p), self.parameter_type(p)?, span(p)));
        }
        let ret = match field(method, "type") {
            Some(t) => self.ty(t)?,
            None => Ty::Unit,
        };
        Ok(Signature {
            name: name_of(method, self.text()).unwrap_or("call").to_owned(),
            varargs: parameters(method)
                .last()
                .is_some_and(|p| p.kind() == "spread_parameter"),
            params,
            ret,
        })
    }

    /// The function of a method without an instance.
    pub(super) fn method(&mut self, method: Node<'t>) -> Understood<FnId> {
        if let Some(id) = self.fn_ids.get(&method.id()) {
            return Ok(*id);
        }
        let sig = self.signature(method)?;
        self.typed_method(method, sig, None)
    }

    /// Types a method; `this` is the class of the instance that slot 0 holds.
    pub(super) fn typed_method(
        &mut self,
        method: Node<'t>,
        sig: Signature,
        this: Option<crate::lang::ast::ClassId>,
    ) -> Understood<FnId> {
        if let Some(e) = super::cst::first_error(method) {
            return self.refuse(e, "syntax error");
        }
        let id = self.reserve();
        self.fn_ids.insert(method.id(), id);
        self.needs.insert(span(method));
        let Some(body) = field(method, "body") else {
            return self.refuse(method, format!("`{}` has no body", sig.name));
        };
        let vars: HashMap<String, Ty> = self.type_parameters(method).into_iter().map(|v| (v, Ty::Any)).collect();
        let ret = sig.ret.clone();
        let ((typed, params), frame) = self.in_frame(method, |t| {
            t.type_vars.push(vars);
            let mut params = Vec::new();
            if let Some(class) = this {
                let ty = Ty::Class(t.classes[class.0 as usize].name.clone());
                let slot = t.declare("this", ty.clone());
                t.frame().this = Some(This::Value(slot, class));
                params.push(param("this", ty, method));
            }
            for (name, ty, at) in &sig.params {
                t.declare(name, ty.clone());
                params.push(Param {
                    name: name.clone(),
                    ty: ty.clone(),
                    by_name: false,
                    span: *at,
                });
            }
            t.frame().returns.push(Exit::Function(ret.clone()));
            t.declare_results(method)?;
            let stmts = t.scoped(|t| t.statements(&kids(body)))?;
            Ok((mk(ExprKind::Block(stmts, None), Ty::Unit, span(body)), params))
        })?;
        let mut typed = tailed(typed);
        if ret == Ty::Unit {
            typed.ty = Ty::Unit;
        }
        self.functions[id.0 as usize] = Some(Function {
            name: sig.name,
            params,
            ret,
            body: typed,
            locals: frame.locals,
            parent: None,
            span: span(method),
        });
        Ok(id)
    }

    /// A call of a method of the file; `this` is its instance, if it needs one.
    pub(super) fn call_method(
        &mut self,
        method: Node<'t>,
        this: Option<Expr>,
        args: Vec<Arg<'t>>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        let sig = self.signature(method)?;
        let args = self.method_arguments(&sig, args, n)?;
        let class = this.as_ref().and_then(|e| self.class_of_ty(&e.ty));
        let func = match (self.fn_ids.get(&method.id()), class) {
            (Some(id), _) => *id,
            (None, class) => self.typed_method(method, sig.clone(), class)?,
        };
        let mut all: Vec<Expr> = this.into_iter().collect();
        all.extend(args);
        self.needs.insert(span(method));
        Ok(mk(ExprKind::CallFn { func, args: all }, sig.ret, span(n)))
    }

    /// Arguments converted to the parameters of a method or a constructor.
    pub(super) fn method_arguments(
        &mut self,
        sig: &Signature,
        args: Vec<Arg<'t>>,
        n: Node<'t>,
    ) -> Understood<Vec<Expr>> {
        let count = sig.params.len();
        let direct = args.len() == count
            && (!sig.varargs
                || args.last().is_some_and(|a| match a {
                    Arg::Typed(e) => {
                        super::convert::fits(&e.ty, &sig.params[count - 1].1, super::convert::Phase::Strict)
                    }
                    _ => false,
                }));
        if direct {
            let mut out = Vec::new();
            for (arg, (_, want, _)) in args.iter().zip(&sig.params) {
                let e = self.typed_argument(arg, want)?;
                out.push(self.assigned(e, want, n)?);
            }
            return Ok(out);
        }
        if !sig.varargs || args.len() + 1 < count {
            return self.refuse(n, format!("`{}` takes {count} arguments", sig.name));
        }
        let Ty::Array(elem) = sig.params[count - 1].1.clone() else {
            return self.refuse(n, "a repeated parameter that cannot be read");
        };
        let mut out = Vec::new();
        let mut rest = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let want = if i + 1 < count {
                sig.params[i].1.clone()
            } else {
                (*elem).clone()
            };
            let e = self.typed_argument(arg, &want)?;
            let e = self.assigned(e, &want, n)?;
            if i + 1 < count {
                out.push(e);
            } else {
                rest.push(e);
            }
        }
        out.push(mk(ExprKind::SeqLit(rest), Ty::Array(elem), span(n)));
        Ok(out)
    }
}

fn param(name: &str, ty: Ty, n: Node) -> Param {
    Param {
        name: name.to_owned(),
        ty,
        by_name: false,
        span: span(n),
    }
}
