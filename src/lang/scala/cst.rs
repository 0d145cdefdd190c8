//! Small helpers over the nodes of a Scala tree, beside those of all languages. In: a node; out: its names, its modifiers.

use tree_sitter::Node;

pub use crate::lang::cst::{any, field, field_all, first_error, has_token, kids, span, text, too_deep, unparen};

/// A name without back-quotes.
pub fn name_text<'s>(n: Node, source: &'s str) -> &'s str {
    let t = text(n, source);
    t.strip_prefix('`').and_then(|t| t.strip_suffix('`')).unwrap_or(t)
}

/// Whether a definition carries a modifier such as `lazy`, `private`, `implicit`.
pub fn has_modifier(n: Node, modifier: &str, source: &str) -> bool {
    kids(n)
        .into_iter()
        .filter(|k| k.kind() == "modifiers")
        .any(|m| text(m, source).split_whitespace().any(|w| w == modifier))
}
