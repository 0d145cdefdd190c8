//! Completions and the manual page, both made from the same definition as `--help`.

use clap::CommandFactory;

use super::args::Cli;
use super::output::Output;
use crate::error::{Error, Result};

pub(super) fn completions(shell: clap_complete::Shell, out: &mut Output) -> Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "rewright", &mut text);
    out.bytes(&text);
    Ok(0)
}

pub(super) fn man(out: &mut Output) -> Result<u8> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Cli::command())
        .render(&mut text)
        .map_err(|e| Error::internal("cannot write the manual page").because(e))?;
    out.bytes(&text);
    Ok(0)
}
