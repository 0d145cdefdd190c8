//! UDFs of a Scala file. In: a source file; out: each site with its signature and its typed program, and the syntax errors
//! outside of them.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::OnceLock;

use tree_sitter::{Node, Parser, Query};

use super::sites::{self, Entry, Site};
use super::spark_type::data_type;
use super::{Found, NullRule, Udf, UdfParam};
use crate::lang::ast::Class;
use crate::lang::scala::{Imports, Typed, Typer, WrittenSignature, field, first_error, kids, span, too_deep};
use crate::lang::ty::Ty;
use crate::source::{Refusal, SourceFile, Span, Understood};

/// More syntax errors than this are not listed one by one.
const MAX_ERRORS: usize = 50;

/// Typing walks trees by recursion; callers may stand on a small stack.
const STACK_BYTES: usize = 64 << 20;

/// Finds the UDFs of a Scala file.
pub(super) fn find(source: &SourceFile) -> Found {
    let failed = |reason: &str| Found {
        udfs: Vec::new(),
        refused: vec![Refusal::new(Span::new(0, source.text.len()), reason)],
    };
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("find".into()).stack_size(STACK_BYTES);
        match builder.spawn_scoped(scope, || find_here(source)) {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|_| failed("a defect of the analysis: please report this file")),
            Err(_) => failed("no thread could be started for the analysis"),
        }
    })
}

fn find_here(source: &SourceFile) -> Found {
    let mut parser = Parser::new();
    let language = tree_sitter_scala::LANGUAGE.into();
    let failed = |reason: &str| Found {
        udfs: Vec::new(),
        refused: vec![Refusal::new(Span::new(0, source.text.len()), reason)],
    };
    if parser.set_language(&language).is_err() {
        return failed("the Scala grammar does not fit the parser");
    }
    let (Some(tree), Some(query)) = (parser.parse(source.text.as_bytes(), None), query()) else {
        return failed("the file could not be parsed");
    };
    let root = tree.root_node();
    let sites = sites::collect(source, root, query);
    let imports = Rc::new(Imports::collect(root, &source.text));
    let mut found = Found {
        udfs: Vec::new(),
        refused: sites.refused,
    };
    for site in &sites.sites {
        found.udfs.push(udf(source, root, &imports, site));
    }
    found.udfs.sort_by_key(|u| (u.span.start, u.span.end));
    number_duplicates(&mut found.udfs);
    errors_outside(root, &found.udfs, &mut found.refused);
    found
}

fn query() -> Option<&'static Query> {
    static QUERY: OnceLock<Option<Query>> = OnceLock::new();
    let make = || {
        Query::new(
            &tree_sitter_scala::LANGUAGE.into(),
            include_str!("../../grammars/scala/udf.scm"),
        )
        .ok()
    };
    QUERY.get_or_init(make).as_ref()
}

fn udf<'t>(source: &'t SourceFile, root: Node<'t>, imports: &Rc<Imports>, site: &Site<'t>) -> Udf {
    let typer = || Typer::new(source, root, imports.clone());
    let (body, written, typed) = match &site.entry {
        Entry::Def { def, java } => {
            let typed = parsed(*def)
                .and_then(|()| typer().entry_of_def(*def))
                .and_then(|t| null_safe(t, *java, *def));
            let body = field(*def, "body").map_or(span(*def), span);
            (body, typer().written_signature(*def), typed)
        }
        Entry::Expression { node, ty, targs } => {
            let typed = parsed(*node)
                .and_then(|()| hint(&typer, *ty, targs))
                .and_then(|hint| typer().entry_of_expression(*node, hint));
            (body_of(*node), typer().written_signature(*node), typed)
        }
        Entry::Refused(refusal) => (span(site.node), WrittenSignature::default(), Err(refusal.clone())),
    };
    let spark_checks_null = !matches!(site.entry, Entry::Def { java: true, .. });
    assemble(site, body, written, typed, spark_checks_null)
}

fn parsed(n: Node) -> Understood<()> {
    match first_error(n) {
        Some(e) => Err(Refusal::new(span(e), "syntax error")),
        None if too_deep(n) => Err(Refusal::new(span(n), "nested too deeply")),
        None => Ok(()),
    }
}

/// The function type that is written beside an expression.
fn hint<'t>(typer: &impl Fn() -> Typer<'t>, ty: Option<Node<'t>>, targs: &[Node<'t>]) -> Understood<Option<Ty>> {
    if let Some(t) = ty {
        return typer().written_type(t).map(Some);
    }
    let [ret, params @ ..] = targs else { return Ok(None) };
    let params = params
        .iter()
        .map(|p| typer().written_type(*p))
        .collect::<Understood<Vec<Ty>>>()?;
    Ok(Some(Ty::Fn(params, Box::new(typer().written_type(*ret)?))))
}

/// A `UDFn` gets nulls also for primitive parameters, as zeros.
fn null_safe(typed: Typed, java: bool, def: Node) -> Understood<Typed> {
    let entry = &typed.program.functions[typed.program.entry.0 as usize];
    if java && entry.params.iter().any(|p| matches!(p.ty, Ty::Prim(_))) {
        return Err(Refusal::new(
            span(def),
            "primitive parameters of a `UDFn` are not covered: null arrives as zero there",
        ));
    }
    Ok(typed)
}

fn body_of(node: Node) -> Span {
    if node.kind() != "lambda_expression" {
        return span(node);
    }
    let heads: Vec<usize> = crate::lang::scala::field_all(node, "parameters")
        .iter()
        .map(|h| h.id())
        .collect();
    let rest: Vec<Node> = kids(node).into_iter().filter(|k| !heads.contains(&k.id())).collect();
    match (rest.first(), rest.last()) {
        (Some(a), Some(b)) => Span::new(a.start_byte(), b.end_byte()),
        _ => span(node),
    }
}

fn assemble(
    site: &Site,
    body: Span,
    written: WrittenSignature,
    typed: Understood<Typed>,
    spark_checks_null: bool,
) -> Udf {
    let own = span(site.node);

    let none: (Vec<Class>, Vec<Span>) = Default::default();
    let (params, returns, (classes, needs)) = match &typed {
        Ok(t) => {
            let entry = &t.program.functions[t.program.entry.0 as usize];

            let params: Vec<(String, Ty)> = entry.params.iter().map(|p| (p.name.clone(), p.ty.clone())).collect();
            (params, entry.ret.clone(), (t.program.classes.clone(), t.needs.clone()))
        }
        Err(_) => {
            let params = written
                .params
                .into_iter()
                .map(|(n, t)| (n, t.unwrap_or(Ty::Any)))
                .collect();
            (params, written.ret.unwrap_or(Ty::Any), none)
        }
    };
    let params = params
        .into_iter()
        .map(|(name, ty)| UdfParam {
            name,
            data_type: data_type(&ty, &classes),
            null_rule: match ty {
                Ty::Prim(_) if spark_checks_null => NullRule::ResultIsNull,
                _ => NullRule::PassedOn,
            },
            ty,
        })
        .collect();
    Udf {
        name: site.name.clone(),
        aliases: site.aliases.clone(),
        kind: site.kind,
        span: own,
        body,
        params,
        return_type: data_type(&returns, &classes),
        returns,
        needs: needs.into_iter().filter(|s| *s != own).collect(),
        program: typed.map(|t| t.program),
    }
}

/// The second UDF of a name becomes `name#2`.
fn number_duplicates(udfs: &mut [Udf]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for u in udfs {
        let count = seen.entry(u.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            u.name = format!("{}#{count}", u.name);
        }
    }
}

/// Lists what does not parse outside of the UDFs.
fn errors_outside(root: Node, udfs: &[Udf], refused: &mut Vec<Refusal>) {
    let mut stack = vec![root];
    while let Some(n) = stack.pop() {
        if !n.has_error() || refused.len() >= MAX_ERRORS {
            continue;
        }
        let at = span(n);
        if n.is_error() || n.is_missing() {
            if !udfs.iter().any(|u| u.span.contains(at) && u.program.is_err()) {
                refused.push(Refusal::new(at, "syntax error"));
            }
            continue;
        }
        let mut cursor = n.walk();
        let mut children: Vec<Node> = n.children(&mut cursor).collect();
        children.reverse();
        stack.extend(children);
    }
}
