//! Instances: making one, its values and its methods as functions.

use super::super::calls::after;
use super::super::cst::{field, has_modifier, kids, name_text, span};
use super::super::outer::{self};
use super::super::{FnSig, Typer, mk};
use crate::lang::ast::{ClassId, ClassKind, Expr, ExprKind, FnId, Stmt};
use crate::lang::ty::Ty;
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// A `val` of a class's body, or the argument that a class gives its base, as a function of the instance.
    pub(super) fn value_of(&mut self, def: Node<'t>, name: &str, class: ClassId) -> Understood<FnId> {
        let key = (def.id(), vec![Ty::Class(self.classes[class.0 as usize].name.clone())]);
        if let Some(id) = self.fn_ids.get(&key) {
            return Ok(*id);
        }
        if def.kind() == "val_definition" && field(def, "pattern").is_none_or(|p| p.kind() != "identifier") {
            return self.refuse(def, "a pattern in a class's body is not covered");
        }
        let lazy = has_modifier(def, "lazy", self.text());
        let id = self.function_on(def, name, class, key, (!lazy).then_some(def))?;
        let made = self.functions[id.0 as usize].as_ref();
        if made.is_some_and(|f| super::super::globals::keeps_state(&f.body)) {
            return self.refuse(def, format!("`{name}` keeps state in an instance"));
        }
        Ok(id)
    }

    /// A function of the instance without further parameters.
    pub(super) fn function_on(
        &mut self,
        def: Node<'t>,
        name: &str,
        class: ClassId,
        key: (usize, Vec<Ty>),
        constructing: Option<Node<'t>>,
    ) -> Understood<FnId> {
        let written = if def.kind() == "val_definition" {
            field(def, "type")
        } else {
            None
        };
        let saved = (
            std::mem::take(&mut self.frames),
            std::mem::take(&mut self.type_vars),
            std::mem::replace(&mut self.constructing, constructing),
        );
        let made = written.map(|t| self.ty(t)).transpose().and_then(|ret| {
            let id = self.reserve(FnSig {
                name: name.to_owned(),
                params: Vec::new(),
                lists: Vec::new(),
                ret,
                local: false,
                method: Some(class),
                def,
            });
            self.fn_ids.insert(key.clone(), id);
            self.body_of(id, None).map(|()| id)
        });
        (self.frames, self.type_vars, self.constructing) = saved;
        if made.is_err() {
            self.fn_ids.remove(&key);
        }
        made
    }

    /// A new instance, with what its class and those above do when one is made.
    pub(in crate::lang::scala) fn made(&mut self, class: ClassId, e: Expr, at: Node<'t>) -> Understood<Expr> {
        let node = self.class_nodes[class.0 as usize];
        let mut templates = outer::linearization(node, self.text());
        templates.reverse();
        let mut steps = Vec::new();
        for template in templates {
            let body = field(template, "body").map(kids).unwrap_or_default();
            for member in body {
                match member.kind() {
                    "val_definition" if has_modifier(member, "lazy", self.text()) => {}
                    "val_definition" => {
                        let constant = field(member, "value")
                            .is_some_and(|v| v.kind().ends_with("literal") || v.kind() == "string");
                        let name = field(member, "pattern").map(|p| name_text(p, self.text()).to_owned());
                        if !constant && self.classes[class.0 as usize].kind != ClassKind::Singleton {
                            steps.push(self.value_of(member, &name.unwrap_or_default(), class)?);
                        }
                    }
                    "function_definition"
                    | "function_declaration"
                    | "val_declaration"
                    | "class_definition"
                    | "object_definition"
                    | "trait_definition"
                    | "type_definition"
                    | "import_declaration"
                    | "comment"
                    | "block_comment" => {}
                    _ if self.classes[class.0 as usize].kind == ClassKind::Singleton => {
                        return self.refuse(member, "statements in a case object are not covered");
                    }
                    _ => {
                        let key = (member.id(), vec![e.ty.clone()]);
                        steps.push(match self.fn_ids.get(&key) {
                            Some(id) => *id,
                            None => self.function_on(member, "<init>", class, key, Some(member))?,
                        });
                    }
                }
            }
        }
        if steps.is_empty() {
            return Ok(e);
        }
        let mut lets = Vec::new();
        let this = self.keep(e, &mut lets);
        for func in steps {
            let ret = self.sigs[func.0 as usize].ret.clone().unwrap_or(Ty::Any);
            let kind = ExprKind::CallFn {
                func,
                args: vec![this.clone()],
            };
            lets.push(Stmt::Expr(mk(kind, ret, span(at))));
        }
        Ok(after(lets, this))
    }

    /// A case object as a value.
    pub(in crate::lang::scala) fn singleton(&mut self, object: Node<'t>, at: Node<'t>) -> Understood<Expr> {
        let class = self.class_id(object, at)?;
        let ty = Ty::Class(self.classes[class.0 as usize].name.clone());
        let kind = ExprKind::NewClass {
            class,
            args: Vec::new(),
        };
        let e = mk(kind, ty, span(at));
        self.made(class, e, at)
    }
}

/// Puts the instance in front of the arguments of a call of a method.
pub(super) fn give_instance(e: &mut Expr, id: FnId, this: &Expr) -> bool {
    match &mut e.kind {
        ExprKind::CallFn { func, args } if *func == id => {
            args.insert(0, this.clone());
            true
        }
        ExprKind::Block(_, Some(value)) => give_instance(value, id, this),
        ExprKind::Apply { func, .. } => give_instance(func, id, this),
        ExprKind::Index { array, .. } => give_instance(array, id, this),
        ExprKind::Call { recv: Some(recv), .. } => give_instance(recv, id, this),
        _ => false,
    }
}
