//! The three texts of a decimal. In: a decimal; out: `toString`, `toEngineeringString`, `toPlainString`.

use num_traits::{Signed, Zero};

use super::{JDecimal, MAX_DIGITS};
use crate::jvm::value::{Eval, Throw};

impl JDecimal {
    /// `toString`: scientific where the scale is negative or the value below a millionth.
    pub fn to_text(&self) -> String {
        let coefficient = self.unscaled.magnitude().to_string();
        let adjusted = coefficient.len() as i64 - 1 - i64::from(self.scale);
        if self.scale >= 0 && adjusted >= -6 {
            return self.plain(&coefficient);
        }
        let (first, rest) = coefficient.split_at(1);
        let mantissa = if rest.is_empty() {
            first.to_string()
        } else {
            format!("{first}.{rest}")
        };
        format!("{}{mantissa}{}", self.sign(), exponent(adjusted))
    }

    /// `toEngineeringString`: exponents are multiples of three.
    pub fn to_engineering_text(&self) -> String {
        let coefficient = self.unscaled.magnitude().to_string();
        let mut adjusted = coefficient.len() as i64 - 1 - i64::from(self.scale);
        if self.scale >= 0 && adjusted >= -6 {
            return self.plain(&coefficient);
        }
        let before = adjusted.rem_euclid(3) as usize + 1;
        adjusted -= before as i64 - 1;
        let mantissa = if self.unscaled.is_zero() {
            match before {
                1 => "0".to_string(),
                2 => {
                    adjusted += 3;
                    "0.00".to_string()
                }
                _ => {
                    adjusted += 3;
                    "0.0".to_string()
                }
            }
        } else if before >= coefficient.len() {
            format!("{coefficient:0<before$}")
        } else {
            let (whole, fraction) = coefficient.split_at(before);
            format!("{whole}.{fraction}")
        };
        format!("{}{mantissa}{}", self.sign(), exponent(adjusted))
    }

    /// `toPlainString`: never an exponent; bounded by [`MAX_DIGITS`].
    pub fn to_plain_text(&self) -> Eval<String> {
        if self.scale.unsigned_abs() > MAX_DIGITS {
            return Err(Throw::Limit("a decimal of too many digits"));
        }
        let coefficient = self.unscaled.magnitude().to_string();
        if self.scale >= 0 {
            return Ok(self.plain(&coefficient));
        }
        if self.unscaled.is_zero() {
            return Ok("0".into());
        }
        Ok(format!(
            "{}{coefficient}{}",
            self.sign(),
            "0".repeat(self.scale.unsigned_abs() as usize)
        ))
    }

    fn sign(&self) -> &'static str {
        if self.unscaled.is_negative() { "-" } else { "" }
    }

    /// The coefficient with its point; the scale is not negative.
    fn plain(&self, coefficient: &str) -> String {
        let scale = self.scale.unsigned_abs() as usize;
        if scale == 0 {
            return format!("{}{coefficient}", self.sign());
        }
        let padded = format!("{coefficient:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        format!("{}{whole}.{fraction}", self.sign())
    }
}

fn exponent(adjusted: i64) -> String {
    match adjusted {
        0 => String::new(),
        1.. => format!("E+{adjusted}"),
        _ => format!("E{adjusted}"),
    }
}
