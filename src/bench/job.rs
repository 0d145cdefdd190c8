//! What a rewrite means for a job. In: measured times and what the user says of the job; out: falling back to rows against the
//! columnar form, the job's gain by Amdahl's law, and the price ratio at which both cost the same. Every input stands beside it.

use serde::{Deserialize, Serialize};

use super::report::BenchReport;
use super::stats::Interval;

/// What the user says of the job.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct JobInputs {
    /// Rows of the job.
    pub rows: u64,
    /// Share of the job's time on the CPU that the UDF takes, above zero and up to one.
    pub share: f64,
    /// Price of an hour on the machine with the GPU over that of the one without, if it is known.
    pub price_ratio: Option<f64>,
}

/// What it means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// What was said.
    pub inputs: JobInputs,
    /// What runs the original: a CPU lane's name.
    pub cpu: String,
    /// Seconds of that for the job's rows.
    pub cpu_seconds: Interval,
    /// Seconds of the kernel for them.
    pub kernel_seconds: Interval,
    /// Seconds in which a plan on the GPU falls back: columns to the host, the original, the result to the device.
    pub fallback_seconds: Option<Interval>,
    /// The part of them that is transfers.
    pub transfer_seconds: Option<Interval>,
    /// How many times as fast the columnar form is as falling back.
    pub against_fallback: Option<Interval>,
    /// How many times as fast the whole job is, if all else takes as long as before.
    pub job_speed_up: Interval,
    /// What it could be at most: the UDF in no time.
    pub most: Option<f64>,
    /// The price ratio GPU : CPU at which the job costs the same on both.
    pub break_even: Interval,
    /// Cost on the GPU over cost on the CPU at the price ratio that was given.
    pub cost: Option<Interval>,
}

/// Works it out; `None` without a kernel or without any lane of the CPU.
pub fn job(report: &BenchReport, inputs: JobInputs) -> Option<Job> {
    let gpu = report.gpu.as_ref().ok()?;
    let (lane, cpu) = report.best_cpu()?;
    let rows = inputs.rows as f64;
    let cpu_seconds = cpu.seconds.scaled(rows / lane.rows as f64);
    let kernel_seconds = gpu.cold.seconds.scaled(rows / report.rows as f64);
    let transfer_seconds = gpu.transfers.as_ref().ok().map(|t| {
        let share = rows / report.rows as f64;
        // What a kernel reads is what would have to go to the host, and what it writes would have to come back.
        t.seconds(
            gpu.traffic.written_bytes as f64 * share,
            gpu.traffic.read_bytes as f64 * share,
        )
    });
    let fallback_seconds = transfer_seconds.map(|t| t.plus(cpu_seconds));
    let job_speed_up = amdahl(inputs.share, cpu_seconds.per(kernel_seconds));
    Some(Job {
        inputs,
        cpu: lane.name.clone(),
        cpu_seconds,
        kernel_seconds,
        fallback_seconds,
        transfer_seconds,
        against_fallback: fallback_seconds.map(|f| f.per(kernel_seconds)),
        job_speed_up,
        most: (inputs.share < 1.0).then(|| 1.0 / (1.0 - inputs.share)),
        break_even: job_speed_up,
        cost: inputs
            .price_ratio
            .map(|price| Interval::exactly(price).per(job_speed_up)),
    })
}

/// The gain of a whole of which a share becomes so many times as fast.
fn amdahl(share: f64, speed_up: Interval) -> Interval {
    let of = |s: f64| 1.0 / (1.0 - share + share / s);
    Interval {
        low: of(speed_up.low),
        median: of(speed_up.median),
        high: of(speed_up.high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::CpuLane;
    use crate::bench::Times;

    #[test]
    fn a_job_follows_from_what_was_measured() {
        let mut report = BenchReport::parse(include_str!("../../tests/data/bench/h200.json")).unwrap();
        let lane = |id: &str, seconds: f64| CpuLane {
            id: id.into(),
            name: id.into(),
            rows: 1000,
            times: Ok(Times::of(vec![seconds; 10]).unwrap()),
        };
        report.cpu = vec![lane("slow", 2e-5), lane("fast", 1e-5)];
        let inputs = JobInputs {
            rows: 2 * report.rows,
            share: 0.5,
            price_ratio: Some(4.0),
        };
        let found = job(&report, inputs).unwrap();
        let gpu = report.gpu.as_ref().unwrap();
        assert_eq!(found.cpu, "fast");
        assert!((found.cpu_seconds.median - inputs.rows as f64 * 1e-8).abs() < 1e-9);
        assert!((found.kernel_seconds.median / gpu.cold.seconds.median - 2.0).abs() < 1e-9);
        let transfers = found.transfer_seconds.unwrap().median;
        assert!((found.fallback_seconds.unwrap().median - found.cpu_seconds.median - transfers).abs() < 1e-9);
        // Half of the job in next to no time is twice the job, and costs twice as much at four times the price.
        assert!((found.job_speed_up.median - 2.0).abs() < 0.1 && found.most == Some(2.0));
        assert!((found.cost.unwrap().median - 2.0).abs() < 0.1);
        report.cpu.clear();
        assert_eq!(job(&report, inputs), None);
    }

    #[test]
    fn amdahl_is_bounded_by_the_rest_of_the_job() {
        let half = amdahl(0.5, Interval::exactly(1e9));
        assert!((half.median - 2.0).abs() < 1e-6);
        assert_eq!(amdahl(1.0, Interval::exactly(4.0)).median, 4.0);
        let wide = amdahl(
            0.8,
            Interval {
                low: 2.0,
                median: 4.0,
                high: 8.0,
            },
        );
        assert!((wide.low - 1.0 / 0.6).abs() < 1e-12 && (wide.high - 1.0 / 0.3).abs() < 1e-12);
    }
}
