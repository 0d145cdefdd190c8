//! Proposes CUDA kernels. In: the typed AST, loops and mutation included; out: one C++ file over Arrow columns. Never goes
//! through the columnar IR: a loop has no columnar form, and straight code is as short this way.

mod calls;
mod emit;
mod form;
mod kernel;
mod lines;
mod matching;
mod statements;
mod types;

pub use form::check_form;

use crate::find::Udf;
use crate::propose::{Candidate, Note, NoteScope, Tier};
use crate::source::{Refusal, SourceFile, Understood};

/// The helper headers that a kernel may include, by name.
pub const HEADERS: &[(&str, &str)] = &[
    ("rw_core.cuh", include_str!("../../../kernels/rw_core.cuh")),
    ("rw_arith.cuh", include_str!("../../../kernels/rw_arith.cuh")),
    ("rw_text.cuh", include_str!("../../../kernels/rw_text.cuh")),
];

/// The kernel for a UDF, or the construct that it cannot express.
pub fn propose(source: &SourceFile, udf: &Udf) -> Understood<Candidate> {
    let program = udf.program.as_ref().map_err(Refusal::clone)?;
    let written = kernel::write(source, udf, program)?;
    let (text, span_map) = written.lines.finish();
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
                "letters beyond ASCII and texts that outgrow the scratch memory are reported as not covered, row by row"
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
