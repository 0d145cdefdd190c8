//! Under which names UDFs are found, and what only looks like one. Types are those that scalac 2.12 reports for the sources.

use super::*;

fn scala(text: &str) -> Found {
    find(&SourceFile::from_text("T.scala", Language::Scala, text))
}

/// `name, other, … (A, B) => C` for each UDF; `: reason` where it is refused.
fn listed(text: &str) -> Vec<String> {
    let found = scala(text);
    let line = |u: &Udf| {
        let mut names = vec![u.name.clone()];
        names.extend(u.aliases.iter().cloned());
        let params: Vec<String> = u.params.iter().map(|p| p.ty.to_string()).collect();
        let signature = format!("({}) => {}", params.join(", "), u.returns);
        match &u.program {
            Ok(_) => format!("{} {signature}", names.join(", ")),
            Err(r) => format!("{}: {}", names.join(", "), r.reason),
        }
    };
    found.udfs.iter().map(line).collect()
}

fn no_udfs(text: &str) -> Vec<String> {
    scala(text).not_udfs.into_iter().map(|r| r.reason).collect()
}

#[test]
fn udf_is_known_under_the_names_that_imports_give_it() {
    let text = r#"
        import org.apache.spark.sql.functions.{udf => mkUdf}
        import org.apache.spark.sql.{functions => fn}
        import org.apache.spark.sql
        object O {
          val a = mkUdf((x: Int) => x + 1)
          val b = mkUdf[Int, String, Int]((s, n) => s.length + n)
          val c = fn.udf((s: String) => s.trim)
          val d = sql.functions.udf { (x: Long) => x % 3 }
          val e = org.apache.spark.sql.functions.udf((x: Double) => x / 2).asNondeterministic()
          def m() = { import org.apache.spark.sql.functions.{udf => u}; val f = u((x: Int) => -x); f }
        }
        object P {
          import org.apache.spark.sql.functions._
          val g = udf((x: Int) => x * 2)
          val h = u((x: Int) => x)
        }
    "#;
    assert_eq!(
        listed(text),
        [
            "a (Int) => Int",
            "b (String, Int) => Int",
            "c (String) => String",
            "d (Long) => Long",
            "e (Double) => Double",
            "f (Int) => Int",
            "g (Int) => Int",
        ]
    );
}

#[test]
fn another_udf_is_not_the_one_of_spark() {
    let text = r#"
        import com.acme.dsl.udf
        object O { val a = udf((x: Int) => x + 1) }
    "#;
    assert!(listed(text).is_empty());
    assert_eq!(no_udfs(text), ["this `udf` is not the one of Spark's `functions`"]);
    let text = "object O { def udf(f: Int => Int) = f(1); val a = udf((x: Int) => x + 1) }";
    assert!(listed(text).is_empty());
}

#[test]
fn types_and_helpers_may_be_renamed_by_imports() {
    let text = r#"
        import java.math.{BigDecimal => JBig}
        import org.apache.spark.sql.api.java.{UDF1 => JFun}
        import org.apache.spark.sql.functions.udf
        import java.lang.Math.{abs => magnitude}, java.lang.{Integer => JInt}
        object H { def twice(x: Int): Int = x * 2; case class P(a: Int) }
        object O {
          import H.{twice => double, P => Point}
          val a = udf((x: Int) => magnitude(double(x)))
          val b = udf((x: JBig) => if (x == null) null else x.negate)
          val c = udf((x: Int) => Point(x).a)
        }
        class D extends JFun[JInt, JInt] { override def call(x: JInt): JInt = x }
    "#;
    assert_eq!(
        listed(text),
        [
            "a (Int) => Int",
            "b (java.math.BigDecimal) => java.math.BigDecimal",
            "c (Int) => Int",
            "D (java.lang.Integer) => java.lang.Integer",
        ]
    );
}

#[test]
fn imports_reach_only_what_they_enclose() {
    let text = r#"
        import org.apache.spark.sql.functions.udf
        object A { def size(x: Int): Int = x + 1 }
        object B { def size(x: Int): Int = x + 2 }
        object U { import A.size; val a = udf((x: Int) => size(x)) }
        object V { import B.size; val b = udf((x: Int) => size(x)) }
    "#;
    let found = scala(text);
    let shown = |i: usize| crate::lang::pretty(found.udfs[i].program.as_ref().expect("typed"));
    assert!(shown(0).contains("Add.Int(x0, 1)"), "{}", shown(0));
    assert!(shown(1).contains("Add.Int(x0, 2)"), "{}", shown(1));
}

#[test]
fn every_name_of_a_udf_picks_it() {
    let text = r#"
        import org.apache.spark.sql.functions.udf
        class NormPhone extends (String => String) { def apply(p: String): String = p }
        case class Clean() extends (String => String) { def apply(p: String): String = p }
        object O {
          def f(x: Int): Int = x
          val fUdf = udf(f _)
          val named: Int => Int = x => x
          val namedUdf = udf(named)
          def reg(spark: SparkSession): Unit = {
            spark.udf.register("phone", new NormPhone)
            spark.udf.register("clean", Clean())
            val u = udf((x: Int) => -x)
            spark.udf.register("neg", u)
            spark.udf.register("neg2", u.asNondeterministic().withName("n"))
            spark.udf.register("f_sql", fUdf)
            spark.udf.register("g_sql", f(_))
            val kept = spark.udf.register("kept_sql", (x: Long) => x)
            val registry = spark.udf
            registry.register("via", (x: Int) => x)
            spark.sqlContext.udf.register("ctx", (x: Short) => x)
            val tax = (x: Long) => x
            val taxUdf = udf(tax)
            spark.udf.register("taxed", taxUdf)
            val np = new NormPhone
            spark.udf.register("phone2", np)
          }
        }
    "#;
    assert_eq!(
        listed(text),
        [
            "NormPhone, phone, phone2, np (String) => String",
            "Clean, clean (String) => String",
            "f, fUdf, f_sql, g_sql (Int) => Int",
            "named, namedUdf (Int) => Int",
            "u, neg, neg2 (Int) => Int",
            "kept_sql, kept (Long) => Long",
            "via (Int) => Int",
            "ctx (Short) => Short",
            "tax, taxUdf, taxed (Long) => Long",
        ]
    );
    let found = scala(text);
    for (other, main) in [
        ("phone", "NormPhone"),
        ("neg", "u"),
        ("fUdf", "f"),
        ("namedUdf", "named"),
    ] {
        assert_eq!(found.by_name(other).map(|u| u.name.as_str()), Some(main));
    }
}

#[test]
fn factories_and_functions_of_functions_are_no_udfs() {
    let text = r#"
        import org.apache.spark.sql.functions.{udf, udaf}
        object O {
          val curried: Int => Int => Int = a => b => a + b
          val curried2 = (a: Int) => (b: Int) => a + b
          val higher = (f: Int => Int) => f(1)
          val effect = (x: Int) => println(x)
          class Inject extends (Extensions => Unit) { def apply(e: Extensions): Unit = () }
          val resolver: (DataType, DataType) => DataType = (a, b) => a
          def mk(f: Int => Int) = udf(f)
          def mk2(f: Int => Int) = mk(f)
          def named(spark: SparkSession, n: String, f: Int => Int) = spark.udf.register(n, f)
          class W(f: Int => Int) { val inner = udf(f) }
          class Agg extends Aggregator[Int, Int, Int] { def zero = 0 }
          val agg = udaf(new Agg)
          val plus = mk(_ + 1)
          val minus = mk2((x: Int) => x - 1)
        }
    "#;
    assert_eq!(listed(text), ["plus (Int) => Int", "minus (Int) => Int"]);
    assert_eq!(
        no_udfs(text),
        [
            "`curried` returns a function: no row function of Spark can",
            "`curried2` returns a function: no row function of Spark can",
            "`higher` takes a function: no column holds one",
            "`effect` returns nothing",
            "`Inject` returns nothing",
            "`resolver` is a function value that nothing here makes a UDF of, and its type `DataType` is not covered",
            "`f` is a parameter of `mk`: its UDFs are where that is called",
            "`f` is a parameter of `mk2`: its UDFs are where that is called",
            "`f` is a parameter of `named`: its UDFs are where that is called",
            "`f` is a constructor parameter: its UDFs are where instances are made",
            "`Agg` is an aggregator: it works on groups, not on rows",
            "an aggregator works on groups, not on rows",
        ]
    );
}

#[test]
fn types_tell_overloads_apart() {
    let text = r#"
        import org.apache.spark.sql.functions.udf
        object O {
          def over(x: Int): Int = x + 1
          def over(x: String): String = x + "1"
          def over(x: Any): Double = 0.5
          val a = udf(over(_: Int))
          val b = udf(over(_: String))
          val c = udf((x: Long) => over(x))
          val d = udf[Int, Int](over _)
          val e = udf(over _: String => String)
          val f = udf(over _)
          def small(x: Byte): Int = 1
          def small(x: Long): Int = 2
          val g = udf((x: Int) => small(1))
          def reg(spark: SparkSession) = spark.udf.register("over1", over(_: Int))
        }
    "#;
    assert_eq!(
        listed(text),
        [
            "a (Int) => Int",
            "b (String) => String",
            "c (Long) => Double",
            "d (Int) => Int",
            "e (String) => String",
            "f: overloaded method where no type says which one is meant",
            "g (Int) => Int",
            "over1 (Int) => Int",
        ]
    );
    let found = scala(text);
    let g = crate::lang::pretty(found.by_name("g").expect("found").program.as_ref().expect("typed"));
    assert!(g.contains("small(a: Byte)") || g.contains("small(x: Byte)"), "{g}");
}

#[test]
fn ascriptions_give_cases_their_type() {
    let text = r#"
        import org.apache.spark.sql.functions.udf
        import scala.annotation.switch
        object O {
          val a = udf({ case null => "n"; case s if s.isEmpty => "e"; case s => s }: String => String)
          val b = udf[String, String] { case "x" => "y"; case s => s }
          val c = udf({ case (1, y) => y; case (x, y) => x + y }: ((Int, Int)) => Int)
          val d = udf({ case (1, y) => y; case (x, y) => x + y }: (Int, Int) => Int)
          val e = udf((n: Int) => (n: @switch) match { case 1 => "one"; case _ => "many" })
          val f = udf((n: Int) => (n: @unchecked) match { case 1 => 10L; case 2 => 20L })
          val g = udf((_: String).length)
          val h = udf((s: String) => s.length: Long)
        }
    "#;
    assert_eq!(
        listed(text),
        [
            "a (String) => String",
            "b (String) => String",
            "c ((Int, Int)) => Int",
            "d (Int, Int) => Int",
            "e (Int) => String",
            "f (Int) => Long",
            "g (String) => Int",
            "h (String) => Long",
        ]
    );
}

#[test]
fn what_an_instance_decides_is_refused_with_the_reason() {
    let text = r#"
        import org.apache.spark.sql.functions.udf
        class Scale(val factor: Int) extends ((Int) => Int) { def this() = this(7); def apply(a: Int): Int = a * factor }
        object O { def factory(k: Int) = udf((x: Int) => x * k) }
        trait Sep { def sep = ","; val joined = udf((s: String) => s + sep) }
        object Semi extends Sep { override def sep = ";" }
    "#;
    assert_eq!(
        listed(text),
        [
            "Scale: `factor` is a constructor parameter of `Scale`: its value is given where an instance is made",
            "factory: `k` is a parameter of the enclosing method `factory`: its value is known only where that is called",
            "joined: `sep` is overridden in this file: which one is meant depends on the instance",
        ]
    );
}

#[test]
fn instances_of_java_functions_are_found() {
    let text = r#"
        import org.apache.spark.sql.api.java._
        import org.apache.spark.sql.types._
        import org.apache.spark.sql.functions.udf
        trait Base extends UDF1[String, String]
        class Up extends Base { override def call(s: String): String = s.toUpperCase }
        abstract class Later extends UDF1[String, String]
        object O {
          val trim: UDF1[String, String] = new UDF1[String, String] { override def call(s: String): String = s.trim }
          val len = udf(new UDF1[String, Integer] { override def call(s: String): Integer = s.length }, IntegerType)
          val wrong = udf(new UDF1[String, Integer] { override def call(s: String): Integer = s.length }, LongType)
          val plain = udf((x: Int) => x, IntegerType)
          def reg(spark: SparkSession) = {
            spark.udf.register("trim_sql", trim, StringType)
            spark.udf.register("up", new Up, DataTypes.StringType)
            spark.udf.register("sam", (x: Int) => x + 1, IntegerType)
          }
        }
    "#;
    assert_eq!(
        listed(text),
        [
            "Up, up (String) => String",
            "trim_sql, trim (String) => String",
            "len (String) => java.lang.Integer",
            "wrong: this result type is not that of the function, `java.lang.Integer`",
            "plain: `udf` with a result type is not covered: Spark does not check its arguments for null then",
            "sam: primitive parameters of a `UDFn` are not covered: null arrives as zero there",
        ]
    );
    assert_eq!(no_udfs(text), ["`Later` is abstract: what extends it is a UDF"]);
}

#[test]
fn text_in_comments_and_strings_is_no_udf() {
    let text = r#"
        object O {
          // val a = udf((x: Int) => x)
          /* val b = udf((x: Int) => x) /* nested */ val c = udf((x: Int) => x) */
          val s = "udf((x: Int) => x)"
          val t = s"${1} udf((x: Int) => x)"
          val z = 'u'
        }
    "#;
    assert!(listed(text).is_empty(), "{:?}", listed(text));
    assert!(no_udfs(text).is_empty());
}

fn program(text: &str, name: &str) -> String {
    let found = scala(text);
    let udf = found.by_name(name).expect("found");
    crate::lang::pretty(udf.program.as_ref().expect("typed"))
}

#[test]
fn an_instance_with_arguments_is_a_udf_of_its_own() {
    let text = r#"
        class Scale(val factor: Int, off: Int = 1) extends ((Int) => Int) {
          def this() = this(7)
          def apply(a: Int): Int = a * factor + off
        }
        case class Tag(tag: String) extends (String => String) { def apply(s: String): String = s + tag }
        object O {
          val K = 5
          def reg(spark: SparkSession, n: Int) = {
            spark.udf.register("x3", new Scale(3))
            spark.udf.register("x5", new Scale(K, 2))
            spark.udf.register("x7", new Scale())
            spark.udf.register("xn", new Scale(n))
            spark.udf.register("tagged", Tag("+"))
          }
        }
    "#;
    assert_eq!(
        listed(text),
        [
            "x3 (Int) => Int",
            "x5 (Int) => Int",
            "x7 (Int) => Int",
            "xn: `n` is a parameter of the enclosing method `reg`: its value is known only where that is called",
            "tagged (String) => String",
        ]
    );
    assert_eq!(
        no_udfs(text),
        [
            "`Scale` is made with arguments: the UDFs are x3, x5, x7, xn",
            "`Tag` is made with arguments: the UDFs are tagged",
        ]
    );
    assert!(
        program(text, "x3").contains("factor: Int = 3"),
        "{}",
        program(text, "x3")
    );
    assert!(
        program(text, "x7").contains("factor: Int = 7"),
        "{}",
        program(text, "x7")
    );
}

#[test]
fn an_inherited_method_calls_what_the_instance_defines() {
    let text = r#"
        abstract class TextFn extends (String => String) {
          protected def step(s: String): String
          def sep = ","
          override def apply(s: String): String = step(s) + sep
        }
        object Lower extends TextFn { override protected def step(s: String): String = s.toLowerCase }
        class Trim extends TextFn { def step(s: String): String = s.trim; override def sep = ";" }
    "#;
    assert_eq!(
        listed(text),
        [
            "Lower: `sep` is overridden in this file: which one is meant depends on the instance",
            "Trim (String) => String",
        ]
    );
    assert!(program(text, "Trim").contains("\";\""), "{}", program(text, "Trim"));
}

#[test]
fn functions_that_expressions_make_are_called() {
    let text = r#"
        import org.apache.spark.sql.functions.udf
        object O {
          val clean: String => String = s => s.trim
          private def scale(f: Double)(x: Double): Double = f * x
          def adder(n: Int): Int => Int = x => x + n
          def counter(): Int => Int = { var n = 0; x => { n += x; n } }
          def seen(): Int => Int = { val s = Array(0); x => { s(0) += x; s(0) } }
          val a = udf(clean andThen (_.toUpperCase))
          val b = udf(scale(2.0) _)
          val c = udf(adder(5))
          val d = udf(counter())
          val e = udf(seen())
          val f = udf({ var n = 0; (x: Int) => { n += x; n } })
        }
    "#;
    let no = "function value that is made by code with variables or collections";
    let found = listed(text);
    assert_eq!(
        found[1..4],
        ["a (String) => String", "b (Double) => Double", "c (Int) => Int"]
    );
    for line in &found[4..] {
        assert!(line.contains(no) || line.contains("state"), "{line}");
    }
}

#[test]
fn other_names_come_from_tuples_and_plain_definitions() {
    let text = r#"
        import org.apache.spark.sql.functions.udf
        object O {
          val (first, second) = (udf((s: String) => s.take(1)), udf((s: String) => s.drop(1)))
          private val kept = udf((x: Int) => x + 1)
          def keptUdf = kept
          val again = O.kept
        }
    "#;
    assert_eq!(
        listed(text),
        [
            "first (String) => String",
            "second (String) => String",
            "kept, again, keptUdf (Int) => Int"
        ]
    );
}

#[test]
fn files_of_a_tree_are_passed_over_by_their_words() {
    assert!(worth_a_look(b"class A extends (String => String) { }"));
    assert!(worth_a_look(b"import org.apache.spark.sql.functions.{udf => f}"));
    assert!(!worth_a_look(b"object A { val f: Int => Int = x => x }"));
}

#[test]
fn placeholders_are_parameters_of_different_names() {
    let text = r#"
        import org.apache.spark.sql.functions.udf
        object O { val a = udf[Double, Double, Double](_ - _); val b = udf((_: Int, _: Int) => 1) }
    "#;
    let found = scala(text);
    let names = |i: usize| found.udfs[i].params.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(0), ["$x1", "$x2"]);
    assert_eq!(names(1), ["_1", "_2"]);
    assert!(
        program(text, "a").contains("Sub.Double($x10, $x21)"),
        "{}",
        program(text, "a")
    );
}
