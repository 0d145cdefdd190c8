//! Classes with the signatures of `ai.rapids.cudf` and `com.nvidia.spark` and without any content, made from the table of their
//! public API. What uses a type that the table does not list is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use rewright::run::spark::Kit;

struct Row<'a> {
    class: &'a str,
    kind: &'a str,
    name: &'a str,
    params: &'a str,
    returns: &'a str,
}

/// Writes and compiles the classes into a folder.
pub fn compile(kit: &Kit, into: &Path) {
    let table = include_str!("../../assets/cudf_api.tsv");
    let rows: Vec<Row> = table.lines().filter(|l| !l.starts_with('#')).map(row).collect();
    let known: BTreeSet<&str> = rows.iter().filter(|r| r.kind == "type").map(|r| r.class).collect();
    let mut files = Vec::new();
    for top in known.iter().filter(|c| !c.contains('.')) {
        let package = if top.starts_with("Rapids") {
            "com.nvidia.spark"
        } else {
            "ai.rapids.cudf"
        };
        let mut text = format!("package {package};\nimport ai.rapids.cudf.*;\nimport java.util.*;\n");
        class(&mut text, top, &rows, &known);
        let folder = into.join(package.replace('.', "/"));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{top}.java"));
        std::fs::write(&file, text).unwrap();
        files.push(file);
    }
    let out = Command::new(kit.java.home.join("bin/javac"))
        .args(["-nowarn", "-proc:none", "-cp"])
        .arg(kit.spark.jars().join("*"))
        .arg("-d")
        .arg(into)
        .args(files)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{}", said.chars().take(4000).collect::<String>());
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
    let declared = rows.iter().find(|r| r.class == name && r.kind == "type").unwrap();
    let simple = name.rsplit('.').next().unwrap();
    let nested = if name.contains('.') { "static " } else { "" };
    let own: Vec<&Row> = rows.iter().filter(|r| r.class == name && r.kind != "type").collect();
    if declared.name == "enum" {
        let constants: Vec<&str> = own.iter().filter(|r| r.kind == "constant").map(|r| r.name).collect();
        writeln!(text, "public {nested}enum {simple} {{ {} }}", constants.join(", ")).unwrap();
        return;
    }
    let interface = declared.name == "interface";
    let generic = if name == "CloseableArray" { "<T>" } else { "" };
    let word = declared.name.replace("final ", "");
    writeln!(
        text,
        "public {nested}{word} {simple}{generic} {} {{",
        parents(declared, interface, known)
    )
    .unwrap();
    if !interface && !own.iter().any(|r| r.kind == "new" && r.params.is_empty()) {
        writeln!(text, "{simple}() {{}}").unwrap();
    }
    for r in &own {
        member(text, r, simple, interface, known);
    }
    if parents(declared, interface, known).contains("AutoCloseable")
        && !own.iter().any(|r| r.name == "close" && r.params.is_empty())
    {
        writeln!(text, "public void close() {{}}").unwrap();
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
        write!(out, "extends {extends} ").unwrap();
    }
    if !implements.is_empty() {
        let word = if interface { "extends" } else { "implements" };
        write!(out, "{word} {}", implements.join(", ")).unwrap();
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
    writeln!(text, "{line}").unwrap();
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
