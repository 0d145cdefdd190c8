//! What the syntax trees of all languages have in common. In: a tree-sitter node; out: its children without comments, its span,
//! its text, what does not parse in it. Knows no grammar beyond the kinds that all of them use.

use tree_sitter::Node;

use crate::source::Span;

/// The span of a node.
pub fn span(n: Node) -> Span {
    Span::new(n.start_byte(), n.end_byte())
}

/// The text of a node.
pub fn text<'s>(n: Node, source: &'s str) -> &'s str {
    &source[n.byte_range()]
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

/// Whether a node is a comment, in whatever language.
pub fn is_comment(n: Node) -> bool {
    matches!(n.kind(), "comment" | "line_comment" | "block_comment")
}

/// Whether a node has an anonymous child with this text (a keyword).
pub fn has_token(n: Node, token: &str) -> bool {
    let mut cursor = n.walk();
    n.children(&mut cursor).any(|k| !k.is_named() && k.kind() == token)
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
    any(n, |_, level| level > MAX_LEVELS)
}

/// Whether a node, or one below it at that level, is as asked; walks without recursion, parents before children.
pub fn any<'t>(n: Node<'t>, mut is: impl FnMut(Node<'t>, u32) -> bool) -> bool {
    let mut cursor = n.walk();
    loop {
        if is(cursor.node(), cursor.depth()) {
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
