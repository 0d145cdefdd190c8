//! Small helpers over tree-sitter nodes. In: a node; out: its children without comments, its span, its text.

use tree_sitter::Node;

use crate::source::Span;

/// The span of a node.
pub fn span(n: Node) -> Span {
    Span::new(n.start_byte(), n.end_byte())
}

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
fn is_comment(n: Node) -> bool {
    matches!(n.kind(), "comment" | "block_comment")
}

/// The text of a node.
pub fn text<'s>(n: Node, source: &'s str) -> &'s str {
    &source[n.byte_range()]
}

/// A name without back-quotes.
pub fn name_text<'s>(n: Node, source: &'s str) -> &'s str {
    let t = text(n, source);
    t.strip_prefix('`').and_then(|t| t.strip_suffix('`')).unwrap_or(t)
}

/// Whether a node has an anonymous child with this text (a keyword).
pub fn has_token(n: Node, token: &str) -> bool {
    let mut cursor = n.walk();
    n.children(&mut cursor).any(|k| !k.is_named() && k.kind() == token)
}

/// Whether a definition carries a modifier such as `lazy`, `private`, `implicit`.
pub fn has_modifier(n: Node, modifier: &str, source: &str) -> bool {
    kids(n)
        .into_iter()
        .filter(|k| k.kind() == "modifiers")
        .any(|m| text(m, source).split_whitespace().any(|w| w == modifier))
}

/// The first node that does not parse, inside `n` or `n` itself.
pub fn first_error(n: Node) -> Option<Node> {
    let mut at = n;
    'down: while at.has_error() && !at.is_error() && !at.is_missing() {
        let mut cursor = at.walk();
        for child in at.children(&mut cursor) {
            if child.has_error() || child.is_missing() {
                at = child;
                continue 'down;
            }
        }
        return Some(at);
    }
    (at.is_error() || at.is_missing()).then_some(at)
}

/// Whether the tree below a node has more levels than are walked by recursion.
pub fn too_deep(n: Node) -> bool {
    const MAX_LEVELS: u32 = 1000;
    let mut cursor = n.walk();
    loop {
        if cursor.depth() > MAX_LEVELS {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
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
