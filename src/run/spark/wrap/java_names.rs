//! What a part of a Java method uses of the method around it. In: nodes that are to be written again elsewhere; out: the local
//! variables and classes that have to go with them, and what cannot go because only a caller knows it. Goes by names.

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::Node;

use crate::lang::java::{field, field_all, is_type_declaration, kids, name_of, parameters, text};

/// What the surroundings of a piece of code are to it.
#[derive(Debug, Default)]
pub(super) struct Around<'s> {
    /// The declarations that it uses, transitively, in order.
    pub locals: Vec<Range<usize>>,
    /// What it uses that only a caller knows, in words.
    pub captured: Option<String>,
    /// The names that it takes from outside, by way of the locals too.
    pub used: HashSet<&'s str>,
}

/// Looks from `at` outwards to the class around it, for what `parts` use, and for what is used by something `inside` of them
/// that is written again with them.
pub(super) fn around<'s>(at: Node, parts: &[Node], inside: &HashSet<&'s str>, src: &'s str) -> Around<'s> {
    let mut names = Names::default();
    parts.iter().for_each(|p| names.read(*p, src));
    names.used.extend(inside);
    let mut used = names.free();
    let mut found = Around::default();
    let mut here = at;
    while let Some(parent) = here.parent().filter(|p| !is_class(*p)) {
        // From the nearest upwards: what a declaration needs stands before it.
        let before = kids(parent).into_iter().rev();
        for k in before.filter(|k| k.end_byte() <= here.start_byte()) {
            if declares(k, src).iter().any(|n| used.contains(n)) {
                let mut more = Names::default();
                more.read(k, src);
                used.extend(more.free());
                found.locals.push(k.byte_range());
            }
        }
        if found.captured.is_none() {
            let given = given(parent, here, src).into_iter().find(|n| used.contains(n));
            found.captured = given.map(|name| words(name, parent, src));
        }
        here = parent;
    }
    found.locals.reverse();
    found.used = used;
    found
}

/// Every name in a node, whatever it stands for.
pub(super) fn all_names<'s>(n: Node, src: &'s str, names: &mut HashSet<&'s str>) {
    if matches!(n.kind(), "identifier" | "type_identifier") {
        names.insert(text(n, src));
    }
    kids(n).into_iter().for_each(|k| all_names(k, src, names));
}

/// Whether a node is the body of a class or declares one: locals end there.
fn is_class(n: Node) -> bool {
    is_type_declaration(n) || matches!(n.kind(), "class_body" | "interface_body" | "enum_body")
}

/// What a statement declares for those after it.
fn declares<'s>(n: Node, src: &'s str) -> Vec<&'s str> {
    match n.kind() {
        "local_variable_declaration" => field_all(n, "declarator")
            .iter()
            .filter_map(|d| name_of(*d, src))
            .collect(),
        _ if is_type_declaration(n) => name_of(n, src).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The names to which something around a piece of code gives values of its own: parameters, loop variables, exceptions.
fn given<'s>(n: Node, inside: Node, src: &'s str) -> Vec<&'s str> {
    let declared = |list: Node| -> Vec<&'s str> {
        kids(list)
            .iter()
            .filter_map(|p| name_of(*p, src).or_else(|| (p.kind() == "identifier").then(|| text(*p, src))))
            .collect()
    };
    match n.kind() {
        "method_declaration" | "constructor_declaration" => {
            parameters(n).iter().filter_map(|p| variable(*p, src)).collect()
        }
        "lambda_expression" => match field(n, "parameters") {
            Some(one) if one.kind() == "identifier" => vec![text(one, src)],
            Some(list) => declared(list),
            None => Vec::new(),
        },
        "enhanced_for_statement" => name_of(n, src).into_iter().collect(),
        "for_statement" if field(n, "init") != Some(inside) => {
            field(n, "init").map(|i| declares(i, src)).unwrap_or_default()
        }
        "catch_clause" => kids(n).iter().filter_map(|k| name_of(*k, src)).collect(),
        "try_with_resources_statement" => field(n, "resources").map(declared).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The name of a parameter, also of a variable one.
pub(super) fn variable<'s>(parameter: Node, src: &'s str) -> Option<&'s str> {
    let declarator = || kids(parameter).into_iter().find(|k| k.kind() == "variable_declarator");
    name_of(parameter, src).or_else(|| name_of(declarator()?, src))
}

fn words(name: &str, of: Node, src: &str) -> String {
    let what = match of.kind() {
        "method_declaration" | "constructor_declaration" => {
            format!("a parameter of `{}`", name_of(of, src).unwrap_or_default())
        }
        "lambda_expression" => "a parameter of the lambda around it".to_owned(),
        "catch_clause" => "an exception that is caught around it".to_owned(),
        "try_with_resources_statement" => "a resource that is opened around it".to_owned(),
        _ => "a variable of the loop around it".to_owned(),
    };
    format!("it uses `{name}`, {what}, whose value is known only where that runs")
}

/// The names that a piece of code takes from outside.
#[derive(Default)]
struct Names<'s> {
    used: HashSet<&'s str>,
    declared: HashSet<&'s str>,
}

impl<'s> Names<'s> {
    fn free(self) -> HashSet<&'s str> {
        self.used.difference(&self.declared).copied().collect()
    }

    fn read(&mut self, n: Node, src: &'s str) {
        match n.kind() {
            "identifier" | "type_identifier" => {
                self.used.insert(text(n, src));
            }
            "method_invocation" => self.but(n, "name", src),
            "field_access" => self.but(n, "field", src),
            "method_reference" => {
                let parts = kids(n);
                parts[..parts.len().min(1)].iter().for_each(|k| self.read(*k, src));
            }
            "variable_declarator"
            | "formal_parameter"
            | "catch_formal_parameter"
            | "enhanced_for_statement"
            | "resource" => {
                self.declared.extend(name_of(n, src));
                self.but(n, "name", src);
            }
            "lambda_expression" => {
                match field(n, "parameters") {
                    Some(one) if one.kind() == "identifier" => self.declared.extend([text(one, src)]),
                    Some(list) if list.kind() == "inferred_parameters" => {
                        self.declared.extend(kids(list).iter().map(|p| text(*p, src)));
                    }
                    Some(list) => self.read(list, src),
                    None => {}
                }
                self.but(n, "parameters", src);
            }
            "method_declaration" | "constructor_declaration" => self.but(n, "name", src),
            _ if is_type_declaration(n) => {
                self.declared.extend(name_of(n, src));
                self.but(n, "name", src);
            }
            _ => kids(n).into_iter().for_each(|k| self.read(k, src)),
        }
    }

    /// Everything in a node but one part.
    fn but(&mut self, n: Node, part: &str, src: &'s str) {
        let without = field(n, part).map(|p| p.id());
        for k in kids(n).into_iter().filter(|k| Some(k.id()) != without) {
            self.read(k, src);
        }
    }
}
