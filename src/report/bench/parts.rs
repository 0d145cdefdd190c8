//! The parts of a benchmark's text.

use super::numbers::{duration, pace, percent, range, rate, times, width};
use super::{Line, Tone, chart};
use crate::bench::{
    Bandwidth, BenchReport, Bound, Clocks, Compared, CpuLane, GpuLane, Interval, Job, Missing, Sweep, Times,
};
use crate::report::grouped;

/// What was timed, on what.
pub(super) fn head(report: &BenchReport) -> Vec<Line> {
    let nulls = report
        .null_share
        .map(|s| format!(", {} nulls", percent(s)))
        .unwrap_or_default();
    let made = match report.made_rows < report.rows {
        true => format!(" ({} made up, the others repeat them)", grouped(report.made_rows)),
        false => String::new(),
    };
    let mut out = vec![(
        Tone::Head,
        format!(
            "{} · {} · {} rows{made}{nulls}, seed {}",
            report.udf,
            report.tier.name(),
            grouped(report.rows),
            report.seed
        ),
    )];
    if let Ok(gpu) = &report.gpu {
        let fact = |key: &str| gpu.facts.get(key).map_or("unknown", String::as_str);
        out.push((
            Tone::Quiet,
            format!(
                "{}, {}, driver {}, CUDA {}, {}, ECC {}",
                fact("device"),
                fact("memory"),
                fact("driver"),
                fact("cuda of the driver"),
                fact("architecture"),
                fact("ecc")
            ),
        ));
    }
    out
}

fn row(name: &str, found: &Times, note: &str) -> Line {
    let text = format!(
        "  {name:<30} {:>9}  {:<8} {:>4} samples, {} outliers{}",
        duration(found.seconds.median),
        width(found),
        found.samples.len(),
        found.outliers,
        if note.is_empty() {
            String::new()
        } else {
            format!("; {note}")
        }
    );
    (Tone::Plain, text)
}

fn missing(name: &str, missing: &Missing) -> Vec<Line> {
    let first = (Tone::Unknown, format!("  {name:<30} not available: {}", missing.why));
    let hint = |h: &String| (Tone::Unknown, format!("  {:<30} try: {h}", ""));
    std::iter::once(first).chain(missing.hints.iter().map(hint)).collect()
}

/// Every lane with its median, or why it has none.
pub(super) fn table(report: &BenchReport) -> Vec<Line> {
    let mut out = Vec::new();
    match &report.gpu {
        Ok(gpu) => {
            out.push(row("kernel, cold L2", &gpu.cold, ""));
            out.push(row("kernel, warm L2", &gpu.warm, ""));
            let by = format!("by the {}", gpu.copy.by);
            out.push(row("copy of the same bytes", &gpu.copy.times, &by));
            out.push(row("empty kernel", &gpu.empty, ""));
            match &gpu.transfers {
                Ok(t) => {
                    let of = |times: &Times| {
                        let rate = rate(t.bytes as f64 / times.seconds.median);
                        format!("{} bytes, {rate}", grouped(t.bytes))
                    };
                    out.push(row("host to device", &t.to_device, &of(&t.to_device)));
                    out.push(row("device to host", &t.to_host, &of(&t.to_host)));
                }
                Err(why) => out.extend(missing("transfers", why)),
            }
        }
        Err(why) => out.extend(missing("kernel", why)),
    }
    for rival in &report.rivals {
        match &rival.times {
            Ok(found) => {
                let note = if rival.in_turns { "in turns with the kernel" } else { "" };
                out.push(row(&rival.name, found, note));
            }
            Err(why) => out.extend(missing(&rival.name, why)),
        }
    }
    out.extend(report.cpu.iter().flat_map(cpu));
    out
}

fn cpu(lane: &CpuLane) -> Vec<Line> {
    match &lane.times {
        Ok(found) => {
            let per_row = duration(found.seconds.median / lane.rows as f64);
            vec![row(
                &lane.name,
                found,
                &format!("{} rows, {per_row} a row", grouped(lane.rows)),
            )]
        }
        Err(why) => missing(&lane.name, why),
    }
}

/// Bandwidth, launches, compiling, clocks.
pub(super) fn device(report: &BenchReport) -> Vec<Line> {
    let Ok(gpu) = &report.gpu else { return Vec::new() };
    let mut out = Vec::new();
    if let Ok(b) = &gpu.bandwidth {
        let text = format!(
            "bandwidth {} = {} of the copy ({}); {} bytes read, {} written",
            rate(b.bytes_per_second.median),
            percent(b.share_of_copy.median),
            range(b.share_of_copy, percent),
            grouped(gpu.traffic.read_bytes),
            grouped(gpu.traffic.written_bytes)
        );
        out.push((Tone::Head, text));
        out.extend(roofline(gpu, b));
    }
    out.push((Tone::Quiet, launches(gpu)));
    out.push(match &gpu.clocks {
        Ok(clocks) => (Tone::Quiet, clock_line(clocks)),
        Err(why) => (Tone::Unknown, format!("clocks not available: {}", why.why)),
    });
    out
}

/// Share of the copy from which on memory alone says how long a kernel takes.
const MEMORY_BOUND: f64 = 0.8;

/// Both roofs and what the kernel reaches of the lower one.
fn roofline(gpu: &GpuLane, found: &Bandwidth) -> Vec<Line> {
    let roofs = match &gpu.roofs {
        Ok(roofs) => roofs,
        Err(why) => {
            let text = format!("  no roof of arithmetic: {}", why.why);
            let hint = |h: &String| (Tone::Unknown, format!("  try: {h}"));
            let first = [(Tone::Plain, memory_roof(gpu, found)), (Tone::Unknown, text)];
            return first.into_iter().chain(why.hints.iter().map(hint)).collect();
        }
    };
    let reached = format!(
        "roofline: {} = {} of the lower roof: {}",
        pace(roofs.kernel.median),
        percent(roofs.share()),
        bound(roofs.bound)
    );
    let allows = |i: Interval| format!("{} ±{}", pace(i.median), percent(i.half_width()));
    let both = format!(
        "  memory allows {} (the copy of its bytes), arithmetic {} at least ({} rows out of the cache)",
        allows(roofs.memory),
        allows(roofs.arithmetic),
        grouped(roofs.cached.rows)
    );
    let less = format!(
        "  each without the {} that an empty launch takes",
        duration(roofs.launch_seconds)
    );
    vec![(Tone::Head, reached), (Tone::Plain, both), (Tone::Quiet, less)]
}

/// What bounds a kernel, in words.
fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Memory => "bound by memory",
        Bound::Arithmetic => "bound by arithmetic and what else is inside of the multiprocessors",
        Bound::Latency => "bound by neither: latency",
    }
}

/// The roof that memory is, and how far below it the kernel stays. A kernel far below it computes, waits or moves what its
/// columns do not have: faster memory would not help it.
fn memory_roof(gpu: &GpuLane, found: &Bandwidth) -> String {
    let share = found.share_of_copy.median;
    let bound = match share >= MEMORY_BOUND {
        true => "memory bounds it",
        false => "what it does for a row bounds it, not memory",
    };
    format!(
        "roofline: these bytes take {} at least, {} of the kernel's time: {bound}",
        duration(gpu.copy.times.seconds.median),
        percent(share)
    )
}

fn launches(gpu: &GpuLane) -> String {
    let fact = |key: &str| gpu.facts.get(key).map_or("unknown", String::as_str);
    format!(
        "{} of the kernel for one evaluation; compiled in {}{}; {} registers, {} spilled; L2 of {} MiB, flushed with {} MiB",
        match gpu.launches {
            1 => "one launch".to_owned(),
            n => format!("{n} launches"),
        },
        duration(gpu.compile.seconds),
        if gpu.compile.cached { " (from the cache)" } else { "" },
        fact("registers per thread"),
        fact("spilled bytes per thread"),
        gpu.l2_bytes.0 >> 20,
        gpu.l2_bytes.1 >> 20
    )
}

fn clock_line(clocks: &Clocks) -> String {
    let of = |(low, high, most): (u32, u32, u32)| match low == high {
        true => format!("{high} of {most} MHz"),
        false => format!("{low}–{high} of {most} MHz"),
    };
    let lowered = match clocks.reasons.is_empty() {
        true => "not lowered".to_owned(),
        false => format!("lowered by {}", clocks.reasons.join(", ")),
    };
    format!(
        "clocks: core {}, memory {}, {lowered}; {} °C, {} W",
        of(clocks.core_mhz),
        of(clocks.memory_mhz),
        clocks.celsius,
        clocks.watts
    )
}

/// Against an earlier run.
pub(super) fn compared(c: &Compared) -> Vec<Line> {
    match (&c.claim, c.speed_up) {
        (Some(claim), Some(found)) => vec![(
            Tone::Head,
            format!(
                "{:<9} {} as {} ({})",
                claim.name(),
                times(found.median),
                c.with,
                range(found, times)
            ),
        )],
        _ => {
            let first = (Tone::Unknown, format!("nothing can be claimed against {}", c.with));
            let more = |d: &String| (Tone::Unknown, format!("  {d}"));
            std::iter::once(first).chain(c.differences.iter().map(more)).collect()
        }
    }
}

/// Sizes, the chart, the crossover.
pub(super) fn sweep(sweep: &Sweep) -> Vec<Line> {
    let mut out = vec![(
        Tone::Head,
        format!(
            "{:>14} {:>10} {:>10} {:>10} {:>8}",
            "rows", "kernel", "+transfers", "CPU", "of copy"
        ),
    )];
    for p in &sweep.points {
        let of = |i: Option<crate::bench::Interval>| i.map_or("-".into(), |i| duration(i.median));
        let cpu = match p.cpu_scaled {
            true => format!("~{}", of(p.cpu)),
            false => of(p.cpu),
        };
        let share = p.share_of_copy.map_or("-".into(), percent);
        let why = p.missing.as_ref().map(|m| format!("  {m}")).unwrap_or_default();
        let line = format!(
            "{:>14} {:>10} {:>10} {cpu:>10} {share:>8}{why}",
            grouped(p.rows),
            of(p.kernel),
            of(p.with_transfers)
        );
        out.push((Tone::Plain, line));
    }
    out.extend(chart(sweep).into_iter().map(|l| (Tone::Plain, l)));
    let from = |rows: Option<f64>, what: &str| match (rows, &sweep.cpu) {
        (_, None) => format!("{what}: there is no time on the CPU to cross"),
        (Some(rows), Some(cpu)) => format!(
            "{what} is faster than {cpu} from about {} rows on",
            grouped(rows as u64)
        ),
        (None, Some(cpu)) => format!("{what} is not faster than {cpu} at any of these sizes"),
    };
    if sweep.points.iter().any(|p| p.kernel.is_some()) {
        out.push((Tone::Head, from(sweep.crossover, "the kernel")));
        let text = from(sweep.crossover_with_transfers, "the kernel with its transfers");
        out.push((Tone::Head, text));
    }
    out
}

/// What it means for a job.
pub(super) fn job(job: &Job) -> Vec<Line> {
    let inputs = job.inputs;
    let mut out = vec![(
        Tone::Head,
        format!(
            "a job of {} rows whose UDF takes {} of its time on the CPU (--job-rows, --job-share):",
            grouped(inputs.rows),
            percent(inputs.share)
        ),
    )];
    let mut plain = |text: String| out.push((Tone::Plain, text));
    plain(format!(
        "  UDF {} by {}, {} as a kernel",
        duration(job.cpu_seconds.median),
        job.cpu,
        duration(job.kernel_seconds.median)
    ));
    if let (Some(fallback), Some(transfers), Some(gain)) =
        (job.fallback_seconds, job.transfer_seconds, job.against_fallback)
    {
        plain(format!(
            "  a plan on the GPU that falls back for it takes {} ({} of them transfers): the kernel is {} ({})",
            duration(fallback.median),
            duration(transfers.median),
            times(gain.median),
            range(gain, times)
        ));
    }
    let most = job.most.map_or("no".into(), times);
    plain(format!(
        "  the whole job {} ({}), {most} at most, if all else takes as long as before",
        times(job.job_speed_up.median),
        range(job.job_speed_up, times)
    ));
    plain(format!(
        "  costs the same where an hour with the GPU costs {} one without",
        times(job.break_even.median)
    ));
    if let (Some(price), Some(cost)) = (inputs.price_ratio, job.cost) {
        plain(format!(
            "  at {} the price (--price-ratio) the job costs {} of what it costs on the CPU ({})",
            times(price),
            percent(cost.median),
            range(cost, percent)
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{Cached, Roofs};

    fn steady(seconds: f64) -> Times {
        Times::of(vec![seconds; 12]).unwrap()
    }

    /// A recorded benchmark with times of our own for the roofs.
    fn lines(kernel: f64, copy: f64, cached: f64) -> String {
        let mut report = BenchReport::parse(include_str!("../../../tests/data/bench/h200.json")).unwrap();
        let gpu = report.gpu.as_mut().unwrap();
        let few = Cached {
            rows: 1_935_616,
            times: steady(cached),
        };
        let roofs = Roofs::of(1 << 28, &steady(kernel), &steady(copy), &steady(2.5e-6), few);
        gpu.roofs = roofs.map_err(|e| Missing::from(&e));
        let found = device(&report).into_iter().skip(1).map(|(_, text)| text);
        found
            .take_while(|text| !text.starts_with("one launch"))
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn the_roofline_names_the_lower_roof() {
        let all = [
            lines(1.0525e-3, 1.0025e-3, 5.5e-6),
            lines(3.0025e-3, 1.0025e-3, 22.5e-6),
            lines(3.0025e-3, 1.0025e-3, 5.5e-6),
            lines(1.0525e-3, 1.0025e-3, 2.5e-6),
        ];
        insta::assert_snapshot!(all.join("\n\n"));
    }

    #[test]
    fn an_older_result_has_no_roof_of_arithmetic() {
        let report = BenchReport::parse(include_str!("../../../tests/data/bench/h200.json")).unwrap();
        let text: Vec<String> = device(&report).into_iter().map(|(_, text)| text).collect();
        assert!(
            text.iter().any(|l| l.contains("older than its measurement")),
            "{text:?}"
        );
        let again = serde_json::to_string(&report).unwrap();
        assert_eq!(BenchReport::parse(&again).unwrap(), report);
    }
}
