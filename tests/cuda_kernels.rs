//! Kernels have the form of a kernel, and a C++ compiler, where one is at hand, accepts them with their helpers.

use std::path::{Path, PathBuf};
use std::process::Command;

use rewright::check::{Bench, Runners};
use rewright::compare::{Policy, Verdict};
use rewright::find::find;
use rewright::inputs::generate;
use rewright::propose::{Tier, cuda, propose_tier};
use rewright::run::cuda::{Compiler, compile_check, survey};
use rewright::run::{Cancel, EngineId, Settings};
use rewright::source::SourceFile;

fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "tests/data/corpus/udfs/scala",
        "tests/data/corpus/udfs/java",
        "assets/samples",
    ];
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|f| std::fs::read_dir(root.join(f)).expect("golden sources"))
        .map(|e| e.expect("entry").path())
        .filter(|p| {
            p.extension().is_some_and(|e| e == "scala" || e == "java") && !p.to_string_lossy().contains(".edited.")
        })
        .collect();
    files.sort();
    files
}

fn compiler() -> Option<&'static str> {
    ["c++", "g++", "clang++"]
        .into_iter()
        .find(|c| Command::new(c).arg("--version").output().is_ok())
}

fn compiles(compiler: &str, folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let path = folder.join(format!("{name}.cpp"));
    std::fs::write(&path, text).expect("writes");
    let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/rw_host.h");
    let output = Command::new(compiler)
        .args([
            "-std=gnu++17",
            "-fsyntax-only",
            "-Wall",
            "-Wno-unused-variable",
            "-Wno-unused-function",
            "-include",
        ])
        .arg(shim)
        .arg("-I")
        .arg(folder)
        .arg(&path)
        .output()
        .expect("the compiler starts");
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

#[test]
fn every_proposed_kernel_has_the_form_and_compiles_on_the_host() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for (name, text) in cuda::HEADERS {
        std::fs::write(folder.path().join(name), text).expect("writes");
    }
    let compiler = compiler();
    // `rewright setup cuda` brings it, or a CUDA toolkit; it needs no GPU.
    let nvrtc = survey().is_ok_and(|s| s.nvrtc.is_some());
    println!("NVRTC: {nvrtc}");
    let mut proposed = 0;
    for path in sources() {
        let file = SourceFile::read(&path).expect("golden source");
        for udf in &find(&file).udfs {
            let Ok(candidate) = propose_tier(&file, udf, Tier::Cuda) else {
                continue;
            };
            proposed += 1;
            cuda::check_form(&candidate.text).unwrap_or_else(|e| panic!("{}: {e}\n{}", udf.name, candidate.text));
            for (original, line) in &candidate.span_map {
                assert!(original.end as usize <= file.text.len() && line.end as usize <= candidate.text.len());
            }
            if nvrtc {
                let compiled = compile_check(&candidate.text, &Cancel::default())
                    .unwrap_or_else(|e| panic!("{}: {e}\n{}", udf.name, candidate.text));
                println!("{}: {:?}", udf.name, compiled.facts);
                assert!(compiled.facts.contains_key("registers per thread"));
            }
            if let Some(compiler) = compiler {
                compiles(compiler, folder.path(), &udf.name, &candidate.text)
                    .unwrap_or_else(|e| panic!("{}:\n{e}\n{}", udf.name, candidate.text));
            }
        }
    }
    assert!(proposed >= 30, "only {proposed} UDFs have a kernel");
}

#[test]
fn every_construct_gives_what_the_oracle_gives() {
    if Compiler::program().is_none() {
        println!("no C++ compiler: nothing to test");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/kernels");
    let settings = Settings::default();
    let runners = Runners {
        cuda: EngineId::CudaHost,
        ..Runners::default()
    };
    let mut bad = Vec::new();
    for name in ["Constructs.scala", "Constructs.java"] {
        let file = SourceFile::read(&folder.join(name)).expect("a source of constructs");
        let found = find(&file);
        assert!(found.refused.is_empty(), "{:?}", found.refused);
        for udf in &found.udfs {
            let candidate = propose_tier(&file, udf, Tier::Cuda)
                .unwrap_or_else(|r| panic!("{}: {} | {}", udf.name, r.reason, file.slice(r.span)));
            let inputs = generate(udf, &file, 300, 11).expect("inputs");
            let bench = Bench {
                file: &file,
                udf,
                settings: &settings,
                runners: &runners,
            };
            let report = bench
                .check(&candidate, &inputs, &Policy::default(), &Cancel::default())
                .unwrap_or_else(|e| panic!("{}: {e:?}\n{}", udf.name, candidate.text));
            let c = &report.comparison;
            println!(
                "{:16} {:?} {:?}",
                udf.name,
                c.verdict,
                c.classes.keys().collect::<Vec<_>>()
            );
            // Rows that are not covered prove nothing, but none may have another value or throw where the original does not.
            if c.verdict != Verdict::Equal && !c.classes.is_empty() {
                bad.push((udf.name.clone(), format!("{:?}", c.sample.first())));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
