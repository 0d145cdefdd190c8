//! UDFs of a Java file. In: a source file; out: each site with its signature and its typed program, and the syntax errors outside
//! of them. Java passes null on to the function, also to a Hive one.

use std::sync::OnceLock;

use arrow::datatypes::DataType;
use tree_sitter::{Node, Query};

use super::java_sites::{self, Entry, Site};
use super::spark_type::data_type;
use super::{Found, NullRule, Udf, UdfParam, tree};
use crate::lang::java::{Typed, Typer, field, first_error, functional, generic_shape, kids, span, text, too_deep};
use crate::lang::ty::{JavaKind, SeqKind, Ty};
use crate::source::{Refusal, SourceFile, Span, Understood};

/// Finds the UDFs of a Java file.
pub(super) fn find(source: &SourceFile) -> Found {
    tree::on_large_stack(source, find_here)
}

fn find_here(source: &SourceFile) -> Found {
    let tree = match tree::parse(source, &tree_sitter_java::LANGUAGE.into()) {
        Ok(tree) => tree,
        Err(found) => return found,
    };
    let Some(query) = query() else {
        return tree::failed(source, "the file could not be parsed");
    };
    let root = tree.root_node();
    if too_deep(root) {
        return tree::failed(source, "nested too deeply");
    }
    let mut found = Found::default();
    for site in java_sites::collect(source, root, query) {
        found.udfs.push(udf(source, root, &site));
    }
    tree::finish(root, found)
}

fn query() -> Option<&'static Query> {
    static QUERY: OnceLock<Option<Query>> = OnceLock::new();
    let make = || {
        let language = tree_sitter_java::LANGUAGE.into();
        Query::new(&language, include_str!("../../grammars/java/udf.scm")).ok()
    };
    QUERY.get_or_init(make).as_ref()
}

fn udf<'t>(source: &'t SourceFile, root: Node<'t>, site: &Site<'t>) -> Udf {
    let typer = || Typer::new(source, root);
    let nothing = || (Vec::new(), Ty::Any);
    let (body, written, typed) = match &site.entry {
        Entry::Method(m) => (
            field(*m, "body").map_or(span(*m), span),
            typer().written_signature(*m),
            parsed(*m).and_then(|()| typer().entry_of_method(*m)),
        ),
        Entry::HiveMethod(m) => {
            let written = typer().written_signature(*m);
            let typed = parsed(*m)
                .and_then(|()| boxed_parameters(*m, &written.0))
                .and_then(|()| typer().entry_of_method(*m));
            (field(*m, "body").map_or(span(*m), span), written, typed)
        }
        Entry::Generic { class, method } => {
            let typed = parsed(*method)
                .and_then(|()| generic_shape(*class, *method, &source.text))
                .and_then(|shape| typer().entry_of_generic(*method, shape));
            (field(*method, "body").map_or(span(*method), span), nothing(), typed)
        }
        Entry::Function { node, ty } => {
            let expected = expected(source, root, *ty, *node);
            let written = match &expected {
                Ok((params, ret)) => (
                    params
                        .iter()
                        .enumerate()
                        .map(|(i, t)| (format!("arg{i}"), t.clone()))
                        .collect(),
                    ret.clone().unwrap_or(Ty::Any),
                ),
                Err(_) => nothing(),
            };
            let typed = parsed(*node)
                .and(expected)
                .and_then(|(params, ret)| typer().entry_of_function(*node, params, ret));
            (field(*node, "body").map_or(span(*node), span), written, typed)
        }
        Entry::Refused(refusal) => (span(site.node), nothing(), Err(refusal.clone())),
    };
    assemble(source, site, body, written, typed)
}

fn parsed(n: Node) -> Understood<()> {
    match first_error(n) {
        Some(e) => Err(Refusal::syntax(span(e))),
        None => Ok(()),
    }
}

fn boxed_parameters(method: Node, params: &[(String, Ty)]) -> Understood<()> {
    match params.iter().find(|(_, t)| matches!(t, Ty::Prim(_))) {
        Some((name, _)) => Err(Refusal::new(
            span(method),
            format!("`{name}` is primitive: what Hive does with a null there is not covered"),
        )),
        None => Ok(()),
    }
}

/// The parameters and the result that a functional type gives to a lambda.
fn expected<'t>(
    source: &'t SourceFile,
    root: Node<'t>,
    ty: Option<Node<'t>>,
    node: Node<'t>,
) -> Understood<(Vec<Ty>, Option<Ty>)> {
    let unknown = || {
        Refusal::new(
            span(node),
            "the parameter types of this function are not written; cast it to `UDFn<…>`",
        )
    };
    let Some(ty) = ty else {
        // `udf((String s) -> …, type)`: what is written is all there is.
        let arity = super::java_sites::written_arity(node).ok_or_else(unknown)?;
        return Ok((vec![Ty::Any; arity], None));
    };
    match Typer::new(source, root).written_type(ty)? {
        Ty::Fn(params, ret) if ty.kind() == "generic_type" && !params.contains(&Ty::Any) => {
            Ok((params, Some(*ret).filter(|r| *r != Ty::Any)))
        }
        Ty::Fn(params, _) if super::java_sites::written_arity(node) == Some(params.len()) => Ok((params, None)),
        _ => Err(unknown()),
    }
}

/// Types that Spark hands to a Java function are its own: a `java.util.List` never arrives.
fn arrives(name: &str, ty: &Ty, at: Span) -> Understood<()> {
    let reason = match ty {
        Ty::Seq(SeqKind::JavaList, _) | Ty::Java(JavaKind::Collection, _) => {
            "Spark passes a Scala sequence, which is no `java.util.List`"
        }
        Ty::Java(JavaKind::Map, _) => "Spark passes a Scala map, which is no `java.util.Map`",
        Ty::Array(a) if **a != Ty::Prim(crate::lang::ty::Prim::Byte) => {
            "Spark passes a Scala sequence, which is no Java array"
        }
        Ty::Any => "its column type cannot be told from the source",
        Ty::Java(..) | Ty::Fn(..) => "Spark has no column of this type",
        _ => return Ok(()),
    };
    Err(Refusal::new(at, format!("parameter `{name}`: {reason}")))
}

fn assemble(
    source: &SourceFile,
    site: &Site,
    body: Span,
    written: (Vec<(String, Ty)>, Ty),
    typed: Understood<Typed>,
) -> Udf {
    let own = span(site.node);
    let typed = typed.and_then(|t| {
        let entry = &t.program.functions[t.program.entry.0 as usize];
        for p in &entry.params {
            arrives(&p.name, &p.ty, p.span)?;
        }
        Ok(t)
    });
    let (params, returns, needs) = match &typed {
        Ok(t) => {
            let entry = &t.program.functions[t.program.entry.0 as usize];
            let params = entry.params.iter().map(|p| (p.name.clone(), p.ty.clone())).collect();
            (params, entry.ret.clone(), t.needs.clone())
        }
        Err(_) => (written.0, written.1, Vec::new()),
    };
    let params: Vec<UdfParam> = params
        .into_iter()
        .map(|(name, ty): (String, Ty)| UdfParam {
            name,
            data_type: data_type(&ty, &[]),
            null_rule: NullRule::PassedOn,
            ty,
        })
        .collect();
    let natural = data_type(&returns, &[]);
    let declared = site.declared.and_then(|d| declared_type(d, source));
    let mismatch = match (&declared, &natural) {
        (Some(d), Some(n)) => !agrees(d, n),
        _ => false,
    };
    let program = match typed {
        Ok(_) if mismatch => Err(Refusal::new(
            site.declared.map_or(own, span),
            format!("the declared type is not that of the result, {returns}; what Spark does then is not covered"),
        )),
        Ok(t) => Ok(t.program),
        Err(e) => Err(e),
    };
    Udf {
        name: site.name.clone(),
        aliases: site.aliases.clone(),
        kind: site.kind,
        span: own,
        body,
        params,
        return_type: declared.or(natural),
        returns,
        needs: needs.into_iter().filter(|s| *s != own).collect(),
        program,
    }
}

fn agrees(declared: &DataType, natural: &DataType) -> bool {
    match (declared, natural) {
        (DataType::Decimal128(..), DataType::Decimal128(..)) => true,
        (DataType::List(a), DataType::List(b)) => agrees(a.data_type(), b.data_type()),
        (DataType::Map(..), DataType::Map(..)) => true,
        (a, b) => a == b,
    }
}

/// `DataTypes.X`, `DataTypes.createDecimalType(p, s)`, `DataTypes.createArrayType(…)` as a column type.
fn declared_type(n: Node, source: &SourceFile) -> Option<DataType> {
    let source_text = &source.text;
    let last = |n: Node| text(n, source_text).rsplit('.').next().unwrap_or_default().to_owned();
    let class = match n.kind() {
        "field_access" | "identifier" => last(n),
        "method_invocation" => {
            let name = field(n, "name").map(|x| text(x, source_text).to_owned())?;
            let args = field(n, "arguments").map(kids).unwrap_or_default();
            return match (name.as_str(), &args[..]) {
                ("createDecimalType", [p, s]) => Some(DataType::Decimal128(
                    text(*p, source_text).parse().ok()?,
                    text(*s, source_text).parse().ok()?,
                )),
                ("createDecimalType", []) => Some(DataType::Decimal128(10, 0)),
                ("createArrayType", [elem, ..]) => {
                    let elem = declared_type(*elem, source)?;
                    let field = arrow::datatypes::Field::new("item", elem, true);
                    Some(DataType::List(std::sync::Arc::new(field)))
                }
                _ => None,
            };
        }
        _ => return None,
    };
    let named = |ty: Ty| data_type(&ty, &[]);
    match class.as_str() {
        "StringType" => named(Ty::String),
        "IntegerType" => named(Ty::INT),
        "LongType" => named(Ty::LONG),
        "DoubleType" => named(Ty::DOUBLE),
        "FloatType" => named(Ty::FLOAT),
        "ShortType" => Some(DataType::Int16),
        "ByteType" => Some(DataType::Int8),
        "BooleanType" => named(Ty::BOOLEAN),
        "BinaryType" => Some(DataType::Binary),
        "DateType" => named(Ty::Class("Date".into())),
        "TimestampType" => named(Ty::Class("Timestamp".into())),
        _ => None,
    }
}

/// Whether a type name is that of a functional interface of Spark: `UDF0` to `UDF22`.
pub(super) fn udf_arity(name: &str) -> Option<usize> {
    let n = name.strip_prefix("UDF")?.parse::<usize>().ok().filter(|n| *n <= 22)?;
    functional(name, &[]).map(|_| n)
}
