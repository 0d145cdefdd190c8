//! Error codes of rows. In: `rw_core.cuh` itself, so that kernels, proposals and results cannot disagree about one; out: their numbers
//! and names.

use std::sync::LazyLock;

use super::HEADERS;

/// Codes that are no exception's.
const NO_CLASSES: [&str; 2] = ["None", "NotCovered"];

/// The codes that kernels write, in the header's order: number, and name without the `k`.
pub fn codes() -> &'static [(i32, &'static str)] {
    static CODES: LazyLock<Vec<(i32, &'static str)>> = LazyLock::new(|| {
        let header = HEADERS.iter().find(|(name, _)| *name == "rw_core.cuh");
        let list = header.and_then(|(_, text)| text.split_once("enum Error"));
        let list = list.and_then(|(_, rest)| rest.split_once("};"));
        let lines = list.map_or("", |(body, _)| body).lines();
        lines
            .filter_map(|line| {
                let (name, number) = line.trim().trim_end_matches(',').split_once(" = ")?;
                Some((number.parse().ok()?, name.strip_prefix('k')?))
            })
            .collect()
    });
    &CODES
}

/// The exception classes that the error channel knows.
pub(super) fn classes() -> impl Iterator<Item = &'static str> {
    codes()
        .iter()
        .map(|(_, name)| *name)
        .filter(|name| !NO_CLASSES.contains(name))
}

/// The constant of the code of an exception class.
pub(super) fn error_code(class: &str) -> Option<String> {
    classes().any(|known| known == class).then(|| format!("k{class}"))
}
