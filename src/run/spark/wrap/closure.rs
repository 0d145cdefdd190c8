//! Which definitions and imports a piece of Scala needs. In: a node and the scopes around it; out: spans in the order of the
//! source. Goes by names alone, so it may keep too much, which does no harm.

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::Node;

use crate::lang::scala::{field, kids, name_text, text};

/// A definition or an import beside or around the piece.
struct Candidate<'t> {
    node: Node<'t>,
    names: Vec<String>,
    import: bool,
}

/// The definitions that `piece` uses, transitively, out of all scopes from its own up to and without `stop`.
pub(super) fn needed<'t>(piece: Node<'t>, stop: Option<Node<'t>>, source: &str) -> Vec<Range<usize>> {
    let candidates = candidates(piece, stop, source);
    let mut used = HashSet::new();
    names_in(piece, source, &mut used);
    let mut kept: HashSet<usize> = HashSet::new();
    loop {
        let more: Vec<&Candidate> = candidates
            .iter()
            .filter(|c| !c.import && !kept.contains(&c.node.id()) && c.names.iter().any(|n| used.contains(n)))
            .collect();
        if more.is_empty() {
            break;
        }
        for c in more {
            kept.insert(c.node.id());
            names_in(c.node, source, &mut used);
        }
    }
    let dropped: HashSet<&String> = candidates
        .iter()
        .filter(|c| !c.import && !kept.contains(&c.node.id()))
        .flat_map(|c| &c.names)
        .collect();
    let imported = |c: &&Candidate| c.import && !c.names.iter().any(|n| dropped.contains(n));
    let imports = candidates.iter().filter(imported);
    let definitions = candidates.iter().filter(|c| kept.contains(&c.node.id()));
    let mut ranges: Vec<Range<usize>> = imports.chain(definitions).map(|c| c.node.byte_range()).collect();
    ranges.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
    ranges.dedup_by(|later, earlier| later.end <= earlier.end);
    ranges
}

fn candidates<'t>(piece: Node<'t>, stop: Option<Node<'t>>, source: &str) -> Vec<Candidate<'t>> {
    let mut found = Vec::new();
    let mut at = piece;
    while let Some(parent) = at.parent() {
        if stop.is_some_and(|s| s.id() == parent.id()) {
            break;
        }
        let ordered = matches!(parent.kind(), "block" | "indented_block");
        if ordered || matches!(parent.kind(), "template_body" | "compilation_unit") {
            for k in kids(parent).into_iter().filter(|k| k.id() != at.id()) {
                // A block's values exist only after they were made; members can be used before they are written.
                if !ordered || k.end_byte() <= at.start_byte() {
                    found.extend(candidate(k, source));
                }
            }
        }
        at = parent;
    }
    found
}

fn candidate<'t>(n: Node<'t>, source: &str) -> Option<Candidate<'t>> {
    let names = match n.kind() {
        "import_declaration" => vec![name_text(field(n, "path")?, source).to_owned()],
        "val_definition" | "var_definition" => {
            let mut names = HashSet::new();
            names_in(field(n, "pattern")?, source, &mut names);
            names.into_iter().collect()
        }
        "function_definition" | "class_definition" | "trait_definition" | "object_definition" | "type_definition" => {
            vec![name_text(field(n, "name")?, source).to_owned()]
        }
        _ => return None,
    };
    Some(Candidate {
        node: n,
        names,
        import: n.kind() == "import_declaration",
    })
}

fn names_in(n: Node, source: &str, names: &mut HashSet<String>) {
    if matches!(n.kind(), "identifier" | "type_identifier" | "operator_identifier") {
        names.insert(name_text(n, source).to_owned());
    }
    let mut cursor = n.walk();
    for k in n.named_children(&mut cursor) {
        names_in(k, source, names);
    }
}

/// Whether a call makes a UDF: `udf(…)`, `functions.udf[…](…)`, also followed by `.asNondeterministic()` and the like.
pub(super) fn makes_udf(n: Node, source: &str) -> bool {
    match n.kind() {
        "call_expression" | "generic_function" => {
            let Some(f) = field(n, "function") else { return false };
            let name = if f.kind() == "field_expression" {
                field(f, "field")
            } else {
                Some(f)
            };
            name.is_some_and(|m| m.kind() == "identifier" && text(m, source) == "udf") || makes_udf(f, source)
        }
        "field_expression" => field(n, "value").is_some_and(|v| {
            let value = v.kind() == "call_expression";
            value && makes_udf(v, source)
        }),
        _ => false,
    }
}
