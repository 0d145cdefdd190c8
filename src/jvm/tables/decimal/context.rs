//! `RoundingMode` and `MathContext` as values and their rows.

use crate::jvm::args;
use crate::jvm::decimal::{MathContext, RoundingMode};
use crate::jvm::object::{Object, Other};
use crate::jvm::rows::{Class, methods, object, statics};
use crate::jvm::text::JStr;
use crate::jvm::value::{Eval, Throw, Value};

macro_rules! other_class {
    ($ty:ident) => {
        impl Other for $ty {
            fn class_name(&self) -> &'static str {
                stringify!($ty)
            }
            fn as_any(&self) -> &dyn std::any::Any {
                self
            }
        }

        impl Class for $ty {
            fn get(value: &Value) -> Eval<Self> {
                match args::object(value)? {
                    Object::Other(other) => other.as_any().downcast_ref().copied(),
                    _ => None,
                }
                .ok_or_else(|| args::mismatch(stringify!($ty), value))
            }
            fn put(self) -> Value {
                object(Object::Other(Box::new(self)))
            }
        }
    };
}

other_class!(RoundingMode);
other_class!(MathContext);

/// A context from a Java `int` precision.
fn context(precision: i32, mode: RoundingMode) -> Eval<MathContext> {
    match u32::try_from(precision) {
        Ok(digits) => Ok(MathContext::of(digits, mode)),
        Err(_) => Err(Throw::exception("IllegalArgumentException", "Digits < 0")),
    }
}

fn named(name: &JStr) -> Eval<RoundingMode> {
    RoundingMode::named(&name.to_utf8()).ok_or_else(|| {
        Throw::exception(
            "IllegalArgumentException",
            format!("No enum constant java.math.RoundingMode.{}", name.to_utf8()),
        )
    })
}

statics!(
    /// `java.math.RoundingMode`, `BigDecimal.RoundingMode`.
    ROUNDING_MODE, "static RoundingMode", "RoundingMode", cx;
    one "UP"() -> RoundingMode = RoundingMode::Up;
    one "DOWN"() -> RoundingMode = RoundingMode::Down;
    one "CEILING"() -> RoundingMode = RoundingMode::Ceiling;
    one "FLOOR"() -> RoundingMode = RoundingMode::Floor;
    one "HALF_UP"() -> RoundingMode = RoundingMode::HalfUp;
    one "HALF_DOWN"() -> RoundingMode = RoundingMode::HalfDown;
    one "HALF_EVEN"() -> RoundingMode = RoundingMode::HalfEven;
    one "UNNECESSARY"() -> RoundingMode = RoundingMode::Unnecessary;
    over "valueOf"(name: String) -> RoundingMode throws "IllegalArgumentException" = named(name)?;
    over "valueOf"(number: Int) -> RoundingMode throws "IllegalArgumentException" = RoundingMode::numbered(number)?;
);

methods!(
    /// Methods of rounding modes.
    ROUNDING_MODE_METHODS, "RoundingMode", x: RoundingMode, cx;
    one "name"() -> String = x.name().into();
    one "toString"() -> String = x.name().into();
    one "ordinal"() -> Int = x as i32;
);

statics!(
    /// `java.math.MathContext`.
    MATH_CONTEXT, "static MathContext", "MathContext", cx;
    one "UNLIMITED"() -> MathContext = MathContext::UNLIMITED;
    one "DECIMAL32"() -> MathContext = MathContext::DECIMAL32;
    one "DECIMAL64"() -> MathContext = MathContext::DECIMAL64;
    one "DECIMAL128"() -> MathContext = MathContext::DECIMAL128;
);

statics!(
    /// Constructors of `MathContext`.
    NEW_MATH_CONTEXT, "new MathContext", "MathContext", cx;
    over "MathContext"(precision: Int) -> MathContext throws "IllegalArgumentException" = context(precision, RoundingMode::HalfUp)?;
    over "MathContext"(precision: Int, mode: RoundingMode) -> MathContext throws "IllegalArgumentException" = context(precision, mode)?;
);

methods!(
    /// Methods of `MathContext`.
    MATH_CONTEXT_METHODS, "MathContext", x: MathContext, cx;
    one "getPrecision"() -> Int = x.precision as i32;
    one "getRoundingMode"() -> RoundingMode = x.mode;
    one "toString"() -> String = JStr::new(&format!("precision={} roundingMode={}", x.precision, x.mode.name()));
);
