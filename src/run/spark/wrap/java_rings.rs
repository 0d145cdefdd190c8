//! The classes around a place in a Java file, from the outside in: those that have a name for everybody, then those that stand in a
//! method, with a name or without. In: a node; out: the classes, how an object of one is made, and their text.

use std::collections::HashSet;

use tree_sitter::Node;

use super::java_names::all_names;
use super::text::Wrapped;
use super::unknown::java_maker;
use crate::lang::java::{field, field_all, has_modifier, is_type_declaration, kids, name_of};

/// How much of a class in a method is written again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// All of it.
    All,
    /// What the UDF uses, by name; the other methods have nothing in them.
    Used,
}

/// What stands in a class and is written again with it: the UDF, or the next class.
#[derive(Debug)]
pub(super) struct Inside<'s, 't> {
    pub node: Node<'t>,
    /// The names in it, and those that what it uses around it takes from outside.
    pub names: HashSet<&'s str>,
}

impl<'s, 't> Inside<'s, 't> {
    pub fn of(node: Node<'t>, used: &HashSet<&'s str>, src: &'s str) -> Inside<'s, 't> {
        let mut names = used.clone();
        all_names(node, src, &mut names);
        Inside { node, names }
    }
}

/// A class around the place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ring<'t> {
    /// Its declaration, or the `new T(…) { … }`.
    pub node: Node<'t>,
    /// From brace to brace.
    pub body: Node<'t>,
    /// Whether everybody can name it.
    pub is_member: bool,
}

/// The classes around a node.
pub(super) fn rings<'t>(at: Node<'t>) -> Result<Vec<Ring<'t>>, &'static str> {
    let mut around: Vec<Node> = std::iter::successors(at.parent(), |n| n.parent()).collect();
    around.reverse();
    let mut rings: Vec<Ring> = Vec::new();
    for node in around {
        let outside = rings.iter().all(|r| r.is_member);
        if is_type_declaration(node) {
            let known = ["class_body", "interface_body", "enum_body"];
            let body = field(node, "body").filter(|b| known.contains(&b.kind()));
            let body = body.ok_or("its class has another form")?;
            let in_method = node.parent().is_some_and(|p| p.kind() == "block");
            rings.push(Ring {
                node,
                body,
                is_member: outside && !in_method,
            });
        } else if let Some(body) = anonymous(node).filter(|b| b.byte_range().contains(&at.start_byte())) {
            rings.push(Ring {
                node,
                body,
                is_member: false,
            });
        }
    }
    Ok(rings)
}

/// The body of an anonymous class.
fn anonymous(n: Node) -> Option<Node> {
    let creation = n.kind() == "object_creation_expression";
    kids(n).into_iter().find(|k| creation && k.kind() == "class_body")
}

/// How an object of the innermost of these classes, which everybody can name, is written; or the class itself.
pub(super) fn object(rings: &[Ring], instance: bool, src: &str) -> Result<String, String> {
    let names: Vec<&str> = rings.iter().filter_map(|r| r.name(src)).collect();
    let Some((last, before)) = rings.split_last().filter(|_| instance) else {
        return Ok(names.join("."));
    };
    if let Some(why) = java_maker(last.node, src) {
        return Err(why);
    }
    let inner = last.node.kind() == "class_declaration" && !has_modifier(last.node, "static");
    match before.last() {
        Some(outer) if inner && outer.node.kind() == "class_declaration" => {
            let name = last.name(src).unwrap_or_default();
            Ok(format!("{}.new {name}()", object(before, true, src)?))
        }
        _ => Ok(format!("new {}()", names.join("."))),
    }
}

impl<'t> Ring<'t> {
    /// Its name, if it has one.
    pub fn name<'s>(&self, src: &'s str) -> Option<&'s str> {
        is_type_declaration(self.node)
            .then(|| name_of(self.node, src))
            .flatten()
    }

    /// The first byte of it that can stand in a method: without `public`, `static` and the like.
    pub fn start(&self) -> usize {
        let first = kids(self.node).into_iter().find(|k| k.kind() == "modifiers");
        let Some(modifiers) = first.filter(|_| is_type_declaration(self.node)) else {
            return self.node.start_byte();
        };
        modifiers
            .next_sibling()
            .map_or(self.node.start_byte(), |n| n.start_byte())
    }

    /// The nodes that are written again, if what is inside of it uses these names.
    pub fn parts(&self, inside: &Inside<'_, 't>, src: &str, kept: Kept) -> Vec<Node<'t>> {
        if kept == Kept::All {
            return vec![self.node];
        }
        let head = kids(self.node).into_iter().filter(|k| k.id() != self.body.id());
        let used = self.used(inside, src);
        let members = kids(self.body).into_iter().flat_map(|m| match fate(m, &used, src) {
            Fate::Stays => vec![m],
            Fate::Hollow => kids(m)
                .into_iter()
                .filter(|k| k.kind() != "block" && Some(*k) != field(m, "name"))
                .collect(),
            Fate::Goes => Vec::new(),
        });
        head.chain(members).collect()
    }

    /// Writes its members.
    pub fn copy_members(&self, out: &mut Wrapped, inside: &Inside<'_, 't>, src: &str, kept: Kept) {
        let (start, end) = (self.body.start_byte() + 1, self.body.end_byte() - 1);
        if kept == Kept::All {
            return out.copy(src, start..end);
        }
        let used = self.used(inside, src);
        for m in kids(self.body) {
            match fate(m, &used, src) {
                Fate::Stays => out.copy(src, m.byte_range()),
                Fate::Goes => continue,
                Fate::Hollow => {
                    let block = field(m, "body").map_or(m.end_byte(), |b| b.start_byte());
                    out.copy(src, m.start_byte()..block);
                    out.push("{ throw new UnsupportedOperationException(); }");
                }
            }
            out.push("\n");
        }
    }

    /// The names that are used inside, by way of members of this class too.
    fn used<'s>(&self, inside: &Inside<'s, 't>, src: &'s str) -> HashSet<&'s str> {
        let mut used = inside.names.clone();
        let mut left = kids(self.body);
        loop {
            let (more, rest): (Vec<Node>, Vec<Node>) = left
                .into_iter()
                .partition(|m| declared(*m, src).iter().any(|n| used.contains(n)));
            if more.is_empty() {
                return used;
            }
            // The method around the target is not called by it for standing around it.
            let around =
                |m: &Node| m.kind() == "method_declaration" && m.byte_range().contains(&inside.node.start_byte());
            more.into_iter()
                .filter(|m| !around(m))
                .for_each(|m| all_names(m, src, &mut used));
            left = rest;
        }
    }
}

/// What becomes of a member where only what is used is written again.
enum Fate {
    Stays,
    /// Its head stays: a class has to have the methods that it promises.
    Hollow,
    Goes,
}

fn fate(member: Node, used: &HashSet<&str>, src: &str) -> Fate {
    let named = declared(member, src);
    let is_used = named.iter().any(|n| used.contains(n));
    match member.kind() {
        _ if named.is_empty() || is_used => Fate::Stays,
        "method_declaration" if field(member, "body").is_some() => Fate::Hollow,
        "method_declaration" => Fate::Stays,
        _ => Fate::Goes,
    }
}

/// The names that a member has.
fn declared<'s>(member: Node, src: &'s str) -> Vec<&'s str> {
    match member.kind() {
        "field_declaration" => field_all(member, "declarator")
            .iter()
            .filter_map(|d| name_of(*d, src))
            .collect(),
        "method_declaration" => name_of(member, src).into_iter().collect(),
        _ if is_type_declaration(member) => name_of(member, src).into_iter().collect(),
        _ => Vec::new(),
    }
}
