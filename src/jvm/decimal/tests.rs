//! Against the golden vectors and against operations dumped from the JDK.

use super::{JDecimal, MathContext, RoundingMode, of_double};
use crate::jvm::number_text::float_to_string;
use crate::jvm::text::JStr;
use crate::jvm::value::{Eval, Throw};
use crate::test_vectors::{Row, golden, vectors};

fn text<T>(result: Eval<T>, show: impl Fn(T) -> String) -> String {
    match result {
        Ok(value) => show(value),
        Err(Throw::Exception(e)) => format!("ERROR:{}", e.class),
        Err(other) => format!("{other:?}"),
    }
}

fn decimal(text: &str) -> JDecimal {
    JDecimal::parse_ascii(text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn show(d: JDecimal) -> String {
    d.to_text()
}

#[test]
fn operations_are_those_of_the_jdk() {
    for row in golden("jvm/decimal_ops.csv").rows() {
        let (a, b) = (decimal(row.raw("a")), decimal(row.raw("b")));
        let n: i32 = row.parse("n").expect("n");
        let (mode, precision) = row.raw("mode").split_once(' ').expect("mode and precision");
        let mode = RoundingMode::named(mode).expect("a mode");
        let mc = MathContext::of(precision.parse().expect("a precision"), mode);
        let is = |column: &str, got: String| assert_eq!(got, row.raw(column), "{column} of {row:?}");
        is("add", text(a.add(&b), show));
        is("subtract", text(a.subtract(&b), show));
        is("multiply", text(a.multiply(&b), show));
        is("divide", text(a.divide_exact(&b), show));
        is("divide128", text(a.divide_rounded(&b, MathContext::DECIMAL128), show));
        is("divide_mode", text(a.divide_to_scale(&b, n, mode), show));
        is("integral", text(a.divide_to_integral(&b), show));
        is("remainder", text(a.remainder(&b), show));
        is("pow", text(a.pow(n), show));
        is("pow_mc", text(a.pow_rounded(n * 7, mc), show));
        is("set_scale", text(a.set_scale(n, mode), show));
        is("round", text(a.round(mc), show));
        is("strip", a.strip_trailing_zeros().to_text());
        is("compare", (a.compare(&b) as i32).to_string());
        is("hash", a.hash_code().to_string());
        is("plain", text(a.to_plain_text(), |s| s));
        is("eng", a.to_engineering_text());
        is("text", a.to_text());
        is("left", text(a.move_point_left(n), show));
        is("right", text(a.move_point_right(n), show));
        is("int", a.int_value().to_string());
        is("long", a.long_value().to_string());
        is("double_bits", format!("{:x}", a.to_f64().to_bits()));
        is("float_bits", format!("{:x}", a.to_f32().to_bits()));
        is("add_mc", text(a.add_rounded(&b, mc), show));
        is("int_exact", text(a.exact::<i32>(), |n| n.to_string()));
    }
}

#[test]
fn texts_parse_as_in_the_jdk() {
    for row in golden("jvm/decimal_parse.csv").rows() {
        assert_eq!(
            text(JDecimal::parse(&JStr::new(row.raw("text"))), show),
            row.raw("result"),
            "{row:?}"
        );
    }
}

/// Rows of a vector file of two decimals.
fn binary(file: &str, f: impl Fn(&JDecimal, &JDecimal) -> String) {
    for row in vectors(file).rows() {
        if row.is_null("a") || row.is_null("b") {
            continue;
        }
        let expected = row
            .raw("jvm_result")
            .rsplit('.')
            .next()
            .filter(|_| row.raw("jvm_result").starts_with("ERROR"));
        let expected = expected.map_or(row.raw("jvm_result").to_string(), |class| format!("ERROR:{class}"));
        assert_eq!(f(&decimal(row.raw("a")), &decimal(row.raw("b"))), expected, "{row:?}");
    }
}

fn plain(d: JDecimal) -> String {
    text(d.to_plain_text(), |s| s)
}

#[test]
fn arithmetic_follows_the_vectors() {
    binary("dec_add_10_2", |a, b| text(a.add(b), plain));
    binary("dec_mul_10_2", |a, b| text(a.multiply(b), plain));
    binary("dec_rem_10_2", |a, b| text(a.remainder(b), plain));
    // The columns' types are DECIMAL(10,2) and DECIMAL(10,3), whatever the file shows.
    let typed = |d: &JDecimal, scale| d.set_scale(scale, RoundingMode::Unnecessary).expect("fits the type");
    binary("dec_equals", |a, b| (typed(a, 2) == typed(b, 3)).to_string());
}

/// The result as Spark stores it: in the declared type, of which only the value is compared here.
fn value_of(d: JDecimal) -> String {
    plain(d.strip_trailing_zeros())
}

/// Rows of wide decimals, whose result Spark then fits into its own type: only the value counts.
fn wide(file: &str, f: impl Fn(&JDecimal, &JDecimal) -> Eval<JDecimal>) {
    let mut compared = 0;
    for row in vectors(file).rows() {
        if row.is_null("a")
            || row.is_null("b")
            || row.raw("jvm_result").starts_with("ERROR")
            || row.is_null("jvm_result")
        {
            continue;
        }
        let expected = decimal(row.raw("jvm_result"));
        let got = f(&decimal(row.raw("a")), &decimal(row.raw("b")));
        let got = got.and_then(|d| d.set_scale(expected.scale.min(d.scale), RoundingMode::HalfUp));
        assert_eq!(text(got, value_of), value_of(expected), "{row:?}");
        compared += 1;
    }
    assert!(compared > 20);
}

#[test]
fn wide_arithmetic_follows_the_vectors() {
    wide("dec_add_38_10", JDecimal::add);
    wide("dec_mul_38_10", JDecimal::multiply);
    wide("dec_div_10_2", |a, b| a.divide_rounded(b, MathContext::DECIMAL128));
    wide("dec_div_38_scale2", |a, b| {
        a.divide_to_scale(b, 2, RoundingMode::HalfUp)
    });
}

fn unary(file: &str, column: &str, f: impl Fn(&JDecimal) -> String) {
    for row in vectors(file).rows() {
        if !row.is_null("a") {
            assert_eq!(f(&decimal(row.raw("a"))), row.raw(column), "{row:?}");
        }
    }
}

#[test]
fn scales_and_texts_follow_the_vectors() {
    let scaled = |scale, mode| move |a: &JDecimal| text(a.set_scale(scale, mode), plain);
    unary("dec_setscale_half_up", "jvm_result", scaled(1, RoundingMode::HalfUp));
    unary(
        "dec_setscale_half_even",
        "jvm_result",
        scaled(1, RoundingMode::HalfEven),
    );
    unary(
        "dec_setscale_half_down",
        "jvm_result",
        scaled(1, RoundingMode::HalfDown),
    );
    unary("dec_setscale_down", "jvm_result", scaled(0, RoundingMode::Down));
    unary("dec_setscale_floor", "jvm_result", scaled(0, RoundingMode::Floor));
    unary("decimal_to_int", "jvm_result", |a| a.int_value().to_string());
    unary("decimal_to_double", "jvm_result_bits", |a| {
        format!("{:016x}", a.to_f64().to_bits())
    });
    unary("decimal_to_string_stripped", "jvm_result", |a| {
        a.strip_trailing_zeros().to_text()
    });
    // The column is DECIMAL(38,18): the text in the file has fewer places than the value had.
    unary("decimal_to_string", "jvm_result", |a| {
        text(a.set_scale(18, RoundingMode::Unnecessary), show)
    });
}

fn doubles(file: &str, f: impl Fn(f64) -> Eval<JDecimal>, check: impl Fn(&Row<'_>, Eval<JDecimal>)) {
    for row in vectors(file).rows() {
        if let Some(a) = row.f64("a") {
            check(&row, f(a));
        }
    }
}

#[test]
fn rounding_doubles_follows_the_vectors() {
    let bits = |row: &Row<'_>, got: Eval<JDecimal>| {
        let expected = row.raw("jvm_result");
        match got {
            Ok(d) => assert_eq!(
                format!("{:016x}", d.to_f64().to_bits()),
                row.raw("jvm_result_bits"),
                "{row:?}"
            ),
            Err(e) => assert!(
                expected.starts_with("ERROR:java.lang.NumberFormatException"),
                "{row:?}: {e:?}"
            ),
        }
    };
    let to = |scale, mode| move |a| of_double(a)?.set_scale(scale, mode);
    doubles("round2_bigdecimal_tostring", to(2, RoundingMode::HalfUp), bits);
    doubles("round2_half_even", to(2, RoundingMode::HalfEven), bits);
    let exact = |a| JDecimal::from_f64_exact(a)?.set_scale(2, RoundingMode::HalfUp);
    doubles("round2_bigdecimal_exact", exact, bits);
    for (file, scale) in [("round2_float", 2), ("round3_float", 3)] {
        for row in vectors(file).rows() {
            let Some(a) = row.f32("a") else { continue };
            let got = JDecimal::parse_ascii(&float_to_string(a)).and_then(|d| d.set_scale(scale, RoundingMode::HalfUp));
            match got {
                Ok(d) => assert_eq!(
                    format!("{:08x}", d.to_f32().to_bits()),
                    row.raw("jvm_result_bits"),
                    "{row:?}"
                ),
                Err(_) => assert!(
                    row.raw("jvm_result").starts_with("ERROR:java.lang.NumberFormat"),
                    "{row:?}"
                ),
            }
        }
    }
    for row in vectors("int_round_tens").rows() {
        let Some(a) = row.parse::<i32>("a") else { continue };
        let rounded = JDecimal::new(a, 0)
            .set_scale(-1, RoundingMode::HalfUp)
            .expect("no overflow");
        assert_eq!(Some(rounded.int_value()), row.parse("jvm_result"), "{row:?}");
    }
}
