//! `java.text.DecimalFormat` with patterns of `0 # , . %` and literal text, rounding half to even on the exact value.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::Zero;

use crate::jvm::number_text::digits;

/// A pattern taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecimalFormat {
    prefix: String,
    suffix: String,
    min_whole: usize,
    min_places: usize,
    max_places: usize,
    /// Digits between commas; zero without any.
    group: usize,
    percent: bool,
}

impl DecimalFormat {
    /// Takes a pattern apart; `Err` with the reason if it is not covered.
    pub fn new(pattern: &str) -> Result<DecimalFormat, String> {
        let refused = || format!("the DecimalFormat pattern {pattern} is not covered");
        let special = |c: char| matches!(c, '0' | '#' | ',' | '.');
        if pattern.contains(['\'', ';', 'E', '\u{2030}', '\u{a4}', '-', '@'])
            || pattern.chars().any(|c| c.is_ascii_digit() && c != '0')
        {
            return Err(refused());
        }
        let start = pattern.find(special).ok_or_else(refused)?;
        let number = &pattern[start..];
        let end = number.find(|c| !special(c)).unwrap_or(number.len());
        let (number, suffix) = number.split_at(end);
        if suffix.contains(special) {
            return Err(refused());
        }
        let (whole, places) = number.split_once('.').unwrap_or((number, ""));
        let digits: String = whole.chars().filter(|c| *c != ',').collect();
        let ordered =
            |s: &str, first: char, then: char| s.trim_start_matches(first).trim_start_matches(then).is_empty();
        if !ordered(&digits, '#', '0') || !ordered(places, '0', '#') || (digits.is_empty() && places.is_empty()) {
            return Err(refused());
        }
        let prefix = &pattern[..start];
        let percents = prefix.matches('%').count() + suffix.matches('%').count();
        if percents > 1 || whole.ends_with(',') {
            return Err(refused());
        }
        let mut min_places = places.matches('0').count();
        let mut min_whole = digits.matches('0').count();
        // A pattern with a point but without any zero means one next to the point.
        if whole.len() < number.len() && min_whole + min_places == 0 {
            if digits.is_empty() {
                min_places = 1;
            } else {
                min_whole = 1;
            }
        }
        Ok(DecimalFormat {
            prefix: prefix.to_string(),
            suffix: suffix.to_string(),
            min_whole,
            min_places,
            max_places: places.len(),
            group: whole.rfind(',').map_or(0, |at| whole.len() - at - 1),
            percent: percents == 1,
        })
    }

    /// `format(double)`.
    pub fn double(&self, value: f64) -> String {
        if value.is_nan() {
            return "NaN".to_string();
        }
        let value = if self.percent { value * 100.0 } else { value };
        if value.is_infinite() {
            return self.dressed(value < 0.0, "\u{221e}");
        }
        let rounded = self.scaled(value.abs());
        self.dressed(value.is_sign_negative(), &self.digits(&rounded))
    }

    /// The value times a power of ten, rounded. The JDK takes the digits of `Double.toString` where they suffice, and the
    /// exact value where they must be cut.
    fn scaled(&self, value: f64) -> BigUint {
        let ten = |n: u32| BigUint::from(10u32).pow(n);
        let text = digits::of_double(value, true);
        let places = text.digits.len() as i64 - i64::from(text.exponent);
        let spare = self.max_places as i64 - places;
        if spare >= 0 {
            let digits = text
                .digits
                .iter()
                .fold(BigUint::zero(), |acc, d| acc * 10u32 + u32::from(*d));
            return digits * ten(spare as u32);
        }
        let (mantissa, exponent) = parts(value);
        let scaled = mantissa * ten(self.max_places as u32);
        if exponent >= 0 {
            scaled << exponent as u32
        } else {
            half_even(scaled, BigUint::from(1u32) << (-exponent) as u32)
        }
    }

    /// `format(long)`.
    pub fn long(&self, value: i64) -> String {
        let mut magnitude = BigUint::from(value.unsigned_abs());
        if self.percent {
            magnitude *= 100u32;
        }
        let scaled = magnitude * BigUint::from(10u32).pow(self.max_places as u32);
        self.dressed(value < 0, &self.digits(&scaled))
    }

    fn dressed(&self, negative: bool, digits: &str) -> String {
        let sign = if negative { "-" } else { "" };
        format!("{sign}{}{digits}{}", self.prefix, self.suffix)
    }

    fn digits(&self, scaled: &BigUint) -> String {
        let mut text = scaled.to_string();
        if text.len() <= self.max_places {
            text = "0".repeat(self.max_places + 1 - text.len()) + &text;
        }
        let (whole, places) = text.split_at(text.len() - self.max_places);
        let mut places = places.to_string();
        while places.len() > self.min_places && places.ends_with('0') {
            places.pop();
        }
        let mut whole = whole.trim_start_matches('0').to_string();
        if whole.len() < self.min_whole {
            whole = "0".repeat(self.min_whole - whole.len()) + &whole;
        }
        if whole.is_empty() && places.is_empty() {
            whole.push('0');
        }
        let mut out = String::new();
        for (i, c) in whole.chars().enumerate() {
            if self.group > 0 && i > 0 && (whole.len() - i).is_multiple_of(self.group) {
                out.push(',');
            }
            out.push(c);
        }
        if !places.is_empty() {
            out.push('.');
            out.push_str(&places);
        }
        out
    }
}

/// Magnitude as an integer and a power of two.
fn parts(value: f64) -> (BigUint, i32) {
    let bits = value.abs().to_bits();
    let exponent = (bits >> 52) as i32;
    let fraction = bits & ((1 << 52) - 1);
    match exponent {
        0 => (BigUint::from(fraction), -1074),
        e => (BigUint::from(fraction | 1 << 52), e - 1075),
    }
}

fn half_even(value: BigUint, unit: BigUint) -> BigUint {
    let (quotient, rest) = value.div_rem(&unit);
    let up = match (rest * 2u32).cmp(&unit) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => !(&quotient % 2u32).is_zero(),
    };
    if up { quotient + 1u32 } else { quotient }
}
