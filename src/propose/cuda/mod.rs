//! Proposes CUDA kernels. In: the typed AST, loops and mutation included; out: one C++ file over Arrow columns. Never goes
//! through the columnar IR: a loop has no columnar form, and straight code is as short this way.

mod calling;
mod calls;
mod codes;
mod constants;
mod dates;
mod decimals;
mod divide;
mod divided;
mod emit;
mod entry;
mod folds;
mod form;
mod formats;
mod includes;
mod kernel;
mod lambdas;
mod lines;
mod load;
mod loops;
mod matching;
mod names;
mod numbers;
mod options;
mod pattern;
mod patterns;
mod regex;
mod regex_code;
mod seqs;
mod several;
mod slots;
mod statements;
mod tail;
mod texts;
mod tries;
mod types;
#[cfg(test)]
mod unicode;
mod values;
mod variants;
mod walk;
mod walked;
mod wide;

pub use codes::codes;
pub use form::check_form;
pub use variants::{Axis, Variant, variants};

use crate::find::Udf;
use crate::propose::{Candidate, Note, NoteScope, Tier};
use crate::source::{Refusal, SourceFile, Understood};

/// The helper headers that a kernel may include, by name.
pub const HEADERS: &[(&str, &str)] = &[
    ("rw_core.cuh", include_str!("../../../kernels/rw_core.cuh")),
    ("rw_arith.cuh", include_str!("../../../kernels/rw_arith.cuh")),
    ("rw_view.cuh", include_str!("../../../kernels/rw_view.cuh")),
    ("rw_build.cuh", include_str!("../../../kernels/rw_build.cuh")),
    ("rw_unicode.cuh", include_str!("../../../kernels/rw_unicode.cuh")),
    ("rw_chars.cuh", include_str!("../../../kernels/rw_chars.cuh")),
    ("rw_text.cuh", include_str!("../../../kernels/rw_text.cuh")),
    ("rw_number.cuh", include_str!("../../../kernels/rw_number.cuh")),
    ("rw_seq.cuh", include_str!("../../../kernels/rw_seq.cuh")),
    ("rw_list.cuh", include_str!("../../../kernels/rw_list.cuh")),
    ("rw_time.cuh", include_str!("../../../kernels/rw_time.cuh")),
    ("rw_decimal.cuh", include_str!("../../../kernels/rw_decimal.cuh")),
    ("rw_sets.cuh", include_str!("../../../kernels/rw_sets.cuh")),
    ("rw_regex.cuh", include_str!("../../../kernels/rw_regex.cuh")),
    ("rw_match.cuh", include_str!("../../../kernels/rw_match.cuh")),
];

/// The kernel for a UDF, or the construct that it cannot express.
pub fn propose(source: &SourceFile, udf: &Udf) -> Understood<Candidate> {
    let program = udf.program.as_ref().map_err(Refusal::clone)?;
    let written = kernel::write(source, udf, program)?;
    let (text, span_map) = wide::proposed(several::rows(written.lines)).finish();
    let notes = written.inexact.iter().map(|(span, name)| Note {
        class: "math-ulp".into(),
        span: *span,
        why: format!("CUDA's `{name}` is within 2 ulp, the JVM's within 1"),
        on: NoteScope::Gpu,
    });
    let mut notes: Vec<Note> = notes.collect();
    notes.extend(super::parameter_notes(udf));
    if written.partial {
        notes.push(Note {
            class: "throw-vs-value".into(),
            span: udf.span,
            why:
                "letters beyond ASCII, what outgrows the scratch memory, calls of a function by itself that go deeper than \
                 a thread's stack and what else the helpers do not do exactly are reported as not covered, row by row"
                    .into(),
            on: NoteScope::Gpu,
        });
    }
    let rank_reason = "one pass over memory, but a native library to build and ship".into();
    Ok(Candidate {
        tier: Tier::Cuda,
        text,
        span_map,
        notes,
        rank: 3,
        rank_reason,
    })
}
