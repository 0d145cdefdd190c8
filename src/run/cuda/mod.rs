//! Runs CUDA candidates from their text: on a GPU of this machine (`cuda`), or compiled for the CPU where there is none
//! (`cuda-host`, an emulation). In: C++ with one kernel, and columns; out: outcomes. The kernel itself only ever runs in a child
//! process, so that a crash, a fault of the device or an endless loop ends the child and nothing else.

mod cache;
mod chain;
mod codes;
mod device;
mod engine;
mod host;
mod machine;
mod made;
mod making;
mod memory;
mod pack;
mod params;
mod plan;
mod server;
pub mod setup;
mod shape;
mod time;
mod tokens;
mod worker;

pub use chain::{Chain, ChainJob, Step, run_chain};
pub use device::Nvrtc;
pub use engine::CudaEngine;
pub use host::Compiler;
pub(crate) use made::make;
pub use memory::{Memory, memory};
pub use server::{Compiled, Kind, Survey, compile_check, survey, this_is_the_program, worker_process};
pub use shape::{ROWS_PER_THREAD, THREADS_PER_BLOCK};
pub use time::{Beside, Timed, Timing, has_no_room, time};
pub use worker::serve;

use crate::run::EngineId;

/// What a candidate's file is called in messages of its compilers.
const FILE: &str = "candidate.cu";

/// Whether a GPU seems to be there: looks for the driver's device files and starts nothing.
pub fn has_gpu() -> bool {
    ["/dev/nvidia0", "/dev/nvidiactl", "/dev/dxg"]
        .iter()
        .any(|p| std::path::Path::new(p).exists())
}

/// The engine for the cuda tier where the user asks for none: the real one if there is a GPU, else the emulation if there is a C++
/// compiler, else none.
pub fn usual_engine() -> Option<EngineId> {
    if has_gpu() {
        return Some(EngineId::Cuda);
    }
    Compiler::program().map(|_| EngineId::CudaHost)
}
