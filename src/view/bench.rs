//! The benchmark: a panel with what matters, and a page with all of it. In: the report of the tier on screen; out: lines.

use crate::app::job::JobKind;
use crate::app::layout::Area;
use crate::app::state::{State, Timed, Work};
use crate::bench::{BenchReport, Claim};
use crate::report::{Tone, bench_lines, bench_summary, fold, verified};

use super::canvas::{Canvas, Row, cut, piece};
use super::theme::Role;
use super::words;

/// Draws the panel.
pub fn draw(canvas: &mut Canvas, state: &State, area: Area) {
    let Some(work) = &state.work else { return };
    let inner = canvas.frame(area, &title(work), &[piece(old(work), Role::Vacuous)], false);
    let rows = panel(state, work);
    let room = inner.width.saturating_sub(2) as usize;
    for (i, row) in rows.iter().take(inner.height as usize).enumerate() {
        let mut x = inner.x + 1;
        for p in row {
            let left = room.saturating_sub((x - inner.x - 1) as usize);
            x = canvas.text(x, inner.y + i as u16, left, &cut(&p.text, left), p.role);
        }
    }
}

/// What was timed, on what: `bench ─ NVIDIA H200 · 268M rows`.
pub fn title(work: &Work) -> Row {
    let mut text = "bench".to_owned();
    if let Some(report) = work.slot().bench() {
        let device = report.gpu.as_ref().ok().and_then(|g| g.facts.get("device"));
        let device = device.map_or("no GPU", String::as_str);
        text.push_str(&format!(" ─ {device} · {} rows", fold(report.rows)));
    }
    vec![piece(text, Role::Text)]
}

fn old(work: &Work) -> String {
    let slot = work.slot();
    let old = !matches!(slot.timed, Timed::Not) && slot.bench_is_old();
    String::from(if old { "before the last change" } else { "" })
}

/// The lines of the panel, the most important first: a small screen shows only that.
pub fn panel(state: &State, work: &Work) -> Vec<Row> {
    match &work.slot().timed {
        Timed::Done(report) => done(report),
        Timed::Failed(e) => {
            let (_, text, role) = words::failed(e);
            let hints = e.hints.iter().map(|h| vec![piece(format!("try: {h}"), Role::Text)]);
            std::iter::once(vec![piece(text, role)]).chain(hints).collect()
        }
        Timed::Not if state.jobs.running(JobKind::Bench).is_some() => {
            vec![vec![piece("timing the rewrite and the original…", Role::Dim)]]
        }
        Timed::Not => Vec::new(),
    }
}

fn done(report: &BenchReport) -> Vec<Row> {
    let (sign, role) = match (&report.gpu, &report.verified) {
        (Err(_), _) => ("", Role::Vacuous),
        (Ok(_), Some(v)) if v.holds() => ("= ", Role::Match),
        (Ok(_), Some(_)) => ("! not the same: ", Role::Mismatch),
        (Ok(_), None) => ("? not compared: ", Role::Vacuous),
    };
    let mut first = vec![piece(format!("{sign}{}", bench_summary(report)), role)];
    let claims: Row = report.claims.iter().flat_map(claim).collect();
    first.extend(claims.iter().take(1).cloned());
    let mut out = vec![first];
    if let Err(missing) = &report.gpu {
        let hints = missing
            .hints
            .iter()
            .map(|h| vec![piece(format!("try: {h}"), Role::Text)]);
        out.extend(hints);
    }
    if claims.len() > 1 {
        out.push(claims.into_iter().skip(1).collect());
    }
    let cpu = report.cpu.iter().filter_map(|lane| {
        let per_row = lane.times.as_ref().ok()?.seconds.median / lane.rows as f64;
        Some(format!("{} {} a row", lane.name, crate::report::duration(per_row)))
    });
    let mut last: Vec<String> = cpu.collect();
    if let Some(v) = &report.verified {
        last.insert(0, verified(v).1);
    }
    if let Some(roofs) = report.gpu.as_ref().ok().and_then(|g| g.roofs.as_ref().ok()) {
        last.insert(0, format!("bound by {}", roofs.bound.name()));
    }
    if !report.warnings.is_empty() {
        last.insert(0, format!("{} warnings, i shows them", report.warnings.len()));
    }
    out.push(vec![piece(last.join(" · "), Role::Dim)]);
    out
}

/// ` · FASTER ×312 than JVM direct, 1 thread`.
fn claim(c: &crate::bench::Claimed) -> Row {
    let role = match c.claim {
        Claim::Faster => Role::Match,
        Claim::Slower => Role::Mismatch,
        Claim::Same => Role::Text,
        Claim::Ambiguous => Role::Vacuous,
    };
    let text = format!(
        " · {} {} as {}",
        c.claim.name(),
        crate::report::times(c.speed_up.median),
        c.against
    );
    vec![piece(text, role)]
}

/// The page.
pub fn rows(state: &State) -> Vec<Row> {
    let Some(report) = state.work.as_ref().and_then(|w| w.slot().bench()) else {
        return Vec::new();
    };
    let role = |tone| match tone {
        Tone::Head => Role::Accent,
        Tone::Plain => Role::Text,
        Tone::Quiet => Role::Dim,
        Tone::Good => Role::Match,
        Tone::Bad => Role::Mismatch,
        Tone::Unknown => Role::Vacuous,
    };
    let lines = bench_lines(report).into_iter();
    lines.map(|(tone, text)| vec![piece(text, role(tone))]).collect()
}
