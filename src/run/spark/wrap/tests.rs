use super::*;
use crate::find::find;
use crate::source::{Language, SourceFile};

fn whole_of(text: &str, name: &str) -> Option<Wrapped> {
    let source = SourceFile::from_text("F.scala", Language::Scala, text);
    let found = find(&source);
    whole(&source, found.by_name(name).unwrap()).unwrap()
}

fn extracted_of(text: &str, name: &str) -> String {
    let source = SourceFile::from_text("F.scala", Language::Scala, text);
    let found = find(&source);
    extracted(&source, found.by_name(name).unwrap(), &[]).unwrap().text
}

#[test]
fn a_lambda_in_a_method_is_written_again_with_the_locals_it_uses() {
    let text = "package a\nobject Job {\n  def main(args: Array[String]): Unit = {\n    val factor = 3\n    val other = args(0)\n    spark.udf.register(\"f\", (x: Int) => x * factor)\n  }\n}\n";
    let wrapped = whole_of(text, "f").unwrap();
    let hook = wrapped.text.split("def rewright__entry").nth(1).unwrap();
    assert!(hook.contains("val factor = 3") && !hook.contains("args(0)"), "{hook}");
    assert!(hook.contains("functions.udf((x: Int) => x * factor)"), "{hook}");
    assert!(
        wrapped
            .text
            .ends_with("object Rewright__Entry { def apply(): _root_.scala.Any = Job.rewright__entry() }\n")
    );
    let at = wrapped.text.rfind("x * factor").unwrap();
    assert_eq!(wrapped.original(at), text.find("x * factor"));
}

#[test]
fn members_are_used_as_they_stand() {
    let text = "import org.apache.spark.sql.functions.udf\nclass Tools extends Serializable {\n  val twice = udf((x: Int) => x * 2)\n}\n";
    let wrapped = whole_of(text, "twice").unwrap();
    assert!(
        wrapped
            .text
            .contains("def rewright__entry(): _root_.scala.Any = { twice }")
    );
    assert!(
        wrapped.text.contains("= (new Tools()).rewright__entry()"),
        "{}",
        wrapped.text
    );
}

#[test]
fn what_runs_only_in_main_is_not_reached_through_its_object() {
    let text = "object Job extends App {\n  val rate = 0.5\n  val half = udf((x: Double) => x * rate)\n}\n";
    assert!(whole_of(text, "half").is_none());
    let alone = extracted_of(text, "half");
    assert!(alone.contains("val rate = 0.5"), "{alone}");
    let line = |t: &str| t[..t.find("val half").unwrap()].matches('\n').count();
    assert_eq!(line(&alone), line(text));
}

#[test]
fn an_extract_leaves_out_what_is_not_used() {
    let text = "package p\nimport missing.Thing\nobject O {\n  val unused = Thing.x\n  val used = 2; def f(x: Int): Int = x * used\n  val u = udf(f _)\n}\n";
    let alone = extracted_of(text, "f");
    assert!(alone.starts_with("package p; object Rewright__Entry { "), "{alone}");
    assert!(!alone.contains("unused") && alone.contains("val used = 2"), "{alone}");
}

fn java_of(text: &str, name: &str) -> Ways {
    let source = SourceFile::from_text("F.java", Language::Java, text);
    let found = find(&source);
    java(
        &source,
        found.by_name(name).unwrap_or_else(|| panic!("{:?}", found.refused)),
    )
    .unwrap()
}

const RUNNABLE: &str = "import org.apache.spark.sql.*;\nimport org.apache.spark.sql.api.java.UDF1;\nimport org.apache.spark.sql.types.DataTypes;\n\
public class Job {\n  static Runnable job(SparkSession spark) {\n    int factor = 3;\n    return new Runnable() {\n\
      private final int step = 4;\n      public void run() {\n\
        spark.udf().register(\"f\", (UDF1<Integer, Integer>) x -> x * factor + step, DataTypes.IntegerType);\n      }\n    };\n  }\n}\n";

#[test]
fn an_anonymous_class_is_written_again_with_what_the_udf_uses_of_it() {
    let ways = java_of(RUNNABLE, "f");
    // Written whole it would need `spark`, which only the caller of `job` has.
    assert_eq!(ways.texts.len(), 2, "{ways:?}");
    let text = &ways.texts[0].text;
    let hook = text.split_once("public static Object rewright__entry()").unwrap().1;
    for part in [
        "int factor = 3;",
        "return (new Runnable() {",
        "private final int step = 4;",
        "public void run() { throw new UnsupportedOperationException(); }",
        "return Rewright__Entry.as((UDF1<Integer, Integer>) x -> x * factor + step);",
        "}).rewright__entry();",
    ] {
        assert!(hook.contains(part), "{part}: {hook}");
    }
    let at = text.rfind("x * factor").unwrap();
    assert_eq!(ways.texts[0].original(at), RUNNABLE.find("x * factor"));
}

#[test]
fn what_only_a_caller_or_a_maker_knows_is_named() {
    let used = RUNNABLE.replace("* factor", "* spark.hashCode()");
    let ways = java_of(&used, "f");
    assert!(ways.texts.is_empty(), "{ways:?}");
    assert!(ways.unknown.unwrap().contains("`spark`, a parameter of `job`"));

    let made = "import org.apache.spark.sql.api.java.UDF1;\npublic class Scale implements UDF1<Integer, Integer> {\n  private final int by;\n  \
                public Scale(int by) { this.by = by; }\n  public Integer call(Integer x) { return x * by; }\n}\n";
    let ways = java_of(made, "Scale");
    assert!(ways.texts.is_empty() && ways.unknown.unwrap().contains("`Scale` is made with `by`"));
    let also = made.replace("  public Integer", "  public Scale() { this(3); }\n  public Integer");
    assert!(java_of(&also, "Scale").unknown.is_none());
}

#[test]
fn a_local_class_goes_with_what_uses_it() {
    let text = "import org.apache.spark.sql.*;\nimport org.apache.spark.sql.api.java.UDF1;\nimport org.apache.spark.sql.types.DataTypes;\n\
                public class Job {\n  static void register(SparkSession spark) {\n    final int k = 2;\n    \
                class Twice implements UDF1<Integer, Integer> { public Integer call(Integer x) { return x * k; } }\n    \
                spark.udf().register(\"twice\", new Twice(), DataTypes.IntegerType);\n  }\n}\n";
    let ways = java_of(text, "twice");
    let hook = ways.texts[0]
        .text
        .split_once("public static Object rewright__entry()")
        .unwrap()
        .1;
    let (k, class) = (
        hook.find("final int k = 2;").unwrap(),
        hook.find("class Twice").unwrap(),
    );
    assert!(k < class && hook.contains("return new Twice();"), "{hook}");
}

#[test]
fn a_scala_function_that_needs_a_callers_value_is_refused_though_something_else_has_the_name() {
    let text = "object Job {\n  val k = 5\n  def make(k: Int) = {\n    val double = k * 2\n    udf((x: Int) => x + double)\n  }\n  \
                def named(s: String) = udf((s: String) => s.trim)\n}\n";
    let source = SourceFile::from_text("F.scala", Language::Scala, text);
    let found = find(&source);
    for udf in &found.udfs {
        let made = whole(&source, udf);
        match text[udf.span.range()].contains("double") {
            true => assert!(made.unwrap_err().to_string().contains("`k`, a parameter of `make`")),
            false => assert!(made.is_ok(), "{}", made.unwrap_err()),
        }
    }
    let class = "class Tools(val rate: Int) {\n  val scaled = udf((x: Int) => x * rate)\n  val plain = udf((x: Int) => x + 1)\n}\n";
    let source = SourceFile::from_text("F.scala", Language::Scala, class);
    let found = find(&source);
    let scaled = whole(&source, found.by_name("scaled").unwrap())
        .unwrap_err()
        .to_string();
    assert!(scaled.contains("`Tools` is made with `rate`"), "{scaled}");
    let plain = found.by_name("plain").unwrap();
    assert!(whole(&source, plain).unwrap().is_none() && extracted(&source, plain, &[]).is_ok());
}
