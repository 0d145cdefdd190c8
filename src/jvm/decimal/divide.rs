//! Division: exact, to a scale, to a precision, to an integer. In: two decimals; out: JDK 17's quotient and its scale.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::rounding::divide_rounded;
use super::{JDecimal, MathContext, RoundingMode, arithmetic, checked_scale, digits, pow10, saturated};
use crate::jvm::value::Eval;

/// `BigInteger.divide`, `BigInt./`: truncates; zero throws.
pub fn integer_quotient(a: &BigInt, b: &BigInt) -> Eval<BigInt> {
    if b.is_zero() {
        return Err(arithmetic("BigInteger divide by zero"));
    }
    Ok(a / b)
}

impl JDecimal {
    /// The scale that a quotient has where its value allows.
    fn preferred_scale(&self, divisor: &JDecimal) -> i64 {
        i64::from(self.scale) - i64::from(divisor.scale)
    }

    fn check_divisor(&self, divisor: &JDecimal) -> Eval<()> {
        if !divisor.unscaled.is_zero() {
            Ok(())
        } else if self.unscaled.is_zero() {
            Err(arithmetic("Division undefined"))
        } else {
            Err(arithmetic("Division by zero"))
        }
    }

    /// `divide(BigDecimal)`: exact, or ArithmeticException where the expansion does not end.
    pub fn divide_exact(&self, divisor: &JDecimal) -> Eval<JDecimal> {
        self.check_divisor(divisor)?;
        let preferred = self.preferred_scale(divisor);
        if self.unscaled.is_zero() {
            return Ok(JDecimal::new(0, saturated(preferred)));
        }
        let common = self.unscaled.gcd(&divisor.unscaled);
        let (mut numerator, mut denominator) = (&self.unscaled / &common, &divisor.unscaled / &common);
        if denominator.is_negative() {
            (numerator, denominator) = (-numerator, -denominator);
        }
        let twos = factor_out(&mut denominator, 2);
        let fives = factor_out(&mut denominator, 5);
        if denominator != BigInt::from(1u8) {
            return Err(arithmetic(
                "Non-terminating decimal expansion; no exact representable decimal result.",
            ));
        }
        let places = twos.max(fives);
        let unscaled =
            numerator * BigInt::from(2u8).pow((places - twos) as u32) * BigInt::from(5u8).pow((places - fives) as u32);
        let scale = checked_scale(&unscaled, preferred + places)?;
        Ok(JDecimal::new(unscaled, scale).stripped_to(preferred))
    }

    /// `divide(BigDecimal, int, RoundingMode)`.
    pub fn divide_to_scale(&self, divisor: &JDecimal, scale: i32, mode: RoundingMode) -> Eval<JDecimal> {
        if divisor.unscaled.is_zero() {
            return Err(arithmetic("/ by zero"));
        }
        let raise = i64::from(scale) + i64::from(divisor.scale) - i64::from(self.scale);
        Ok(JDecimal::new(self.raised_quotient(divisor, raise, mode)?.0, scale))
    }

    /// The rounded quotient of the unscaled values times `10^raise`, and whether it is exact.
    fn raised_quotient(&self, divisor: &JDecimal, raise: i64, mode: RoundingMode) -> Eval<(BigInt, bool)> {
        if self.unscaled.is_zero() {
            return Ok((BigInt::zero(), true));
        }
        if raise >= 0 {
            divide_rounded(&(&self.unscaled * pow10(raise)?), &divisor.unscaled, mode)
        } else {
            let enough = (-raise).min(i64::from(self.precision()) + 2);
            divide_rounded(&self.unscaled, &(&divisor.unscaled * pow10(enough)?), mode)
        }
    }

    /// `divide(BigDecimal, MathContext)`.
    pub fn divide_rounded(&self, divisor: &JDecimal, mc: MathContext) -> Eval<JDecimal> {
        if mc.precision == 0 {
            return self.divide_exact(divisor);
        }
        let preferred = self.preferred_scale(divisor);
        self.check_divisor(divisor)?;
        if self.unscaled.is_zero() {
            return Ok(JDecimal::new(0, saturated(preferred)));
        }
        // As many digits as asked for: one place more where the digits of the dividend begin below those of the divisor.
        let (x, y) = (i64::from(self.precision()), i64::from(divisor.precision()));
        let level = x.max(y);
        let left = self.unscaled.abs() * pow10(level - x)?;
        let right = divisor.unscaled.abs() * pow10(level - y)?;
        let shorter = i64::from(left > right);
        let scale = preferred + (y - shorter) - x + i64::from(mc.precision);
        let raise = scale - preferred;
        let (unscaled, exact) = self.raised_quotient(divisor, raise, mc.mode)?;
        let scale = checked_scale(&unscaled, scale)?;
        let quotient = JDecimal::new(unscaled, scale);
        let quotient = if exact {
            quotient.stripped_to(preferred)
        } else {
            quotient
        };
        quotient.round(mc)
    }

    /// `divideToIntegralValue`.
    pub fn divide_to_integral(&self, divisor: &JDecimal) -> Eval<JDecimal> {
        let preferred = saturated(self.preferred_scale(divisor));
        if self.abs().compare(&divisor.abs()).is_lt() {
            return Ok(JDecimal::new(0, preferred));
        }
        self.check_divisor(divisor)?;
        if self.unscaled.is_zero() {
            return Ok(JDecimal::new(0, preferred));
        }
        let raise = i64::from(divisor.scale) - i64::from(self.scale);
        let (whole, _) = self.raised_quotient(divisor, raise, RoundingMode::Down)?;
        let quotient = JDecimal::new(whole, 0);
        let stripped = quotient.stripped_to(preferred.into());
        if stripped.scale < preferred {
            return stripped.set_scale(preferred, RoundingMode::Unnecessary);
        }
        Ok(stripped)
    }

    /// `remainder`: the sign of the dividend.
    pub fn remainder(&self, divisor: &JDecimal) -> Eval<JDecimal> {
        let quotient = self.divide_to_integral(divisor)?;
        self.subtract(&quotient.multiply(divisor)?)
    }

    /// `pow(int, MathContext)`: the algorithm of ANSI X3.274.
    pub fn pow_rounded(&self, n: i32, mc: MathContext) -> Eval<JDecimal> {
        if mc.precision == 0 {
            return self.pow(n);
        }
        if n.unsigned_abs() > 999_999_999 {
            return Err(arithmetic("Invalid operation"));
        }
        if n == 0 {
            return Ok(JDecimal::new(1, 0));
        }
        let length = digits(&BigInt::from(n.unsigned_abs()));
        if length > mc.precision {
            return Err(arithmetic("Invalid operation"));
        }
        let work = MathContext::of(mc.precision + length + 1, mc.mode);
        let mut power = JDecimal::new(1, 0);
        for bit in (0..length_in_bits(n)).rev() {
            power = power.multiply(&power)?.round(work)?;
            if n.unsigned_abs() >> bit & 1 == 1 {
                power = power.multiply(self)?.round(work)?;
            }
        }
        if n < 0 {
            power = JDecimal::new(1, 0).divide_rounded(&power, work)?;
        }
        power.round(mc)
    }
}

/// Divides by `factor` as often as it goes; how often.
fn factor_out(n: &mut BigInt, factor: u8) -> i64 {
    let factor = BigInt::from(factor);
    let mut times = 0;
    loop {
        let (quotient, rest) = n.div_rem(&factor);
        if !rest.is_zero() {
            return times;
        }
        *n = quotient;
        times += 1;
    }
}

fn length_in_bits(n: i32) -> u32 {
    32 - n.unsigned_abs().leading_zeros()
}
