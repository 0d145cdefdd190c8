//! All rows of the library, one file per family of receivers.

pub mod core;
pub mod option;
pub mod seq;
pub mod map_set;
pub mod builder;
pub mod string;
pub mod character;
pub mod number_text;
pub mod regex;
pub mod format;
pub mod math;
pub mod decimal;
pub mod time;
pub mod bytes;

use super::table::Method;

/// Every row, in lookup order.
pub fn all() -> impl Iterator<Item = &'static Method> {
    [
        core::ROWS,
        option::ROWS,
        seq::ROWS,
        map_set::ROWS,
        builder::ROWS,
        string::java::ROWS,
        string::scala::ROWS,
        string::elements::ROWS,
        character::ROWS,
        number_text::ROWS,
        regex::java::ROWS,
        regex::scala::ROWS,
        format::ROWS,
    ]
    .into_iter()
    .chain(math::GROUPS.iter().copied())
    .chain(decimal::GROUPS.iter().copied())
    .chain(time::GROUPS.iter().copied())
    .chain(bytes::GROUPS.iter().copied())
    .flatten()
}
