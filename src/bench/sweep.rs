//! Sizes from small to large. In: times by number of rows; out: where the kernel becomes faster than the CPU and stays so.

use serde::{Deserialize, Serialize};

use super::stats::Interval;

/// One size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Rows.
    pub rows: u64,
    /// Seconds of the kernel, cold.
    pub kernel: Option<Interval>,
    /// Seconds of the kernel with both transfers.
    pub with_transfers: Option<Interval>,
    /// Seconds on the CPU.
    pub cpu: Option<Interval>,
    /// Share of the copy's bandwidth.
    pub share_of_copy: Option<f64>,
    /// Whether the CPU's time was scaled from fewer rows.
    pub cpu_scaled: bool,
    /// Why there is no kernel's time.
    pub missing: Option<String>,
}

/// All sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// What ran on the CPU.
    pub cpu: Option<String>,
    /// The sizes, ascending.
    pub points: Vec<Point>,
    /// Rows from which the kernel is faster.
    pub crossover: Option<f64>,
    /// Rows from which it is, with its transfers.
    pub crossover_with_transfers: Option<f64>,
}

impl Sweep {
    /// Of points.
    pub fn of(cpu: Option<String>, points: Vec<Point>) -> Sweep {
        let curve = |of: fn(&Point) -> Option<Interval>| -> Vec<(f64, f64, f64)> {
            let both = |p: &Point| Some((p.rows as f64, of(p)?.median, p.cpu?.median));
            points.iter().filter_map(both).collect()
        };
        Sweep {
            crossover: crossover(&curve(|p| p.kernel)),
            crossover_with_transfers: crossover(&curve(|p| p.with_transfers)),
            cpu,
            points,
        }
    }
}

/// Powers of ten up to a number of rows, and that number.
pub fn sizes(most: u64) -> Vec<u64> {
    let mut out: Vec<u64> = (3..=18).map(|e| 10_u64.pow(e)).take_while(|n| *n < most).collect();
    out.push(most);
    out
}

/// From where on the first time is below the second for good: between two sizes along straight lines in logarithms. Of
/// triples of rows and two times, ascending. The smallest size if it always is, `None` if it is not at the largest.
pub fn crossover(points: &[(f64, f64, f64)]) -> Option<f64> {
    let lead = |p: &(f64, f64, f64)| (p.1 / p.2).ln();
    if lead(points.last()?) >= 0.0 {
        return None;
    }
    let Some(last_behind) = points.iter().rposition(|p| lead(p) >= 0.0) else {
        return points.first().map(|p| p.0);
    };
    let (a, b) = (&points[last_behind], &points[last_behind + 1]);
    let part = lead(a) / (lead(a) - lead(b));
    Some((a.0.ln() + part * (b.0 / a.0).ln()).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crossover_lies_where_the_curves_meet() {
        // A launch of 10 µs and 1 ns a row against 10 ns a row: they meet at 10,000 / 9 rows.
        let of = |n: f64| (n, 1e-5 + 1e-9 * n, 1e-8 * n);
        let exact = 1e-5 / 9e-9;
        let points: Vec<_> = (0..60).map(|i| of(100.0 * 1.1_f64.powi(i))).collect();
        let found = crossover(&points).unwrap();
        assert!((found / exact - 1.0).abs() < 0.01, "{found} {exact}");
        assert_eq!(crossover(&[of(1e6), of(1e7)]), Some(1e6));
        assert_eq!(crossover(&[of(10.0), of(100.0)]), None);
        assert_eq!(crossover(&[]), None);
    }

    #[test]
    fn a_lead_that_is_lost_again_does_not_count() {
        let points = [(1e3, 1.0, 2.0), (1e4, 3.0, 2.0), (1e5, 1.0, 2.0)];
        let found = crossover(&points).unwrap();
        assert!(found > 1e4 && found < 1e5);
    }

    #[test]
    fn sizes_end_at_the_number_asked_for() {
        assert_eq!(sizes(100_000), [1000, 10_000, 100_000]);
        assert_eq!(sizes(1 << 20), [1000, 10_000, 100_000, 1_000_000, 1 << 20]);
        assert_eq!(sizes(7), [7]);
    }
}
