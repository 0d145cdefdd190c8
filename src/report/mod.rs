//! Results as values that text, JSON and Markdown are made of. In: UDFs, candidates and finished tests; out: stable,
//! documented structures and their renderings. Never runs anything.

mod bench;
mod markdown;
mod scale;
mod text;

use std::path::Path;

use serde::Serialize;

pub use bench::{Tone, bench_lines, bench_summary, bench_text, chart, duration, fold, times, tried, verified};
pub use markdown::check_markdown;
pub use scale::{progress_line, scale_text};
use text::grouped;
pub use text::{Paint, check_head, check_text, check_tier, found_text, printable};

use crate::check::CheckReport;
use crate::compare::{Comparison, Mismatch, Verdict, walk::type_name};
use crate::error::{Error, ErrorKind};
use crate::find::{NullRule, Udf};
use crate::inputs::data::ByPosition;
use crate::lang::ty::Ty;
use crate::propose::{Candidate, Note, Tier};
use crate::run::{Evidence, Finding, NotRunReason, Settings};
use crate::source::{Refusal, SourceFile, Span};

/// Version of the JSON that the shell commands print; grows when a field changes its meaning or goes.
pub const JSON_FORMAT: u32 = 1;

/// A place in a file, 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// As the user named it.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 1-based, in characters.
    pub column: u32,
    /// 1-based line on which it ends.
    pub end_line: u32,
}

impl Place {
    /// Where a span stands.
    pub fn of(file: &SourceFile, span: Span) -> Place {
        let at = file.location(span);
        let end_line = file.line_of(span.end.saturating_sub(1).max(span.start)) as u32 + 1;
        Place {
            file: file.path.display().to_string(),
            line: at.line,
            column: at.column,
            end_line,
        }
    }
}

/// Something not understood: where and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RefusedAt {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// Why.
    pub reason: String,
    /// The source under the span, its first line.
    pub construct: String,
}

impl RefusedAt {
    /// A refusal with its place.
    pub fn of(file: &SourceFile, refusal: &Refusal) -> RefusedAt {
        let construct = file
            .slice(refusal.span)
            .lines()
            .next()
            .unwrap_or("")
            .trim()
            .chars()
            .take(80)
            .collect();
        RefusedAt {
            place: Place::of(file, refusal.span),
            reason: refusal.reason.clone(),
            construct,
        }
    }
}

/// One parameter of a UDF.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParamSummary {
    /// Name in the source.
    pub name: String,
    /// Type in the source.
    pub source_type: String,
    /// Spark SQL type, if the source tells it.
    pub spark_type: Option<String>,
    /// What happens with null.
    pub null: NullRule,
}

/// A UDF that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UdfSummary {
    /// How to pick it with `--udf`.
    pub name: String,
    /// Other names that `--udf` takes: the `val` that wraps a method, the SQL name of a class.
    pub aliases: Vec<String>,
    /// How it is written.
    pub kind: crate::find::UdfKind,
    /// `scala`, `java`, `python`.
    pub language: &'static str,
    /// Where it stands.
    #[serde(flatten)]
    pub place: Place,
    /// Parameters in call order.
    pub params: Vec<ParamSummary>,
    /// Result type in the source.
    pub returns: String,
    /// Spark SQL type of the result, if the source tells it.
    pub return_type: Option<String>,
    /// Whether parameters and result are known; if not, they are what is written, with `Any` for the rest.
    pub signature_known: bool,
    /// Why the embedded oracle does not cover it, if so.
    pub refused: Option<RefusedAt>,
}

impl UdfSummary {
    /// Sums up a UDF.
    pub fn of(file: &SourceFile, udf: &Udf) -> UdfSummary {
        let params = udf.params.iter().map(|p| ParamSummary {
            name: p.name.clone(),
            source_type: p.ty.to_string(),
            spark_type: p.data_type.as_ref().map(type_name),
            null: p.null_rule,
        });
        let unknown = |t: &Ty| *t == Ty::Any;
        let known = udf.program.is_ok() || !(unknown(&udf.returns) || udf.params.iter().any(|p| unknown(&p.ty)));
        UdfSummary {
            name: udf.name.clone(),
            aliases: udf.aliases.clone(),
            kind: udf.kind,
            language: file.language.name(),
            place: Place::of(file, udf.span),
            params: params.collect(),
            returns: udf.returns.to_string(),
            return_type: udf.return_type.as_ref().map(type_name),
            signature_known: known,
            refused: udf.program.as_ref().err().map(|r| RefusedAt::of(file, r)),
        }
    }

    /// `name(a: int, b: string) → double`; says so where it is not known.
    pub fn signature(&self) -> String {
        if !self.signature_known && self.params.is_empty() {
            return format!("{} (signature not known)", self.name);
        }
        let shown = |p: &ParamSummary| {
            let t = p.spark_type.as_deref().unwrap_or(&p.source_type);
            if t == "Any" && !self.signature_known {
                return format!("{}: not known", p.name);
            }
            format!("{}: {t}{}", p.name, if p.null == NullRule::PassedOn { "?" } else { "" })
        };
        let params: Vec<_> = self.params.iter().map(shown).collect();
        let result = match self.return_type.as_deref().unwrap_or(&self.returns) {
            "Any" if !self.signature_known => "not known",
            known => known,
        };
        format!("{}({}) → {result}", self.name, params.join(", "))
    }
}

/// What one tier of one UDF came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Every outcome is the same.
    Equal,
    /// Every difference is accepted by the policy.
    EqualWithinPolicy,
    /// At least one row differs.
    Different,
    /// Nothing was shown.
    Vacuous,
    /// It could not be run, or there is no candidate.
    NotProven,
    /// The UDF or the candidate does not compile.
    DoesNotCompile,
}

impl Status {
    /// That of a verdict.
    pub fn of(verdict: Verdict) -> Status {
        match verdict {
            Verdict::Equal => Status::Equal,
            Verdict::EqualWithinPolicy => Status::EqualWithinPolicy,
            Verdict::Different => Status::Different,
            Verdict::Vacuous => Status::Vacuous,
            Verdict::NotProven => Status::NotProven,
        }
    }

    /// The exit code, as the README lists them.
    pub fn exit_code(&self) -> u8 {
        match self {
            Status::Equal | Status::EqualWithinPolicy => 0,
            Status::Different => 1,
            Status::Vacuous | Status::NotProven => 3,
            Status::DoesNotCompile => 4,
        }
    }

    /// The words of screens and reports.
    pub fn words(&self) -> &'static str {
        match self {
            Status::Equal => "equal",
            Status::EqualWithinPolicy => "equal within policy",
            Status::Different => "different",
            Status::Vacuous => "vacuous",
            Status::NotProven => "not proven",
            Status::DoesNotCompile => "does not compile",
        }
    }
}

/// A row that differs, with its arguments.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DifferingRow {
    /// Arguments as text, by parameter name, in call order.
    pub args: Vec<(String, String)>,
    /// What differs.
    #[serde(flatten)]
    pub mismatch: Mismatch,
}

/// Rows that could not be run, with the place of what stopped them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RowsNotRun {
    /// How many.
    pub rows: u64,
    /// The first of them, 0-based.
    pub first_row: u64,
    /// Why.
    pub reason: String,
    /// Where, if that is known.
    pub at: Option<RefusedAt>,
}

impl RowsNotRun {
    /// A reason with its place.
    pub fn of(file: &SourceFile, r: &NotRunReason) -> RowsNotRun {
        let at = r.span.map(|span| {
            RefusedAt::of(
                file,
                &Refusal {
                    span,
                    reason: r.text.clone(),
                },
            )
        });
        RowsNotRun {
            rows: r.rows,
            first_row: r.first_row,
            reason: r.text.clone(),
            at,
        }
    }

    /// One line.
    pub fn line(&self) -> String {
        let rows = match self.rows {
            1 => format!("row {} not run", self.first_row),
            n => format!("{} rows not run, the first is row {}", text::grouped(n), self.first_row),
        };
        match &self.at {
            Some(at) => format!(
                "{rows}: {}, line {} — `{}`",
                printable(&self.reason),
                at.place.line,
                printable(&at.construct)
            ),
            None => format!("{rows}: {}", printable(&self.reason)),
        }
    }
}

/// The test of one tier.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TierResult {
    /// Which tier.
    pub tier: Tier,
    /// What it came to.
    pub status: Status,
    /// Why, where the status needs a reason.
    pub reason: Option<String>,
    /// Where the reason lies in the original.
    pub refused: Option<RefusedAt>,
    /// What to try.
    pub hints: Vec<String>,
    /// Announced differences of the candidate.
    pub notes: Vec<Note>,
    /// Counts and classes; absent if nothing ran.
    pub comparison: Option<Comparison>,
    /// The first differing rows with their arguments.
    pub rows: Vec<DifferingRow>,
    /// Rows that were not compared because they could not be run, by reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_run: Vec<RowsNotRun>,
    /// Leaks and the like.
    pub findings: Vec<Finding>,
    /// What ran the original.
    pub oracle: Option<Evidence>,
    /// What ran the candidate.
    pub engine: Option<Evidence>,
}

/// Most differing rows that a report shows with their arguments.
const SHOWN_ROWS: usize = 20;

impl TierResult {
    fn empty(tier: Tier, status: Status) -> TierResult {
        TierResult {
            tier,
            status,
            reason: None,
            refused: None,
            hints: Vec::new(),
            notes: Vec::new(),
            comparison: None,
            rows: Vec::new(),
            not_run: Vec::new(),
            findings: Vec::new(),
            oracle: None,
            engine: None,
        }
    }

    /// A tier that cannot express the UDF.
    pub fn refused(file: &SourceFile, tier: Tier, refusal: &Refusal) -> TierResult {
        let mut out = TierResult::empty(tier, Status::NotProven);
        out.reason = Some(refusal.reason.clone());
        out.refused = Some(RefusedAt::of(file, refusal));
        out
    }

    /// A tier that was not tried, because of what the UDF or its inputs are.
    pub fn not_tried(tier: Tier, error: &Error) -> TierResult {
        let status = match error.kind {
            ErrorKind::Compile => Status::DoesNotCompile,
            _ => Status::NotProven,
        };
        let mut out = TierResult::empty(tier, status);
        out.reason = Some(error.to_string());
        out.hints = error.hints.clone();
        out
    }

    /// A candidate that could not be run.
    pub fn failed(candidate: &Candidate, error: &Error) -> TierResult {
        let status = match error.kind {
            ErrorKind::Compile => Status::DoesNotCompile,
            _ => Status::NotProven,
        };
        let mut out = TierResult::empty(candidate.tier, status);
        out.reason = Some(error.to_string());
        out.hints = error.hints.clone();
        out.notes = candidate.notes.clone();
        out
    }

    /// A finished test.
    pub fn of_report(file: &SourceFile, candidate: &Candidate, report: &CheckReport) -> TierResult {
        let status = Status::of(report.comparison.verdict);
        let mut out = TierResult::empty(candidate.tier, status);
        out.reason = match report.comparison.verdict {
            Verdict::NotProven => Some(format!(
                "{} of {} rows could not be run",
                text::grouped(report.comparison.not_run_rows()),
                text::grouped(report.inputs.num_rows() as u64)
            )),
            _ => report.comparison.vacuous_because.clone(),
        };
        let not_run = report.comparison.not_run.iter();
        out.not_run = not_run.map(|r| RowsNotRun::of(file, r)).collect();
        if let Some(advice) = report.comparison.advice() {
            out.reason = Some(advice.meaning);
            out.hints.push(advice.hint);
        }
        out.notes = candidate.notes.clone();
        out.rows = report
            .comparison
            .sample
            .iter()
            .take(SHOWN_ROWS)
            .map(|m| differing_row(report, m))
            .collect();
        out.comparison = Some(report.comparison.clone());
        out.findings = report.findings.clone();
        out.oracle = Some(report.oracle_evidence.clone());
        out.engine = Some(report.engine_evidence.clone());
        out
    }
}

fn differing_row(report: &CheckReport, m: &Mismatch) -> DifferingRow {
    let fields = report.inputs.schema_ref().fields().iter();
    let args = fields.zip(report.inputs.columns()).map(|(f, c)| {
        let text = crate::compare::cell_text(c.as_ref(), m.row as usize);
        (f.name().clone(), text)
    });
    DifferingRow {
        args: args.collect(),
        mismatch: m.clone(),
    }
}

/// Where the inputs of a test came from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputsFrom {
    /// Made up from the UDF.
    Generated {
        /// The seed.
        seed: u64,
    },
    /// A data file.
    Data {
        /// The file as the user named it.
        path: String,
    },
}

/// The test of one UDF over all tiers asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckResult {
    /// Version of this structure.
    pub format: u32,
    /// The UDF.
    pub udf: UdfSummary,
    /// Where the inputs came from.
    pub inputs: InputsFrom,
    /// Parameters that got a column of another name by its place.
    pub by_position: Vec<ByPosition>,
    /// Number of rows.
    pub row_count: u64,
    /// ANSI mode and time zone.
    pub settings: Settings,
    /// Each tier.
    pub tiers: Vec<TierResult>,
}

impl CheckResult {
    /// Exit code: 1 if a tier differs, else 4 if one does not compile, else 0 if at least one tier is proven equal, else
    /// 3. With one tier asked for, this is that tier's own code.
    pub fn exit_code(&self) -> u8 {
        let codes: Vec<u8> = self.tiers.iter().map(|t| t.status.exit_code()).collect();
        [1, 4, 0].into_iter().find(|c| codes.contains(c)).unwrap_or(3)
    }
}

/// A path as text for a report.
pub fn shown_path(path: &Path) -> String {
    printable(&path.display().to_string())
}
