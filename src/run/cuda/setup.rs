//! Gets NVRTC, the compiler of CUDA kernels: a virtual environment in the cache with NVIDIA's package from the package index. In:
//! CUDA's major version; out: the compiler, with progress on the way. It needs no GPU. Never touches anything outside of the cache.

use super::device::{Nvrtc, in_environment};
use crate::error::{Error, Result};
use crate::run::spark::cache_dir;
use crate::run::spark::setup::{install, make_environment, no_room};

/// Marks an environment as whole.
pub(super) const COMPLETE: &str = crate::run::spark::setup::COMPLETE;
/// What helps where it cannot be made.
const INSTEAD: &str = "or set CUDA_HOME to a CUDA toolkit";

/// The versions of CUDA that can be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// CUDA 12, for drivers from 525 on.
    V12,
    /// CUDA 13, for drivers from 580 on.
    V13,
}

impl Version {
    /// The name on the command line, and of the folder.
    pub fn name(self) -> &'static str {
        match self {
            Version::V12 => "12",
            Version::V13 => "13",
        }
    }

    /// What the package index is asked for.
    fn requirement(self) -> &'static str {
        match self {
            Version::V12 => "nvidia-cuda-nvrtc-cu12",
            Version::V13 => "nvidia-cuda-nvrtc>=13,<14",
        }
    }
}

/// Makes it, or finds it made. `progress` gets a line for each step.
pub fn setup(version: Version, progress: &mut dyn FnMut(&str)) -> Result<Nvrtc> {
    let root = cache_dir()
        .ok_or_else(|| Error::not_proven("there is no place for a cache").hint("set HOME or XDG_CACHE_HOME"))?
        .join("nvrtc");
    let environment = root.join(version.name());
    let by = "`rewright setup cuda`";
    if environment.join(COMPLETE).is_file()
        && let Some(found) = in_environment(&environment, by)
    {
        progress(&format!("{} is there already", found.library.display()));
        return Ok(found);
    }
    std::fs::create_dir_all(&root).map_err(|e| no_room(&root, &e))?;
    if !environment.join("bin/pip").exists() {
        progress(&format!("making a Python environment in {}", environment.display()));
        make_environment(&environment, INSTEAD)?;
    }
    progress(&format!(
        "installing {} (up to 90 MB to fetch and 250 MB on disk; the package index is asked)",
        version.requirement()
    ));
    install(&environment, version.requirement(), INSTEAD, progress)?;
    let found = in_environment(&environment, by).ok_or_else(|| {
        Error::not_proven(format!(
            "{} was installed into {} without libnvrtc",
            version.requirement(),
            environment.display()
        ))
    })?;
    let name = found.library.display().to_string();
    std::fs::write(environment.join(COMPLETE), name).map_err(|e| no_room(&root, &e))?;
    Ok(found)
}
