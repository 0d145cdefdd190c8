use super::*;
use crate::test_vectors::{escape, golden, vectors};

#[test]
fn formats_are_those_of_the_jvm() {
    let mut wrong = Vec::new();
    for row in golden("jvm/format.csv").rows() {
        let (format_text, value) = (row.units("format").unwrap(), row.raw("value"));
        let arg = match row.raw("class") {
            "Double" => Arg::Double(f64::from_bits(u64::from_str_radix(value, 16).unwrap()), Float::Double),
            "Integer" => Arg::Int(value.parse().unwrap(), 32),
            "Long" => Arg::Int(value.parse().unwrap(), 64),
            "String" => Arg::Text(row.units("value").unwrap(), "java.lang.String"),
            "BigDecimal" => {
                let (unscaled, scale) = value.split_once('E').unwrap();
                Arg::Decimal(JDecimal {
                    unscaled: unscaled.parse().unwrap(),
                    scale: scale.parse().unwrap(),
                })
            }
            "Boolean" => Arg::Bool(value == "true"),
            "null" => Arg::Null,
            other => panic!("{other}"),
        };
        let got = match format(&format_text, &[arg]) {
            Ok(text) => escape(&text),
            Err(FormatError::Throws(class, _)) => format!("ERROR:{class}"),
            Err(FormatError::Unsupported(_)) => continue,
        };
        if got != row.raw("jvm_result") {
            wrong.push(format!("{row:?}: {got}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(30)].join("\n")
    );
}

#[test]
fn decimal_formats_are_those_of_the_jvm() {
    let two = decimal_format::DecimalFormat::new("0.00").unwrap();
    for row in vectors("decimal_format_00").rows() {
        if let Some(v) = row.f64("a") {
            assert_eq!(escape(&units(&two.double(v))), row.raw("jvm_result"), "{row:?}");
        }
    }
    for row in golden("jvm/decimal_format.csv").rows() {
        let f = decimal_format::DecimalFormat::new(row.raw("format")).unwrap();
        let v = row.f64("value").unwrap();
        assert_eq!(escape(&units(&f.double(v))), row.raw("jvm_result"), "{row:?}");
    }
}
