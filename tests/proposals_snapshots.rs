//! The text of proposals, so that a change of it is seen in a review: the bundled samples and a cross-section of the corpus.
//! `INSTA_UPDATE=always cargo test --test proposals_snapshots` takes the new texts over.

use std::fmt::Write;
use std::path::Path;

use rewright::find::find;
use rewright::propose::{NoteScope, Tier, propose_tier};
use rewright::source::{Language, SourceFile};

/// Everything that is proposed for the UDFs of a file, or only for one.
fn proposals(source: &SourceFile, only: Option<&str>) -> String {
    let mut out = String::new();
    let found = find(source);
    for udf in found.udfs.iter().filter(|u| only.is_none_or(|n| u.name == n)) {
        for tier in [Tier::Sql, Tier::Cudf] {
            let _ = writeln!(out, "=== {} {}", udf.name, tier.name());
            match propose_tier(source, udf, tier) {
                Ok(candidate) => {
                    let _ = writeln!(out, "{}", candidate.text.trim_end());
                    for note in &candidate.notes {
                        let scope = if note.on == NoteScope::Gpu { "gpu" } else { "everywhere" };
                        let _ = writeln!(out, "~ {} ({scope}): {}", note.class, note.why);
                    }
                }
                Err(refusal) => {
                    let _ = writeln!(out, "refused: {}", refusal.reason);
                }
            }
        }
    }
    out
}

#[test]
fn bundled_samples() {
    for sample in rewright::samples::SAMPLES {
        let source = sample.source();
        insta::assert_snapshot!(format!("sample {}", sample.file_name), proposals(&source, None));
    }
}

#[test]
fn a_cross_section_of_the_corpus() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus"));
    let manifest = std::fs::read_to_string(root.join("manifest.jsonl")).expect("the corpus has a manifest");
    let scala: Vec<serde_json::Value> = manifest
        .lines()
        .map(|l| serde_json::from_str(l).expect("a JSON line"))
        .filter(|e: &serde_json::Value| e["language"] == "scala" && e["kind"] != "aggregator")
        .collect();
    let step = (scala.len() / 20).max(1);
    for entry in scala.iter().step_by(step) {
        let text = |key: &str| entry[key].as_str().expect("a text");
        let source = SourceFile::read(&root.join(text("file"))).expect("a source file");
        insta::assert_snapshot!(format!("corpus {}", text("id")), proposals(&source, Some(text("udf"))));
    }
}

#[test]
fn lists_maps_and_clocks() {
    let text = include_str!("data/scala/lists.scala");
    let source = SourceFile::from_text("lists.scala", Language::Scala, text);
    insta::assert_snapshot!("lists maps and clocks", proposals(&source, None));
}
