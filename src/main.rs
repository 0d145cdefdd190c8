//! The `rewright` binary: a thin shell over the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(rewright::cli::main(std::env::args_os()))
}
