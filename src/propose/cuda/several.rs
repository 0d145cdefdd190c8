//! Several rows for each thread, where that is faster: a kernel that only computes with numbers waits for memory, and has more of
//! it under way when a thread loads several rows before it computes the first. In: a whole kernel; out: the same with a loop that
//! loads and one that computes and stores, or as it was.

use super::lines::Lines;
use crate::source::Span;

/// Rows of a thread with up to so many columns: more of them take more registers than a multiprocessor has.
const ROWS: [(usize, usize); 2] = [(3, 4), (8, 2)];
/// What makes a row's work so long, or so large, that several rows of it are not under way any sooner.
const LONG: &[&str] = &["for (", "while (", "do {", "scratch", "_offsets", "goto ", "too_deep("];
const ROW: &str = "const int64_t row = rw::row_index();";
/// Threads of a block: where each does several rows, blocks of half the usual size keep more of the device busy. Measured on an
/// H200 (`docs/measurements/gpu-bench.md`).
const THREADS: usize = 128;
/// The loops' own name, which no parameter has.
const INDEX: &str = "rw_k";
/// The head of a loop over the rows of a thread.
pub(super) const BEGIN: &str = "for (int rw_k = 0; rw_k < rw_rows_per_thread; ++rw_k) {";

/// A column that each row loads an element of.
struct Load {
    line: String,
    name: String,
    element: String,
}

/// Where in the text a line stands.
#[derive(Clone, Copy)]
enum Part {
    Before,
    Parameters,
    Rows,
    After,
}

/// Puts loops around the rows of a kernel that is short.
pub(super) fn rows(lines: Lines) -> Lines {
    with(lines, None)
}

/// Whether a row is not short: its own loops, memory that it builds in.
pub(super) fn is_long(lines: &Lines) -> bool {
    let own = |line: &str| !line.contains(INDEX) && LONG.iter().any(|long| line.contains(long));
    lines.any(own)
}

/// The same with so many rows of a thread, whatever number is usual for its columns.
pub(super) fn with(lines: Lines, wanted: Option<usize>) -> Lines {
    if is_long(&lines) || !lines.mentions(ROW) {
        return lines;
    }
    let parts = lines.into_parts();
    let loads: Vec<Load> = parts.iter().filter_map(|(_, text, _)| load(text, &parts)).collect();
    let usual = ROWS.iter().find(|(most, _)| loads.len() <= *most);
    let rows = wanted.or(usual.map(|(_, rows)| *rows));
    let mut out = Lines::default();
    let Some(rows) = rows.filter(|_| !loads.is_empty()) else {
        parts.into_iter().for_each(|(n, text, span)| out.put(n, text, span));
        return out;
    };
    let mut part = Part::Before;
    for (indent, text, span) in parts {
        part = one(&mut out, part, (indent, text, span), &loads, rows);
    }
    out
}

/// What a line loads, if it does only that.
fn load(line: &str, all: &[(usize, String, Option<Span>)]) -> Option<Load> {
    let (name, _) = line.strip_prefix("const auto ")?.split_once("_row = rw::load(")?;
    if line != format!("const auto {name}_row = rw::load({name}, {name}_valid, row);") {
        return None;
    }
    let parameter = format!("* {name}, const uint32_t* {name}_valid,");
    let declared = all.iter().find_map(|(_, text, _)| text.strip_suffix(&parameter))?;
    Some(Load {
        line: line.to_owned(),
        name: name.to_owned(),
        element: declared.strip_prefix("const ")?.to_owned(),
    })
}

fn one(out: &mut Lines, part: Part, line: (usize, String, Option<Span>), loads: &[Load], rows: usize) -> Part {
    let (indent, text, span) = line;
    match (part, text.as_str()) {
        (Part::Before, head) if head.starts_with("extern \"C\" __global__ ") => {
            out.put(0, format!("constexpr int rw_rows_per_thread = {rows};"), None);
            out.put(0, format!("constexpr int rw_threads_per_block = {THREADS};"), None);
            out.put(0, "", None);
            out.put(indent, text, span);
            return Part::Parameters;
        }
        (Part::Before, _) => {
            let said = text
                .strip_suffix(", one thread per row.")
                .filter(|t| t.starts_with("//"));
            let said = said.map(|s| format!("{s}, {rows} rows per thread."));
            out.put(indent, said.unwrap_or(text), span);
        }
        (Part::Parameters, ROW) => {
            load_all(out, indent, loads);
            begin(out, indent);
            return Part::Rows;
        }
        // The next row can be loaded before this one is stored only where the two are known to lie apart.
        (Part::Parameters, _) => out.put(indent, text.replace("* ", "* __restrict__ "), span),
        (Part::Rows, "}") if indent == 0 => {
            out.put(1, "}", None);
            out.put(indent, text, span);
            return Part::After;
        }
        (Part::Rows, _) => {
            let loaded = loads.iter().find(|l| l.line == text);
            let loaded = loaded.map(|l| format!("const auto {0}_row = {0}_rows[{INDEX}];", l.name));
            out.put(indent + 1, loaded.unwrap_or(text), span);
        }
        (Part::After, _) => out.put(indent, text, span),
    }
    part
}

/// The head of a loop over the rows of a thread.
fn begin(out: &mut Lines, indent: usize) {
    out.put(indent, "#pragma unroll", None);
    out.put(indent, BEGIN, None);
    let row = format!("const int64_t row = rw::row_index({INDEX}, rw_rows_per_thread);");
    out.put(indent + 1, row, None);
}

/// The loop that loads. Behind the last row it loads that one again: a branch would have to be waited for.
fn load_all(out: &mut Lines, indent: usize, loads: &[Load]) {
    for l in loads {
        let text = format!("rw::Maybe<{}> {}_rows[rw_rows_per_thread];", l.element, l.name);
        out.put(indent, text, None);
    }
    begin(out, indent);
    for Load { name, .. } in loads {
        let text = format!("{name}_rows[{INDEX}] = rw::load({name}, {name}_valid, row < rows ? row : rows - 1);");
        out.put(indent + 1, text, None);
    }
    out.put(indent, "}", None);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(body: &str) -> Lines {
        let text = format!(
            "// k of K.scala, one thread per row.\nextern \"C\" __global__ void k(\n  const double* x, const uint32_t* x_valid,\n  \
             double* out, uint32_t* out_valid,\n  int32_t* error, int64_t rows) {{\n  const int64_t row = rw::row_index();\n  \
             if (row < rows) {{\n    const auto x_row = rw::load(x, x_valid, row);\n    {body}\n  }}\n}}"
        );
        let mut lines = Lines::default();
        for line in text.lines() {
            let text = line.trim_start();
            lines.put((line.len() - text.len()) / 2, text, None);
        }
        lines
    }

    #[test]
    fn a_short_kernel_does_several_rows_a_thread() {
        let (text, _) = rows(kernel("out[row] = x_row.value;")).finish();
        insta::assert_snapshot!(text);
    }

    #[test]
    fn a_long_one_stays_as_it_is() {
        for body in ["while (x_row.value > 1) {}", "out[row] = text_offsets[row];"] {
            let before = kernel(body).finish().0;
            assert_eq!(rows(kernel(body)).finish().0, before);
        }
    }
}
