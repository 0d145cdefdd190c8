//! The Java class around the calls. In: a Java original, its UDF and the calls; out: a whole Java file that keeps the original's row
//! function and adds `evaluateColumnar`, with the span map. What is made is closed by one `try` with resources.

use std::fmt::Write as _;

use super::class::{class_name, dedented, indented, param_name};
use super::emit::Body;
use crate::find::Udf;
use crate::lang::ty::{SeqKind, Ty};
use crate::source::{Refusal, SourceFile, Span, Understood};

/// The whole file and its span map.
pub fn text(source: &SourceFile, udf: &Udf, body: &Body) -> Understood<(String, Vec<(Span, Span)>)> {
    let mut out = String::from("import ai.rapids.cudf.*;\nimport com.nvidia.spark.RapidsUDF;\n");
    if body.regex {
        out.push_str("import java.util.EnumSet;\n");
    }
    let whole = source.slice(udf.span);
    let is_class = declares_class(whole);
    if !is_class {
        let _ = writeln!(out, "import org.apache.spark.sql.api.java.UDF{};", udf.params.len());
    }
    for line in imports(source) {
        if !out.contains(line) {
            let _ = writeln!(out, "{line}");
        }
    }
    let name = class_name(&udf.name);
    let helpers = helpers(source, udf);
    if is_class {
        class_with(&mut out, &name, whole, &helpers, udf)?;
    } else {
        row_class(&mut out, source, udf, &name, &helpers)?;
    }
    let mut map = Vec::new();
    columnar(&mut out, &mut map, body);
    out.push_str("}\n");
    Ok((out, map))
}

/// Whether a definition is a class of its own.
fn declares_class(text: &str) -> bool {
    let head = text.split('{').next().unwrap_or_default();
    head.split_whitespace().any(|w| w == "class")
}

/// Imports of the JDK, of Scala, Spark and Hive; what else the file imports is not needed by the row function.
fn imports(source: &SourceFile) -> Vec<&str> {
    let known = ["java.", "javax.", "scala.", "org.apache.spark.", "org.apache.hadoop."];
    source
        .text
        .lines()
        .map(str::trim)
        .filter(|l| {
            let path = l
                .strip_prefix("import ")
                .map(|p| p.trim_start_matches("static ").trim_start());
            path.is_some_and(|p| known.iter().any(|k| p.starts_with(k)))
        })
        .collect()
}

/// Constants, methods and classes outside of the definition that the row function needs.
fn helpers(source: &SourceFile, udf: &Udf) -> Vec<String> {
    let mut spans: Vec<Span> = udf
        .needs
        .iter()
        .copied()
        .filter(|s| !s.contains(udf.body) && !udf.span.contains(*s))
        .filter(|s| !source.slice(*s).trim_start().starts_with("import "))
        .collect();
    spans.sort();
    spans.dedup();
    let all = spans.clone();
    spans.retain(|s| !all.iter().any(|o| o != s && o.contains(*s)));
    spans.into_iter().map(|s| dedented(source, s)).collect()
}

/// The original class under the new name, with the interface added; left open at its end.
fn class_with(out: &mut String, name: &str, whole: &str, helpers: &[String], udf: &Udf) -> Understood<()> {
    let refuse = || Refusal::new(udf.span, "the class cannot be written with another name");
    let at = whole.find("class ").ok_or_else(refuse)?;
    let open = at + whole[at..].find('{').ok_or_else(refuse)?;
    let header = whole[at + "class ".len()..open].trim();
    let (own, rest) = header.split_once(char::is_whitespace).unwrap_or((header, ""));
    let joined = if rest.contains("implements ") {
        format!("{}, RapidsUDF", rest.trim())
    } else {
        format!("{} implements RapidsUDF", rest.trim())
    };
    let _ = writeln!(out, "\npublic class {name} {} {{", joined.trim());
    let inside = whole[open + 1..].trim_end().strip_suffix('}').ok_or_else(refuse)?;
    let inside = renamed(inside.trim_end(), own, name);
    out.push_str(&inside);
    out.push('\n');
    for helper in helpers {
        let _ = writeln!(out, "\n{}", indented(helper, 2));
    }
    Ok(())
}

/// Text with a name replaced where it stands alone.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let alone = !rest[..at].ends_with(part) && !rest[at + from.len()..].starts_with(part);
        out.push_str(&rest[..at]);
        out.push_str(if alone { to } else { from });
        rest = &rest[at + from.len()..];
    }
    out.push_str(rest);
    out
}

/// A class around a lambda or a method; left open at its end.
fn row_class(out: &mut String, source: &SourceFile, udf: &Udf, name: &str, helpers: &[String]) -> Understood<()> {
    let mut types = Vec::new();
    for p in &udf.params {
        types.push(java_type(&p.ty, udf.span)?);
    }
    let returns = java_type(&udf.returns, udf.span)?;
    let mut args = types.clone();
    args.push(returns.clone());
    let _ = writeln!(
        out,
        "\npublic class {name} implements UDF{}<{}>, RapidsUDF {{",
        types.len(),
        args.join(", ")
    );
    for helper in helpers {
        let _ = writeln!(out, "{}\n", indented(helper, 2));
    }
    let params: Vec<String> = udf
        .params
        .iter()
        .zip(&types)
        .map(|(p, t)| format!("{t} {}", p.name))
        .collect();
    let names: Vec<&str> = udf.params.iter().map(|p| p.name.as_str()).collect();
    let body = dedented(source, udf.body);
    let block = match (body.trim_start().starts_with('{'), body.rsplit_once("::")) {
        (true, _) => body,
        (false, Some((_, method))) if body.chars().all(|c| c.is_alphanumeric() || "_.:$".contains(c)) => {
            format!("{{\n  return {method}({});\n}}", names.join(", "))
        }
        _ => format!("{{\n  return {body};\n}}"),
    };
    let _ = writeln!(
        out,
        "  @Override\n  public {returns} call({}) throws Exception {}",
        params.join(", "),
        indented(&block, 2).trim_start()
    );
    Ok(())
}

/// A type as Java writes it.
fn java_type(ty: &Ty, at: Span) -> Understood<String> {
    Ok(match ty {
        Ty::Prim(p) | Ty::Boxed(p) => p.boxed_name().to_string(),
        Ty::String => "String".into(),
        Ty::JavaBigDecimal => "java.math.BigDecimal".into(),
        Ty::Class(name) => match name.as_str() {
            "Date" | "Timestamp" => format!("java.sql.{name}"),
            "LocalDate" | "Instant" => format!("java.time.{name}"),
            "Row" => "org.apache.spark.sql.Row".into(),
            _ => return Err(Refusal::new(at, format!("a column of `{name}` in a Java class"))),
        },
        Ty::Seq(SeqKind::Seq, a) => format!("scala.collection.Seq<{}>", java_type(a, at)?),
        Ty::Array(a) if **a == Ty::Prim(crate::lang::ty::Prim::Byte) => "byte[]".into(),
        Ty::Map(k, v) => format!("scala.collection.Map<{}, {}>", java_type(k, at)?, java_type(v, at)?),
        other => return Err(Refusal::new(at, format!("a column of `{other}` in a Java class"))),
    })
}

/// A call as Java writes it: the calls differ only in arrays and narrow constants.
fn java_call(call: &str) -> String {
    let mut out = call.to_string();
    if let Some(at) = out.find("Array[ColumnView](") {
        let inner = &out[at + "Array[ColumnView](".len()..];
        let end = inner.find(')').unwrap_or(inner.len());
        out = format!(
            "{}new ColumnView[] {{{}}}{}",
            &out[..at],
            &inner[..end],
            &inner[(end + 1).min(inner.len())..]
        );
    }
    for (scala, java, head) in [
        (".toShort)", "(short) ", "fromShort("),
        (".toByte)", "(byte) ", "fromByte("),
    ] {
        if let (Some(at), Some(end)) = (out.find(head), out.find(scala)) {
            let start = at + head.len();
            out = format!(
                "{}{java}{}){}",
                &out[..start],
                &out[start..end],
                &out[end + scala.len()..]
            );
        }
    }
    out
}

/// The class of what a call makes.
fn class_of(call: &str) -> &'static str {
    if call.starts_with("Scalar.") {
        "Scalar"
    } else if call.contains(".extractRe(") {
        "Table"
    } else {
        "ColumnVector"
    }
}

fn columnar(out: &mut String, map: &mut Vec<(Span, Span)>, body: &Body) {
    out.push_str("\n  @Override\n  public ColumnVector evaluateColumnar(int numRows, ColumnVector... args) {\n");
    for (i, name) in body.params.iter().enumerate() {
        let _ = writeln!(out, "    ColumnVector {} = args[{i}];", param_name(name));
    }
    let last = body.statements.len();
    for (i, s) in body.statements.iter().enumerate() {
        out.push_str(if i == 0 { "    try (" } else { "        " });
        let start = out.len();
        let call = java_call(&s.call);
        let _ = write!(out, "{} {} = {call}", class_of(&s.call), s.name);
        map.push((s.span, Span::new(start, out.len())));
        out.push_str(if i + 1 == last { ") {\n" } else { ";\n" });
    }
    out.push_str(if last > 0 { "      " } else { "    " });
    let start = out.len();
    let _ = write!(out, "return {};", java_call(&body.result.0));
    map.push((body.result.1, Span::new(start, out.len())));
    out.push_str(if last > 0 { "\n    }\n  }\n" } else { "\n  }\n" });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_written_as_java_writes_them() {
        assert_eq!(
            java_call("ColumnVector.stringConcatenate(Array[ColumnView](a, b))"),
            "ColumnVector.stringConcatenate(new ColumnView[] {a, b})"
        );
        assert_eq!(
            java_call("Scalar.fromShort(-5.toShort)"),
            "Scalar.fromShort((short) -5)"
        );
    }

    #[test]
    fn a_name_is_replaced_where_it_stands_alone() {
        assert_eq!(renamed("Ab.x(AbC, Ab)", "Ab", "Z"), "Z.x(AbC, Z)");
    }
}
