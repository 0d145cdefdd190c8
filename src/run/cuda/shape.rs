//! How many rows each thread of a kernel does, as its text says: `constexpr int rw_rows_per_thread = 4;`. In: C++; out: a number
//! of rows, one where nothing is said. It decides how many blocks a launch has.

use super::params::at;
use super::tokens::Token;
use crate::error::Result;

const NAME: &str = "rw_rows_per_thread";
/// Most rows of a thread.
const MOST: usize = 64;

/// Reads it from the words of a text.
pub(super) fn rows_per_thread(all: &[Token]) -> Result<usize> {
    let Some(i) = (1..all.len()).find(|i| all[*i].text == NAME && all[i - 1].is_word()) else {
        return Ok(1);
    };
    let place = (all[i].line, all[i].column);
    let says = |n: usize, text: &str| all.get(i + n).is_some_and(|t| t.text == text);
    let number = all.get(i + 2).and_then(|t| t.text.parse().ok());
    let number = number.filter(|n| (1..=MOST).contains(n) && says(1, "=") && says(3, ";"));
    number.ok_or_else(|| {
        at(place, format!("`{NAME}` is no number of rows"))
            .hint(format!("write: constexpr int {NAME} = 4; at most {MOST}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::cuda::tokens::tokens;

    #[test]
    fn rows_of_a_thread_are_one_unless_the_text_says_otherwise() {
        let of = |text: &str| rows_per_thread(&tokens(text));
        assert_eq!(of("int x; // rw_rows_per_thread = 3;").unwrap(), 1);
        assert_eq!(
            of("constexpr int rw_rows_per_thread = 4;\nfor (int k = 0; k < rw_rows_per_thread; ++k)").unwrap(),
            4
        );
        for wrong in ["= 0;", "= 65;", "= x;", "= 2 * 2;", ";"] {
            let error = of(&format!("\nconstexpr int rw_rows_per_thread {wrong}")).unwrap_err();
            assert_eq!(error.location.map(|l| l.line), Some(2), "{wrong}");
        }
    }
}
