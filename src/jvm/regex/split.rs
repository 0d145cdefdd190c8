//! `String.split` and `Pattern.split`.

use super::{Regex, RegexError, Search};

/// The parts of a text as ranges. A positive limit bounds their number, zero drops empty ones at the end, a negative limit
/// keeps all. An empty match at the very start gives no empty first part.
pub fn split(regex: &Regex, text: &[u16], limit: i32) -> Result<Vec<(usize, usize)>, RegexError> {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    let mut index = 0;
    let mut search = Search::default();
    while let Some(found) = search.next(regex, text)? {
        if limit > 0 && parts.len() as i32 >= limit - 1 {
            break;
        }
        if index == 0 && found.start() == 0 && found.end() == 0 {
            continue;
        }
        parts.push((index, found.start()));
        index = found.end();
    }
    if index == 0 && parts.is_empty() {
        return Ok(vec![(0, text.len())]);
    }
    parts.push((index, text.len()));
    if limit == 0 {
        while parts.last().is_some_and(|(a, b)| a == b) {
            parts.pop();
        }
    }
    Ok(parts)
}
