//! How a launch of a kernel is divided, as its text says: `constexpr int rw_rows_per_thread = 4;` and
//! `constexpr int rw_threads_per_block = 128;`. In: C++; out: both numbers, the usual ones where nothing is said. They decide how
//! many blocks a launch has.

use super::params::at;
use super::tokens::Token;
use crate::error::Result;

/// The constant that says how many rows each thread does.
pub const ROWS_PER_THREAD: &str = "rw_rows_per_thread";
/// The constant that says how many threads a block has.
pub const THREADS_PER_BLOCK: &str = "rw_threads_per_block";
/// Most rows of a thread.
const MOST_ROWS: usize = 64;
/// Most rows of a thread that moves several elements at a time: a bit of a word says of each whether it is valid.
const SIDE_ROWS: usize = 32;
/// Threads of a warp, of which a block has whole ones.
const WARP: usize = 32;
/// Most threads of a block on any device.
const MOST_THREADS: usize = 1024;
/// Threads of a block where nothing is said.
pub(super) const BLOCK: usize = 256;

/// How a launch is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// Rows of a thread.
    pub rows_per_thread: usize,
    /// Threads of a block.
    pub threads_per_block: usize,
}

impl Shape {
    /// Reads it from the words of a text.
    pub fn of(all: &[Token]) -> Result<Shape> {
        let rows = constant(all, ROWS_PER_THREAD, |n| (1..=MOST_ROWS).contains(&n)).map_err(|e| {
            e.hint(format!(
                "write: constexpr int {ROWS_PER_THREAD} = 4; at most {MOST_ROWS}"
            ))
        })?;
        if let (Some(width), Some(rows)) = (side(all), rows)
            && (!rows.is_multiple_of(width.0) || rows > SIDE_ROWS)
        {
            return Err(at(
                width.1,
                format!("{rows} rows of a thread are not moved {} at a time", width.0),
            )
            .hint(format!(
                "{ROWS_PER_THREAD} has to be a multiple of {}, at most {SIDE_ROWS}",
                width.0
            )));
        }
        let whole = |n: usize| n.is_multiple_of(WARP) && (WARP..=MOST_THREADS).contains(&n);
        let threads = constant(all, THREADS_PER_BLOCK, whole).map_err(|e| {
            e.hint(format!(
                "write: constexpr int {THREADS_PER_BLOCK} = 256; whole warps of {WARP}, at most {MOST_THREADS}"
            ))
        })?;
        Ok(Shape {
            rows_per_thread: rows.unwrap_or(1),
            threads_per_block: threads.unwrap_or(BLOCK),
        })
    }

    /// Rows of a block.
    pub fn rows_per_block(self) -> usize {
        self.rows_per_thread * self.threads_per_block
    }
}

/// How many elements are moved at a time, and where that stands.
fn side(all: &[Token]) -> Option<(usize, (u32, u32))> {
    let i = (0..all.len()).find(|i| all[*i].text == "row_index" && all.get(i + 1).is_some_and(|t| t.text == "<"))?;
    let width = all.get(i + 2)?.text.parse().ok().filter(|w| *w > 0)?;
    Some((width, (all[i].line, all[i].column)))
}

/// The number that a constant is declared as.
fn constant(all: &[Token], name: &str, allowed: impl Fn(usize) -> bool) -> Result<Option<usize>> {
    let Some(i) = (1..all.len()).find(|i| all[*i].text == name && all[i - 1].is_word()) else {
        return Ok(None);
    };
    let place = (all[i].line, all[i].column);
    let says = |n: usize, text: &str| all.get(i + n).is_some_and(|t| t.text == text);
    let number = all.get(i + 2).and_then(|t| t.text.parse().ok());
    let number = number.filter(|n| allowed(*n) && says(1, "=") && says(3, ";"));
    let wrong = || at(place, format!("`{name}` is declared as no number that it can be"));
    number.map(Some).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::cuda::tokens::tokens;

    fn of(text: &str) -> Result<Shape> {
        Shape::of(&tokens(text))
    }

    #[test]
    fn rows_of_a_thread_are_one_unless_the_text_says_otherwise() {
        let rows = |text: &str| of(text).map(|s| s.rows_per_thread);
        assert_eq!(rows("int x; // rw_rows_per_thread = 3;").unwrap(), 1);
        assert_eq!(
            rows("constexpr int rw_rows_per_thread = 4;\nfor (int k = 0; k < rw_rows_per_thread; ++k)").unwrap(),
            4
        );
        for wrong in ["= 0;", "= 65;", "= x;", "= 2 * 2;", ";"] {
            let error = of(&format!("\nconstexpr int rw_rows_per_thread {wrong}")).unwrap_err();
            assert_eq!(error.location.map(|l| l.line), Some(2), "{wrong}");
        }
    }

    #[test]
    fn threads_of_a_block_are_whole_warps() {
        let threads = |text: &str| of(text).map(|s| s.threads_per_block);
        assert_eq!(threads("int x;").unwrap(), 256);
        assert_eq!(threads("constexpr int rw_threads_per_block = 1024;").unwrap(), 1024);
        for wrong in ["= 0;", "= 48;", "= 2048;", "= WARPS;"] {
            let error = of(&format!("constexpr int rw_threads_per_block {wrong}")).unwrap_err();
            assert!(error.hints.iter().any(|h| h.contains("whole warps")), "{wrong}");
        }
    }
}
