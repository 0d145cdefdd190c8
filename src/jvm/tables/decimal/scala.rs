//! `scala.math.BigDecimal` of Scala 2.12.

use crate::jvm::decimal::{self, JDecimal, MathContext, RoundingMode};
use crate::jvm::object::Object;
use crate::jvm::rows::{self, methods, object, statics};
use crate::jvm::text::JStr;
use crate::jvm::value::{Eval, Value};

/// `toBigIntExact`.
fn whole(x: &JDecimal) -> Eval<Value> {
    if !x.is_whole() {
        return Ok(object(Object::None));
    }
    Ok(object(Object::Some(object(Object::BigInt(x.to_big_int()?)))))
}

/// Whether converting to an integer type of these bounds loses nothing.
fn fits(x: &JDecimal, min: i64, max: i64) -> bool {
    x.exact::<i64>().is_ok_and(|n| (min..=max).contains(&n))
}

statics!(
    /// The companion.
    STATIC, "static BigDecimal", "BigDecimal", cx;
    over "apply"(text: String) -> BigDecimal throws "NumberFormatException" = JDecimal::parse(text)?.in_default_context()?;
    over "apply"(value: Int) -> BigDecimal = JDecimal::new(value, 0);
    over "apply"(value: Long) -> BigDecimal = JDecimal::new(value, 0);
    over "apply"(value: Double) -> BigDecimal throws "NumberFormatException" = decimal::of_double(value)?;
    over "apply"(value: JBigDecimal) -> BigDecimal = value.clone();
    over "apply"(value: BigInt) -> BigDecimal = JDecimal::new(value.clone(), 0).in_default_context()?;
    over "apply"(value: Int, scale: Int) -> BigDecimal = JDecimal::new(value, scale);
    over "apply"(value: Long, scale: Int) -> BigDecimal = JDecimal::new(value, scale);
    over "apply"(value: BigInt, scale: Int) -> BigDecimal = JDecimal::new(value.clone(), scale).in_default_context()?;
    over "valueOf"(value: Long) -> BigDecimal = JDecimal::new(value, 0);
    over "valueOf"(value: Double) -> BigDecimal throws "NumberFormatException" = decimal::of_double(value)?;
    over "decimal"(value: Long) -> BigDecimal = JDecimal::new(value, 0);
    over "decimal"(value: Float) -> BigDecimal throws "NumberFormatException" = decimal::of_float(value)?;
    over "decimal"(value: Double) -> BigDecimal throws "NumberFormatException" = decimal::of_double(value)?;
    over "exact"(text: String) -> BigDecimal throws "NumberFormatException" = JDecimal::parse(text)?.in_default_context()?;
    over "exact"(value: Long) -> BigDecimal = JDecimal::new(value, 0);
    over "exact"(value: Double) -> BigDecimal throws "NumberFormatException" = JDecimal::from_f64_exact(value)?.in_default_context()?;
    over "binary"(value: Double) -> BigDecimal throws "NumberFormatException" =
        JDecimal::from_f64_exact(value)?.round(MathContext::DECIMAL128)?;
    one "defaultMathContext"() -> MathContext = MathContext::DECIMAL128;
);

statics!(
    /// The constructor.
    NEW, "new BigDecimal", "BigDecimal", cx;
    one "BigDecimal"(value: JBigDecimal) -> BigDecimal = value.clone();
);

methods!(
    /// Methods.
    METHODS, "BigDecimal", x: BigDecimal, cx;
    one "+"(y: BigDecimal) -> BigDecimal = x.add(y)?;
    one "-"(y: BigDecimal) -> BigDecimal = x.subtract(y)?;
    one "*"(y: BigDecimal) -> BigDecimal throws "ArithmeticException" = x.scala_multiply(y)?;
    one "/"(y: BigDecimal) -> BigDecimal throws "ArithmeticException" = x.scala_divide(y)?;
    one "%"(y: BigDecimal) -> BigDecimal throws "ArithmeticException" = x.remainder(y)?;
    one "remainder"(y: BigDecimal) -> BigDecimal throws "ArithmeticException" = x.remainder(y)?;
    one "quot"(y: BigDecimal) -> BigDecimal throws "ArithmeticException" = x.divide_to_integral(y)?;
    one "/%"(y: BigDecimal) -> ("(BigDecimal, BigDecimal)") throws "ArithmeticException" = object(Object::Tuple(vec![
        rows::decimal(x.divide_to_integral(y)?, true),
        rows::decimal(x.remainder(y)?, true),
    ]));
    one "unary_-"() -> BigDecimal = x.negate();
    one "unary_+"() -> BigDecimal = x.clone();
    one "<"(y: BigDecimal) -> Boolean = x.compare(y).is_lt();
    one "<="(y: BigDecimal) -> Boolean = x.compare(y).is_le();
    one ">"(y: BigDecimal) -> Boolean = x.compare(y).is_gt();
    one ">="(y: BigDecimal) -> Boolean = x.compare(y).is_ge();
    one "compare"(y: BigDecimal) -> Int = x.compare(y) as i32;
    one "compareTo"(y: BigDecimal) -> Int = x.compare(y) as i32;
    one "max"(y: BigDecimal) -> BigDecimal = x.max(y).clone();
    one "min"(y: BigDecimal) -> BigDecimal = x.min(y).clone();
    one "abs"() -> BigDecimal = x.abs();
    one "pow"(n: Int) -> BigDecimal throws "ArithmeticException" = x.scala_pow(n)?;
    one "signum"() -> Int = x.signum();
    one "precision"() -> Int = x.precision() as i32;
    one "scale"() -> Int = x.scale;
    one "ulp"() -> BigDecimal = JDecimal::new(1, x.scale);
    one "round"(mc: MathContext) -> BigDecimal throws "ArithmeticException" = x.round(mc)?;
    one "rounded"() -> BigDecimal = x.round(MathContext::DECIMAL128)?;
    over "setScale"(scale: Int) -> BigDecimal throws "ArithmeticException" = x.set_scale(scale, RoundingMode::Unnecessary)?;
    over "setScale"(scale: Int, mode: RoundingMode) -> BigDecimal throws "ArithmeticException" = x.set_scale(scale, mode)?;
    one "bigDecimal"() -> JBigDecimal = x.clone();
    one "underlying"() -> JBigDecimal = x.clone();
    one "isWhole"() -> Boolean = x.is_whole();
    one "isValidByte"() -> Boolean = fits(x, i8::MIN.into(), i8::MAX.into());
    one "isValidShort"() -> Boolean = fits(x, i16::MIN.into(), i16::MAX.into());
    one "isValidInt"() -> Boolean = fits(x, i32::MIN.into(), i32::MAX.into());
    one "isValidLong"() -> Boolean = fits(x, i64::MIN, i64::MAX);
    one "toBigInt"() -> BigInt = x.to_big_int()?;
    one "toBigIntExact"() -> ("Option[BigInt]") = whole(x)?;
    one "toByte"() -> Byte = x.int_value() as i8;
    one "toShort"() -> Short = x.int_value() as i16;
    one "toChar"() -> Char = x.int_value() as u16;
    one "toInt"() -> Int = x.int_value();
    one "toLong"() -> Long = x.long_value();
    one "toFloat"() -> Float = x.to_f32();
    one "toDouble"() -> Double = x.to_f64();
    one "byteValue"() -> Byte = x.int_value() as i8;
    one "shortValue"() -> Short = x.int_value() as i16;
    one "intValue"() -> Int = x.int_value();
    one "longValue"() -> Long = x.long_value();
    one "floatValue"() -> Float = x.to_f32();
    one "doubleValue"() -> Double = x.to_f64();
    one "toByteExact"() -> Byte throws "ArithmeticException" = x.exact::<i8>()?;
    one "toShortExact"() -> Short throws "ArithmeticException" = x.exact::<i16>()?;
    one "toIntExact"() -> Int throws "ArithmeticException" = x.exact::<i32>()?;
    one "toLongExact"() -> Long throws "ArithmeticException" = x.exact::<i64>()?;
    one "toString"() -> String = JStr::new(&x.to_text());
);
