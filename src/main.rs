//! The `rewright` binary: a thin shell over the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    rewright::run::cuda::this_is_the_program();
    ExitCode::from(rewright::cli::main(std::env::args_os()))
}
