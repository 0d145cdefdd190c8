//! What a benchmark came to, as a value that is printed, recorded and compared with later ones. Every part that could not be
//! measured says why and what to try.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::claim::Claimed;
use super::compared::Compared;
use super::job::Job;
use super::roofs::Roofs;
use super::stats::{Interval, Times};
use super::sweep::Sweep;
use super::traffic::{Bandwidth, Traffic};
use super::tuned::Tuned;
use super::warnings::Warning;
use crate::compare::Verdict;
use crate::error::{Error, Result};
use crate::propose::Tier;

/// Version of this structure; grows when a field changes its meaning or goes.
pub const BENCH_FORMAT: u32 = 1;

/// Why something has no numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// Why.
    pub why: String,
    /// What to try.
    pub hints: Vec<String>,
}

impl Missing {
    /// Without anything to try.
    pub fn because(why: impl Into<String>) -> Missing {
        Missing {
            why: why.into(),
            hints: Vec::new(),
        }
    }
}

impl From<&Error> for Missing {
    fn from(e: &Error) -> Missing {
        Missing {
            why: e.to_string(),
            hints: e.hints.clone(),
        }
    }
}

/// How a copy of the same bytes was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// `driver` for the driver's own copy, `kernel` for a kernel that reads and writes as many bytes.
    pub by: String,
    /// Its times.
    pub times: Times,
}

/// Moving columns between host and device, apart from every kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Transfers {
    /// Bytes that were moved for it, each way, from and to page-locked memory.
    pub bytes: u64,
    /// To the device.
    pub to_device: Times,
    /// To the host.
    pub to_host: Times,
}

impl Transfers {
    /// Seconds that moving so many bytes each way would take.
    pub fn seconds(&self, to_device: f64, to_host: f64) -> Interval {
        let part = |times: &Times, bytes: f64| times.seconds.scaled(bytes / self.bytes as f64);
        part(&self.to_device, to_device).plus(part(&self.to_host, to_host))
    }
}

/// Making machine code of the kernel, apart from every run of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compile {
    /// What it took.
    pub seconds: f64,
    /// Whether the code was made before and only read from the cache.
    pub cached: bool,
}

/// The clocks while samples were taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clocks {
    /// Of the multiprocessors in MHz: lowest, highest, and the highest that there is.
    pub core_mhz: (u32, u32, u32),
    /// Of the memory in MHz, likewise.
    pub memory_mhz: (u32, u32, u32),
    /// Highest temperature in °C.
    pub celsius: u32,
    /// Highest power in W.
    pub watts: u32,
    /// Why clocks were lowered, in words, if they were.
    pub reasons: Vec<String>,
}

/// What the kernel took on the device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GpuLane {
    /// Name, driver, clocks, memory, compiler.
    pub facts: BTreeMap<String, String>,
    /// The kernel, L2 written over before each sample.
    pub cold: Times,
    /// The kernel right after itself.
    pub warm: Times,
    /// The copy that its bandwidth is a share of.
    pub copy: Reference,
    /// An empty kernel: the least that a launch takes.
    pub empty: Times,
    /// Launches of one evaluation.
    pub launches: u32,
    /// Bytes of its columns.
    pub traffic: Traffic,
    /// Of the cold kernel; why not, where it cannot be believed.
    #[serde(with = "measured")]
    pub bandwidth: Result<Bandwidth, Missing>,
    /// What memory and arithmetic allow, and which of them bounds the kernel.
    #[serde(default = "older", with = "measured")]
    pub roofs: Result<Roofs, Missing>,
    /// To and from the host.
    #[serde(with = "measured")]
    pub transfers: Result<Transfers, Missing>,
    /// Compile time.
    pub compile: Compile,
    /// Clocks, or why they are not known.
    #[serde(with = "measured")]
    pub clocks: Result<Clocks, Missing>,
    /// Bytes of the L2 cache and bytes that are written to flush it.
    pub l2_bytes: (u64, u64),
}

/// What an earlier version did not measure.
fn older<T>() -> Result<T, Missing> {
    Err(Missing::because("this result is older than its measurement"))
}

/// Another rewrite for the same device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rival {
    /// What it is.
    pub name: String,
    /// What it took.
    #[serde(with = "measured")]
    pub times: Result<Times, Missing>,
    /// What ran it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, String>,
    /// Whether its samples and the kernel's took turns, so that they can be compared pair by pair.
    #[serde(default)]
    pub in_turns: bool,
}

/// A way to run the original on the CPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CpuLane {
    /// `jvm-1`, `jvm-all`, `spark`, `gpu-plan`.
    pub id: String,
    /// In words.
    pub name: String,
    /// Rows that were run; other numbers of rows are scaled from them.
    pub rows: u64,
    /// What they took.
    #[serde(with = "measured")]
    pub times: Result<Times, Missing>,
}

/// What was compared of the output that was timed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verified {
    /// The verdict on the rows that the original was run over.
    pub verdict: Verdict,
    /// How many those are.
    pub rows: u64,
    /// How many of them differ.
    pub different_rows: u64,
    /// Rows that repeat those: all were compared with them, byte by byte.
    pub repeated_rows: u64,
    /// What ran the original.
    pub oracle: String,
    /// What is wrong, if something is.
    pub trouble: Option<String>,
}

impl Verified {
    /// Whether the times are of a kernel that gives what the original gives.
    pub fn holds(&self) -> bool {
        self.trouble.is_none() && self.verdict.holds()
    }
}

/// A benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchReport {
    /// Version of this structure.
    pub format: u32,
    /// Version of the program.
    pub rewright: String,
    /// When, in UTC.
    pub at: String,
    /// The UDF.
    pub udf: String,
    /// Tier of the candidate.
    pub tier: Tier,
    /// Digest of its text.
    pub candidate: String,
    /// Rows on the device.
    pub rows: u64,
    /// Rows that were made up; those on the device repeat them.
    pub made_rows: u64,
    /// Seed of these.
    pub seed: u64,
    /// Share of nulls that was asked for; none if they are as a test makes them.
    pub null_share: Option<f64>,
    /// The device.
    #[serde(with = "measured")]
    pub gpu: Result<GpuLane, Missing>,
    /// Whether what was timed is right.
    pub verified: Option<Verified>,
    /// Other rewrites.
    pub rivals: Vec<Rival>,
    /// The original.
    pub cpu: Vec<CpuLane>,
    /// What may be said.
    pub claims: Vec<Claimed>,
    /// What a reader has to know.
    pub warnings: Vec<Warning>,
    /// Over sizes, if that was asked for.
    pub sweep: Option<Sweep>,
    /// What it means for a job.
    pub job: Option<Job>,
    /// Against an earlier one, if that was asked for.
    pub compared: Option<Compared>,
    /// The search for a faster shape of the kernel, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuned: Option<Tuned>,
}

impl BenchReport {
    /// Reads what an earlier run printed or recorded.
    pub fn parse(text: &str) -> Result<BenchReport> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
            tier: Tier,
        }
        let bad = |e: &dyn std::fmt::Display| Error::input("it holds no benchmark of rewright").because(e);
        let version: Version = serde_json::from_str(text)
            .map_err(|e| bad(&e).hint("`rewright bench FILE --json -o FILE.json` writes one"))?;
        if version.format != BENCH_FORMAT {
            let (theirs, ours) = (version.format, BENCH_FORMAT);
            return Err(bad(&format!(
                "its format is {theirs}, this rewright reads {ours}; tier {}",
                version.tier.name()
            )));
        }
        serde_json::from_str(text).map_err(|e| bad(&e))
    }

    /// The exit code, as the README lists them.
    pub fn exit_code(&self) -> u8 {
        match (&self.gpu, &self.verified) {
            (Err(_), _) | (Ok(_), None) => 3,
            (Ok(_), Some(v)) if v.holds() => 0,
            (Ok(_), Some(v)) if v.trouble.is_some() || v.verdict == Verdict::Different => 1,
            _ => 3,
        }
    }

    /// The fastest way to run the original that was measured.
    pub fn best_cpu(&self) -> Option<(&CpuLane, &Times)> {
        let measured = self
            .cpu
            .iter()
            .filter_map(|lane| Some((lane, lane.times.as_ref().ok()?)));
        let per_row = |(lane, times): &(&CpuLane, &Times)| times.seconds.median / lane.rows as f64;
        measured.min_by(|a, b| per_row(a).total_cmp(&per_row(b)))
    }
}

/// A measurement or its absence, as JSON: `{"measured": …}` or `{"missing": {"why": …, "hints": […]}}`.
pub(super) mod measured {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Missing;

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Form<T, M> {
        Measured(T),
        Missing(M),
    }

    pub fn serialize<T: Serialize, S: Serializer>(value: &Result<T, Missing>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Ok(value) => Form::<&T, &Missing>::Measured(value),
            Err(missing) => Form::Missing(missing),
        }
        .serialize(to)
    }

    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Result<T, Missing>, D::Error> {
        Ok(match Form::<T, Missing>::deserialize(from)? {
            Form::Measured(value) => Ok(value),
            Form::Missing(missing) => Err(missing),
        })
    }
}
