//! Implicit classes of the file: what they add to other types.

use super::super::calls::Call;
use super::super::cst::{field, has_modifier, kids};
use super::super::outer::{self, Outer};
use super::super::{Typer, mk};
use crate::lang::ast::{Expr, ExprKind};
use crate::lang::relate;
use crate::lang::ty::Ty;
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// The case class that an object is the companion of.
    pub(in crate::lang::scala) fn class_beside(&self, object: Node<'t>) -> Option<Node<'t>> {
        let name = self.template_name(object);
        kids(object.parent()?)
            .into_iter()
            .find(|k| k.kind() == "class_definition" && outer::is_case(*k) && self.template_name(*k) == name)
    }

    /// A method that an implicit class of this file adds to a value.
    pub(in crate::lang::scala) fn extension(&mut self, recv: &Expr, call: &Call<'t>) -> Understood<Option<Expr>> {
        let mut found = None;
        for class in self.implicit_classes() {
            let has = field(class, "body").and_then(|b| outer::in_container(b, &call.name, self.text()));
            if !matches!(has, Some(Outer::Def(_) | Outer::Val { .. })) || !self.in_scope(class, call.at) {
                continue;
            }
            let id = self.class_id(class, call.at)?;
            let [(_, ty)] = &self.classes[id.0 as usize].fields[..] else {
                continue;
            };
            let ty = ty.clone();
            if recv.ty != ty && !(recv.ty.is_reference() && relate::conforms(&recv.ty, &ty)) {
                continue;
            }
            if found.replace((id, ty)).is_some() {
                return self.refuse(call.at, format!("two implicit classes add `{}`", call.name));
            }
        }
        let Some((class, ty)) = found else { return Ok(None) };
        let value = self.coerce(recv.clone(), &ty)?;
        let own = Ty::Class(self.classes[class.0 as usize].name.clone());
        let kind = ExprKind::NewClass {
            class,
            args: vec![value],
        };
        let instance = mk(kind, own, recv.span);
        let instance = self.made(class, instance, call.at)?;
        self.class_member(&instance, class, call)
    }

    pub(super) fn implicit_classes(&self) -> Vec<Node<'t>> {
        let mut out = Vec::new();
        let mut stack = vec![self.root];
        while let Some(n) = stack.pop() {
            for k in kids(n) {
                match k.kind() {
                    "class_definition" if has_modifier(k, "implicit", self.text()) => out.push(k),
                    "object_definition" | "class_definition" | "trait_definition" | "template_body"
                    | "package_clause" | "package_object" => stack.push(k),
                    _ => {}
                }
            }
        }
        out
    }

    /// Whether an implicit class can be seen from a place: it stands in a template or file around it, or is imported.
    pub(super) fn in_scope(&self, class: Node<'t>, at: Node<'t>) -> bool {
        let mut place = Some(at);
        let home = class.parent();
        while let Some(p) = place {
            if home.is_some_and(|h| h.id() == p.id()) {
                return true;
            }
            place = p.parent();
        }
        let Some(object) = outer::template_of(class) else {
            return false;
        };
        let (owner, name) = (self.template_name(object), self.template_name(class));
        let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
        self.imports.wild(at.start_byte()).any(|i| last(&i.path) == owner)
            || self
                .imports
                .named(&name, at.start_byte())
                .is_some_and(|i| i.path.ends_with(&format!("{owner}.{name}")))
    }
}
