//! `rewright find`: walks files and folders, lists UDFs and what was not understood.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use super::args::FindArgs;
use super::output::Output;
use crate::error::{Error, Result};
use crate::find::{find, worth_a_look};
use crate::report::{JSON_FORMAT, RefusedAt, UdfSummary, found_text, printable};
use crate::source::{Language, Refusal, SourceFile};

/// What one file holds.
#[derive(Debug, Serialize)]
struct FileResult {
    format: u32,
    file: String,
    udfs: Vec<UdfSummary>,
    refused: Vec<RefusedAt>,
    /// Looks like a UDF and is none.
    not_udfs: Vec<RefusedAt>,
    error: Option<String>,
}

impl FileResult {
    fn says_something(&self) -> bool {
        !self.udfs.is_empty() || !self.refused.is_empty() || !self.not_udfs.is_empty() || self.error.is_some()
    }
}

/// Languages that `find` understands.
const LANGUAGES: [Language; 2] = [Language::Scala, Language::Java];

pub(super) fn run(args: &FindArgs, out: &mut Output) -> Result<u8> {
    let mut files = Vec::new();
    for path in &args.paths {
        files.extend(walk(path)?);
    }
    files.sort();
    files.dedup();
    let named = |path: &PathBuf| args.paths.contains(path);
    let results: Vec<FileResult> = files.par_iter().map(|path| look(path, named(path))).collect();
    let mut total = 0;
    let mut unreadable = 0;
    for r in results.iter().filter(|r| r.says_something()) {
        total += r.udfs.len();
        unreadable += usize::from(r.error.is_some());
        if out.is_json() {
            out.object(r);
            continue;
        }
        let (mut refused, mut not_udfs) = (&r.refused[..], &r.not_udfs[..]);
        if out.is_quiet() {
            (refused, not_udfs) = (&[], &[]);
        }
        let text = found_text(&r.udfs, refused, not_udfs, out.paint());
        out.text(&text);
        if let Some(e) = &r.error {
            eprintln!("rewright: {}", printable(e));
        }
    }
    if !out.is_json() && !out.is_quiet() {
        let (f, u) = (plural(results.len(), "file"), plural(total, "UDF"));
        out.text(&format!("{u} in {f}\n"));
    }
    // A named file that cannot be read is an error; one met on the way through a folder is reported and passed over.
    let named = args.paths.iter().filter(|p| p.is_file()).count();
    Ok(if unreadable > 0 && named == args.paths.len() {
        2
    } else {
        0
    })
}

fn plural(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// The source files at or below a path.
fn walk(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return match Language::of_path(path) {
            Some(l) if LANGUAGES.contains(&l) => Ok(vec![path.to_owned()]),
            Some(l) => Err(Error::not_proven(format!(
                "{} is {}, which `find` does not cover yet",
                path.display(),
                l.name()
            ))
            .hint("give Scala or Java files")),
            None => Err(Error::input(format!("cannot tell the language of {}", path.display()))
                .hint("give files that end in .scala or .java, or folders")),
        };
    }
    let mut files = Vec::new();
    for entry in ignore::WalkBuilder::new(path).require_git(false).build() {
        let entry = entry.map_err(|e| Error::input(format!("cannot look into {}", path.display())).because(e))?;
        let wanted = Language::of_path(entry.path()).is_some_and(|l| LANGUAGES.contains(&l));
        if wanted && entry.file_type().is_some_and(|t| t.is_file()) {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// Searches a file; one that was only met on the way through a folder may be passed over by a glance at its words.
fn look(path: &Path, named: bool) -> FileResult {
    let mut result = FileResult {
        format: JSON_FORMAT,
        file: path.display().to_string(),
        udfs: Vec::new(),
        refused: Vec::new(),
        not_udfs: Vec::new(),
        error: None,
    };
    if !named && std::fs::read(path).is_ok_and(|bytes| !worth_a_look(&bytes)) {
        return result;
    }
    match SourceFile::read(path) {
        Ok(file) => {
            let found = find(&file);
            result.udfs = found.udfs.iter().map(|u| UdfSummary::of(&file, u)).collect();
            let listed = |all: &[Refusal]| all.iter().map(|r| RefusedAt::of(&file, r)).collect();
            result.refused = listed(&found.refused);
            result.not_udfs = listed(&found.not_udfs);
        }
        Err(e) => result.error = Some(e.to_string()),
    }
    result
}
