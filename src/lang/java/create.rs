//! `new`. In: a creation expression; out: a typed constructor call of the library or of a class of the file.

use tree_sitter::Node;

use super::cst::{field, kids, span};
use super::rows::Arg;
use super::types::writable;
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Expr, ExprKind, Lit};
use crate::lang::ty::{JavaKind, Ty};
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// `new C(…)`.
    pub(super) fn creation(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let Some(written) = field(n, "type") else {
            return self.refuse(n, "`new` without a type");
        };
        if let Some(body) = kids(n).into_iter().find(|k| k.kind() == "class_body") {
            return self.anonymous(n, written, body);
        }
        let path = self.class_name(written).unwrap_or_default();
        let diamond = kids(written)
            .iter()
            .any(|k| k.kind() == "type_arguments" && kids(*k).is_empty());
        let ty = self.ty(written)?;
        let ty = match (diamond || written.kind() != "generic_type", hint) {
            (true, Some(h)) => self.with_hint(ty, h),
            _ => ty,
        };
        let args = self.arguments(n)?;
        let hint = if ty.is_reference() { Some(ty.clone()) } else { None };
        self.construct(&path, ty, args, hint.as_ref(), written, n)
    }

    /// The type arguments of a diamond from what is expected.
    fn with_hint(&self, ty: Ty, hint: &Ty) -> Ty {
        match (&ty, hint) {
            (Ty::Seq(k, _), Ty::Seq(l, a)) if k == l && !lookup::is_open(a) => Ty::Seq(*k, a.clone()),
            (Ty::Seq(k, _), Ty::Java(JavaKind::Collection, args)) if !args.iter().any(lookup::is_open) => {
                Ty::Seq(*k, Box::new(args.first().cloned().unwrap_or(Ty::Any)))
            }
            (Ty::Java(k, xs), Ty::Java(l, args))
                if k.is(*l) && xs.len() == args.len() && !args.iter().any(lookup::is_open) =>
            {
                Ty::Java(*k, args.clone())
            }
            _ => ty,
        }
    }

    /// A constructor call: of the file's class, else of the library's.
    pub(super) fn construct(
        &mut self,
        path: &str,
        ty: Ty,
        args: Vec<Arg<'t>>,
        hint: Option<&Ty>,
        written: Node<'t>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        if let Some(class) = self.class_path(written, path) {
            return self.new_user(class, args, n);
        }
        if let Ty::Class(c) = &ty
            && let Some(inner) = writable(c)
        {
            return self.new_writable(c.clone(), inner, args, n);
        }
        let module = self.module(path);
        for name in [format!("java.{module}"), module.clone()] {
            let rows = lookup::constructors(&name);
            if let Some(e) = self.call_rows(None, vec![rows], args.clone(), hint, n)? {
                let ty = if matches!(e.ty, Ty::Java(..) | Ty::Seq(..)) && !has_any(&ty) {
                    ty
                } else {
                    e.ty.clone()
                };
                return Ok(Expr { ty, ..e });
            }
        }
        self.refuse(n, format!("`new {module}` with these arguments is not covered"))
    }

    /// An object of the library on typed arguments.
    pub(super) fn new_library(&mut self, class: &str, args: Vec<Expr>, n: Node<'t>) -> Understood<Expr> {
        let args = args.into_iter().map(Arg::Typed).collect();
        match self.call_rows(None, vec![lookup::constructors(class)], args, None, n)? {
            Some(e) => Ok(e),
            None => self.refuse(n, format!("`new {class}` is not covered")),
        }
    }

    /// `new IntWritable(x)`: the value itself.
    fn new_writable(&mut self, class: String, inner: Ty, args: Vec<Arg<'t>>, n: Node<'t>) -> Understood<Expr> {
        let at = span(n);
        let ty = Ty::Class(class);
        let value = match (&args[..], &inner) {
            ([], Ty::String) => mk(ExprKind::Lit(Lit::Str(Vec::new().into())), Ty::String, at),
            ([], Ty::Boxed(p)) => {
                let zero = super::exits::default_of(&Ty::Prim(*p), at);
                super::convert::boxed(zero)
            }
            ([Arg::Typed(e)], Ty::String) if e.ty == Ty::String => {
                let e = e.clone();
                self.not_null(e, n)?
            }
            ([Arg::Typed(e)], Ty::Boxed(p)) => {
                let open = self.assigned(e.clone(), &Ty::Prim(*p), n)?;
                super::convert::boxed(open)
            }
            _ => return self.refuse(n, "this constructor is not covered"),
        };
        Ok(Expr { ty, ..value })
    }

    /// An anonymous class: only a functional interface with one method, as a lambda.
    fn anonymous(&mut self, n: Node<'t>, written: Node<'t>, body: Node<'t>) -> Understood<Expr> {
        let Ok(Ty::Fn(params, ret)) = self.ty(written) else {
            return self.refuse(n, "anonymous classes are not covered");
        };
        let methods: Vec<Node<'t>> = kids(body);
        let [only] = methods[..] else {
            return self.refuse(n, "anonymous classes with more than one member are not covered");
        };
        let Some(block) = field(only, "body").filter(|_| only.kind() == "method_declaration") else {
            return self.refuse(n, "anonymous classes are not covered");
        };
        let names: Vec<String> = super::cst::parameters(only)
            .into_iter()
            .map(|p| self.parameter_name(p))
            .collect();
        if names.len() != params.len() {
            return self.refuse(n, "anonymous classes are not covered");
        }
        let mut types = Vec::new();
        for p in super::cst::parameters(only) {
            types.push(self.parameter_type(p)?);
        }
        let ret = match field(only, "type") {
            Some(t) => self.ty(t)?,
            None => *ret,
        };
        let (slots, value) = self.scoped(|t| {
            let slots = names
                .iter()
                .zip(&types)
                .map(|(n, ty)| t.declare(n, ty.clone()))
                .collect();
            Ok((
                slots,
                t.value_of(&kids(block), "return_statement", Some(&ret), span(block))?,
            ))
        })?;
        let kind = ExprKind::Lambda {
            params: slots,
            body: std::sync::Arc::new(value),
        };
        Ok(mk(kind, Ty::Fn(types, Box::new(ret)), span(n)))
    }
}

/// Whether a type argument is not known.
fn has_any(ty: &Ty) -> bool {
    match ty {
        Ty::Java(_, args) => args.contains(&Ty::Any),
        Ty::Seq(_, a) => **a == Ty::Any,
        _ => false,
    }
}
