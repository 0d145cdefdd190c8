use super::*;
use crate::lang::pretty;

fn scala(text: &str) -> SourceFile {
    SourceFile::from_text("T.scala", Language::Scala, text)
}

fn names(text: &str) -> Vec<String> {
    find(&scala(text)).udfs.into_iter().map(|u| u.name).collect()
}

/// The typed program of the only UDF, printed; or its refusal.
fn typed(text: &str) -> String {
    let source = scala(text);
    let found = find(&source);
    assert_eq!(
        found.udfs.len(),
        1,
        "{:?}",
        found.udfs.iter().map(|u| &u.name).collect::<Vec<_>>()
    );
    match &found.udfs[0].program {
        Ok(p) => pretty(p).trim_end().to_owned(),
        Err(r) => format!("refused at `{}`: {}", source.slice(r.span), r.reason),
    }
}

/// Types one expression as the body of a lambda.
fn body(params: &str, expr: &str) -> String {
    let text = typed(&format!("object O {{ val f = udf(({params}) => {expr}) }}"));
    match text.split_once("): ") {
        Some((_, rest)) if !text.starts_with("refused") => rest.to_owned(),
        _ => text,
    }
}

#[test]
fn every_form_is_found_under_its_name() {
    let text = r#"
        class A extends Function1[Int, Int] { def apply(x: Int): Int = x + 1 }
        class B extends ((Int, Int) => Int) with Serializable { override def apply(a: Int, b: Int) = a + b }
        object C extends UDF1[Integer, Integer] { override def call(x: Integer): Integer = x }
        object O {
          // val no = udf((x: Int) => x)
          val text = "udf((x: Int) => x)"
          val d: UserDefinedFunction = udf((x: Int) => x + 1)
          val e = udf { (x: Int) => x + 1 }
          val f = udf[Int, Int](_ + 1)
          val g = functions.udf((x: Int) => x)
          def h(x: Int): Int = x
          val hUdf = udf(h _)
          def i(x: Int): Int = x
          def iUdf = udf(i)
          val j: Int => Int = x => x + 1
          val k = (x: Int) => x * 2
          val l = udf(P.m _)
          def main(args: Array[String]): Unit = {
            spark.udf.register("n", (x: Int) => x)
            spark.udf.register("o", P.q _)
            spark.udf.register("r", hUdf)
            spark.udf.register("s", udf((x: Int) => x))
            val t = udf((x: Int) => x).asNondeterministic()
          }
        }
        object P { def m(x: Int): Int = x; def q(x: Int): Int = x }
    "#;
    let mut found = names(text);
    found.sort();
    assert_eq!(
        found,
        [
            "A", "B", "C", "d", "e", "f", "g", "h", "i", "j", "k", "m", "n", "o", "s", "t"
        ]
    );
    let source = scala(text);
    let all = find(&source);
    assert_eq!(all.by_name("r").map(|u| u.name.as_str()), Some("h"));
    assert_eq!(all.by_name("iUdf").map(|u| u.name.as_str()), Some("i"));
    for u in &all.udfs {
        assert!(u.program.is_ok(), "{}: {:?}", u.name, u.program.as_ref().err());
    }
}

#[test]
fn arithmetic_follows_the_promotion_of_the_jvm() {
    assert_eq!(
        body("a: Byte, b: Byte", "a + b"),
        "Int = Add.Int(Byte2Int(a0), Byte2Int(b1))"
    );
    assert_eq!(body("a: Int, b: Long", "a * b"), "Long = Mul.Long(Int2Long(a0), b1)");
    assert_eq!(body("a: Long, b: Int", "a << b"), "Long = Shl.Long(a0, b1)");
    assert_eq!(
        body("a: Double", "a * 9 / 5 + 32"),
        "Double = Add.Double(Div.Double(Mul.Double(a0, 9.0), 5.0), 32.0)"
    );
    assert_eq!(
        body("a: Int", "if (a > 0) a else 0.5"),
        "Double = if (Gt.Int(a0, 0)) Int2Double(a0) else 0.5"
    );
    assert_eq!(body("a: Int", "-a"), "Int = -a0");
    assert_eq!(body("a: Int", "a.toLong + 1"), "Long = Add.Long(Int2Long(a0), 1L)");
    assert_eq!(body("a: Integer", "a + 1"), "Int = Add.Int(unboxInt(a0), 1)");
    assert_eq!(body("s: String", "s + 1 + 'c'"), "String = concat(s0, 1, 'c')");
    assert_eq!(body("a: Integer", "a == null"), "Boolean = (a0 == null)");
    assert_eq!(body("a: Int", "(a: Any) == 3"), "Boolean = (boxInt(a0) == boxInt(3))");
}

#[test]
fn branches_without_a_common_type_are_any() {
    let source = scala("object O { val f = udf((a: Int) => if (a > 0) null else 1) }");
    let found = find(&source);
    assert_eq!(found.udfs[0].returns, Ty::Any);
    assert_eq!(found.udfs[0].return_type, None);
}

#[test]
fn statements_and_local_functions() {
    assert_eq!(
        body("n: Int", "{ var i = 0; while (i < n) { i += 1 }; i }"),
        "Int = {let i1 = 0; while (Lt.Int(i1, n0)) {i1 = Add.Int(i1, 1)}; i1}"
    );
    let text =
        typed("object O { val f = udf((n: Int) => { def g(k: Int): Int = if (k <= 0) n else g(k - 1); g(n) }) }");
    assert!(
        text.contains("def g(k: Int): Int = if (Le.Int(k0, 0)) n1 else g(Sub.Int(k0, 1))"),
        "{text}"
    );
}

#[test]
fn what_depends_on_the_outside_is_refused() {
    let text = "object O { var k = 1; val f = udf((x: Int) => x + k) }";
    assert!(
        typed(text).starts_with("refused at `k`: `k` is a `var`"),
        "{}",
        typed(text)
    );
    let text = "class O(k: Int) { val f = udf((x: Int) => x + k) }";
    assert!(typed(text).contains("constructor parameter of `O`"), "{}", typed(text));
    let text = "object O { def main(k: Int) = { val f = udf((x: Int) => x + k) } }";
    assert!(
        typed(text).contains("parameter of the enclosing method `main`"),
        "{}",
        typed(text)
    );
}

#[test]
fn a_broken_file_still_yields_the_udfs_that_parse() {
    let text = "object O {\n val a = udf((x: Int) => x + 1)\n def broken( = {{ ]\n val b = udf((x: Int) => x * 2)\n}\n";
    let found = find(&scala(text));
    assert!(found.udfs.iter().any(|u| u.name == "a" && u.program.is_ok()));
    assert!(found.udfs.iter().any(|u| u.name == "b"));
    assert!(!found.refused.is_empty());
}

#[derive(serde::Deserialize)]
struct Line {
    file: String,
    language: String,
    udf: String,
    kind: String,
    args: Vec<Arg>,
}

#[derive(serde::Deserialize)]
struct Arg {
    #[serde(rename = "type")]
    ty: String,
}

#[test]
fn the_corpus_is_found_and_typed() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus/");
    let manifest = std::fs::read_to_string(format!("{root}manifest.jsonl")).unwrap();
    let mut refused = Vec::new();
    for line in manifest.lines() {
        let line: Line = serde_json::from_str(line).unwrap();
        if line.language != "scala" || line.kind == "aggregator" {
            continue;
        }
        let source = SourceFile::read(format!("{root}{}", line.file).as_ref()).unwrap();
        let found = find(&source);
        let u = found
            .udfs
            .iter()
            .find(|u| u.name == line.udf)
            .unwrap_or_else(|| panic!("{} in {}", line.udf, line.file));
        assert_eq!(u.params.len(), line.args.len(), "{}", line.udf);
        for (p, a) in u.params.iter().zip(&line.args) {
            if let Some(want) = arrow_type(&a.ty) {
                assert_eq!(p.data_type.as_ref(), Some(&want), "{}.{}", line.udf, p.name);
            }
        }
        if let Err(r) = &u.program {
            refused.push(format!("{}: `{}`: {}", line.udf, source.slice(r.span), r.reason));
        }
        if std::env::var("SHOW").is_ok_and(|s| s == line.udf || s == "all") {
            match &u.program {
                Ok(p) => println!("{}", pretty(p)),
                Err(e) => println!("{e:?}"),
            }
        }
    }
    assert!(refused.is_empty(), "{} refused\n{}", refused.len(), refused.join("\n"));
}

fn arrow_type(name: &str) -> Option<DataType> {
    Some(match name {
        "int" => DataType::Int32,
        "bigint" => DataType::Int64,
        "double" => DataType::Float64,
        "float" => DataType::Float32,
        "string" => DataType::Utf8,
        "boolean" => DataType::Boolean,
        "binary" => DataType::Binary,
        "date" => DataType::Date32,
        "timestamp" => DataType::Timestamp(arrow::datatypes::TimeUnit::Microsecond, Some("UTC".into())),
        _ => return None,
    })
}

/// Types of scalac and ours in one notation. Kinds of sequences that `Ty` does not tell apart are made equal.
fn normal(ty: &str) -> String {
    let mut t = ty.replace(' ', "");
    for package in [
        "scala.collection.immutable.",
        "scala.collection.",
        "scala.math.",
        "java.lang.",
        "java.sql.",
        "java.math.",
        "scala.util.",
    ] {
        t = t.replace(package, "");
    }
    for (from, to) in [
        ("IndexedSeq[", "Seq["),
        ("Vector[", "Seq["),
        ("Iterable[", "Seq["),
        ("AnyVal", "Any"),
        ("Some[", "Option["),
    ] {
        t = t.replace(from, to);
    }
    t
}

#[test]
fn types_are_those_of_scalac() {
    let table = include_str!("../../tests/data/scala/types.tsv");
    let (mut wrong, mut refused, mut count) = (Vec::new(), Vec::new(), 0);
    for line in table.lines().filter(|l| !l.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [params, expression, want] = fields[..] else {
            panic!("{line}")
        };
        count += 1;
        let source = scala(&format!(
            "object O {{ def f({params}) = {{ {expression} }}\n val u = udf(f _) }}"
        ));
        let found = find(&source);
        let udf = &found.udfs[0];
        match &udf.program {
            Ok(_) if normal(&udf.returns.to_string()) == normal(want) => {}
            Ok(p) => wrong.push(format!(
                "{params} | {expression}: {} for {want}\n    {}",
                udf.returns,
                pretty(p)
            )),
            Err(r) => refused.push(format!(
                "{params} | {expression}: `{}`: {}",
                source.slice(r.span),
                r.reason
            )),
        }
    }
    // What the library has no rows for; the list only ever shrinks.
    const NOT_COVERED: &[&str] = &[
        "Stream.from",
        "Ordering",
        "xs.view",
        "Seq.newBuilder",
        "Iterator.from",
        "Stream.iterate",
        "case class P",
        "TimeUnit",
    ];
    let unexpected: Vec<_> = refused
        .iter()
        .filter(|r| !NOT_COVERED.iter().any(|n| r.contains(n)))
        .collect();
    assert!(
        unexpected.is_empty(),
        "{} of {count} refused\n{refused:#?}",
        refused.len()
    );
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn nesting_without_end_is_refused() {
    let parens = format!(
        "object O {{ val f = udf((x: Int) => {}x{}) }}",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    let sum = format!("object O {{ val f = udf((x: Int) => x{}) }}", " + x".repeat(20_000));
    for text in [parens, sum] {
        let found = find(&scala(&text));
        assert!(found.udfs.iter().all(|u| u.program.is_err()));
    }
}

#[test]
fn state_between_rows_is_refused() {
    let text = "object O { val seen = scala.collection.mutable.Set[Int](); val f = udf((x: Int) => seen.add(x)) }";
    assert!(typed(text).contains("keeps state between rows"), "{}", typed(text));
    let text = "object O { val a = Array(0); val f = udf((x: Int) => { a(0) += x; a(0) }) }";
    assert!(typed(text).contains("a later row would see it"), "{}", typed(text));
    let text = "object O { val f = udf((x: Int) => x + System.currentTimeMillis()) }";
    assert!(
        typed(text).contains("gives another result on every run"),
        "{}",
        typed(text)
    );
    let text = "object O { val a = b + 1; val b = 2; val f = udf((x: Int) => x + a) }";
    assert!(typed(text).contains("before it is initialised"), "{}", typed(text));
}

#[test]
fn hostile_text_is_no_site_and_no_panic() {
    for text in [
        "",
        "udf(",
        "val f = udf(",
        "udf { (",
        "object O { val f = udf((x: Int) =>",
        "class A extends (",
        "=> => =>",
        "\u{0}udf\u{0}",
    ] {
        find(&scala(text));
    }
}
