//! The engine `cudf` with the real library on a device: every cuDF proposal of the corpus, and every call that the emulation has, both
//! against what was recorded and cell for cell against the emulation. Runs only where `REWRIGHT_RAPIDS_JAR` names a jar and a GPU is
//! there, and says so otherwise. All differences are printed before anything fails.

#[path = "jvm/mod.rs"]
mod jvm;

#[path = "cudf_vectors/bodies.rs"]
#[allow(dead_code)]
mod bodies;
#[path = "cudf_vectors/cells.rs"]
#[allow(dead_code)]
mod cells;
#[path = "cudf_vectors/questions.rs"]
mod questions;

#[path = "cudf_device/corpus.rs"]
mod corpus;
#[path = "cudf_device/vectors.rs"]
mod vectors;

use arrow::datatypes::DataType;
use rewright::error::Result;
use rewright::run::cuda::has_gpu;
use rewright::run::spark::{JAR_VARIABLE, Kit, Library, LibraryEngine, compile_check};
use rewright::run::{Cancel, Settings};
use rewright::source::Language;

/// Whether this machine has what these tests need; says loudly if not.
fn available() -> bool {
    let reason = match (std::env::var_os(JAR_VARIABLE), has_gpu()) {
        (None, _) => format!("{JAR_VARIABLE} names no jar"),
        (_, false) => "no GPU".to_owned(),
        _ => return jvm::available(),
    };
    eprintln!("SKIPPED, NOT TESTED: {reason}");
    false
}

/// An engine for a candidate over columns of these names.
fn engine(text: &str, params: &[&str], declared: Option<DataType>) -> Result<LibraryEngine> {
    let library = Library::find(None, None, 0, &Kit::find(&[])?)?;
    let params = params.iter().map(|p| p.to_string()).collect();
    LibraryEngine::new(text, params, declared, Settings::default(), &[], library)
}

#[test]
fn the_proposals_of_the_corpus_hold_on_a_device() {
    let Some(_alone) = available().then(jvm::alone).flatten() else {
        return;
    };
    let all = corpus::run();
    for line in &all.lines {
        println!("{line}");
    }
    println!(
        "corpus: {} proposals, {} rows, {} bad",
        all.proposals,
        all.rows,
        all.bad.len()
    );
    assert!(all.proposals > 0 && all.bad.is_empty(), "{}", all.bad.join("\n"));
}

#[test]
fn every_call_compiles() {
    // The signatures that stand in for a jar leave some classes out.
    let Some(jar) = std::env::var_os(JAR_VARIABLE).map(std::path::PathBuf::from) else {
        eprintln!("SKIPPED, NOT TESTED: {JAR_VARIABLE} names no jar");
        return;
    };
    let Some(_alone) = jvm::alone() else { return };
    let mut wrong = Vec::new();
    for text in vectors::texts() {
        let messages = compile_check(
            &text,
            "F.scala",
            Language::Scala,
            std::slice::from_ref(&jar),
            &Cancel::default(),
        )
        .unwrap();
        for m in messages {
            let line = m.line.and_then(|l| text.lines().nth(l - 1)).unwrap_or_default();
            wrong.push(format!("{} {}", line.trim(), m.text));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_emulated_call_gives_the_same_on_a_device() {
    let Some(_alone) = available().then(jvm::alone).flatten() else {
        return;
    };
    let all = vectors::run();
    for line in &all.differences {
        println!("{line}");
    }
    println!(
        "calls: {} calls, {} cells against the record, {} against the emulation, {} differences",
        all.calls,
        all.recorded,
        all.emulated,
        all.differences.len()
    );
    assert!(
        all.calls > 0 && all.differences.is_empty(),
        "{}",
        all.differences.join("\n")
    );
}
