//! `StrictMath`: in, doubles; out, the doubles that Java specifies bit for bit. Java defines this class by the algorithms of
//! fdlibm, whose published constants and order of operations are followed here. Functions for which the `libm` crate
//! agrees with that bit for bit are taken from it. Never used for `Math` where the JVM has an intrinsic.

pub use super::ieee::sqrt;
pub use super::trig::{cos, sin};

const LN2_HI: f64 = 6.931_471_803_691_238_164_90e-1;
const LN2_LO: f64 = 1.908_214_929_270_587_700_02e-10;
/// Coefficients of the series that `log` and `log1p` share.
const LG: [f64; 7] = [
    6.666_666_666_666_735_13e-1,
    3.999_999_999_940_941_908e-1,
    2.857_142_874_366_239_149e-1,
    2.222_219_843_214_978_396e-1,
    1.818_357_216_161_805_012e-1,
    1.531_383_769_920_937_332e-1,
    1.479_819_860_511_658_591e-1,
];
const TWO54: f64 = 18_014_398_509_481_984.0;

/// The upper 32 bits.
pub(super) fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

/// `x` with other upper 32 bits.
pub(super) fn with_high(x: f64, hi: i32) -> f64 {
    f64::from_bits((u64::from(hi as u32) << 32) | (x.to_bits() & 0xffff_ffff))
}

/// `tan`.
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// `asin`.
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// `acos`.
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// `atan`.
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// `exp`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// `expm1`.
pub fn expm1(x: f64) -> f64 {
    libm::expm1(x)
}

/// `pow`; unlike C's, one to the power of NaN is NaN, and so is ±1 to an infinite power.
pub fn pow(x: f64, y: f64) -> f64 {
    if y != 0.0 && (y.is_nan() || x.is_nan() || (x.abs() == 1.0 && y.is_infinite())) {
        return f64::NAN;
    }
    libm::pow(x, y)
}

/// Largest magnitude for which `sinh` and `cosh` do not overflow.
const HYPERBOLIC_MAX: f64 = f64::from_bits(0x4086_33ce_8fb9_f87d);

/// `sinh` and `cosh` from 22 on, without the sign: half of `exp`, in two steps where `exp` itself overflows.
fn half_exp(x: f64) -> f64 {
    if high(x) < 0x4086_2e42 {
        return 0.5 * exp(x);
    }
    if x <= HYPERBOLIC_MAX {
        let root = exp(0.5 * x);
        return (0.5 * root) * root;
    }
    f64::INFINITY
}

/// `sinh`.
pub fn sinh(x: f64) -> f64 {
    if !x.is_finite() {
        return x;
    }
    let a = x.abs();
    let half = if x.is_sign_negative() { -0.5 } else { 0.5 };
    if high(a) < 0x4036_0000 {
        if high(a) < 0x3e30_0000 {
            return x;
        }
        let t = expm1(a);
        return if high(a) < 0x3ff0_0000 {
            half * (2.0 * t - t * t / (t + 1.0))
        } else {
            half * (t + t / (t + 1.0))
        };
    }
    half_exp(a).copysign(x)
}

/// `cosh`.
pub fn cosh(x: f64) -> f64 {
    if !x.is_finite() {
        return x * x;
    }
    let a = x.abs();
    if high(a) < 0x3fd6_2e43 {
        let t = expm1(a);
        let w = 1.0 + t;
        return if high(a) < 0x3c80_0000 {
            w
        } else {
            1.0 + (t * t) / (w + w)
        };
    }
    if high(a) < 0x4036_0000 {
        let t = exp(a);
        return 0.5 * t + 0.5 / t;
    }
    half_exp(a)
}

/// `tanh`.
pub fn tanh(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let a = x.abs();
    if high(a) >= 0x4036_0000 {
        return 1.0_f64.copysign(x);
    }
    if high(a) < 0x3c80_0000 {
        return x * (1.0 + x);
    }
    let z = if high(a) >= 0x3ff0_0000 {
        1.0 - 2.0 / (expm1(2.0 * a) + 2.0)
    } else {
        let t = expm1(-2.0 * a);
        -t / (t + 2.0)
    };
    if x.is_sign_negative() { -z } else { z }
}

/// `log`.
pub fn log(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    let (mut x, mut k) = (x, 0);
    if high(x) < 0x0010_0000 {
        k -= 54;
        x *= TWO54;
    }
    let mut hx = high(x);
    k += (hx >> 20) - 1023;
    hx &= 0x000f_ffff;
    let i = (hx + 0x9_5f64) & 0x10_0000;
    x = with_high(x, hx | (i ^ 0x3ff0_0000));
    k += i >> 20;
    log_near_one(x - 1.0, hx, f64::from(k))
}

/// `log(2^k (1 + f))`, where `hx` is the upper mantissa before the argument was brought near one.
fn log_near_one(f: f64, hx: i32, k: f64) -> f64 {
    if (0x000f_ffff & (2 + hx)) < 3 {
        if f == 0.0 {
            return if k == 0.0 { 0.0 } else { k * LN2_HI + k * LN2_LO };
        }
        let r = f * f * (0.5 - 0.333_333_333_333_333_33 * f);
        return if k == 0.0 {
            f - r
        } else {
            k * LN2_HI - ((r - k * LN2_LO) - f)
        };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (LG[1] + w * (LG[3] + w * LG[5]));
    let t2 = z * (LG[0] + w * (LG[2] + w * (LG[4] + w * LG[6])));
    let r = t2 + t1;
    if ((hx - 0x6147a) | (0x6b851 - hx)) > 0 {
        let half_square = 0.5 * f * f;
        return if k == 0.0 {
            f - (half_square - s * (half_square + r))
        } else {
            k * LN2_HI - ((half_square - (s * (half_square + r) + k * LN2_LO)) - f)
        };
    }
    if k == 0.0 {
        f - s * (f - r)
    } else {
        k * LN2_HI - ((s * (f - r) - k * LN2_LO) - f)
    }
}

/// `log10`.
pub fn log10(x: f64) -> f64 {
    const INV_LN10: f64 = std::f64::consts::LOG10_E;
    const LOG10_2_HI: f64 = 3.010_299_956_636_117_713_06e-1;
    const LOG10_2_LO: f64 = 3.694_239_077_158_930_786_16e-13;
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    let (mut x, mut k) = (x, 0);
    if high(x) < 0x0010_0000 {
        k -= 54;
        x *= TWO54;
    }
    k += (high(x) >> 20) - 1023;
    let below_one = i32::from(k < 0);
    x = with_high(x, (high(x) & 0x000f_ffff) | ((0x3ff - below_one) << 20));
    let y = f64::from(k + below_one);
    let z = y * LOG10_2_LO + INV_LN10 * log(x);
    z + y * LOG10_2_HI
}

/// `log1p`.
pub fn log1p(x: f64) -> f64 {
    let hx = high(x);
    let ax = hx & 0x7fff_ffff;
    let (mut k, mut f, mut hu, mut c) = (1, 0.0, 1, 0.0);
    if hx < 0x3fda_827a {
        if ax >= 0x3ff0_0000 {
            return if x == -1.0 { f64::NEG_INFINITY } else { f64::NAN };
        }
        if ax < 0x3e20_0000 {
            return if ax < 0x3c90_0000 { x } else { x - x * x * 0.5 };
        }
        if hx > 0 || hx <= 0xbfd2_bec3_u32 as i32 {
            (k, f, hu) = (0, x, 1);
        }
    }
    if hx >= 0x7ff0_0000 {
        return x + x;
    }
    if k != 0 {
        (k, f, hu, c) = log1p_reduce(x);
    }
    let k = f64::from(k);
    let half_square = 0.5 * f * f;
    if hu == 0 {
        if f == 0.0 {
            return if k == 0.0 { 0.0 } else { k * LN2_HI + (c + k * LN2_LO) };
        }
        let r = half_square * (1.0 - 0.666_666_666_666_666_66 * f);
        return if k == 0.0 {
            f - r
        } else {
            k * LN2_HI - ((r - (k * LN2_LO + c)) - f)
        };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z * LG.iter().rev().copied().reduce(|sum, lg| lg + z * sum).unwrap_or(0.0);
    if k == 0.0 {
        f - (half_square - s * (half_square + r))
    } else {
        k * LN2_HI - ((half_square - (s * (half_square + r) + (k * LN2_LO + c))) - f)
    }
}

/// `1 + x = 2^k (1 + f)` with the correction `c` for what `1 + x` lost; the upper mantissa comes third.
fn log1p_reduce(x: f64) -> (i32, f64, i32, f64) {
    let (mut u, k, c);
    if high(x) < 0x4340_0000 {
        u = 1.0 + x;
        k = (high(u) >> 20) - 1023;
        c = (if k > 0 { 1.0 - (u - x) } else { x - (u - 1.0) }) / u;
    } else {
        u = x;
        k = (high(u) >> 20) - 1023;
        c = 0.0;
    }
    let hu = high(u) & 0x000f_ffff;
    if hu < 0x6a09e {
        u = with_high(u, hu | 0x3ff0_0000);
        (k, u - 1.0, hu, c)
    } else {
        u = with_high(u, hu | 0x3fe0_0000);
        (k + 1, u - 1.0, (0x0010_0000 - hu) >> 2, c)
    }
}

/// `cbrt`.
pub fn cbrt(x: f64) -> f64 {
    const C: f64 = 5.428_571_428_571_428_159_06e-1;
    const D: f64 = -7.053_061_224_489_796_110_50e-1;
    const E: f64 = 1.414_285_714_285_714_368_19;
    const F: f64 = 1.607_142_857_142_857_206_30;
    const G: f64 = 3.571_428_571_428_571_507_87e-1;
    if !x.is_finite() || x == 0.0 {
        return x;
    }
    let a = x.abs();
    let mut t = if high(a) < 0x0010_0000 {
        let scaled = TWO54 * a;
        with_high(scaled, high(scaled) / 3 + 696_219_795)
    } else {
        with_high(0.0, high(a) / 3 + 715_094_163)
    };
    let s = C + (t * t / a) * t;
    t *= G + F / (s + E + D / s);
    t = with_high(0.0, high(t) + 1);
    let r = a / (t * t);
    let r = (r - t) / ((t + t) + r);
    (t + t * r).copysign(x)
}

/// `hypot`.
pub fn hypot(x: f64, y: f64) -> f64 {
    if x.is_infinite() || y.is_infinite() {
        return f64::INFINITY;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (x, y) = (x.abs(), y.abs());
    let (mut a, mut b) = if high(y) > high(x) { (y, x) } else { (x, y) };
    let (mut ha, mut hb) = (high(a), high(b));
    if ha - hb > 0x3c0_0000 {
        return a + b;
    }
    let mut k = 0;
    if ha > 0x5f30_0000 {
        (ha, hb, k) = (ha - 0x2580_0000, hb - 0x2580_0000, k + 600);
        (a, b) = (with_high(a, ha), with_high(b, hb));
    }
    if hb < 0x20b0_0000 {
        if hb < 0x0010_0000 {
            if b == 0.0 {
                return a;
            }
            let scale = with_high(0.0, 0x7fd0_0000);
            (a, b, k) = (a * scale, b * scale, k - 1022);
            (ha, hb) = (high(a), high(b));
        } else {
            (ha, hb, k) = (ha + 0x2580_0000, hb + 0x2580_0000, k - 600);
            (a, b) = (with_high(a, ha), with_high(b, hb));
        }
    }
    let w = hypot_core(a, b, ha, hb);
    if k == 0 {
        w
    } else {
        with_high(1.0, 0x3ff0_0000 + (k << 20)) * w
    }
}

/// `sqrt(a² + b²)` for `a >= b` of moderate size, splitting the larger terms so that nothing is lost.
fn hypot_core(a: f64, b: f64, ha: i32, hb: i32) -> f64 {
    let w = a - b;
    if w > b {
        let t1 = with_high(0.0, ha);
        let t2 = a - t1;
        return (t1 * t1 - (b * (-b) - t2 * (a + t1))).sqrt();
    }
    let a = a + a;
    let y1 = with_high(0.0, hb);
    let y2 = b - y1;
    let t1 = with_high(0.0, ha + 0x0010_0000);
    let t2 = a - t1;
    (t1 * y1 - (w * (-w) - (t1 * y2 + t2 * b))).sqrt()
}

/// `atan2`.
pub fn atan2(y: f64, x: f64) -> f64 {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    const PI_LO: f64 = 1.224_646_799_147_353_177_2e-16;
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x == 1.0 {
        return atan(y);
    }
    let left = x.is_sign_negative();
    if y == 0.0 {
        return if left { PI.copysign(y) } else { y };
    }
    if x == 0.0 {
        return FRAC_PI_2.copysign(y);
    }
    if x.is_infinite() {
        let angle = match (y.is_infinite(), left) {
            (true, false) => FRAC_PI_4,
            (true, true) => 3.0 * FRAC_PI_4,
            (false, false) => 0.0,
            (false, true) => PI,
        };
        return angle.copysign(y);
    }
    if y.is_infinite() {
        return FRAC_PI_2.copysign(y);
    }
    let k = (high(y.abs()) - high(x.abs())) >> 20;
    let z = if k > 60 {
        FRAC_PI_2 + 0.5 * PI_LO
    } else if left && k < -60 {
        0.0
    } else {
        atan((y / x).abs())
    };
    match (y.is_sign_negative(), left) {
        (false, false) => z,
        (true, false) => -z,
        (false, true) => PI - (z - PI_LO),
        (true, true) => (z - PI_LO) - PI,
    }
}
