//! The `cudf` tier. In: the IR of a UDF and its source; out: a complete source file in the language of the original, one class that keeps the original
//! row function and adds `evaluateColumnar` over `ai.rapids.cudf`. Every node becomes one call whose result is closed at the
//! end; the last one is returned. Never runs anything.

mod calls;
mod class;
mod emit;
mod java_class;
mod lists;
mod numbers;
mod regex;

use crate::find::Udf;
use crate::ir::lower;
use crate::propose::{Candidate, NoteScope, Tier};
use crate::source::{Language, SourceFile, Understood};

/// Proposes a class with `evaluateColumnar`.
pub fn propose(source: &SourceFile, udf: &Udf) -> Understood<Candidate> {
    let lowered = lower(udf)?;
    let body = emit::body(&lowered, udf)?;
    let (text, span_map) = match source.language {
        Language::Java => java_class::text(source, udf, &body)?,
        _ => class::text(source, udf, &body)?,
    };
    let mut notes = body.notes;
    notes.extend(super::parameter_notes(udf));
    let (rank, rank_reason) = if notes.iter().any(|n| n.on == NoteScope::Everywhere) {
        (4, "columnar calls on the GPU; rows in the announced classes differ")
    } else if notes.is_empty() {
        (2, "columnar calls on the GPU, exact, but a class to build and deploy")
    } else {
        (
            2,
            "columnar calls on the GPU; the announced classes may differ on a real device",
        )
    };
    Ok(Candidate {
        tier: Tier::Cudf,
        text,
        span_map,
        notes,
        rank,
        rank_reason: rank_reason.to_string(),
    })
}
