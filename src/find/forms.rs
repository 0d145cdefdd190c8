//! Forms of syntax by which UDFs are known: supertypes of classes, literals, parameter lists. Pure questions about nodes.

use crate::lang::scala::{field, field_all, kids, text, unparen};
use tree_sitter::Node;

/// A function over tables or sessions is no row function.
pub(super) fn mentions_frame(val: Node, ty: Node, source: &str) -> bool {
    let head = if ty.kind() == "lambda_expression" {
        field(ty, "parameters").unwrap_or(val)
    } else {
        ty
    };
    let words = ["DataFrame", "Dataset", "Column", "SparkSession", "RDD", "SQLContext"];
    text(head, source)
        .split(|c: char| !c.is_alphanumeric())
        .any(|w| words.contains(&w))
}

pub(super) fn all_typed(lambda: Node) -> bool {
    let params: Vec<Node> = field_all(lambda, "parameters")
        .into_iter()
        .filter(|h| h.kind() == "bindings")
        .flat_map(kids)
        .collect();
    !params.is_empty() && params.iter().all(|p| field(*p, "type").is_some())
}

/// The literal inside of parentheses and of a block that holds nothing else.
pub(super) fn literal_of(n: Node) -> Node {
    let n = unparen(n);
    match kids(n)[..] {
        [only] if matches!(n.kind(), "block" | "indented_block") => literal_of(only),
        _ => n,
    }
}

pub(super) fn outer_call(n: Node) -> Option<Node> {
    n.parent().filter(|p| p.kind() == "call_expression")
}

pub(super) fn parameters(def: Node) -> Vec<Node> {
    field_all(def, "parameters")
        .into_iter()
        .filter(|p| p.kind() == "parameters")
        .flat_map(kids)
        .collect()
}

pub(super) fn parameter_count(def: Node) -> usize {
    parameters(def).len()
}

pub(super) enum Base {
    Function(Option<usize>),
    JavaUdf(Option<usize>),
    Aggregator,
    Hive,
    Other,
}

/// What kind of UDF a supertype makes of a class.
pub(super) fn base(ty: Node, source: &str) -> Base {
    match ty.kind() {
        "function_type" => Base::Function(field(ty, "parameter_types").map(|p| kids(p).len())),
        "tuple_type" | "parenthesized_expression" | "annotated_type" => match kids(ty)[..] {
            [only] => base(only, source),
            _ => Base::Other,
        },
        "compound_type" => {
            let first = kids(ty)
                .into_iter()
                .map(|k| base(k, source))
                .find(|b| !matches!(b, Base::Other));
            first.unwrap_or(Base::Other)
        }
        "generic_type" | "type_identifier" | "stable_type_identifier" => {
            let head = if ty.kind() == "generic_type" {
                field(ty, "type").unwrap_or(ty)
            } else {
                ty
            };
            let name = text(head, source).rsplit('.').next().unwrap_or_default();
            let digits = |prefix: &str| name.strip_prefix(prefix).and_then(|d| d.parse::<usize>().ok());
            if let Some(n) = digits("Function").or_else(|| digits("AbstractFunction")) {
                return Base::Function(Some(n));
            }
            if let Some(n) = digits("UDF") {
                return Base::JavaUdf(Some(n));
            }
            match name {
                "Aggregator" | "UserDefinedAggregateFunction" => Base::Aggregator,
                "UDF" | "GenericUDF" | "UDAF" => Base::Hive,
                _ => Base::Other,
            }
        }
        _ => Base::Other,
    }
}
