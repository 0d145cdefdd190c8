//! `java.math.BigDecimal`: in and out, an unscaled integer and a scale, with JDK 17's results, scales and exceptions. Scala's
//! `BigDecimal` wraps the same numbers. Never rounds unless asked, and never builds a number of more than
//! [`MAX_DIGITS`] digits: that is refused as a bound on memory.

mod divide;
mod parse;
mod rounding;
mod scala;
mod text;

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

use super::value::{Eval, Throw};

pub use divide::integer_quotient;
pub use rounding::{MathContext, RoundingMode};
pub use scala::{MAX_SCALA_PRECISION, of_double, of_float};

/// Bound on the number of digits that an operation may create.
pub const MAX_DIGITS: u32 = 100_000;

/// `unscaled × 10^-scale`. Equality of this type is `equals`: scale counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JDecimal {
    /// Unscaled value.
    pub unscaled: BigInt,
    /// Number of places; may be negative.
    pub scale: i32,
}

/// `ArithmeticException`.
pub(crate) fn arithmetic(message: &str) -> Throw {
    Throw::exception("ArithmeticException", message)
}

/// `10^n`, within [`MAX_DIGITS`].
pub(crate) fn pow10(n: i64) -> Eval<BigInt> {
    match u32::try_from(n) {
        Ok(n) if n <= MAX_DIGITS => Ok(BigInt::from(10u8).pow(n)),
        _ => Err(Throw::Limit("a decimal of too many digits")),
    }
}

/// A scale that must fit an `Int`; zero may have any, which is then cut off.
pub(crate) fn checked_scale(unscaled: &BigInt, scale: i64) -> Eval<i32> {
    match i32::try_from(scale) {
        Ok(scale) => Ok(scale),
        Err(_) if unscaled.is_zero() => Ok(saturated(scale)),
        Err(_) if scale > 0 => Err(arithmetic("Underflow")),
        Err(_) => Err(arithmetic("Overflow")),
    }
}

/// The nearest `Int`.
pub(crate) fn saturated(scale: i64) -> i32 {
    scale.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// Decimal digits of an integer; zero has one.
pub fn digits(n: &BigInt) -> u32 {
    if n.is_zero() {
        return 1;
    }
    let guess = ((n.bits() - 1) as f64 * std::f64::consts::LOG10_2) as u32;
    let guess = guess.max(1);
    let bound = BigInt::from(10u8).pow(guess);
    if n.abs() < bound {
        guess
    } else if n.abs() < bound * 10u8 {
        guess + 1
    } else {
        guess + 2
    }
}

impl JDecimal {
    /// `new BigDecimal(unscaled, scale)`.
    pub fn new(unscaled: impl Into<BigInt>, scale: i32) -> JDecimal {
        JDecimal {
            unscaled: unscaled.into(),
            scale,
        }
    }

    /// `new BigDecimal(double)`: the exact binary value.
    pub fn from_f64_exact(x: f64) -> Eval<JDecimal> {
        if !x.is_finite() {
            return Err(Throw::exception("NumberFormatException", "Infinite or NaN"));
        }
        if x == 0.0 {
            return Ok(JDecimal::new(0, 0));
        }
        let bits = x.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) = if exponent == 0 {
            (fraction, -1074)
        } else {
            (fraction | 1 << 52, exponent - 1075)
        };
        let zeros = mantissa.trailing_zeros();
        let (mantissa, exponent) = (BigInt::from(mantissa >> zeros), exponent + zeros as i32);
        let mantissa = if x < 0.0 { -mantissa } else { mantissa };
        Ok(if exponent >= 0 {
            JDecimal::new(mantissa << exponent, 0)
        } else {
            JDecimal::new(mantissa * BigInt::from(5u8).pow(exponent.unsigned_abs()), -exponent)
        })
    }

    /// `precision()`.
    pub fn precision(&self) -> u32 {
        digits(&self.unscaled)
    }

    /// `signum()`.
    pub fn signum(&self) -> i32 {
        match self.unscaled.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// `negate()`.
    pub fn negate(&self) -> JDecimal {
        JDecimal::new(-&self.unscaled, self.scale)
    }

    /// `abs()`.
    pub fn abs(&self) -> JDecimal {
        JDecimal::new(self.unscaled.abs(), self.scale)
    }

    /// Both unscaled values at the larger of the two scales.
    fn aligned(&self, other: &JDecimal) -> Eval<(BigInt, BigInt, i32)> {
        let (a, b) = (i64::from(self.scale), i64::from(other.scale));
        let scale = self.scale.max(other.scale);
        let raise = |n: &BigInt, by: i64| -> Eval<BigInt> {
            if by == 0 || n.is_zero() {
                Ok(n.clone())
            } else {
                Ok(n * pow10(by)?)
            }
        };
        Ok((
            raise(&self.unscaled, b - a.min(b))?,
            raise(&other.unscaled, a - b.min(a))?,
            scale,
        ))
    }

    /// `add(BigDecimal)`.
    pub fn add(&self, other: &JDecimal) -> Eval<JDecimal> {
        let (a, b, scale) = self.aligned(other)?;
        Ok(JDecimal::new(a + b, scale))
    }

    /// `subtract(BigDecimal)`.
    pub fn subtract(&self, other: &JDecimal) -> Eval<JDecimal> {
        self.add(&other.negate())
    }

    /// `multiply(BigDecimal)`.
    pub fn multiply(&self, other: &JDecimal) -> Eval<JDecimal> {
        let product = &self.unscaled * &other.unscaled;
        let scale = checked_scale(&product, i64::from(self.scale) + i64::from(other.scale))?;
        Ok(JDecimal::new(product, scale))
    }

    /// `pow(int)`.
    pub fn pow(&self, n: i32) -> Eval<JDecimal> {
        let Some(power) = u32::try_from(n).ok().filter(|n| *n <= 999_999_999) else {
            return Err(arithmetic("Invalid operation"));
        };
        let scale = checked_scale(&self.unscaled, i64::from(self.scale) * i64::from(n))?;
        if u64::from(power) * self.unscaled.bits() > u64::from(MAX_DIGITS) * 4 {
            return Err(Throw::Limit("a decimal of too many digits"));
        }
        Ok(JDecimal::new(self.unscaled.pow(power), scale))
    }

    /// `compareTo`.
    pub fn compare(&self, other: &JDecimal) -> std::cmp::Ordering {
        let sign = self.signum().cmp(&other.signum());
        if sign.is_ne() || self.unscaled.is_zero() {
            return sign;
        }
        let places = |d: &JDecimal| i64::from(d.precision()) - i64::from(d.scale);
        let magnitude = places(self).cmp(&places(other));
        if magnitude.is_ne() {
            return if self.signum() < 0 {
                magnitude.reverse()
            } else {
                magnitude
            };
        }
        super::equality::compare_decimals(self, other)
    }

    /// `max`: the receiver where both are equal.
    pub fn max<'a>(&'a self, other: &'a JDecimal) -> &'a JDecimal {
        if self.compare(other).is_ge() { self } else { other }
    }

    /// `min`: the receiver where both are equal.
    pub fn min<'a>(&'a self, other: &'a JDecimal) -> &'a JDecimal {
        if self.compare(other).is_le() { self } else { other }
    }

    /// `movePointLeft`: the scale does not become negative.
    pub fn move_point_left(&self, n: i32) -> Eval<JDecimal> {
        if n == 0 {
            return Ok(self.clone());
        }
        let scale = checked_scale(&self.unscaled, i64::from(self.scale) + i64::from(n))?;
        let moved = JDecimal::new(self.unscaled.clone(), scale);
        if moved.scale < 0 {
            moved.set_scale(0, RoundingMode::Unnecessary)
        } else {
            Ok(moved)
        }
    }

    /// `movePointRight`.
    pub fn move_point_right(&self, n: i32) -> Eval<JDecimal> {
        if n == 0 {
            return Ok(self.clone());
        }
        let scale = checked_scale(&self.unscaled, i64::from(self.scale) - i64::from(n))?;
        let moved = JDecimal::new(self.unscaled.clone(), scale);
        if moved.scale < 0 {
            moved.set_scale(0, RoundingMode::Unnecessary)
        } else {
            Ok(moved)
        }
    }

    /// `scaleByPowerOfTen`.
    pub fn scale_by_power_of_ten(&self, n: i32) -> Eval<JDecimal> {
        let scale = checked_scale(&self.unscaled, i64::from(self.scale) - i64::from(n))?;
        Ok(JDecimal::new(self.unscaled.clone(), scale))
    }

    /// `toBigInteger`: truncates.
    pub fn to_big_int(&self) -> Eval<BigInt> {
        Ok(self.set_scale(0, RoundingMode::Down)?.unscaled)
    }

    /// `longValue`: truncates, then keeps the low 64 bits.
    pub fn long_value(&self) -> i64 {
        if i64::from(self.scale) <= -64 || i64::from(self.precision()) <= i64::from(self.scale) {
            return 0;
        }
        self.to_big_int().map(|n| low_64(&n)).unwrap_or(0)
    }

    /// `intValue`: the low 32 bits of [`JDecimal::long_value`].
    pub fn int_value(&self) -> i32 {
        self.long_value() as i32
    }

    /// `longValueExact` and its narrower kin.
    pub fn exact<T: TryFrom<BigInt>>(&self) -> Eval<T> {
        let overflow = || arithmetic("Overflow");
        if self.unscaled.is_zero() {
            return T::try_from(BigInt::zero()).map_err(|_| overflow());
        }
        if i64::from(self.precision()) <= i64::from(self.scale) {
            return Err(arithmetic("Rounding necessary"));
        }
        if i64::from(self.precision()) - i64::from(self.scale) > 19 {
            return Err(overflow());
        }
        let whole = self.set_scale(0, RoundingMode::Unnecessary)?.unscaled;
        T::try_from(whole).map_err(|_| overflow())
    }

    /// `doubleValue`: correctly rounded.
    pub fn to_f64(&self) -> f64 {
        format!("{}e{}", self.unscaled, -i64::from(self.scale))
            .parse()
            .unwrap_or(f64::NAN)
    }

    /// `floatValue`: correctly rounded from the decimal itself.
    pub fn to_f32(&self) -> f32 {
        format!("{}e{}", self.unscaled, -i64::from(self.scale))
            .parse()
            .unwrap_or(f32::NAN)
    }

    /// `hashCode`.
    pub fn hash_code(&self) -> i32 {
        big_int_hash(&self.unscaled).wrapping_mul(31).wrapping_add(self.scale)
    }
}

/// The low 64 bits of an integer in two's complement: `BigInteger.longValue`.
pub fn low_64(n: &BigInt) -> i64 {
    let low = (n.magnitude() % (1u128 << 64)).to_u64().unwrap_or(0) as i64;
    if n.is_negative() { low.wrapping_neg() } else { low }
}

/// `BigInteger.hashCode`.
pub fn big_int_hash(n: &BigInt) -> i32 {
    let hash = n
        .magnitude()
        .to_u32_digits()
        .iter()
        .rev()
        .fold(0i32, |h, word| h.wrapping_mul(31).wrapping_add(*word as i32));
    if n.is_negative() { hash.wrapping_neg() } else { hash }
}

/// `BigInteger.doubleValue`: correctly rounded, infinite where it is too large.
pub fn big_int_to_f64(n: &BigInt) -> f64 {
    n.to_f64().unwrap_or(f64::NAN)
}

/// The integer part of a finite double.
pub fn big_int_from_f64(x: f64) -> Option<BigInt> {
    BigInt::from_f64(x)
}

#[cfg(test)]
mod tests;
