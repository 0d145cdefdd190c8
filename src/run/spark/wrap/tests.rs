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
