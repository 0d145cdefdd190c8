//! What only the user's own program knows: constructor parameters without a default, and parameters of the method in which a
//! function is made. In: nodes of the file; out: the first such thing that a UDF needs, in words.

use std::collections::HashSet;

use tree_sitter::Node;

use super::java_names::variable;
use crate::lang::java::{self, members, parameters};
use crate::lang::scala::{self, Outer, lookup};

/// Why no object of a Java class can be made here; `None` if one can.
pub(super) fn java_maker(class: Node, src: &str) -> Option<String> {
    let constructors: Vec<Vec<Node>> = members(class)
        .into_iter()
        .filter(|m| m.kind() == "constructor_declaration")
        .map(parameters)
        .chain((class.kind() == "record_declaration").then(|| parameters(class)))
        .collect();
    let shortest = constructors.into_iter().min_by_key(Vec::len)?;
    let name = variable(*shortest.first()?, src)?;
    Some(words(java::name_of(class, src)?, name))
}

/// Why no object of a Scala class can be made here; `None` if one can.
pub(super) fn scala_maker(class: Node, src: &str) -> Option<String> {
    let parameters = scala::field_all(class, "class_parameters")
        .into_iter()
        .flat_map(scala::kids);
    let first = parameters
        .filter(|p| p.kind() == "class_parameter" && scala::field(*p, "default_value").is_none())
        .find_map(|p| scala::field(p, "name"))?;
    if makes_itself(class, src) {
        return None;
    }
    let class = scala::field(class, "name").map(|n| scala::name_text(n, src))?;
    Some(words(class, scala::name_text(first, src)))
}

/// Whether a Scala class has a constructor without parameters beside its own: `def this() = this(3)`.
fn makes_itself(class: Node, src: &str) -> bool {
    let members = scala::field(class, "body").map(scala::kids).unwrap_or_default();
    members.into_iter().any(|m| {
        let named = scala::field(m, "name").is_some_and(|n| scala::name_text(n, src) == "this");
        let none = scala::field_all(m, "parameters")
            .into_iter()
            .all(|p| scala::kids(p).is_empty());
        m.kind() == "function_definition" && named && none
    })
}

/// What a piece of Scala uses, by way of other definitions too, that only the caller of the method or the maker of the class
/// around it knows.
pub(super) fn scala_captured(piece: Node, src: &str) -> Option<String> {
    let mut seen = HashSet::from([piece.id()]);
    let mut left = vec![piece];
    while let Some(at) = left.pop() {
        let mut names = Vec::new();
        uses(at, &mut names);
        for n in names {
            let name = scala::name_text(n, src);
            let outside = |p: Node| !(at.start_byte()..at.end_byte()).contains(&p.start_byte());
            match lookup(n, name, src) {
                Some(Outer::Param(p)) if outside(p) => return Some(parameter(name, p, src)),
                Some(Outer::ClassParam(p)) if outside(p) => {
                    // A class that does not stand around the piece is made by the file itself.
                    let class = p.parent().and_then(|list| list.parent());
                    let class = class.filter(|c| c.byte_range().contains(&piece.start_byte()));
                    let known = |c: Node| scala::field(p, "default_value").is_some() || makes_itself(c, src);
                    if let Some(class) = class.filter(|c| !known(*c)) {
                        let class = scala::field(class, "name").map_or("", |n| scala::name_text(n, src));
                        return Some(words(class, name));
                    }
                }
                Some(Outer::Val { def, .. } | Outer::Def(def)) if outside(def) && seen.insert(def.id()) => {
                    left.push(def)
                }
                _ => {}
            }
        }
    }
    None
}

fn parameter(name: &str, of: Node, src: &str) -> String {
    let mut around = std::iter::successors(Some(of), |n| n.parent());
    let method = around
        .find(|n| n.kind() == "function_definition")
        .filter(|_| of.kind() == "parameter");
    let what = match method.and_then(|m| scala::field(m, "name")) {
        Some(method) => format!("a parameter of `{}`", scala::name_text(method, src)),
        None => "which is bound by what stands around it".to_owned(),
    };
    format!("it uses `{name}`, {what}: its value is known only where that runs")
}

/// The names in a node that stand for values, each where it stands.
fn uses<'t>(n: Node<'t>, out: &mut Vec<Node<'t>>) {
    match n.kind() {
        "identifier" => out.push(n),
        "field_expression" => scala::field(n, "value").into_iter().for_each(|v| uses(v, out)),
        // `f(rate = 3)` names a parameter of `f`.
        "assignment_expression" if n.parent().is_some_and(|p| p.kind() == "arguments") => {
            scala::field(n, "right").into_iter().for_each(|r| uses(r, out));
        }
        "import_declaration" => {}
        _ => scala::kids(n).into_iter().for_each(|k| uses(k, out)),
    }
}

fn words(class: &str, parameter: &str) -> String {
    format!("`{class}` is made with `{parameter}`, which has no default: its value is known only where one is made")
}
