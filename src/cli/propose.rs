//! `rewright propose`: prints candidate text and nothing else, so that it can be edited and given back.

use serde::Serialize;

use super::args::ProposeArgs;
use super::output::Output;
use super::pick::open;
use crate::error::{Error, Result};
use crate::propose::{Candidate, Tier, propose};
use crate::report::{JSON_FORMAT, RefusedAt, UdfSummary, printable};

/// The proposals of one UDF.
#[derive(Debug, Serialize)]
struct Proposed<'a> {
    format: u32,
    udf: UdfSummary,
    /// Best first.
    candidates: Vec<&'a Candidate>,
    refused: Vec<RefusedTier>,
}

#[derive(Debug, Serialize)]
struct RefusedTier {
    tier: Tier,
    #[serde(flatten)]
    at: RefusedAt,
}

pub(super) fn run(args: &ProposeArgs, out: &mut Output) -> Result<u8> {
    let opened = open(&args.which)?;
    let udf = opened.one(args.which.udf.as_deref())?;
    let proposals = propose(&opened.file, udf);
    let wanted = args.tier.map(Tier::from);
    let mut candidates: Vec<&Candidate> = proposals
        .candidates
        .iter()
        .filter(|c| wanted.is_none_or(|t| t == c.tier))
        .collect();
    candidates.sort_by_key(|c| c.rank);
    let refused: Vec<_> = proposals
        .refused
        .iter()
        .filter(|(t, _)| wanted.is_none_or(|w| w == *t))
        .collect();
    if out.is_json() {
        let refused = refused.iter().map(|(tier, r)| RefusedTier {
            tier: *tier,
            at: RefusedAt::of(&opened.file, r),
        });
        let none = candidates.is_empty();
        let refused = refused.collect();
        out.object(&Proposed {
            format: JSON_FORMAT,
            udf: UdfSummary::of(&opened.file, udf),
            candidates,
            refused,
        });
        return Ok(if none { 3 } else { 0 });
    }
    let Some(best) = candidates.first() else {
        let mut error = Error::not_proven(format!("no rewrite of {} can be proposed", udf.name));
        for (tier, r) in refused {
            let at = opened.file.location(r.span);
            error = error.because(format!("{}: line {}: {}", tier.name(), at.line, r.reason));
        }
        return Err(error.hint("write one by hand and give it with --candidate"));
    };
    out.text(&best.text);
    if !best.text.ends_with('\n') {
        out.text("\n");
    }
    if !out.is_quiet() {
        for note in &best.notes {
            let at = opened.file.location(note.span);
            eprintln!("note: {}, line {}: {}", note.class, at.line, printable(&note.why));
        }
    }
    Ok(0)
}
