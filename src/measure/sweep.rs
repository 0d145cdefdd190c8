//! The same benchmark over sizes. In: a report at one size; out: points from a thousand rows on, with what each size takes on the
//! device and on the CPU.

use arrow::array::RecordBatch;

use super::{Ask, SWEEP_ROWS, Subject, cpu, is_fatal, kernel};
use crate::bench::{BenchReport, GpuLane, Interval, Plan, Point, Sweep, Times, sizes};
use crate::error::Result;
use crate::run::Cancel;
use crate::run::cuda::Beside;

/// When to stop at one size.
const SHORT: Plan = Plan {
    least: 10,
    most: 60,
    seconds: 0.3,
    narrow: 0.01,
    most_warm_up: 20,
    warm_up_seconds: 0.2,
};

/// Goes through the sizes.
pub(super) fn all(
    subject: &Subject,
    ask: &Ask,
    tile: &RecordBatch,
    report: &BenchReport,
    cancel: &Cancel,
) -> Result<Sweep> {
    let best = report.best_cpu().map(|(lane, times)| (lane.clone(), times.clone()));
    let mut points = Vec::new();
    for rows in sizes(ask.rows.max(SWEEP_ROWS)) {
        cancel.check()?;
        let mut point = Point {
            rows,
            kernel: None,
            with_transfers: None,
            cpu: None,
            share_of_copy: None,
            cpu_scaled: false,
            missing: None,
        };
        if let Some((lane, times)) = &best {
            point.cpu_scaled = rows > lane.rows;
            point.cpu = match usize::try_from(rows).ok().filter(|n| *n < tile.num_rows()) {
                Some(n) => at_size(cpu::again(subject, &lane.id, &tile.slice(0, n), cancel))?,
                None => Some(times.seconds.scaled(rows as f64 / lane.rows as f64)),
            };
        }
        match &report.gpu {
            // The size of the whole report was timed already, and for longer.
            Ok(lane) if rows == report.rows => fill(&mut point, lane),
            Ok(_) => match kernel(subject, tile, rows, SHORT, Beside::Nobody, cancel) {
                Ok(timed) => fill(&mut point, &timed.lane),
                Err(e) if is_fatal(&e) => return Err(e),
                Err(e) => point.missing = Some(e.to_string()),
            },
            Err(_) => point.missing = Some("there is no time of the kernel".into()),
        }
        points.push(point);
    }
    Ok(Sweep::of(best.map(|(lane, _)| lane.name), points))
}

/// A size at which the CPU fails has no time of it.
fn at_size(times: Result<Times>) -> Result<Option<Interval>> {
    match times {
        Ok(times) => Ok(Some(times.seconds)),
        Err(e) if e.kind.ends_all() => Err(e),
        Err(_) => Ok(None),
    }
}

fn fill(point: &mut Point, lane: &GpuLane) {
    point.kernel = Some(lane.cold.seconds);
    point.share_of_copy = lane.bandwidth.as_ref().ok().map(|b| b.share_of_copy.median);
    point.with_transfers = lane.transfers.as_ref().ok().map(|t| {
        let moved = t.seconds(lane.traffic.read_bytes as f64, lane.traffic.written_bytes as f64);
        lane.cold.seconds.plus(moved)
    });
}
