//! Where everything stands on a screen of a given size. In: size and focus; out: rectangles. One pure function serves
//! scrolling in `update` and painting in `view`.

use super::event::Size;
use super::state::Panel;

/// From this width on, original and rewrite stand side by side.
pub const SIDE_BY_SIDE: u16 = 110;
/// Below this width, one panel is shown at a time.
pub const STACKED: u16 = 80;
/// The smallest screen that is drawn.
pub const SMALLEST: Size = Size { width: 60, height: 16 };

/// A rectangle in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Area {
    /// First column.
    pub x: u16,
    /// First line.
    pub y: u16,
    /// Columns.
    pub width: u16,
    /// Lines.
    pub height: u16,
}

impl Area {
    /// What a frame of one cell leaves.
    pub fn inner(self) -> Area {
        Area {
            x: self.x + 1,
            y: self.y + 1,
            width: self.width.saturating_sub(2),
            height: self.height.saturating_sub(2),
        }
    }

    /// Whether a cell lies inside.
    pub fn has(self, x: u16, y: u16) -> bool {
        x >= self.x && y >= self.y && x < self.x + self.width && y < self.y + self.height
    }
}

/// The places of one screen. Panels that are not shown are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layout {
    /// Whether the screen is too small for anything but a message.
    pub too_small: bool,
    /// Name and state, one line.
    pub header: Area,
    /// Everything between header and status.
    pub body: Area,
    /// The original.
    pub source: Option<Area>,
    /// The rewrite.
    pub rewrite: Option<Area>,
    /// The mismatches.
    pub rows: Option<Area>,
    /// The benchmark, under the panels.
    pub bench: Option<Area>,
    /// Verdict or message, one line.
    pub status: Area,
    /// The keys, one line.
    pub footer: Area,
}

impl Layout {
    /// The place of a panel.
    pub fn panel(&self, panel: Panel) -> Option<Area> {
        match panel {
            Panel::Source => self.source,
            Panel::Rewrite => self.rewrite,
            Panel::Rows => self.rows,
        }
    }

    /// Lines of content in a panel.
    pub fn lines(&self, panel: Panel) -> usize {
        let inner = self.panel(panel).map_or(0, |a| a.inner().height as usize);
        // The rows spend one line on the names of their columns.
        inner.saturating_sub(usize::from(panel == Panel::Rows))
    }

    /// Lines of content in a page over the panels.
    pub fn page_lines(&self) -> usize {
        self.body.inner().height as usize
    }
}

/// From this height on, the benchmark has more than one line.
const ROOMY: u16 = 34;

/// The places on a screen of this size, with or without a benchmark.
pub fn layout(size: Size, focus: Panel, bench: bool) -> Layout {
    let Size { width, height } = size;
    if width < SMALLEST.width || height < SMALLEST.height {
        return Layout {
            too_small: true,
            ..Layout::default()
        };
    }
    let line = |y| Area {
        x: 0,
        y,
        width,
        height: 1,
    };
    let body = Area {
        x: 0,
        y: 1,
        width,
        height: height - 3,
    };
    let mut out = Layout {
        header: line(0),
        body,
        status: line(height - 2),
        footer: line(height - 1),
        ..Layout::default()
    };
    let panels = match bench {
        true => with_bench(&mut out, body),
        false => body,
    };
    if width >= SIDE_BY_SIDE {
        side_by_side(&mut out, panels);
    } else if width >= STACKED {
        stacked(&mut out, panels);
    } else {
        match focus {
            Panel::Source => out.source = Some(panels),
            Panel::Rewrite => out.rewrite = Some(panels),
            Panel::Rows => out.rows = Some(panels),
        }
    }
    out
}

/// Takes the lines of the benchmark from the end of the body; gives what is left.
fn with_bench(out: &mut Layout, body: Area) -> Area {
    let lines = if body.height >= ROOMY { 5 } else { 3 };
    let height = body.height - lines;
    out.bench = Some(Area {
        y: body.y + height,
        height: lines,
        ..body
    });
    Area { height, ..body }
}

fn side_by_side(out: &mut Layout, body: Area) {
    let rows_height = (body.height * 2 / 5).max(5);
    let top = body.height - rows_height;
    let left = body.width / 2;
    out.source = Some(Area {
        width: left,
        height: top,
        ..body
    });
    out.rewrite = Some(Area {
        x: left,
        width: body.width - left,
        height: top,
        ..body
    });
    out.rows = Some(Area {
        y: body.y + top,
        height: rows_height,
        ..body
    });
}

fn stacked(out: &mut Layout, body: Area) {
    let third = body.height / 3;
    out.source = Some(Area { height: third, ..body });
    out.rewrite = Some(Area {
        y: body.y + third,
        height: third,
        ..body
    });
    out.rows = Some(Area {
        y: body.y + 2 * third,
        height: body.height - 2 * third,
        ..body
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_fits_in_itself() {
        for width in 0..220 {
            for height in 0..80 {
                let l = layout(Size { width, height }, Panel::Rows, height % 2 == 0);
                for a in [
                    Some(l.header),
                    l.bench,
                    l.source,
                    l.rewrite,
                    l.rows,
                    Some(l.status),
                    Some(l.footer),
                ] {
                    let a = a.unwrap_or_default();
                    assert!(a.x + a.width <= width && a.y + a.height <= height, "{width}x{height}");
                }
                assert_eq!(l.too_small, width < 60 || height < 16);
            }
        }
    }
}
