//! A kernel whose threads move several rows that lie side by side with one instruction. In: a kernel with a loop that loads and one
//! that computes and stores; out: the same with rows side by side, or nothing where the text has another form.

use super::several::BEGIN;
use super::variants::{constant, with_constant};
use crate::run::cuda::ROWS_PER_THREAD;

/// Bytes that one instruction moves at most.
const MOST_BYTES: usize = 16;
/// Rows of a thread whose validity is kept in one word.
const MOST_ROWS: usize = 32;

/// How many elements a text moves at a time, if it says so.
pub(super) fn width(text: &str) -> Option<usize> {
    let (_, rest) = text.split_once("rw::row_index<")?;
    rest.split_once('>')?.0.parse().ok()
}

/// The text with so many elements moved at a time.
pub(super) fn side(text: &str, width: usize) -> Option<String> {
    let rows = constant(text, ROWS_PER_THREAD)?;
    let rows = rows.max(width);
    let element = result(text)?;
    let least = elements(text)
        .chain([element])
        .map(bytes)
        .try_fold(0, |most, b| Some(b?.max(most)))?;
    if !rows.is_multiple_of(width) || rows > MOST_ROWS || least * width > MOST_BYTES {
        return None;
    }
    let text = with_constant(text, ROWS_PER_THREAD, rows)?;
    match self::width(&text) {
        Some(now) => Some(again(&text, now, width)),
        None => first(&text, width, element),
    }
}

/// The same at another width.
fn again(text: &str, now: usize, width: usize) -> String {
    ["rw::row_index<", "rw::load_side<", "rw::store_side<"]
        .iter()
        .fold(text.to_owned(), |t, call| {
            t.replace(&format!("{call}{now}>"), &format!("{call}{width}>"))
        })
        .replace(&format!("rw_k += {now})"), &format!("rw_k += {width})"))
}

fn first(text: &str, width: usize, element: &str) -> Option<String> {
    let row = |k: &str| format!("rw::row_index<{width}>({k}, rw_rows_per_thread)");
    let step = BEGIN.replace("++rw_k", &format!("rw_k += {width}"));
    let (mut out, mut loops) = (Vec::new(), 0);
    for line in text.lines() {
        let body = line.trim_start();
        let indent = &line[..line.len() - body.len()];
        if body == BEGIN {
            loops += 1;
        }
        if loops == 2 && body == BEGIN {
            // What is computed is kept until it can be stored side by side: declared before the pragma of the loop.
            let at = out.len().checked_sub(1)?;
            out.insert(at, format!("{indent}{element} rw_out[rw_rows_per_thread]{{}};"));
            out.insert(at + 1, format!("{indent}uint32_t rw_valid = 0;"));
        }
        let line = match (loops, body) {
            (1, _) if body == BEGIN => step.clone(),
            (1, _) => loaded(body, width)
                .unwrap_or_else(|| body.replace("rw::row_index(rw_k, rw_rows_per_thread)", &row("rw_k"))),
            (2, "rw::store_valid(out_valid, row, rows, valid);") => "if (valid) rw_valid |= 1u << rw_k;".to_owned(),
            (2, _) => body
                .replace("rw::row_index(rw_k, rw_rows_per_thread)", &row("rw_k"))
                .replace("out[row]", "rw_out[rw_k]"),
            _ => body.to_owned(),
        };
        if loops == 2 && body == "}" && indent.is_empty() {
            let first = row("rw_k");
            out.extend([
                "  #pragma unroll".to_owned(),
                format!("  {step}"),
                format!("    rw::store_side<{width}>(out, out_valid, {first}, rows, rw_out + rw_k, rw_valid >> rw_k);"),
                "  }".to_owned(),
            ]);
        }
        out.push(format!("{indent}{line}"));
    }
    let stores = out.iter().filter(|l| l.contains("rw_valid |= ")).count();
    (loops == 2 && stores == 1).then(|| out.join("\n") + "\n")
}

/// A line that loads one row, as one that loads several.
fn loaded(line: &str, width: usize) -> Option<String> {
    let (name, rest) = line.split_once("_rows[rw_k] = rw::load(")?;
    (rest == format!("{name}, {name}_valid, row < rows ? row : rows - 1);"))
        .then(|| format!("rw::load_side<{width}>({name}, {name}_valid, row, rows, {name}_rows + rw_k);"))
}

/// The result's element, where it has a fixed width.
fn result(text: &str) -> Option<&str> {
    let (before, _) = text.split_once("* __restrict__ out, uint32_t* __restrict__ out_valid")?;
    before.rsplit([' ', '\n', '(']).next()
}

/// The elements of the columns that are loaded several rows at a time.
fn elements(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim_start)
        .filter(|l| l.ends_with("_rows[rw_rows_per_thread];"))
        .filter_map(|l| Some(l.strip_prefix("rw::Maybe<")?.split_once('>')?.0))
}

fn bytes(element: &str) -> Option<usize> {
    Some(match element {
        "uint8_t" | "int8_t" | "bool" => 1,
        "int16_t" | "uint16_t" => 2,
        "int32_t" | "uint32_t" | "float" => 4,
        "int64_t" | "uint64_t" | "double" => 8,
        "__int128" => 16,
        _ => return None,
    })
}
