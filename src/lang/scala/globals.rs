//! Constants: `val`s of enclosing templates and blocks become globals, typed when first needed.

use super::cst::{field, has_modifier, span};
use super::{Binding, Typer, mk};
use crate::lang::ast::{Case, ClassId, Expr, ExprKind, Global, GlobalId};
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
