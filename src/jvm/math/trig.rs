//! `StrictMath.sin` and `cos`: in, a double; out, the double that fdlibm's argument reduction and series give, bit for bit.
//! Never approximates the reduction: arguments of any size are reduced with as many bits of 2/π as they need.

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, ToPrimitive};

use super::strict::{high, with_high};

const S: [f64; 6] = [
    -1.666_666_666_666_663_243_48e-1,
    8.333_333_333_322_489_461_24e-3,
    -1.984_126_982_985_794_931_34e-4,
    2.755_731_370_707_006_767_89e-6,
    -2.505_076_025_340_686_341_95e-8,
    1.589_690_995_211_550_102_21e-10,
];
const C: [f64; 6] = [
    4.166_666_666_666_660_190_37e-2,
    -1.388_888_888_887_410_957_49e-3,
    2.480_158_728_947_672_941_78e-5,
    -2.755_731_435_139_066_330_35e-7,
    2.087_572_321_298_174_827_90e-9,
    -1.135_964_755_778_819_482_65e-11,
];

/// `sin`.
pub fn sin(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    if high(x) & 0x7fff_ffff <= 0x3fe9_21fb {
        return kernel_sin(x, 0.0, false);
    }
    let (n, y0, y1) = reduce(x);
    match n & 3 {
        0 => kernel_sin(y0, y1, true),
        1 => kernel_cos(y0, y1),
        2 => -kernel_sin(y0, y1, true),
        _ => -kernel_cos(y0, y1),
    }
}

/// `cos`.
pub fn cos(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    if high(x) & 0x7fff_ffff <= 0x3fe9_21fb {
        return kernel_cos(x, 0.0);
    }
    let (n, y0, y1) = reduce(x);
    match n & 3 {
        0 => kernel_cos(y0, y1),
        1 => -kernel_sin(y0, y1, true),
        2 => -kernel_cos(y0, y1),
        _ => kernel_sin(y0, y1, true),
    }
}

/// Sine of `x + y` for `|x|` up to π/4; `tail` says whether `y` counts.
fn kernel_sin(x: f64, y: f64, tail: bool) -> f64 {
    if high(x) & 0x7fff_ffff < 0x3e40_0000 {
        return x;
    }
    let z = x * x;
    let v = z * x;
    let r = S[1] + z * (S[2] + z * (S[3] + z * (S[4] + z * S[5])));
    if tail {
        x - ((z * (0.5 * y - v * r) - y) - v * S[0])
    } else {
        x + v * (S[0] + z * r)
    }
}

/// Cosine of `x + y` for `|x|` up to π/4.
fn kernel_cos(x: f64, y: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix < 0x3e40_0000 {
        return 1.0;
    }
    let z = x * x;
    let r = z * (C[0] + z * (C[1] + z * (C[2] + z * (C[3] + z * (C[4] + z * C[5])))));
    if ix < 0x3fd3_3333 {
        return 1.0 - (0.5 * z - (z * r - x * y));
    }
    let qx = if ix > 0x3fe9_0000 {
        0.28125
    } else {
        with_high(0.0, ix - 0x0020_0000)
    };
    let hz = 0.5 * z - qx;
    let a = 1.0 - qx;
    a - (hz - (z * r - x * y))
}

/// π/2 in pieces of 33 bits, each with the remainder of π/2 that follows it.
const PIO2: [(f64, f64); 3] = [
    (1.570_796_326_734_125_614_17, 6.077_100_506_506_192_249_32e-11),
    (6.077_100_506_303_965_976_60e-11, 2.022_266_248_795_950_631_54e-21),
    (2.022_266_248_711_166_455_80e-21, 8.478_427_660_368_899_569_97e-32),
];

/// The quadrant of `x` and what is left, as a sum of two doubles; `|x|` is above π/4.
fn reduce(x: f64) -> (i32, f64, f64) {
    let ix = high(x) & 0x7fff_ffff;
    let a = x.abs();
    let (n, y0, y1) = if ix < 0x4002_d97c {
        let (piece, tail) = if ix == 0x3ff9_21fb { PIO2[1] } else { PIO2[0] };
        let z = if ix == 0x3ff9_21fb {
            (a - PIO2[0].0) - piece
        } else {
            a - piece
        };
        let y0 = z - tail;
        (1, y0, (z - y0) - tail)
    } else if ix <= 0x4139_21fb {
        reduce_medium(a, ix)
    } else {
        reduce_large(a)
    };
    if x < 0.0 { (-n, -y0, -y1) } else { (n, y0, y1) }
}

/// Up to 2^19 π/2: subtracts the multiple of π/2, with more of its bits the more they cancel.
fn reduce_medium(a: f64, ix: i32) -> (i32, f64, f64) {
    const INV_PIO2: f64 = std::f64::consts::FRAC_2_PI;
    let n = (a * INV_PIO2 + 0.5) as i32;
    let fraction = f64::from(n);
    let mut r = a - fraction * PIO2[0].0;
    let mut w = fraction * PIO2[0].1;
    let mut y0 = r - w;
    let far = n < 32 && ix != high(fraction * std::f64::consts::FRAC_PI_2);
    for (enough, (piece, tail)) in [(16, PIO2[1]), (49, PIO2[2])] {
        let lost = (ix >> 20) - ((high(y0) >> 20) & 0x7ff);
        if far || lost <= enough {
            break;
        }
        let before = r;
        w = fraction * piece;
        r = before - w;
        w = fraction * tail - ((before - r) - w);
        y0 = r - w;
    }
    (n, y0, (r - y0) - w)
}

/// The first 1280 bits of 2/π after the binary point, most significant word first.
const TWO_OVER_PI: [u64; 20] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
];

/// π/2 times 2^192, most significant word first.
const PIO2_192: [u64; 4] = [1, 0x921f_b544_42d1_8469, 0x898c_c517_01b8_39a2, 0x5204_9c11_14cf_98e8];

fn integer(words: &[u64]) -> BigInt {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).collect();
    BigInt::from_bytes_be(Sign::Plus, &bytes)
}

/// Above 2^19 π/2: multiplies by those 256 bits of 2/π that decide the quadrant and the rest.
fn reduce_large(a: f64) -> (i32, f64, f64) {
    const WINDOW: i32 = 256;
    let exponent = ((a.to_bits() >> 52) as i32) - 1075;
    let mantissa = (a.to_bits() & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    let first = (exponent - 1).max(1);
    let last = first + WINDOW - 1;
    let bits: BigInt = integer(&TWO_OVER_PI) >> (1280 - last);
    let bits = bits % (BigInt::from(1) << WINDOW);
    let product = bits * mantissa;
    let places = last - exponent;
    let n: BigInt = (&product + (BigInt::from(1) << (places - 1))) >> places;
    let rest = (product - (&n << places)) * integer(&PIO2_192);
    let scale = 192 + places;
    let y0 = rest.to_f64().unwrap_or(f64::NAN);
    let below = rest - BigInt::from_f64(y0).unwrap_or_default();
    let y1 = below.to_f64().unwrap_or(f64::NAN);
    let unit = 2.0_f64.powi(-scale / 2) * 2.0_f64.powi(-(scale - scale / 2));
    ((n % 4_i32).to_i32().unwrap_or(0), y0 * unit, y1 * unit)
}
