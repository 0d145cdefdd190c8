//! The line above the keys: a question, a message, a running job with its time, or the verdict.

use crate::app::action::Action;
use crate::app::layout::{Area, SIDE_BY_SIDE};
use crate::app::state::{Ask, Overlay, Panel, Prompt, State};

use super::canvas::{Canvas, Row, cut, piece, width};
use super::rows;
use super::theme::Role;
use super::words;

/// Draws it.
pub fn draw(canvas: &mut Canvas, state: &State, area: Area) {
    let columns = area.width as usize;
    if let Some(Overlay::Prompt(prompt)) = state.overlays.last() {
        return draw_prompt(canvas, prompt, state, area);
    }
    let (left, mut right) = (left(state), running(state));
    let wide = |row: &Row| row.iter().map(|p| width(&p.text)).sum::<usize>();
    let asked = matches!(state.overlays.last(), Some(Overlay::Confirm));
    // What a message says of the next step is read now; what ran stands there again after the next key.
    let tight = wide(&left) + wide(&right) + 3 > columns && state.notice.is_some() && state.jobs.busy().is_none();
    if asked || tight {
        right.clear();
    }
    let right_width = wide(&right);
    let room = columns.saturating_sub(right_width + 2);
    let mut x = area.x + 1;
    for p in left {
        let left = (area.x as usize + room).saturating_sub(x as usize);
        x = canvas.text(x, area.y, left, &cut(&p.text, left), p.role);
    }
    let at = area.x + (columns.saturating_sub(right_width + 1)) as u16;
    canvas.row(at, area.y, right_width, &right);
}

/// What the line says.
pub fn left(state: &State) -> Row {
    if matches!(state.overlays.last(), Some(Overlay::Confirm)) {
        let text = "no name yet: s saves, q quits (kept among recent sessions), Esc goes back";
        return vec![piece(text, Role::Trouble)];
    }
    if let Some(notice) = &state.notice {
        let role = if notice.bad { Role::Trouble } else { Role::Notice };
        let sign = if notice.bad { "! " } else { "" };
        return vec![piece(format!("{sign}{}", notice.text), role)];
    }
    match &state.work {
        // Where the rows are in sight, their title says the same.
        Some(work) if state.layout().rows.is_none() || !state.overlays.is_empty() => {
            rows::title(work, false).into_iter().skip(1).collect()
        }
        Some(work) => match work.mismatch() {
            Some(m) => {
                let note = work.policy.entries.iter().find(|e| e.class == m.class);
                let accepted = note.map(|e| format!(" ~ accepted {}: {}", words::bound(e), e.reason));
                let text = format!("row {}: {} → {}", m.row, m.original, m.rewrite);
                vec![
                    piece(text, Role::Dim),
                    piece(accepted.unwrap_or_default(), Role::WithinPolicy),
                ]
            }
            None => Vec::new(),
        },
        None => Vec::new(),
    }
}

/// A job that the user waits for, with its time.
fn running(state: &State) -> Row {
    let Some((kind, job)) = state.jobs.busy() else {
        // Where the header has no room for it: what ran is always on screen.
        return match &state.work {
            Some(work) if state.size.width < SIDE_BY_SIDE => vec![piece(words::runs(work), Role::Dim)],
            _ => Vec::new(),
        };
    };
    let seconds = state.now_ms.saturating_sub(job.since_ms) as f64 / 1000.0;
    let text = match job.stopping {
        true => format!("stopping {:.1} s", seconds),
        false => format!("{}… {:.1} s, Ctrl-c cancels", kind.doing(), seconds),
    };
    vec![piece(text, Role::Accent)]
}

/// What a prompt asks.
pub fn question(prompt: &Prompt, state: &State) -> String {
    match &prompt.ask {
        Ask::Find(panel) => {
            let place = match panel {
                Panel::Source => "original",
                Panel::Rewrite => "rewrite",
                Panel::Rows => "rows",
            };
            match state.needle.is_empty() {
                true => format!("find in {place}"),
                false => format!("find in {place} (empty: {} again)", state.needle),
            }
        }
        Ask::Reason(e) => format!("why is {} acceptable ({})", e.class, words::bound(e)),
        Ask::Who(_) => "who accepts it".into(),
        Ask::Trust(Action::Bench | Action::Tune) => {
            "this runs the recorded code on your GPU and in a JVM of yours; do you trust it (yes)".into()
        }
        Ask::Trust(_) => "this runs the recorded code in a JVM of yours; do you trust it (yes)".into(),
        Ask::SaveAs { .. } => "save as".into(),
    }
}

fn draw_prompt(canvas: &mut Canvas, prompt: &Prompt, state: &State, area: Area) {
    let columns = area.width as usize;
    let notice = state
        .notice
        .as_ref()
        .map(|n| format!("{} · ", n.text))
        .unwrap_or_default();
    let label = cut(&format!(" {notice}{}: ", question(prompt, state)), columns * 2 / 3);
    let mut x = canvas.text(area.x, area.y, columns, &label, Role::Key);
    // The end of a long text matters: that is where it is typed.
    let room = columns.saturating_sub((x - area.x) as usize + 1);
    let (before, text) = (prompt.line.before_cursor(), prompt.line.text());
    let mut start = 0;
    while width(&before[start..]) > room {
        start += before[start..].chars().next().map_or(1, char::len_utf8);
    }
    canvas.text(x, area.y, room + 1, &text[start..], Role::Text);
    x += width(&before[start..]) as u16;
    let cursor = Area {
        x,
        y: area.y,
        width: 1,
        height: 1,
    };
    canvas.lay(cursor, Role::Cursor);
}
