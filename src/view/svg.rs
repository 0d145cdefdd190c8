//! A buffer as an SVG picture, for documents. In: cells; out: text that any browser draws. Letters stay text, so that a
//! picture can be searched.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

/// Width of a cell in the picture.
const CELL_W: f64 = 8.4;
/// Height of a cell.
const CELL_H: f64 = 18.0;
/// Room around the cells.
const EDGE: f64 = 12.0;
const BACKGROUND: &str = "#16181d";
const FOREGROUND: &str = "#d8dbe2";

/// Draws a buffer; `title` is read out where the picture cannot be seen.
pub fn svg(buffer: &Buffer, title: &str) -> String {
    let area = buffer.area;
    let width = f64::from(area.width) * CELL_W + 2.0 * EDGE;
    let height = f64::from(area.height) * CELL_H + 2.0 * EDGE;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" role=\"img\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n",
        escaped(title)
    );
    for y in 0..area.height {
        line(&mut out, buffer, y);
    }
    out.push_str("</svg>\n");
    out
}

fn line(out: &mut String, buffer: &Buffer, y: u16) {
    let area = buffer.area;
    let mut x = 0;
    while x < area.width {
        let style = buffer[(area.x + x, area.y + y)].style();
        let start = x;
        let mut text = String::new();
        while x < area.width && buffer[(area.x + x, area.y + y)].style() == style {
            let symbol = buffer[(area.x + x, area.y + y)].symbol();
            text.push_str(symbol);
            x += unicode_width::UnicodeWidthStr::width(symbol).max(1) as u16;
        }
        run(out, &text, style, (start, x.min(area.width), y));
    }
}

fn run(out: &mut String, text: &str, style: Style, (from, to, y): (u16, u16, u16)) {
    let (fg, bg) = colours(style);
    let left = EDGE + f64::from(from) * CELL_W;
    let top = EDGE + f64::from(y) * CELL_H;
    let wide = f64::from(to - from) * CELL_W;
    if let Some(bg) = bg {
        out.push_str(&format!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{CELL_H}\" fill=\"{bg}\"/>\n"
        ));
    }
    if text.trim().is_empty() {
        return;
    }
    let has = |m| style.add_modifier.contains(m);
    let mut extra = String::new();
    if has(Modifier::BOLD) {
        extra.push_str(" font-weight=\"bold\"");
    }
    if has(Modifier::ITALIC) {
        extra.push_str(" font-style=\"italic\"");
    }
    if has(Modifier::UNDERLINED) {
        extra.push_str(" text-decoration=\"underline\"");
    }
    if has(Modifier::DIM) {
        extra.push_str(" opacity=\"0.6\"");
    }
    let base = top + CELL_H - 4.5;
    out.push_str(&format!(
        "<text x=\"{left:.1}\" y=\"{base:.1}\" textLength=\"{wide:.1}\" lengthAdjust=\"spacing\" fill=\"{fg}\" xml:space=\"preserve\"{extra}>{}</text>\n",
        escaped(text)
    ));
}

fn colours(style: Style) -> (&'static str, Option<&'static str>) {
    let fg = style.fg.and_then(hex);
    let bg = style.bg.and_then(hex);
    match style.add_modifier.contains(Modifier::REVERSED) {
        true => (bg.unwrap_or(BACKGROUND), Some(fg.unwrap_or(FOREGROUND))),
        false => (fg.unwrap_or(FOREGROUND), bg),
    }
}

fn hex(colour: Color) -> Option<&'static str> {
    Some(match colour {
        Color::Black => "#000000",
        Color::Red => "#e06c75",
        Color::Green => "#8cc570",
        Color::Yellow => "#e5b567",
        Color::Blue => "#5b9bd5",
        Color::Magenta => "#c678dd",
        Color::Cyan => "#56b6c2",
        Color::Gray => "#c8ccd4",
        Color::DarkGray => "#7d8590",
        Color::LightRed => "#ff8a92",
        Color::LightGreen => "#a8e08a",
        Color::LightYellow => "#ffd58a",
        Color::LightBlue => "#82b8ec",
        Color::LightMagenta => "#e0a0f2",
        Color::LightCyan => "#86dbe5",
        Color::White => "#ffffff",
        _ => return None,
    })
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    #[test]
    fn text_is_escaped_and_styled() {
        let mut b = Buffer::empty(Rect::new(0, 0, 6, 1));
        b.set_string(0, 0, "a<b", Style::new().fg(Color::Red));
        let picture = svg(&b, "t & u");
        assert!(picture.contains("a&lt;b</text>") && picture.contains("#e06c75"));
        assert!(picture.contains("<title>t &amp; u</title>"));
    }
}
