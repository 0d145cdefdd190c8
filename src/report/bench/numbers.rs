//! Numbers with their units, as short as they can be told apart.

use crate::bench::{Interval, Times};

/// `1.04 ms`.
pub fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")];
    let unit = UNITS.into_iter().find(|(size, _)| seconds >= *size);
    let (size, name) = unit.unwrap_or((1e-9, "ns"));
    format!("{} {name}", three(seconds / size))
}

/// `4.14 TB/s`.
pub fn rate(bytes_per_second: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s")];
    let unit = UNITS.into_iter().find(|(size, _)| bytes_per_second >= *size);
    let (size, name) = unit.unwrap_or((1e6, "MB/s"));
    format!("{} {name}", three(bytes_per_second / size))
}

/// `255 G rows/s`.
pub fn pace(rows_per_second: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let unit = UNITS.into_iter().find(|(size, _)| rows_per_second >= *size);
    let (size, name) = unit.unwrap_or((1e3, "k"));
    format!("{} {name} rows/s", three(rows_per_second / size))
}

/// `97.8%`.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// `±0.3%`, marked where the interval did not become narrow.
pub fn width(times: &Times) -> String {
    let mark = if times.converged { "" } else { ", not converged" };
    format!("±{:.1}%{mark}", times.seconds.half_width() * 100.0)
}

/// `×4.23`.
pub fn times(factor: f64) -> String {
    format!("×{}", three(factor))
}

/// `×4.20–×4.31`.
pub fn range(interval: Interval, show: fn(f64) -> String) -> String {
    format!("{}–{}", show(interval.low), show(interval.high))
}

/// A number of rows in short: `268M`.
pub fn fold(rows: u64) -> String {
    match rows {
        n if n >= 1_000_000 => format!("{}M", n / 1_000_000),
        n if n >= 10_000 => format!("{}k", n / 1000),
        n => n.to_string(),
    }
}

/// Three digits that count.
fn three(x: f64) -> String {
    match x {
        x if !x.is_finite() => "?".into(),
        x if x >= 99.95 => super::grouped(x.round() as u64),
        x if x >= 9.995 => format!("{x:.1}"),
        x => format!("{x:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_a_unit() {
        assert_eq!(duration(0.001_04), "1.04 ms");
        assert_eq!(duration(65.23e-6), "65.2 µs");
        assert_eq!(duration(0.25e-9), "0.25 ns");
        assert_eq!(duration(123.4), "123 s");
        assert_eq!(rate(4.137e12), "4.14 TB/s");
        assert_eq!(pace(255.65e9), "256 G rows/s");
        assert_eq!(pace(1.5e3), "1.50 k rows/s");
        assert_eq!(times(12_345.6), "×12,346");
        assert_eq!(
            (fold(1 << 28), fold(131_072), fold(999)),
            ("268M".into(), "131k".into(), "999".into())
        );
    }
}
