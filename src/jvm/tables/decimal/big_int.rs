//! `scala.math.BigInt` and `java.math.BigInteger`: one type, the names of both.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::jvm::decimal::{self, arithmetic, integer_quotient, low_64};
use crate::jvm::object::Object;
use crate::jvm::rows::{methods, object, statics};
use crate::jvm::text::JStr;
use crate::jvm::value::{Eval, Throw, Value};

/// `new BigInteger(text, radix)`. Digits beyond ASCII are refused.
fn parse(text: &JStr, radix: i32) -> Eval<BigInt> {
    let bad = |message: String| Throw::exception("NumberFormatException", message);
    let radix = u32::try_from(radix).ok().filter(|r| (2..=36).contains(r));
    let radix = radix.ok_or_else(|| bad("Radix out of range".into()))?;
    let JStr::Ascii(text) = text else {
        return Err(Throw::Unsupported(
            "an integer written beyond ASCII is not covered".into(),
        ));
    };
    if text.is_empty() {
        return Err(bad("Zero length BigInteger".into()));
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() {
        return Err(bad("Zero length BigInteger".into()));
    }
    if digits.contains(['+', '-']) {
        return Err(bad("Illegal embedded sign character".into()));
    }
    if !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(bad(format!("For input string: \"{text}\"")));
    }
    BigInt::parse_bytes(text.strip_prefix('+').unwrap_or(text).as_bytes(), radix)
        .ok_or_else(|| bad(format!("For input string: \"{text}\"")))
}

fn remainder(a: &BigInt, b: &BigInt) -> Eval<BigInt> {
    integer_quotient(a, b)?;
    Ok(a % b)
}

fn pair(a: BigInt, b: BigInt) -> Value {
    let value = |n| object(Object::BigInt(n));
    object(Object::Tuple(vec![value(a), value(b)]))
}

fn modulus(m: &BigInt) -> Eval<()> {
    if m.is_positive() {
        Ok(())
    } else {
        Err(arithmetic("BigInteger: modulus not positive"))
    }
}

fn power(a: &BigInt, n: i32) -> Eval<BigInt> {
    let n = u32::try_from(n).map_err(|_| arithmetic("Negative exponent"))?;
    if u64::from(n) * a.bits() > u64::from(decimal::MAX_DIGITS) * 4 {
        return Err(Throw::Limit("an integer of too many digits"));
    }
    Ok(a.pow(n))
}

fn power_modulo(a: &BigInt, n: &BigInt, m: &BigInt) -> Eval<BigInt> {
    modulus(m)?;
    if n.is_negative() {
        return Ok(inverse(a, m)?.modpow(&-n, m));
    }
    Ok(a.mod_floor(m).modpow(n, m))
}

fn inverse(a: &BigInt, m: &BigInt) -> Eval<BigInt> {
    modulus(m)?;
    if m.is_one() {
        return Ok(BigInt::zero());
    }
    let steps = a.mod_floor(m).extended_gcd(m);
    if steps.gcd.is_one() {
        Ok(steps.x.mod_floor(m))
    } else {
        Err(arithmetic("BigInteger not invertible."))
    }
}

fn shifted(a: &BigInt, n: i64) -> Eval<BigInt> {
    if n <= 0 {
        return Ok(a >> n.unsigned_abs());
    }
    if n.unsigned_abs() + a.bits() > u64::from(decimal::MAX_DIGITS) * 4 {
        return Err(Throw::Limit("an integer of too many digits"));
    }
    Ok(a << n)
}

fn narrowed<T: TryFrom<i64>>(a: &BigInt, name: &str) -> Eval<T> {
    i64::try_from(a)
        .ok()
        .and_then(|n| T::try_from(n).ok())
        .ok_or_else(|| arithmetic(&format!("BigInteger out of {name} range")))
}

/// `bitLength`: bits of the shortest two's complement without its sign.
fn bit_length(a: &BigInt) -> i32 {
    if a.is_negative() {
        (-a - 1u8).bits() as i32
    } else {
        a.bits() as i32
    }
}

fn bit_count(a: &BigInt) -> i32 {
    let n = if a.is_negative() { -a - 1u8 } else { a.clone() };
    n.magnitude()
        .to_u64_digits()
        .iter()
        .map(|w| w.count_ones())
        .sum::<u32>() as i32
}

fn bit_index(n: i32) -> Eval<u64> {
    u64::try_from(n).map_err(|_| arithmetic("Negative bit address"))
}

/// A bit number within the bound on memory.
fn shifted_bit(n: i32) -> Eval<i32> {
    if n > decimal::MAX_DIGITS as i32 {
        Err(Throw::Limit("an integer of too many digits"))
    } else {
        Ok(n)
    }
}

fn square_root(a: &BigInt) -> Eval<BigInt> {
    if a.is_negative() {
        Err(arithmetic("Negative BigInteger"))
    } else {
        Ok(a.sqrt())
    }
}

fn radix_text(a: &BigInt, radix: i32) -> JStr {
    let radix = u32::try_from(radix).ok().filter(|r| (2..=36).contains(r)).unwrap_or(10);
    JStr::new(&a.to_str_radix(radix))
}

fn to_f32(a: &BigInt) -> f32 {
    decimal::JDecimal::new(a.clone(), 0).to_f32()
}

statics!(
    /// The companion of `BigInt`.
    BIG_INT, "static BigInt", "BigInt", cx;
    over "apply"(text: String) -> BigInt throws "NumberFormatException" = parse(text, 10)?;
    over "apply"(text: String, radix: Int) -> BigInt throws "NumberFormatException" = parse(text, radix)?;
    over "apply"(value: Int) -> BigInt = value.into();
    over "apply"(value: Long) -> BigInt = value.into();
);

statics!(
    /// Static members of `BigInteger`.
    BIG_INTEGER, "static BigInteger", "BigInteger", cx;
    one "ZERO"() -> BigInt = 0.into();
    one "ONE"() -> BigInt = 1.into();
    one "TWO"() -> BigInt = 2.into();
    one "TEN"() -> BigInt = 10.into();
    one "valueOf"(value: Long) -> BigInt = value.into();
);

statics!(
    /// Constructors of `BigInteger`.
    NEW, "new BigInteger", "BigInteger", cx;
    over "BigInteger"(text: String) -> BigInt throws "NumberFormatException" = parse(text, 10)?;
    over "BigInteger"(text: String, radix: Int) -> BigInt throws "NumberFormatException" = parse(text, radix)?;
);

methods!(
    /// Methods.
    METHODS, "BigInt", x: BigInt, cx;
    one "+"(y: BigInt) -> BigInt = x + y;
    one "add"(y: BigInt) -> BigInt = x + y;
    one "-"(y: BigInt) -> BigInt = x - y;
    one "subtract"(y: BigInt) -> BigInt = x - y;
    one "*"(y: BigInt) -> BigInt = x * y;
    one "multiply"(y: BigInt) -> BigInt = x * y;
    one "/"(y: BigInt) -> BigInt throws "ArithmeticException" = integer_quotient(x, y)?;
    one "divide"(y: BigInt) -> BigInt throws "ArithmeticException" = integer_quotient(x, y)?;
    one "%"(y: BigInt) -> BigInt throws "ArithmeticException" = remainder(x, y)?;
    one "remainder"(y: BigInt) -> BigInt throws "ArithmeticException" = remainder(x, y)?;
    one "mod"(y: BigInt) -> BigInt throws "ArithmeticException" = {
        modulus(y)?;
        x.mod_floor(y)
    };
    one "/%"(y: BigInt) -> ("(BigInt, BigInt)") throws "ArithmeticException" = pair(integer_quotient(x, y)?, remainder(x, y)?);
    one "gcd"(y: BigInt) -> BigInt = x.gcd(y);
    one "max"(y: BigInt) -> BigInt = x.max(y).clone();
    one "min"(y: BigInt) -> BigInt = x.min(y).clone();
    one "&"(y: BigInt) -> BigInt = x & y;
    one "and"(y: BigInt) -> BigInt = x & y;
    one "|"(y: BigInt) -> BigInt = x | y;
    one "or"(y: BigInt) -> BigInt = x | y;
    one "^"(y: BigInt) -> BigInt = x ^ y;
    one "xor"(y: BigInt) -> BigInt = x ^ y;
    one "&~"(y: BigInt) -> BigInt = x & !y;
    one "andNot"(y: BigInt) -> BigInt = x & !y;
    one "unary_~"() -> BigInt = !x;
    one "not"() -> BigInt = !x;
    one "unary_-"() -> BigInt = -x;
    one "negate"() -> BigInt = -x;
    one "abs"() -> BigInt = x.abs();
    one "<<"(n: Int) -> BigInt = shifted(x, n.into())?;
    one "shiftLeft"(n: Int) -> BigInt = shifted(x, n.into())?;
    one ">>"(n: Int) -> BigInt = shifted(x, -i64::from(n))?;
    one "shiftRight"(n: Int) -> BigInt = shifted(x, -i64::from(n))?;
    one "pow"(n: Int) -> BigInt throws "ArithmeticException" = power(x, n)?;
    one "modPow"(n: BigInt, m: BigInt) -> BigInt throws "ArithmeticException" = power_modulo(x, n, m)?;
    one "modInverse"(m: BigInt) -> BigInt throws "ArithmeticException" = inverse(x, m)?;
    one "sqrt"() -> BigInt throws "ArithmeticException" = square_root(x)?;
    one "signum"() -> Int = if x.is_zero() { 0 } else if x.is_negative() { -1 } else { 1 };
    one "testBit"(n: Int) -> Boolean throws "ArithmeticException" = x.bit(bit_index(n)?);
    one "setBit"(n: Int) -> BigInt throws "ArithmeticException" = {
        let mut changed = x.clone();
        changed.set_bit(bit_index(shifted_bit(n)?)?, true);
        changed
    };
    one "clearBit"(n: Int) -> BigInt throws "ArithmeticException" = {
        let mut changed = x.clone();
        changed.set_bit(bit_index(shifted_bit(n)?)?, false);
        changed
    };
    one "bitLength"() -> Int = bit_length(x);
    one "bitCount"() -> Int = bit_count(x);
    one "lowestSetBit"() -> Int = x.trailing_zeros().map_or(-1, |n| n as i32);
    one "getLowestSetBit"() -> Int = x.trailing_zeros().map_or(-1, |n| n as i32);
    one "compare"(y: BigInt) -> Int = x.cmp(y) as i32;
    one "compareTo"(y: BigInt) -> Int = x.cmp(y) as i32;
    one "<"(y: BigInt) -> Boolean = x.cmp(y).is_lt();
    one "<="(y: BigInt) -> Boolean = x.cmp(y).is_le();
    one ">"(y: BigInt) -> Boolean = x.cmp(y).is_gt();
    one ">="(y: BigInt) -> Boolean = x.cmp(y).is_ge();
    one "toByte"() -> Byte = low_64(x) as i8;
    one "byteValue"() -> Byte = low_64(x) as i8;
    one "toShort"() -> Short = low_64(x) as i16;
    one "shortValue"() -> Short = low_64(x) as i16;
    one "toInt"() -> Int = low_64(x) as i32;
    one "intValue"() -> Int = low_64(x) as i32;
    one "toLong"() -> Long = low_64(x);
    one "longValue"() -> Long = low_64(x);
    one "toFloat"() -> Float = to_f32(x);
    one "floatValue"() -> Float = to_f32(x);
    one "toDouble"() -> Double = decimal::big_int_to_f64(x);
    one "doubleValue"() -> Double = decimal::big_int_to_f64(x);
    one "toChar"() -> Char = low_64(x) as u16;
    one "intValueExact"() -> Int throws "ArithmeticException" = narrowed(x, "int")?;
    one "longValueExact"() -> Long throws "ArithmeticException" = narrowed(x, "long")?;
    one "shortValueExact"() -> Short throws "ArithmeticException" = narrowed(x, "short")?;
    one "byteValueExact"() -> Byte throws "ArithmeticException" = narrowed(x, "byte")?;
    one "isValidInt"() -> Boolean = i32::try_from(x).is_ok();
    one "isValidLong"() -> Boolean = i64::try_from(x).is_ok();
    one "isWhole"() -> Boolean = true;
    one "bigInteger"() -> BigInt = x.clone();
    one "underlying"() -> BigInt = x.clone();
    over "toString"() -> String = JStr::new(&x.to_string());
    over "toString"(radix: Int) -> String = radix_text(x, radix);
);
