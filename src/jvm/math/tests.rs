//! Against the golden vectors: every row of the functions that are exact, and the agreed share of the seven that are not.

use super::{ieee, java, strict};
use crate::test_vectors::vectors;

type One = fn(f64) -> f64;
type Two = fn(f64, f64) -> f64;

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Counts the rows of a file whose column differs from `f`; all arguments null means the function is not called.
fn differing(file: &str, column: &str, f: &dyn Fn(f64, f64) -> f64, two: bool) -> usize {
    let file = vectors(file);
    let mut wrong = 0;
    for row in file.rows() {
        let (Some(a), Some(b)) = (row.f64("a"), if two { row.f64("b") } else { Some(0.0) }) else {
            continue;
        };
        let expected = row.f64(column).expect("a result for arguments that are not null");
        if !same(f(a, b), expected) {
            wrong += 1;
        }
    }
    wrong
}

#[test]
fn strict_math_is_exact_on_every_row() {
    let one: [(&str, One); 17] = [
        ("sin", strict::sin),
        ("cos", strict::cos),
        ("tan", strict::tan),
        ("asin", strict::asin),
        ("acos", strict::acos),
        ("atan", strict::atan),
        ("sinh", strict::sinh),
        ("cosh", strict::cosh),
        ("tanh", strict::tanh),
        ("exp", strict::exp),
        ("expm1", strict::expm1),
        ("cbrt", strict::cbrt),
        ("sqrt", strict::sqrt),
        ("log", strict::log),
        ("log10", strict::log10),
        ("log1p", strict::log1p),
        ("log2", |a| strict::log(a) / strict::log(2.0)),
    ];
    for (name, f) in one {
        let file = format!("math_{name}");
        assert_eq!(differing(&file, "jvm_strict_result", &|a, _| f(a), false), 0, "{name}");
    }
    let two: [(&str, Two); 3] = [("pow", strict::pow), ("atan2", strict::atan2), ("hypot", strict::hypot)];
    for (name, f) in two {
        let file = format!("math_{name}");
        assert_eq!(differing(&file, "jvm_strict_result", &f, true), 0, "{name}");
    }
}

#[test]
fn math_is_exact_where_it_is_strict_math() {
    let one: [(&str, One); 14] = [
        ("asin", java::asin),
        ("acos", java::acos),
        ("atan", java::atan),
        ("sinh", java::sinh),
        ("cosh", java::cosh),
        ("tanh", java::tanh),
        ("expm1", java::expm1),
        ("cbrt", java::cbrt),
        ("sqrt", java::sqrt),
        ("log1p", java::log1p),
        ("rint", ieee::rint),
        ("todegrees", ieee::to_degrees),
        ("toradians", ieee::to_radians),
        ("log10", java::log10),
    ];
    for (name, f) in one {
        let file = format!("math_{name}");
        assert_eq!(differing(&file, "jvm_result", &|a, _| f(a), false), 0, "{name}");
    }
    assert_eq!(differing("math_atan2", "jvm_result", &java::atan2, true), 0);
    assert_eq!(differing("math_hypot", "jvm_result", &java::hypot, true), 0);
    assert_eq!(differing("ceil_double", "jvm_result", &|a, _| a.ceil(), false), 0);
    assert_eq!(differing("floor_double", "jvm_result", &|a, _| a.floor(), false), 0);
    assert_eq!(differing("double_abs", "jvm_result", &|a, _| a.abs(), false), 0);
    assert_eq!(
        differing("double_signum", "jvm_result", &|a, _| ieee::signum(a), false),
        0
    );
    assert_eq!(differing("double_max", "jvm_result", &ieee::max, true), 0);
    assert_eq!(differing("double_min", "jvm_result", &ieee::min, true), 0);
}

#[test]
fn the_intrinsics_differ_on_few_rows_and_by_one_unit() {
    let functions: [(&str, Two); 7] = [
        ("sin", |a, _| java::sin(a)),
        ("cos", |a, _| java::cos(a)),
        ("tan", |a, _| java::tan(a)),
        ("exp", |a, _| java::exp(a)),
        ("log", |a, _| java::log(a)),
        ("log2", |a, _| java::log(a) / java::log(2.0)),
        ("pow", java::pow),
    ];
    for (name, f) in functions {
        let file = vectors(&format!("math_{name}"));
        let mut wrong = Vec::new();
        for row in file.rows() {
            let b = if name == "pow" { row.f64("b") } else { Some(0.0) };
            let (Some(a), Some(b)) = (row.f64("a"), b) else {
                continue;
            };
            let expected = row.f64("jvm_result").expect("a result");
            let got = f(a, b);
            if !same(got, expected) {
                assert!(
                    got.to_bits().abs_diff(expected.to_bits()) <= 1,
                    "{name}({a}, {b}) = {got}, not {expected}"
                );
                wrong.push((a, b));
            }
        }
        assert!(wrong.len() <= 2, "{name}: {wrong:?}");
    }
}

#[test]
fn rounding_follows_the_vectors() {
    for row in vectors("math_round").rows() {
        let Some(a) = row.f64("a") else { continue };
        assert_eq!(Some(ieee::round(a)), row.parse("jvm_result"), "{row:?}");
    }
    for row in vectors("math_round_float").rows() {
        let Some(a) = row.f32("a") else { continue };
        assert_eq!(Some(ieee::round_f32(a)), row.parse("jvm_result"), "{row:?}");
    }
    for row in vectors("double_compare").rows() {
        let (Some(a), Some(b)) = (row.f64("a"), row.f64("b")) else {
            continue;
        };
        assert_eq!(Some(ieee::compare(a, b)), row.parse("jvm_result"), "{row:?}");
    }
    for row in vectors("double_mul_add").rows() {
        let (Some(a), Some(b), Some(c)) = (row.f64("a"), row.f64("b"), row.f64("c")) else {
            continue;
        };
        assert!(
            same(a.mul_add(b, c), row.f64("jvm_fma_result").expect("a result")),
            "{row:?}"
        );
    }
}

/// What JDK 17 gives.
#[test]
fn results_at_the_ends_of_the_range() {
    assert_eq!(java::pow(f64::MAX, -0.5), 7.458340731200207E-155);
    assert_eq!(java::pow(9.178266095997647e159, -2.0), 1.187E-320);
    assert_eq!(java::exp(-7.08851e2), 1.4122845510381644E-308);
    assert_eq!((java::exp(f64::NEG_INFINITY), java::pow(0.0, 3.0)), (0.0, 0.0));
    assert_eq!(java::pow(-2.0, 3.0), -8.0);
    assert!(java::pow(-2.0, 0.5).is_nan());
}
