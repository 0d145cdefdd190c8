//! Medians and what surrounds them. In: seconds; out: an interval that holds for any distribution, and counts of what lies
//! outside. Samples are counted, never dropped.

use serde::{Deserialize, Serialize};

/// The confidence of an interval.
const CONFIDENCE: f64 = 0.95;
/// With fewer samples not even the whole range reaches the confidence.
pub(super) const FEWEST: usize = 6;
/// Scaled median deviations from the median beyond which a sample is an outlier.
const OUTLYING: f64 = 5.0;
/// Makes the median deviation of a normal distribution its standard deviation.
const NORMAL: f64 = 1.4826;
/// No sample nearer than this share of the median is an outlier, however alike all others are.
const NEAR: f64 = 0.01;

/// A median and the interval that holds it with 95 % confidence, from order statistics: no distribution is assumed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// The median.
    pub median: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// That of samples; `None` without any.
    pub fn of(samples: &[f64]) -> Option<Interval> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let k = rank(sorted.len());
        Some(Interval {
            low: sorted[k],
            median: middle(&sorted),
            high: sorted[last - k],
        })
    }

    /// A number without doubt.
    pub fn exactly(x: f64) -> Interval {
        Interval {
            low: x,
            median: x,
            high: x,
        }
    }

    /// The larger distance of an end from the median, as a share of it.
    pub fn half_width(&self) -> f64 {
        (self.high - self.median).max(self.median - self.low) / self.median
    }

    /// Each end by a positive factor.
    pub fn scaled(self, by: f64) -> Interval {
        Interval {
            low: self.low * by,
            median: self.median * by,
            high: self.high * by,
        }
    }

    /// The sum, as wide as both can make it.
    pub fn plus(self, other: Interval) -> Interval {
        Interval {
            low: self.low + other.low,
            median: self.median + other.median,
            high: self.high + other.high,
        }
    }

    /// The quotient, as wide as both can make it.
    pub fn per(self, other: Interval) -> Interval {
        Interval {
            low: self.low / other.high,
            median: self.median / other.median,
            high: self.high / other.low,
        }
    }
}

/// How many samples at each end lie outside the interval of the median, so that it still has the confidence.
fn rank(n: usize) -> usize {
    let tail = (1.0 - CONFIDENCE) / 2.0;
    // P(at most i of n samples lie below the median), summed in logarithms: 2^-n is no number for long.
    let mut log = -(n as f64) * std::f64::consts::LN_2;
    let (mut below, mut k) = (0.0, 0);
    for i in 0..n / 2 {
        below += log.exp();
        if below > tail {
            break;
        }
        k = i + 1;
        log += ((n - i) as f64 / (i + 1) as f64).ln();
    }
    // The k-th smallest sample, counted from one, has k - 1 below it.
    k.saturating_sub(1)
}

/// The median of what is sorted and not empty.
fn middle(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted[half],
        _ => (sorted[half - 1] + sorted[half]) / 2.0,
    }
}

/// The median; `None` without samples.
pub(super) fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    (!sorted.is_empty()).then(|| middle(&sorted))
}

fn outliers(samples: &[f64]) -> usize {
    let Some(center) = median(samples) else { return 0 };
    let deviations: Vec<f64> = samples.iter().map(|s| (s - center).abs()).collect();
    let scale = median(&deviations).unwrap_or(0.0) * NORMAL;
    let limit = (OUTLYING * scale).max(NEAR * center);
    deviations.iter().filter(|d| **d > limit).count()
}

/// What one lane took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Median and interval.
    pub seconds: Interval,
    /// Every sample, in order.
    pub samples: Vec<f64>,
    /// Samples far from the median; they count like the others.
    pub outliers: usize,
    /// Samples that were taken before these, until they were flat.
    pub warm_up: usize,
    /// Whether they became flat before the limit.
    pub flat: bool,
    /// Whether the interval became narrow before the limit.
    pub converged: bool,
    /// Samples taken while the clocks were slowed down.
    pub throttled: usize,
}

impl Times {
    /// Of samples; `None` without any.
    pub fn of(samples: Vec<f64>) -> Option<Times> {
        Some(Times {
            seconds: Interval::of(&samples)?,
            outliers: outliers(&samples),
            samples,
            warm_up: 0,
            flat: true,
            converged: true,
            throttled: 0,
        })
    }

    /// How much the later half is slower than the earlier one, as a share of it; negative if it is faster.
    pub fn drift(&self) -> f64 {
        let half = self.samples.len() / 2;
        let (early, late) = (median(&self.samples[..half]), median(&self.samples[half..]));
        early.zip(late).map_or(0.0, |(a, b)| b / a - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_covers_as_tables_of_the_sign_test_say() {
        // n, and the number of samples outside on each side: Conover, Practical Nonparametric Statistics, binomial table.
        for (n, outside) in [(5, 0), (6, 0), (8, 0), (9, 1), (10, 1), (15, 3), (20, 5), (25, 7)] {
            assert_eq!(rank(n), outside, "{n} samples");
        }
        assert!(rank(5000) > 2400 && rank(5000) < 2500, "{}", rank(5000));
    }

    #[test]
    fn the_median_ignores_how_far_outliers_lie() {
        let mut samples = vec![1.0; 19];
        samples.push(1000.0);
        let times = Times::of(samples).unwrap();
        assert_eq!(times.seconds, Interval::exactly(1.0));
        assert_eq!((times.outliers, times.samples.len()), (1, 20));
        assert_eq!(Interval::of(&[]), None);
    }

    #[test]
    fn intervals_hold_the_median_of_skewed_samples() {
        // Exponential by inversion: its median is ln 2, and every twentieth interval may miss it.
        let mut state = 7_u64;
        let mut uniform = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut held = 0;
        for _ in 0..1000 {
            let samples: Vec<f64> = (0..21).map(|_| -(1.0 - uniform()).ln()).collect();
            let found = Interval::of(&samples).unwrap();
            held += usize::from(found.low <= std::f64::consts::LN_2 && std::f64::consts::LN_2 <= found.high);
        }
        assert!(held > 930, "{held} of 1000");
    }

    #[test]
    fn a_drift_is_seen() {
        let times = Times::of((0..40).map(|i| 1.0 + f64::from(i) / 100.0).collect()).unwrap();
        assert!(times.drift() > 0.15, "{}", times.drift());
    }
}
