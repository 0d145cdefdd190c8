//! All rows of the library, one file per family of receivers.

pub mod core;
pub mod ordering;
pub mod normalize;
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
pub mod java_util;
pub mod java_stream;

use super::table::Method;

/// Every row, in lookup order.
pub fn all() -> impl Iterator<Item = &'static Method> {
    [
        core::ROWS,
        ordering::ROWS,
        normalize::ROWS,
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
        java_util::ROWS,
        java_stream::ROWS,
    ]
    .into_iter()
    .chain(math::GROUPS.iter().copied())
    .chain(decimal::GROUPS.iter().copied())
    .chain(time::GROUPS.iter().copied())
    .chain(bytes::GROUPS.iter().copied())
    .flatten()
}

#[cfg(test)]
mod tests {
    #[test]
    fn numeric_and_time_rows_are_told_apart_by_receiver_name_and_signature() {
        let mut seen = std::collections::HashSet::new();
        let groups = [
            super::math::GROUPS,
            super::decimal::GROUPS,
            super::time::GROUPS,
            super::bytes::GROUPS,
        ];
        for row in groups.into_iter().flatten().copied().flatten() {
            assert!(seen.insert((row.recv, row.name, row.sig)), "{row:?}");
        }
        assert!(seen.len() > 1000);
    }
}
