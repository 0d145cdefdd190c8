//! Constants and case classes: `val`s of enclosing templates and blocks become globals, typed when first needed.

use super::cst::{field, field_all, has_modifier, has_token, kids, name_text, span};
use super::outer;
use super::{Binding, Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Case, Class, ClassId, Expr, ExprKind, Global, GlobalId};
use crate::lang::ty::{SeqKind, Ty};
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// A `val` of an enclosing template or block as a global.
    pub(super) fn global(&mut self, def: Node<'t>, name: &str, n: Node<'t>) -> Understood<Expr> {
        let lazy = has_modifier(def, "lazy", self.text());
        let forward = |i: &Node| i.parent() == def.parent() && i.start_byte() < def.start_byte();
        if !lazy && self.initialising.iter().any(forward) {
            return self.refuse(n, format!("`{name}` is read before it is initialised"));
        }
        let key = (def.id(), name.to_owned());
        let id = match self.global_ids.get(&key) {
            Some(Some(id)) => *id,
            Some(None) => return self.refuse(n, format!("`{name}` is defined by itself")),
            None => {
                self.global_ids.insert(key.clone(), None);
                self.needs.insert(span(def));
                self.initialising.push(def);
                let made = self.make_global(def, name);
                self.initialising.pop();

                let made = match made {
                    Ok(made) => made,
                    Err(e) => {
                        self.global_ids.remove(&key);
                        return Err(e);
                    }
                };
                let id = GlobalId(self.globals.len() as u32);
                self.globals.push(Some(made));
                self.global_ids.insert(key, Some(id));
                id
            }
        };
        let ty = self.globals[id.0 as usize]
            .as_ref()
            .map(|g| g.ty.clone())
            .unwrap_or(Ty::Any);
        Ok(mk(ExprKind::Global(id), ty, span(n)))
    }

    pub(super) fn make_global(&mut self, def: Node<'t>, name: &str) -> Understood<Global> {
        self.parsed(def)?;
        let (Some(pattern), Some(value)) = (field(def, "pattern"), field(def, "value")) else {
            return self.refuse(def, "`val` without a value");
        };
        let written = field(def, "type");
        let (init, frame) = self.in_frame(def, |t| {
            let init = match written {
                Some(ty) => {
                    let ty = t.ty(ty)?;
                    t.checked(value, &ty)?
                }
                None => t.expr(value, None)?,
            };
            if matches!(pattern.kind(), "identifier" | "operator_identifier" | "identifiers") {
                return Ok(init);
            }
            t.part_of(init, pattern, name)
        })?;
        if keeps_state(&init) {
            return self.refuse(def, format!("`{name}` keeps state between rows"));
        }
        Ok(Global {
            name: name.to_owned(),
            ty: init.ty.clone(),
            init,
            locals: frame.locals,
            span: span(def),
        })
    }

    /// The part of a value that a name in a pattern binds.
    pub(super) fn part_of(&mut self, init: Expr, pattern: Node<'t>, name: &str) -> Understood<Expr> {
        let at = init.span;
        self.push_scope();
        let bound = self.pattern(pattern, &init.ty.clone())?;
        let found = self.frame().scopes.last().and_then(|s| s.get(name)).cloned();
        self.pop_scope();
        let Some(Binding::Local(id)) = found else {
            return self.refuse(pattern, "pattern that does not bind the name");
        };
        let ty = self.frame().locals[id.0 as usize].ty.clone();
        let case = Case {
            pattern: bound,
            guard: None,
            body: mk(ExprKind::Local(id), ty.clone(), at),
            span: at,
        };
        let kind = ExprKind::Match {
            scrutinee: Box::new(init),
            cases: vec![case],
        };
        Ok(mk(kind, ty, at))
    }

    /// A case class of the file as a type.
    pub(super) fn user_class(&mut self, class: Node<'t>, at: Node<'t>) -> Understood<Ty> {
        self.class_id(class, at)
            .map(|id| Ty::Class(self.classes[id.0 as usize].name.clone()))
    }

    /// A case class of the file.
    pub(super) fn class_id(&mut self, class: Node<'t>, at: Node<'t>) -> Understood<ClassId> {
        if let Some(i) = self.class_nodes.iter().position(|c| c.id() == class.id()) {
            return Ok(ClassId(i as u32));
        }
        let name = field(class, "name")
            .map(|n| name_text(n, self.text()).to_owned())
            .unwrap_or_default();
        if !outer::is_case(class) || class.kind() != "class_definition" {
            return self.refuse(at, format!("`{name}` is not a case class"));
        }
        if lookup::has_class(&name) || self.classes.iter().any(|c| c.name == name) {
            return self.refuse(at, format!("another class is called `{name}` too"));
        }
        if field(class, "type_parameters").is_some() {
            return self.refuse(at, format!("`{name}` is generic"));
        }
        let lists = field_all(class, "class_parameters");
        if lists.len() != 1 {
            return self.refuse(at, format!("`{name}` has not exactly one parameter list"));
        }
        self.needs.insert(span(class));
        let id = ClassId(self.classes.len() as u32);
        self.class_nodes.push(class);
        self.classes.push(Class {
            name,
            fields: Vec::new(),
            span: span(class),
        });
        let mut fields = Vec::new();
        for p in kids(lists[0]) {
            if has_token(p, "var") {
                return self.refuse(p, "case class with a `var`");
            }
            let param = self.parameter(p)?;
            fields.push((param.name, param.ty));
        }
        self.classes[id.0 as usize].fields = fields;
        Ok(id)
    }

    /// The class behind a type, if it is one of the program.
    pub(super) fn class_of(&self, ty: &Ty) -> Option<ClassId> {
        let Ty::Class(name) = ty else { return None };
        self.classes
            .iter()
            .position(|c| c.name == *name)
            .map(|i| ClassId(i as u32))
    }
}

/// Whether a constant is an object that calls change, so that a row could see what an earlier one left behind.
pub(super) fn keeps_state(init: &Expr) -> bool {
    let by_type = match &init.ty {
        Ty::Iterator(_) | Ty::Seq(SeqKind::Buffer | SeqKind::JavaList, _) => true,
        Ty::Class(c) => matches!(
            c.as_str(),
            "StringBuilder" | "StringBuffer" | "Matcher" | "MessageDigest" | "Random"
        ),
        _ => false,
    };
    let made_mutable = match &init.kind {
        ExprKind::Call { method, .. } => method.recv.contains("mutable."),
        ExprKind::Block(_, Some(value)) => keeps_state(value),
        _ => false,
    };
    by_type || made_mutable
}
