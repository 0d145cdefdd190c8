//! What may be said about time. In: samples from a [`Timer`]; out: medians with intervals, claims as far as these allow,
//! warnings, and one [`BenchReport`]. Never looks at a clock, runs nothing itself, and never turns a failed lane into a number.

mod claim;
mod compared;
mod job;
mod report;
mod roofs;
mod sampler;
mod stats;
mod sweep;
mod traffic;
mod tuned;
mod warnings;

pub use claim::{Claim, Claimed, SAME_BAND, claim, claims, speed_up};
pub use compared::{Compared, against};
pub use job::{Job, JobInputs, job};
pub use report::{
    BENCH_FORMAT, BenchReport, Clocks, Compile, CpuLane, GpuLane, Missing, Reference, Rival, Transfers, Verified,
};
pub use roofs::{Bound, Cached, Roofs, cached_rows};
pub use sampler::{Both, Lane, Plan, Sample, Timer, sample};
pub use stats::{Interval, Times};
pub use sweep::{Point, Sweep, crossover, sizes};
pub use traffic::{Bandwidth, Traffic, bandwidth};
pub use tuned::{Try, Tuned, search};
pub use warnings::{Warning, warnings};
