//! Small helpers over the nodes of a Java tree. In: a node; out: its children without comments, its names, its modifiers.

use tree_sitter::Node;

pub use crate::lang::scala::{first_error, has_token, span, text, too_deep};

/// Named children without comments.
pub fn kids<'t>(n: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = n.walk();
    n.named_children(&mut cursor).filter(|k| !is_comment(*k)).collect()
}

/// Named children of a field, without comments.
pub fn field_all<'t>(n: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = n.walk();
    n.children_by_field_name(name, &mut cursor)
        .filter(|k| k.is_named() && !is_comment(*k))
        .collect()
}

/// The first child of a field.
pub fn field<'t>(n: Node<'t>, name: &str) -> Option<Node<'t>> {
    field_all(n, name).into_iter().next()
}

/// Whether a node is a comment.
pub fn is_comment(n: Node) -> bool {
    matches!(n.kind(), "line_comment" | "block_comment")
}

/// Whether a declaration carries a modifier such as `static`.
pub fn has_modifier(n: Node, modifier: &str) -> bool {
    kids(n)
        .into_iter()
        .filter(|k| k.kind() == "modifiers")
        .any(|m| has_token(m, modifier))
}

/// Descends through parentheses.
pub fn unparen(mut n: Node) -> Node {
    while n.kind() == "parenthesized_expression" {
        match kids(n).first() {
            Some(k) => n = *k,
            None => break,
        }
    }
    n
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
