//! Names outside of a function: members of enclosing templates and blocks, other objects of the file.
//! In: the syntax tree; out: the definition a name stands for. Never types anything.

use tree_sitter::Node;

use super::cst::{field, field_all, has_token, kids, name_text, text};

/// What a name outside of the function stands for.
#[derive(Debug, Clone, Copy)]
pub enum Outer<'t> {
    /// `val`, `var` (the definition, and whether it is a `var`).
    Val { def: Node<'t>, is_var: bool },
    /// `def`.
    Def(Node<'t>),
    /// `object`.
    Object(Node<'t>),
    /// `class`, `trait`.
    Class(Node<'t>),
    /// A parameter of an enclosing class.
    ClassParam(Node<'t>),
    /// A parameter of an enclosing method or lambda, or a pattern variable.
    Param(Node<'t>),
    /// `type`.
    Alias(Node<'t>),
    /// A `val` or `def` without a body.
    Abstract(Node<'t>),
}

/// Looks a name up from `from` outwards. `position` limits block definitions to those before it (a block's `val`s are
/// initialised in order).
pub fn lookup<'t>(from: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    let mut at = from;
    while let Some(parent) = at.parent() {
        let found = match parent.kind() {
            "template_body" | "with_template_body" | "compilation_unit" | "block" | "indented_block" | "ERROR"
            | "case_clause" | "package_clause" | "lambda_expression" => in_container(parent, name, source),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        let found = match parent.kind() {
            "class_definition" | "trait_definition" | "object_definition" => {
                let param = class_param(parent, name, source);
                param
                    .map(Outer::ClassParam)
                    .or_else(|| inherited(parent, name, source, 0))
            }
            "function_definition" => method_param(parent, name, source).map(Outer::Param),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        if matches!(
            parent.kind(),
            "lambda_expression" | "case_clause" | "enumerators" | "for_expression"
        ) && binds(parent, name, source)
        {
            return Some(Outer::Param(parent));
        }
        at = parent;
    }
    None
}

fn binds(n: Node, name: &str, source: &str) -> bool {
    let heads = match n.kind() {
        "lambda_expression" => field_all(n, "parameters"),
        "case_clause" => field_all(n, "pattern"),
        "for_expression" => field_all(n, "enumerators"),
        _ => Vec::new(),
    };
    heads.into_iter().any(|h| mentions(h, name, source))
}

fn mentions(n: Node, name: &str, source: &str) -> bool {
    (n.kind() == "identifier" && name_text(n, source) == name)
        || kids(n)
            .into_iter()
            .filter(|k| !k.kind().ends_with("expression"))
            .any(|k| mentions(k, name, source))
}

/// A parameter of a class by name.
pub fn class_param<'t>(class: Node<'t>, name: &str, source: &str) -> Option<Node<'t>> {
    let lists = field_all(class, "class_parameters");
    lists
        .into_iter()
        .flat_map(kids)
        .find(|p| p.kind() == "class_parameter" && field(*p, "name").is_some_and(|n| name_text(n, source) == name))
}

fn method_param<'t>(def: Node<'t>, name: &str, source: &str) -> Option<Node<'t>> {
    let lists = field_all(def, "parameters");
    lists
        .into_iter()
        .flat_map(kids)
        .find(|p| p.kind() == "parameter" && field(*p, "name").is_some_and(|n| name_text(n, source) == name))
}

/// Members of the templates that a template extends, if they are in this file.
fn inherited<'t>(template: Node<'t>, name: &str, source: &str, depth: usize) -> Option<Outer<'t>> {
    let extends = field(template, "extend").filter(|_| depth < 16)?;
    for ty in kids(extends) {
        let base = if ty.kind() == "generic_type" {
            field(ty, "type").unwrap_or(ty)
        } else {
            ty
        };
        if base.kind() != "type_identifier" {
            continue;
        }
        let Some(Outer::Class(parent)) = top_down(template, name_text(base, source), source) else {
            continue;
        };
        if parent.id() == template.id() {
            continue;
        }
        let own = member(parent, name, source).or_else(|| inherited(parent, name, source, depth + 1));
        if own.is_some() {
            return own;
        }
    }
    None
}

/// Looks a class up from inside a template's surroundings without walking its inheritance.
pub(super) fn top_down<'t>(from: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    let mut at = from;
    while let Some(parent) = at.parent() {
        if let Some(Outer::Class(c)) = in_container_class(parent, name, source) {
            return Some(Outer::Class(c));
        }
        at = parent;
    }
    None
}

fn in_container_class<'t>(container: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    kids(container)
        .into_iter()
        .find(|k| {
            matches!(k.kind(), "class_definition" | "trait_definition")
                && field(*k, "name").is_some_and(|n| name_text(n, source) == name)
        })
        .map(Outer::Class)
}

/// A member of an object or class by name.
pub fn member<'t>(template: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    field(template, "body")
        .and_then(|b| in_container(b, name, source))
        .or_else(|| inherited(template, name, source, 0))
}

/// A definition directly inside a container.
pub fn in_container<'t>(container: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    let mut class = None;
    for k in kids(container) {
        let named = |n: Node| field(n, "name").is_some_and(|n| name_text(n, source) == name);
        match k.kind() {
            "val_definition" | "var_definition" if pattern_binds(k, name, source) => {
                return Some(Outer::Val {
                    def: k,
                    is_var: k.kind() == "var_definition",
                });
            }
            "val_declaration" | "var_declaration" | "function_declaration"
                if field_all(k, "name").iter().any(|n| name_text(*n, source) == name) =>
            {
                return Some(Outer::Abstract(k));
            }
            "function_definition" if named(k) => return Some(Outer::Def(k)),
            "object_definition" if named(k) => return Some(Outer::Object(k)),
            "class_definition" | "trait_definition" if named(k) => class = Some(Outer::Class(k)),
            "type_definition" if named(k) => class = Some(Outer::Alias(k)),
            "package_clause" | "package_object" => {
                for inner in kids(k) {
                    if inner.kind() == "template_body"
                        && let Some(found) = in_container(inner, name, source)
                    {
                        return Some(found);
                    }
                }
            }
            _ => {}
        }
    }
    class
}

/// Looks a type up from `from` outwards: classes, traits and aliases; an object of the same name does not hide them.
pub fn lookup_type<'t>(from: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    let mut at = from;
    while let Some(parent) = at.parent() {
        if let Some(found) = type_in(parent, name, source) {
            return Some(found);
        }
        if matches!(
            parent.kind(),
            "class_definition" | "trait_definition" | "object_definition"
        ) && let Some(found @ (Outer::Class(_) | Outer::Alias(_))) = inherited(parent, name, source, 0)
        {
            return Some(found);
        }
        at = parent;
    }
    None
}

/// A class, trait or alias that is a member of an object.
pub fn member_type<'t>(template: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    type_in(field(template, "body")?, name, source)
}

fn type_in<'t>(container: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    let named = |n: Node| field(n, "name").is_some_and(|n| name_text(n, source) == name);
    kids(container).into_iter().find_map(|k| match k.kind() {
        "class_definition" | "trait_definition" if named(k) => Some(Outer::Class(k)),
        "type_definition" if named(k) => Some(Outer::Alias(k)),
        "package_clause" => kids(k)
            .into_iter()
            .filter(|i| i.kind() == "template_body")
            .find_map(|i| type_in(i, name, source)),
        _ => None,
    })
}

/// The template that a member stands in directly.
pub fn template_of(member: Node) -> Option<Node> {
    let mut at = member.parent()?;
    while !matches!(at.kind(), "class_definition" | "trait_definition" | "object_definition") {
        if !matches!(at.kind(), "template_body" | "class_parameters") {
            return None;
        }
        at = at.parent()?;
    }
    Some(at)
}

/// The templates of this file that a template extends directly, with the arguments of their constructors, in the order of
/// the source. `None` in place of a template for one that is not in this file.
pub fn parents<'t>(template: Node<'t>, source: &str) -> Vec<(Option<Node<'t>>, String, Vec<Node<'t>>)> {
    let mut out: Vec<(Option<Node<'t>>, String, Vec<Node<'t>>)> = Vec::new();
    let Some(extends) = field(template, "extend") else {
        return out;
    };
    for k in kids(extends) {
        if k.kind() == "arguments" {
            if let Some(last) = out.last_mut() {
                last.2.push(k);
            }
            continue;
        }
        let base = if k.kind() == "generic_type" {
            field(k, "type").unwrap_or(k)
        } else {
            k
        };
        let name = text(base, source).to_owned();
        let simple = name.rsplit('.').next().unwrap_or(&name).to_owned();
        let found = match lookup_type(template, &simple, source) {
            Some(Outer::Class(c)) if c.id() != template.id() => Some(c),
            _ => None,
        };
        out.push((found, simple, Vec::new()));
    }
    out
}

/// A template and everything in this file that it extends, in the order of Scala's linearization: the template first.
pub fn linearization<'t>(template: Node<'t>, source: &str) -> Vec<Node<'t>> {
    let mut out: Vec<Node<'t>> = Vec::new();
    let mut visit = vec![(template, 0usize)];
    // Later parents come first; a template that is reached again keeps its last place.
    while let Some((at, depth)) = visit.pop() {
        out.retain(|n| n.id() != at.id());
        out.push(at);
        if depth < 16 {
            let above = parents(at, source).into_iter().filter_map(|(p, ..)| p);
            visit.extend(above.map(|p| (p, depth + 1)));
        }
    }
    out
}

/// All `def`s of one name directly inside the same container (overloads).
pub fn overloads<'t>(def: Node<'t>, source: &str) -> Vec<Node<'t>> {
    let (Some(parent), Some(name)) = (def.parent(), field(def, "name")) else {
        return vec![def];
    };
    let name = name_text(name, source);
    kids(parent)
        .into_iter()
        .filter(|k| {
            k.kind() == "function_definition" && field(*k, "name").is_some_and(|n| name_text(n, source) == name)
        })
        .collect()
}

pub(super) fn pattern_binds(def: Node, name: &str, source: &str) -> bool {
    field(def, "pattern").is_some_and(|p| match p.kind() {
        "identifier" => name_text(p, source) == name,
        _ => pattern_names(p, source).iter().any(|n| n == name),
    })
}

/// The variables that a pattern binds, in order.
pub fn pattern_names(p: Node, source: &str) -> Vec<String> {
    let mut out = Vec::new();
    collect_names(p, source, &mut out);
    out
}

fn collect_names(p: Node, source: &str, out: &mut Vec<String>) {
    match p.kind() {
        "identifier" => {
            let t = text(p, source);
            if t.starts_with(|c: char| c.is_lowercase() || c == '_') {
                out.push(t.to_owned());
            }
        }
        "capture_pattern" => {
            if let Some(n) = field(p, "name") {
                out.push(name_text(n, source).to_owned());
            }
            field_all(p, "pattern")
                .into_iter()
                .for_each(|k| collect_names(k, source, out));
        }
        "case_class_pattern" | "typed_pattern" | "repeat_pattern" => {
            field_all(p, "pattern")
                .into_iter()
                .for_each(|k| collect_names(k, source, out));
        }
        "infix_pattern" => {
            for f in ["left", "right"] {
                field_all(p, f).into_iter().for_each(|k| collect_names(k, source, out));
            }
        }
        "stable_identifier" | "string" => {}
        _ => kids(p).into_iter().for_each(|k| collect_names(k, source, out)),
    }
}

/// Whether a class definition is a `case class`.
pub fn is_case(class: Node) -> bool {
    has_token(class, "case")
}
