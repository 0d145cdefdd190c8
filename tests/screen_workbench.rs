//! The screen as pictures, scripts and roles: keys in, screens out, jobs answered by a fake.

mod support;

use insta::assert_snapshot;
use rewright::app::event::{Event, MouseKind, Size};
use rewright::app::job::JobKind;
use rewright::app::keys;
use rewright::session::Entry;
use rewright::view::theme::Theme;
use support::{Bench, answer};

const FUSED: fn(&str) -> Result<String, String> = |_| Ok("val scale = fromDouble(9.0 / 5.0)\n".into());

#[test]
fn any_size_draws_something_and_never_panics() {
    let sizes = [
        (1, 1),
        (10, 5),
        (59, 40),
        (60, 16),
        (79, 24),
        (80, 24),
        (110, 16),
        (120, 40),
        (200, 60),
        (300, 8),
    ];
    let scripts = [
        "",
        "t",
        "t Enter",
        "?",
        ":",
        "c",
        "t p",
        "t f",
        "e d",
        "t / \"x\"",
        "Tab t",
        "3",
        "t p Enter",
        "e q",
        "s",
    ];
    for (width, height) in sizes {
        for script in scripts {
            let mut bench = Bench::open(width, height);
            bench.editor = FUSED;
            bench.press(script);
            let screen = bench.screen();
            assert!(!screen.trim().is_empty(), "{width}x{height} {script}");
            bench.send(Event::Resize(Size { width: 7, height: 3 }));
            bench.press("j G Ctrl-d k");
            bench.screen();
            rewright::view::plain(&bench.state);
        }
        let screen = Bench::empty(width, height).screen();
        assert!(!screen.trim().is_empty(), "{width}x{height}");
    }
}

#[test]
fn the_whole_way() {
    let mut bench = Bench::open(120, 30);
    bench.press("t");
    assert!(bench.line("1,000 tested").contains("= equal"), "{}", bench.screen());
    bench.editor = FUSED;
    bench.press("e");
    let title = bench.line("1,000 tested");
    assert!(
        title.contains("! different") && title.contains("last-ulp (≤ 1 ulp)"),
        "{title}"
    );
    let first = bench.state.work.as_ref().unwrap().mismatch().unwrap();
    bench.press("n");
    let second = bench.state.work.as_ref().unwrap().mismatch().unwrap();
    assert!(second.row > first.row);
    bench.press("N N");
    assert!(
        bench.line("this is the first one").contains("first"),
        "{}",
        bench.screen()
    );
    bench.press("d");
    assert!(bench.line("+ val scale").contains('+'));
    bench.press("Esc r");
    assert!(bench.line("1,000 tested").contains("= equal"));
    bench.press("u");
    assert!(
        bench.line("1,000 tested").contains("! different"),
        "undo brings the edit back, tested again"
    );
}

#[test]
fn accepting_a_class_needs_a_reason_and_a_name() {
    let mut bench = Bench::open(120, 30);
    bench.editor = FUSED;
    bench.press("e p Enter Enter");
    assert!(
        bench.line("a reason is needed").contains("why is last-ulp"),
        "{}",
        bench.screen()
    );
    bench.press("\"the last digit does not matter\" Enter");
    assert!(bench.line("who accepts it").contains("ada"));
    bench.press("Enter");
    let title = bench.line("1,000 tested");
    assert!(title.contains("~ equal within policy"), "{title}");
    let accepted = bench.recorded.iter().find_map(|e| match e {
        Entry::Accepted(p) => Some(p.clone()),
        _ => None,
    });
    let accepted = accepted.expect("a recorded entry");
    assert_eq!((accepted.max_ulp, accepted.who.as_str()), (Some(1), "ada"));
    bench.press("p D");
    assert!(bench.line("last-ulp").contains('!'));
    bench.press("Esc");
    assert!(bench.line("1,000 tested").contains("! different"));
    bench.press("u");
    assert!(bench.line("1,000 tested").contains("~ equal within policy"));
}

#[test]
fn roles_tell_what_differs() {
    let mut bench = Bench::open(120, 30);
    bench.editor = FUSED;
    bench.press("e");
    let row = bench.state.work.as_ref().unwrap().mismatch().unwrap();
    let line = bench.explain(&row.original);
    assert!(line.contains("mark("), "{line}");
    assert!(
        line.contains("mismatch+cursor(!)") && line.contains("mismatch(last-ulp)"),
        "{line}"
    );
    // The branch that the row took is lit in the original.
    let source = bench.explain("celsius * 9.0 / 5.0 + 32.0");
    assert!(
        source.contains("text+branch(celsius)") || source.contains("+branch(celsius"),
        "{source}"
    );
    assert!(source.contains("accent(▸)"), "{source}");
    bench.press("Esc r");
    let equal = bench.explain("1,000 tested");
    assert!(equal.contains("match(= equal)"), "{equal}");
}

#[test]
fn not_proven_never_looks_like_a_pass() {
    let mut bench = Bench::open(120, 30);
    bench.editor = |_| Ok("syntax error".into());
    bench.press("e");
    let line = bench.explain("rows ─");
    assert!(line.contains("mismatch(! does not compile"), "{line}");
    assert!(bench.line("try:").contains("look at the marked line"));
}

#[test]
fn a_run_can_be_cancelled_and_late_reports_are_dropped() {
    let mut bench = Bench::open(80, 24);
    bench.answering = false;
    bench.press("t");
    assert!(bench.line("testing…").contains("Ctrl-c cancels"));
    bench.press("Ctrl-c");
    assert!(!bench.quit);
    let (id, spec) = bench.pending.remove(0);
    bench.send(Event::Report(JobKind::Check, id, answer(spec.clone())));
    assert!(bench.line("cancelled").contains("testing"), "{}", bench.screen());
    assert!(bench.line("rows ─").contains("not tested"));
    bench.send(Event::Report(JobKind::Check, id + 7, answer(spec)));
    assert!(bench.line("rows ─").contains("not tested"));
    bench.press("Ctrl-c");
    assert!(bench.quit);
}

#[test]
fn the_oracle_is_switched_and_two_answers_stand_side_by_side() {
    let mut bench = Bench::open(140, 40);
    bench.press("t");
    assert!(bench.line("rewright").contains("oracle embedded · engine cpu"));
    bench.press("o");
    // The header names what the next test runs on, because the last one is out of date.
    assert!(bench.line("rewright").contains("oracle jvm"), "{}", bench.screen());
    assert!(bench.line("1,000 tested").contains("before the last change"));
    assert!(
        bench.effects.iter().any(|e| e.starts_with("WarmUp")),
        "{:?}",
        bench.effects
    );
    bench.answering = false;
    bench.press("t");
    let (_, spec) = bench.pending.pop().expect("a test was asked for");
    let rewright::app::job::JobSpec::Check(spec) = spec else {
        panic!("{spec:?}");
    };
    assert_eq!(spec.runners.oracle, rewright::run::EngineId::Jvm);
    assert!(
        spec.before.is_some(),
        "the earlier oracle's answer is there to be held against"
    );
}

#[test]
fn a_recorded_session_runs_no_foreign_code_before_it_is_trusted() {
    let mut live = Bench::open(120, 40);
    live.press("t o");
    let mut bench = Bench::empty(120, 40);
    for entry in live.recorded.drain(..) {
        bench.send(Event::Recorded(Box::new(entry)));
    }
    assert!(bench.line("rewright").contains("oracle jvm"), "{}", bench.screen());
    bench.answering = false;
    bench.press("t");
    assert!(bench.pending.is_empty() && !bench.effects.iter().any(|e| e.starts_with("WarmUp")));
    assert!(bench.screen().contains("do you trust it"), "{}", bench.screen());
    bench.press("\"no\" Enter");
    assert!(bench.line("rewright").contains("oracle embedded"), "{}", bench.screen());
    bench.press("o \"yes\" Enter");
    assert_eq!(bench.pending.len(), 1, "trusted: the test starts at once");
}

#[test]
fn the_header_tells_how_the_worker_is() {
    use rewright::run::spark::{WorkerState, WorkerStatus};
    let mut bench = Bench::open(160, 40);
    let mut shown = |state: WorkerState, starts: u64| {
        bench.send(Event::Workers(vec![WorkerStatus { state, starts }]));
        bench.line("rewright")
    };
    assert!(!shown(WorkerState::Off, 0).contains("jvm"));
    assert!(shown(WorkerState::Starting, 0).contains("jvm starting"));
    assert!(shown(WorkerState::Ready, 1).contains("jvm ready"));
    assert!(shown(WorkerState::Warming, 1).contains("jvm starting"));
    assert!(shown(WorkerState::Starting, 1).contains("jvm restarting"));
    assert!(shown(WorkerState::Ready, 2).contains("jvm restarted"));
    assert!(shown(WorkerState::Lost("killed".into()), 2).contains("! jvm lost, L why"));
    bench.press("L");
    assert!(bench.effects.last().is_some_and(|e| e.starts_with("WorkerLog")));
    bench.send(Event::WorkerLog("one\ntwo".into()));
    assert!(bench.screen().contains("what the JVM worker wrote") && bench.screen().contains("two"));
}

#[test]
fn quitting_asks_once_about_unsaved_work() {
    let mut bench = Bench::open(80, 24);
    bench.press("t q");
    assert!(bench.quit, "a test alone is recorded and needs no question");
    let mut bench = Bench::open(80, 24);
    bench.editor = FUSED;
    bench.press("e q");
    assert!(!bench.quit && bench.line("no name yet").contains('s'));
    bench.press("Esc q s Ctrl-u \"mine\" Enter");
    assert!(bench.quit);
    assert_eq!(
        bench.state.keeping.saved.as_deref(),
        Some(std::path::Path::new("mine.rw"))
    );
}

#[test]
fn the_footer_shows_only_what_is_possible() {
    let mut bench = Bench::open(120, 30);
    let before = bench.line("? help");
    assert!(
        before.contains("t test") && !before.contains("n/N") && !before.contains("r revert"),
        "{before}"
    );
    bench.editor = FUSED;
    bench.press("e");
    let after = bench.line("? help");
    assert!(
        after.contains("n/N mismatch") && after.contains("r revert") && after.contains("q quit"),
        "{after}"
    );
}

#[test]
fn find_palette_filter_and_mouse() {
    let mut bench = Bench::open(120, 30);
    bench.press("Shift-Tab / \"else\" Enter");
    assert_eq!(bench.state.work.as_ref().unwrap().source.cursor, 3);
    bench.press(": \"tier-sql\" Enter");
    assert!(bench.line("rewrite ─").contains("[1 sql]"), "{}", bench.screen());
    bench.press("2");
    bench.editor = FUSED;
    bench.press("e f j Enter");
    assert!(
        bench.line("1,000 tested").contains("only last-ulp"),
        "{}",
        bench.screen()
    );
    let rows = bench.state.layout().rows.unwrap();
    bench.send(Event::Mouse(MouseKind::Click, 5, rows.y + 4));
    assert_eq!(bench.state.work.as_ref().unwrap().rows_scroll.cursor, 2);
    bench.send(Event::Mouse(MouseKind::WheelDown, 5, rows.y + 4));
    assert_eq!(bench.state.work.as_ref().unwrap().rows_scroll.cursor, 5);
}

#[test]
fn control_sequences_never_reach_the_screen() {
    let mut bench = Bench::empty(100, 24);
    let text = "// \u{1b}[2J\u{1b}]0;owned\u{7} \u{202e}evil\nclass A";
    let origin = rewright::app::event::Origin::File("a\u{1b}[31m.scala".into());
    let opened = support::opened_text(origin.clone(), "a\u{1b}[31m.scala", text);
    bench.answering = false;
    bench.send(Event::Open(origin, None));
    let (id, _) = bench.pending.remove(0);
    let report = rewright::app::job::Report::Opened(Ok(std::sync::Arc::new(opened)));
    bench.send(Event::Report(JobKind::Open, id, report));
    for theme in Theme::presets() {
        let buffer = bench.buffer(&Theme::preset(theme).unwrap());
        let harmful = |c: char| c.is_control() || c == '\u{202e}';
        assert!(buffer.content.iter().all(|c| !c.symbol().contains(harmful)));
    }
    assert!(!rewright::view::plain(&bench.state).contains('\u{1b}'));
}

#[test]
fn a_hundred_thousand_mismatches_draw_in_a_frame() {
    let mut bench = Bench::open(200, 60);
    bench.state.work.as_mut().unwrap().rows_wanted = 500_000;
    bench.editor = FUSED;
    bench.press("e");
    let listed = bench.state.work.as_ref().unwrap().rows.len();
    assert!(listed > 100_000, "{listed}");
    let theme = Theme::preset("default").unwrap();
    let start = std::time::Instant::now();
    for _ in 0..20 {
        bench.press("Ctrl-d");
        bench.buffer(&theme);
    }
    let frame = start.elapsed() / 20;
    // Generous, since tests run unoptimised and beside others; benches measure the release build.
    assert!(frame.as_millis() < 250, "{frame:?}");
}

#[test]
fn the_readme_has_the_key_table() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    if let Ok(text) = std::fs::read_to_string(readme) {
        assert!(
            text.contains(&keys::markdown()),
            "README.md: replace the key table: cargo run --example demo"
        );
    }
}

#[test]
fn the_start_screen() {
    let mut bench = Bench::empty(80, 24);
    bench.editor = FUSED;
    bench.press("");
    assert_snapshot!(bench.screen(), @r#"
 rewright  a UDF and its rewrite, tested against each other               0.1.0
┌ open a sample or a session ─────────────────── rewright FILE opens your own ─┐
│▸ sample   ToFahrenheit   what it shows                                       │
│  sample   riskBand       what it shows                                       │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
└──────────────────────────────────────────────────────────────────────────────┘

 Enter open  : commands  ? help  q quit
"#);
}

#[test]
fn an_open_udf_at_eighty_columns() {
    let mut bench = Bench::open(80, 24);
    bench.editor = FUSED;
    bench.press("");
    assert_snapshot!(bench.screen(), @r#"
 rewright  ToFahrenheit.scala › ToFahrenheit(celsius: Double?) → Dou… ○ unsaved
┌ original ─ scala ────────────────────────────────────────────────────────────┐
│ 1  class ToFahrenheit extends Function1[java.lang.Double, java.lang.Double] {│
│ 2    override def apply(celsius: java.lang.Double): java.lang.Double =       │
│ 3      if (celsius == null) null                                             │
│ 4      else celsius * 9.0 / 5.0 + 32.0                                       │
│ 5  }                                                                         │
└──────────────────────────────────────────────────────────────────────────────┘
┌ rewrite ─  1 sql [2 cudf] 3 cuda -  ───────────────── exact? no: c says why ─┐
│ 1  class ToFahrenheit extends RapidsUDF {                                    │
│ 2    def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = │
│ 3      Using.Manager { use =>                                                │
│ 4        val nine = use(Scalar.fromDouble(9.0))                              │
│ 5        use(args.head.mul(nine)).div(five)                                  │
└──────────────────────────────────────────────────────────────────────────────┘
┌ rows ─ not tested ───────────────────────────────────────────────────────────┐
│ t tests 1,000 rows against the original                                      │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
└──────────────────────────────────────────────────────────────────────────────┘
                                   oracle embedded · engine cpu (emulates cuDF)
 t test  b bench  1/2/3 tier  e edit  s save  / find  c notes  ? help  q quit
"#);
}

#[test]
fn mismatches_at_eighty_columns() {
    let mut bench = Bench::open(80, 24);
    bench.editor = FUSED;
    bench.press("e");
    assert_snapshot!(bench.screen(), @r#"
 rewright  ToFahrenheit.scala › ToFahrenheit(celsius: Double?) → Dou… ○ unsaved
┌ original ─ scala ────────────────────────────────────────────────────────────┐
│ 1  class ToFahrenheit extends Function1[java.lang.Double, java.lang.Double] {│
│ 2    override def apply(celsius: java.lang.Double): java.lang.Double =       │
│ 3      if (celsius == null) null                                             │
│ 4▸     else celsius * 9.0 / 5.0 + 32.0                                       │
│ 5  }                                                                         │
└──────────────────────────────────────────────────────────────────────────────┘
┌ rewrite ─  1 sql [2 cudf !] 3 cuda -  ────────────────────── edited by hand ─┐
│ 1  val scale = fromDouble(9.0 / 5.0)                                         │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
└──────────────────────────────────────────────────────────────────────────────┘
┌ rows ─ 1,000 tested · ! different: 232 last-ulp (≤ 1 ulp) ─────────── 1/232 ─┐
│      row  celsius   original            rewrite             Δ      class     │
│ ▸!     1  -4999.63  -8967.333999999999  -8967.334           1 ulp  last-ulp  │
│  !     9  -4996.67  -8962.006           -8962.006000000001  1 ulp  last-ulp  │
│  !    12  -4995.56  -8960.008           -8960.008000000002  1 ulp  last-ulp  │
│  !    13  -4995.19  -8959.342           -8959.341999999999  1 ulp  last-ulp  │
└──────────────────────────────────────────────────────────────────────────────┘
 row 1: -8967.333999999999 → -896… oracle embedded · engine cpu (emulates cuDF)
 t test  b bench  1/2/3 tier  Enter open  n/N mismatch  e edit  ? help  q quit
"#);
}

#[test]
fn mismatches_at_a_hundred_and_twenty_columns() {
    let mut bench = Bench::open(120, 30);
    bench.editor = FUSED;
    bench.press("e");
    assert_snapshot!(bench.screen(), @r#"
 rewright  ToFahrenheit.scala › ToFahrenheit(celsius: Double?… oracle embedded · engine cpu (emulates cuDF) · ○ unsaved
┌ original ─ scala ────────────────────────────────────────┐┌ rewrite ─  1 sql [2 cudf !] 3 cuda -  ── edited by hand ─┐
│ 1  class ToFahrenheit extends Function1[java.lang.Double,││ 1  val scale = fromDouble(9.0 / 5.0)                     │
│ 2    override def apply(celsius: java.lang.Double): java.││                                                          │
│ 3      if (celsius == null) null                         ││                                                          │
│ 4▸     else celsius * 9.0 / 5.0 + 32.0                   ││                                                          │
│ 5  }                                                     ││                                                          │
│                                                          ││                                                          │
│                                                          ││                                                          │
│                                                          ││                                                          │
│                                                          ││                                                          │
│                                                          ││                                                          │
│                                                          ││                                                          │
│                                                          ││                                                          │
│                                                          ││                                                          │
│                                                          ││                                                          │
│                                                          ││                                                          │
└──────────────────────────────────────────────────────────┘└──────────────────────────────────────────────────────────┘
┌ rows ─ 1,000 tested · ! different: 232 last-ulp (≤ 1 ulp) ─────────────────────────────────────────────────── 1/232 ─┐
│      row  celsius   original            rewrite             Δ              class                                     │
│ ▸!     1  -4999.63  -8967.333999999999  -8967.334           1 ulp 1.8e-12  last-ulp                                  │
│  !     9  -4996.67  -8962.006           -8962.006000000001  1 ulp 1.8e-12  last-ulp                                  │
│  !    12  -4995.56  -8960.008           -8960.008000000002  1 ulp 1.8e-12  last-ulp                                  │
│  !    13  -4995.19  -8959.342           -8959.341999999999  1 ulp 1.8e-12  last-ulp                                  │
│  !    15  -4994.45  -8958.009999999998  -8958.01            1 ulp 1.8e-12  last-ulp                                  │
│  !    18  -4993.34  -8956.011999999999  -8956.012           1 ulp 1.8e-12  last-ulp                                  │
│  !    23  -4991.49  -8952.681999999999  -8952.682           1 ulp 1.8e-12  last-ulp                                  │
└──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘
 row 1: -8967.333999999999 → -8967.334
 t test  b bench  1/2/3 tier  Enter open  n/N mismatch  e edit  d diff  r revert  u undo  f class  ? help  q quit
"#);
}

#[test]
fn a_record() {
    let mut bench = Bench::open(80, 24);
    bench.editor = FUSED;
    bench.press("e Enter");
    assert_snapshot!(bench.screen(), @r#"
 rewright  ToFahrenheit.scala › ToFahrenheit(celsius: Double?) → Dou… ○ unsaved
┌ record ─ row 1 ───────────────────────────────────────────────── 1–19 of 24 ─┐
│ inputs                                                                       │
│   celsius         -4999.63                                                   │
│                   Float64  bits c0b387a147ae147b                             │
│                                                                              │
│ outcomes                                                                     │
│   original        -8967.333999999999                                         │
│   rewrite         -8967.334                                                  │
│   original bits   c0c183aac083126e                                           │
│   rewrite bits    c0c183aac083126f                                           │
│   ulp             1                                                          │
│   absolute        1.8189894035458565e-12                                     │
│   relative        2.028461751893993e-16                                      │
│                                                                              │
│ class                                                                        │
│   class           ! last-ulp   232 rows                                      │
│   worst           row 999: -8302.666000000001 → -8302.666  1 ulp 1.8e-12     │
│   means           the last digits of a float differ, by at most 4 ulp        │
│   cause           another order of operations, a fused multiply-add or       │
│                   another math library                                       │
└──────────────────────────────────────────────────────────────────────────────┘
 1,000 tested · ! different: 232 … oracle embedded · engine cpu (emulates cuDF)
 t test  b bench  1/2/3 tier  n/N mismatch  u undo  ? help  Esc back  q quit
"#);
}

#[test]
fn one_panel_on_the_smallest_screen() {
    let mut bench = Bench::open(60, 16);
    bench.editor = FUSED;
    bench.press("e");
    assert_snapshot!(bench.screen(), @r#"
 rewright  ToFahrenheit.scala › ToFahrenheit(cel… ○ unsaved
┌ rows ─ 1,000 tested · ! different: 232 last-ulp ( 1/232 ─┐
│      row  cel…  original      rewrite       Δ      class │
│ ▸!     1  -49…  …7.33399999…  -8967.334     1 ulp  last-u│
│  !     9  -49…  -8962.006     ….006000000…  1 ulp  last-u│
│  !    12  -49…  -8960.008     ….008000000…  1 ulp  last-u│
│  !    13  -49…  -8959.342     …9.34199999…  1 ulp  last-u│
│  !    15  -49…  -8958.00999…  -8958.01      1 ulp  last-u│
│  !    18  -49…  …6.01199999…  -8956.012     1 ulp  last-u│
│  !    23  -49…  …2.68199999…  -8952.682     1 ulp  last-u│
│  !    26  -49…  -8950.684     ….684000000…  1 ulp  last-u│
│  !    40  -49…  -8941.35999…  -8941.36      1 ulp  last-u│
│  !    43  -49…  -8939.362     ….362000000…  1 ulp  last-u│
└──────────────────────────────────────────────────────────┘
 row 1: -8967… oracle embedded · engine cpu (emulates cuDF)
 t test  b bench  1/2/3 tier  Enter open  ? help  q quit
"#);
}

#[test]
fn too_small_for_more_than_a_message() {
    let mut bench = Bench::open(40, 10);
    bench.editor = FUSED;
    bench.press("e");
    assert_snapshot!(bench.screen(), @r#"
too small
rewright needs 60×16
this is 40×10
q quits
"#);
}

#[test]
fn the_policy() {
    let mut bench = Bench::open(80, 24);
    bench.editor = FUSED;
    bench.press("e p");
    assert_snapshot!(bench.screen(), @r#"
 rewright  ToFahrenheit.scala › ToFahrenheit(celsius: Double?) → Dou… ○ unsaved
┌ policy ─ Enter accepts, D removes ───────────────────────────────────────────┐
│▸ ! last-ulp                ≤ 1 ulp           would accept 232 rows           │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
└──────────────────────────────────────────────────────────────────────────────┘
 1,000 tested · ! different: 232 … oracle embedded · engine cpu (emulates cuDF)
 Enter open  u undo  D remove  : commands  ? help  Esc back  q quit
"#);
}

#[test]
fn a_tier_that_cannot_express_it() {
    let mut bench = Bench::open(80, 24);
    bench.editor = FUSED;
    bench.press("3");
    assert_snapshot!(bench.screen(), @r#"
 rewright  ToFahrenheit.scala › ToFahrenheit(celsius: Double?) → Dou… ○ unsaved
┌ original ─ scala ────────────────────────────────────────────────────────────┐
│ 1  class ToFahrenheit extends Function1[java.lang.Double, java.lang.Double] {│
│ 2    override def apply(celsius: java.lang.Double): java.lang.Double =       │
│ 3      if (celsius == null) null                                             │
│ 4      else celsius * 9.0 / 5.0 + 32.0                                       │
│ 5  }                                                                         │
└──────────────────────────────────────────────────────────────────────────────┘
┌ rewrite ─  1 sql  2 cudf [3 cuda -] ─────────────────────────────────────────┐
│ - cuda cannot express this UDF:                                              │
│ ToFahrenheit.scala:3: the fake knows no kernels                              │
│                                                                              │
│ e writes one by hand; 1 2 3 show the other tiers                             │
│                                                                              │
└──────────────────────────────────────────────────────────────────────────────┘
┌ rows ─ not tested ───────────────────────────────────────────────────────────┐
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
└──────────────────────────────────────────────────────────────────────────────┘
                                             oracle embedded · engine none here
 1/2/3 tier  e edit  s save  / find  c notes  w watch  y copy  ? help  q quit
"#);
}

#[test]
fn the_engine_key_goes_through_the_engines_of_the_tier() {
    let mut bench = Bench::open(160, 30);
    bench.press("3").press("E");
    assert!(
        bench.screen().contains("engine cuda-host (emulates CUDA)"),
        "{}",
        bench.screen()
    );
    bench.press("E");
    assert!(bench.screen().contains("engine cuda"), "{}", bench.screen());
    assert!(!bench.screen().contains("emulates CUDA"), "{}", bench.screen());
    bench.press("1");
    assert!(bench.screen().contains("engine cpu"), "{}", bench.screen());
}

#[test]
fn the_question_about_unsaved_work() {
    let mut bench = Bench::open(80, 24);
    bench.editor = FUSED;
    bench.press("e q");
    assert_snapshot!(bench.screen(), @r#"
 rewright  ToFahrenheit.scala › ToFahrenheit(celsius: Double?) → Dou… ○ unsaved
┌ original ─ scala ────────────────────────────────────────────────────────────┐
│ 1  class ToFahrenheit extends Function1[java.lang.Double, java.lang.Double] {│
│ 2    override def apply(celsius: java.lang.Double): java.lang.Double =       │
│ 3      if (celsius == null) null                                             │
│ 4▸     else celsius * 9.0 / 5.0 + 32.0                                       │
│ 5  }                                                                         │
└──────────────────────────────────────────────────────────────────────────────┘
┌ rewrite ─  1 sql [2 cudf !] 3 cuda -  ────────────────────── edited by hand ─┐
│ 1  val scale = fromDouble(9.0 / 5.0)                                         │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
└──────────────────────────────────────────────────────────────────────────────┘
┌ rows ─ 1,000 tested · ! different: 232 last-ulp (≤ 1 ulp) ─────────── 1/232 ─┐
│      row  celsius   original            rewrite             Δ      class     │
│ ▸!     1  -4999.63  -8967.333999999999  -8967.334           1 ulp  last-ulp  │
│  !     9  -4996.67  -8962.006           -8962.006000000001  1 ulp  last-ulp  │
│  !    12  -4995.56  -8960.008           -8960.008000000002  1 ulp  last-ulp  │
│  !    13  -4995.19  -8959.342           -8959.341999999999  1 ulp  last-ulp  │
└──────────────────────────────────────────────────────────────────────────────┘
 no name yet: s saves, q quits (kept among recent sessions), Esc goes back
 s save  Esc back  q quit
"#);
}

#[test]
fn notes_and_evidence() {
    let mut bench = Bench::open(80, 24);
    bench.editor = FUSED;
    bench.press("t c");
    assert_snapshot!(bench.screen(), @r#"
 rewright  ToFahrenheit.scala › ToFahrenheit(celsius: Double?) → Dou… ○ unsaved
┌ notes ───────────────────────────────────────────────────────────────────────┐
│ the cudf proposal                                                            │
│ rank 1: every operation has a cuDF call                                      │
│ ~ last-ulp  only on a GPU, ToFahrenheit.scala:4                              │
│   a GPU may contract the product and the sum                                 │
│                                                                              │
│ how the counts came about                                                    │
│ = equal: 1,000 rows compared, 0 differ                                       │
│ oracle embedded 0.1.0 (zone UTC)                                             │
│ engine cpu 0.1.0 (zone UTC)                                                  │
│ the same without a screen: rewright check ToFahrenheit.scala --udf           │
│ ToFahrenheit --tier cudf --rows 1000 --seed 42 --oracle embedded             │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
│                                                                              │
└──────────────────────────────────────────────────────────────────────────────┘
 1,000 tested · = equal            oracle embedded · engine cpu (emulates cuDF)
 y copy  : commands  ? help  Esc back  q quit
"#);
}
