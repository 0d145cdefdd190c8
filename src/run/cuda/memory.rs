//! Whether a kernel keeps to its memory. In: a kernel's text and rows; out: live bytes of the device before and after many calls, and
//! what compute-sanitizer's memcheck says, at the kernel's lines. The sanitizer runs a worker of its own: it slows every access down.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::FILE;
use super::server::{COMPILE_LIMIT, Kind, START_LIMIT, Server, program, with_columns};
use crate::error::{Error, Result};
use crate::run::worker::{Launch, Lost, Worker};
use crate::run::{Cancel, Finding};
use arrow::array::RecordBatch;
use arrow::datatypes::DataType;

/// Calls between the two looks at the device's memory.
pub(super) const CALLS: u64 = 100;
/// Rows that run under the sanitizer; the edges come first.
const ROWS: usize = 1 << 14;
/// Accesses that it reports at most.
const REPORTED: usize = 20;
/// How long it may take.
const LIMIT: Duration = Duration::from_secs(180);
/// The sanitizer's name.
const SANITIZER: &str = "compute-sanitizer";

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Live bytes of the device before and after the calls.
    pub live: (u64, u64),
    /// Rows that ran under the sanitizer, and what it reported; or why it did not run.
    pub sanitizer: std::result::Result<(usize, Vec<Finding>), String>,
}

impl Memory {
    /// As evidence.
    pub fn facts(&self) -> BTreeMap<String, String> {
        let (before, after) = self.live;
        let sanitizer = match &self.sanitizer {
            Ok((rows, found)) if found.is_empty() => format!("memcheck reports nothing in {rows} rows"),
            Ok((rows, found)) => format!("memcheck reports {} accesses in {rows} rows", found.len()),
            Err(why) => format!("not run: {why}"),
        };
        BTreeMap::from([
            (
                "device memory".to_owned(),
                format!("{before} bytes live before and {after} after {CALLS} calls"),
            ),
            (SANITIZER.to_owned(), sanitizer),
        ])
    }

    /// As findings.
    pub fn findings(&self) -> Vec<Finding> {
        let (before, after) = self.live;
        let kept = after.saturating_sub(before);
        let leak = (kept > 0).then(|| Finding {
            id: "device-memory".into(),
            message: format!("{kept} bytes more of the device's memory are live after {CALLS} calls"),
            line: None,
        });
        let reported = self.sanitizer.iter().flat_map(|(_, found)| found.clone());
        leak.into_iter().chain(reported).collect()
    }
}

/// Looks at a kernel over rows.
pub fn memory(
    text: &str,
    result: Option<&DataType>,
    rows: &RecordBatch,
    device: u32,
    cancel: &Cancel,
) -> Result<Memory> {
    let rows = rows.slice(0, rows.num_rows().min(ROWS));
    let live = Server::of(Kind::Device(device)).call(
        "calling the kernel over and over",
        LIMIT,
        cancel,
        |base| with_columns("memory", text, result, &rows, base),
        |reply, _| {
            let bytes = |key: &str| {
                reply[key]
                    .as_u64()
                    .ok_or_else(|| Error::internal(format!("the worker's reply has no `{key}`")))
            };
            Ok((bytes("before")?, bytes("after")?))
        },
    )?;
    let sanitizer = match sanitizer() {
        None => Err(format!(
            "{SANITIZER} is not on PATH and not in CUDA_HOME; it comes with the CUDA toolkit"
        )),
        Some(path) => match sanitized(&path, text, result, &rows, device, cancel) {
            Ok(found) => Ok((rows.num_rows(), found)),
            Err(e) if e.kind.ends_all() => return Err(e),
            Err(e) => Err(e.to_string()),
        },
    };
    Ok(Memory { live, sanitizer })
}

/// The sanitizer of this machine.
fn sanitizer() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join(SANITIZER));
    let homes = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os);
    let homes = homes.map(PathBuf::from).chain([PathBuf::from("/usr/local/cuda")]);
    let in_homes = homes.map(|home| home.join("bin").join(SANITIZER));
    on_path.chain(in_homes).find(|p| p.is_file())
}

/// Runs the kernel in a worker under the sanitizer and reads its log when both have ended.
fn sanitized(
    sanitizer: &Path,
    text: &str,
    result: Option<&DataType>,
    rows: &RecordBatch,
    device: u32,
    cancel: &Cancel,
) -> Result<Vec<Finding>> {
    const LOG: &str = "memcheck.log";
    let reported = REPORTED.to_string();
    let own = program()?;
    let tool = ["--tool", "memcheck", "--print-limit", &reported, "--log-file", LOG];
    let mut args: Vec<std::ffi::OsString> = tool.map(Into::into).into();
    args.push(own.into());
    args.extend(Kind::Device(device).args().into_iter().map(Into::into));
    let launch = Launch {
        name: "the GPU worker under compute-sanitizer".into(),
        program: sanitizer.to_owned(),
        args,
        start_limit: START_LIMIT + COMPILE_LIMIT,
        environment: Vec::new(),
    };
    let mut worker = Worker::start(&launch, cancel)?;
    let base = worker.folder().join("1");
    let answered = worker.call(with_columns("run", text, result, rows, &base)?, LIMIT, cancel);
    // A kernel that was stopped for what it did has no outcome; the log says what that was.
    if let Err(lost @ (Lost::Cancelled | Lost::TimedOut(_))) = &answered {
        return Err(worker.explain("running the kernel under compute-sanitizer", lost));
    }
    worker.finish(Duration::from_secs(20));
    let log = std::fs::read_to_string(worker.folder().join(LOG));
    let log = log.map_err(|e| Error::not_proven(format!("{SANITIZER} left no log")).because(e))?;
    let found = reports(&log);
    match answered {
        Ok(reply) if reply["ok"] != true && found.is_empty() => Err(Error::not_proven(
            reply["what"].as_str().unwrap_or("the kernel did not run").to_owned(),
        )),
        _ => Ok(found),
    }
}

/// What a log of memcheck reports of a kernel: what was done, in which thread, at which line of the text.
fn reports(log: &str) -> Vec<Finding> {
    let mut out: Vec<Finding> = Vec::new();
    let mut open: Option<Finding> = None;
    let lines = log.lines().filter_map(|l| l.strip_prefix("========="));
    for line in lines {
        let body = line.trim();
        let heads = body.starts_with("Invalid") || body.starts_with("Misaligned") || body.contains(" leaked ");
        if !line.starts_with("     ") {
            out.extend(open.take());
            open = heads.then(|| Finding {
                id: "memcheck".into(),
                message: body.to_owned(),
                line: None,
            });
        } else if let Some(found) = &mut open {
            detail(found, body);
        }
    }
    out.extend(open);
    // Threads of one warp that do the same at the same line are one finding.
    let mut seen = std::collections::HashSet::new();
    let what = |f: &Finding| (f.message.split(", by thread").next().map(str::to_owned), f.line);
    out.retain(|f| seen.insert(what(f)));
    out
}

/// Adds what an indented line of a report says.
fn detail(found: &mut Finding, body: &str) {
    if let Some((_, place)) = body.split_once(&format!("{FILE}:"))
        && found.line.is_none()
    {
        let digits: String = place.chars().take_while(char::is_ascii_digit).collect();
        found.line = digits.parse().ok();
    } else if body.starts_with("by thread")
        || body.starts_with("A") && body.ends_with("is out of bounds")
        || body.starts_with("and is")
    {
        found.message.push_str(if body.starts_with("and") { " " } else { ", " });
        found.message.push_str(body);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As compute-sanitizer 2025.3 writes it.
    const LOG: &str = "\
========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 8 bytes
=========     at k+0x150 in candidate.cu:7
=========     by thread (31,0,0) in block (2,0,0)
=========     Address 0x7f2a80000208 is out of bounds
=========     and is 9 bytes after the nearest allocation at 0x7f2a80000200 of size 8 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: cuLaunchKernel [0x2f0d4f] in libcuda.so.1
========= 
========= Invalid __global__ write of size 8 bytes
=========     at k+0x150 in candidate.cu:7
=========     by thread (32,0,0) in block (2,0,0)
=========     Address 0x7f2a80000210 is out of bounds
========= 
========= Program hit CUDA_ERROR_LAUNCH_FAILED (error 719) due to \"unspecified launch failure\" on CUDA API call to cuMemcpyDtoH_v2.
=========     Saved host backtrace up to driver entry point at error
========= ERROR SUMMARY: 3 errors
";

    #[test]
    fn a_report_points_at_the_kernels_line() {
        let found = reports(LOG);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].line, Some(7));
        assert!(
            found[0]
                .message
                .starts_with("Invalid __global__ write of size 8 bytes, by thread (31,0,0)")
        );
        assert!(found[0].message.contains("is out of bounds and is 9 bytes after"));
        assert_eq!(
            reports("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"),
            []
        );
    }

    #[test]
    fn what_was_found_is_evidence_and_findings() {
        let memory = Memory {
            live: (1000, 1512),
            sanitizer: Ok((64, reports(LOG))),
        };
        assert_eq!(memory.facts()[SANITIZER], "memcheck reports 1 accesses in 64 rows");
        let ids: Vec<String> = memory.findings().into_iter().map(|f| f.id).collect();
        assert_eq!(ids, ["device-memory", "memcheck"]);
        let clean = Memory {
            live: (1000, 1000),
            sanitizer: Err("it is not here".into()),
        };
        assert_eq!(clean.findings(), []);
        assert_eq!(clean.facts()[SANITIZER], "not run: it is not here");
    }
}
