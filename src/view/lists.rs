//! Lists to choose from: classes, UDFs, commands.

use crate::app::choose;
use crate::app::keys;
use crate::app::layout::Area;
use crate::app::line::Line;
use crate::app::state::{Pick, Picker, Scroll, State};

use super::canvas::{Canvas, Row, piece, width};
use super::theme::Role;

/// A list with a cursor.
pub fn draw(canvas: &mut Canvas, rows: &[Row], scroll: &Scroll, inner: Area) {
    let visible = rows.iter().enumerate().skip(scroll.top).take(inner.height as usize);
    for (y, (i, row)) in visible.enumerate() {
        let at = inner.y + y as u16;
        let here = i == scroll.cursor;
        let arrow = if here { "▸ " } else { "  " };
        let x = canvas.text(inner.x, at, inner.width as usize, arrow, Role::Accent);
        canvas.row(x, at, (inner.width as usize).saturating_sub(2), row);
        if here {
            let strip = Area {
                x: inner.x,
                y: at,
                width: inner.width,
                height: 1,
            };
            canvas.lay(strip, Role::Cursor);
        }
    }
}

/// A picker.
pub fn picker(canvas: &mut Canvas, picker: &Picker, area: Area) {
    let title = match picker.what {
        Pick::Udf => "choose a UDF",
        Pick::Class => "show only this class",
        Pick::Try => "take this shape of the kernel",
    };
    let inner = canvas.frame(area, &[piece(title, Role::Accent)], &[], true);
    let widest = picker.entries.iter().map(|(n, _)| width(n)).max().unwrap_or(0);
    let one = |(name, detail): &(String, String)| -> Row {
        let pad = widest - width(name) + 3;
        vec![
            piece(format!("{name}{}", " ".repeat(pad)), Role::Text),
            piece(detail.clone(), Role::Dim),
        ]
    };
    let rows: Vec<Row> = picker.entries.iter().map(one).collect();
    draw(canvas, &rows, &picker.scroll, inner);
}

/// The command palette.
pub fn palette(canvas: &mut Canvas, state: &State, line: &Line, scroll: &Scroll, area: Area) {
    let title = [piece("commands", Role::Accent)];
    let mut inner = canvas.frame(area, &title, &[], true);
    let x = canvas.text(inner.x, inner.y, inner.width as usize, ": ", Role::Key);
    canvas.text(
        x,
        inner.y,
        (inner.width as usize).saturating_sub(2),
        &line.text(),
        Role::Text,
    );
    let cursor = Area {
        x: x + width(&line.before_cursor()) as u16,
        y: inner.y,
        width: 1,
        height: 1,
    };
    canvas.lay(cursor, Role::Cursor);
    inner.y += 1;
    inner.height = inner.height.saturating_sub(1);
    let one = |action: crate::app::action::Action| -> Row {
        let key = keys::keys_of(action)
            .and_then(|b| b.keys.first())
            .copied()
            .unwrap_or("");
        vec![
            piece(format!("{:<19}", action.name()), Role::Text),
            piece(format!("{key:<11}"), Role::Key),
            piece(action.doc(), Role::Dim),
        ]
    };
    let rows: Vec<Row> = choose::palette(state, &line.text()).into_iter().map(one).collect();
    draw(canvas, &rows, scroll, inner);
}
