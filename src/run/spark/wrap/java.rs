//! Entry points for Java. In: the file and a UDF; out: the file with a method in it that gives the UDF to Spark, and a class at its
//! end that calls the method.

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::{Node, Parser};

use super::java_names::{Around, around};
use super::java_rings::{Inside, Kept, Ring, object, rings};
use super::text::Wrapped;
use super::unknown::java_maker;
use super::{ENTRY, HOOK, not_reached};
use crate::error::{Error, Result};
use crate::find::{Udf, UdfKind};
use crate::lang::java::{field, field_all, is_type_declaration, kids, name_of, unparen};
use crate::source::SourceFile;

/// Spark's interfaces `UDF0` and up, by number of parameters.
const WIDEST: usize = 22;

/// The texts that may reach a UDF, the likeliest first, and why there are no others.
#[derive(Debug, Default)]
pub struct Ways {
    /// Each is to be tried where those before it do not compile.
    pub texts: Vec<Wrapped>,
    /// What nobody but the user's own program knows.
    pub unknown: Option<String>,
}

impl Ways {
    fn add(&mut self, made: std::result::Result<Wrapped, String>) {
        match made {
            Ok(text) => self.texts.push(text),
            Err(why) => self.unknown = Some(why),
        }
    }
}

/// The UDF as Java text: statements before it, and the expression, which may stand in the user's file.
struct Target<'t> {
    node: Node<'t>,
    before: Vec<Range<usize>>,
    value: Value,
}

enum Value {
    /// Text of our own: a name, `new F()`, `F.class`.
    Own(String),
    /// A function that is given to `register`, or a whole `udf(…)`.
    Copied { range: Range<usize>, is_udf: bool },
}

/// The whole file with an entry point: one in the class itself, or for an instance of it; in an anonymous class also with no
/// more of that than the UDF uses.
pub fn java(source: &SourceFile, udf: &Udf) -> Result<Ways> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_java::LANGUAGE.into())
        .map_err(|e| Error::internal("the Java grammar does not fit the parser").because(e))?;
    let tree = parser
        .parse(source.text.as_bytes(), None)
        .ok_or_else(|| Error::internal("the file could not be parsed"))?;
    let src: &str = &source.text;
    let target = target(tree.root_node(), src, udf)
        .ok_or_else(|| Error::not_proven(format!("`{}` cannot be reached from outside of its method", udf.name)))?;
    let rings = rings(target.node).map_err(|why| not_reached(udf, why))?;
    let file = File {
        src,
        target: &target,
        rings: &rings,
        returns: returns(udf)?,
    };
    let mut ways = Ways::default();
    if let Some(why) = file.unknown_maker().or_else(|| file.captured_by_target()) {
        ways.unknown = Some(why);
        return Ok(ways);
    }
    let kept: &[Kept] = match rings.iter().all(|r| r.is_member) {
        true => &[Kept::All],
        false => &[Kept::All, Kept::Used],
    };
    for kept in kept {
        for instance in [false, true] {
            ways.add(file.wrapped(instance, *kept));
        }
    }
    Ok(ways)
}

/// What the text is made of.
struct File<'f, 't> {
    src: &'f str,
    target: &'f Target<'t>,
    /// The classes around the target, from the outside in.
    rings: &'f [Ring<'t>],
    returns: Option<String>,
}

impl<'t> File<'_, 't> {
    /// A class of which an object is needed and that is only made with what its maker knows.
    fn unknown_maker(&self) -> Option<String> {
        let made = matches!(&self.target.value, Value::Own(text) if text.starts_with("new "));
        java_maker(self.target.node, self.src).filter(|_| made)
    }

    /// What the UDF uses of the method that it stands in and that only the method's callers know.
    fn captured_by_target(&self) -> Option<String> {
        let member = is_type_declaration(self.target.node) && self.target.before.is_empty();
        self.around(self.rings.len(), Kept::All).err().filter(|_| !member)
    }

    fn wrapped(&self, instance: bool, kept: Kept) -> std::result::Result<Wrapped, String> {
        let mut out = Wrapped::new("whole file", self.returns.clone());
        let members = self.rings.iter().take_while(|r| r.is_member).count();
        let Some(holder) = members.checked_sub(1).map(|i| &self.rings[i]) else {
            out.copy(self.src, 0..self.src.len());
            match &self.target.value {
                Value::Own(expr) => entry(&mut out, expr),
                Value::Copied { .. } => return Err("it stands outside of a class".into()),
            }
            return Ok(out);
        };
        let object = object(&self.rings[..members], instance, self.src)?;
        let end = holder.body.end_byte() - 1;
        out.copy(self.src, 0..end);
        self.hook(&mut out, members, if instance { "" } else { "static " }, kept)?;
        out.copy(self.src, end..self.src.len());
        entry(&mut out, &format!("{object}.{HOOK}()"));
        Ok(out)
    }

    /// The method that gives the UDF, in the class around the ring of this number.
    fn hook(&self, out: &mut Wrapped, inner: usize, word: &str, kept: Kept) -> std::result::Result<(), String> {
        out.push(&format!("\npublic {word}Object {HOOK}() throws Exception {{ "));
        match self.rings.get(inner) {
            None => self.give(out),
            Some(_) => {
                for part in &self.around(inner, kept)?.locals {
                    out.copy(self.src, part.clone());
                    out.push("\n");
                }
                self.through(out, inner, kept)?;
            }
        }
        out.push(" }\n");
        Ok(())
    }

    /// What is around the UDF to it, or around the ring of this number with all that is written again inside of it.
    fn around(&self, at: usize, kept: Kept) -> std::result::Result<Around<'_>, String> {
        let around = match self.rings.get(at) {
            None => around(self.target.node, &[self.target.node], &HashSet::new(), self.src),
            Some(ring) => {
                let inside = self.around(at + 1, kept)?;
                let parts = ring.parts(&self.inside(at, &inside), self.src, kept);
                around(ring.node, &parts, &inside.used, self.src)
            }
        };
        match around.captured {
            Some(why) => Err(why),
            None => Ok(around),
        }
    }

    /// What is written again inside of the ring of this number.
    fn inside<'s>(&'s self, at: usize, around: &Around<'s>) -> Inside<'s, 't> {
        let node = self.rings.get(at + 1).map_or(self.target.node, |r| r.node);
        Inside::of(node, &around.used, self.src)
    }

    /// Writes the ring of this number again with a method of the same kind in it, and calls that.
    fn through(&self, out: &mut Wrapped, at: usize, kept: Kept) -> std::result::Result<(), String> {
        let ring = &self.rings[at];
        let (node, body) = (ring.node, ring.body);
        let name = ring.name(self.src);
        if name.is_none() {
            out.push("return (");
        }
        out.copy(self.src, ring.start()..body.start_byte() + 1);
        let inside = self.inside(at, &self.around(at + 1, kept)?);
        ring.copy_members(out, &inside, self.src, kept);
        self.hook(out, at + 1, "", kept)?;
        out.copy(self.src, body.end_byte() - 1..node.end_byte());
        match name {
            None => out.push(&format!(").{HOOK}();")),
            Some(name) => {
                if let Some(why) = java_maker(node, self.src) {
                    return Err(why);
                }
                out.push(&format!("\nreturn new {name}().{HOOK}();"));
            }
        }
        Ok(())
    }

    /// The UDF itself.
    fn give(&self, out: &mut Wrapped) {
        for part in &self.target.before {
            out.copy(self.src, part.clone());
            out.push("\n");
        }
        match &self.target.value {
            Value::Own(expr) => out.push(&format!("return {expr};")),
            Value::Copied { range, is_udf } => {
                let call = if *is_udf { "" } else { "Rewright__Entry.as" };
                out.push(&format!("return {call}("));
                out.copy(self.src, range.clone());
                out.push(");");
            }
        }
    }
}

/// The class at the end; its `as` are what `register` is: one for each interface, so that a lambda means the same there.
fn entry(out: &mut Wrapped, expr: &str) {
    out.push(&format!(
        "\nclass {ENTRY} {{ public static Object apply() throws Exception {{ return {expr}; }}\n"
    ));
    for n in 0..=WIDEST {
        let any = vec!["?"; n + 1].join(", ");
        out.push(&format!(
            "static Object as(org.apache.spark.sql.api.java.UDF{n}<{any}> f) {{ return f; }}\n"
        ));
    }
    out.push("}\n");
}

/// What Spark has to be told of the result.
fn returns(udf: &Udf) -> Result<Option<String>> {
    match udf.kind {
        UdfKind::HiveUdf => Ok(None),
        _ => super::told_result(udf).map(Some),
    }
}

fn target<'t>(root: Node<'t>, src: &str, udf: &Udf) -> Option<Target<'t>> {
    let node = node_at(root, udf.span.range());
    let own = |node, expr| Target {
        node,
        before: Vec::new(),
        value: Value::Own(expr),
    };
    let hive = udf.kind == UdfKind::HiveUdf;
    match node.kind() {
        "class_declaration" | "record_declaration" => {
            let name = name_of(node, src)?;
            let expr = match hive {
                true => format!("{name}.class"),
                false => format!("new {name}()"),
            };
            let mut target = own(node, expr);
            if node.parent().is_some_and(|p| p.kind() == "block") {
                // A class of a method is known there only: it is written again.
                target.before = locals(node, src);
                target.before.push(node.byte_range());
            }
            Some(target)
        }
        "method_declaration" if hive => {
            let class = std::iter::successors(node.parent(), |n| n.parent()).find(|n| is_type_declaration(*n))?;
            Some(own(class, format!("{}.class", name_of(class, src)?)))
        }
        "field_declaration" => Some(own(node, declared(node, src, udf)?.to_owned())),
        "local_variable_declaration" => {
            let mut target = own(node, declared(node, src, udf)?.to_owned());
            target.before = locals(node, src);
            target.before.push(node.byte_range());
            Some(target)
        }
        "method_invocation" if name_of(node, src) == Some("register") => {
            let arguments = field(node, "arguments").map(kids)?;
            Some(copied(*arguments.get(1)?, src))
        }
        _ => {
            let body = root.descendant_for_byte_range(udf.body.range().start, udf.body.range().end)?;
            let call = std::iter::successors(Some(body), |n| n.parent())
                .find(|n| n.kind() == "method_invocation" && name_of(*n, src) == Some("udf"))?;
            Some(copied(call, src))
        }
    }
}

fn copied<'t>(node: Node<'t>, src: &str) -> Target<'t> {
    let inner = unparen(node);
    Target {
        node,
        before: locals(node, src),
        value: Value::Copied {
            range: node.byte_range(),
            is_udf: inner.kind() == "method_invocation" && name_of(inner, src) == Some("udf"),
        },
    }
}

/// The variables and classes of the method that a node uses.
fn locals(node: Node, src: &str) -> Vec<Range<usize>> {
    around(node, &[node], &HashSet::new(), src).locals
}

/// The variable of a declaration that is the UDF.
fn declared<'s>(declaration: Node, src: &'s str, udf: &Udf) -> Option<&'s str> {
    let names: Vec<&str> = field_all(declaration, "declarator")
        .iter()
        .filter_map(|d| name_of(*d, src))
        .collect();
    let known = |n: &&&str| udf.name == **n || udf.aliases.iter().any(|a| a == **n);
    names.iter().find(known).or(names.first()).copied()
}

/// The declaration or call of exactly this extent.
fn node_at<'t>(root: Node<'t>, range: Range<usize>) -> Node<'t> {
    let innermost = root.descendant_for_byte_range(range.start, range.end).unwrap_or(root);
    let exact = std::iter::successors(Some(innermost), |n| n.parent()).take_while(|n| n.byte_range() == range);
    let known = |n: &Node| n.kind().ends_with("_declaration") || n.kind() == "method_invocation";
    exact.into_iter().find(known).unwrap_or(innermost)
}
