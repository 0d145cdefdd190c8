//! What names outside of methods stand for. In: a place and a name; out: the declaration of the file, or what an import says.

use tree_sitter::Node;

use super::Typer;
use super::cst::{enclosing, field, is_type_declaration, kids, members, name_of, parameters, span, text};

/// A member or a class of the file.
#[derive(Debug, Clone, Copy)]
pub enum Outer<'t> {
    /// A `variable_declarator` of a field.
    Field(Node<'t>),
    /// A class, record, enum or interface.
    Class(Node<'t>),
    /// A constant of an enum.
    Constant(Node<'t>),
}

/// The class of a simple name, as seen from a place: members of enclosing classes, then those of the file, then nested ones
/// anywhere if only one has the name.
pub fn lookup_class<'t>(at: Node<'t>, name: &str, source: &str) -> Option<Node<'t>> {
    let named = |n: &Node<'t>| is_type_declaration(*n) && name_of(*n, source) == Some(name);
    let mut here = Some(at);
    let mut root = at;
    while let Some(n) = here {
        if named(&n) {
            return Some(n);
        }
        if (is_type_declaration(n) || n.kind() == "class_body")
            && let Some(found) = members(n).into_iter().find(|m| named(m))
        {
            return Some(found);
        }
        if n.kind() == "block"
            && let Some(found) = kids(n).into_iter().find(|m| named(m))
        {
            return Some(found);
        }
        root = n;
        here = n.parent();
    }
    kids(root).into_iter().find(|m| named(m))
}

impl<'t> Typer<'t> {
    /// A class by a dotted path of the file: `Outer.Inner`.
    pub(super) fn class_path(&self, at: Node<'t>, path: &str) -> Option<Node<'t>> {
        let mut parts = path.split('.');
        let mut class = lookup_class(at, parts.next()?, self.text())?;
        for part in parts {
            class = self.member_class(class, part)?;
        }
        Some(class)
    }

    fn member_class(&self, class: Node<'t>, name: &str) -> Option<Node<'t>> {
        members(class)
            .into_iter()
            .find(|m| is_type_declaration(*m) && name_of(*m, self.text()) == Some(name))
    }

    /// A field or an enum's constant of a class.
    pub(super) fn field_of(&self, class: Node<'t>, name: &str) -> Option<Outer<'t>> {
        for m in members(class) {
            match m.kind() {
                "field_declaration" | "constant_declaration" => {
                    let found = super::cst::field_all(m, "declarator")
                        .into_iter()
                        .find(|d| name_of(*d, self.text()) == Some(name));
                    if let Some(d) = found {
                        return Some(Outer::Field(d));
                    }
                }
                "enum_constant" if name_of(m, self.text()) == Some(name) => return Some(Outer::Constant(m)),
                _ => {}
            }
        }
        None
    }

    /// A field that is in scope at a place.
    pub(super) fn outer_field(&self, at: Node<'t>, name: &str) -> Option<Outer<'t>> {
        let mut class = enclosing(at);
        while let Some(c) = class {
            if let Some(found) = self.field_of(c, name) {
                return Some(found);
            }
            class = enclosing(c);
        }
        None
    }

    /// Methods of a name that a class declares.
    pub(super) fn methods_of(&self, class: Node<'t>, name: &str) -> Vec<Node<'t>> {
        members(class)
            .into_iter()
            .filter(|m| m.kind() == "method_declaration" && name_of(*m, self.text()) == Some(name))
            .collect()
    }

    /// Methods of a name that are in scope at a place: those of the innermost class that has any.
    pub(super) fn outer_methods(&self, at: Node<'t>, name: &str) -> Vec<Node<'t>> {
        let mut class = enclosing(at);
        while let Some(c) = class {
            let found = self.methods_of(c, name);
            if !found.is_empty() {
                return found;
            }
            class = enclosing(c);
        }
        Vec::new()
    }

    /// The class that a static import takes a member from: its simple name.
    pub(super) fn static_import(&mut self, member: &str) -> Option<String> {
        for n in kids(self.root) {
            if n.kind() != "import_declaration" || !super::cst::has_token(n, "static") {
                continue;
            }
            let path = kids(n)
                .first()
                .map(|p| text(*p, self.text()).replace(char::is_whitespace, ""))?;
            let wild = kids(n).iter().any(|k| k.kind() == "asterisk");
            let (class, name) = if wild {
                (path.as_str(), "*")
            } else {
                path.rsplit_once('.').unwrap_or(("", path.as_str()))
            };
            let simple = class.rsplit('.').next().unwrap_or_default().to_owned();
            let known = crate::jvm::lookup::static_rows(&simple, member);
            if name == member || (name == "*" && !known.is_empty()) {
                self.needs.insert(span(n));
                return Some(simple);
            }
        }
        None
    }

    /// The full name that an import gives a simple one.
    pub(super) fn imported(&mut self, simple: &str) -> Option<String> {
        for n in kids(self.root) {
            if n.kind() != "import_declaration" {
                continue;
            }
            let Some(path) = kids(n).first().copied() else { continue };
            let path = text(path, self.text()).replace(char::is_whitespace, "");
            if path.rsplit('.').next() == Some(simple) && !kids(n).iter().any(|k| k.kind() == "asterisk") {
                self.needs.insert(span(n));
                return Some(path);
            }
        }
        None
    }

    /// Whether a wildcard import of this package stands in the file.
    pub(super) fn imports_all(&mut self, package: &str) -> bool {
        for n in kids(self.root) {
            if n.kind() != "import_declaration" || !kids(n).iter().any(|k| k.kind() == "asterisk") {
                continue;
            }
            let path = kids(n)
                .first()
                .map(|p| text(*p, self.text()).replace(char::is_whitespace, ""));
            if path.as_deref() == Some(package) {
                self.needs.insert(span(n));
                return true;
            }
        }
        false
    }

    /// The name of a parameter.
    pub(super) fn parameter_name(&self, p: Node<'t>) -> String {
        let named = name_of(p, self.text()).or_else(|| {
            let declarator = kids(p).into_iter().find(|k| k.kind() == "variable_declarator")?;
            name_of(declarator, self.text())
        });
        named.unwrap_or("_").to_owned()
    }

    /// The generic parameters of a class or a method.
    pub(super) fn type_parameters(&self, n: Node<'t>) -> Vec<String> {
        let list = field(n, "type_parameters").or_else(|| kids(n).into_iter().find(|k| k.kind() == "type_parameters"));
        let Some(list) = list else { return Vec::new() };
        kids(list)
            .into_iter()
            .filter_map(|p| {
                kids(p)
                    .into_iter()
                    .find(|k| matches!(k.kind(), "type_identifier" | "identifier"))
            })
            .map(|p| text(p, self.text()).to_owned())
            .collect()
    }

    /// How many parameters a method has.
    pub(super) fn arity(&self, method: Node<'t>) -> usize {
        parameters(method).len()
    }
}
