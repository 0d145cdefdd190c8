//! `Double.toString` and `Float.toString` of JDK 17.

use super::digits::{self, Digits};

/// `Double.toString(d)`, `String.valueOf(d)`, `"" + d`.
pub fn double_to_string(value: f64) -> String {
    match special(value.is_nan(), value.is_infinite(), value.is_sign_negative()) {
        Some(text) => text.to_string(),
        None => layout(value.is_sign_negative(), &digits::of_double(value, true)),
    }
}

/// `Float.toString(f)`.
pub fn float_to_string(value: f32) -> String {
    match special(value.is_nan(), value.is_infinite(), value.is_sign_negative()) {
        Some(text) => text.to_string(),
        None => layout(value.is_sign_negative(), &digits::of_float(value)),
    }
}

fn special(nan: bool, infinite: bool, negative: bool) -> Option<&'static str> {
    match (nan, infinite, negative) {
        (true, _, _) => Some("NaN"),
        (_, true, true) => Some("-Infinity"),
        (_, true, false) => Some("Infinity"),
        _ => None,
    }
}

/// Plain between 10^-3 and 10^7, with an exponent elsewhere; always at least one digit on both sides of the point.
fn layout(negative: bool, number: &Digits) -> String {
    let mut out = String::with_capacity(26);
    if negative {
        out.push('-');
    }
    let digit = |d: &u8| char::from(b'0' + d);
    let n = number.digits.len();
    match number.exponent {
        e @ 1..=7 => {
            let whole = (e as usize).min(n);
            out.extend(number.digits[..whole].iter().map(digit));
            out.extend(std::iter::repeat_n('0', e as usize - whole));
            out.push('.');
            if whole < n {
                out.extend(number.digits[whole..].iter().map(digit));
            } else {
                out.push('0');
            }
        }
        e @ -2..=0 => {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', (-e) as usize));
            out.extend(number.digits.iter().map(digit));
        }
        e => {
            out.push(digit(&number.digits[0]));
            out.push('.');
            if n > 1 {
                out.extend(number.digits[1..].iter().map(digit));
            } else {
                out.push('0');
            }
            out.push('E');
            out.push_str(&(e - 1).to_string());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_vectors::{golden, vectors};

    #[test]
    fn doubles_print_as_in_the_jvm() {
        for file in ["vectors/double_to_string.csv", "jvm/double_to_string.csv"] {
            for row in golden(file).rows() {
                if let Some(v) = row.f64("a") {
                    assert_eq!(double_to_string(v), row.raw("jvm_result"), "{row:?}");
                }
            }
        }
    }

    #[test]
    fn floats_print_as_in_the_jvm() {
        for row in vectors("float_to_string").rows() {
            if let Some(v) = row.f32("a") {
                assert_eq!(float_to_string(v), row.raw("jvm_result"), "{row:?}");
            }
        }
        for row in golden("jvm/float_to_string.csv").rows() {
            let v = row.f32("a").expect("no nulls here");
            assert_eq!(float_to_string(v), row.raw("jvm_result"), "{row:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_printed_reads_back(bits: u64) {
            let v = f64::from_bits(bits);
            if v.is_finite() {
                proptest::prop_assert_eq!(double_to_string(v).parse::<f64>().unwrap().to_bits(), bits);
            }
        }
    }
}
