//! The proposals of the corpus on a device: over its own rows against what Spark gave, and over these and generated rows against the
//! emulation.

use arrow::array::{Array, RecordBatch};
use arrow::datatypes::DataType;
use rewright::compare::{Comparison, Policy, Verdict, compare};
use rewright::find::Udf;
use rewright::inputs::generate;
use rewright::propose::{Candidate, Tier, propose_tier};
use rewright::run::cudf::CudfEngine;
use rewright::run::{Cancel, Evaluator, Finding, Outcome, Settings};

use super::jvm::{Case, cases};

/// Generated rows beside those of the corpus.
const ROWS: usize = 2000;

#[derive(Default)]
pub struct Results {
    pub lines: Vec<String>,
    pub bad: Vec<String>,
    pub proposals: usize,
    pub rows: usize,
}

pub fn run() -> Results {
    let mut all = Results::default();
    for case in cases("scala").into_iter().chain(cases("java")) {
        let Some(udf) = &case.udf else { continue };
        let Ok(candidate) = propose_tier(&case.source, udf, Tier::Cudf) else {
            continue;
        };
        all.proposals += 1;
        all.rows += case.input.num_rows();
        let (words, holds) = one(&case, udf, &candidate);
        let line = format!("{:18} {words}", case.id);
        if !holds {
            all.bad.push(line.clone());
        }
        all.lines.push(line);
    }
    all
}

/// What became of a proposal, and whether all of it is as it should be.
fn one(case: &Case, udf: &Udf, candidate: &Candidate) -> (String, bool) {
    let params: Vec<&str> = udf.params.iter().map(|p| p.name.as_str()).collect();
    // The corpus registered decimals with a precision that the source does not say.
    let declared = match case.values.data_type() {
        decimal @ DataType::Decimal128(..) => Some(decimal.clone()),
        _ => udf.return_type.clone(),
    };
    let mut engine = match super::engine(&candidate.text, &params, declared) {
        Ok(engine) => engine,
        Err(e) => return (format!("NOT RUN {e}"), false),
    };
    let ran = engine
        .prepare(case.input.schema_ref())
        .and_then(|_| engine.eval(&case.input, &Cancel::default()));
    let outcome = match ran {
        Ok(outcome) => outcome,
        Err(e) => return (format!("NOT RUN {e}"), false),
    };
    let errors = (case.errors.null_count() < case.errors.len()).then(|| case.errors.clone());
    let expected = Outcome::with_errors(case.values.clone(), errors);
    let against = compare(&case.input, &expected, &outcome, &Policy::default());
    let (mut words, mut holds) = match against.verdict {
        Verdict::Equal => ("equal".to_owned(), true),
        _ if against.only_announced(&candidate.notes) && against.vacuous_because.is_none() => {
            (format!("announced {}", classes(&against)), true)
        }
        _ => (format!("DIFFERENT {}", sample(&against)), false),
    };
    let generated = generate(udf, &case.source, ROWS, 42);
    let batches = [Some(case.input.clone()), generated.ok()].into_iter().flatten();
    for batch in batches {
        match both(candidate, &params, &batch, &mut engine) {
            Ok(Same::Equal) => words.push_str(&format!(" · as emulated in {} rows", batch.num_rows())),
            Ok(Same::Announced(classes)) => {
                let rows = batch.num_rows();
                words.push_str(&format!(" · as emulated in {rows} rows but for {classes}, announced"));
            }
            Ok(Same::Different(difference)) => {
                holds = false;
                words.push_str(&format!(" · NOT AS EMULATED {difference}"));
            }
            Err(why) => words.push_str(&format!(" · not compared: {why}")),
        }
    }
    let findings = engine.findings();
    let noticed: Vec<&Finding> = findings.iter().filter(|f| f.id != "raised").collect();
    if !noticed.is_empty() {
        holds = false;
        words.push_str(&format!(" · FINDINGS {noticed:?}"));
    }
    (words, holds)
}

/// How the device and the emulation compare in a batch.
enum Same {
    Equal,
    /// Only in the last place of functions whose values on the device the host's stand in for, which the candidate's notes say.
    Announced(String),
    Different(String),
}

/// The device and the emulation over a batch; an error where neither or only the device runs.
fn both(
    candidate: &Candidate,
    params: &[&str],
    batch: &RecordBatch,
    engine: &mut rewright::run::spark::LibraryEngine,
) -> Result<Same, String> {
    let names = params.iter().map(|p| p.to_string()).collect();
    let emulation = CudfEngine::new(&candidate.text, names, Settings::default());
    let emulated = emulation.and_then(|mut e| {
        e.prepare(batch.schema_ref())?;
        e.eval(batch, &Cancel::default())
    });
    let real = engine.eval(batch, &Cancel::default());
    match (emulated, real) {
        (Ok(emulated), Ok(real)) => {
            let comparison = compare(batch, &emulated, &real, &Policy::default());
            let last_place = comparison.classes.keys().all(|c| c == "last-ulp");
            Ok(match comparison.different_rows {
                _ if !comparison.schema_findings.is_empty() => {
                    Same::Different(format!("{:?}", comparison.schema_findings))
                }
                0 => Same::Equal,
                _ if last_place && comparison.only_announced(&candidate.notes) => Same::Announced(classes(&comparison)),
                _ => Same::Different(sample(&comparison)),
            })
        }
        (Err(e), Err(_)) => Err(format!("neither runs: {e}")),
        (Err(e), Ok(_)) => Err(format!("the emulation refuses: {e}")),
        (Ok(_), Err(e)) => Ok(Same::Different(format!("NOT RUN {e}"))),
    }
}

fn classes(c: &Comparison) -> String {
    let all: Vec<String> = c.classes.iter().map(|(id, n)| format!("{id}:{}", n.rows)).collect();
    all.join(", ")
}

fn sample(c: &Comparison) -> String {
    let first: Vec<String> = c
        .sample
        .iter()
        .take(3)
        .map(|m| format!("row {}: {} and {}", m.row, m.original, m.rewrite))
        .collect();
    format!("{} {:?} {}", classes(c), c.vacuous_because, first.join("; "))
}
