//! `java.math.BigDecimal`.

use crate::jvm::decimal::{self, JDecimal, MathContext, RoundingMode};
use crate::jvm::rows::{methods, statics};
use crate::jvm::text::JStr;

statics!(
    /// Static members.
    STATIC, "static JBigDecimal", "JBigDecimal", cx;
    one "ZERO"() -> JBigDecimal = JDecimal::new(0, 0);
    one "ONE"() -> JBigDecimal = JDecimal::new(1, 0);
    one "TEN"() -> JBigDecimal = JDecimal::new(10, 0);
    one "ROUND_UP"() -> Int = 0;
    one "ROUND_DOWN"() -> Int = 1;
    one "ROUND_CEILING"() -> Int = 2;
    one "ROUND_FLOOR"() -> Int = 3;
    one "ROUND_HALF_UP"() -> Int = 4;
    one "ROUND_HALF_DOWN"() -> Int = 5;
    one "ROUND_HALF_EVEN"() -> Int = 6;
    one "ROUND_UNNECESSARY"() -> Int = 7;
    over "valueOf"(value: Long) -> JBigDecimal = JDecimal::new(value, 0);
    over "valueOf"(value: Long, scale: Int) -> JBigDecimal = JDecimal::new(value, scale);
    over "valueOf"(value: Double) -> JBigDecimal throws "NumberFormatException" = decimal::of_double(value)?;
);

statics!(
    /// Constructors.
    NEW, "new JBigDecimal", "JBigDecimal", cx;
    over "JBigDecimal"(text: String) -> JBigDecimal throws "NumberFormatException" = JDecimal::parse(text)?;
    over "JBigDecimal"(value: Int) -> JBigDecimal = JDecimal::new(value, 0);
    over "JBigDecimal"(value: Long) -> JBigDecimal = JDecimal::new(value, 0);
    over "JBigDecimal"(value: Double) -> JBigDecimal throws "NumberFormatException" = JDecimal::from_f64_exact(value)?;
    over "JBigDecimal"(value: BigInt) -> JBigDecimal = JDecimal::new(value.clone(), 0);
    over "JBigDecimal"(value: BigInt, scale: Int) -> JBigDecimal = JDecimal::new(value.clone(), scale);
    over "JBigDecimal"(text: String, mc: MathContext) -> JBigDecimal throws "NumberFormatException" "ArithmeticException" =
        JDecimal::parse(text)?.round(mc)?;
    over "JBigDecimal"(value: Double, mc: MathContext) -> JBigDecimal throws "NumberFormatException" "ArithmeticException" =
        JDecimal::from_f64_exact(value)?.round(mc)?;
);

methods!(
    /// Methods.
    METHODS, "JBigDecimal", x: JBigDecimal, cx;
    over "add"(y: JBigDecimal) -> JBigDecimal throws "ArithmeticException" = x.add(y)?;
    over "add"(y: JBigDecimal, mc: MathContext) -> JBigDecimal throws "ArithmeticException" = x.add_rounded(y, mc)?;
    over "subtract"(y: JBigDecimal) -> JBigDecimal throws "ArithmeticException" = x.subtract(y)?;
    over "subtract"(y: JBigDecimal, mc: MathContext) -> JBigDecimal throws "ArithmeticException" = x.add_rounded(&y.negate(), mc)?;
    over "multiply"(y: JBigDecimal) -> JBigDecimal throws "ArithmeticException" = x.multiply(y)?;
    over "multiply"(y: JBigDecimal, mc: MathContext) -> JBigDecimal throws "ArithmeticException" = x.multiply(y)?.round(mc)?;
    over "divide"(y: JBigDecimal) -> JBigDecimal throws "ArithmeticException" = x.divide_exact(y)?;
    over "divide"(y: JBigDecimal, mode: RoundingMode) -> JBigDecimal throws "ArithmeticException" = x.divide_to_scale(y, x.scale, mode)?;
    over "divide"(y: JBigDecimal, scale: Int, mode: RoundingMode) -> JBigDecimal throws "ArithmeticException" = x.divide_to_scale(y, scale, mode)?;
    over "divide"(y: JBigDecimal, mode: Int) -> JBigDecimal throws "ArithmeticException" "IllegalArgumentException" =
        x.divide_to_scale(y, x.scale, RoundingMode::numbered(mode)?)?;
    over "divide"(y: JBigDecimal, scale: Int, mode: Int) -> JBigDecimal throws "ArithmeticException" "IllegalArgumentException" =
        x.divide_to_scale(y, scale, RoundingMode::numbered(mode)?)?;
    over "divide"(y: JBigDecimal, mc: MathContext) -> JBigDecimal throws "ArithmeticException" = x.divide_rounded(y, mc)?;
    one "divideToIntegralValue"(y: JBigDecimal) -> JBigDecimal throws "ArithmeticException" = x.divide_to_integral(y)?;
    one "remainder"(y: JBigDecimal) -> JBigDecimal throws "ArithmeticException" = x.remainder(y)?;
    over "negate"() -> JBigDecimal = x.negate();
    over "negate"(mc: MathContext) -> JBigDecimal throws "ArithmeticException" = x.negate().round(mc)?;
    over "plus"() -> JBigDecimal = x.clone();
    over "plus"(mc: MathContext) -> JBigDecimal throws "ArithmeticException" = x.round(mc)?;
    over "abs"() -> JBigDecimal = x.abs();
    over "abs"(mc: MathContext) -> JBigDecimal throws "ArithmeticException" = x.abs().round(mc)?;
    over "pow"(n: Int) -> JBigDecimal throws "ArithmeticException" = x.pow(n)?;
    over "pow"(n: Int, mc: MathContext) -> JBigDecimal throws "ArithmeticException" = x.pow_rounded(n, mc)?;
    over "setScale"(scale: Int) -> JBigDecimal throws "ArithmeticException" = x.set_scale(scale, RoundingMode::Unnecessary)?;
    over "setScale"(scale: Int, mode: RoundingMode) -> JBigDecimal throws "ArithmeticException" = x.set_scale(scale, mode)?;
    over "setScale"(scale: Int, mode: Int) -> JBigDecimal throws "ArithmeticException" "IllegalArgumentException" =
        x.set_scale(scale, RoundingMode::numbered(mode)?)?;
    one "round"(mc: MathContext) -> JBigDecimal throws "ArithmeticException" = x.round(mc)?;
    one "scale"() -> Int = x.scale;
    one "precision"() -> Int = x.precision() as i32;
    one "signum"() -> Int = x.signum();
    one "unscaledValue"() -> BigInt = x.unscaled.clone();
    one "stripTrailingZeros"() -> JBigDecimal = x.strip_trailing_zeros();
    one "compareTo"(y: JBigDecimal) -> Int = x.compare(y) as i32;
    one "hashCode"() -> Int = x.hash_code();
    one "max"(y: JBigDecimal) -> JBigDecimal = x.max(y).clone();
    one "min"(y: JBigDecimal) -> JBigDecimal = x.min(y).clone();
    one "movePointLeft"(n: Int) -> JBigDecimal throws "ArithmeticException" = x.move_point_left(n)?;
    one "movePointRight"(n: Int) -> JBigDecimal throws "ArithmeticException" = x.move_point_right(n)?;
    one "scaleByPowerOfTen"(n: Int) -> JBigDecimal throws "ArithmeticException" = x.scale_by_power_of_ten(n)?;
    one "ulp"() -> JBigDecimal = JDecimal::new(1, x.scale);
    one "toString"() -> String = JStr::new(&x.to_text());
    one "toPlainString"() -> String = JStr::new(&x.to_plain_text()?);
    one "toEngineeringString"() -> String = JStr::new(&x.to_engineering_text());
    one "toBigInteger"() -> BigInt = x.to_big_int()?;
    one "toBigIntegerExact"() -> BigInt throws "ArithmeticException" = x.set_scale(0, RoundingMode::Unnecessary)?.unscaled;
    one "intValue"() -> Int = x.int_value();
    one "longValue"() -> Long = x.long_value();
    one "shortValue"() -> Short = x.int_value() as i16;
    one "byteValue"() -> Byte = x.int_value() as i8;
    one "doubleValue"() -> Double = x.to_f64();
    one "floatValue"() -> Float = x.to_f32();
    one "intValueExact"() -> Int throws "ArithmeticException" = x.exact::<i32>()?;
    one "longValueExact"() -> Long throws "ArithmeticException" = x.exact::<i64>()?;
    one "shortValueExact"() -> Short throws "ArithmeticException" = x.exact::<i16>()?;
    one "byteValueExact"() -> Byte throws "ArithmeticException" = x.exact::<i8>()?;
);
