//! The screen. In: `&State`, a size and a theme; out: cells of a buffer, or the same content as plain text or SVG. Only
//! reads, and formats only what is visible.

pub mod canvas;
pub mod theme;
pub mod plain;
pub mod svg;
mod marks;
mod words;
mod header;
mod code;
mod rewrite;
mod rows;
mod record;
mod diff;
mod notes;
mod bench;
mod policy;
mod help;
mod chooser;
mod lists;
mod status;
mod footer;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::layout::{Area, SMALLEST};
use crate::app::state::{Overlay, Panel, State};

use canvas::{Canvas, Row, piece, row_text};
use theme::{Role, Theme};

pub use plain::plain;
pub use words::signature;

/// Draws the whole screen.
pub fn view(state: &State, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    buffer.set_style(area.intersection(buffer.area), theme.style(Role::Text));
    let mut canvas = Canvas::new(buffer, theme);
    let layout = state.layout();
    if layout.too_small {
        return too_small(&mut canvas, area);
    }
    header::draw(&mut canvas, state, layout.header);
    match state.overlays.iter().rev().find(|o| covers(o)) {
        Some(overlay) => draw_overlay(&mut canvas, state, overlay, layout.body),
        None if state.work.is_none() => chooser::draw(&mut canvas, state, layout.body),
        None => {
            for panel in [Panel::Source, Panel::Rewrite, Panel::Rows] {
                if let Some(area) = layout.panel(panel) {
                    draw_panel(&mut canvas, state, panel, area);
                }
            }
            if let Some(area) = layout.bench {
                bench::draw(&mut canvas, state, area);
            }
        }
    }
    status::draw(&mut canvas, state, layout.status);
    footer::draw(&mut canvas, state, layout.footer);
}

/// Prompts and the question stand on the status line and leave the panels in sight.
fn covers(overlay: &Overlay) -> bool {
    !matches!(overlay, Overlay::Prompt(_) | Overlay::Confirm)
}

fn draw_panel(canvas: &mut Canvas, state: &State, panel: Panel, area: Area) {
    match panel {
        Panel::Source => code::draw_source(canvas, state, area),
        Panel::Rewrite => rewrite::draw(canvas, state, area),
        Panel::Rows => rows::draw(canvas, state, area),
    }
}

fn draw_overlay(canvas: &mut Canvas, state: &State, overlay: &Overlay, area: Area) {
    match overlay {
        Overlay::Picker(picker) => lists::picker(canvas, picker, area),
        Overlay::Palette(line, scroll) => lists::palette(canvas, state, line, scroll, area),
        Overlay::Policy(scroll) => policy::draw(canvas, state, scroll, area),
        _ => {
            if let Some(page) = page(state, overlay) {
                let count = page.rows.len();
                let height = area.inner().height as usize;
                let title = [piece(page.title, Role::Accent)];
                let place = match count > height {
                    true => format!("{}–{} of {count}", page.top + 1, (page.top + height).min(count)),
                    false => String::new(),
                };
                let inner = canvas.frame(area, &title, &[piece(place, Role::Dim)], true);
                canvas.page(inner, &page.rows, page.top);
            }
        }
    }
}

/// A page of text over the panels.
struct Page {
    title: String,
    rows: Vec<Row>,
    top: usize,
}

fn page(state: &State, overlay: &Overlay) -> Option<Page> {
    let width = state.layout().body.inner().width.saturating_sub(2) as usize;
    let (title, rows, scroll) = match overlay {
        Overlay::Help(at, scroll) => ("keys".to_owned(), help::rows(*at), scroll),
        Overlay::Record(scroll) => (record::title(state), record::rows(state, width), scroll),
        Overlay::Diff(scroll) => (diff::title(state), diff::rows(state), scroll),
        Overlay::Log(text, scroll) => ("what the JVM worker wrote".to_owned(), notes::log(text, width), scroll),
        Overlay::Notes(scroll) => ("notes".to_owned(), notes::rows(state, width), scroll),
        Overlay::Timings(scroll) => ("benchmark".to_owned(), bench::rows(state), scroll),
        _ => return None,
    };
    Some(Page {
        title,
        rows,
        top: scroll.top,
    })
}

/// How many lines the page on top has, so that scrolling ends where it does.
pub fn page_len(state: &State) -> usize {
    let page = state.overlays.last().and_then(|o| page(state, o));
    page.map_or(0, |p| p.rows.len())
}

/// What `copy` copies: the page on top, or what the panel with the keys is about.
pub fn copy_text(state: &State) -> String {
    if let Some(page) = state.overlays.last().and_then(|o| page(state, o)) {
        let lines: Vec<String> = page.rows.iter().map(row_text).collect();
        return lines.join("\n");
    }
    let Some(work) = &state.work else { return String::new() };
    match state.focus {
        Panel::Source => match work.udf() {
            Some(udf) => work.opened.file.slice(udf.span).to_owned(),
            None => work.opened.file.text.to_string(),
        },
        Panel::Rewrite => work.slot().document.text.to_string(),
        Panel::Rows => rows::tsv(work),
    }
}

fn too_small(canvas: &mut Canvas, area: Rect) {
    let lines = [
        "too small".to_owned(),
        format!("rewright needs {}×{}", SMALLEST.width, SMALLEST.height),
        format!("this is {}×{}", area.width, area.height),
        "q quits".to_owned(),
    ];
    let width = usize::from(area.width);
    let rows = lines.iter().flat_map(|line| notes::wrapped(line, width, Role::Text));
    for (y, row) in rows.take(usize::from(area.height)).enumerate() {
        canvas.row(area.x, area.y + y as u16, width, &row);
    }
}
