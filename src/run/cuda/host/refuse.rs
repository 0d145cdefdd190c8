//! What a kernel cannot use where its threads run one after the other. In: its text; out: the first such construct with its
//! place. Never looks into the helper headers, which know of the host.

use super::super::params::at;
use super::super::tokens::tokens;
use crate::error::Result;

/// Beginnings of names, and what they are. The first that fits counts.
const BEYOND: &[(&str, &str)] = &[
    ("__shared__", "shared memory"),
    ("__syncthreads", "a barrier of a block"),
    ("__syncwarp", "a barrier of a warp"),
    ("__shfl", "an exchange between the threads of a warp"),
    ("__ballot", "a vote of a warp"),
    ("__any", "a vote of a warp"),
    ("__all", "a vote of a warp"),
    ("__activemask", "the active threads of a warp"),
    ("__match", "a vote of a warp"),
    ("__reduce", "a reduction of a warp"),
    ("__threadfence", "a memory fence"),
    ("atomic", "an atomic operation"),
    ("cooperative_groups", "groups of threads"),
    ("__nanosleep", "waiting on the device"),
    ("clock", "the device's clock"),
    ("globaltimer", "the device's clock"),
    ("asm", "assembly of the device"),
    ("tex1D", "a texture"),
    ("tex2D", "a texture"),
    ("__pipeline", "an asynchronous copy"),
    ("nvcuda", "a library of the device"),
];

/// Refuses what the shim does not have.
pub(super) fn refuse(text: &str) -> Result<()> {
    for token in tokens(text).into_iter().filter(|t| t.is_word()) {
        let Some((name, what)) = BEYOND.iter().find(|(name, _)| begins(token.text, name)) else {
            continue;
        };
        let mut error = at(
            (token.line, token.column),
            format!(
                "`{}` is {what}, which the cuda-host engine does not emulate",
                token.text
            ),
        );
        error.kind = crate::error::ErrorKind::NotProven;
        let hint = match *name {
            "__ballot" => "rw::store_valid works on both; or run it with --engine cuda on a machine with a GPU",
            _ => "run it with --engine cuda on a machine with a GPU",
        };
        return Err(error.hint(hint));
    }
    Ok(())
}

/// Whether a name is one of a family: `atomicAdd` is of `atomic`, `atomicity` and `asmName` are not.
fn begins(word: &str, family: &str) -> bool {
    let Some(rest) = word.strip_prefix(family) else {
        return false;
    };
    match family {
        "atomic" => rest.starts_with(|c: char| c.is_ascii_uppercase()),
        "clock" => rest.is_empty() || rest == "64",
        "asm" => rest.is_empty(),
        "__any" | "__all" | "__match" | "__reduce" => rest.is_empty() || rest.starts_with('_'),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_threads_side_by_side_is_refused_with_its_place() {
        let error = refuse("int x;\n  __shared__ int s[32];").unwrap_err();
        assert_eq!(error.location.as_ref().map(|l| (l.line, l.column)), Some((2, 3)));
        assert!(error.to_string().contains("shared memory"), "{error}");
        assert!(refuse("atomicAdd(&x, 1);").is_err());
        assert!(refuse("__any_sync(m, p);").is_err());
        assert!(refuse("int atomicity = 1, clockwise, allocated; // __shared__\nrw::store_valid(a, b, c, d);").is_ok());
    }
}
