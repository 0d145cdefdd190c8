//! Movement: which cursor a move means, and keeping it in range and in sight. In: a [`Move`]; out: changed scrolls, and a
//! trace of the row that the cursor came to.

use super::event::Effect;
use super::job::JobSpec;
use super::state::{Overlay, Panel, Scroll, State};
use super::update;

/// How far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Lines, up if negative.
    By(isize),
    /// Pages.
    Pages(isize),
    /// Half pages.
    Halves(isize),
    /// The first line.
    Top,
    /// The last line.
    Bottom,
}

impl Move {
    fn from(self, at: usize, height: usize) -> usize {
        let page = height.saturating_sub(1).max(1) as isize;
        let step = |n: isize| at.saturating_add_signed(n);
        match self {
            Move::By(n) => step(n),
            Move::Pages(n) => step(n * page),
            Move::Halves(n) => step(n * (height / 2).max(1) as isize),
            Move::Top => 0,
            Move::Bottom => usize::MAX,
        }
    }
}

/// Moves the cursor of whatever has the keys.
pub fn apply(state: &mut State, by: Move, out: &mut Vec<Effect>) {
    let before = current_row(state);
    let page = state.layout().page_lines();
    if is_page(state) {
        let count = crate::view::page_len(state);
        if let Some(scroll) = overlay_scroll(state) {
            let last = count.saturating_sub(page);
            scroll.top = by.from(scroll.top, page).min(last);
        }
        return;
    }
    let (count, height) = extent(state);
    if let Some(scroll) = scroll(state) {
        scroll.go(by.from(scroll.cursor, height), count, height);
    }
    if current_row(state) != before {
        trace(state, out);
    }
}

/// Moves sideways in a panel of text.
pub fn sideways(state: &mut State, by: isize) {
    if let Some(scroll) = scroll(state) {
        scroll.left = scroll.left.saturating_add_signed(by).min(10_000);
    }
}

/// Puts the cursor on the line that was clicked.
pub fn click(state: &mut State, y: u16, out: &mut Vec<Effect>) {
    let layout = state.layout();
    let first = match (&state.work, state.overlays.is_empty()) {
        (Some(_), true) => {
            let names = u16::from(state.focus == Panel::Rows);
            layout.panel(state.focus).map_or(0, |a| a.y + 1 + names)
        }
        _ => return,
    };
    let Some(line) = y.checked_sub(first) else {
        return;
    };
    let to = scroll(state).map(|s| s.top as isize + line as isize - s.cursor as isize);
    if let Some(by) = to {
        apply(state, Move::By(by), out);
    }
}

/// After a resize: every cursor stays visible.
pub fn keep_in_sight(state: &mut State) {
    let layout = state.layout();
    let lines = |p| layout.lines(p);
    if let Some(work) = &mut state.work {
        let at = work.source.cursor;
        work.source
            .go(at, work.opened.document.line_count(), lines(Panel::Source));
        for slot in &mut work.slots {
            let at = slot.scroll.cursor;
            slot.scroll.go(at, slot.document.line_count(), lines(Panel::Rewrite));
        }
        let at = work.rows_scroll.cursor;
        work.rows_scroll.go(at, work.rows.len(), lines(Panel::Rows));
    }
}

/// Goes to a mismatch by its place in the list.
pub fn to_mismatch(state: &mut State, forward: bool, out: &mut Vec<Effect>) {
    let height = state.layout().lines(Panel::Rows);
    let Some(work) = &mut state.work else { return };
    let (at, count) = (work.rows_scroll.cursor, work.rows.len());
    let to = if forward { at + 1 } else { at.wrapping_sub(1) };
    if count == 0 {
        state.say("no mismatch is listed");
    } else if to >= count {
        state.say(if forward {
            "this is the last one"
        } else {
            "this is the first one"
        });
    } else {
        work.rows_scroll.go(to, count, height);
        if let Some(Overlay::Record(scroll)) = state.overlays.last_mut() {
            *scroll = Scroll::default();
        }
        trace(state, out);
    }
}

/// Asks which branch the row under the cursor took.
pub fn trace(state: &mut State, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    work.trace = None;
    let row = work.row_at(work.rows_scroll.cursor);
    let (Some(row), Some(report), Some(udf)) = (row, work.slot().report(), work.udf) else {
        return;
    };
    let spec = JobSpec::Trace(
        work.opened.clone(),
        udf,
        work.settings.clone(),
        report.inputs.clone(),
        row,
    );
    update::start(state, spec, out);
}

/// Brings the part of both texts that a mismatch is about into sight.
pub fn reveal(state: &mut State) {
    let layout = state.layout();
    let Some(work) = &mut state.work else { return };
    let (source, rewrite) = super::spans::of_mismatch(work);
    if let Some(span) = source.first() {
        let line = work.opened.document.line_of(span.start);
        let count = work.opened.document.line_count();
        work.source.reveal(line, count, layout.lines(Panel::Source));
    }
    if let Some(span) = rewrite.first() {
        let slot = work.slot_mut();
        let line = slot.document.line_of(span.start);
        let count = slot.document.line_count();
        slot.scroll.reveal(line, count, layout.lines(Panel::Rewrite));
    }
}

fn current_row(state: &State) -> Option<u64> {
    let work = state.work.as_ref()?;
    work.row_at(work.rows_scroll.cursor)
}

fn is_page(state: &State) -> bool {
    matches!(
        state.overlays.last(),
        Some(
            Overlay::Help(..)
                | Overlay::Diff(_)
                | Overlay::Notes(_)
                | Overlay::Timings(_)
                | Overlay::Log(..)
                | Overlay::Record(_)
        )
    )
}

fn overlay_scroll(state: &mut State) -> Option<&mut Scroll> {
    match state.overlays.last_mut()? {
        Overlay::Help(_, s)
        | Overlay::Record(s)
        | Overlay::Diff(s)
        | Overlay::Notes(s)
        | Overlay::Timings(s)
        | Overlay::Log(_, s)
        | Overlay::Policy(s)
        | Overlay::Palette(_, s) => Some(s),
        Overlay::Picker(p) => Some(&mut p.scroll),
        Overlay::Prompt(_) | Overlay::Confirm => None,
    }
}

fn scroll(state: &mut State) -> Option<&mut Scroll> {
    if !state.overlays.is_empty() {
        return overlay_scroll(state);
    }
    match (&mut state.work, state.focus) {
        (None, _) => Some(&mut state.chooser),
        (Some(w), Panel::Source) => Some(&mut w.source),
        (Some(w), Panel::Rewrite) => Some(&mut w.slot_mut().scroll),
        (Some(w), Panel::Rows) => Some(&mut w.rows_scroll),
    }
}

/// How many entries the cursor has, and how many are visible.
fn extent(state: &State) -> (usize, usize) {
    let layout = state.layout();
    let page = layout.page_lines();
    if let Some(overlay) = state.overlays.last() {
        return match overlay {
            Overlay::Picker(p) => (p.entries.len(), page),
            Overlay::Palette(line, _) => (
                super::choose::palette(state, &line.text()).len(),
                page.saturating_sub(1),
            ),
            Overlay::Policy(_) => (super::choose::policy_items(state).len(), page),
            _ => (0, page),
        };
    }
    match (&state.work, state.focus) {
        (None, _) => (state.config.chooser.len(), page),
        (Some(w), Panel::Source) => (w.opened.document.line_count(), layout.lines(Panel::Source)),
        (Some(w), Panel::Rewrite) => (w.slot().document.line_count(), layout.lines(Panel::Rewrite)),
        (Some(w), Panel::Rows) => (w.rows.len(), layout.lines(Panel::Rows)),
    }
}
