//! `java.lang.Math` on HotSpot for x86-64: in, doubles; out, what the JVM gives. Seven functions there are intrinsics that err
//! by up to 0.53 ulp or so; they are answered by correctly rounded ones, which agree but for about one argument in a thousand
//! (`log` and `log10`: none found). The others are `StrictMath`'s, bit for bit. [`super::is_inexact`] names the seven.

pub use super::ieee::sqrt;
pub use super::strict::{acos, asin, atan, atan2, cbrt, cosh, expm1, hypot, log1p, sinh, tanh};

/// `sin`.
pub fn sin(x: f64) -> f64 {
    pxfm::f_sin(x)
}

/// `cos`.
pub fn cos(x: f64) -> f64 {
    pxfm::f_cos(x)
}

/// `tan`.
pub fn tan(x: f64) -> f64 {
    pxfm::f_tan(x)
}

/// `exp`.
pub fn exp(x: f64) -> f64 {
    or_strict(pxfm::f_exp(x), || super::strict::exp(x))
}

/// `log`.
pub fn log(x: f64) -> f64 {
    pxfm::f_log(x)
}

/// `log10`.
pub fn log10(x: f64) -> f64 {
    pxfm::f_log10(x)
}

/// `pow`; unlike C's, one to the power of NaN is NaN, and so is ±1 to an infinite power. Squares are exact products.
pub fn pow(x: f64, y: f64) -> f64 {
    if y == 2.0 {
        return x * x;
    }
    if y == 0.0 {
        return 1.0;
    }
    if y.is_nan() || x.is_nan() || (x.abs() == 1.0 && y.is_infinite()) {
        return f64::NAN;
    }
    or_strict(pxfm::f_pow(x, y), || super::strict::pow(x, y))
}

/// What was correctly rounded, but for results that are very small or no number: there it was seen to be wrong.
fn or_strict(near: f64, strict: impl FnOnce() -> f64) -> f64 {
    if near.is_normal() || near.is_infinite() {
        near
    } else {
        strict()
    }
}
