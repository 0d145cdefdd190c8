//! Entry points for Java. In: the file and a UDF; out: the file with a method in it that gives the UDF to Spark, and a class at its
//! end that calls the method.

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::{Node, Parser};

use super::ENTRY;
use super::text::Wrapped;
use crate::error::{Error, Result};
use crate::find::{Udf, UdfKind};
use crate::lang::java::{field, field_all, is_type_declaration, kids, name_of, text, unparen};
use crate::source::SourceFile;

/// The method that is added to the class which holds the UDF.
const HOOK: &str = "rewright__entry";
/// Spark's interfaces `UDF0` and up, by number of parameters.
const WIDEST: usize = 22;

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

/// The whole file with an entry point: one in the class itself, or for an instance of it.
pub fn java(source: &SourceFile, udf: &Udf, instance: bool) -> Result<Wrapped> {
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
    let mut out = Wrapped::new("whole file", returns(udf)?);
    let Some((body, path)) = owner(target.node, src)? else {
        out.copy(src, 0..src.len());
        let Value::Own(expr) = &target.value else {
            return Err(Error::internal("a function outside of a class"));
        };
        entry(&mut out, expr);
        return Ok(out);
    };
    let end = body.end_byte() - 1;
    out.copy(src, 0..end);
    let word = if instance { "" } else { "static " };
    out.push(&format!("\npublic {word}Object {HOOK}() throws Exception {{ "));
    for part in &target.before {
        out.copy(src, part.clone());
        out.push("\n");
    }
    match &target.value {
        Value::Own(expr) => out.push(&format!("return {expr};")),
        Value::Copied { range, is_udf } => {
            out.push(if *is_udf {
                "return ("
            } else {
                "return Rewright__Entry.as("
            });
            out.copy(src, range.clone());
            out.push(");");
        }
    }
    out.push(" }\n");
    out.copy(src, end..src.len());
    let object = if instance { format!("new {path}()") } else { path };
    entry(&mut out, &format!("{object}.{HOOK}()"));
    Ok(out)
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

/// The body of the class around a node and the class's name from its package; `None` at the top of the file.
fn owner<'t>(node: Node<'t>, src: &str) -> Result<Option<(Node<'t>, String)>> {
    let around: Vec<Node> = std::iter::successors(node.parent(), |n| n.parent()).collect();
    let classes: Vec<Node> = around.iter().copied().filter(|n| is_type_declaration(*n)).collect();
    let Some(inner) = classes.first() else { return Ok(None) };
    let unreachable = |why: &str| Err(Error::not_proven("the UDF cannot be reached from outside").because(why));
    let local = around.iter().any(|n| n.kind() == "object_creation_expression");
    if local {
        return unreachable("it stands in an anonymous class");
    }
    let known = ["class_body", "interface_body", "enum_body"];
    let body = field(*inner, "body").filter(|b| known.contains(&b.kind()));
    let Some(body) = body else {
        return unreachable("its class has another form");
    };
    let names: Option<Vec<&str>> = classes.iter().rev().map(|c| name_of(*c, src)).collect();
    match names {
        Some(names) => Ok(Some((body, names.join(".")))),
        None => unreachable("its class has no name"),
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
        "class_declaration" => {
            let name = name_of(node, src)?;
            Some(own(
                node,
                if hive {
                    format!("{name}.class")
                } else {
                    format!("new {name}()")
                },
            ))
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

/// The variable of a declaration that is the UDF.
fn declared<'s>(declaration: Node, src: &'s str, udf: &Udf) -> Option<&'s str> {
    let names: Vec<&str> = field_all(declaration, "declarator")
        .iter()
        .filter_map(|d| name_of(*d, src))
        .collect();
    let known = |n: &&&str| udf.name == **n || udf.aliases.iter().any(|a| a == **n);
    names.iter().find(known).or(names.first()).copied()
}

/// The variables of the method that a node uses, transitively, in order.
fn locals(node: Node, src: &str) -> Vec<Range<usize>> {
    let mut used = HashSet::new();
    names_in(node, src, &mut used);
    let mut found = Vec::new();
    let mut at = node;
    while let Some(parent) = at.parent().filter(|p| !is_type_declaration(*p)) {
        // From the nearest upwards: what a declaration needs stands before it.
        for k in kids(parent)
            .into_iter()
            .rev()
            .filter(|k| k.end_byte() <= at.start_byte())
        {
            let names = field_all(k, "declarator");
            let wanted = names.iter().filter_map(|d| name_of(*d, src)).any(|n| used.contains(n));
            if k.kind() == "local_variable_declaration" && wanted {
                names_in(k, src, &mut used);
                found.push(k.byte_range());
            }
        }
        at = parent;
    }
    found.reverse();
    found
}

fn names_in<'s>(n: Node, src: &'s str, names: &mut HashSet<&'s str>) {
    if n.kind() == "identifier" {
        names.insert(text(n, src));
    }
    kids(n).into_iter().for_each(|k| names_in(k, src, names));
}

/// The declaration or call of exactly this extent.
fn node_at<'t>(root: Node<'t>, range: Range<usize>) -> Node<'t> {
    let innermost = root.descendant_for_byte_range(range.start, range.end).unwrap_or(root);
    let exact = std::iter::successors(Some(innermost), |n| n.parent()).take_while(|n| n.byte_range() == range);
    let known = |n: &Node| n.kind().ends_with("_declaration") || n.kind() == "method_invocation";
    exact.into_iter().find(known).unwrap_or(innermost)
}
