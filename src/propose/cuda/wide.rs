//! A kernel whose threads move several rows that lie side by side with one instruction. In: a kernel with a loop that loads and one
//! that computes and stores; out: the same with rows side by side, or back, or nothing where the text has another form.
//!
//! A kernel of small columns waits for its instructions, not for memory: one that moves 16 bytes has as many rows under way with a
//! fourth of them. Measured on an H200 (`docs/measurements/gpu-bench.md`, "What a search found"): ×1.48 for floats, ×1.22 for
//! ints, ×1.44 for shorts and bytes, ×1.18 for longs beside narrower columns. Doubles and longs alone reach the speed of a copy
//! without it and are left as they are.

use super::lines::Lines;
use super::several::BEGIN;
use super::variants::{constant, declared};
use crate::run::cuda::{ROWS_PER_THREAD, THREADS_PER_BLOCK};
use crate::source::Span;

/// Bytes that one instruction moves at most.
const MOST_BYTES: usize = 16;
/// Elements that one instruction moves at most.
const MOST_ELEMENTS: usize = 8;
/// The same of each of many columns: what is loaded stays in registers, one for each element however small.
const MOST_OF_MANY: usize = 4;
/// More columns than so many are many.
const FEW: usize = 3;
/// Bytes of an element from which on one at a time is as fast.
const LARGE: usize = 8;
/// Rows of a thread whose validity is kept in one word.
const MOST_ROWS: usize = 32;
/// Threads of a block of a kernel that is proposed in this form, as measured.
const THREADS: usize = 128;

const UNROLL: &str = "#pragma unroll";
const LOADS: &str = "// Loads rows that lie side by side, as many as one instruction can.";
const STORES: &str = "// Stores them the same way.";
const VALID: &str = "uint32_t rw_valid = 0;";
const SET_VALID: &str = "if (valid) rw_valid |= 1u << rw_k;";
const STORE_VALID: &str = "rw::store_valid(out_valid, row, rows, valid);";
const ROW: &str = "rw::row_index(rw_k, rw_rows_per_thread)";

type Part = (usize, String, Option<Span>);

/// The kernel as it is proposed: side by side where its columns are small enough for that to be faster.
pub(super) fn proposed(lines: Lines) -> Lines {
    match usual(&lines) {
        // Of pairs no more than one is under way in a thread: more of them take more registers than they hide.
        Some(width) => {
            let rows = (width == 2).then_some(width);
            with(&lines, width, rows, Some(THREADS)).unwrap_or(lines)
        }
        None => lines,
    }
}

/// How many elements are moved at a time: as many of the widest column, the result's included, as fit into one instruction.
fn usual(lines: &Lines) -> Option<usize> {
    let columns = elements(lines).map(bytes).collect::<Option<Vec<usize>>>()?;
    let all = || columns.iter().copied().chain(result(lines).and_then(bytes));
    let (widest, narrowest) = (all().max()?, all().min()?);
    let most = if columns.len() > FEW {
        MOST_OF_MANY
    } else {
        MOST_ELEMENTS
    };
    let width = (MOST_BYTES / widest).min(most);
    (width > 1 && narrowest < LARGE).then_some(width)
}

/// How many elements a text moves at a time, if it says so.
pub(super) fn width(text: &str) -> Option<usize> {
    let (_, rest) = text.split_once("rw::row_index<")?;
    rest.split_once('>')?.0.parse().ok()
}

/// The text with so many elements moved at a time; one is a loop over single rows.
pub(super) fn side(text: &str, width: usize) -> Option<String> {
    with(&Lines::of(text), width, None, None).map(|lines| lines.finish().0)
}

/// What the first line says of the rows of a thread; other lines stay as they are.
pub(super) fn said(line: &str, rows: usize, width: Option<usize>) -> String {
    let before = line.strip_prefix("// ").and_then(|l| l.rsplit_once(" rows per thread"));
    let before = before.and_then(|(before, _)| before.rsplit_once(' '));
    let Some((before, _)) = before.filter(|(_, n)| n.parse::<usize>().is_ok()) else {
        return line.to_owned();
    };
    let width = width.map(|w| format!(", {w} elements at a time"));
    format!("// {before} {rows} rows per thread{}.", width.unwrap_or_default())
}

fn with(lines: &Lines, width: usize, rows: Option<usize>, threads: Option<usize>) -> Option<Lines> {
    let now = lines.texts().find_map(|l| constant(l, ROWS_PER_THREAD))?;
    let rows = rows.unwrap_or(now.max(width));
    let element = result(lines)?.to_owned();
    let columns = elements(lines).map(bytes).chain([bytes(&element)]);
    let widest = columns.collect::<Option<Vec<usize>>>()?.into_iter().max()?;
    if !rows.is_multiple_of(width) || rows > MOST_ROWS || widest * width > MOST_BYTES {
        return None;
    }
    let parts = lines.clone().into_parts();
    let now = parts.iter().find_map(|(_, text, _)| self::width(text));
    let parts = match (now, width) {
        (None, 1) => return None,
        (Some(now), 1) => plain(parts, now)?,
        (Some(now), _) => again(parts, now, width),
        (None, _) => first(parts, width, &element)?,
    };
    let mut out = Lines::default();
    for (indent, text, span) in parts {
        let text = said(&text, rows, (width > 1).then_some(width));
        let constants = [(ROWS_PER_THREAD, Some(rows)), (THREADS_PER_BLOCK, threads)];
        let number = |(name, n): &(&str, Option<usize>)| {
            let head = declared(name);
            Some(format!("{head}{};", (*n)?)).filter(|_| text.starts_with(&head))
        };
        let number = constants.iter().find_map(number);
        out.put(indent, number.unwrap_or(text), span);
    }
    Some(out)
}

fn row(width: usize, k: &str) -> String {
    format!("rw::row_index<{width}>({k}, rw_rows_per_thread)")
}

/// The head of a loop over what is moved at a time.
fn step(width: usize) -> String {
    BEGIN.replace("++rw_k", &format!("rw_k += {width}"))
}

/// The same at another width.
fn again(mut parts: Vec<Part>, now: usize, width: usize) -> Vec<Part> {
    for (_, text, _) in &mut parts {
        for call in ["rw::row_index<", "rw::load_side<", "rw::store_side<"] {
            *text = text.replace(&format!("{call}{now}>"), &format!("{call}{width}>"));
        }
        *text = text.replace(&format!("rw_k += {now})"), &format!("rw_k += {width})"));
    }
    parts
}

/// Lines before the loop that a pragma may stand above.
fn before_loop(out: &mut Vec<Part>, lines: &[&str], indent: usize) {
    let unrolled = out.last().is_some_and(|(_, text, _)| text == UNROLL);
    let at = out.len() - usize::from(unrolled);
    let made = lines.iter().map(|l| (indent, (*l).to_owned(), None));
    out.splice(at..at, made);
}

fn first(parts: Vec<Part>, width: usize, element: &str) -> Option<Vec<Part>> {
    let (mut out, mut loops, mut stores) = (Vec::new(), 0, 0);
    for (indent, text, span) in parts {
        if text == BEGIN {
            loops += 1;
            match loops {
                1 => before_loop(&mut out, &[LOADS], indent),
                // What is computed is kept until it can be stored side by side.
                _ => before_loop(&mut out, &[&kept(element), VALID], indent),
            }
        }
        let text = match (loops, text.as_str()) {
            (1, BEGIN) => step(width),
            (1, _) => loaded(&text, width).unwrap_or_else(|| text.replace(ROW, &row(width, "rw_k"))),
            (2, STORE_VALID) => {
                stores += 1;
                SET_VALID.to_owned()
            }
            (2, _) => text
                .replace(ROW, &row(width, "rw_k"))
                .replace("out[row]", "rw_out[rw_k]"),
            _ => text,
        };
        if loops == 2 && text == "}" && indent == 0 {
            let first = row(width, "rw_k");
            let store =
                format!("rw::store_side<{width}>(out, out_valid, {first}, rows, rw_out + rw_k, rw_valid >> rw_k);");
            let made = [
                (1, STORES.to_owned()),
                (1, UNROLL.to_owned()),
                (1, step(width)),
                (2, store),
                (1, "}".to_owned()),
            ];
            out.extend(made.map(|(indent, text)| (indent, text, None)));
        }
        out.push((indent, text, span));
    }
    (loops == 2 && stores == 1).then_some(out)
}

/// Where results of the element are kept until they are stored.
fn kept(element: &str) -> String {
    format!("{element} rw_out[rw_rows_per_thread]{{}};")
}

/// One row at a time again.
fn plain(mut parts: Vec<Part>, now: usize) -> Option<Vec<Part>> {
    let store = format!("rw::store_side<{now}>(");
    let at = parts.iter().position(|(_, text, _)| text.starts_with(&store))?;
    let step = step(now);
    let around = at
        .checked_sub(1)
        .filter(|n| parts[*n].1 == step)
        .zip(parts.get(at + 1).filter(|(_, t, _)| t == "}"));
    let from = around?.0;
    parts.drain(from..=at + 1);
    if let Some(before) = from.checked_sub(1).filter(|n| parts[*n].1 == UNROLL) {
        parts.remove(before);
    }
    let mut stores = 0;
    parts.retain(|(_, text, _)| {
        let kept = text.ends_with(" rw_out[rw_rows_per_thread]{};");
        !kept && ![LOADS, STORES, VALID].contains(&text.as_str())
    });
    for (_, text, _) in &mut parts {
        *text = match text.as_str() {
            SET_VALID => {
                stores += 1;
                STORE_VALID.to_owned()
            }
            head if head == step => BEGIN.to_owned(),
            _ => single(text, now)
                .unwrap_or_else(|| text.replace(&row(now, "rw_k"), ROW).replace("rw_out[rw_k]", "out[row]")),
        };
    }
    (stores == 1).then_some(parts)
}

/// A line that loads one row, as one that loads several.
fn loaded(line: &str, width: usize) -> Option<String> {
    let (name, _) = line.split_once("_rows[rw_k] = rw::load(")?;
    (line == one(name)).then(|| several(name, width))
}

/// A line that loads several rows, as one that loads one.
fn single(line: &str, width: usize) -> Option<String> {
    let rest = line.strip_prefix("rw::load_side<")?;
    let name = rest.split_once(">(")?.1.split_once(',')?.0;
    (line == several(name, width)).then(|| one(name))
}

fn one(name: &str) -> String {
    format!("{name}_rows[rw_k] = rw::load({name}, {name}_valid, row < rows ? row : rows - 1);")
}

fn several(name: &str, width: usize) -> String {
    format!("rw::load_side<{width}>({name}, {name}_valid, row, rows, {name}_rows + rw_k);")
}

/// The result's element, where it has a fixed width.
fn result(lines: &Lines) -> Option<&str> {
    let after = "* __restrict__ out, uint32_t* __restrict__ out_valid";
    let before = lines.texts().find_map(|l| Some(l.split_once(after)?.0))?;
    before.rsplit([' ', '(']).next()
}

/// The elements of the columns that are loaded several rows at a time.
fn elements(lines: &Lines) -> impl Iterator<Item = &str> {
    lines
        .texts()
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

#[cfg(test)]
mod tests {
    use super::super::propose;
    use super::*;
    use crate::find::find;
    use crate::source::{Language, SourceFile};

    fn kernel(body: &str) -> String {
        let text = format!("object K {{\n  val k = udf({body})\n}}\n");
        let file = SourceFile::from_text("K.scala", Language::Scala, text);
        propose(&file, &find(&file).udfs[0]).unwrap().text
    }

    #[test]
    fn a_kernel_of_small_columns_moves_them_side_by_side() {
        insta::assert_snapshot!(kernel("(a: Int, b: Short) => a / b"));
    }

    #[test]
    fn the_first_line_says_how_it_is_divided() {
        let line = "// k of K.scala, 4 rows per thread, 2 elements at a time.";
        assert_eq!(
            said(line, 8, Some(4)),
            "// k of K.scala, 8 rows per thread, 4 elements at a time."
        );
        assert_eq!(said(line, 8, None), "// k of K.scala, 8 rows per thread.");
        for other in ["// as many rows per thread as fit", "int rows per thread", "//"] {
            assert_eq!(said(other, 8, None), other);
        }
    }

    #[test]
    fn a_text_that_has_another_form_has_no_other_width() {
        let text = kernel("(a: Int) => a + 1");
        assert!(side(&text, 2).is_some() && side(&text, 1).is_some());
        assert_eq!(side(&text, 8), None, "32 bytes");
        for (from, to) in [
            ("rw_rows_per_thread = 4", "rw_rows_per_thread = N"),
            ("rw::store_side<4>", "store<4>"),
        ] {
            assert!(text.contains(from), "{text}");
            assert_eq!(side(&text.replace(from, to), 1), None);
        }
    }
}
