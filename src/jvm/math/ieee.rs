//! What `java.lang.Math` and the boxes do exactly on every machine: in and out, primitives. Never rounds differently from
//! the JVM.

/// `sqrt`, correctly rounded.
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// `Math.round(double)`: the nearest integer, ties towards positive infinity, saturating; NaN is zero.
pub fn round(x: f64) -> i64 {
    let below = x.floor();
    if x - below >= 0.5 {
        (below + 1.0) as i64
    } else {
        below as i64
    }
}

/// `Math.round(float)`.
pub fn round_f32(x: f32) -> i32 {
    let below = x.floor();
    if x - below >= 0.5 {
        (below + 1.0) as i32
    } else {
        below as i32
    }
}

/// `Math.rint`: ties to even, the sign of zero kept.
pub fn rint(x: f64) -> f64 {
    x.round_ties_even()
}

/// `Math.max(double, double)`: NaN wins, and positive zero is above negative zero.
pub fn max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a == b {
        if a.is_sign_negative() { b } else { a }
    } else if a > b {
        a
    } else {
        b
    }
}

/// `Math.min(double, double)`.
pub fn min(a: f64, b: f64) -> f64 {
    -max(-a, -b)
}

/// `Math.max(float, float)`.
pub fn max_f32(a: f32, b: f32) -> f32 {
    max(a.into(), b.into()) as f32
}

/// `Math.min(float, float)`.
pub fn min_f32(a: f32, b: f32) -> f32 {
    min(a.into(), b.into()) as f32
}

/// `Math.signum(double)`: zeros and NaN are themselves.
pub fn signum(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() { x } else { 1.0_f64.copysign(x) }
}

/// `Math.signum(float)`.
pub fn signum_f32(x: f32) -> f32 {
    if x == 0.0 || x.is_nan() { x } else { 1.0_f32.copysign(x) }
}

/// `Math.toRadians`, a single multiplication since JDK 9.
pub fn to_radians(x: f64) -> f64 {
    x * 0.017_453_292_519_943_295
}

/// `Math.toDegrees`.
pub fn to_degrees(x: f64) -> f64 {
    x * 57.295_779_513_082_32
}

/// `Math.getExponent(double)`: 1024 for infinities and NaN, -1023 for zero and subnormal numbers.
pub fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// `Math.getExponent(float)`.
pub fn exponent_f32(x: f32) -> i32 {
    ((x.to_bits() >> 23) & 0xff) as i32 - 127
}

/// `Math.ulp(double)`.
pub fn ulp(x: f64) -> f64 {
    let x = x.abs();
    if x.is_finite() {
        f64::from_bits(if x == f64::MAX { x.to_bits() } else { x.to_bits() + 1 })
            - if x == f64::MAX { x.next_down() } else { x }
    } else {
        x
    }
}

/// `Math.ulp(float)`.
pub fn ulp_f32(x: f32) -> f32 {
    let x = x.abs();
    if !x.is_finite() {
        x
    } else if x == f32::MAX {
        x - x.next_down()
    } else {
        x.next_up() - x
    }
}

/// `Math.nextAfter(double, double)`.
pub fn next_after(start: f64, direction: f64) -> f64 {
    if start.is_nan() || direction.is_nan() {
        f64::NAN
    } else if start == direction {
        direction
    } else if direction > start {
        next_up(start)
    } else {
        next_down(start)
    }
}

/// `Math.nextUp(double)`.
pub fn next_up(x: f64) -> f64 {
    x.next_up()
}

/// `Math.nextDown(double)`.
pub fn next_down(x: f64) -> f64 {
    x.next_down()
}

/// `Math.scalb(double, int)`: rounds once where the result is subnormal.
pub fn scalb(x: f64, power: i32) -> f64 {
    libm::scalbn(x, power.clamp(-2200, 2200))
}

/// `Math.IEEEremainder`.
pub fn ieee_remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    libm::remquo(x, y).0
}

/// `Double.compare`: a total order with negative zero below positive zero and NaN, any NaN, above everything.
pub fn compare(a: f64, b: f64) -> i32 {
    if a < b {
        return -1;
    }
    if a > b {
        return 1;
    }
    double_to_long_bits(a).cmp(&double_to_long_bits(b)) as i32
}

/// `Float.compare`.
pub fn compare_f32(a: f32, b: f32) -> i32 {
    compare(a.into(), b.into())
}

/// `Double.doubleToLongBits`: one bit pattern for every NaN.
pub fn double_to_long_bits(x: f64) -> i64 {
    if x.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        x.to_bits() as i64
    }
}

/// `Float.floatToIntBits`.
pub fn float_to_int_bits(x: f32) -> i32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() as i32 }
}

/// `Double.hashCode`.
pub fn double_hash(x: f64) -> i32 {
    long_hash(double_to_long_bits(x))
}

/// `Long.hashCode`.
pub fn long_hash(x: i64) -> i32 {
    (x ^ ((x as u64) >> 32) as i64) as i32
}

/// Floor division; the divisor is not zero.
pub fn floor_div(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    if (a ^ b) < 0 && quotient.wrapping_mul(b) != a {
        quotient - 1
    } else {
        quotient
    }
}

/// Floor remainder; the divisor is not zero.
pub fn floor_mod(a: i64, b: i64) -> i64 {
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest ^ b) < 0 { rest + b } else { rest }
}

/// `Long.highestOneBit`.
pub fn highest_one_bit(x: i64) -> i64 {
    if x == 0 {
        0
    } else {
        (1_u64 << (63 - x.leading_zeros())) as i64
    }
}

/// `Integer.highestOneBit`.
pub fn highest_one_bit_i32(x: i32) -> i32 {
    if x == 0 {
        0
    } else {
        (1_u32 << (31 - x.leading_zeros())) as i32
    }
}
