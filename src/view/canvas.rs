//! Painting text into a buffer. In: text that may come from anywhere; out: cells within bounds. Every text passes through
//! [`clean`], so that nothing from a file, a data set or an error can steer the terminal.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::app::layout::Area;

use super::theme::{Role, Theme};

/// A text in one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Its role.
    pub role: Role,
}

/// One line of a page.
pub type Row = Vec<Piece>;

/// A piece.
pub fn piece(text: impl Into<String>, role: Role) -> Piece {
    Piece {
        text: text.into(),
        role,
    }
}

/// The text of a row without roles.
pub fn row_text(row: &Row) -> String {
    let text: String = row.iter().map(|p| clean(&p.text).into_owned()).collect();
    text.trim_end().to_owned()
}

/// Replaces whatever could steer a terminal or reorder text by a visible sign; tabs become blanks.
pub fn clean(text: &str) -> Cow<'_, str> {
    let harmful = |c: char| c.is_control() || is_invisible(c);
    if !text.contains(harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            '\0'..='\u{1f}' => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('␦')),
            '\u{7f}' => out.push('␡'),
            c if harmful(c) => out.push('␦'),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Characters that change the order of what follows, or take no place but hide something.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Columns that a text takes, once cleaned.
pub fn width(text: &str) -> usize {
    clean(text).width()
}

/// The longest start of a text that fits, with `…` where something is cut.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let w = char_width(c);
        if used + w + 1 > columns {
            break;
        }
        used += w;
        out.push(c);
    }
    if columns > 0 {
        out.push('…');
    }
    out
}

/// Columns of a character, once cleaned.
pub fn char_width(c: char) -> usize {
    match c {
        '\t' => 4,
        c if c.is_control() || is_invisible(c) => 1,
        c => c.width().unwrap_or(0),
    }
}

/// A buffer with a theme.
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    theme: &'a Theme,
}

impl<'a> Canvas<'a> {
    /// Paints into a buffer.
    pub fn new(buffer: &'a mut Buffer, theme: &'a Theme) -> Canvas<'a> {
        Canvas { buffer, theme }
    }

    /// Writes a text of one role at a place, at most this many columns; returns the column after it.
    pub fn text(&mut self, x: u16, y: u16, columns: usize, text: &str, role: Role) -> u16 {
        self.styled(x, y, columns, text, self.theme.style(role))
    }

    /// Writes a text on which a second role lies.
    pub fn text_over(&mut self, x: u16, y: u16, columns: usize, text: &str, role: Role, over: Option<Role>) -> u16 {
        let style = self.theme.style(role);
        let style = over.map_or(style, |o| style.patch(self.theme.style(o)));
        self.styled(x, y, columns, text, style)
    }

    fn styled(&mut self, x: u16, y: u16, columns: usize, text: &str, style: Style) -> u16 {
        let area = self.buffer.area;
        if y < area.top() || y >= area.bottom() || x < area.left() || x >= area.right() || columns == 0 {
            return x;
        }
        self.buffer.set_stringn(x, y, clean(text), columns, style).0
    }

    /// Writes pieces one after the other; returns the column after them.
    pub fn row(&mut self, x: u16, y: u16, columns: usize, row: &[Piece]) -> u16 {
        let end = x.saturating_add(columns.min(u16::MAX as usize) as u16);
        row.iter().fold(x, |at, p| {
            self.text(at, y, end.saturating_sub(at) as usize, &p.text, p.role)
        })
    }

    /// Lays a role over an area: its background and weight, text stays.
    pub fn lay(&mut self, area: Area, role: Role) {
        let rect = Rect::new(area.x, area.y, area.width, area.height).intersection(self.buffer.area);
        self.buffer.set_style(rect, self.theme.style(role));
    }

    /// Draws a frame with a title on the left and one on the right of its upper edge; gives what is inside.
    pub fn frame(&mut self, area: Area, left: &[Piece], right: &[Piece], focused: bool) -> Area {
        let edge = if focused { Role::Focus } else { Role::Border };
        let (w, h) = (area.width, area.height);
        if w < 2 || h < 2 {
            return Area::default();
        }
        let bar = "─".repeat(w as usize - 2);
        self.text(area.x, area.y, w as usize, &format!("┌{bar}┐"), edge);
        for y in area.y + 1..area.y + h - 1 {
            self.text(area.x, y, 1, "│", edge);
            self.text(area.x + w - 1, y, 1, "│", edge);
        }
        self.text(area.x, area.y + h - 1, w as usize, &format!("└{bar}┘"), edge);
        let room = (w as usize).saturating_sub(4);
        let right_width: usize = right.iter().map(|p| width(&p.text)).sum();
        let left_room = match right_width + 4 <= room && right_width > 0 {
            true => {
                let at = area.x + w - 3 - right_width as u16;
                self.text(at - 1, area.y, 1, " ", edge);
                let end = self.row(at, area.y, right_width, right);
                self.text(end, area.y, 1, " ", edge);
                room - right_width - 2
            }
            false => room,
        };
        if !left.is_empty() {
            self.text(area.x + 1, area.y, 1, " ", edge);
            let end = self.row(area.x + 2, area.y, left_room, left);
            self.text(end, area.y, usize::from(end < area.x + w - 1), " ", edge);
        }
        area.inner()
    }

    /// Shows the visible lines of a page.
    pub fn page(&mut self, inner: Area, rows: &[Row], top: usize) {
        for (i, row) in rows.iter().skip(top).take(inner.height as usize).enumerate() {
            self.row(
                inner.x + 1,
                inner.y + i as u16,
                (inner.width as usize).saturating_sub(2),
                row,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_steer_the_terminal() {
        assert_eq!(clean("a\u{1b}[31m\tb\u{9b}\u{202e}\0"), "a␛[31m    b␦␦␀");
        assert!(matches!(clean("plain ß 漢"), Cow::Borrowed(_)));
    }

    #[test]
    fn cutting_minds_wide_characters() {
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(cut("漢字漢字", 8), "漢字漢字");
        assert_eq!(cut("abc", 0), "");
    }
}
