//! `scala.math.BigDecimal` of Scala 2.12. Sums, differences and remainders are exact there; products, quotients and powers are
//! rounded to the context of the left operand. In: decimals in the default context; out: the same. Numbers that Scala would give
//! a wider context of their own are refused, since their context would have to travel with them.

use super::{JDecimal, MathContext};
use crate::jvm::number_text::{double_to_string, float_to_string};
use crate::jvm::value::{Eval, Throw};

/// The precision of the default context.
pub const MAX_SCALA_PRECISION: u32 = MathContext::DECIMAL128.precision;

impl JDecimal {
    /// What `BigDecimal(text)` and `BigDecimal(bigInt)` do with a number: beyond 34 digits it gets a context of its own.
    pub fn in_default_context(self) -> Eval<JDecimal> {
        if self.precision() > MAX_SCALA_PRECISION {
            return Err(Throw::Unsupported(
                "a Scala BigDecimal made from more than 34 digits (it gets a wider MathContext) is not covered".into(),
            ));
        }
        Ok(self)
    }

    /// `*`.
    pub fn scala_multiply(&self, other: &JDecimal) -> Eval<JDecimal> {
        self.multiply(other)?.round(MathContext::DECIMAL128)
    }

    /// `/`.
    pub fn scala_divide(&self, other: &JDecimal) -> Eval<JDecimal> {
        self.divide_rounded(other, MathContext::DECIMAL128)
    }

    /// `pow`.
    pub fn scala_pow(&self, n: i32) -> Eval<JDecimal> {
        self.pow_rounded(n, MathContext::DECIMAL128)
    }

    /// `isWhole`.
    pub fn is_whole(&self) -> bool {
        self.scale <= 0 || self.strip_trailing_zeros().scale <= 0
    }
}

/// `BigDecimal.valueOf(double)`, Scala's `BigDecimal(double)`: the number that `Double.toString` shows.
pub fn of_double(x: f64) -> Eval<JDecimal> {
    JDecimal::parse_ascii(&double_to_string(x))
}

/// Scala's `BigDecimal.decimal(float)`: the number that `Float.toString` shows.
pub fn of_float(x: f32) -> Eval<JDecimal> {
    JDecimal::parse_ascii(&float_to_string(x))
}
