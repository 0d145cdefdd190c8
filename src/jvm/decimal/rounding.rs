//! Rounding: to a scale, to a precision. In: a decimal and a mode; out: the decimal of JDK 17, or ArithmeticException where
//! `UNNECESSARY` would have to round.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::{JDecimal, arithmetic, checked_scale, pow10};
use crate::jvm::value::{Eval, Throw};

/// `java.math.RoundingMode`, in its order; Scala's has the same names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RoundingMode {
    /// Away from zero.
    Up,
    /// Towards zero.
    Down,
    /// Towards positive infinity.
    Ceiling,
    /// Towards negative infinity.
    Floor,
    /// Nearest, ties away from zero.
    HalfUp,
    /// Nearest, ties towards zero.
    HalfDown,
    /// Nearest, ties to even.
    HalfEven,
    /// Throws if anything would be lost.
    Unnecessary,
}

impl RoundingMode {
    /// All, by their number in Java (`BigDecimal.ROUND_UP` is 0).
    pub const ALL: [RoundingMode; 8] = [
        RoundingMode::Up,
        RoundingMode::Down,
        RoundingMode::Ceiling,
        RoundingMode::Floor,
        RoundingMode::HalfUp,
        RoundingMode::HalfDown,
        RoundingMode::HalfEven,
        RoundingMode::Unnecessary,
    ];

    /// The name in Java and Scala.
    pub fn name(self) -> &'static str {
        match self {
            RoundingMode::Up => "UP",
            RoundingMode::Down => "DOWN",
            RoundingMode::Ceiling => "CEILING",
            RoundingMode::Floor => "FLOOR",
            RoundingMode::HalfUp => "HALF_UP",
            RoundingMode::HalfDown => "HALF_DOWN",
            RoundingMode::HalfEven => "HALF_EVEN",
            RoundingMode::Unnecessary => "UNNECESSARY",
        }
    }

    /// By name.
    pub fn named(name: &str) -> Option<RoundingMode> {
        RoundingMode::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// By the number of the deprecated `ROUND_` constants.
    pub fn numbered(number: i32) -> Eval<RoundingMode> {
        usize::try_from(number)
            .ok()
            .and_then(|n| RoundingMode::ALL.get(n).copied())
            .ok_or_else(|| Throw::exception("IllegalArgumentException", "Invalid rounding mode"))
    }

    /// Whether the truncated quotient grows by one in magnitude; `half` compares twice the rest with the divisor.
    fn rounds_up(self, negative: bool, odd: bool, half: std::cmp::Ordering) -> Eval<bool> {
        Ok(match self {
            RoundingMode::Up => true,
            RoundingMode::Down => false,
            RoundingMode::Ceiling => !negative,
            RoundingMode::Floor => negative,
            RoundingMode::HalfUp => half.is_ge(),
            RoundingMode::HalfDown => half.is_gt(),
            RoundingMode::HalfEven => half.is_gt() || (half.is_eq() && odd),
            RoundingMode::Unnecessary => return Err(arithmetic("Rounding necessary")),
        })
    }
}

/// `java.math.MathContext`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MathContext {
    /// Number of digits; zero means no limit.
    pub precision: u32,
    /// How to round to them.
    pub mode: RoundingMode,
}

impl MathContext {
    /// No limit.
    pub const UNLIMITED: MathContext = MathContext::of(0, RoundingMode::HalfUp);
    /// 7 digits.
    pub const DECIMAL32: MathContext = MathContext::of(7, RoundingMode::HalfEven);
    /// 16 digits.
    pub const DECIMAL64: MathContext = MathContext::of(16, RoundingMode::HalfEven);
    /// 34 digits: the default of Scala's `BigDecimal`.
    pub const DECIMAL128: MathContext = MathContext::of(34, RoundingMode::HalfEven);

    /// A context.
    pub const fn of(precision: u32, mode: RoundingMode) -> MathContext {
        MathContext { precision, mode }
    }
}

/// `a / b` as an integer, rounded; whether it was exact comes second. `b` is not zero.
pub fn divide_rounded(a: &BigInt, b: &BigInt, mode: RoundingMode) -> Eval<(BigInt, bool)> {
    let (quotient, rest) = a.div_rem(b);
    if rest.is_zero() {
        return Ok((quotient, true));
    }
    let negative = a.is_negative() != b.is_negative();
    let half = (rest.abs() * 2u8).cmp(&b.abs());
    let grows = mode.rounds_up(negative, quotient.is_odd(), half)?;
    Ok((
        match (grows, negative) {
            (false, _) => quotient,
            (true, false) => quotient + 1u8,
            (true, true) => quotient - 1u8,
        },
        false,
    ))
}

/// Decimal digits of the largest `BigInteger` of the JDK, which has 2^31 bits.
const MOST_DIGITS: i64 = 646_456_992;

impl JDecimal {
    /// `setScale(int, RoundingMode)`.
    pub fn set_scale(&self, scale: i32, mode: RoundingMode) -> Eval<JDecimal> {
        let raise = i64::from(scale) - i64::from(self.scale);
        if raise == 0 {
            return Ok(self.clone());
        }
        if self.unscaled.is_zero() {
            return Ok(JDecimal::new(0, scale));
        }
        // The distance is an `int` in the JDK, which throws where it does not fit.
        if i32::try_from(raise.abs()).is_err() {
            return Err(Throw::exception(
                "ArithmeticException",
                if raise > 0 { "Overflow" } else { "Underflow" },
            ));
        }
        if raise.abs() > MOST_DIGITS {
            return Err(Throw::exception(
                "ArithmeticException",
                "BigInteger would overflow supported range",
            ));
        }
        if raise > 0 {
            return Ok(JDecimal::new(&self.unscaled * pow10(raise)?, scale));
        }
        // Far below half a unit of the new scale the power of ten need not be built.
        let drop = (-raise).min(i64::from(self.precision()) + 2);
        let (unscaled, _) = divide_rounded(&self.unscaled, &pow10(drop)?, mode)?;
        Ok(JDecimal::new(unscaled, scale))
    }

    /// `round(MathContext)`.
    pub fn round(&self, mc: MathContext) -> Eval<JDecimal> {
        let mut rounded = self.clone();
        if mc.precision == 0 {
            return Ok(rounded);
        }
        loop {
            let drop = i64::from(rounded.precision()) - i64::from(mc.precision);
            if drop <= 0 {
                return Ok(rounded);
            }
            let (unscaled, _) = divide_rounded(&rounded.unscaled, &pow10(drop)?, mc.mode)?;
            let scale = checked_scale(&unscaled, i64::from(rounded.scale) - drop)?;
            rounded = JDecimal::new(unscaled, scale);
        }
    }

    /// Drops trailing zeros while the scale stays at least `least`.
    pub(super) fn stripped_to(&self, least: i64) -> JDecimal {
        let mut stripped = self.clone();
        while i64::from(stripped.scale) > least && !stripped.unscaled.is_zero() {
            let (quotient, rest) = stripped.unscaled.div_rem(&BigInt::from(10u8));
            if !rest.is_zero() {
                break;
            }
            let Some(scale) = stripped.scale.checked_sub(1) else {
                break;
            };
            stripped = JDecimal::new(quotient, scale);
        }
        stripped
    }

    /// `stripTrailingZeros`.
    pub fn strip_trailing_zeros(&self) -> JDecimal {
        if self.unscaled.is_zero() {
            JDecimal::new(0, 0)
        } else {
            self.stripped_to(i64::MIN)
        }
    }

    /// `add(BigDecimal, MathContext)`.
    pub fn add_rounded(&self, other: &JDecimal, mc: MathContext) -> Eval<JDecimal> {
        if mc.precision == 0 || !(self.unscaled.is_zero() || other.unscaled.is_zero()) {
            return self.add(other)?.round(mc);
        }
        let preferred = self.scale.max(other.scale);
        if self.unscaled.is_zero() && other.unscaled.is_zero() {
            return Ok(JDecimal::new(0, preferred));
        }
        let sum = if self.unscaled.is_zero() { other } else { self }.round(mc)?;
        if sum.scale >= preferred {
            return Ok(sum.stripped_to(preferred.into()));
        }
        let room = i64::from(mc.precision) - i64::from(sum.precision());
        let wanted = i64::from(preferred) - i64::from(sum.scale);
        let scale = i64::from(sum.scale) + wanted.min(room);
        sum.set_scale(checked_scale(&sum.unscaled, scale)?, RoundingMode::Unnecessary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_out_of_reach_throws_as_in_the_jdk() {
        // JDK 17: new BigDecimal("5").setScale(Integer.MIN_VALUE, HALF_DOWN) and with -2147483647.
        for scale in [i32::MIN, -i32::MAX] {
            let five = JDecimal::new(5, 0);
            assert!(five.set_scale(scale, RoundingMode::HalfDown).is_err(), "{scale}");
        }
        let zero = JDecimal::new(0, 2).set_scale(i32::MIN, RoundingMode::HalfDown);
        assert_eq!(zero.map(|d| d.scale).ok(), Some(i32::MIN));
    }
}
