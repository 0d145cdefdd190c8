//! Classes with the signatures of `ai.rapids.cudf` and `com.nvidia.spark` and without any content, made from the table of their
//! public API, so that a candidate can be compiled on a machine without the accelerator's jar. What uses a type that the table
//! does not list is left out. Nothing of them ever runs.

use std::collections::{BTreeMap, BTreeSet};

/// The table: class, kind, name, parameters, result.
const TABLE: &str = include_str!("../../../assets/cudf_api.tsv");

/// What candidates are compiled against where no jar of the accelerator is found, for the evidence.
pub const WHAT: &str = "signatures of ai.rapids.cudf 26.10 and com.nvidia.spark.RapidsUDF, without their code";

struct Row<'a> {
    class: &'a str,
    kind: &'a str,
    name: &'a str,
    params: &'a str,
    returns: &'a str,
}

/// Java files, each with its path from the root of the sources.
pub fn sources() -> Vec<(String, String)> {
    let rows: Vec<Row> = TABLE.lines().filter(|l| !l.starts_with('#')).map(row).collect();
    let known: BTreeSet<&str> = rows.iter().filter(|r| r.kind == "type").map(|r| r.class).collect();
    let top = known.iter().filter(|c| !c.contains('.'));
    top.map(|top| {
        let package = match top.starts_with("Rapids") {
            true => "com.nvidia.spark",
            false => "ai.rapids.cudf",
        };
        let mut text = format!("package {package};\nimport ai.rapids.cudf.*;\nimport java.util.*;\n");
        class(&mut text, top, &rows, &known);
        (format!("{}/{top}.java", package.replace('.', "/")), text)
    })
    .collect()
}

fn row(line: &str) -> Row<'_> {
    let mut cells = line.split('\t');
    let mut next = || cells.next().unwrap_or("");
    Row {
        class: next(),
        kind: next(),
        name: next(),
        params: next(),
        returns: next(),
    }
}

fn class(text: &mut String, name: &str, rows: &[Row], known: &BTreeSet<&str>) {
    let Some(declared) = rows.iter().find(|r| r.class == name && r.kind == "type") else {
        return;
    };
    let simple = name.rsplit('.').next().unwrap_or(name);
    let nested = if name.contains('.') { "static " } else { "" };
    let own: Vec<&Row> = rows.iter().filter(|r| r.class == name && r.kind != "type").collect();
    if declared.name == "enum" {
        let constants: Vec<&str> = own.iter().filter(|r| r.kind == "constant").map(|r| r.name).collect();
        text.push_str(&format!(
            "public {nested}enum {simple} {{ {} }}\n",
            constants.join(", ")
        ));
        return;
    }
    let interface = declared.name == "interface";
    let generic = if name == "CloseableArray" { "<T>" } else { "" };
    let word = declared.name.replace("final ", "");
    let parents = parents(declared, interface, known);
    text.push_str(&format!("public {nested}{word} {simple}{generic} {parents} {{\n"));
    if !interface && !own.iter().any(|r| r.kind == "new" && r.params.is_empty()) {
        text.push_str(&format!("{simple}() {{}}\n"));
    }
    for r in &own {
        member(text, r, simple, interface, known);
    }
    if parents.contains("AutoCloseable") && !own.iter().any(|r| r.name == "close" && r.params.is_empty()) {
        text.push_str("public void close() {}\n");
    }
    let prefix = format!("{name}.");
    for inner in known
        .iter()
        .filter(|c| c.strip_prefix(prefix.as_str()).is_some_and(|r| !r.contains('.')))
    {
        class(text, inner, rows, known);
    }
    text.push_str("}\n");
}

fn parents(declared: &Row, interface: bool, known: &BTreeSet<&str>) -> String {
    let usable = |t: &&str| types_are_known(t, known);
    let (extends, implements) = match declared.params.split_once("implements ") {
        Some((e, i)) => (e.trim(), i),
        None => (declared.params, ""),
    };
    let implements: Vec<&str> = implements
        .split(',')
        .map(str::trim)
        .filter(|t| !t.is_empty())
        .filter(usable)
        .collect();
    let mut out = String::new();
    if !extends.is_empty() && usable(&extends) {
        out.push_str(&format!("extends {extends} "));
    }
    if !implements.is_empty() {
        let word = if interface { "extends" } else { "implements" };
        out.push_str(&format!("{word} {}", implements.join(", ")));
    }
    out
}

fn member(text: &mut String, r: &Row, simple: &str, interface: bool, known: &BTreeSet<&str>) {
    let params: Vec<(&str, &str)> = split(r.params).into_iter().filter_map(|p| p.split_once(": ")).collect();
    if !params.iter().all(|(_, t)| types_are_known(t, known)) || !types_are_known(r.returns, known) {
        return;
    }
    let list: Vec<String> = params
        .iter()
        .enumerate()
        .map(|(i, (_, t))| format!("{t} p{i}"))
        .collect();
    let list = list.join(", ");
    let variable = if uses_variable(r.params) || uses_variable(r.returns) {
        "<T> "
    } else {
        ""
    };
    let body = "{ throw new UnsupportedOperationException(); }";
    let returns = if r.returns.is_empty() { "void" } else { r.returns };
    let line = match r.kind {
        "new" => format!("public {simple}({list}) {{}}"),
        "static" => format!("public static {variable}{returns} {}({list}) {body}", r.name),
        "method" if interface => format!("default {variable}{returns} {}({list}) {body}", r.name),
        "method" => format!("public {variable}{returns} {}({list}) {body}", r.name),
        "field" | "constant" => {
            let zero = BTreeMap::from([
                ("boolean", "false"),
                ("byte", "0"),
                ("short", "0"),
                ("int", "0"),
                ("long", "0"),
            ]);
            let value = zero.get(returns).copied().unwrap_or("null");
            format!("public static final {returns} {} = {value};", r.name)
        }
        _ => return,
    };
    text.push_str(&line);
    text.push('\n');
}

/// The parameters of a list; commas inside of angle brackets do not count.
fn split(params: &str) -> Vec<&str> {
    let (mut depth, mut from, mut out) = (0, 0, Vec::new());
    for (i, c) in params.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                out.push(params[from..i].trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    out.push(params[from..].trim());
    out.retain(|p| !p.is_empty());
    out
}

fn words(ty: &str) -> impl Iterator<Item = &str> {
    ty.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '_')
        .map(|w| w.trim_matches('.'))
        .filter(|w| !w.is_empty())
}

fn uses_variable(ty: &str) -> bool {
    words(ty).any(|w| w == "T")
}

fn types_are_known(ty: &str, known: &BTreeSet<&str>) -> bool {
    const OTHERS: [&str; 33] = [
        "boolean",
        "byte",
        "short",
        "int",
        "long",
        "float",
        "double",
        "char",
        "void",
        "String",
        "Object",
        "Boolean",
        "Byte",
        "Short",
        "Integer",
        "Long",
        "Float",
        "Double",
        "Number",
        "T",
        "List",
        "Map",
        "Set",
        "Iterator",
        "Iterable",
        "Optional",
        "AutoCloseable",
        "RuntimeException",
        "Throwable",
        "BigDecimal",
        "Comparable",
        "extends",
        "EnumSet",
    ];
    words(ty).all(|w| {
        known.contains(w)
            || OTHERS.contains(&w) && w != "BigDecimal"
            || w.starts_with("java.")
            || w.starts_with("org.apache.spark.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interface_and_its_columns_are_there() {
        let sources = sources();
        let file = |path: &str| &sources.iter().find(|(p, _)| p == path).unwrap().1;
        assert!(file("com/nvidia/spark/RapidsUDF.java").contains("evaluateColumnar(int p0, ColumnVector... p1)"));
        let column = file("ai/rapids/cudf/ColumnVector.java");
        assert!(column.contains("class ColumnVector extends ColumnView"), "{column}");
        assert_eq!(column.matches('{').count(), column.matches('}').count());
    }
}
