//! The class around the calls: imports, the row function for the CPU, and `evaluateColumnar`.

use std::fmt::Write as _;

use super::emit::Body;
use crate::find::Udf;
use crate::lang::ty::Ty;
use crate::source::{Refusal, SourceFile, Span, Understood};

/// Names that the text uses itself.
const TAKEN: [&str; 6] = ["args", "numRows", "use", "open", "resource", "result"];

/// The local name of a parameter's column.
pub fn param_name(name: &str) -> String {
    let generated = name.len() > 1 && name.starts_with('c') && name[1..].bytes().all(|b| b.is_ascii_digit());
    if TAKEN.contains(&name) || generated || !is_plain(name) {
        let letters: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
        let sign = if letters.starts_with(char::is_numeric) { "_" } else { "" };
        format!("{sign}{letters}Column")
    } else {
        name.to_string()
    }
}

/// Whether Scala takes a name without backticks.
fn is_plain(name: &str) -> bool {
    let letters = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    name.starts_with(|c: char| letters(c) && !c.is_numeric()) && name.chars().all(letters) && !KEYWORDS.contains(&name)
}

/// A name as Scala writes it.
fn scala_name(name: &str) -> String {
    match is_plain(name) {
        true => name.to_string(),
        false => format!("`{name}`"),
    }
}

/// Words that Scala 2.12 and 2.13 keep for themselves.
const KEYWORDS: [&str; 40] = [
    "abstract",
    "case",
    "catch",
    "class",
    "def",
    "do",
    "else",
    "extends",
    "false",
    "final",
    "finally",
    "for",
    "forSome",
    "if",
    "implicit",
    "import",
    "lazy",
    "macro",
    "match",
    "new",
    "null",
    "object",
    "override",
    "package",
    "private",
    "protected",
    "return",
    "sealed",
    "super",
    "this",
    "throw",
    "trait",
    "try",
    "true",
    "type",
    "val",
    "var",
    "while",
    "with",
    "yield",
];

/// Text as a Scala literal.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 || c == '\u{7f}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The whole file and its span map.
pub fn text(source: &SourceFile, udf: &Udf, body: &Body) -> Understood<(String, Vec<(Span, Span)>)> {
    let mut out = String::new();
    let mut map = Vec::new();
    let (imports, helpers) = needs(source, udf);
    out.push_str("import ai.rapids.cudf._\nimport com.nvidia.spark.RapidsUDF\n");
    if body.regex {
        out.push_str("import java.util.EnumSet\n");
    }
    out.push_str("import scala.collection.mutable.ArrayBuffer\n");
    for import in &imports {
        let _ = writeln!(out, "{import}");
    }
    let name = class_name(&udf.name);
    let types: Vec<String> = udf.params.iter().map(|p| scala_type(&p.ty)).collect();
    let returns = scala_type(&udf.returns);
    let head = if types.len() > 22 {
        return refuse(udf);
    } else {
        types.join(", ")
    };
    let comma = if types.is_empty() { "" } else { ", " };
    let _ = writeln!(
        out,
        "\nclass {name} extends Function{}[{head}{comma}{returns}] with RapidsUDF with Serializable {{",
        types.len()
    );
    for helper in &helpers {
        let _ = writeln!(out, "\n{}", indented(helper, 2));
    }
    row_function(&mut out, source, udf, &returns)?;
    columnar(&mut out, &mut map, body);
    out.push_str("}\n");
    Ok((out, map))
}

fn refuse<T>(udf: &Udf) -> Understood<T> {
    Err(Refusal::new(
        udf.span,
        "a function of more than 22 parameters has no class",
    ))
}

/// Imports and helper definitions that the row function needs, in the order of the source.
fn needs(source: &SourceFile, udf: &Udf) -> (Vec<String>, Vec<String>) {
    let mut spans = udf.needs.clone();
    spans.sort();
    spans.dedup();
    let (mut imports, mut helpers) = (Vec::new(), Vec::new());
    for span in spans {
        // A member of the function's own class stands outside of its body; the function itself does not count.
        if span.contains(udf.body) || udf.body.contains(span) {
            continue;
        }
        let text = source.slice(span).trim();
        if text.starts_with("import ") {
            if !text.contains("org.apache.spark.sql.functions") && !text.contains("SparkSession") {
                imports.push(text.to_string());
            }
        } else {
            helpers.push(dedented(source, span));
        }
    }
    (imports, helpers)
}

/// A definition without the indentation it has in the source.
pub(super) fn dedented(source: &SourceFile, span: Span) -> String {
    let text = source.slice(span);
    let line = source.line_of(span.start);
    let column = (span.start - source.line_start(line)) as usize;
    let lines = text.lines().enumerate().map(|(i, l)| {
        let cut = if i == 0 {
            0
        } else {
            l.bytes().take(column).take_while(|b| *b == b' ' || *b == b'\t').count()
        };
        &l[cut..]
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn indented(text: &str, by: usize) -> String {
    let pad = " ".repeat(by);
    let lines = text.lines().map(|l| {
        if l.is_empty() {
            String::new()
        } else {
            format!("{pad}{l}")
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// `apply`: the original body, run by Spark where there is no GPU.
fn row_function(out: &mut String, source: &SourceFile, udf: &Udf, returns: &str) -> Understood<()> {
    let params: Vec<String> = udf
        .params
        .iter()
        .map(|p| {
            // `name_:` would be one name.
            let apart = if p.name.ends_with('_') { " " } else { "" };
            format!("{}{apart}: {}", scala_name(&p.name), scala_type(&p.ty))
        })
        .collect();
    let body = dedented(source, udf.body);
    // `_ + _` stands for its parameters without naming them: such a text is a function, not the body of one.
    let placeholders = udf.params.iter().any(|p| p.name.starts_with('$'));
    let body = match placeholders {
        true => applied(udf, &body, returns),
        false => body,
    };
    let params = params.join(", ");
    if body.trim().is_empty() {
        return Err(Refusal::new(udf.span, "the text of the row function is not known"));
    }
    let _ = writeln!(
        out,
        "\n  override def apply({params}): {returns} =\n{}",
        indented(&body, 4)
    );
    Ok(())
}

/// A function text applied to the parameters.
fn applied(udf: &Udf, function: &str, returns: &str) -> String {
    let types: Vec<String> = udf.params.iter().map(|p| scala_type(&p.ty)).collect();
    let names: Vec<String> = udf.params.iter().map(|p| scala_name(&p.name)).collect();
    format!(
        "{{\n  val original: ({}) => {returns} = {}\n  original({})\n}}",
        types.join(", "),
        function.trim(),
        names.join(", ")
    )
}

/// `evaluateColumnar`: everything made is closed at the end, whatever happens; the result goes to the caller.
fn columnar(out: &mut String, map: &mut Vec<(Span, Span)>, body: &Body) {
    out.push_str("\n  override def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = {\n");
    out.push_str("    val open = ArrayBuffer.empty[AutoCloseable]\n");
    out.push_str("    def use[A <: AutoCloseable](resource: A): A = { open += resource; resource }\n");
    out.push_str("    try {\n");
    for (i, name) in body.params.iter().enumerate() {
        let _ = writeln!(out, "      val {} = args({i})", param_name(name));
    }
    for s in &body.statements {
        let start = out.len() + 6;
        let _ = write!(out, "      val {} = use({})", s.name, s.call);
        map.push((s.span, Span::new(start, out.len())));
        out.push('\n');
    }
    let start = out.len() + 6;
    let _ = write!(out, "      {}", body.result.0);
    map.push((body.result.1, Span::new(start, out.len())));
    out.push_str("\n    } finally open.reverse.foreach(_.close())\n  }\n");
}

/// `fooBar` as a class name.
pub(super) fn class_name(name: &str) -> String {
    let mut out = String::new();
    let mut upper = true;
    for c in name.chars() {
        if c.is_alphanumeric() {
            if upper {
                out.extend(c.to_uppercase());
            } else {
                out.push(c);
            }
            upper = false;
        } else {
            upper = true;
        }
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) || out.is_empty() {
        out.insert_str(0, "Udf");
    }
    format!("{out}Columnar")
}

/// A type as Scala writes it.
fn scala_type(ty: &Ty) -> String {
    match ty {
        Ty::Class(name) => match name.as_str() {
            "Date" | "Timestamp" => format!("java.sql.{name}"),
            "LocalDate" | "Instant" => format!("java.time.{name}"),
            _ => name.clone(),
        },
        Ty::Option(a) => format!("Option[{}]", scala_type(a)),
        Ty::Array(a) => format!("Array[{}]", scala_type(a)),
        Ty::Seq(k, a) => format!("{}[{}]", k.name(), scala_type(a)),
        Ty::Map(k, v) => format!("Map[{}, {}]", scala_type(k), scala_type(v)),
        Ty::Tuple(items) => format!("({})", items.iter().map(scala_type).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}
