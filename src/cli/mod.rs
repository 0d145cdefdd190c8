//! The shell commands. In: arguments and environment; out: text or JSON on standard output, errors on standard error, an
//! exit code. Everything that the screen can do can be done here.

pub mod args;
mod bench;
mod check;
mod config;
mod doctor;
mod eval;
mod find;
mod output;
mod pick;
mod propose;
mod record;
mod session;
mod setup;
mod shell;
mod verify;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Error, Result};
use crate::run::cuda::{Kind, serve};
use crate::run::spark::Server;
use args::{Cli, Command, SessionCommand, SetupCommand, WorkerCommand};
use output::Output;

/// Parses the arguments, runs the command and gives the exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::parse_line(args) {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version are no errors; clap prints them to standard output.
            let code = u8::from(e.use_stderr()) * 2;
            let _ = e.print();
            return code;
        }
    };
    let mut out = Output::new(&cli.common);
    // A defect has told where it is when it gets here; what it owes is the exit code and the object of `--json`.
    let done = catch_unwind(AssertUnwindSafe(|| dispatch(&cli, &mut out)));
    let code = match done.unwrap_or_else(|_| Err(Error::internal("a defect of rewright ended this command"))) {
        Ok(code) => out.finish(code),
        Err(error) => out.error(&error),
    };
    Server::end_all();
    code
}

fn dispatch(cli: &Cli, out: &mut Output) -> Result<u8> {
    match &cli.command {
        None => open(cli),
        Some(Command::Find(a)) => find::run(a, out),
        Some(Command::Propose(a)) => propose::run(a, out),
        Some(Command::Eval(a)) => eval::run(a, out),
        Some(Command::Check(a)) => check::run(a, cli.common.session.as_deref(), out),
        Some(Command::Bench(a)) => bench::run(a, cli.common.session.as_deref(), out),
        Some(Command::Verify(a)) => verify::run(a, cli.common.session.as_deref(), out),
        Some(Command::Session(SessionCommand::List)) => session::run_list(out),
        Some(Command::Session(SessionCommand::Show { path })) => session::run_show(path, out),
        Some(Command::Replay { path, verify, trust }) => session::run_replay(path, *verify, *trust, out),
        Some(Command::Doctor) => doctor::run(out),
        Some(Command::Setup(SetupCommand::Spark { version })) => setup::run(*version, out),
        Some(Command::Setup(SetupCommand::Cuda { version })) => setup::run_cuda(*version, out),
        Some(Command::Worker(WorkerCommand::Gpu { device })) => Ok(serve(Kind::Device(*device))),
        Some(Command::Worker(WorkerCommand::CudaHost)) => Ok(serve(Kind::Host)),
        Some(Command::Completions { shell }) => shell::completions(*shell, out),
        Some(Command::Man) => shell::man(out),
    }
}

/// The workbench; needs a terminal.
fn open(cli: &Cli) -> Result<u8> {
    let near = cli.file.clone().unwrap_or_else(|| std::path::PathBuf::from("."));
    let config = config::Config::load(&near)?;
    let fallback = crate::app::Options::default();
    crate::app::run(crate::app::Options {
        file: cli.file.clone(),
        udf: cli.udf.clone(),
        session: cli.common.session.clone(),
        theme: cli.theme.clone().or(config.theme.clone()),
        mouse: !cli.no_mouse && config.mouse.unwrap_or(true),
        data: cli.data.clone(),
        rows: config.rows.unwrap_or(fallback.rows),
        seed: config.seed.unwrap_or(fallback.seed),
        settings: pick::settings(&cli.settings, &config)?,
        runners: pick::runners(&cli.settings, &config)?,
    })
}
