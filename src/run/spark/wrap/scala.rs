//! Entry points for Scala. In: the file and a UDF; out: the file with a function in it that gives the UDF to Spark, or the
//! definitions that the UDF needs with such a function around them.

use std::ops::Range;

use tree_sitter::{Node, Parser, Tree};

use super::closure::{makes_udf, needed};
use super::text::Wrapped;
use super::unknown::{scala_captured, scala_maker};
use super::{ENTRY, HOOK, not_reached};
use crate::error::{Error, Result};
use crate::find::{Udf, UdfKind};
use crate::lang::scala::{field, has_token, kids, name_text, text};
use crate::source::SourceFile;

const UDF: &str = "_root_.org.apache.spark.sql.functions.udf";

/// How the UDF is named from where it stands.
enum Target<'t> {
    /// A class to make an instance of, or an object.
    Function {
        name: String,
        is_object: bool,
        java: bool,
        node: Node<'t>,
    },
    /// A member or a local definition, which is a UDF already or still a function.
    Named { expr: String, is_udf: bool, node: Node<'t> },
    /// An expression that has to be written again.
    Copied {
        node: Node<'t>,
        targs: Option<Node<'t>>,
        is_udf: bool,
        java: bool,
    },
}

impl<'t> Target<'t> {
    fn node(&self) -> Node<'t> {
        match self {
            Target::Function { node, .. } | Target::Named { node, .. } | Target::Copied { node, .. } => *node,
        }
    }

    fn is_java(&self) -> bool {
        matches!(
            self,
            Target::Function { java: true, .. } | Target::Copied { java: true, .. }
        )
    }
}

fn parse(source: &SourceFile) -> Result<Tree> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_scala::LANGUAGE.into())
        .map_err(|e| Error::internal("the Scala grammar does not fit the parser").because(e))?;
    parser
        .parse(source.text.as_bytes(), None)
        .ok_or_else(|| Error::internal("the file could not be parsed"))
}

/// The whole file with an entry point; `None` if the UDF cannot be reached without running what surrounds it.
pub fn whole(source: &SourceFile, udf: &Udf) -> Result<Option<Wrapped>> {
    let tree = parse(source)?;
    let src: &str = &source.text;
    let target = reachable(target(tree.root_node(), src, udf)?, src, udf)?;
    let Some(place) = Place::of(target.node(), src) else {
        return Ok(None);
    };
    let mut out = Wrapped::new("whole file", returns(&target, udf)?);
    let path = place.path.join(".");
    match place.container {
        Some(container) => {
            out.copy(src, 0..container.end_byte() - 1);
            out.push(&format!("\ndef {HOOK}(): _root_.scala.Any = {{ "));
            body(&mut out, &target, Some(container), src);
            out.push(" }\n");
            entry(
                &mut out,
                src,
                container.end_byte() - 1,
                &place,
                &format!("{path}.{HOOK}()"),
            );
        }
        // At the top of the file only classes and objects can stand.
        None => match &target {
            Target::Function { name, is_object, .. } => {
                let function = if *is_object {
                    name.clone()
                } else {
                    format!("new {name}")
                };
                let made = if target.is_java() {
                    function
                } else {
                    format!("{UDF}({function})")
                };
                entry(&mut out, src, 0, &place, &made);
            }
            _ => return Ok(None),
        },
    }
    Ok(Some(out))
}

/// The rest of the file with the entry point's object at the end of the package.
fn entry(out: &mut Wrapped, src: &str, from: usize, place: &Place, expr: &str) {
    let object = format!("\nobject {ENTRY} {{ def apply(): _root_.scala.Any = {expr} }}\n");
    let end = place.package.map_or(src.len(), |p| p.end_byte() - 1);
    out.copy(src, from..end);
    out.push(&object);
    out.copy(src, end..src.len());
}

/// The function with the definitions and imports that it uses, in an object of its own. Imports that begin at one of
/// `without` are left out.
pub fn extracted(source: &SourceFile, udf: &Udf, without: &[usize]) -> Result<Wrapped> {
    let tree = parse(source)?;
    let src: &str = &source.text;
    let target = reachable(target(tree.root_node(), src, udf)?, src, udf)?;
    let mut kept: Vec<Range<usize>> = needed(target.node(), None, src);
    if !matches!(target, Target::Copied { .. }) {
        kept.push(target.node().byte_range());
    }
    kept.retain(|r| !without.contains(&r.start));
    kept.sort_by_key(|r| r.start);
    let mut out = Wrapped::new("the function with what it uses", returns(&target, udf)?);
    out.push(&packages(tree.root_node(), src));
    out.push(&format!("object {ENTRY} {{ "));
    let mut at = 0;
    for part in kept {
        out.skip(&src[at..part.start]);
        out.copy(src, part.clone());
        at = part.end;
    }
    out.push("\ndef apply(): _root_.scala.Any = { ");
    value(&mut out, &target, src);
    out.push(" } }\n");
    Ok(out)
}

/// The package clauses at the top of the file, on one line.
fn packages(root: Node, src: &str) -> String {
    let mut clauses = String::new();
    for k in kids(root)
        .into_iter()
        .filter(|k| k.kind() == "package_clause" && field(*k, "body").is_none())
    {
        if let Some(name) = field(k, "name") {
            clauses.push_str(&format!("package {}; ", text(name, src)));
        }
    }
    clauses
}

/// The locals that the UDF uses, then the UDF.
fn body(out: &mut Wrapped, target: &Target, container: Option<Node>, src: &str) {
    let node = target.node();
    if node.parent().map(|p| p.id()) != container.map(|c| c.id()) {
        for part in needed(node, container, src) {
            out.copy(src, part);
            out.push("\n");
        }
        if let Target::Named { .. } | Target::Function { .. } = target {
            out.copy(src, node.byte_range());
            out.push("\n");
        }
    }
    value(out, target, src);
}

/// The expression that gives the UDF, or the `UDFn`.
fn value(out: &mut Wrapped, target: &Target, src: &str) {
    match target {
        Target::Function {
            name, is_object, java, ..
        } => {
            let function = if *is_object {
                name.clone()
            } else {
                format!("new {name}")
            };
            out.push(&if *java { function } else { format!("{UDF}({function})") });
        }
        Target::Named { expr, is_udf: true, .. } => out.push(expr),
        Target::Named { expr, .. } => out.push(&format!("{UDF}({expr})")),
        Target::Copied {
            node,
            is_udf,
            java,
            targs,
        } => {
            let plain = *is_udf || *java;
            if !plain {
                out.push(UDF);
                if let Some(t) = targs {
                    out.copy(src, t.byte_range());
                }
                out.push("(");
            }
            out.copy(src, node.byte_range());
            out.push(if plain { "" } else { ")" });
        }
    }
}

/// What Spark has to be told of the result of a `UDFn`.
fn returns(target: &Target, udf: &Udf) -> Result<Option<String>> {
    match target.is_java() {
        true => super::told_result(udf).map(Some),
        false => Ok(None),
    }
}

/// What the UDF is and how it can be named.
fn target<'t>(root: Node<'t>, src: &str, udf: &Udf) -> Result<Target<'t>> {
    let site = node_at(root, udf.span.range());
    let function = || function_of(root, src, udf);
    let gone = || Error::internal(format!("the place of `{}` is not in the file", udf.name));
    let name = |n: Node| field(n, "name").map(|x| text(x, src).to_owned());
    match site.kind() {
        "class_definition" | "object_definition" => Ok(Target::Function {
            name: name(site).ok_or_else(gone)?,
            is_object: site.kind() == "object_definition",
            java: extends_udf(site, src),
            node: site,
        }),
        "function_definition" if udf.kind != UdfKind::UdfLambda => Ok(Target::Named {
            expr: format!("{} _", name(site).ok_or_else(gone)?),
            is_udf: false,
            node: site,
        }),
        "val_definition" | "var_definition" => match field(site, "pattern") {
            Some(p) if p.kind() == "identifier" => Ok(Target::Named {
                expr: text(p, src).to_owned(),
                is_udf: udf.kind == UdfKind::UdfLambda,
                node: site,
            }),
            _ => function().ok_or_else(gone),
        },
        "call_expression" => Ok(registered(site, src).or_else(function).ok_or_else(gone)?),
        _ => function().ok_or_else(gone),
    }
}

/// The target, unless it needs what only the user's own program knows.
fn reachable<'t>(target: Target<'t>, src: &str, udf: &Udf) -> Result<Target<'t>> {
    let unknown = match &target {
        Target::Function {
            node, is_object: false, ..
        } => scala_maker(*node, src),
        _ => None,
    };
    match unknown.or_else(|| scala_captured(target.node(), src)) {
        Some(why) => Err(not_reached(udf, why)),
        None => Ok(target),
    }
}

/// The outermost node of exactly this extent that is a definition or a call, else the innermost that covers it.
fn node_at<'t>(root: Node<'t>, range: Range<usize>) -> Node<'t> {
    let innermost = root.descendant_for_byte_range(range.start, range.end).unwrap_or(root);
    let mut at = innermost;
    loop {
        let known = matches!(
            at.kind(),
            "class_definition"
                | "object_definition"
                | "function_definition"
                | "val_definition"
                | "var_definition"
                | "call_expression"
        );
        if known && at.byte_range() == range {
            return at;
        }
        match at.parent().filter(|p| p.byte_range() == range) {
            Some(p) => at = p,
            None => return innermost,
        }
    }
}

/// The function of `….register("name", function)`.
fn registered<'t>(call: Node<'t>, src: &str) -> Option<Target<'t>> {
    let mut function = field(call, "function")?;
    let mut targs = None;
    if function.kind() == "generic_function" {
        targs = field(function, "type_arguments");
        function = field(function, "function")?;
    }
    if name_text(field(function, "field")?, src) != "register" {
        return None;
    }
    let arguments = field(call, "arguments").map(kids)?;
    let node = *arguments.get(1)?;
    Some(Target::Copied {
        node,
        targs,
        is_udf: makes_udf(node, src),
        java: arguments.len() > 2,
    })
}

/// The `udf(…)` call around the body, else the function literal that has it, else the expression itself.
fn function_of<'t>(root: Node<'t>, src: &str, udf: &Udf) -> Option<Target<'t>> {
    let body = root.descendant_for_byte_range(udf.body.range().start, udf.body.range().end)?;
    let whole = udf.span.range();
    let mut literal = body;
    let mut at = body;
    while at.start_byte() >= whole.start && at.end_byte() <= whole.end {
        if at.kind() == "lambda_expression" && literal.kind() != "lambda_expression" {
            literal = at;
        }
        if at.kind() == "call_expression" && makes_udf(at, src) {
            return Some(Target::Copied {
                node: at,
                targs: None,
                is_udf: true,
                java: false,
            });
        }
        at = at.parent()?;
    }
    Some(Target::Copied {
        node: literal,
        targs: None,
        is_udf: false,
        java: false,
    })
}

/// Whether a class is one of Spark's Java interfaces.
fn extends_udf(class: Node, src: &str) -> bool {
    let Some(extends) = field(class, "extend") else {
        return false;
    };
    kids(extends).into_iter().any(|t| {
        let head = if t.kind() == "generic_type" {
            field(t, "type").unwrap_or(t)
        } else {
            t
        };
        let name = text(head, src).rsplit('.').next().unwrap_or_default();
        name.strip_prefix("UDF").is_some_and(|n| n.parse::<u32>().is_ok())
    })
}

/// Where an entry point can be put.
struct Place<'t> {
    /// The body of the innermost object or class that can be reached; `None` at the top of the file.
    container: Option<Node<'t>>,
    /// The braces of the package around it, if it has some.
    package: Option<Node<'t>>,
    /// How the container is reached from its package.
    path: Vec<String>,
}

impl<'t> Place<'t> {
    fn of(node: Node<'t>, src: &str) -> Option<Place<'t>> {
        let mut around: Vec<Node> = std::iter::successors(node.parent(), |n| n.parent()).collect();
        around.reverse();
        let mut place = Place {
            container: None,
            package: None,
            path: Vec::new(),
        };
        let mut in_class = false;
        for n in around {
            let body = || field(n, "body").filter(|b| b.byte_range().contains(&node.start_byte()));
            match n.kind() {
                "compilation_unit" | "template_body" => {}
                "package_clause" => place.package = field(n, "body").or(place.package),
                "object_definition" | "package_object" if !in_class => {
                    place.path.push(text(field(n, "name")?, src).to_owned());
                    place.container = Some(body()?);
                    if runs_late(n, src) {
                        return None;
                    }
                }
                "class_definition" if !in_class => {
                    in_class = true;
                    // Without arguments it is made where every parameter has a default.
                    let generic = field(n, "type_parameters").is_some();
                    if scala_maker(n, src).is_some() || generic || crate::lang::scala::has_modifier(n, "abstract", src)
                    {
                        return None;
                    }
                    let head = format!(
                        "(new {}())",
                        [&place.path[..], &[text(field(n, "name")?, src).into()]]
                            .concat()
                            .join(".")
                    );
                    place.path = vec![head];
                    place.container = Some(body()?);
                }
                "class_definition"
                | "object_definition"
                | "trait_definition"
                | "instance_expression"
                | "package_object" => return None,
                // From here on the UDF stands in a method or a value.
                _ => break,
            }
        }
        let braced = |n: &Option<Node>| n.is_none_or(|n| src.as_bytes().get(n.end_byte() - 1) == Some(&b'}'));
        (braced(&place.container) && braced(&place.package)).then_some(place)
    }
}

/// The values of an `App` are made only when its `main` runs.
fn runs_late(object: Node, src: &str) -> bool {
    let Some(extends) = field(object, "extend") else {
        return false;
    };
    has_token(extends, "App")
        || kids(extends)
            .into_iter()
            .any(|t| matches!(text(t, src), "App" | "scala.App" | "DelayedInit"))
        || text(extends, src)
            .split(|c: char| !c.is_alphanumeric())
            .any(|w| w == "App" || w == "DelayedInit")
}
