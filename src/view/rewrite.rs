//! The panel of the rewrite: tabs of the tiers, its text, or the reason why there is none.

use crate::app::job::Failure;
use crate::app::layout::Area;
use crate::app::spans;
use crate::app::state::{Panel, Proposing, State, Work};
use crate::propose::Tier;

use super::canvas::{Canvas, Row, piece, width};
use super::code;
use super::notes;
use super::theme::Role;
use super::words;

/// Draws it.
pub fn draw(canvas: &mut Canvas, state: &State, area: Area) {
    let Some(work) = &state.work else { return };
    let focused = state.focus == Panel::Rewrite && state.overlays.is_empty();
    let tabs = tabs(work, focused);
    let inner = canvas.frame(area, &tabs, &[exactness(work, beside(&tabs, area))], focused);
    let slot = work.slot();
    if slot.candidate(work.tier).is_some() {
        let (_, lit) = spans::of_mismatch(work);
        let why = slot.broken_line().map(|(line, e)| (line, said_there(e)));
        let lines = code::Lines {
            scroll: &slot.scroll,
            lit: &lit,
            broken: why.as_ref().map(|(line, why)| (*line, why.as_str())),
            focused,
        };
        return code::draw(canvas, &slot.document, &lines, inner);
    }
    let width = inner.width.saturating_sub(2) as usize;
    canvas.page(inner, &instead(work, width), 0);
}

/// What is said at the line itself: the place goes without saying.
fn said_there(e: &Failure) -> String {
    let what = e.what.split_once(": ").map_or(e.what.as_str(), |(_, rest)| rest);
    what.trim_start_matches("the candidate does not compile: ").to_owned()
}

/// `rewrite ─ 1 sql  [2 cudf!]  3 cuda`: the tier on screen in brackets, verdicts as glyphs.
pub fn tabs(work: &Work, focused: bool) -> Row {
    let head = if focused { Role::Accent } else { Role::Text };
    let mut out = vec![piece("rewrite ─ ", head)];
    for (i, tier) in Tier::ALL.into_iter().enumerate() {
        let slot = &work.slots[tier as usize];
        let here = tier == work.tier;
        let there = slot.proposal.is_some() || slot.edited.is_some();
        let role = match (here, there) {
            (true, _) => Role::Accent,
            (false, true) => Role::Text,
            (false, false) => Role::Dim,
        };
        let (open, close) = if here { ("[", "]") } else { (" ", " ") };
        out.push(piece(format!("{open}{} {}", i + 1, tier.name()), role));
        match words::tab(&slot.tested, slot.stale) {
            Some((glyph, role)) => out.push(piece(format!(" {glyph}"), role)),
            None if !there && matches!(work.proposing, Proposing::Done) => out.push(piece(" -", Role::Refused)),
            None => {}
        }
        out.push(piece(close, role));
    }
    out
}

/// The columns that the title leaves free beside the tabs.
fn beside(tabs: &Row, area: Area) -> usize {
    let taken: usize = tabs.iter().map(|p| width(&p.text)).sum();
    // Both corners, a space on either side of each title, and the line between the two.
    usize::from(area.width).saturating_sub(taken + 8)
}

/// Whether the rewrite claims to be exact, in at most `room` columns where there is a shorter way to say it: the tabs are
/// needed more than the key.
pub fn exactness(work: &Work, room: usize) -> super::canvas::Piece {
    const NO: &str = "exact? no: c says why";
    let slot = work.slot();
    match (&slot.edited, &slot.proposal) {
        (Some(_), _) => piece("edited by hand", Role::Vacuous),
        (None, Some(p)) if p.claims_exact() => piece("exact? yes", Role::Match),
        (None, Some(_)) => piece(if width(NO) <= room { NO } else { "exact? no" }, Role::WithinPolicy),
        (None, None) => piece("", Role::Dim),
    }
}

/// What stands where the rewrite would.
pub fn instead(work: &Work, width: usize) -> Vec<Row> {
    let tier = work.tier.name();
    match &work.proposing {
        _ if work.udf.is_none() && work.opened.found.udfs.is_empty() => {
            let mut rows = vec![vec![piece("- no UDF was found in this file", Role::Refused)]];
            for r in &work.opened.found.refused {
                let text = format!("- {}: {}", words::place(&work.opened.file, r.span), r.reason);
                rows.extend(notes::wrapped(&text, width, Role::Refused));
            }
            rows
        }
        _ if work.udf.is_none() => vec![vec![piece("x chooses a UDF", Role::Dim)]],
        Proposing::Pending => vec![vec![piece("proposing…", Role::Dim)]],
        Proposing::Failed(e) => notes::wrapped(&format!("- {}", e.what), width, Role::Refused),
        Proposing::Done => {
            let mut rows = notes::wrapped(&format!("- {tier} cannot express this UDF:"), width, Role::Refused);
            for r in &work.slot().refused {
                let text = format!("{}: {}", words::place(&work.opened.file, r.span), r.reason);
                rows.extend(notes::wrapped(&text, width, Role::Text));
            }
            rows.push(Vec::new());
            rows.extend(notes::wrapped(
                "e writes one by hand; 1 2 3 show the other tiers",
                width,
                Role::Dim,
            ));
            rows
        }
    }
}
