//! Classes, traits and case objects of the file as types. In: a template and a receiver; out: its registration, its members as
//! functions of the instance, and calls that pick the member by the run-time class. The file is the whole world: no value of a
//! class from elsewhere can reach the function.

mod extensions;
mod members;
mod values;

use tree_sitter::Node;

use super::cst::{field, field_all, has_modifier, has_token, kids, name_text, span, text};
use super::outer::{self, Outer};
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Class, ClassId, ClassKind, Expr, ExprKind};
use crate::lang::relate;
use crate::lang::ty::Ty;
use crate::source::Understood;

/// Classes of the library that say nothing about values.
const HARMLESS: &[&str] = &["Product", "Serializable", "AnyVal", "AnyRef", "Ordered"];
/// More classes under one trait than calls are spread over.
const MOST_CLASSES: usize = 24;

/// What a member of an instance is.
enum Role<'t> {
    Field,
    Def(Node<'t>),
    Val(Node<'t>),
    /// A constructor parameter of a base class: the argument that the class gives it.
    Given(Node<'t>),
}

/// How a template can be used.
fn kind_of(template: Node, source: &str) -> Option<ClassKind> {
    match template.kind() {
        "object_definition" if outer::is_case(template) => Some(ClassKind::Singleton),
        "class_definition" if has_modifier(template, "abstract", source) => None,
        "class_definition" if outer::is_case(template) => Some(ClassKind::Case),
        "class_definition" if has_modifier(template, "implicit", source) => Some(ClassKind::Wrapper),
        _ => None,
    }
}

impl<'t> Typer<'t> {
    fn template_name(&self, template: Node<'t>) -> String {
        field(template, "name")
            .map(|n| name_text(n, self.text()).to_owned())
            .unwrap_or_default()
    }

    /// A class, trait or case object of the file as a type.
    pub(super) fn user_class(&mut self, class: Node<'t>, at: Node<'t>) -> Understood<Ty> {
        let base = class.kind() == "trait_definition" || has_modifier(class, "abstract", self.text());
        if base {
            return self.base_type(class, at);
        }
        let id = self.class_id(class, at)?;
        Ok(Ty::Class(self.classes[id.0 as usize].name.clone()))
    }

    /// A trait or an abstract class.
    fn base_type(&mut self, template: Node<'t>, at: Node<'t>) -> Understood<Ty> {
        let name = self.template_name(template);
        if !self.trait_nodes.iter().any(|(_, n)| n.id() == template.id()) {
            self.free_name(template, &name, at)?;
            self.trait_nodes.push((name.clone(), template));
            self.needs.insert(span(template));
            self.declare_parents(template, &name, at)?;
        }
        Ok(Ty::Class(name))
    }

    fn free_name(&self, template: Node<'t>, name: &str, at: Node<'t>) -> Understood<()> {
        let taken = self.classes.iter().any(|c| c.name == name) || self.trait_nodes.iter().any(|(n, _)| n == name);
        if lookup::has_class(name) || relate::is_throwable(name) || taken {
            return self.refuse(at, format!("another class is called `{name}` too"));
        }
        if field(template, "type_parameters").is_some() {
            return self.refuse(at, format!("`{name}` is generic"));
        }
        Ok(())
    }

    fn declare_parents(&mut self, template: Node<'t>, name: &str, at: Node<'t>) -> Understood<()> {
        let mut names = Vec::new();
        for (parent, parent_name, _) in outer::parents(template, self.text()) {
            match parent {
                Some(parent) => match self.user_class(parent, at)? {
                    Ty::Class(base) => names.push(base),
                    _ => return self.refuse(at, format!("`{name}` extends what is not a class")),
                },
                None if HARMLESS.contains(&parent_name.as_str()) => {}
                None => return self.refuse(at, format!("`{name}` extends `{parent_name}`, which is not covered")),
            }
        }
        relate::declare_class(name, names);
        Ok(())
    }

    /// A case class, a case object or an implicit class of the file.
    pub(super) fn class_id(&mut self, class: Node<'t>, at: Node<'t>) -> Understood<ClassId> {
        if let Some(reason) = self.broken_classes.get(&class.id()) {
            return Err(reason.clone());
        }
        if let Some(i) = self.class_nodes.iter().position(|c| c.id() == class.id()) {
            return Ok(ClassId(i as u32));
        }
        let made = self.register_class(class, at);
        if let Err(reason) = &made {
            self.broken_classes.insert(class.id(), reason.clone());
        }
        made
    }

    fn register_class(&mut self, class: Node<'t>, at: Node<'t>) -> Understood<ClassId> {
        let name = self.template_name(class);
        let Some(kind) = kind_of(class, self.text()) else {
            return self.refuse(at, format!("`{name}` is not a case class"));
        };
        self.free_name(class, &name, at)?;
        let lists = field_all(class, "class_parameters");
        if lists.len() != usize::from(kind != ClassKind::Singleton) {
            return self.refuse(at, format!("`{name}` has not exactly one parameter list"));
        }
        self.needs.insert(span(class));
        let id = ClassId(self.classes.len() as u32);
        self.class_nodes.push(class);
        self.classes.push(Class {
            kind,
            name: name.clone(),
            fields: Vec::new(),
            shown_by: None,
            span: span(class),
        });
        let mut fields = Vec::new();
        for p in lists.first().map(|l| kids(*l)).unwrap_or_default() {
            if has_token(p, "var") {
                return self.refuse(p, "case class with a `var`");
            }
            let param = self.parameter(p)?;
            fields.push((param.name, param.ty));
        }
        self.classes[id.0 as usize].fields = fields;
        self.declare_parents(class, &name, at)?;
        self.standard_members(class, id)?;
        Ok(id)
    }

    /// Members that the library itself calls: an own `toString` is used wherever an instance is shown.
    fn standard_members(&mut self, class: Node<'t>, id: ClassId) -> Understood<()> {
        for template in outer::linearization(class, self.text()) {
            let body = field(template, "body").map(kids).unwrap_or_default();
            for member in body {
                let name = field(member, "name").map(|n| name_text(n, self.text()));
                match (member.kind(), name) {
                    ("var_definition", _) => return self.refuse(member, "a class that keeps state is not covered"),
                    ("function_definition", Some("equals" | "hashCode" | "canEqual" | "productPrefix" | "compare")) => {
                        return self.refuse(member, "a class with its own equality or order is not covered");
                    }
                    ("function_definition", Some("toString")) if !self.shown.iter().any(|(c, _)| *c == id) => {
                        self.shown.push((id, member));
                    }
                    ("val_definition", _)
                        if field(member, "pattern").is_some_and(|p| text(p, self.text()) == "toString") =>
                    {
                        return self.refuse(member, "`toString` as a `val` is not covered");
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Types the `toString`s that were met; doing so may meet others.
    pub(super) fn finish_shown(&mut self) -> Understood<()> {
        let mut at = 0;
        while let Some((id, def)) = self.shown.get(at).copied() {
            let func = self.method_of(def, id)?;
            self.classes[id.0 as usize].shown_by = Some(func);
            at += 1;
        }
        Ok(())
    }

    /// The instance that a method is called on, as a value in the innermost frame.
    pub(super) fn this_instance(&mut self, n: Node<'t>) -> Option<(Expr, ClassId)> {
        let (slot, class) = self.frames.first()?.this?;
        let slot = self.capture(0, slot);
        let ty = Ty::Class(self.classes[class.0 as usize].name.clone());
        Some((mk(ExprKind::Local(slot), ty, span(n)), class))
    }

    /// Whether a definition that a simple name led to is a member of the instance that the method is called on.
    pub(super) fn is_own_member(&self, found: &Outer<'t>) -> bool {
        let Some((_, class)) = self.frames.first().and_then(|f| f.this) else {
            return false;
        };
        let (Outer::Val { def, .. } | Outer::Def(def) | Outer::ClassParam(def) | Outer::Abstract(def)) = found else {
            return false;
        };
        let all = outer::linearization(self.class_nodes[class.0 as usize], self.text());
        outer::template_of(*def).is_some_and(|t| all.iter().any(|n| n.id() == t.id()))
    }

    fn role(&self, class: ClassId, name: &str) -> Option<Role<'t>> {
        let node = self.class_nodes[class.0 as usize];
        for template in outer::linearization(node, self.text()) {
            if let Some(index) = self.param_index(template, name) {
                if template.id() == node.id() {
                    return Some(Role::Field);
                }
                let parents = outer::parents(node, self.text());
                let (.., args) = parents
                    .into_iter()
                    .find(|(p, ..)| p.is_some_and(|p| p.id() == template.id()))?;
                let given = kids(*args.first()?);
                return given.get(index).copied().map(Role::Given);
            }
            match field(template, "body").and_then(|b| outer::in_container(b, name, self.text())) {
                Some(Outer::Def(def)) => return Some(Role::Def(def)),
                Some(Outer::Val { def, is_var: false }) => return Some(Role::Val(def)),
                _ => {}
            }
        }
        None
    }

    fn param_index(&self, template: Node<'t>, name: &str) -> Option<usize> {
        let lists = field_all(template, "class_parameters");
        let params = lists.first().map(|l| kids(*l)).unwrap_or_default();
        params
            .iter()
            .position(|p| field(*p, "name").is_some_and(|n| name_text(n, self.text()) == name))
    }

    /// The classes and case objects of the file that extend a template. Those that cannot be used have no instances either.
    pub(super) fn classes_under(&mut self, template: Node<'t>, at: Node<'t>) -> Understood<Vec<ClassId>> {
        let mut found = Vec::new();
        let mut stack = vec![self.root];
        while let Some(n) = stack.pop() {
            for k in kids(n) {
                if kind_of(k, self.text()).is_some()
                    && outer::linearization(k, self.text())[1..]
                        .iter()
                        .any(|t| t.id() == template.id())
                {
                    found.push(k);
                }
                if matches!(
                    k.kind(),
                    "object_definition" | "class_definition" | "trait_definition" | "template_body" | "package_clause"
                ) {
                    stack.push(k);
                }
            }
        }
        found.sort_by_key(Node::start_byte);
        if found.len() > MOST_CLASSES {
            return self.refuse(
                at,
                format!("more than {MOST_CLASSES} classes under one trait are not covered"),
            );
        }
        Ok(found.into_iter().filter_map(|c| self.class_id(c, at).ok()).collect())
    }

    /// The run-time classes that a type test on a trait stands for; `None` for any other type.
    pub(super) fn tested_classes(&mut self, ty: &Ty, at: Node<'t>) -> Understood<Option<Vec<Ty>>> {
        let Ty::Class(name) = ty else { return Ok(None) };
        let Some((_, template)) = self.trait_nodes.iter().find(|(n, _)| n == name).cloned() else {
            return Ok(None);
        };
        let classes = self.classes_under(template, at)?;
        let types = classes
            .into_iter()
            .map(|c| Ty::Class(self.classes[c.0 as usize].name.clone()));
        Ok(Some(types.collect()))
    }
}
