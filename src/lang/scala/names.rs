//! Names in expressions. In: an identifier or a dotted path; out: the [`Target`] it stands for: a value, a function of
//! the program, an object of the file, or a module of the library.

use super::imports::module_name;
use tree_sitter::Node;

use super::cst::{field, kids, name_text, span};
use super::outer::{self, Outer};
use super::{Binding, Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{ClassId, Expr, ExprKind, FnId, LocalId};
use crate::lang::ty::Ty;
use crate::source::{Refusal, Understood};

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Target<'t> {
    /// A value.
    Value(Expr),
    /// A local `def`, already typed or at least with its signature.
    LocalFn(FnId),
    /// A `def` of the file.
    Def(Node<'t>),
    /// Rows of a module by name.
    Static(String, String),
    /// A module of the library: `Math`, `LocalDate`, `List`.
    Module(String),
    /// An object of the file.
    Object(Node<'t>),
    /// A case class of the file: its companion.
    CaseClass(Node<'t>),
    /// A package.
    Package(String),
    /// A member of the instance that the method is called on.
    Member(Expr, String),
}

/// Modules that need no import.
pub(super) const PREDEFINED: &[&str] = &[
    "Math",
    "StrictMath",
    "Integer",
    "Long",
    "Double",
    "Float",
    "Short",
    "Byte",
    "Boolean",
    "Character",
    "String",
    "System",
    "Option",
    "Some",
    "None",
    "List",
    "Seq",
    "Array",
    "Map",
    "Set",
    "Vector",
    "IndexedSeq",
    "Iterable",
    "BigDecimal",
    "BigInt",
    "Int",
    "Char",
    "Iterator",
    "Left",
    "Right",
    "Nil",
    "Range",
    "StringBuilder",
    "Either",
    "Stream",
    "Tuple2",
    "Thread",
    "Ordering",
];

impl<'t> Typer<'t> {
    /// What a node stands for, if it is a name or a dotted path of names; `None` for any other expression.
    pub(super) fn target(&mut self, n: Node<'t>) -> Understood<Option<Target<'t>>> {
        match n.kind() {
            "identifier" | "operator_identifier" => {
                let name = name_text(n, self.text()).to_owned();
                if name == "this" || name == "super" {
                    return self.this(n, &name).map(Some);
                }
                self.name(n, &name)?
                    .map(Some)
                    .ok_or_else(|| Refusal::new(span(n), format!("`{name}` is defined outside of this file")))
            }
            "field_expression" => {
                let (Some(value), Some(member)) = (field(n, "value"), field(n, "field")) else {
                    return Ok(None);
                };
                if !matches!(value.kind(), "identifier" | "field_expression") {
                    return Ok(None);
                }
                let Some(head) = self.target(value)? else {
                    return Ok(None);
                };
                let name = name_text(member, self.text()).to_owned();
                self.select(head, &name, n)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn this(&mut self, n: Node<'t>, name: &str) -> Understood<Target<'t>> {
        if name == "this" {
            if let Some((this, _)) = self.this_instance(n) {
                let selected = n.parent().is_some_and(|p| p.kind() == "field_expression");
                if self.constructing.is_some() && !selected {
                    return self.refuse(n, "`this` while the instance is being made is not covered");
                }
                return Ok(Target::Value(this));
            }
            let mut at = n;
            while let Some(parent) = at.parent() {
                if matches!(
                    parent.kind(),
                    "object_definition" | "class_definition" | "trait_definition"
                ) {
                    return Ok(Target::Object(parent));
                }
                at = parent;
            }
        }
        self.refuse(n, format!("`{name}` as a value is not covered"))
    }

    /// A member of a target: `None` if it is a member of a value.
    pub(super) fn select(&mut self, head: Target<'t>, name: &str, n: Node<'t>) -> Understood<Option<Target<'t>>> {
        match head {
            Target::Object(object) => match outer::member(object, name, self.text()) {
                Some(Outer::Def(_) | Outer::Val { .. } | Outer::Abstract(_)) if outer::is_case(object) => Ok(None),
                Some(found) => self.outer(found, name, n).map(Some),
                None if outer::is_case(object) => Ok(None),
                None if name == "apply" && self.class_beside(object).is_some() => {
                    Ok(self.class_beside(object).map(Target::CaseClass))
                }
                None => {
                    let what = field(object, "name")
                        .map(|n| name_text(n, self.text()))
                        .unwrap_or("object");
                    self.refuse(n, format!("`{name}` is not a member of `{what}` in this file"))
                }
            },
            Target::CaseClass(class) => match self.companion(class) {
                Some(object) => self.select(Target::Object(object), name, n),
                None if name == "apply" => Ok(Some(Target::CaseClass(class))),
                None => self.refuse(n, format!("`{name}` of a companion is not covered")),
            },
            Target::Module(module) if module == "Ordering" => Ok(Some(Target::Static(module, name.to_owned()))),
            Target::Module(module) => {
                if lookup::static_rows(&module, name).is_empty() {
                    // `BigDecimal.RoundingMode`, `LocalDate.MIN`.
                    if lookup::has_module(name) && name.starts_with(char::is_uppercase) {
                        return Ok(Some(Target::Module(name.to_owned())));
                    }
                }
                Ok(Some(Target::Static(module, name.to_owned())))
            }
            Target::Package(path) => Ok(Some(self.in_package(&format!("{path}.{name}")))),
            _ => Ok(None),
        }
    }

    pub(super) fn in_package(&self, path: &str) -> Target<'t> {
        let last = path.rsplit('.').next().unwrap_or(path);
        if path == "scala.math" {
            return Target::Module("math".into());
        }
        if path == "scala.sys" {
            return Target::Module("sys".into());
        }
        if last.starts_with(char::is_uppercase) {
            return Target::Module(module_name(path));
        }
        Target::Package(path.to_owned())
    }

    /// What a simple name stands for.
    pub(super) fn simple_name(&mut self, n: Node<'t>, name: &str) -> Understood<Option<Target<'t>>> {
        self.name(n, name)
    }

    pub(super) fn name(&mut self, n: Node<'t>, name: &str) -> Understood<Option<Target<'t>>> {
        if let Some(target) = self.bound(n, name)? {
            return Ok(Some(target));
        }
        let root = self.frames[0].root;
        let place = n.start_byte();
        let found = outer::lookup(root, name, self.text());
        let import = self.imports.named(name, place).cloned();
        match (found, import) {
            (Some(found), import) if !import.as_ref().is_some_and(|i| i.hides(&found)) => {
                if self.is_own_member(&found)
                    && let Some((this, _)) = self.this_instance(n)
                {
                    return Ok(Some(Target::Member(this, name.to_owned())));
                }
                return self.outer(found, name, n).map(Some);
            }
            (None, None) if matches!(name, "copy" | "toString" | "hashCode" | "equals") => {
                if let Some((this, _)) = self.this_instance(n) {
                    return Ok(Some(Target::Member(this, name.to_owned())));
                }
            }
            (_, Some(import)) => {
                self.needs.insert(import.span);
                let path = self.imports.expand(&import.path, import.span.start as usize);
                return self.imported(&path, n).map(Some);
            }
            _ => {}
        }
        let wild: Vec<_> = self.imports.wild(place).cloned().collect();
        for import in wild {
            let path = self.imports.expand(&import.path, import.span.start as usize);
            if let Some(target) = self.wild(&path, name, n)? {
                self.needs.insert(import.span);
                return Ok(Some(target));
            }
        }
        Ok(self.predefined(name))
    }

    /// A name of the function's own scopes.
    pub(super) fn bound(&mut self, n: Node<'t>, name: &str) -> Understood<Option<Target<'t>>> {
        for level in (0..self.frames.len()).rev() {
            let found = self.frames[level]
                .scopes
                .iter()
                .rev()
                .find_map(|s| s.get(name))
                .cloned();
            let Some(binding) = found else { continue };
            return match binding {
                Binding::Local(id) => {
                    let id = self.capture(level, id);
                    let ty = self.frame().locals[id.0 as usize].ty.clone();
                    Ok(Some(Target::Value(mk(ExprKind::Local(id), ty, span(n)))))
                }
                Binding::ByName(id) => {
                    let id = self.capture(level, id);
                    let ty = self.frame().locals[id.0 as usize].ty.clone();
                    let Ty::Fn(_, ret) = &ty else {
                        return self.refuse(n, "by-name parameter that cannot be read");
                    };
                    let ret = (**ret).clone();
                    let func = Box::new(mk(ExprKind::Local(id), ty, span(n)));
                    let kind = ExprKind::Apply { func, args: Vec::new() };
                    Ok(Some(Target::Value(mk(kind, ret, span(n)))))
                }
                Binding::Fn(id) => Ok(Some(Target::LocalFn(id))),
                Binding::Later => self.refuse(
                    n,
                    format!("`{name}` is used before its definition and has no written result type"),
                ),
            };
        }
        Ok(None)
    }

    /// The slot in the innermost frame for a slot of an outer one.
    pub(super) fn capture(&mut self, level: usize, id: LocalId) -> LocalId {
        let mut id = id;
        for inner in level + 1..self.frames.len() {
            if let Some(known) = self.frames[inner].captures.get(&id) {
                id = *known;
                continue;
            }
            let mut local = self.frames[inner - 1].locals[id.0 as usize].clone();
            local.captured = Some(id);
            let frame = &mut self.frames[inner];
            let own = LocalId(frame.locals.len() as u32);
            frame.locals.push(local);
            frame.captures.insert(id, own);
            id = own;
        }
        id
    }

    /// What a definition outside of the function stands for.
    pub(super) fn outer(&mut self, found: Outer<'t>, name: &str, n: Node<'t>) -> Understood<Target<'t>> {
        let found = self.seen_from_instance(found, name);
        if let Outer::Val { def, .. } | Outer::Def(def) = found
            && self.is_overridden(def, name)
        {
            return self.refuse(
                n,
                format!("`{name}` is overridden in this file: which one is meant depends on the instance"),
            );
        }
        match found {
            Outer::Val { def, is_var: true } => {
                self.needs.insert(span(def));
                self.refuse(
                    n,
                    format!("`{name}` is a `var` outside of the function: its value depends on what ran before"),
                )
            }
            Outer::Val { def, .. } => self.global(def, name, n).map(Target::Value),
            Outer::Def(def) => Ok(Target::Def(def)),
            Outer::Object(object) => Ok(Target::Object(object)),
            Outer::Class(class) if outer::is_case(class) => Ok(Target::CaseClass(class)),
            Outer::Class(class) => match self.companion(class) {
                Some(object) => Ok(Target::Object(object)),
                None => self.refuse(n, format!("class `{name}` is not a case class")),
            },
            Outer::ClassParam(param) => self.class_param(param, name, n),
            Outer::Param(param) => self.refuse(n, self.why_unknown(param, name)),
            Outer::Abstract(_) => self.refuse(n, format!("`{name}` has no definition in this file")),
            Outer::Alias(_) => self.refuse(n, format!("`{name}` is a type")),
        }
    }

    /// A parameter of the enclosing class: a field, inside a method of a case class.
    pub(super) fn class_param(&mut self, param: Node<'t>, name: &str, n: Node<'t>) -> Understood<Target<'t>> {
        if let Some(value) = self.constructor_argument(param, name, n)? {
            return Ok(Target::Value(value));
        }
        let class = param.parent().and_then(|list| field(list.parent()?, "name"));
        let class = class.map_or("the enclosing class", |c| name_text(c, self.text()));
        self.refuse(
            n,
            format!("`{name}` is a constructor parameter of `{class}`: its value is given where an instance is made"),
        )
    }

    /// Why a captured parameter has no value.
    fn why_unknown(&self, param: Node<'t>, name: &str) -> String {
        let def = param.parent().and_then(|list| list.parent());
        match def.filter(|d| param.kind() == "parameter" && d.kind() == "function_definition") {
            Some(def) => {
                let method = field(def, "name").map_or("the method", |m| name_text(m, self.text()));
                format!(
                    "`{name}` is a parameter of the enclosing method `{method}`: its value is known only where that is called"
                )
            }
            None => format!("`{name}` is a variable of the enclosing code: its value is not known here"),
        }
    }

    /// A field of a case class instance.
    pub(super) fn case_field(&mut self, recv: Expr, class: ClassId, name: &str, n: Node<'t>) -> Understood<Expr> {
        let fields = &self.classes[class.0 as usize].fields;
        match fields.iter().position(|(f, _)| f == name) {
            Some(index) => {
                let ty = fields[index].1.clone();
                let kind = ExprKind::Field {
                    recv: Box::new(recv),
                    class,
                    index,
                };
                Ok(mk(kind, ty, span(n)))
            }
            None => self.refuse(
                n,
                format!("`{name}` is not a field of `{}`", self.classes[class.0 as usize].name),
            ),
        }
    }

    pub(super) fn companion(&self, class: Node<'t>) -> Option<Node<'t>> {
        let name = name_text(field(class, "name")?, self.text());
        kids(class.parent()?).into_iter().find(|k| {
            k.kind() == "object_definition" && field(*k, "name").is_some_and(|m| name_text(m, self.text()) == name)
        })
    }
}
