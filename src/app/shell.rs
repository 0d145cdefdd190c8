//! The shell around the state machine: reads the terminal, runs effects, draws. In: options; out: an exit code. Holds no
//! state of the work itself.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGCONT, SIGHUP, SIGTERM, SIGTSTP};
use signal_hook::low_level::emulate_default_handler;

use crate::check::Runners;
use crate::error::{Error, Result};
use crate::run::Settings;
use crate::run::spark::Server;
use crate::samples::SAMPLES;
use crate::session::{self, Recorder};
use crate::source::SourceFile;
use crate::view::theme::Theme;
use crate::view::view;

use super::clipboard;
use super::editor;
use super::event::{Effect, Event, Origin, Size};
use super::input;
use super::runner::Runner;
use super::state::{ChooserEntry, Config, State};
use super::terminal::Screen;
use super::update::update;
use super::watch::Watch;
use super::work::Workshop;

/// How long the loop may take to end by itself after a signal that ends the program.
const LAST_GRACE: Duration = Duration::from_secs(2);
/// Sessions that the start screen lists.
const RECENT: usize = 30;

/// What the command line decides.
#[derive(Debug, Clone)]
pub struct Options {
    /// A source file to open.
    pub file: Option<PathBuf>,
    /// Which UDF of it.
    pub udf: Option<String>,
    /// A session to open instead.
    pub session: Option<PathBuf>,
    /// A theme's name; else the environment decides.
    pub theme: Option<String>,
    /// Whether wheel and click are wanted.
    pub mouse: bool,
    /// Rows that a test generates.
    pub rows: usize,
    /// Seed that it generates with.
    pub seed: u64,
    /// A data file whose rows are tested instead.
    pub data: Option<PathBuf>,
    /// Zone and ANSI mode.
    pub settings: Settings,
    /// What runs the two sides.
    pub runners: Runners,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            file: None,
            udf: None,
            session: None,
            theme: None,
            mouse: true,
            rows: 100_000,
            seed: 42,
            data: None,
            settings: Settings::default(),
            runners: Runners::default(),
        }
    }
}

/// Entries of the start screen: samples, then recent sessions.
pub fn chooser() -> Vec<ChooserEntry> {
    let sample = |(i, s): (usize, &crate::samples::Sample)| ChooserEntry {
        origin: Origin::Sample(i),
        title: s.udf.to_owned(),
        detail: s.title.to_owned(),
    };
    let session = |s: session::Summary| ChooserEntry {
        title: s
            .path
            .file_name()
            .unwrap_or(s.path.as_os_str())
            .to_string_lossy()
            .into_owned(),
        detail: match s.trouble {
            Some(why) => why,
            None => format!("{} of {}, {} steps", s.udf, s.source.display(), s.steps),
        },
        origin: Origin::Session(s.path),
    };
    let sessions = session::list(&session::standard_places());
    let samples = SAMPLES.iter().enumerate().map(sample);
    samples.chain(sessions.into_iter().take(RECENT).map(session)).collect()
}

/// Opens the workbench and stays until the user quits.
pub fn run(options: Options) -> Result<u8> {
    let var = |name| std::env::var(name).ok();
    let no_color = var("NO_COLOR").is_some_and(|v| !v.is_empty());
    let theme = Theme::for_environment(options.theme.as_deref(), no_color, var("TERM").as_deref())?;
    if let Some(file) = &options.file {
        // Told in the shell, where it was typed, rather than on a screen that then is empty.
        SourceFile::read(file)?;
    }
    if let Some(data) = &options.data {
        std::fs::File::open(data).map_err(|e| Error::input(format!("cannot read {}", data.display())).because(e))?;
    }
    let screen = Screen::enter(options.mouse)?;
    let config = Config {
        rows: options.rows,
        seed: options.seed,
        data: options.data.clone(),
        settings: options.settings.clone(),
        runners: options.runners.clone(),
        who: var("USER").or_else(|| var("LOGNAME")).unwrap_or_default(),
        chooser: chooser(),
    };
    let mut shell = Shell::new(screen, theme, config)?;
    let first = match (options.session, options.file) {
        (Some(session), _) => Some(Event::Open(Origin::Session(session), None)),
        (None, Some(file)) => Some(Event::Open(Origin::File(file), options.udf)),
        (None, None) => None,
    };
    if let Some(event) = first {
        shell.step(event)?;
    }
    let code = shell.work();
    shell.give_back();
    code
}

struct Shell {
    screen: Screen,
    theme: Theme,
    state: State,
    runner: Runner,
    recorder: Recorder,
    events: Receiver<Event>,
    signals: Receiver<i32>,
    watch: Option<Watch>,
    started: Instant,
    over: Option<u8>,
}

impl Shell {
    fn new(screen: Screen, theme: Theme, config: Config) -> Result<Shell> {
        let (sender, events) = channel();
        let news = sender.clone();
        let size = screen.terminal.size().map_err(gone)?;
        let size = Size {
            width: size.width,
            height: size.height,
        };
        Ok(Shell {
            state: State::new(config, size),
            runner: Runner::new(Arc::new(Workshop), sender),
            recorder: Recorder::standard(move |n| {
                // The receiver is gone only when the program ends.
                let _ = news.send(Event::Session(n));
            }),
            signals: signals()?,
            watch: None,
            started: Instant::now(),
            over: None,
            screen,
            theme,
            events,
        })
    }

    /// The loop: whatever happened is applied, then the screen is drawn once.
    fn work(&mut self) -> Result<u8> {
        self.draw()?;
        loop {
            let mut changed = false;
            while crossterm::event::poll(Duration::ZERO).map_err(gone)? {
                let raw = crossterm::event::read().map_err(gone)?;
                if let Some(event) = input::translate(raw) {
                    self.step(event)?;
                    changed = true;
                }
                if let Some(code) = self.over {
                    return Ok(code);
                }
            }
            changed |= self.news()?;
            if let Some(code) = self.over {
                return Ok(code);
            }
            if changed {
                self.draw()?;
            }
            // While a job runs its report is looked for often; otherwise only a key, a signal or the watch can come.
            let busy = self.state.jobs.busy().is_some();
            let wait = Duration::from_millis(if busy || changed { 8 } else { 50 });
            crossterm::event::poll(wait).map_err(gone)?;
        }
    }

    /// Reports, signals, the watched file and the clock; whether anything happened.
    fn news(&mut self) -> Result<bool> {
        let mut changed = false;
        while let Ok(event) = self.events.try_recv() {
            self.step(event)?;
            changed = true;
        }
        while let Ok(signal) = self.signals.try_recv() {
            match signal {
                SIGTERM | SIGHUP => self.over = Some(128 + signal as u8),
                SIGTSTP => self.suspend()?,
                _ => self.screen.again().map_err(gone)?,
            }
            changed = true;
        }
        if self.watch.as_mut().is_some_and(Watch::changed) {
            self.step(Event::FileChanged)?;
            changed = true;
        }
        let now = self.started.elapsed().as_millis() as u64;
        if now / 100 != self.state.now_ms / 100 {
            changed |= self.state.jobs.busy().is_some();
            update(&mut self.state, Event::Tick(now));
            let workers = Server::all_statuses();
            if workers != self.state.workers {
                self.step(Event::Workers(workers))?;
                changed = true;
            }
        }
        Ok(changed)
    }

    fn step(&mut self, event: Event) -> Result<()> {
        for effect in update(&mut self.state, event) {
            self.perform(effect)?;
        }
        Ok(())
    }

    fn perform(&mut self, effect: Effect) -> Result<()> {
        match effect {
            Effect::StartJob(id, spec) => self.runner.start(id, spec),
            Effect::Cancel(_, id) => self.runner.cancel(id),
            Effect::Append(entry) => self.recorder.append(entry),
            Effect::NewSession => self.recorder.begin(),
            Effect::SaveSession(path) => self.recorder.save(path),
            Effect::ContinueSession(path) => self.recorder.continue_in(path),
            Effect::OpenEditor {
                tier,
                language,
                text,
                line,
            } => {
                let work = self.state.work.as_ref();
                let name = work.and_then(|w| w.udf()).map(|u| u.name.clone()).unwrap_or_default();
                self.screen.leave();
                let result = editor::edit(tier, language, &name, &text, line);
                self.screen.again().map_err(gone)?;
                self.resized()?;
                self.step(Event::Edited(tier, result))?;
            }
            Effect::Copy(text) => {
                let result = clipboard::copy(&text, &mut std::io::stdout());
                self.step(Event::Copied(result))?;
            }
            Effect::WarmUp(classpath) => match Server::of(&classpath) {
                Ok(server) => server.warm_up(),
                Err(e) => self.state.complain(e.to_string()),
            },
            Effect::WorkerLog => self.step(Event::WorkerLog(Server::logs()))?,
            Effect::Watch(path) => self.watch = path.map(Watch::new),
            Effect::Suspend => self.suspend()?,
            Effect::Redraw => self.screen.forget().map_err(gone)?,
            Effect::Quit => self.over = Some(0),
        }
        Ok(())
    }

    fn suspend(&mut self) -> Result<()> {
        self.screen.leave();
        // Stops this process here, as the key would without a workbench; `fg` continues behind this line.
        emulate_default_handler(SIGTSTP).map_err(gone)?;
        self.screen.again().map_err(gone)?;
        self.resized()
    }

    fn resized(&mut self) -> Result<()> {
        let size = self.screen.terminal.size().map_err(gone)?;
        let (width, height) = (size.width, size.height);
        self.step(Event::Resize(Size { width, height }))
    }

    fn draw(&mut self) -> Result<()> {
        let size = self.screen.terminal.size().map_err(gone)?;
        if (size.width, size.height) != (self.state.size.width, self.state.size.height) {
            self.resized()?;
        }
        let (state, theme) = (&self.state, &self.theme);
        let drawn = self.screen.terminal.draw(|frame| {
            let area = frame.area();
            view(state, theme, area, frame.buffer_mut());
        });
        drawn.map(|_| ()).map_err(gone)
    }

    /// Gives the terminal back first, then waits for the session to be written: a slow disk must not look like a hang.
    fn give_back(mut self) {
        self.screen.leave();
        drop(self.recorder);
    }
}

fn signals() -> Result<Receiver<i32>> {
    let (sender, receiver): (Sender<i32>, Receiver<i32>) = channel();
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGCONT, SIGTSTP]).map_err(gone)?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if sender.send(signal).is_err() {
                return;
            }
            if matches!(signal, SIGTERM | SIGHUP) {
                std::thread::spawn(move || {
                    // A terminal that is gone reads as an endless stream of nothing, in which the event reader spins and
                    // the loop never sees the signal. Steps of the session are on disk already.
                    std::thread::sleep(LAST_GRACE);
                    std::process::exit(128 + signal);
                });
            }
        }
    });
    Ok(receiver)
}

fn gone(e: std::io::Error) -> Error {
    Error::input("the terminal is gone").because(e)
}
