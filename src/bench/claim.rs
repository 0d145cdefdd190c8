//! Claims about two lanes. In: their times; out: FASTER, SLOWER, SAME or AMBIGUOUS, and the interval of the ratio that says so.

use serde::{Deserialize, Serialize};

use super::report::{BenchReport, Verified};
use super::stats::{FEWEST, Interval, Times};

/// Ratios nearer to one than this are the same speed.
pub const SAME_BAND: f64 = 1.02;

/// What may be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Claim {
    /// The whole interval lies above the band of the same.
    Faster,
    /// The whole interval lies below it.
    Slower,
    /// The whole interval lies inside.
    Same,
    /// The interval reaches over an edge of the band.
    Ambiguous,
}

impl Claim {
    /// As it stands on screen and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Claim::Faster => "FASTER",
            Claim::Slower => "SLOWER",
            Claim::Same => "SAME",
            Claim::Ambiguous => "AMBIGUOUS",
        }
    }
}

/// A claim with its ground.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claimed {
    /// Against what.
    pub against: String,
    /// What may be said of the candidate.
    pub claim: Claim,
    /// How many times as fast the candidate is.
    pub speed_up: Interval,
    /// What a reader has to know with it: another number of rows, say.
    pub note: Option<String>,
}

/// What an interval of a speed-up allows.
pub fn claim(speed_up: Interval) -> Claim {
    let known = speed_up.low.is_finite() && speed_up.high.is_finite() && speed_up.low > 0.0;
    match speed_up {
        _ if !known => Claim::Ambiguous,
        i if i.low > SAME_BAND => Claim::Faster,
        i if i.high < 1.0 / SAME_BAND => Claim::Slower,
        i if i.low >= 1.0 / SAME_BAND && i.high <= SAME_BAND => Claim::Same,
        _ => Claim::Ambiguous,
    }
}

/// What may be said of the kernel; nothing where what was timed is not what the original gives.
pub fn claims(report: &BenchReport) -> Vec<Claimed> {
    let (Ok(gpu), true) = (&report.gpu, report.verified.as_ref().is_some_and(Verified::holds)) else {
        return Vec::new();
    };
    let one = |against: &str, times: &Times, rows: u64, in_turns: bool| {
        let speed_up = speed_up(&gpu.cold, times, in_turns)?.scaled(report.rows as f64 / rows as f64);
        Some(Claimed {
            against: against.to_owned(),
            claim: claim(speed_up),
            speed_up,
            note: (rows != report.rows).then(|| format!("scaled from {rows} rows")),
        })
    };
    let rivals = report.rivals.iter();
    let rivals = rivals.filter_map(|r| one(&r.name, r.times.as_ref().ok()?, report.rows, r.in_turns));
    let cpu = report.cpu.iter();
    let cpu = cpu.filter_map(|c| one(&c.name, c.times.as_ref().ok()?, c.rows, false));
    rivals.chain(cpu).collect()
}

/// How many times as fast `a` is as `b`. Lanes that took turns are compared pair by pair, so that what slowed both down at a
/// time cancels out; others by their intervals. `None` where there are too few samples to say anything.
pub fn speed_up(a: &Times, b: &Times, took_turns: bool) -> Option<Interval> {
    if a.samples.len() < FEWEST || b.samples.len() < FEWEST {
        return None;
    }
    if took_turns && a.samples.len() == b.samples.len() {
        let ratios: Vec<f64> = a.samples.iter().zip(&b.samples).map(|(a, b)| b / a).collect();
        return Interval::of(&ratios);
    }
    Some(b.seconds.per(a.seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(samples: Vec<f64>) -> Times {
        Times::of(samples).unwrap()
    }

    #[test]
    fn claims_need_the_whole_interval() {
        let of = |low, high| {
            claim(Interval {
                low,
                median: (low + high) / 2.0,
                high,
            })
        };
        assert_eq!(of(1.5, 2.5), Claim::Faster);
        assert_eq!(of(0.2, 0.9), Claim::Slower);
        assert_eq!(of(0.99, 1.01), Claim::Same);
        assert_eq!(of(0.9, 1.1), Claim::Ambiguous);
        assert_eq!(of(1.01, 1.4), Claim::Ambiguous);
        assert_eq!(of(f64::NAN, f64::NAN), Claim::Ambiguous);
    }

    #[test]
    fn throttling_that_hits_both_cancels_out_in_pairs() {
        // Both become three times slower half way: apart their intervals overlap, pair by pair the ratio stands.
        let slow = |n: usize| if n < 10 { 1.0 } else { 3.0 };
        let a = times((0..20).map(slow).collect());
        let b = times((0..20).map(|n| 1.5 * slow(n)).collect());
        assert_eq!(claim(speed_up(&a, &b, true).unwrap()), Claim::Faster);
        assert_eq!(claim(speed_up(&a, &b, false).unwrap()), Claim::Ambiguous);
    }

    #[test]
    fn too_few_samples_say_nothing() {
        assert_eq!(speed_up(&times(vec![1.0; 5]), &times(vec![9.0; 20]), false), None);
    }
}
