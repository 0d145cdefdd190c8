//! Members of the classes of the file.

use super::super::calls::{Call, after};
use super::super::cst::{field, has_modifier, name_text, span};
use super::super::outer::{self, Outer};
use super::super::{Typer, mk};
use super::Role;
use super::values::give_instance;
use crate::lang::ast::{Case, ClassId, Expr, ExprKind, FnId, Lit, Pattern, PatternKind, Stmt};
use crate::lang::ty::Ty;
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// A member of an instance of a class, trait or case object; `None` if it has none of this name.
    pub(in crate::lang::scala) fn user_member(&mut self, recv: &Expr, call: &Call<'t>) -> Understood<Option<Expr>> {
        if let Some(class) = self.class_of(&recv.ty) {
            return self.class_member(recv, class, call);
        }
        let Ty::Class(name) = &recv.ty else { return Ok(None) };
        match self.trait_nodes.iter().find(|(n, _)| n == name) {
            Some((_, template)) => {
                let template = *template;
                self.trait_member(recv, template, call)
            }
            None => Ok(None),
        }
    }

    pub(super) fn class_member(&mut self, recv: &Expr, class: ClassId, call: &Call<'t>) -> Understood<Option<Expr>> {
        let Some(role) = self.role(class, &call.name) else {
            return match call.name.as_str() {
                "copy" => self.copy(recv.clone(), class, call).map(Some),
                _ => Ok(None),
            };
        };
        self.not_before_its_time(recv, &role, call.at)?;
        let id = match role {
            Role::Field => {
                let e = self.case_field(recv.clone(), class, &call.name, call.at)?;
                return self.apply_value(e, call.rest(call.lists.clone())).map(Some);
            }
            Role::Def(def) => {
                let def = self.pick_overload(def, call)?;
                self.method_of(def, class)?
            }
            Role::Val(def) => self.value_of(def, &call.name, class)?,
            Role::Given(value) => self.value_of(value, &call.name, class)?,
        };
        self.call_method(recv, id, class, call).map(Some)
    }

    pub(super) fn call_method(&mut self, recv: &Expr, id: FnId, class: ClassId, call: &Call<'t>) -> Understood<Expr> {
        let mut lets = Vec::new();
        let simple = matches!(recv.kind, ExprKind::Local(_));
        let this = if simple {
            recv.clone()
        } else {
            self.keep(recv.clone(), &mut lets)
        };
        let own =
            self.frames.first().and_then(|f| f.this).is_some_and(|(slot, _)| {
                self.frames.len() == 1 && matches!(recv.kind, ExprKind::Local(l) if l == slot)
            });
        if let (false, Some((_, ty))) = (own, self.classes[class.0 as usize].fields.first().cloned()) {
            // A null instance throws before the method begins, even if the method never looks at it.
            let kind = ExprKind::Field {
                recv: Box::new(this.clone()),
                class,
                index: 0,
            };
            lets.push(Stmt::Expr(mk(kind, ty, this.span)));
        }
        let mut e = self.call_fn(id, call.clone())?;
        match give_instance(&mut e, id, &this) {
            true => Ok(after(lets, e)),
            false => self.refuse(call.at, "method of a class called in a form that is not covered"),
        }
    }

    /// While an instance is made, only what is there already may be read.
    pub(super) fn not_before_its_time(&self, recv: &Expr, role: &Role<'t>, at: Node<'t>) -> Understood<()> {
        let (Some(now), Some((slot, class))) = (self.constructing, self.frames.first().and_then(|f| f.this)) else {
            return Ok(());
        };
        if !matches!(recv.kind, ExprKind::Local(l) if l == slot) {
            return Ok(());
        }
        let all = outer::linearization(self.class_nodes[class.0 as usize], self.text());
        let place = |n: Node| outer::template_of(n).and_then(|t| all.iter().position(|a| a.id() == t.id()));
        let early = match role {
            Role::Field | Role::Given(_) => true,
            Role::Val(def) if has_modifier(*def, "lazy", self.text()) => false,
            Role::Val(def) => match (place(*def), place(now)) {
                (Some(a), Some(b)) => a > b || a == b && def.start_byte() < now.start_byte(),
                _ => false,
            },
            Role::Def(_) => false,
        };
        match early {
            true => Ok(()),
            false => self.refuse(
                at,
                "a member that is read while the instance is being made is not covered",
            ),
        }
    }

    /// A call that the run-time class of the receiver decides.
    pub(super) fn trait_member(
        &mut self,
        recv: &Expr,
        template: Node<'t>,
        call: &Call<'t>,
    ) -> Understood<Option<Expr>> {
        let classes = self.classes_under(template, call.at)?;
        let declared = self.declared_type(template, &call.name)?;
        if declared.is_none() && !classes.iter().any(|c| self.role(*c, &call.name).is_some()) {
            return Ok(None);
        }
        let at = span(call.at);
        let mut lets = Vec::new();
        let this = self.keep(recv.clone(), &mut lets);
        let null = self.construct(
            &Ty::Class("NullPointerException".into()),
            "NullPointerException",
            vec![Vec::new()],
            call.at,
        )?;
        let mut heads = vec![PatternKind::Lit(Lit::Null)];
        let mut bodies = vec![mk(ExprKind::Throw(Box::new(null)), Ty::Nothing, at)];
        for class in classes {
            let ty = Ty::Class(self.classes[class.0 as usize].name.clone());
            let slot = self.slot("$this", ty.clone(), false);
            let own = mk(ExprKind::Local(slot), ty.clone(), at);
            let Some(body) = self.class_member(&own, class, call)? else {
                return self.refuse(
                    call.at,
                    format!("`{}` is not a member of `{ty}` in this file", call.name),
                );
            };
            let typed = Pattern {
                kind: PatternKind::Typed(ty),
                span: at,
            };
            heads.push(PatternKind::Bind(slot, Some(Box::new(typed))));
            bodies.push(body);
        }
        let ty = match declared.filter(|_| call.lists.len() <= 1) {
            Some(ty) => ty,
            None => self.join(&bodies.iter().map(|b| b.ty.clone()).collect::<Vec<_>>()),
        };
        let mut cases = Vec::new();
        for (kind, body) in heads.into_iter().zip(bodies) {
            cases.push(Case {
                pattern: Pattern { kind, span: at },
                guard: None,
                body: self.coerce(body, &ty)?,
                span: at,
            });
        }
        let kind = ExprKind::Match {
            scrutinee: Box::new(this),
            cases,
        };
        Ok(Some(after(lets, mk(kind, ty, at))))
    }

    /// The result type that a trait or what it extends writes for a member.
    pub(super) fn declared_type(&mut self, template: Node<'t>, name: &str) -> Understood<Option<Ty>> {
        for t in outer::linearization(template, self.text()) {
            let written = match field(t, "body").and_then(|b| outer::in_container(b, name, self.text())) {
                Some(Outer::Def(def)) => field(def, "return_type"),
                Some(Outer::Abstract(def)) => field(def, "return_type").or(field(def, "type")),
                Some(Outer::Val { def, .. }) => field(def, "type"),
                _ => outer::class_param(t, name, self.text()).and_then(|p| field(p, "type")),
            };
            if let Some(written) = written {
                return self.ty(written).map(Some);
            }
        }
        Ok(None)
    }

    /// The result type that a class's method without one takes from what it overrides, so that it may call itself.
    pub(in crate::lang::scala) fn overridden_type(&mut self, def: Node<'t>, class: ClassId) -> Understood<Option<Ty>> {
        let name = field(def, "name").map(|n| name_text(n, self.text()).to_owned());
        let node = self.class_nodes[class.0 as usize];
        for t in outer::linearization(node, self.text()) {
            if outer::template_of(def).is_some_and(|own| own.id() == t.id()) {
                continue;
            }
            let found = field(t, "body").and_then(|b| outer::in_container(b, name.as_deref()?, self.text()));
            if let Some(Outer::Abstract(above)) = found
                && let Some(written) = field(above, "return_type")
            {
                return self.ty(written).map(Some);
            }
        }
        Ok(None)
    }
}
