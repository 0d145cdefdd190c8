//! Static functions of `java.lang.Math`, `StrictMath` and `scala.math`.

use crate::jvm::math::{ieee, java, strict};
use crate::jvm::rows::statics;
use crate::jvm::value::{Eval, Throw};

/// `ArithmeticException` with the JDK's message.
pub(super) fn arithmetic(message: &str) -> Throw {
    Throw::exception("ArithmeticException", message)
}

fn int_overflow<T>(result: Option<T>) -> Eval<T> {
    result.ok_or_else(|| arithmetic("integer overflow"))
}

fn long_overflow<T>(result: Option<T>) -> Eval<T> {
    result.ok_or_else(|| arithmetic("long overflow"))
}

/// The divisor, which must not be zero.
pub(super) fn divisor<T: Default + PartialEq>(b: T) -> Eval<T> {
    if b == T::default() {
        Err(arithmetic("/ by zero"))
    } else {
        Ok(b)
    }
}

macro_rules! math_rows {
    ($(#[$doc:meta])* $table:ident, $recv:literal, $short:literal, $imp:ident) => {
        statics!($(#[$doc])* $table, $recv, $short, cx;
            one "E"() -> Double = std::f64::consts::E;
            one "PI"() -> Double = std::f64::consts::PI;
            over "abs"(a: Int) -> Int = a.wrapping_abs();
            over "abs"(a: Long) -> Long = a.wrapping_abs();
            over "abs"(a: Float) -> Float = a.abs();
            over "abs"(a: Double) -> Double = a.abs();
            over "max"(a: Int, b: Int) -> Int = a.max(b);
            over "max"(a: Long, b: Long) -> Long = a.max(b);
            over "max"(a: Float, b: Float) -> Float = ieee::max_f32(a, b);
            over "max"(a: Double, b: Double) -> Double = ieee::max(a, b);
            over "min"(a: Int, b: Int) -> Int = a.min(b);
            over "min"(a: Long, b: Long) -> Long = a.min(b);
            over "min"(a: Float, b: Float) -> Float = ieee::min_f32(a, b);
            over "min"(a: Double, b: Double) -> Double = ieee::min(a, b);
            over "round"(a: Float) -> Int = ieee::round_f32(a);
            over "round"(a: Double) -> Long = ieee::round(a);
            one "floor"(a: Double) -> Double = a.floor();
            one "ceil"(a: Double) -> Double = a.ceil();
            one "rint"(a: Double) -> Double = ieee::rint(a);
            one "sqrt"(a: Double) -> Double = $imp::sqrt(a);
            one "cbrt"(a: Double) -> Double = $imp::cbrt(a);
            one "pow"(a: Double, b: Double) -> Double = $imp::pow(a, b);
            one "exp"(a: Double) -> Double = $imp::exp(a);
            one "expm1"(a: Double) -> Double = $imp::expm1(a);
            one "log"(a: Double) -> Double = $imp::log(a);
            one "log10"(a: Double) -> Double = $imp::log10(a);
            one "log1p"(a: Double) -> Double = $imp::log1p(a);
            one "sin"(a: Double) -> Double = $imp::sin(a);
            one "cos"(a: Double) -> Double = $imp::cos(a);
            one "tan"(a: Double) -> Double = $imp::tan(a);
            one "asin"(a: Double) -> Double = $imp::asin(a);
            one "acos"(a: Double) -> Double = $imp::acos(a);
            one "atan"(a: Double) -> Double = $imp::atan(a);
            one "atan2"(a: Double, b: Double) -> Double = $imp::atan2(a, b);
            one "sinh"(a: Double) -> Double = $imp::sinh(a);
            one "cosh"(a: Double) -> Double = $imp::cosh(a);
            one "tanh"(a: Double) -> Double = $imp::tanh(a);
            one "hypot"(a: Double, b: Double) -> Double = $imp::hypot(a, b);
            one "toRadians"(a: Double) -> Double = ieee::to_radians(a);
            one "toDegrees"(a: Double) -> Double = ieee::to_degrees(a);
            over "signum"(a: Float) -> Float = ieee::signum_f32(a);
            over "signum"(a: Double) -> Double = ieee::signum(a);
            over "ulp"(a: Float) -> Float = ieee::ulp_f32(a);
            over "ulp"(a: Double) -> Double = ieee::ulp(a);
            one "IEEEremainder"(a: Double, b: Double) -> Double = ieee::ieee_remainder(a, b);
            over "floorDiv"(a: Int, b: Int) -> Int throws "ArithmeticException" = ieee::floor_div(a.into(), divisor(b)?.into()) as i32;
            over "floorDiv"(a: Long, b: Long) -> Long throws "ArithmeticException" = ieee::floor_div(a, divisor(b)?);
            over "floorMod"(a: Int, b: Int) -> Int throws "ArithmeticException" = ieee::floor_mod(a.into(), divisor(b)?.into()) as i32;
            over "floorMod"(a: Long, b: Int) -> Int throws "ArithmeticException" = ieee::floor_mod(a, divisor(b)?.into()) as i32;
            over "floorMod"(a: Long, b: Long) -> Long throws "ArithmeticException" = ieee::floor_mod(a, divisor(b)?);
        );
    };
}

math_rows!(
    /// `java.lang.Math`.
    MATH, "static Math", "Math", java
);
math_rows!(
    /// `java.lang.StrictMath`.
    STRICT_MATH, "static StrictMath", "StrictMath", strict
);
math_rows!(
    /// `scala.math`, the part it shares with `Math`.
    SCALA_MATH, "static math", "Math", java
);

statics!(
    /// What only `Math` has.
    JAVA_MATH_ONLY, "static Math", "Math", cx;
    over "addExact"(a: Int, b: Int) -> Int throws "ArithmeticException" = int_overflow(a.checked_add(b))?;
    over "addExact"(a: Long, b: Long) -> Long throws "ArithmeticException" = long_overflow(a.checked_add(b))?;
    over "subtractExact"(a: Int, b: Int) -> Int throws "ArithmeticException" = int_overflow(a.checked_sub(b))?;
    over "subtractExact"(a: Long, b: Long) -> Long throws "ArithmeticException" = long_overflow(a.checked_sub(b))?;
    over "multiplyExact"(a: Int, b: Int) -> Int throws "ArithmeticException" = int_overflow(a.checked_mul(b))?;
    over "multiplyExact"(a: Long, b: Int) -> Long throws "ArithmeticException" = long_overflow(a.checked_mul(b.into()))?;
    over "multiplyExact"(a: Long, b: Long) -> Long throws "ArithmeticException" = long_overflow(a.checked_mul(b))?;
    over "negateExact"(a: Int) -> Int throws "ArithmeticException" = int_overflow(a.checked_neg())?;
    over "negateExact"(a: Long) -> Long throws "ArithmeticException" = long_overflow(a.checked_neg())?;
    over "incrementExact"(a: Int) -> Int throws "ArithmeticException" = int_overflow(a.checked_add(1))?;
    over "incrementExact"(a: Long) -> Long throws "ArithmeticException" = long_overflow(a.checked_add(1))?;
    over "decrementExact"(a: Int) -> Int throws "ArithmeticException" = int_overflow(a.checked_sub(1))?;
    over "decrementExact"(a: Long) -> Long throws "ArithmeticException" = long_overflow(a.checked_sub(1))?;
    over "absExact"(a: Int) -> Int throws "ArithmeticException" = a
        .checked_abs()
        .ok_or_else(|| arithmetic("Overflow to represent absolute value of Integer.MIN_VALUE"))?;
    over "absExact"(a: Long) -> Long throws "ArithmeticException" = a
        .checked_abs()
        .ok_or_else(|| arithmetic("Overflow to represent absolute value of Long.MIN_VALUE"))?;
    one "toIntExact"(a: Long) -> Int throws "ArithmeticException" = int_overflow(i32::try_from(a).ok())?;
    one "multiplyFull"(a: Int, b: Int) -> Long = i64::from(a) * i64::from(b);
    one "multiplyHigh"(a: Long, b: Long) -> Long = ((i128::from(a) * i128::from(b)) >> 64) as i64;
    over "floorDiv"(a: Long, b: Int) -> Long throws "ArithmeticException" = ieee::floor_div(a, divisor(b)?.into());
    over "copySign"(a: Float, b: Float) -> Float = a.copysign(b);
    over "copySign"(a: Double, b: Double) -> Double = a.copysign(b);
    over "fma"(a: Float, b: Float, c: Float) -> Float = a.mul_add(b, c);
    over "fma"(a: Double, b: Double, c: Double) -> Double = a.mul_add(b, c);
    over "nextUp"(a: Float) -> Float = a.next_up();
    over "nextUp"(a: Double) -> Double = a.next_up();
    over "nextDown"(a: Float) -> Float = a.next_down();
    over "nextDown"(a: Double) -> Double = a.next_down();
    over "nextAfter"(a: Double, b: Double) -> Double = ieee::next_after(a, b);
    over "getExponent"(a: Float) -> Int = ieee::exponent_f32(a);
    over "getExponent"(a: Double) -> Int = ieee::exponent(a);
    over "scalb"(a: Double, b: Int) -> Double = ieee::scalb(a, b);
    over "scalb"(a: Float, b: Int) -> Float = ieee::scalb(a.into(), b.clamp(-400, 400)) as f32;
);

statics!(
    /// What only `scala.math` has.
    SCALA_MATH_ONLY, "static math", "math", cx;
    over "signum"(a: Int) -> Int = a.signum();
    over "signum"(a: Long) -> Long = a.signum();
    over "round"(a: Long) -> Long = a;
    one "Pi"() -> Double = std::f64::consts::PI;
);
