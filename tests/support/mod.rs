//! A workbench without terminal, threads or clock: keys go in as text, jobs are answered by a fake, screens come out.

#![allow(dead_code)]

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

use rewright::app::document::{Document, Syntax};
use rewright::app::event::{Effect, Event, Origin, SessionNews, Size};
use rewright::app::job::{Failure, JobSpec, Opened, Report};
use rewright::app::state::{ChooserEntry, Config, State};
use rewright::app::update::update;
use rewright::bench::BenchReport;
use rewright::check::CheckReport;
use rewright::compare::compare;
use rewright::propose::{Candidate, Note, NoteScope, Proposals, Tier};
use rewright::run::{EngineId, Evidence, Outcome, Settings};
use rewright::session::Entry;
use rewright::source::{Language, Refusal, SourceFile, Span};
use rewright::view::theme::{Role, Theme};
use rewright::view::view;

pub const SOURCE: &str = "class ToFahrenheit extends Function1[java.lang.Double, java.lang.Double] {
  override def apply(celsius: java.lang.Double): java.lang.Double =
    if (celsius == null) null
    else celsius * 9.0 / 5.0 + 32.0
}
";

pub const CUDF: &str = "class ToFahrenheit extends RapidsUDF {
  def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector =
    Using.Manager { use =>
      val nine = use(Scalar.fromDouble(9.0))
      use(args.head.mul(nine)).div(five)
    }.get
}
";

/// A span of the first place where `part` stands.
fn span(text: &str, part: &str) -> Span {
    let at = text.find(part).expect("part of the text");
    Span::new(at, at + part.len())
}

pub fn opened(origin: Origin) -> Opened {
    opened_text(origin, "ToFahrenheit.scala", SOURCE)
}

pub fn opened_text(origin: Origin, path: &str, text: &str) -> Opened {
    let file = SourceFile::from_text(path, Language::Scala, text);
    Opened {
        origin,
        found: rewright::find::find(&file),
        file,
        document: Document::new(text, Syntax::Scala),
        edits: Vec::new(),
    }
}

pub fn proposals() -> Proposals {
    let note = Note {
        class: "last-ulp".into(),
        span: span(SOURCE, "celsius * 9.0 / 5.0"),
        why: "a GPU may contract the product and the sum".into(),
        on: NoteScope::Gpu,
    };
    let cudf = Candidate {
        tier: Tier::Cudf,
        text: CUDF.into(),
        span_map: vec![(
            span(SOURCE, "celsius * 9.0 / 5.0"),
            span(CUDF, "use(args.head.mul(nine)).div(five)"),
        )],
        notes: vec![note],
        rank: 1,
        rank_reason: "every operation has a cuDF call".into(),
    };
    let sql = Candidate {
        tier: Tier::Sql,
        text: "celsius * 9.0D / 5.0D + 32.0D".into(),
        span_map: Vec::new(),
        notes: Vec::new(),
        rank: 2,
        rank_reason: "an expression that Spark replaces".into(),
    };
    Proposals {
        candidates: vec![cudf, sql],
        refused: vec![(
            Tier::Cuda,
            Refusal::new(span(SOURCE, "null"), "the fake knows no kernels"),
        )],
    }
}

fn evidence(engine: EngineId) -> Evidence {
    Evidence {
        engine,
        version: "0.1.0".into(),
        facts: [("zone".to_owned(), "UTC".to_owned())].into(),
    }
}

/// Celsius in steps, through the original and through what the candidate's text says.
pub fn report(rows: usize, candidate: &str) -> CheckReport {
    let celsius: Vec<Option<f64>> = (0..rows).map(|i| (i > 0).then(|| -5000.0 + i as f64 * 0.37)).collect();
    let factor = 9.0 / 5.0;
    let exact = |c: f64| c * 9.0 / 5.0 + 32.0;
    let fused = |c: f64| c * factor + 32.0;
    let column =
        |f: &dyn Fn(f64) -> f64| -> ArrayRef { Arc::new(celsius.iter().map(|c| c.map(f)).collect::<Float64Array>()) };
    let schema = Schema::new(vec![Field::new("celsius", DataType::Float64, true)]);
    let inputs = RecordBatch::try_new(Arc::new(schema), vec![column(&|c| c)]).expect("one column");
    let oracle = Outcome::of_values(column(&exact));
    let rewrite = match candidate.contains("9.0 / 5.0)") {
        true => Outcome::of_values(column(&fused)),
        false => Outcome::of_values(column(&exact)),
    };
    CheckReport {
        comparison: compare(&inputs, &oracle, &rewrite, &Default::default()),
        inputs,
        oracle,
        candidate: rewrite,
        oracle_evidence: evidence(EngineId::Embedded),
        engine_evidence: evidence(EngineId::Cpu),
        findings: Vec::new(),
    }
}

/// What a benchmark of the Celsius kernel came to on a GPU, as it was written there.
pub fn timed() -> BenchReport {
    BenchReport::parse(include_str!("../data/bench/h200.json")).expect("a benchmark")
}

/// Answers every job.
pub fn answer(spec: JobSpec) -> Report {
    match spec {
        JobSpec::Open(origin) => Report::Opened(Ok(Arc::new(opened(origin)))),
        JobSpec::Propose(..) => Report::Proposed(Ok(proposals())),
        JobSpec::Check(c) if c.candidate.text.contains("syntax error") => {
            let mut failure = Failure::new("compile", "line 1: expected an expression");
            failure.hints.push("look at the marked line".into());
            Report::Checked(c.candidate.tier, Err(failure))
        }
        JobSpec::Check(c) => {
            let mut r = report(c.rows, &c.candidate.text);
            r.comparison = compare(&r.inputs, &r.oracle, &r.candidate, &c.policy);
            Report::Checked(c.candidate.tier, Ok(Arc::new(r)))
        }
        JobSpec::Bench(b) => Report::Benched(b.candidate.tier, Ok(Arc::new(timed()))),
        JobSpec::Compare(tier, r, policy) => {
            let mut again = (*r).clone();
            again.comparison = compare(&r.inputs, &r.oracle, &r.candidate, &policy);
            Report::Checked(tier, Ok(Arc::new(again)))
        }
        JobSpec::Trace(.., row) => Report::Traced(row, vec![span(SOURCE, "celsius * 9.0 / 5.0")]),
    }
}

/// The workbench under test.
pub struct Bench {
    pub state: State,
    /// Whether jobs are answered at once.
    pub answering: bool,
    pub pending: Vec<(u64, JobSpec)>,
    pub recorded: Vec<Entry>,
    pub copied: Vec<String>,
    /// What the editor makes of a text.
    pub editor: fn(&str) -> Result<String, String>,
    pub quit: bool,
    pub effects: Vec<String>,
}

impl Bench {
    pub fn empty(width: u16, height: u16) -> Bench {
        let entry = |i, title: &str| ChooserEntry {
            origin: Origin::Sample(i),
            title: title.into(),
            detail: "what it shows".into(),
        };
        let config = Config {
            rows: 1000,
            seed: 42,
            data: None,
            settings: Settings::default(),
            runners: Default::default(),
            who: "ada".into(),
            chooser: vec![entry(0, "ToFahrenheit"), entry(1, "riskBand")],
        };
        Bench {
            state: State::new(config, Size { width, height }),
            answering: true,
            pending: Vec::new(),
            recorded: Vec::new(),
            copied: Vec::new(),
            editor: |t| Ok(t.to_owned()),
            quit: false,
            effects: Vec::new(),
        }
    }

    /// With the sample UDF open.
    pub fn open(width: u16, height: u16) -> Bench {
        let mut bench = Bench::empty(width, height);
        bench.send(Event::Open(Origin::File(PathBuf::from("ToFahrenheit.scala")), None));
        bench
    }

    pub fn send(&mut self, event: Event) {
        for effect in update(&mut self.state, event) {
            self.effects.push(format!("{effect:?}").chars().take(40).collect());
            match effect {
                Effect::StartJob(id, spec) if self.answering => {
                    let kind = spec.kind();
                    let report = answer(spec);
                    self.send(Event::Report(kind, id, report));
                }
                Effect::StartJob(id, spec) => self.pending.push((id, spec)),
                Effect::Append(entry) => self.recorded.push(*entry),
                Effect::OpenEditor { tier, text, .. } => {
                    let result = (self.editor)(&text);
                    self.send(Event::Edited(tier, result));
                }
                Effect::Copy(text) => self.copied.push(text),
                Effect::SaveSession(path) => self.send(Event::Session(SessionNews::Saved(path))),
                Effect::Quit => self.quit = true,
                _ => {}
            }
        }
    }

    /// Strikes keys, separated by blanks; `"text"` is typed letter by letter.
    pub fn press(&mut self, keys: &str) -> &mut Bench {
        let mut rest = keys.trim_start();
        while !rest.is_empty() {
            if let Some(quoted) = rest.strip_prefix('"') {
                let end = quoted.find('"').expect("a closing quote");
                for c in quoted[..end].chars() {
                    self.send(Event::Key(rewright::app::key::Key::char(c)));
                }
                rest = quoted[end + 1..].trim_start();
            } else {
                let end = rest.find(' ').unwrap_or(rest.len());
                self.send(Event::Key(rest[..end].parse().expect("a key")));
                rest = rest[end..].trim_start();
            }
        }
        self
    }

    pub fn buffer(&self, theme: &Theme) -> Buffer {
        let Size { width, height } = self.state.size;
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        view(&self.state, theme, area, &mut buffer);
        buffer
    }

    /// The screen as a picture, right-trimmed.
    pub fn screen(&self) -> String {
        picture(&self.buffer(&Theme::preset("mono").expect("a preset")))
    }

    /// The line of the screen that holds a text.
    pub fn line(&self, part: &str) -> String {
        let screen = self.screen();
        let line = screen.lines().find(|l| l.contains(part));
        line.unwrap_or_else(|| panic!("{part:?} is not on screen:\n{screen}"))
            .to_owned()
    }

    /// The roles of a line that holds a text: `role(text)` for every run that is not plain.
    pub fn explain(&self, part: &str) -> String {
        let buffer = self.buffer(&Theme::probe());
        let lines = picture(&buffer);
        let y = lines.lines().position(|l| l.contains(part));
        let y = y.unwrap_or_else(|| panic!("{part:?} is not on screen:\n{lines}"));
        explain(&buffer, y as u16)
    }
}

pub fn picture(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
            line.push_str(symbol);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Runs of cells by role, in the probe theme: foreground roles by name, background roles after a plus.
pub fn explain(buffer: &Buffer, y: u16) -> String {
    let role = |c: Option<Color>| match c {
        Some(Color::Indexed(i)) => Role::ALL.get(i as usize).map(|r| r.name()),
        _ => None,
    };
    let mut runs: Vec<(String, String)> = Vec::new();
    for x in 0..buffer.area.width {
        let cell = &buffer[(x, y)];
        let (fg, bg) = (role(cell.style().fg), role(cell.style().bg));
        let name = match (fg, bg) {
            (f, Some(b)) => format!("{}+{b}", f.unwrap_or("text")),
            (Some(f), None) => f.to_owned(),
            (None, None) => String::new(),
        };
        match runs.last_mut() {
            Some((n, text)) if *n == name => text.push_str(cell.symbol()),
            _ => runs.push((name, cell.symbol().to_owned())),
        }
    }
    let shown = runs
        .iter()
        .filter(|(n, t)| !n.is_empty() && n != "text" && n != "border" && !t.trim().is_empty());
    let shown: Vec<String> = shown.map(|(n, t)| format!("{n}({})", t.trim())).collect();
    shown.join(" ")
}
