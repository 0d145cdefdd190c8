//! Small helpers over the nodes of a Java tree, beside those of all languages. In: a node; out: its names, members, modifiers.

use tree_sitter::Node;

pub use crate::lang::cst::{field, field_all, first_error, has_token, kids, span, text, too_deep, unparen};

/// Whether a declaration carries a modifier such as `static`.
pub fn has_modifier(n: Node, modifier: &str) -> bool {
    kids(n)
        .into_iter()
        .filter(|k| k.kind() == "modifiers")
        .any(|m| has_token(m, modifier))
}

/// The name of a declaration.
pub fn name_of<'s>(n: Node, source: &'s str) -> Option<&'s str> {
    field(n, "name").map(|x| text(x, source))
}

/// Whether a node declares a type.
pub fn is_type_declaration(n: Node) -> bool {
    matches!(
        n.kind(),
        "class_declaration" | "record_declaration" | "enum_declaration" | "interface_declaration"
    )
}

/// The members of a class, record, enum or interface, or of the body of an anonymous class.
pub fn members(class: Node) -> Vec<Node> {
    let body = if matches!(class.kind(), "class_body" | "enum_body" | "interface_body") {
        Some(class)
    } else {
        field(class, "body")
    };
    let Some(body) = body else { return Vec::new() };
    let mut out = Vec::new();
    for k in kids(body) {
        if k.kind() == "enum_body_declarations" {
            out.extend(kids(k));
        } else {
            out.push(k);
        }
    }
    out
}

/// The class, record, enum or anonymous class body that a node stands in.
pub fn enclosing(n: Node) -> Option<Node> {
    let mut at = n.parent();
    while let Some(p) = at {
        if is_type_declaration(p) {
            return Some(p);
        }
        if p.kind() == "class_body" && p.parent().is_some_and(|q| q.kind() == "object_creation_expression") {
            return Some(p);
        }
        at = p.parent();
    }
    None
}

/// Parameters of a method, constructor, record or lambda, with the variable one last.
pub fn parameters(n: Node) -> Vec<Node> {
    match field(n, "parameters") {
        Some(list) if list.kind() == "formal_parameters" => kids(list)
            .into_iter()
            .filter(|p| matches!(p.kind(), "formal_parameter" | "spread_parameter"))
            .collect(),
        _ => Vec::new(),
    }
}

/// The number of `[]` behind a name or a type.
pub fn dimensions(n: Node, source: &str) -> usize {
    field_all(n, "dimensions")
        .into_iter()
        .filter(|d| d.kind() == "dimensions")
        .map(|d| text(d, source).matches('[').count())
        .sum()
}
