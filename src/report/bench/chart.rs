//! Times over sizes, drawn with characters: both axes logarithmic, one sign a curve. In: points; out: lines of text.

use crate::bench::{Interval, Point, Sweep};

use super::numbers::{duration, fold};

/// Columns between the axis and the right end.
const COLUMNS: usize = 60;
/// Lines of the drawing.
const LINES: usize = 14;
/// Columns of the labels on the left.
const LABEL: usize = 9;

/// A curve: its sign, its name, and its value at a point.
type Curve = (char, &'static str, fn(&Point) -> Option<Interval>);

const CURVES: [Curve; 3] = [
    ('o', "CPU", |p| p.cpu),
    ('+', "kernel with transfers", |p| p.with_transfers),
    ('*', "kernel", |p| p.kernel),
];

/// The drawing with its axes and legend; nothing without two points.
pub fn chart(sweep: &Sweep) -> Vec<String> {
    let curves: Vec<(char, Vec<(f64, f64)>)> = CURVES
        .iter()
        .map(|(sign, _, of)| {
            let at = |p: &Point| Some(((p.rows as f64).log10(), of(p)?.median.log10()));
            (*sign, sweep.points.iter().filter_map(at).collect())
        })
        .collect();
    let all = || curves.iter().flat_map(|(_, points)| points);
    let (Some(x), Some(y)) = (range(all().map(|p| p.0)), range(all().map(|p| p.1))) else {
        return Vec::new();
    };
    let mut cells = vec![vec![' '; COLUMNS]; LINES];
    for (sign, points) in &curves {
        let place = |(a, b): &(f64, f64)| (scale(*a, x, COLUMNS), scale(*b, y, LINES));
        let places: Vec<(f64, f64)> = points.iter().map(place).collect();
        for pair in places.windows(2) {
            line(&mut cells, pair[0], pair[1]);
        }
        for (a, b) in places {
            cells[LINES - 1 - b.round() as usize][a.round() as usize] = *sign;
        }
    }
    lines(&cells, x, y, sweep)
}

fn lines(cells: &[Vec<char>], x: (f64, f64), y: (f64, f64), sweep: &Sweep) -> Vec<String> {
    let mut out = Vec::new();
    for (i, row) in cells.iter().enumerate() {
        let part = (LINES - 1 - i) as f64 / (LINES - 1) as f64;
        let label = match i % 3 == 1 || i == 0 || i + 1 == LINES {
            true => duration(10_f64.powf(y.0 + part * (y.1 - y.0))),
            false => String::new(),
        };
        let row: String = row.iter().collect();
        out.push(format!("{label:>LABEL$} │{}", row.trim_end()));
    }
    out.push(format!("{:>LABEL$} └{}", "", "─".repeat(COLUMNS)));
    let mut axis = vec![' '; COLUMNS + 8];
    for point in &sweep.points {
        let at = scale((point.rows as f64).log10(), x, COLUMNS).round() as usize;
        let name = fold(point.rows);
        let free = axis[at.saturating_sub(1)..(at + name.len() + 1).min(axis.len())]
            .iter()
            .all(|c| *c == ' ');
        if free {
            name.chars().enumerate().for_each(|(i, c)| axis[at + i] = c);
        }
    }
    let axis: String = axis.iter().collect();
    out.push(format!("{:>LABEL$}  {} rows", "", axis.trim_end()));
    let drawn = |(_, _, of): &&Curve| sweep.points.iter().any(|p| of(p).is_some());
    let cpu = sweep.cpu.as_deref().unwrap_or("CPU");
    let legend: Vec<String> = CURVES
        .iter()
        .filter(drawn)
        .map(|(sign, name, _)| format!("{sign} {}", if *name == "CPU" { cpu } else { name }))
        .collect();
    out.push(format!("{:>LABEL$}  {}", "", legend.join("   ")));
    out
}

/// The ends of values, if they are apart.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    (low.is_finite() && high > low).then_some((low, high))
}

/// The cell of a value.
fn scale(value: f64, (low, high): (f64, f64), cells: usize) -> f64 {
    (value - low) / (high - low) * (cells - 1) as f64
}

/// Dots between two points.
fn line(cells: &mut [Vec<char>], from: (f64, f64), to: (f64, f64)) {
    let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
    for i in 0..=steps as usize {
        let part = i as f64 / steps;
        let (a, b) = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
        let cell = &mut cells[LINES - 1 - b.round() as usize][a.round() as usize];
        if *cell == ' ' {
            *cell = '·';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(rows: u64) -> Point {
        let of = |start: f64, per_row: f64| Some(Interval::exactly(start + per_row * rows as f64));
        Point {
            rows,
            kernel: of(3e-6, 4e-12),
            with_transfers: of(2e-5, 4e-10),
            cpu: of(0.0, 2e-9),
            share_of_copy: None,
            cpu_scaled: false,
            missing: None,
        }
    }

    #[test]
    fn curves_meet_where_they_cross() {
        let points = (3..=8).map(|e| point(10_u64.pow(e))).collect();
        let drawn = chart(&Sweep::of(Some("JVM direct, all cores".into()), points)).join("\n");
        insta::assert_snapshot!(drawn);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert!(chart(&Sweep::of(None, vec![point(1000)])).is_empty());
        assert!(chart(&Sweep::of(None, Vec::new())).is_empty());
    }
}
