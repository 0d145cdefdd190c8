//! Source text with line numbers, colours and the part that the current mismatch is about. Serves original and rewrite.

use crate::app::document::{Document, TokenKind};
use crate::app::layout::Area;
use crate::app::spans;
use crate::app::state::{Panel, Scroll, State};
use crate::source::Span;

use super::canvas::{Canvas, char_width, cut, piece};
use super::theme::Role;

/// The longest stretch of one line that is looked at, in bytes.
const MAX_LINE_BYTES: usize = 64 << 10;

/// The panel of the original.
pub fn draw_source(canvas: &mut Canvas, state: &State, area: Area) {
    let Some(work) = &state.work else { return };
    let focused = state.focus == Panel::Source && state.overlays.is_empty();
    let title = format!("original ─ {}", work.opened.file.language.name());
    let title_role = if focused { Role::Accent } else { Role::Text };
    let refused = work.opened.found.refused.len();
    let right = match refused {
        0 => Vec::new(),
        n => vec![piece(format!("- {n} not understood"), Role::Refused)],
    };
    let inner = canvas.frame(area, &[piece(title, title_role)], &right, focused);
    let (spans, _) = spans::of_mismatch(work);
    let lines = Lines {
        scroll: &work.source,
        lit: &spans,
        broken: None,
        focused,
    };
    draw(canvas, &work.opened.document, &lines, inner);
}

/// What is special about the lines of a text.
pub struct Lines<'a> {
    /// What is in sight and where the cursor stands.
    pub scroll: &'a Scroll,
    /// What the current mismatch is about.
    pub lit: &'a [Span],
    /// The line that does not compile, 0-based, and why.
    pub broken: Option<(usize, &'a str)>,
    /// Whether keys go to the panel.
    pub focused: bool,
}

/// The visible lines of a text.
pub fn draw(canvas: &mut Canvas, doc: &Document, lines: &Lines, inner: Area) {
    let (scroll, lit, focused) = (lines.scroll, lines.lit, lines.focused);
    let digits = doc.line_count().to_string().len().max(2);
    for y in 0..inner.height {
        let line = scroll.top + y as usize;
        if line >= doc.line_count() {
            break;
        }
        let at = inner.y + y;
        let (start, end) = (doc.line_start(line), doc.line_start(line + 1));
        let is_lit = lit.iter().any(|s| touches(*s, start, end));
        let number = format!("{:>digits$}", line + 1);
        let mut x = canvas.text(inner.x, at, inner.width as usize, &number, Role::Dim);
        let broken = lines.broken.filter(|(l, _)| *l == line);
        let (sign, role) = match (broken, is_lit) {
            (Some(_), _) => ("! ", Role::Mismatch),
            (None, true) => ("▸ ", Role::Accent),
            (None, false) => ("  ", Role::Accent),
        };
        let room = |x: u16| (inner.x + inner.width).saturating_sub(x) as usize;
        x = canvas.text(x, at, room(x), sign, role);
        x = draw_line(canvas, doc, line, scroll.left, lit, (x, at, room(x)));
        if let Some((_, why)) = broken {
            canvas.text(x, at, room(x), &cut(&format!("  ! {why}"), room(x)), Role::Mismatch);
        }
        if focused && line == scroll.cursor {
            let strip = Area {
                x: inner.x,
                y: at,
                width: (digits as u16 + 1).min(inner.width),
                height: 1,
            };
            canvas.lay(strip, Role::Cursor);
        }
    }
}

fn touches(span: Span, start: usize, end: usize) -> bool {
    (span.start as usize) < end && span.end as usize > start
}

/// Draws one line and gives the column behind it.
fn draw_line(
    canvas: &mut Canvas,
    doc: &Document,
    line: usize,
    left: usize,
    lit: &[Span],
    place: (u16, u16, usize),
) -> u16 {
    let (x, y, columns) = place;
    let text = doc.line(line);
    let mut cut = text.len().min(MAX_LINE_BYTES);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let text = &text[..cut];
    let start = doc.line_start(line);
    let skipped = skip(text, left);
    let from = start + skipped;
    let end = start + text.len();
    let edges = edges(doc, lit, from, end);
    let limit = x as usize + columns;
    let mut at = x;
    for pair in edges.windows(2) {
        let room = limit.saturating_sub(at as usize);
        if room == 0 {
            break;
        }
        let (a, b) = (pair[0], pair[1]);
        let token = doc.tokens_in(a, b).first().map_or(Role::Text, |t| role_of(t.kind));
        let over = lit.iter().any(|s| touches(*s, a, b)).then_some(Role::Branch);
        at = canvas.text_over(at, y, room, &doc.text[a..b], token, over);
    }
    at
}

/// Where colours change within a stretch of text, ends included; only at whole characters.
fn edges(doc: &Document, lit: &[Span], from: usize, end: usize) -> Vec<usize> {
    let mut edges = vec![from, end];
    let tokens = doc.tokens_in(from, end).iter().map(|t| t.span);
    for span in tokens.chain(lit.iter().copied()) {
        for at in [span.start as usize, span.end as usize] {
            if at > from && at < end && doc.text.is_char_boundary(at) {
                edges.push(at);
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Bytes that fill the columns scrolled away.
fn skip(text: &str, columns: usize) -> usize {
    let mut used = 0;
    for (i, c) in text.char_indices() {
        if used >= columns {
            return i;
        }
        used += char_width(c);
    }
    if columns == 0 { 0 } else { text.len() }
}

fn role_of(kind: TokenKind) -> Role {
    match kind {
        TokenKind::Keyword => Role::Keyword,
        TokenKind::String => Role::String,
        TokenKind::Number => Role::Number,
        TokenKind::Comment => Role::Comment,
        TokenKind::Type => Role::Type,
        TokenKind::Punctuation => Role::Punctuation,
    }
}
