//! The C++ compiler of this machine. In: a kernel's text; out: a library to load, from the cache where the same text was
//! built before. Messages of the compiler point at the candidate's line. Runs nothing of what it builds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::super::params::{does_not_compile, first_line};
use super::super::{FILE, cache};
use crate::error::{Error, Result};
use crate::propose::cuda::HEADERS;

/// What makes a host compiler take a kernel.
const SHIM: &str = include_str!("../../../../kernels/rw_host.h");
const SHIM_NAME: &str = "rw_host.h";
/// The function through which a library is called.
pub(super) const LAUNCH: &str = "rewright_launch";
/// Nothing that changes a floating-point result, and integers as the device has them.
const FLAGS: &[&str] = &[
    "-std=gnu++17",
    "-O1",
    "-shared",
    "-fPIC",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-fast-math",
    "-fvisibility=hidden",
    "-w",
];

/// A compiler that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// The program.
    pub program: PathBuf,
    /// What it says about itself: `g++ (Debian 12.2.0-14) 12.2.0`.
    pub version: String,
}

impl Compiler {
    /// The program that would be used: `CXX`, else the first of `c++`, `g++` and `clang++` on `PATH`. Starts nothing.
    pub fn program() -> Option<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let on_path = |name: &Path| std::env::split_paths(&path).map(|d| d.join(name)).find(|p| p.is_file());
        let own = std::env::var_os("CXX").filter(|v| !v.is_empty()).map(PathBuf::from);
        if let Some(own) = own {
            return if own.is_absolute() {
                own.is_file().then_some(own)
            } else {
                on_path(&own)
            };
        }
        ["c++", "g++", "clang++"].iter().find_map(|n| on_path(Path::new(n)))
    }

    /// The same, or what to do where there is none.
    pub(in super::super) fn present() -> Result<PathBuf> {
        Compiler::program().ok_or_else(none)
    }

    /// Finds it and asks for its version.
    pub fn find() -> Result<Compiler> {
        let program = Compiler::present()?;
        let out = Command::new(&program)
            .arg("--version")
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .output()
            .map_err(|e| none().because(format!("{}: {e}", program.display())))?;
        let text = String::from_utf8_lossy(&out.stdout);
        let version = text.lines().next().unwrap_or("of unknown version").trim().to_owned();
        Ok(Compiler { program, version })
    }

    /// Builds a kernel, or finds it built. `folder` is for the files of the build.
    pub(super) fn build(&self, text: &str, entry: &str, folder: &Path) -> Result<PathBuf> {
        let cached = cache::place("cuda-host", &self.key(text), "so");
        if let Some(found) = cached.as_ref().filter(|p| p.is_file()) {
            return Ok(found.clone());
        }
        let failed =
            |e: &dyn std::fmt::Display| Error::not_proven("the kernel cannot be built for the host").because(e);
        let dir = tempfile::Builder::new()
            .prefix("kernel-")
            .tempdir_in(folder)
            .map_err(|e| failed(&e))?;
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).map_err(|e| failed(&e));
        for (name, text) in HEADERS.iter().chain(&[(SHIM_NAME, SHIM)]) {
            write(name, text)?;
        }
        write("unit.cpp", &unit(text, entry))?;
        let out = Command::new(&self.program)
            .args(FLAGS)
            .args(["-o", "kernel.so", "unit.cpp"])
            .current_dir(dir.path())
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .output()
            .map_err(|e| failed(&e))?;
        if !out.status.success() {
            return Err(message(&String::from_utf8_lossy(&out.stderr)));
        }
        let built = dir.path().join("kernel.so");
        let to = match cached {
            Some(place) if cache::keep(&built, &place).is_ok() => return Ok(place),
            // Without a cache it stays for as long as the worker lives.
            _ => folder.join(format!("kernel-{}.so", self.key(text))),
        };
        std::fs::rename(&built, &to).map_err(|e| failed(&e))?;
        Ok(to)
    }

    fn key(&self, text: &str) -> String {
        let program = self.program.as_os_str().as_encoded_bytes();
        let made_with = [
            SHIM.as_bytes(),
            program,
            self.version.as_bytes(),
            std::env::consts::ARCH.as_bytes(),
        ];
        cache::name(text, FLAGS, &made_with)
    }

    /// The flags, for the evidence.
    pub(super) fn flags() -> String {
        FLAGS.join(" ")
    }
}

fn none() -> Error {
    Error::not_proven("no C++ compiler is on PATH, which the cuda-host engine needs")
        .hint("on Debian and Ubuntu: apt install g++; or set CXX to a compiler")
}

/// The candidate between the shim and the function that calls it, each line with its own number.
fn unit(text: &str, entry: &str) -> String {
    format!(
        "#include \"{SHIM_NAME}\"\n#line 1 \"{FILE}\"\n{text}\n#line 1 \"launch\"\n\
         extern \"C\" __attribute__((visibility(\"default\"))) void {LAUNCH}(void** args, long long blocks, unsigned threads) {{\n  \
         rewright_launch_all({entry}, args, blocks, threads);\n}}\n"
    )
}

/// The first error of the compiler, at the candidate's line. An error inside of a header is shown where the candidate led to it.
fn message(said: &str) -> Error {
    let (mut first, mut led): (Option<String>, Option<(u32, u32)>) = (None, None);
    for line in said.lines() {
        let Some((file, place, rest)) = split(line) else {
            continue;
        };
        if let Some(what) = rest
            .strip_prefix("error: ")
            .or_else(|| rest.strip_prefix("fatal error: "))
        {
            if file == FILE && first.is_none() {
                return does_not_compile(place, what);
            }
            first.get_or_insert_with(|| format!("{what} (in {file}, line {})", place.0));
        }
        if file == FILE {
            led.get_or_insert(place);
        }
        if let (Some(what), Some(place)) = (&first, led) {
            return does_not_compile(place, what);
        }
    }
    let what = first.unwrap_or_else(|| first_line(said));
    does_not_compile((1, 1), &what)
}

/// `file:line:column: rest`; also `In file included from …`, whose rest is empty.
fn split(line: &str) -> Option<(&str, (u32, u32), &str)> {
    let line = line
        .trim_start()
        .trim_start_matches("In file included from ")
        .trim_start_matches("from ");
    let (file, rest) = line.split_once(':')?;
    let (number, rest) = rest.split_once([':', ','])?;
    let number = number.trim().parse().ok()?;
    let (column, rest) = match rest.split_once(':') {
        Some((column, rest)) if column.trim().parse::<u32>().is_ok() => (column.trim().parse().ok()?, rest),
        _ => (1, rest),
    };
    Some((file, (number, column), rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_point_at_the_candidate() {
        let said =
            "candidate.cu: In function 'void f()':\ncandidate.cu:7:3: error: 'g' was not declared in this scope\n";
        let error = message(said);
        assert_eq!(error.location.as_ref().map(|l| (l.line, l.column)), Some((7, 3)));
        assert!(error.what.contains("'g' was not declared"));
        let said = "rw_text.cuh: In instantiation of 'T rw::x(T)':\nrw_arith.cuh:9:1: error: no match\n\
                    candidate.cu:5:12:   required from here\n";
        let error = message(said);
        assert_eq!(error.location.as_ref().map(|l| l.line), Some(5));
        assert!(error.what.contains("rw_arith.cuh"), "{}", error.what);
        assert!(
            message("c++: internal compiler error")
                .what
                .contains("internal compiler error")
        );
    }

    #[test]
    fn the_text_keeps_its_lines() {
        let all = unit("a\nb", "k");
        let lines: Vec<&str> = all.lines().collect();
        assert_eq!(lines[1], "#line 1 \"candidate.cu\"");
        assert_eq!(&lines[2..4], ["a", "b"]);
    }
}
