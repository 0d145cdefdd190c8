//! The decimal digits JDK 17 gives a binary floating-point number. In: the number; out: digits and a decimal exponent.
//!
//! JDK 19 prints the shortest decimal that reads back. Before, digits were generated one by one (the classic algorithm of
//! Steele & White and Dragon4) and stopped as soon as the text identifies the number, but with conservative interval bounds, with
//! estimates of the exponent and with machine arithmetic where the numbers are small. All of that shows in results (`2.0E-3` prints as
//! `0.002`, but 2^-44 prints one digit more than needed), so it is followed step by step here.

use num_bigint::BigUint;
use num_traits::Zero;

/// A finite positive number as `0.d1d2d3… × 10^exponent`; zero has the single digit 0 and exponent 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digits {
    /// Values 0 to 9, at least one.
    pub digits: Vec<u8>,
    /// Power of ten that the fraction is multiplied with.
    pub exponent: i32,
}

const HIDDEN_BIT: u64 = 1 << 52;

/// The digits of a finite double's magnitude. `compatible` is what `Double.toString` uses; scientific and fixed formats of
/// `Formatter` go without, which makes the generator produce a second digit where the first could have been the last.
pub fn of_double(value: f64, compatible: bool) -> Digits {
    let bits = value.to_bits();
    let fraction = bits & (HIDDEN_BIT - 1);
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    if exponent == 0 && fraction == 0 {
        return zero();
    }
    if exponent == 0 {
        let zeros = fraction.leading_zeros() as i32;
        return generate(
            1 - (zeros - 11) - 1023,
            fraction << (zeros - 11),
            64 - zeros,
            compatible,
        );
    }
    generate(exponent - 1023, fraction | HIDDEN_BIT, 53, compatible)
}

/// The digits of a finite float's magnitude.
pub fn of_float(value: f32) -> Digits {
    let bits = value.to_bits();
    let fraction = bits & 0x7f_ffff;
    let exponent = ((bits >> 23) & 0xff) as i32;
    if exponent == 0 && fraction == 0 {
        return zero();
    }
    let (exponent, fraction, significant) = if exponent == 0 {
        let zeros = fraction.leading_zeros() as i32;
        (1 - (zeros - 8), fraction << (zeros - 8), 32 - zeros)
    } else {
        (exponent, fraction | 0x80_0000, 24)
    };
    generate(exponent - 127, u64::from(fraction) << 29, significant, true)
}

fn zero() -> Digits {
    Digits {
        digits: vec![0],
        exponent: 1,
    }
}

/// Bits of 5^n.
fn bits_of_5_pow(n: i32) -> i32 {
    const BITS: [i32; 27] = [
        0, 3, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28, 31, 33, 35, 38, 40, 42, 45, 47, 49, 52, 54, 56, 59, 61,
    ];
    BITS.get(n as usize).copied().unwrap_or(n * 3)
}

/// `fraction` has its top bit at position 52; the number is `fraction × 2^(bin_exp - 52)`.
fn generate(bin_exp: i32, fraction: u64, significant: i32, compatible: bool) -> Digits {
    let tail_zeros = fraction.trailing_zeros() as i32;
    let fract_bits = 53 - tail_zeros;
    let tiny_bits = (fract_bits - bin_exp - 1).max(0);
    if (-21..=62).contains(&bin_exp) && tiny_bits == 0 {
        return integer_digits(bin_exp, fraction, significant);
    }
    let dec_exp = estimate_exponent(fraction, bin_exp);
    let b5 = (-dec_exp).max(0);
    let mut b2 = b5 + tiny_bits + bin_exp;
    let s5 = dec_exp.max(0);
    let mut s2 = s5 + tiny_bits;
    let mut m2 = b2 - significant;
    let fraction = fraction >> tail_zeros;
    b2 -= fract_bits - 1;
    let common = b2.min(s2);
    b2 -= common;
    s2 -= common;
    m2 -= common;
    if fract_bits == 1 {
        m2 -= 1;
    }
    if m2 < 0 {
        b2 -= m2;
        s2 -= m2;
        m2 = 0;
    }
    let b_bits = fract_bits + b2 + bits_of_5_pow(b5);
    let tens_bits = s2 + 1 + bits_of_5_pow(s5 + 1);
    let scaled = Scaled {
        fraction,
        b5: b5 as u32,
        b2: b2 as u32,
        s5: s5 as u32,
        s2: s2 as u32,
        m2: m2 as u32,
        dec_exp,
        compatible,
    };
    if b_bits < 32 && tens_bits < 32 {
        small_loop::<i32>(&scaled)
    } else if b_bits < 64 && tens_bits < 64 {
        small_loop::<i64>(&scaled)
    } else {
        big_loop(&scaled)
    }
}

/// An integer below 2^63: all its digits, except those that lie below the precision of a number beyond 2^53.
fn integer_digits(bin_exp: i32, fraction: u64, significant: i32) -> Digits {
    let insignificant = if bin_exp > significant {
        // Decimal digits below 2^p, rounded down.
        let p = f64::from(bin_exp - significant - 1);
        if p > 1.0 {
            (p * std::f64::consts::LOG10_2) as u32
        } else {
            0
        }
    } else {
        0
    };
    let mut value = if bin_exp >= 52 {
        fraction << (bin_exp - 52)
    } else {
        fraction >> (52 - bin_exp)
    };
    let mut exponent = 0;
    if insignificant != 0 {
        let power = 10u64.pow(insignificant);
        let residue = value % power;
        value /= power;
        exponent += insignificant as i32;
        if residue >= power >> 1 {
            value += 1;
        }
    }
    while value % 10 == 0 {
        value /= 10;
        exponent += 1;
    }
    let mut digits = Vec::new();
    while value > 0 {
        digits.push((value % 10) as u8);
        value /= 10;
    }
    digits.reverse();
    Digits {
        exponent: exponent + digits.len() as i32,
        digits,
    }
}

/// `floor(log10(value))` or one more or less, by a line through the mantissa's logarithm at 1.5.
#[allow(
    clippy::approx_constant,
    reason = "the JDK's own constant, two digits short of log10(2)"
)]
fn estimate_exponent(fraction: u64, bin_exp: i32) -> i32 {
    let mantissa = f64::from_bits(1f64.to_bits() | (fraction & (HIDDEN_BIT - 1)));
    let estimate = (mantissa - 1.5) * 0.289_529_654 + 0.176_091_259 + f64::from(bin_exp) * 0.301_029_995_663_981;
    estimate.floor() as i32
}

/// The number as `B / S` with the half-width `M` of its interval, each as powers of two and five.
struct Scaled {
    fraction: u64,
    b5: u32,
    b2: u32,
    s5: u32,
    s2: u32,
    m2: u32,
    dec_exp: i32,
    compatible: bool,
}

impl Scaled {
    /// Outside the range printed without an exponent the first digit never ends the text.
    fn force_second_digit(&self, dec_exp: i32) -> bool {
        !self.compatible || !(-3..8).contains(&dec_exp)
    }
}

/// A machine integer that wraps like the JVM's.
trait Word: num_traits::PrimInt + num_traits::WrappingMul + num_traits::WrappingAdd + num_traits::WrappingSub {
    fn of(v: i64) -> Self;
}

impl Word for i32 {
    fn of(v: i64) -> i32 {
        v as i32
    }
}

impl Word for i64 {
    fn of(v: i64) -> i64 {
        v
    }
}

fn small_loop<W: Word>(n: &Scaled) -> Digits {
    let pow5 = |p: u32| W::of(5i64.wrapping_pow(p));
    let ten = W::of(10);
    let shl = |v: W, by: u32| v.shl(by as usize);
    let mut b = shl(W::of(n.fraction as i64).wrapping_mul(&pow5(n.b5)), n.b2);
    let s = shl(pow5(n.s5), n.s2);
    let mut m = shl(pow5(n.b5), n.m2);
    let tens = s.wrapping_mul(&ten);
    let mut out = Generator::new(n.dec_exp);
    let mut q = b / s;
    b = ten.wrapping_mul(&(b % s));
    m = m.wrapping_mul(&ten);
    let mut low = b < m;
    let mut high = b.wrapping_add(&m) > tens;
    out.first(q.to_u8().unwrap_or(0), high);
    if n.force_second_digit(out.dec_exp) {
        low = false;
        high = false;
    }
    while !low && !high {
        q = b / s;
        b = ten.wrapping_mul(&(b % s));
        m = m.wrapping_mul(&ten);
        if m > W::zero() {
            low = b < m;
            high = b.wrapping_add(&m) > tens;
        } else {
            // The interval has grown past the word: both ends are inside.
            low = true;
            high = true;
        }
        out.digits.push(q.to_u8().unwrap_or(0));
    }
    let difference = shl(b, 1).wrapping_sub(&tens).cmp(&W::zero());
    out.finish(low, high, difference)
}

fn big_loop(n: &Scaled) -> Digits {
    let five = |p: u32| BigUint::from(5u32).pow(p);
    let mut b = (BigUint::from(n.fraction) * five(n.b5)) << n.b2;
    let s = five(n.s5) << n.s2;
    let mut m = five(n.b5) << n.m2;
    let tens = &s * 10u32;
    let mut out = Generator::new(n.dec_exp);
    let step = |b: &mut BigUint, m: &mut BigUint| {
        let q = &*b / &s;
        *b = (&*b - &q * &s) * 10u32;
        *m *= 10u32;
        let digit = q.iter_u32_digits().next().unwrap_or(0) as u8;
        (digit, *b < *m, tens <= &*b + &*m)
    };
    let (q, mut low, mut high) = step(&mut b, &mut m);
    out.first(q, high);
    if n.force_second_digit(out.dec_exp) {
        low = false;
        high = false;
    }
    while !low && !high {
        let (q, l, h) = step(&mut b, &mut m);
        (low, high) = (l, h);
        out.digits.push(q);
    }
    let difference = if high && low {
        (b << 1u32).cmp(&tens)
    } else {
        debug_assert!(!tens.is_zero());
        std::cmp::Ordering::Equal
    };
    out.finish(low, high, difference)
}

struct Generator {
    digits: Vec<u8>,
    dec_exp: i32,
}

impl Generator {
    fn new(dec_exp: i32) -> Generator {
        Generator {
            digits: Vec::with_capacity(18),
            dec_exp,
        }
    }

    /// A leading zero only means that the estimate was one too high.
    fn first(&mut self, q: u8, high: bool) {
        if q == 0 && !high {
            self.dec_exp -= 1;
        } else {
            self.digits.push(q);
        }
    }

    fn finish(mut self, low: bool, high: bool, difference: std::cmp::Ordering) -> Digits {
        let last_is_odd = self.digits.last().is_some_and(|d| d % 2 == 1);
        let up = high
            && (!low
                || match difference {
                    std::cmp::Ordering::Equal => last_is_odd,
                    other => other.is_gt(),
                });
        let mut exponent = self.dec_exp + 1;
        if up {
            exponent += round_up(&mut self.digits);
        }
        Digits {
            digits: self.digits,
            exponent,
        }
    }
}

/// Adds one to the last digit; returns 1 if the number grew by a place. Nines become zeros and stay.
pub fn round_up(digits: &mut [u8]) -> i32 {
    for d in digits.iter_mut().rev() {
        if *d < 9 {
            *d += 1;
            return 0;
        }
        *d = 0;
    }
    digits[0] = 1;
    1
}
