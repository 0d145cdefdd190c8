//! Methods of primitives and their boxes: `RichInt` and its kin in Scala, `java.lang.Integer` and its kin in Java. The
//! operators of the language are no rows.

use crate::jvm::math::ieee;
use crate::jvm::rows::methods;

methods!(
    /// Methods of `Byte`.
    BYTE, "Byte", x: Byte, cx;
    one "toByte"() -> Byte = x;
    one "toShort"() -> Short = x.into();
    one "toChar"() -> Char = x as u16;
    one "toInt"() -> Int = x.into();
    one "toLong"() -> Long = x.into();
    one "toFloat"() -> Float = x.into();
    one "toDouble"() -> Double = x.into();
    one "byteValue"() -> Byte = x;
    one "shortValue"() -> Short = x.into();
    one "intValue"() -> Int = x.into();
    one "longValue"() -> Long = x.into();
    one "floatValue"() -> Float = x.into();
    one "doubleValue"() -> Double = x.into();
    one "abs"() -> Byte = x.wrapping_abs();
    one "signum"() -> Int = x.signum() as i32;
    one "max"(y: Byte) -> Byte = x.max(y);
    one "min"(y: Byte) -> Byte = x.min(y);
    one "compare"(y: Byte) -> Int = i32::from(x) - i32::from(y);
    one "compareTo"(y: Byte) -> Int = i32::from(x) - i32::from(y);
    one "isWhole"() -> Boolean = true;
    one "isValidInt"() -> Boolean = true;
);

methods!(
    /// Methods of `Short`.
    SHORT, "Short", x: Short, cx;
    one "toByte"() -> Byte = x as i8;
    one "toShort"() -> Short = x;
    one "toChar"() -> Char = x as u16;
    one "toInt"() -> Int = x.into();
    one "toLong"() -> Long = x.into();
    one "toFloat"() -> Float = x.into();
    one "toDouble"() -> Double = x.into();
    one "byteValue"() -> Byte = x as i8;
    one "shortValue"() -> Short = x;
    one "intValue"() -> Int = x.into();
    one "longValue"() -> Long = x.into();
    one "floatValue"() -> Float = x.into();
    one "doubleValue"() -> Double = x.into();
    one "abs"() -> Short = x.wrapping_abs();
    one "signum"() -> Int = x.signum() as i32;
    one "max"(y: Short) -> Short = x.max(y);
    one "min"(y: Short) -> Short = x.min(y);
    one "compare"(y: Short) -> Int = i32::from(x) - i32::from(y);
    one "compareTo"(y: Short) -> Int = i32::from(x) - i32::from(y);
    one "isWhole"() -> Boolean = true;
    one "isValidInt"() -> Boolean = true;
);

methods!(
    /// Methods of `Char`.
    CHAR, "Char", x: Char, cx;
    one "toByte"() -> Byte = x as i8;
    one "toShort"() -> Short = x as i16;
    one "toChar"() -> Char = x;
    one "toInt"() -> Int = x as i32;
    one "toLong"() -> Long = x as i64;
    one "toFloat"() -> Float = x as f32;
    one "toDouble"() -> Double = x as f64;
    one "charValue"() -> Char = x;
    one "max"(y: Char) -> Char = x.max(y);
    one "min"(y: Char) -> Char = x.min(y);
    one "compare"(y: Char) -> Int = i32::from(x) - i32::from(y);
    one "compareTo"(y: Char) -> Int = i32::from(x) - i32::from(y);
    one "isWhole"() -> Boolean = true;
    one "isValidInt"() -> Boolean = true;
);

methods!(
    /// Methods of `Int`.
    INT, "Int", x: Int, cx;
    one "toByte"() -> Byte = x as i8;
    one "toShort"() -> Short = x as i16;
    one "toChar"() -> Char = x as u16;
    one "toInt"() -> Int = x;
    one "toLong"() -> Long = x.into();
    one "toFloat"() -> Float = x as f32;
    one "toDouble"() -> Double = x.into();
    one "byteValue"() -> Byte = x as i8;
    one "shortValue"() -> Short = x as i16;
    one "intValue"() -> Int = x;
    one "longValue"() -> Long = x.into();
    one "floatValue"() -> Float = x as f32;
    one "doubleValue"() -> Double = x.into();
    one "abs"() -> Int = x.wrapping_abs();
    one "signum"() -> Int = x.signum();
    one "max"(y: Int) -> Int = x.max(y);
    one "min"(y: Int) -> Int = x.min(y);
    one "compare"(y: Int) -> Int = x.cmp(&y) as i32;
    one "compareTo"(y: Int) -> Int = x.cmp(&y) as i32;
    one "isWhole"() -> Boolean = true;
    one "isValidInt"() -> Boolean = true;
    one "isValidByte"() -> Boolean = i8::try_from(x).is_ok();
    one "isValidShort"() -> Boolean = i16::try_from(x).is_ok();
    one "isValidChar"() -> Boolean = u16::try_from(x).is_ok();
    one "isValidLong"() -> Boolean = true;
    one "round"() -> Int = x;
);

methods!(
    /// Methods of `Long`.
    LONG, "Long", x: Long, cx;
    one "toByte"() -> Byte = x as i8;
    one "toShort"() -> Short = x as i16;
    one "toChar"() -> Char = x as u16;
    one "toInt"() -> Int = x as i32;
    one "toLong"() -> Long = x;
    one "toFloat"() -> Float = x as f32;
    one "toDouble"() -> Double = x as f64;
    one "byteValue"() -> Byte = x as i8;
    one "shortValue"() -> Short = x as i16;
    one "intValue"() -> Int = x as i32;
    one "longValue"() -> Long = x;
    one "floatValue"() -> Float = x as f32;
    one "doubleValue"() -> Double = x as f64;
    one "abs"() -> Long = x.wrapping_abs();
    one "signum"() -> Int = x.signum() as i32;
    one "max"(y: Long) -> Long = x.max(y);
    one "min"(y: Long) -> Long = x.min(y);
    one "compare"(y: Long) -> Int = x.cmp(&y) as i32;
    one "compareTo"(y: Long) -> Int = x.cmp(&y) as i32;
    one "isWhole"() -> Boolean = true;
    one "isValidInt"() -> Boolean = i32::try_from(x).is_ok();
    one "isValidByte"() -> Boolean = i8::try_from(x).is_ok();
    one "isValidShort"() -> Boolean = i16::try_from(x).is_ok();
    one "isValidChar"() -> Boolean = u16::try_from(x).is_ok();
    one "isValidLong"() -> Boolean = true;
    one "round"() -> Long = x;
);

methods!(
    /// Methods of `Float`.
    FLOAT, "Float", x: Float, cx;
    one "toByte"() -> Byte = x as i32 as i8;
    one "toShort"() -> Short = x as i32 as i16;
    one "toChar"() -> Char = x as i32 as u16;
    one "toInt"() -> Int = x as i32;
    one "toLong"() -> Long = x as i64;
    one "toFloat"() -> Float = x;
    one "toDouble"() -> Double = x.into();
    one "byteValue"() -> Byte = x as i32 as i8;
    one "shortValue"() -> Short = x as i32 as i16;
    one "intValue"() -> Int = x as i32;
    one "longValue"() -> Long = x as i64;
    one "floatValue"() -> Float = x;
    one "doubleValue"() -> Double = x.into();
    one "abs"() -> Float = x.abs();
    one "signum"() -> Int = if x > 0.0 { 1 } else if x < 0.0 { -1 } else { 0 };
    one "max"(y: Float) -> Float = ieee::max_f32(x, y);
    one "min"(y: Float) -> Float = ieee::min_f32(x, y);
    one "compare"(y: Float) -> Int = ieee::compare_f32(x, y);
    one "compareTo"(y: Float) -> Int = ieee::compare_f32(x, y);
    one "round"() -> Int = ieee::round_f32(x);
    one "floor"() -> Float = x.floor();
    one "ceil"() -> Float = x.ceil();
    one "toRadians"() -> Float = ieee::to_radians(x.into()) as f32;
    one "toDegrees"() -> Float = ieee::to_degrees(x.into()) as f32;
    one "isNaN"() -> Boolean = x.is_nan();
    one "isInfinite"() -> Boolean = x.is_infinite();
    one "isInfinity"() -> Boolean = x.is_infinite();
    one "isPosInfinity"() -> Boolean = x == f32::INFINITY;
    one "isNegInfinity"() -> Boolean = x == f32::NEG_INFINITY;
    one "isWhole"() -> Boolean = whole(x.into());
    one "isValidInt"() -> Boolean = (x as i32) as f32 == x && (x as i32) != i32::MAX;
);

methods!(
    /// Methods of `Double`.
    DOUBLE, "Double", x: Double, cx;
    one "toByte"() -> Byte = x as i32 as i8;
    one "toShort"() -> Short = x as i32 as i16;
    one "toChar"() -> Char = x as i32 as u16;
    one "toInt"() -> Int = x as i32;
    one "toLong"() -> Long = x as i64;
    one "toFloat"() -> Float = x as f32;
    one "toDouble"() -> Double = x;
    one "byteValue"() -> Byte = x as i32 as i8;
    one "shortValue"() -> Short = x as i32 as i16;
    one "intValue"() -> Int = x as i32;
    one "longValue"() -> Long = x as i64;
    one "floatValue"() -> Float = x as f32;
    one "doubleValue"() -> Double = x;
    one "abs"() -> Double = x.abs();
    one "signum"() -> Int = if x > 0.0 { 1 } else if x < 0.0 { -1 } else { 0 };
    one "max"(y: Double) -> Double = ieee::max(x, y);
    one "min"(y: Double) -> Double = ieee::min(x, y);
    one "compare"(y: Double) -> Int = ieee::compare(x, y);
    one "compareTo"(y: Double) -> Int = ieee::compare(x, y);
    one "round"() -> Long = ieee::round(x);
    one "floor"() -> Double = x.floor();
    one "ceil"() -> Double = x.ceil();
    one "toRadians"() -> Double = ieee::to_radians(x);
    one "toDegrees"() -> Double = ieee::to_degrees(x);
    one "isNaN"() -> Boolean = x.is_nan();
    one "isInfinite"() -> Boolean = x.is_infinite();
    one "isInfinity"() -> Boolean = x.is_infinite();
    one "isPosInfinity"() -> Boolean = x == f64::INFINITY;
    one "isNegInfinity"() -> Boolean = x == f64::NEG_INFINITY;
    one "isWhole"() -> Boolean = whole(x);
    one "isValidInt"() -> Boolean = f64::from(x as i32) == x;
);

methods!(
    /// Methods of `Boolean`.
    BOOLEAN, "Boolean", x: Boolean, cx;
    one "booleanValue"() -> Boolean = x;
    one "compare"(y: Boolean) -> Int = i32::from(x) - i32::from(y);
    one "compareTo"(y: Boolean) -> Int = i32::from(x) - i32::from(y);
);

/// `RichDouble.isWhole`; every finite double beyond the range of `Long` is whole.
fn whole(x: f64) -> bool {
    x.is_finite() && x == x.trunc()
}
