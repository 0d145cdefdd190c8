//! The screen's content as plain text, for a reader or a pipe: the same words in reading order, without frames.

use crate::app::state::{Overlay, State, Work};

use super::canvas::{Row, clean, row_text};
use super::{bench, chooser, footer, header, page, policy, rewrite, rows, status};

/// Rows of the table that are given.
const MAX_ROWS: usize = 50;

/// The content of the screen.
pub fn plain(state: &State) -> String {
    let mut out: Vec<String> = Vec::new();
    let (left, right) = header::pieces(state);
    out.push(row_text(&left).trim().to_owned());
    out.push(row_text(&right));
    match (&state.work, state.overlays.last()) {
        (_, Some(overlay)) => on_top(&mut out, state, overlay),
        (None, None) => {
            section(&mut out, "open a sample or a session");
            push(&mut out, &chooser::rows(state, 200));
        }
        (Some(work), None) => {
            panels(&mut out, work);
            benchmark(&mut out, state, work);
        }
    }
    let said = row_text(&status::left(state));
    if !said.is_empty() {
        section(&mut out, "status");
        out.push(said);
    }
    let keys: Vec<String> = footer::possible(state)
        .into_iter()
        .map(|(k, l, _)| format!("{k} {l}"))
        .collect();
    section(&mut out, "keys");
    out.push(keys.join(", "));
    out.join("\n") + "\n"
}

fn section(out: &mut Vec<String>, title: &str) {
    out.push(String::new());
    out.push(format!("== {title}"));
}

fn push(out: &mut Vec<String>, rows: &[Row]) {
    out.extend(rows.iter().map(row_text));
}

fn panels(out: &mut Vec<String>, work: &Work) {
    section(out, &format!("original, {}", work.opened.file.language.name()));
    let span = work.udf().map(|u| u.span);
    let doc = &work.opened.document;
    let (from, to) = match span {
        Some(s) => (doc.line_of(s.start), doc.line_of(s.end) + 1),
        None => (0, doc.line_count()),
    };
    for line in from..to.min(doc.line_count()) {
        out.push(format!("{:>4}  {}", line + 1, clean(doc.line(line))));
    }
    section(
        out,
        &format!(
            "rewrite, {}, {}",
            work.tier.name(),
            rewrite::exactness(work, usize::MAX).text
        ),
    );
    let slot = work.slot();
    match slot.candidate(work.tier) {
        Some(_) => {
            for line in 0..slot.document.line_count() {
                out.push(format!("{:>4}  {}", line + 1, clean(slot.document.line(line))));
            }
        }
        None => push(out, &rewrite::instead(work, 100)),
    }
    section(out, &row_text(&rows::title(work, false)).replace(" ─ ", ", "));
    match work.rows.is_empty() {
        true => push(out, &rows::instead(work, 100)),
        false => {
            let table = rows::table(work, work.rows_scroll.top, MAX_ROWS, 200);
            out.push(row_text(&table.names));
            push(out, &table.rows);
        }
    }
}

fn benchmark(out: &mut Vec<String>, state: &State, work: &Work) {
    let rows = bench::panel(state, work);
    if !rows.is_empty() {
        section(out, &row_text(&bench::title(work)).replace(" ─ ", ", "));
        push(out, &rows);
    }
}

fn on_top(out: &mut Vec<String>, state: &State, overlay: &Overlay) {
    if let Some(page) = page(state, overlay) {
        section(out, &page.title);
        return push(out, &page.rows);
    }
    match overlay {
        Overlay::Picker(picker) => {
            section(out, "choose");
            for (i, (name, detail)) in picker.entries.iter().enumerate() {
                let sign = if i == picker.scroll.cursor { "▸" } else { " " };
                out.push(clean(&format!("{sign} {name}  {detail}")).into_owned());
            }
        }
        Overlay::Policy(_) => {
            section(out, "policy");
            push(out, &policy::rows(state));
        }
        Overlay::Prompt(prompt) => {
            section(out, &status::question(prompt, state));
            out.push(clean(&prompt.line.text()).into_owned());
        }
        Overlay::Palette(line, scroll) => {
            section(out, "commands");
            out.push(format!(": {}", clean(&line.text())));
            let list = crate::app::choose::palette(state, &line.text());
            for (i, action) in list.into_iter().enumerate() {
                let sign = if i == scroll.cursor { "▸" } else { " " };
                out.push(format!("{sign} {action}  {}", action.doc()));
            }
        }
        _ => {}
    }
}
