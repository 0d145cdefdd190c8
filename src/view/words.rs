//! Small texts that several panels share: counts, types, signatures, verdicts, places. In: values; out: text.

use crate::app::job::Failure;
use crate::app::state::{Tested, Work};
use crate::check::DISAGREE;
use crate::compare::{Comparison, Mismatch, Policy, PolicyEntry, Verdict};
use crate::find::Udf;
use crate::lang::ty::Ty;
use crate::propose::Tier;
use crate::run::EngineId;
use crate::run::spark::{WorkerState, WorkerStatus};
use crate::source::{SourceFile, Span};

use super::theme::Role;

/// A count with thousands apart.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A type as the header shows it; a question mark stands for a null that the function sees.
fn ty(t: &Ty) -> String {
    match t {
        Ty::Boxed(p) => format!("{}?", Ty::Prim(*p)),
        other => other.to_string(),
    }
}

/// `Name(parameter: Type, …) → Type`.
pub fn signature(udf: &Udf) -> String {
    let params: Vec<String> = udf
        .params
        .iter()
        .map(|p| format!("{}: {}", p.name, ty(&p.ty)))
        .collect();
    format!("{}({}) → {}", udf.name, params.join(", "), ty(&udf.returns))
}

/// `, 3 not run`, or nothing: stands beside every verdict on the other rows.
pub fn not_run(c: &Comparison) -> String {
    match c.not_run_rows() {
        0 => String::new(),
        n => format!(", {} not run", count(n)),
    }
}

/// A verdict as glyph, words and role. A glyph stands beside every colour.
pub fn verdict(v: Verdict) -> (&'static str, &'static str, Role) {
    let role = match v {
        Verdict::Equal => Role::Match,
        Verdict::EqualWithinPolicy => Role::WithinPolicy,
        Verdict::Different => Role::Mismatch,
        Verdict::Vacuous | Verdict::NotProven => Role::Vacuous,
    };
    (v.glyph(), v.words(), role)
}

/// What a tier's last test came to, as glyph and role for its tab.
pub fn tab(tested: &Tested, stale: bool) -> Option<(&'static str, Role)> {
    match tested {
        Tested::Not => None,
        _ if stale => Some(("*", Role::Dim)),
        Tested::Done(report) => {
            let (glyph, _, role) = verdict(report.comparison.verdict);
            Some((glyph, role))
        }
        Tested::Failed(e) => Some((failed(e).0, failed(e).2)),
    }
}

/// How a test ended without outcomes: glyph, words and role.
pub fn failed(e: &Failure) -> (&'static str, String, Role) {
    match e.is_compile() {
        true if e.what.contains("does not compile") => ("!", format!("! {}", e.what), Role::Mismatch),
        true => ("!", format!("! does not compile: {}", e.what), Role::Mismatch),
        false => ("?", format!("? not proven: {}", e.what), Role::Vacuous),
    }
}

/// The distance of a mismatch.
pub fn distance(m: &Mismatch) -> String {
    let mut parts = Vec::new();
    if let Some(n) = m.ulp {
        parts.push(format!("{} ulp", count(n)));
    }
    if let Some(x) = m.abs {
        parts.push(number(x));
    }
    parts.join(" ")
}

/// The distance of a mismatch in one number.
pub fn short_distance(m: &Mismatch) -> String {
    match (m.ulp, m.abs) {
        (Some(n), _) => format!("{} ulp", count(n)),
        (None, Some(x)) => number(x),
        (None, None) => String::new(),
    }
}

/// A distance as a short number.
pub fn number(x: f64) -> String {
    match x {
        0.0 => "0".into(),
        x if (1e-3..1e6).contains(&x.abs()) => {
            let text = format!("{x:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        x => format!("{x:.1e}"),
    }
}

/// The bound of a policy entry.
pub fn bound(e: &PolicyEntry) -> String {
    let ulp = e.max_ulp.map(|n| format!("≤ {} ulp", count(n)));
    let abs = e.max_abs.map(|x| format!("≤ {x:e} absolute"));
    let rel = e.max_rel.map(|x| format!("≤ {x:e} relative"));
    let all: Vec<String> = [ulp, abs, rel].into_iter().flatten().collect();
    match all.is_empty() {
        true => "any distance".into(),
        false => all.join(", "),
    }
}

/// The classes of a comparison with their counts and worst distance: `301,491 last-ulp (≤ 1 ulp)`.
pub fn classes(c: &Comparison, policy: &Policy) -> String {
    let one = |(class, n): (&String, &crate::compare::ClassCount)| {
        let worst = n
            .worst
            .ulp
            .map(|u| format!(" (≤ {} ulp)", count(u)))
            .unwrap_or_default();
        let accepted = policy.entries.iter().any(|e| e.class == *class) && n.accepted == n.rows;
        let glyph = if accepted { "~" } else { "" };
        format!("{} {glyph}{class}{worst}", count(n.rows))
    };
    let all: Vec<String> = c.classes.iter().map(one).collect();
    all.join(" · ")
}

/// `file:line` of a span, however broken the span is.
pub fn place(file: &SourceFile, span: Span) -> String {
    let offset = span.start.min(file.text.len() as u32);
    format!("{}:{}", file.path.display(), file.line_of(offset) + 1)
}

/// What runs a tier, so that an emulation is never taken for the real thing.
pub fn engine(work: &Work) -> String {
    let fresh = work.slot().report().filter(|_| !work.slot().stale);
    let name = match fresh {
        Some(r) => r.engine_evidence.engine.name(),
        None => work.runners.of_tier(work.tier).engine.name(),
    };
    match work.tier {
        Tier::Sql => name.to_owned(),
        Tier::Cudf if name == EngineId::Cudf.name() => name.to_owned(),
        Tier::Cudf => format!("{name} (emulates cuDF)"),
        Tier::Cuda if name == EngineId::CudaHost.name() => format!("{name} (emulates CUDA)"),
        Tier::Cuda if fresh.is_some() || name == EngineId::Cuda.name() => name.to_owned(),
        Tier::Cuda => "none here".into(),
    }
}

/// Oracle and engine: those of the last test, or those of the next one where something changed since.
pub fn runs(work: &Work) -> String {
    format!("oracle {} · engine {}", oracle(work), engine(work))
}

/// The oracle, with what another one said of the same rewrite.
fn oracle(work: &Work) -> String {
    let slot = work.slot();
    let Some(report) = slot.report().filter(|_| !slot.stale) else {
        return work.runners.oracle.name().to_owned();
    };
    let (oracle, engine) = (report.oracle_evidence.engine, report.engine_evidence.engine);
    if slot.confirm {
        return format!("{}, jvm to follow", oracle.name());
    }
    let differ = report.findings.iter().any(|f| f.id == DISAGREE);
    let others = slot.answers.iter().filter(|a| a.engine == engine && a.oracle != oracle);
    let names: Vec<&str> = others.map(|a| a.oracle.name()).collect();
    match (names.is_empty(), differ) {
        (true, _) => oracle.name().to_owned(),
        (false, true) => format!("{} ({} differs)", oracle.name(), names.join(", ")),
        (false, false) => format!("{} ({} agrees)", oracle.name(), names.join(", ")),
    }
}

/// How the JVM workers are, as text and role; nothing while none was started.
pub fn worker(workers: &[WorkerStatus]) -> Option<(String, Role)> {
    let status = workers.iter().rev().find(|w| w.state != WorkerState::Off)?;
    let restarted = status.starts > 1;
    Some(match &status.state {
        WorkerState::Off => return None,
        // A start that is still going on does not count yet.
        WorkerState::Starting if status.starts > 0 => ("jvm restarting".into(), Role::Accent),
        WorkerState::Warming if restarted => ("jvm restarting".into(), Role::Accent),
        WorkerState::Starting | WorkerState::Warming => ("jvm starting".into(), Role::Accent),
        WorkerState::Ready if restarted => ("jvm restarted".into(), Role::Match),
        WorkerState::Ready => ("jvm ready".into(), Role::Match),
        WorkerState::Working(doing) => (format!("jvm {doing}"), Role::Accent),
        WorkerState::Lost(_) => ("! jvm lost, L why".into(), Role::Trouble),
    })
}

/// The name of the data file, if one is tested.
pub fn data_name(work: &Work) -> Option<String> {
    let path = work.data.as_ref()?;
    Some(
        path.file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy()
            .into_owned(),
    )
}

/// The command that does the same test without a screen.
pub fn command(work: &Work) -> String {
    let name = work.udf().map(|u| u.name.as_str()).unwrap_or_default();
    let inputs = match &work.data {
        Some(path) => format!("--data {}", path.display()),
        None => format!("--rows {} --seed {}", work.rows_wanted, work.seed),
    };
    let runners = work.runners.of_tier(work.tier);
    let slot = work.slot();
    let oracle = match slot.report().filter(|_| !slot.stale) {
        Some(report) => report.oracle_evidence.engine,
        None => runners.oracle,
    };
    let other = |flag: &str, now: EngineId, usual: EngineId| match now == usual {
        true => String::new(),
        false => format!(" --{flag} {}", now.name()),
    };
    format!(
        "rewright check {} --udf {name} --tier {} {inputs}{}{}",
        work.opened.file.path.display(),
        work.tier.name(),
        // Without it the machine decides.
        format_args!(" --oracle {}", oracle.name()),
        other("engine", runners.engine, EngineId::Cpu),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(count(12), "12");
        assert_eq!(number(1.8189894035458565e-12), "1.8e-12");
        assert_eq!(number(0.5), "0.5");
        assert_eq!(number(f64::NAN), "NaN");
    }
}
