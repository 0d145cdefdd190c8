//! `java.math.BigDecimal`: an unscaled integer and a scale.

use num_bigint::BigInt;

/// `unscaled × 10^-scale`. Equality of this type is `equals`: scale counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JDecimal {
    /// Unscaled value.
    pub unscaled: BigInt,
    /// Number of places; may be negative.
    pub scale: i32,
}
