//! Classes, traits and case objects of the file as types. In: a template and a receiver; out: its registration, its members as
//! functions of the instance, and calls that pick the member by the run-time class. The file is the whole world: no value of a
//! class from elsewhere can reach the function.

use tree_sitter::Node;

use super::calls::{Call, after};
use super::cst::{field, field_all, has_modifier, has_token, kids, name_text, span, text};
use super::outer::{self, Outer};
use super::{FnSig, Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Case, Class, ClassId, ClassKind, Expr, ExprKind, FnId, Lit, Pattern, PatternKind, Stmt};
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

    /// A member of an instance of a class, trait or case object; `None` if it has none of this name.
    pub(super) fn user_member(&mut self, recv: &Expr, call: &Call<'t>) -> Understood<Option<Expr>> {
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

    fn class_member(&mut self, recv: &Expr, class: ClassId, call: &Call<'t>) -> Understood<Option<Expr>> {
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

    fn call_method(&mut self, recv: &Expr, id: FnId, class: ClassId, call: &Call<'t>) -> Understood<Expr> {
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
    fn not_before_its_time(&self, recv: &Expr, role: &Role<'t>, at: Node<'t>) -> Understood<()> {
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
    fn trait_member(&mut self, recv: &Expr, template: Node<'t>, call: &Call<'t>) -> Understood<Option<Expr>> {
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
    fn declared_type(&mut self, template: Node<'t>, name: &str) -> Understood<Option<Ty>> {
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
    pub(super) fn overridden_type(&mut self, def: Node<'t>, class: ClassId) -> Understood<Option<Ty>> {
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

    /// A `val` of a class's body, or the argument that a class gives its base, as a function of the instance.
    fn value_of(&mut self, def: Node<'t>, name: &str, class: ClassId) -> Understood<FnId> {
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
        if made.is_some_and(|f| super::globals::keeps_state(&f.body)) {
            return self.refuse(def, format!("`{name}` keeps state in an instance"));
        }
        Ok(id)
    }

    /// A function of the instance without further parameters.
    fn function_on(
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
    pub(super) fn made(&mut self, class: ClassId, e: Expr, at: Node<'t>) -> Understood<Expr> {
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
    pub(super) fn singleton(&mut self, object: Node<'t>, at: Node<'t>) -> Understood<Expr> {
        let class = self.class_id(object, at)?;
        let ty = Ty::Class(self.classes[class.0 as usize].name.clone());
        let kind = ExprKind::NewClass {
            class,
            args: Vec::new(),
        };
        let e = mk(kind, ty, span(at));
        self.made(class, e, at)
    }

    /// The case class that an object is the companion of.
    pub(super) fn class_beside(&self, object: Node<'t>) -> Option<Node<'t>> {
        let name = self.template_name(object);
        kids(object.parent()?)
            .into_iter()
            .find(|k| k.kind() == "class_definition" && outer::is_case(*k) && self.template_name(*k) == name)
    }

    /// A method that an implicit class of this file adds to a value.
    pub(super) fn extension(&mut self, recv: &Expr, call: &Call<'t>) -> Understood<Option<Expr>> {
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

    fn implicit_classes(&self) -> Vec<Node<'t>> {
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
    fn in_scope(&self, class: Node<'t>, at: Node<'t>) -> bool {
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

/// Puts the instance in front of the arguments of a call of a method.
fn give_instance(e: &mut Expr, id: FnId, this: &Expr) -> bool {
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
