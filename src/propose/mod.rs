//! Proposes rewrites. In: IR (sql, cudf) or the typed AST (cuda); out: candidate text with a span map, exactness notes
//! and a rank. Never runs a candidate.

pub mod cuda;
pub mod cudf;
pub mod sql;

use serde::{Deserialize, Serialize};

use crate::find::Udf;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, SourceFile, Span, Understood};

/// The three ways to rewrite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// One Spark SQL expression over the parameter names.
    Sql,
    /// A Scala class with `evaluateColumnar`.
    Cudf,
    /// A CUDA C++ kernel.
    Cuda,
}

impl Tier {
    /// All, in the order of the screen.
    pub const ALL: [Tier; 3] = [Tier::Sql, Tier::Cudf, Tier::Cuda];

    /// The name on the command line and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Sql => "sql",
            Tier::Cudf => "cudf",
            Tier::Cuda => "cuda",
        }
    }
}

/// A rewrite of one tier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Which tier.
    pub tier: Tier,
    /// The whole text; nothing else is ever run.
    pub text: String,
    /// From spans of the original file to spans of `text`, innermost last. Empty for a hand edit.
    pub span_map: Vec<(Span, Span)>,
    /// Where it may differ, by class.
    pub notes: Vec<Note>,
    /// Lower is better; with the reason in one sentence.
    pub rank: u8,
    /// Why it has that rank.
    pub rank_reason: String,
}

impl Candidate {
    /// Whether it claims to give the same outcome on every row, on the engine it is made for.
    pub fn claims_exact(&self) -> bool {
        self.notes.is_empty()
    }
}

/// One class of difference that a candidate announces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Class id of the catalogue: `math-ulp`, `case-map-special`, `null-vs-throw`…
    pub class: String,
    /// Where it stands in the original.
    pub span: Span,
    /// Why, in one sentence.
    pub why: String,
    /// Where it may show: `gpu` only on the real device, `cpu` also in the emulation and in Spark.
    pub on: NoteScope,
}

/// Where an announced difference can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteScope {
    /// Everywhere, the `cpu` engine included.
    Everywhere,
    /// Only on a GPU (the accelerator's own kernels).
    Gpu,
}

/// What can be proposed for one UDF: candidates, best rank first, and the tiers that cannot express it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Proposals {
    /// Best rank first.
    pub candidates: Vec<Candidate>,
    /// Tiers without a candidate, each with the construct that stands in the way.
    pub refused: Vec<(Tier, Refusal)>,
}

/// Differences that come with the parameters, whatever the function does with them.
fn parameter_notes(udf: &Udf) -> Vec<Note> {
    let primitives = |ty: &Ty| matches!(ty, Ty::Array(a) | Ty::Seq(_, a) | Ty::Set(a) if a.prim_type().is_some());
    let bytes = |ty: &Ty| matches!(ty, Ty::Array(a) if **a == Ty::Prim(Prim::Byte));
    let listed = |ty: &Ty| match ty {
        Ty::Seq(_, a) | Ty::Array(a) | Ty::Option(a) if primitives(a) && !bytes(a) => true,
        _ => primitives(ty) && !bytes(ty),
    };
    udf.params
        .iter()
        .filter(|p| listed(&p.ty))
        .map(|p| Note {
            class: "array-null-elements".into(),
            span: udf.span,
            why: format!(
                "a null among the elements of `{}`: Spark throws before the original is called, the rewrite goes on",
                p.name
            ),
            on: NoteScope::Everywhere,
        })
        .collect()
}

/// Proposes a rewrite in every tier that can express the UDF.
pub fn propose(source: &SourceFile, udf: &Udf) -> Proposals {
    let mut proposals = Proposals::default();
    for tier in Tier::ALL {
        match propose_tier(source, udf, tier) {
            Ok(candidate) => proposals.candidates.push(candidate),
            Err(refusal) => proposals.refused.push((tier, refusal)),
        }
    }
    proposals.candidates.sort_by_key(|c| c.rank);
    proposals
}

/// Proposes a rewrite in one tier, or says which construct it cannot express.
pub fn propose_tier(source: &SourceFile, udf: &Udf, tier: Tier) -> Understood<Candidate> {
    match tier {
        Tier::Sql => sql::propose(udf),
        Tier::Cudf => cudf::propose(source, udf),
        Tier::Cuda => cuda::propose(source, udf),
    }
}
