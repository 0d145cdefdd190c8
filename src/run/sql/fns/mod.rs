//! The table of row functions by name. Each entry says how its arguments are typed, what it does about nulls, and how one
//! row is computed. Never sees columns.

// Signature functions share one type, whether or not they add or remove arguments.
#![allow(clippy::ptr_arg)]

pub mod arrays;
pub mod bits;
pub mod codec;
pub mod control;
pub mod dates;
pub mod datefmt;
pub mod hash;
pub mod maps;
pub mod math;
pub mod pattern;
mod printf;
pub mod rounding;
pub mod search;
pub mod sequence;
pub mod strings;
pub mod times;

use std::collections::HashMap;
use std::sync::OnceLock;

use super::plan::{Def, Nulls, RowFn, Sig};

/// Functions whose result is never computed before the run, because they exist to raise.
pub const NEVER_FOLDED: [&str; 2] = ["raise_error", "assert_true"];

/// The largest text or array that one row may make, in bytes or elements.
pub const MAX_ROW: i64 = 64 << 20;

/// A function that is null as soon as an argument is, evaluated left to right.
pub const fn strict(name: &'static str, sig: &'static str, run: RowFn) -> Def {
    Def {
        name,
        sig: Sig::Text(sig),
        nulls: Nulls::Strict,
        run,
    }
}

/// A function that sees its nulls.
pub const fn sees(name: &'static str, sig: &'static str, run: RowFn) -> Def {
    Def {
        name,
        sig: Sig::Text(sig),
        nulls: Nulls::Sees,
        run,
    }
}

/// A function with a signature of its own.
pub const fn own(
    name: &'static str,
    nulls: Nulls,
    sig: fn(&mut Vec<super::plan::Node>, bool) -> Result<super::ty::Ty, String>,
    run: RowFn,
) -> Def {
    Def {
        name,
        sig: Sig::Own(sig),
        nulls,
        run,
    }
}

/// Second names.
const ALIASES: &[(&str, &str)] = &[
    ("char_length", "length"),
    ("character_length", "length"),
    ("len", "length"),
    ("substr", "substring"),
    ("ucase", "upper"),
    ("lcase", "lower"),
    ("char", "chr"),
    ("power", "pow"),
    ("ceiling", "ceil"),
    ("sign", "signum"),
    ("cardinality", "size"),
    ("regexp", "rlike"),
    ("regexp_like", "rlike"),
    ("printf", "format_string"),
    ("sha", "sha1"),
    ("position", "locate"),
    ("dayofmonth", "day"),
    ("datepart", "date_part"),
    ("date_diff", "datediff"),
    ("dateadd", "date_add"),
    ("to_unix_timestamp", "unix_timestamp"),
];

fn tables() -> [&'static [Def]; 15] {
    [
        arrays::TABLE,
        bits::TABLE,
        codec::TABLE,
        control::TABLE,
        dates::TABLE,
        datefmt::TABLE,
        hash::TABLE,
        maps::TABLE,
        math::TABLE,
        pattern::TABLE,
        printf::TABLE,
        rounding::TABLE,
        search::TABLE,
        strings::TABLE,
        times::TABLE,
    ]
}

fn index() -> &'static HashMap<&'static str, &'static Def> {
    static INDEX: OnceLock<HashMap<&'static str, &'static Def>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut map: HashMap<&str, &Def> = tables().into_iter().flatten().map(|d| (d.name, d)).collect();
        for (alias, name) in ALIASES {
            if let Some(d) = map.get(name).copied() {
                map.insert(alias, d);
            }
        }
        map
    })
}

/// The function of this lower-case name.
pub fn find(name: &str) -> Option<&'static Def> {
    index().get(name).copied().filter(|d| !d.name.starts_with('['))
}

/// A function that the analyzer itself inserts.
pub fn builtin(name: &str) -> &'static Def {
    index()
        .get(name)
        .copied()
        .expect("the analyzer names functions of the table")
}

/// Every name of the table, in order.
pub fn names() -> Vec<&'static str> {
    let mut out: Vec<&str> = index().keys().copied().filter(|n| !n.starts_with('[')).collect();
    out.sort_unstable();
    out
}
