//! Kernels compiled for a device. In: a text and the device's architecture; out: machine code with what its compiler says of
//! registers and spills, from the cache where the same text was compiled before. Needs no device.

use std::ffi::{CStr, CString, c_char};
use std::path::Path;

use cudarc::nvrtc::{result, sys};
use serde::{Deserialize, Serialize};

use super::super::params::{at, does_not_compile, first_line};
use super::super::{FILE, cache};
use super::library::Nvrtc;
use crate::error::{Error, Result};
use crate::propose::cuda::HEADERS;

/// The architecture where no device says another: an H100's or H200's.
pub(super) const USUAL: &str = "sm_90";
/// Nothing that changes a floating-point result.
const FLAGS: &[&str] = &[
    "--std=c++17",
    "--fmad=false",
    "--device-int128",
    "--generate-line-info",
    "--ptxas-options=-v",
];

/// What the compiler says of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Usage {
    /// Registers per thread.
    pub registers: Option<u32>,
    /// Bytes written because registers were short.
    pub spill_stores: Option<u32>,
    /// Bytes read back.
    pub spill_loads: Option<u32>,
    /// Bytes of a thread's own memory.
    pub stack: Option<u32>,
}

/// A kernel as machine code.
pub(super) struct Compiled {
    /// The code.
    pub cubin: Vec<u8>,
    /// What it uses.
    pub usage: Usage,
    /// Whether it was made before.
    pub cached: bool,
}

/// A loaded compiler.
pub(super) struct Compiler {
    version: (i32, i32),
    by: String,
}

impl Compiler {
    /// Loads the compiler that fits a driver's version best; says what is missing.
    pub fn load(driver_major: Option<u32>) -> Result<Compiler> {
        let found = Nvrtc::find(driver_major);
        if let Some(found) = &found {
            found.load()?;
        }
        // SAFETY: looking for a library runs its constructors only; without one the first call would panic.
        if !unsafe { sys::is_culib_present() } {
            return Err(
                Error::not_proven("NVRTC, the compiler of CUDA kernels, is not on this machine")
                    .hint("`rewright setup cuda` gets it, in the cache; it needs no GPU")
                    .hint("or set CUDA_HOME to a CUDA toolkit"),
            );
        }
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both point to numbers that live long enough.
        let answered = unsafe { sys::nvrtcVersion(&mut major, &mut minor) }.result();
        answered.map_err(|e| Error::not_proven("NVRTC does not answer").because(e))?;
        Ok(Compiler {
            version: (major, minor),
            by: found.map_or("the loader".into(), |f| f.by),
        })
    }

    /// `13.0`.
    pub fn version(&self) -> String {
        format!("{}.{}", self.version.0, self.version.1)
    }

    /// CUDA's major version.
    pub fn major(&self) -> u32 {
        self.version.0 as u32
    }

    /// What named it.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// Compiles a text for an architecture such as `sm_90`.
    pub fn compile(&self, text: &str, architecture: &str) -> Result<Compiled> {
        let key = self.key(text, architecture);
        let places = cache::place("cuda", &key, "cubin").zip(cache::place("cuda", &key, "json"));
        if let Some((code, facts)) = &places
            && let Some(found) = read(code, facts)
        {
            return Ok(found);
        }
        let (cubin, log) = compile(text, architecture)?;
        let made = Compiled {
            cubin,
            usage: usage(&log),
            cached: false,
        };
        if let Some((code, facts)) = &places {
            // A cache that cannot be written costs time only.
            let _ = write(&made, code, facts);
        }
        Ok(made)
    }

    fn key(&self, text: &str, architecture: &str) -> String {
        cache::name(text, FLAGS, &[self.version().as_bytes(), architecture.as_bytes()])
    }
}

fn read(code: &Path, facts: &Path) -> Option<Compiled> {
    let usage = serde_json::from_slice(&std::fs::read(facts).ok()?).ok()?;
    Some(Compiled {
        cubin: std::fs::read(code).ok()?,
        usage,
        cached: true,
    })
}

fn write(made: &Compiled, code: &Path, facts: &Path) -> std::io::Result<()> {
    let dir = tempfile::tempdir()?;
    let (a, b) = (dir.path().join("code"), dir.path().join("facts"));
    std::fs::write(&a, &made.cubin)?;
    std::fs::write(&b, serde_json::to_vec(&made.usage)?)?;
    cache::keep(&a, code)?;
    cache::keep(&b, facts)
}

/// A program of NVRTC; it goes when it is dropped.
struct Program(sys::nvrtcProgram);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: made by nvrtcCreateProgram and dropped once.
        let _ = unsafe { result::destroy_program(self.0) };
    }
}

fn compile(text: &str, architecture: &str) -> Result<(Vec<u8>, String)> {
    let failed = |e: &dyn std::fmt::Display| Error::not_proven("NVRTC cannot compile the kernel").because(e);
    let zero = |text: &str| CString::new(text).map_err(|_| at((1, 1), "the kernel's text holds a zero byte"));
    let (source, name) = (zero(text)?, zero(FILE)?);
    let names: Vec<CString> = HEADERS.iter().map(|(n, _)| zero(n)).collect::<Result<_>>()?;
    let texts: Vec<CString> = HEADERS.iter().map(|(_, t)| zero(t)).collect::<Result<_>>()?;
    let pointers = |all: &[CString]| all.iter().map(|c| c.as_ptr()).collect::<Vec<*const c_char>>();
    let (name_pointers, text_pointers) = (pointers(&names), pointers(&texts));
    let mut raw = std::ptr::null_mut();
    // SAFETY: every pointer is to a text that ends with a zero byte and lives until the program is dropped below.
    let made = unsafe {
        sys::nvrtcCreateProgram(
            &mut raw,
            source.as_ptr(),
            name.as_ptr(),
            HEADERS.len() as i32,
            text_pointers.as_ptr(),
            name_pointers.as_ptr(),
        )
    };
    made.result().map_err(|e| failed(&e))?;
    let program = Program(raw);
    let mut options: Vec<String> = FLAGS.iter().map(|f| (*f).to_owned()).collect();
    options.push(format!("--gpu-architecture={architecture}"));
    // SAFETY: the program is alive; the options are copied by the call.
    let compiled = unsafe { result::compile_program(program.0, &options) };
    // SAFETY: as above; the log ends with a zero byte.
    let log = unsafe { result::get_program_log(program.0) }.map_err(|e| failed(&e))?;
    let log = text_of(&log);
    match compiled {
        Ok(()) => {}
        Err(e) if e.0 == sys::nvrtcResult::NVRTC_ERROR_COMPILATION => return Err(message(&log, text)),
        Err(e) => return Err(failed(&e).because(log.lines().next().unwrap_or_default())),
    }
    let mut size = 0;
    // SAFETY: the size is written to a number that lives long enough.
    unsafe { sys::nvrtcGetCUBINSize(program.0, &mut size) }
        .result()
        .map_err(|e| failed(&e))?;
    let mut cubin = vec![0_u8; size];
    // SAFETY: the buffer has the size that was asked for.
    unsafe { sys::nvrtcGetCUBIN(program.0, cubin.as_mut_ptr().cast()) }
        .result()
        .map_err(|e| failed(&e))?;
    Ok((cubin, log))
}

fn text_of(log: &[c_char]) -> String {
    let bytes: Vec<u8> = log.iter().map(|c| *c as u8).collect();
    let text = CStr::from_bytes_until_nul(&bytes).map(|c| c.to_string_lossy().into_owned());
    text.unwrap_or_else(|_| String::from_utf8_lossy(&bytes).into_owned())
}

/// The first error of NVRTC, at the candidate's line and the column of its caret.
fn message(log: &str, text: &str) -> Error {
    let lines: Vec<&str> = log.lines().collect();
    let mut first: Option<String> = None;
    for (i, line) in lines.iter().enumerate() {
        let Some((place, what)) = line.split_once("): error: ") else {
            continue;
        };
        let Some((file, number)) = place.rsplit_once('(') else {
            continue;
        };
        let Ok(number) = number.parse::<u32>() else { continue };
        if file == FILE {
            let column = column(lines.get(i + 1), lines.get(i + 2), text, number);
            return does_not_compile((number, column), what);
        }
        first.get_or_insert_with(|| format!("{what} (in {file}, line {number})"));
    }
    let what = first.unwrap_or_else(|| first_line(log));
    // An error inside of a header is led to by the first line that mentions the candidate.
    let led = lines.iter().find_map(|l| {
        let (_, rest) = l.split_once("at line ")?;
        let (number, rest) = rest.split_once(' ')?;
        rest.starts_with(&format!("of {FILE}"))
            .then(|| number.parse::<u32>().ok())
            .flatten()
    });
    does_not_compile((led.unwrap_or(1), 1), &what)
}

/// The column that a caret points to: the line is shown indented in its own way.
fn column(shown: Option<&&str>, caret: Option<&&str>, text: &str, line: u32) -> u32 {
    let own = text.lines().nth(line as usize - 1).unwrap_or_default();
    let place = || {
        let (shown, caret) = (shown?, caret?.find('^')?);
        let indent = shown.find(shown.trim_start())?;
        let own_indent = own.find(own.trim_start())?;
        Some((caret.checked_sub(indent)? + own_indent) as u32 + 1)
    };
    place().unwrap_or(1)
}

/// What `ptxas -v` says.
fn usage(log: &str) -> Usage {
    let number = |before: &str, after: &str| -> Option<u32> {
        let (head, _) = log.split_once(after)?;
        let digits = head.trim_end().rsplit(|c: char| !c.is_ascii_digit()).next()?;
        let rest = head.trim_end().strip_suffix(digits)?;
        rest.trim_end().ends_with(before).then(|| digits.parse().ok()).flatten()
    };
    Usage {
        registers: number("Used", " registers"),
        spill_stores: number(",", " bytes spill stores"),
        spill_loads: number(",", " bytes spill loads"),
        stack: number("", " bytes stack frame"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_point_at_the_candidate() {
        let text = "a\n  rw::Row cx; int q = nope;\n";
        let log = "candidate.cu(2): error: identifier \"nope\" is undefined\n    rw::Row cx; int q = nope;\n                        ^\n\n1 error\n";
        let error = message(log, text);
        assert_eq!(error.location.as_ref().map(|l| (l.line, l.column)), Some((2, 23)));
        assert!(error.what.ends_with("identifier \"nope\" is undefined"));
        let log = "rw_arith.cuh(12): error: no instance\n  detected during instantiation at line 2 of candidate.cu\n";
        assert_eq!(message(log, text).location.map(|l| l.line), Some(2));
    }

    #[test]
    fn registers_and_spills_are_read_from_the_log() {
        let log = "ptxas info    : 0 bytes gmem\nptxas info    : Function properties for k\n\
                   ptxas         .     544 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n\
                   ptxas info    : Used 27 registers, used 0 barriers, 544 bytes cumulative stack size\n";
        let found = usage(log);
        assert_eq!(
            (found.registers, found.spill_stores, found.spill_loads, found.stack),
            (Some(27), Some(8), Some(12), Some(544))
        );
        assert_eq!(usage(""), Usage::default());
    }
}
