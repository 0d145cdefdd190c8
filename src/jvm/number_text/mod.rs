//! Numbers to text and back, as JDK 17 does it. In: primitives or UTF-16 text; out: text or primitives, exact to the bit.
//! Never depends on Rust's own number formatting where the two differ.

pub mod digits;
pub mod display;
pub mod integer;
pub mod parse_float;

pub use display::{double_to_string, float_to_string};
pub use integer::{NumberFormat, parse_integer, radix_string};
pub use parse_float::{parse_double, parse_float};
