//! The two roofs over a kernel: rows a second that memory allows, and that its own work allows. In: times of the kernel over all
//! rows and over rows that stay in the cache, of a copy of the same bytes and of an empty launch; out: both roofs, what the kernel
//! reaches, and which of them bounds it. A roof that was not measured in the same run is none.

use serde::{Deserialize, Serialize};

use super::stats::{Interval, Times};
use crate::error::{Error, Result};

/// Share of the lower roof from which on it is what bounds a kernel.
const NEAR: f64 = 0.8;

/// The kernel over rows whose columns, its result's included, stay in the L2 cache.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cached {
    /// How many rows.
    pub rows: u64,
    /// What they took, right after themselves.
    pub times: Times,
}

/// What bounds a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// Moving its columns.
    Memory,
    /// What it computes for a row, and what else happens inside of the multiprocessors.
    Arithmetic,
    /// Neither: it waits.
    Latency,
}

impl Bound {
    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Memory => "memory",
            Bound::Arithmetic => "arithmetic",
            Bound::Latency => "latency",
        }
    }
}

/// Rows a second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Roofs {
    /// What was measured for the roof of arithmetic.
    pub cached: Cached,
    /// Rows a second at least where the device's memory does not limit: out of the cache, or what the kernel reaches itself.
    pub arithmetic: Interval,
    /// Rows a second of a copy of the same bytes.
    pub memory: Interval,
    /// Rows a second of the kernel, the cache cold.
    pub kernel: Interval,
    /// What each of them took less: an empty launch.
    pub launch_seconds: f64,
    /// What bounds the kernel.
    pub bound: Bound,
}

impl Roofs {
    /// From lanes that took turns; `rows` are those of the kernel and of the copy.
    pub fn of(rows: u64, kernel: &Times, copy: &Times, empty: &Times, cached: Cached) -> Result<Roofs> {
        let launch = empty.seconds.median;
        let pace = |rows: u64, times: &Times, what: &str| {
            let less = |seconds: f64| rows as f64 / (seconds - launch);
            let found = Interval {
                low: less(times.seconds.high),
                median: less(times.seconds.median),
                high: less(times.seconds.low),
            };
            let whole = times.seconds.low > launch;
            whole.then_some(found).ok_or_else(|| {
                Error::not_proven(format!("{what} takes no longer than an empty launch"))
                    .hint("time more rows: --rows 2^26")
            })
        };
        let kernel = pace(rows, kernel, "the kernel")?;
        let memory = pace(rows, copy, "a copy of the same bytes")?;
        let arithmetic = pace(
            cached.rows,
            &cached.times,
            "the kernel over rows that stay in the cache",
        )?;
        // Rows that fit the cache are too few to fill the device as long ones do: what they reach is the least that there is.
        let arithmetic = if kernel.median > arithmetic.median {
            kernel
        } else {
            arithmetic
        };
        let bound = if kernel.median >= NEAR * memory.median {
            Bound::Memory
        } else if kernel.median >= NEAR * arithmetic.median {
            Bound::Arithmetic
        } else {
            Bound::Latency
        };
        Ok(Roofs {
            cached,
            arithmetic,
            memory,
            kernel,
            launch_seconds: launch,
            bound,
        })
    }

    /// The kernel's pace as a share of the lower roof.
    pub fn share(&self) -> f64 {
        self.kernel.median / self.memory.median.min(self.arithmetic.median)
    }
}

/// How many rows of `rows` have their columns, `bytes` for all of them, in half of a cache, as whole words of validity. `least` are
/// as many as the device does at once.
pub fn cached_rows(rows: u64, bytes: u64, l2_bytes: Option<u64>, least: u64) -> Result<u64> {
    let l2 = l2_bytes.filter(|b| *b > 0);
    let l2 = l2.ok_or_else(|| Error::not_proven("the driver does not tell how large the L2 cache is"))?;
    let half = l2 / 2;
    if bytes <= half {
        return Err(Error::not_proven(
            "all these rows stay in half of the L2 cache: nothing tells memory from arithmetic",
        )
        .hint("time more rows: --rows 2^26"));
    }
    let fit = (u128::from(half) * u128::from(rows) / u128::from(bytes)) as u64 / 32 * 32;
    match fit < least.max(32) {
        true => Err(Error::not_proven(format!(
            "only {fit} rows stay in half of the L2 cache, fewer than the {least} that the device does at once"
        ))),
        false => Ok(fit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve samples within a thousandth.
    fn steady(seconds: f64) -> Times {
        let sample = |i: i32| seconds * (1.0 + f64::from(i % 3 - 1) / 2000.0);
        Times::of((0..12).map(sample).collect()).unwrap()
    }

    /// A kernel over a million rows, its copy, and the kernel over a thousand rows out of the cache, in microseconds without the
    /// launch of two.
    fn of(kernel: f64, copy: f64, cached: f64) -> Roofs {
        let with_launch = |us: f64| steady((us + 2.0) * 1e-6);
        let cached = Cached {
            rows: 1_000,
            times: with_launch(cached),
        };
        Roofs::of(
            1_000_000,
            &with_launch(kernel),
            &with_launch(copy),
            &steady(2e-6),
            cached,
        )
        .unwrap()
    }

    #[test]
    fn the_lower_roof_bounds_a_kernel_that_is_near_it() {
        let near = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 1e-3, "{found} {wanted}");
        let memory = of(1050.0, 1000.0, 0.5);
        assert_eq!(memory.bound, Bound::Memory);
        near(memory.share(), 1000.0 / 1050.0);
        near(memory.arithmetic.median, 2e9);
        near(memory.memory.median, 1e9);
        let arithmetic = of(2100.0, 1000.0, 2.0);
        assert_eq!(arithmetic.bound, Bound::Arithmetic);
        near(arithmetic.share(), 2000.0 / 2100.0);
        // A short launch out of the cache shows less than the kernel reaches over all rows.
        let short = of(1160.0, 1020.0, 1.3);
        assert_eq!(short.bound, Bound::Memory);
        near(short.arithmetic.median, 1e12 / 1160.0);
        let slow = of(7000.0, 1000.0, 7.2);
        assert_eq!(slow.bound, Bound::Arithmetic);
        near(slow.share(), 1.0);
        // Both together, or something else: it reaches neither.
        assert_eq!(of(2000.0, 1000.0, 0.9).bound, Bound::Latency);
        assert_eq!(of(2000.0, 1000.0, 1.5).bound, Bound::Latency);
    }

    #[test]
    fn what_is_no_longer_than_a_launch_says_nothing() {
        let cached = Cached {
            rows: 32,
            times: steady(2e-6),
        };
        let error = Roofs::of(1_000, &steady(9e-6), &steady(8e-6), &steady(2e-6), cached).unwrap_err();
        assert!(error.to_string().contains("no longer than an empty launch"), "{error}");
    }

    #[test]
    fn rows_that_fit_are_whole_words_and_many_enough() {
        let (rows, bytes, l2) = (1 << 28, (1 << 28) * 65 / 4, Some(60 << 20));
        let fit = cached_rows(rows, bytes, l2, 1_000_000).unwrap();
        assert!(
            fit.is_multiple_of(32) && fit * 65 / 4 <= 30 << 20 && (fit + 32) * 65 / 4 > 30 << 20,
            "{fit}"
        );
        let why = |rows, bytes, l2, least| cached_rows(rows, bytes, l2, least).unwrap_err().to_string();
        assert!(why(1_000, 16_000, l2, 32).contains("all these rows stay"));
        assert!(why(rows, bytes, None, 32).contains("does not tell"));
        assert!(why(rows, bytes, l2, 5_000_000).contains("fewer than the 5000000"));
        assert!(why(4, 8 << 30, l2, 0).contains("only 0 rows"));
    }
}
