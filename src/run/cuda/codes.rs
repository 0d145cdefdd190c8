//! Error codes of rows. In: the numbers that kernels write; out: exception classes.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::propose::cuda::codes;

/// The code of a row about which the kernel says nothing.
const NOT_COVERED: &str = "NotCovered";

static CODES: LazyLock<HashMap<i32, &'static str>> = LazyLock::new(|| codes().iter().copied().collect());

/// What a code says of its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// It has a value or is null.
    Fine,
    /// It threw an exception of this class.
    Threw(&'static str),
    /// The kernel does not cover it.
    NotCovered,
    /// No kernel writes such a number.
    Unknown,
}

/// The meaning of a code.
pub(super) fn code(number: i32) -> Code {
    match (number, CODES.get(&number)) {
        (0, _) => Code::Fine,
        (_, Some(&NOT_COVERED)) => Code::NotCovered,
        (_, Some(class)) => Code::Threw(class),
        (_, None) => Code::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_header() {
        assert_eq!(code(0), Code::Fine);
        assert_eq!(code(2), Code::Threw("ArithmeticException"));
        assert_eq!(code(13), Code::Threw("IndexOutOfBoundsException"));
        assert_eq!(code(255), Code::NotCovered);
        assert_eq!(code(-1515870811), Code::Unknown);
    }
}
