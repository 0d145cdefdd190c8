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

/// A UDF without what is set on it afterwards: `u.asNondeterministic()`, `u.withName("x")`.
pub(super) fn without_settings<'t>(n: Node<'t>, source: &str) -> Node<'t> {
    let mut at = literal_of(n);
    loop {
        let select = match at.kind() {
            "call_expression" => field(at, "function"),
            _ => Some(at),
        };
        let set = select.filter(|s| s.kind() == "field_expression").filter(|s| {
            field(*s, "field")
                .is_some_and(|f| matches!(text(f, source), "asNondeterministic" | "asNonNullable" | "withName"))
        });
        match set.and_then(|s| field(s, "value")) {
            Some(value) => at = literal_of(value),
            None => return at,
        }
    }
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

/// What kind of UDF a supertype makes of a class; with the number of parameters, where the name tells it.
pub(super) enum Base {
    Function(Option<usize>),
    JavaUdf(Option<usize>),
    Aggregator,
    Hive,
    Other,
}

impl Base {
    /// By the path of a type that is not of this file.
    pub(super) fn of_path(path: &str) -> Base {
        let name = path.rsplit('.').next().unwrap_or_default();
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
}
