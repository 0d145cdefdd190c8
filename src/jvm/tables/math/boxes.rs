//! Static members of the boxes and of the companions of the primitives: `Integer.MAX_VALUE`, `Int.MaxValue`, `Long.compare`.
//!
//! `Integer` and Scala's `Int` have modules of their own; those of the other types have the same simple name in both languages,
//! so that their members share a table. Two differ: `Double.MIN_VALUE` is the least positive value, `Double.MinValue` the
//! most negative one.

use super::functions::divisor;
use crate::jvm::math::ieee;
use crate::jvm::rows::{put, statics};
use crate::jvm::text::JStr;

statics!(
    /// `java.lang.Integer`.
    INTEGER, "static Integer", "Integer", cx;
    one "MAX_VALUE"() -> Int = i32::MAX;
    one "MIN_VALUE"() -> Int = i32::MIN;
    one "SIZE"() -> Int = 32;
    one "BYTES"() -> Int = 4;
    one "compare"(a: Int, b: Int) -> Int = a.cmp(&b) as i32;
    one "compareUnsigned"(a: Int, b: Int) -> Int = (a as u32).cmp(&(b as u32)) as i32;
    one "divideUnsigned"(a: Int, b: Int) -> Int throws "ArithmeticException" = (a as u32 / divisor(b)? as u32) as i32;
    one "remainderUnsigned"(a: Int, b: Int) -> Int throws "ArithmeticException" = (a as u32 % divisor(b)? as u32) as i32;
    one "toUnsignedLong"(a: Int) -> Long = i64::from(a as u32);
    one "toUnsignedString"(a: Int) -> String = JStr::new(&(a as u32).to_string());
    one "signum"(a: Int) -> Int = a.signum();
    one "sum"(a: Int, b: Int) -> Int = a.wrapping_add(b);
    one "max"(a: Int, b: Int) -> Int = a.max(b);
    one "min"(a: Int, b: Int) -> Int = a.min(b);
    one "bitCount"(a: Int) -> Int = a.count_ones() as i32;
    one "reverse"(a: Int) -> Int = a.reverse_bits();
    one "reverseBytes"(a: Int) -> Int = a.swap_bytes();
    one "rotateLeft"(a: Int, b: Int) -> Int = a.rotate_left((b & 31) as u32);
    one "rotateRight"(a: Int, b: Int) -> Int = a.rotate_right((b & 31) as u32);
    one "highestOneBit"(a: Int) -> Int = ieee::highest_one_bit_i32(a);
    one "lowestOneBit"(a: Int) -> Int = a & a.wrapping_neg();
    one "numberOfLeadingZeros"(a: Int) -> Int = a.leading_zeros() as i32;
    one "numberOfTrailingZeros"(a: Int) -> Int = a.trailing_zeros() as i32;
    one "hashCode"(a: Int) -> Int = a;
    over "valueOf"(a: Int) -> ("Box[Int]") = put!(Int, a);
);

statics!(
    /// Scala's `Int`.
    INT, "static Int", "Int", cx;
    one "MaxValue"() -> Int = i32::MAX;
    one "MinValue"() -> Int = i32::MIN;
    one "box"(a: Int) -> ("Box[Int]") = put!(Int, a);
);

statics!(
    /// `Long` of both languages.
    LONG, "static Long", "Long", cx;
    one "MAX_VALUE"() -> Long = i64::MAX;
    one "MIN_VALUE"() -> Long = i64::MIN;
    one "MaxValue"() -> Long = i64::MAX;
    one "MinValue"() -> Long = i64::MIN;
    one "SIZE"() -> Int = 64;
    one "BYTES"() -> Int = 8;
    one "compare"(a: Long, b: Long) -> Int = a.cmp(&b) as i32;
    one "compareUnsigned"(a: Long, b: Long) -> Int = (a as u64).cmp(&(b as u64)) as i32;
    one "divideUnsigned"(a: Long, b: Long) -> Long throws "ArithmeticException" = (a as u64 / divisor(b)? as u64) as i64;
    one "remainderUnsigned"(a: Long, b: Long) -> Long throws "ArithmeticException" = (a as u64 % divisor(b)? as u64) as i64;
    one "toUnsignedString"(a: Long) -> String = JStr::new(&(a as u64).to_string());
    one "signum"(a: Long) -> Int = a.signum() as i32;
    one "sum"(a: Long, b: Long) -> Long = a.wrapping_add(b);
    one "max"(a: Long, b: Long) -> Long = a.max(b);
    one "min"(a: Long, b: Long) -> Long = a.min(b);
    one "bitCount"(a: Long) -> Int = a.count_ones() as i32;
    one "reverse"(a: Long) -> Long = a.reverse_bits();
    one "reverseBytes"(a: Long) -> Long = a.swap_bytes();
    one "rotateLeft"(a: Long, b: Int) -> Long = a.rotate_left((b & 63) as u32);
    one "rotateRight"(a: Long, b: Int) -> Long = a.rotate_right((b & 63) as u32);
    one "highestOneBit"(a: Long) -> Long = ieee::highest_one_bit(a);
    one "lowestOneBit"(a: Long) -> Long = a & a.wrapping_neg();
    one "numberOfLeadingZeros"(a: Long) -> Int = a.leading_zeros() as i32;
    one "numberOfTrailingZeros"(a: Long) -> Int = a.trailing_zeros() as i32;
    one "hashCode"(a: Long) -> Int = ieee::long_hash(a);
    over "valueOf"(a: Long) -> ("Box[Long]") = put!(Long, a);
    one "box"(a: Long) -> ("Box[Long]") = put!(Long, a);
);

statics!(
    /// `Double` of both languages.
    DOUBLE, "static Double", "Double", cx;
    one "MAX_VALUE"() -> Double = f64::MAX;
    one "MIN_VALUE"() -> Double = f64::from_bits(1);
    one "MIN_NORMAL"() -> Double = f64::MIN_POSITIVE;
    one "MaxValue"() -> Double = f64::MAX;
    one "MinValue"() -> Double = f64::MIN;
    one "MinPositiveValue"() -> Double = f64::from_bits(1);
    one "NaN"() -> Double = f64::NAN;
    one "PositiveInfinity"() -> Double = f64::INFINITY;
    one "NegativeInfinity"() -> Double = f64::NEG_INFINITY;
    one "POSITIVE_INFINITY"() -> Double = f64::INFINITY;
    one "NEGATIVE_INFINITY"() -> Double = f64::NEG_INFINITY;
    one "MAX_EXPONENT"() -> Int = 1023;
    one "MIN_EXPONENT"() -> Int = -1022;
    one "SIZE"() -> Int = 64;
    one "BYTES"() -> Int = 8;
    one "compare"(a: Double, b: Double) -> Int = ieee::compare(a, b);
    one "isNaN"(a: Double) -> Boolean = a.is_nan();
    one "isInfinite"(a: Double) -> Boolean = a.is_infinite();
    one "isFinite"(a: Double) -> Boolean = a.is_finite();
    one "sum"(a: Double, b: Double) -> Double = a + b;
    one "max"(a: Double, b: Double) -> Double = ieee::max(a, b);
    one "min"(a: Double, b: Double) -> Double = ieee::min(a, b);
    one "doubleToLongBits"(a: Double) -> Long = ieee::double_to_long_bits(a);
    one "doubleToRawLongBits"(a: Double) -> Long = a.to_bits() as i64;
    one "longBitsToDouble"(a: Long) -> Double = f64::from_bits(a as u64);
    one "hashCode"(a: Double) -> Int = ieee::double_hash(a);
    over "valueOf"(a: Double) -> ("Box[Double]") = put!(Double, a);
    one "box"(a: Double) -> ("Box[Double]") = put!(Double, a);
);

statics!(
    /// `Float` of both languages.
    FLOAT, "static Float", "Float", cx;
    one "MAX_VALUE"() -> Float = f32::MAX;
    one "MIN_VALUE"() -> Float = f32::from_bits(1);
    one "MIN_NORMAL"() -> Float = f32::MIN_POSITIVE;
    one "MaxValue"() -> Float = f32::MAX;
    one "MinValue"() -> Float = f32::MIN;
    one "MinPositiveValue"() -> Float = f32::from_bits(1);
    one "NaN"() -> Float = f32::NAN;
    one "PositiveInfinity"() -> Float = f32::INFINITY;
    one "NegativeInfinity"() -> Float = f32::NEG_INFINITY;
    one "POSITIVE_INFINITY"() -> Float = f32::INFINITY;
    one "NEGATIVE_INFINITY"() -> Float = f32::NEG_INFINITY;
    one "MAX_EXPONENT"() -> Int = 127;
    one "MIN_EXPONENT"() -> Int = -126;
    one "SIZE"() -> Int = 32;
    one "BYTES"() -> Int = 4;
    one "compare"(a: Float, b: Float) -> Int = ieee::compare_f32(a, b);
    one "isNaN"(a: Float) -> Boolean = a.is_nan();
    one "isInfinite"(a: Float) -> Boolean = a.is_infinite();
    one "isFinite"(a: Float) -> Boolean = a.is_finite();
    one "sum"(a: Float, b: Float) -> Float = a + b;
    one "max"(a: Float, b: Float) -> Float = ieee::max_f32(a, b);
    one "min"(a: Float, b: Float) -> Float = ieee::min_f32(a, b);
    one "floatToIntBits"(a: Float) -> Int = ieee::float_to_int_bits(a);
    one "floatToRawIntBits"(a: Float) -> Int = a.to_bits() as i32;
    one "intBitsToFloat"(a: Int) -> Float = f32::from_bits(a as u32);
    one "hashCode"(a: Float) -> Int = ieee::float_to_int_bits(a);
    over "valueOf"(a: Float) -> ("Box[Float]") = put!(Float, a);
    one "box"(a: Float) -> ("Box[Float]") = put!(Float, a);
);

statics!(
    /// `Short` of both languages.
    SHORT, "static Short", "Short", cx;
    one "MAX_VALUE"() -> Short = i16::MAX;
    one "MIN_VALUE"() -> Short = i16::MIN;
    one "MaxValue"() -> Short = i16::MAX;
    one "MinValue"() -> Short = i16::MIN;
    one "compare"(a: Short, b: Short) -> Int = i32::from(a) - i32::from(b);
    one "hashCode"(a: Short) -> Int = a.into();
    one "toUnsignedInt"(a: Short) -> Int = (a as u16).into();
    one "toUnsignedLong"(a: Short) -> Long = (a as u16).into();
    over "valueOf"(a: Short) -> ("Box[Short]") = put!(Short, a);
    one "box"(a: Short) -> ("Box[Short]") = put!(Short, a);
);

statics!(
    /// `Byte` of both languages.
    BYTE, "static Byte", "Byte", cx;
    one "MAX_VALUE"() -> Byte = i8::MAX;
    one "MIN_VALUE"() -> Byte = i8::MIN;
    one "MaxValue"() -> Byte = i8::MAX;
    one "MinValue"() -> Byte = i8::MIN;
    one "compare"(a: Byte, b: Byte) -> Int = i32::from(a) - i32::from(b);
    one "hashCode"(a: Byte) -> Int = a.into();
    one "toUnsignedInt"(a: Byte) -> Int = (a as u8).into();
    one "toUnsignedLong"(a: Byte) -> Long = (a as u8).into();
    over "valueOf"(a: Byte) -> ("Box[Byte]") = put!(Byte, a);
    one "box"(a: Byte) -> ("Box[Byte]") = put!(Byte, a);
);

statics!(
    /// `java.lang.Boolean`, without its parsers.
    BOOLEAN, "static Boolean", "Boolean", cx;
    one "TRUE"() -> ("Box[Boolean]") = put!(Boolean, true);
    one "FALSE"() -> ("Box[Boolean]") = put!(Boolean, false);
    one "compare"(a: Boolean, b: Boolean) -> Int = i32::from(a) - i32::from(b);
    one "logicalAnd"(a: Boolean, b: Boolean) -> Boolean = a & b;
    one "logicalOr"(a: Boolean, b: Boolean) -> Boolean = a | b;
    one "logicalXor"(a: Boolean, b: Boolean) -> Boolean = a ^ b;
    one "hashCode"(a: Boolean) -> Int = if a { 1231 } else { 1237 };
    over "valueOf"(a: Boolean) -> ("Box[Boolean]") = put!(Boolean, a);
    one "box"(a: Boolean) -> ("Box[Boolean]") = put!(Boolean, a);
);
