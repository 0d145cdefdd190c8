//! What a reader has to know beside the numbers. In: a report; out: what was seen, and what to do about it.

use serde::{Deserialize, Serialize};

use super::report::{BenchReport, GpuLane};
use super::stats::Times;

/// Something that makes a number weaker than it looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Stable id.
    pub id: String,
    /// What was seen.
    pub what: String,
    /// What to do.
    pub remedy: String,
}

/// More than this share of outliers is worth a word.
const MANY_OUTLIERS: f64 = 0.1;
/// A change over the run beyond this share is worth a word.
const DRIFT: f64 = 0.02;
/// A kernel within so many empty launches is mostly a launch.
const LAUNCHES: f64 = 3.0;

/// All of a report.
pub fn warnings(report: &BenchReport) -> Vec<Warning> {
    let mut out = Vec::new();
    if let Ok(gpu) = &report.gpu {
        of_lane("the kernel", &gpu.cold, &mut out);
        of_lane("the copy", &gpu.copy.times, &mut out);
        of_device(gpu, &mut out);
    }
    for rival in &report.rivals {
        if let Ok(times) = &rival.times {
            of_lane(&rival.name, times, &mut out);
        }
    }
    for lane in &report.cpu {
        if let Ok(times) = &lane.times {
            of_lane(&lane.name, times, &mut out);
        }
    }
    out
}

fn warn(id: &str, what: String, remedy: &str, out: &mut Vec<Warning>) {
    out.push(Warning {
        id: id.to_owned(),
        what,
        remedy: remedy.to_owned(),
    });
}

fn of_lane(name: &str, times: &Times, out: &mut Vec<Warning>) {
    let n = times.samples.len();
    if !times.flat {
        let what = format!("{name} was still getting faster or slower after {} runs", times.warm_up);
        warn("not-flat", what, "run it again, or with more rows", out);
    }
    if !times.converged {
        let half = times.seconds.half_width() * 100.0;
        let what = format!("{name} did not converge: ±{half:.1} % after {n} samples");
        warn(
            "not-converged",
            what,
            "close other programs, or run it with more rows",
            out,
        );
    }
    if times.outliers as f64 > MANY_OUTLIERS * n as f64 {
        let what = format!("{name}: {} of {n} samples are outliers", times.outliers);
        warn("outliers", what, "something else used the machine; run it again", out);
    }
    if times.throttled > 0 {
        let what = format!("{name}: {} of {n} samples ran under lowered clocks", times.throttled);
        warn(
            "throttled",
            what,
            "let the device cool down, and see its power limit",
            out,
        );
    }
    let drift = times.drift();
    if drift.abs() > DRIFT && drift.abs() > times.seconds.half_width() {
        let what = format!(
            "{name}: the later half of the samples is {:+.1} % off the earlier one",
            drift * 100.0
        );
        warn(
            "drift",
            what,
            "run it again: clocks or another load changed meanwhile",
            out,
        );
    }
}

fn of_device(gpu: &GpuLane, out: &mut Vec<Warning>) {
    if gpu.cold.seconds.median < LAUNCHES * gpu.empty.seconds.median {
        let what = "the kernel takes hardly longer than an empty one: this is the time of a launch".to_owned();
        warn("launch-bound", what, "run it with more rows", out);
    }
    if gpu.traffic.total() < 2 * gpu.l2_bytes.0 {
        let what = "the columns fit into the L2 cache, as a real batch may not".to_owned();
        warn("small", what, "run it with more rows for a bandwidth", out);
    }
    if let Err(why) = &gpu.bandwidth {
        warn(
            "bandwidth",
            why.why.clone(),
            "the time stands; do not quote a bandwidth",
            out,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_says_what_is_wrong_with_it() {
        let mut times = Times::of((0..40).map(|i| 1.0 + f64::from(i / 20)).collect()).unwrap();
        (times.flat, times.converged, times.throttled) = (false, false, 3);
        let mut found = Vec::new();
        of_lane("the kernel", &times, &mut found);
        let ids: Vec<&str> = found.iter().map(|w| w.id.as_str()).collect();
        assert_eq!(ids, ["not-flat", "not-converged", "throttled", "drift"]);
        assert!(
            found
                .iter()
                .all(|w| w.what.starts_with("the kernel") && !w.remedy.is_empty())
        );
        let mut found = Vec::new();
        of_lane("x", &Times::of(vec![1.0; 20]).unwrap(), &mut found);
        assert!(found.is_empty());
    }
}
