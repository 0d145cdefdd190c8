//! UDFs of a Scala file. In: a source file; out: each site with its signature and its typed program, and the syntax errors
//! outside of them.

use std::rc::Rc;
use std::sync::OnceLock;

use tree_sitter::{Node, Query};

use super::sites::{self, Entry, Site};
use super::spark_type::{data_type, same_type, written_data_type};
use super::{Found, NullRule, Udf, UdfKind, UdfParam, tree};
use crate::lang::ast::Class;
use crate::lang::scala::{
    Imports, Typed, Typer, WrittenSignature, field, field_all, first_error, kids, span, too_deep,
};
use crate::lang::ty::Ty;
use crate::source::{Refusal, SourceFile, Span, Understood};

/// Finds the UDFs of a Scala file.
pub(super) fn find(source: &SourceFile) -> Found {
    tree::on_large_stack(source, find_here)
}

fn find_here(source: &SourceFile) -> Found {
    let tree = match tree::parse(source, &tree_sitter_scala::LANGUAGE.into()) {
        Ok(tree) => tree,
        Err(found) => return found,
    };
    let Some(query) = query() else {
        return tree::failed(source, "the file could not be parsed");
    };
    let root = tree.root_node();
    let imports = Rc::new(Imports::collect(root, &source.text));
    let sites = sites::collect(source, &imports, root, query);
    let mut found = Found {
        udfs: Vec::new(),
        refused: sites.refused,
        not_udfs: sites.not_udfs,
    };
    for site in &sites.sites {
        let udf = udf(source, root, &imports, site);
        let types = || match &site.entry {
            Entry::Expression { ty: Some(t), .. } => Typer::new(source, root, imports.clone()).written_type(*t).err(),
            _ => None,
        };
        match no_row_function(&udf, site, types) {
            Some(reason) => found.not_udfs.push(Refusal::new(udf.span, reason)),
            None => found.udfs.push(udf),
        }
    }
    tree::finish(root, found)
}

/// Why a function that nothing makes a UDF of cannot be one; `types` says what is wrong with its written type.
fn no_row_function(udf: &Udf, site: &Site, types: impl Fn() -> Option<Refusal>) -> Option<String> {
    let name = &udf.name;
    let given = site.kind != UdfKind::FunctionVal && !(site.kind == UdfKind::FunctionClass && site.aliases.is_empty());
    if given {
        return None;
    }
    if udf.returns == Ty::Unit {
        return Some(format!("`{name}` returns nothing"));
    }
    if udf.kind != UdfKind::FunctionVal {
        return None;
    }
    let body = match &site.entry {
        Entry::Expression { node, .. } if udf.program.is_err() => body_nodes(*node),
        _ => Vec::new(),
    };
    let nested = matches!(body[..], [only] if only.kind() == "lambda_expression");
    let is_fn = |t: &Ty| matches!(t, Ty::Fn(..));
    if nested || is_fn(&udf.returns) {
        return Some(format!("`{name}` returns a function: no row function of Spark can"));
    }
    if udf.params.iter().any(|p| is_fn(&p.ty)) {
        return Some(format!("`{name}` takes a function: no column holds one"));
    }
    let unknown = types().filter(|r| udf.program.is_err() && !r.is_syntax());
    unknown.map(|r| {
        format!(
            "`{name}` is a function value that nothing here makes a UDF of, and its {}",
            r.reason
        )
    })
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
        Entry::Def { def, java, instance } => {
            let typed = parsed(*def)
                .and_then(|()| typer().of_instance(instance.clone()).entry_of_def(*def))
                .and_then(|t| null_safe(t, *java, *def));
            let body = field(*def, "body").map_or(span(*def), span);
            // Its text says nothing where an instance decides what it means.
            let own = instance.template.is_none_or(|t| span(t).contains(body)) && instance.args.is_empty();
            let body = if own {
                body
            } else {
                Span::new(def.start_byte(), def.start_byte())
            };
            (body, typer().written_signature(*def), typed)
        }
        Entry::Expression { node, ty, targs, java } => {
            let expected = hint(&typer, *ty, targs);
            let mut written = typer().written_signature(*node);
            if let Ok(Some(expected)) = &expected {
                written.fill(expected);
            }
            let typed = parsed(*node)
                .and(expected)
                .and_then(|hint| typer().entry_of_expression(*node, hint))
                .and_then(|t| null_safe(t, *java, *node));
            (body_of(*node), written, typed)
        }
        Entry::Refused(refusal) => (span(site.node), WrittenSignature::default(), Err(refusal.clone())),
    };
    let java = matches!(
        site.entry,
        Entry::Def { java: true, .. } | Entry::Expression { java: true, .. }
    );
    let typed = typed.and_then(|t| declared(source, site, t));
    assemble(site, body, written, typed, !java)
}

fn parsed(n: Node) -> Understood<()> {
    match first_error(n) {
        Some(e) => Err(Refusal::syntax(span(e))),
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

/// The result type that is given beside a function has to be the one that the function has: Spark converts nothing.
fn declared(source: &SourceFile, site: &Site, typed: Typed) -> Understood<Typed> {
    let Some(node) = site.declared else { return Ok(typed) };
    let entry = &typed.program.functions[typed.program.entry.0 as usize];
    let own = data_type(&entry.ret, &typed.program.classes);
    match written_data_type(&source.text[node.byte_range()]) {
        Some(given) if own.as_ref().is_some_and(|o| same_type(&given, o)) => Ok(typed),
        Some(_) => Err(Refusal::new(
            span(node),
            format!("this result type is not that of the function, `{}`", entry.ret),
        )),
        None => Err(Refusal::new(
            span(node),
            "result type that cannot be read from the source",
        )),
    }
}

fn body_nodes(node: Node) -> Vec<Node> {
    if node.kind() != "lambda_expression" {
        return vec![node];
    }
    let heads: Vec<usize> = field_all(node, "parameters").iter().map(|h| h.id()).collect();
    kids(node).into_iter().filter(|k| !heads.contains(&k.id())).collect()
}

fn body_of(node: Node) -> Span {
    let rest = body_nodes(node);
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
