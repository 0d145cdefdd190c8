//! New objects: constructors of the library, case classes of the file and their `copy`.

use super::calls::{Arg, Call, after};
use super::cst::{field, field_all, kids, name_text, span};
use super::outer::{self, Outer};
use super::{FnParam, Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Expr, ExprKind};
use crate::lang::ty::Ty;
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// `new T(…)`.
    pub(super) fn instance(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let parts = kids(n);
        let Some(class) = parts.first().copied() else {
            return self.refuse(n, "`new` without a class");
        };
        if let Some(body) = parts.iter().find(|p| p.kind() == "template_body") {
            let ordering = class.kind() == "generic_type"
                && field(class, "type").is_some_and(|t| super::cst::text(t, self.text()) == "Ordering");
            if ordering && parts.len() == 2 {
                return self.new_ordering(class, *body, n);
            }
            return self.refuse(n, "anonymous classes are not covered");
        }
        let mut lists = Vec::new();
        for args in field_all(n, "arguments") {
            lists.push(self.arguments(args)?);
        }
        let head = if class.kind() == "generic_type" {
            field(class, "type").unwrap_or(class)
        } else {
            class
        };
        let name = super::cst::text(head, self.text()).to_owned();
        if let Some(Outer::Class(def)) = outer::lookup_type(class, &name, self.text()) {
            return self.new_case_class(def, lists, n);
        }
        let wants_hint = class.kind() != "generic_type" && hint.is_some();
        let ty = match self.ty(class) {
            Ok(ty) => ty,
            Err(_) if wants_hint => hint.cloned().unwrap_or(Ty::Any),
            Err(e) => return Err(e),
        };
        self.construct(&ty, &name, lists, n)
    }

    /// A constructor of the library; empty collections and arrays among them.
    pub(super) fn construct(&mut self, ty: &Ty, name: &str, lists: Vec<Vec<Arg<'t>>>, n: Node<'t>) -> Understood<Expr> {
        let class = match ty {
            Ty::JavaBigDecimal => "JBigDecimal".to_owned(),
            Ty::Boxed(p) => p.boxed_name().to_owned(),
            Ty::Class(c) => c.clone(),
            _ => name.rsplit('.').next().unwrap_or(name).to_owned(),
        };
        let path = self.imports.expand(name, n.start_byte());
        let mutable = |path: &str| path.ends_with("collection.mutable") || path == "mutable";
        let in_mutable = self.imports.wild(n.start_byte()).any(|i| mutable(&i.path));
        let candidates: Vec<String> = match ty {
            Ty::Array(_) => vec!["Array".into()],
            Ty::BigInt => vec!["BigInteger".into(), "BigInt".into()],
            Ty::Map(..) | Ty::Set(_) if in_mutable => vec![format!("mutable.{class}")],
            Ty::Map(..) | Ty::Set(_) | Ty::Seq(..) => vec![super::imports::module_name(&path)],
            _ => vec![class.clone()],
        };
        let mut call = Call::new(
            &class,
            if lists.is_empty() { vec![Vec::new()] } else { lists },
            Some(ty.clone()),
            n,
        );
        call.targs = match ty {
            Ty::Array(a) | Ty::Seq(_, a) | Ty::Set(a) | Ty::Option(a) => vec![(**a).clone()],
            Ty::Map(k, v) => vec![(**k).clone(), (**v).clone()],
            _ => Vec::new(),
        };
        for name in candidates {
            let rows = lookup::constructors(&name);
            if !rows.is_empty()
                && let Some(e) = self.call_rows(None, vec![rows], call.clone())?
            {
                return Ok(if matches!(ty, Ty::Array(_) | Ty::Seq(..)) {
                    Expr { ty: ty.clone(), ..e }
                } else {
                    e
                });
            }
        }
        self.refuse(n, format!("`new {class}` with these arguments is not covered"))
    }

    /// An instance of a case class of the file.
    pub(super) fn new_case_class(
        &mut self,
        class: Node<'t>,
        lists: Vec<Vec<Arg<'t>>>,
        at: Node<'t>,
    ) -> Understood<Expr> {
        let id = self.class_id(class, at)?;
        let params = self.class_params(class)?;
        let [list] = &lists[..] else {
            return self.refuse(at, "case class with several argument lists");
        };
        let (mut lets, mut args) = (Vec::new(), Vec::new());
        self.match_list(&params, list, class, at, &mut lets, &mut args)?;
        let ty = Ty::Class(self.classes[id.0 as usize].name.clone());
        let e = mk(ExprKind::NewClass { class: id, args }, ty, span(at));
        let e = self.made(id, e, at)?;
        Ok(after(lets, e))
    }

    pub(super) fn class_params(&mut self, class: Node<'t>) -> Understood<Vec<FnParam<'t>>> {
        let mut out = Vec::new();
        for p in field_all(class, "class_parameters").into_iter().flat_map(kids) {
            let (Some(name), Some(ty)) = (field(p, "name"), field(p, "type")) else {
                return self.refuse(p, "parameter that cannot be read");
            };
            out.push(FnParam {
                name: name_text(name, self.text()).to_owned(),
                ty: self.ty(ty)?,
                by_name: false,
                varargs: ty.kind() == "repeated_parameter_type",
                default: field(p, "default_value"),
                span: span(p),
            });
        }
        Ok(out)
    }

    /// `copy` of a case class instance.
    pub(super) fn copy(&mut self, recv: Expr, class: crate::lang::ast::ClassId, call: &Call<'t>) -> Understood<Expr> {
        let fields = self.classes[class.0 as usize].fields.clone();
        let mut lets = Vec::new();
        let this = self.keep(recv, &mut lets);
        let mut values: Vec<Option<Expr>> = vec![None; fields.len()];
        for (i, arg) in call.lists.iter().flatten().enumerate() {
            let index = match arg {
                Arg::Named(name, ..) => fields.iter().position(|(f, _)| f == name),
                _ => (i < fields.len()).then_some(i),
            };
            let Some(index) = index else {
                return self.refuse(call.at, "`copy` with an unknown field");
            };
            let value = self.argument(arg, &fields[index].1)?;
            values[index] = Some(self.keep(value, &mut lets));
        }
        let at = span(call.at);
        let mut args = Vec::new();
        for (index, value) in values.into_iter().enumerate() {
            let read = || {
                let kind = ExprKind::Field {
                    recv: Box::new(this.clone()),
                    class,
                    index,
                };
                mk(kind, fields[index].1.clone(), at)
            };
            args.push(value.unwrap_or_else(read));
        }
        let ty = this.ty.clone();
        let e = self.made(class, mk(ExprKind::NewClass { class, args }, ty, at), call.at)?;
        Ok(after(lets, e))
    }
}
