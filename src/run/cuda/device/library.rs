//! Finds NVRTC, the compiler of kernels. In: the cache, the environment, the usual folders; out: a library that was loaded
//! with what it needs, or what is missing. Loading happens in a worker process only.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::run::spark::cache_dir;

/// An NVRTC that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nvrtc {
    /// The library.
    pub library: PathBuf,
    /// What it needs beside it, if that lies in the same folder.
    builtins: Option<PathBuf>,
    /// What named it, in words.
    pub by: String,
}

impl Nvrtc {
    /// The one that `rewright setup cuda` made, else that of `CUDA_HOME` or `CUDA_PATH`, of a Python environment, of the usual
    /// folders. One that only the loader knows is found when it is loaded. `major` is preferred where there are several.
    pub fn find(major: Option<u32>) -> Option<Nvrtc> {
        let all = Nvrtc::all();
        let fits = |n: &&Nvrtc| major.is_none() || n.major() == major;
        all.iter().find(fits).or(all.first()).cloned()
    }

    fn all() -> Vec<Nvrtc> {
        let mut out = Vec::new();
        for environment in managed() {
            out.extend(in_environment(&environment, "`rewright setup cuda`"));
        }
        for variable in ["CUDA_HOME", "CUDA_PATH"] {
            if let Some(home) = std::env::var_os(variable).filter(|v| !v.is_empty()) {
                out.extend(toolkit(Path::new(&home), variable));
            }
        }
        if let Some(active) = std::env::var_os("VIRTUAL_ENV") {
            out.extend(in_environment(Path::new(&active), "VIRTUAL_ENV"));
        }
        for home in ["/usr/local/cuda", "/opt/cuda"] {
            out.extend(toolkit(Path::new(home), home));
        }
        for folder in ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"] {
            out.extend(Nvrtc::at(Path::new(folder), folder));
        }
        out
    }

    /// The NVRTC of a folder.
    pub fn at(folder: &Path, by: &str) -> Option<Nvrtc> {
        let mut names: Vec<PathBuf> = std::fs::read_dir(folder).ok()?.flatten().map(|e| e.path()).collect();
        names.sort();
        let begins = |prefix: &str| {
            let named = |p: &&PathBuf| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with(prefix));
            names.iter().find(named).cloned()
        };
        Some(Nvrtc {
            library: begins("libnvrtc.so.")?,
            builtins: begins("libnvrtc-builtins.so."),
            by: by.to_owned(),
        })
    }

    /// CUDA's major version, as the file's name tells it.
    pub fn major(&self) -> Option<u32> {
        let name = self.library.file_name()?.to_str()?;
        name.strip_prefix("libnvrtc.so.")?.split('.').next()?.parse().ok()
    }

    /// Loads it, what it needs first, so that it is found by name from now on.
    pub(super) fn load(&self) -> Result<()> {
        for file in self.builtins.iter().chain([&self.library]) {
            let failed = |why: String| {
                Error::not_proven(format!("{} cannot be loaded", file.display()))
                    .because(why)
                    .hint("`rewright setup cuda` gets one that fits")
            };
            let path = CString::new(file.as_os_str().as_bytes()).map_err(|e| failed(e.to_string()))?;
            // SAFETY: the path ends with a zero byte; the library is NVIDIA's, found where the user put it.
            let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
            if handle.is_null() {
                return Err(failed("the loader refuses it".into()));
            }
        }
        Ok(())
    }
}

/// The environments that `rewright setup cuda` made, newest CUDA first.
pub fn managed() -> Vec<PathBuf> {
    let Some(root) = cache_dir().map(|c| c.join("nvrtc")) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = std::fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.join(super::super::setup::COMPLETE).is_file())
        .collect();
    found.sort();
    found.reverse();
    found
}

/// The NVRTC of a Python environment.
pub fn in_environment(environment: &Path, by: &str) -> Option<Nvrtc> {
    let folders = |path: PathBuf| {
        std::fs::read_dir(path)
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
    };
    folders(environment.join("lib"))
        .flat_map(|python| folders(python.join("site-packages/nvidia")))
        .find_map(|package| Nvrtc::at(&package.join("lib"), by))
}

fn toolkit(home: &Path, by: &str) -> Option<Nvrtc> {
    ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"]
        .iter()
        .find_map(|folder| Nvrtc::at(&home.join(folder), by))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_tells_library_and_version() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Nvrtc::at(dir.path(), "test"), None);
        let lib = dir.path().join("lib/python3.11/site-packages/nvidia/cu13/lib");
        std::fs::create_dir_all(&lib).unwrap();
        for name in ["libnvrtc-builtins.so.13.5", "libnvrtc.so.13", "libnvrtc.alt.so.13"] {
            std::fs::write(lib.join(name), "").unwrap();
        }
        let found = in_environment(dir.path(), "test").unwrap();
        assert_eq!(found.major(), Some(13));
        assert_eq!(found.builtins, Some(lib.join("libnvrtc-builtins.so.13.5")));
    }

    #[test]
    fn the_package_for_cuda_12_has_a_folder_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let lib = dir.path().join("lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib");
        std::fs::create_dir_all(&lib).unwrap();
        let all = [
            "libnvrtc-builtins.alt.so.12.9",
            "libnvrtc-builtins.so.12.9",
            "libnvrtc.alt.so.12",
            "libnvrtc.so.12",
        ];
        for name in all {
            std::fs::write(lib.join(name), "").unwrap();
        }
        let found = in_environment(dir.path(), "test").unwrap();
        assert_eq!((found.major(), &found.library), (Some(12), &lib.join("libnvrtc.so.12")));
        assert_eq!(found.builtins, Some(lib.join("libnvrtc-builtins.so.12.9")));
    }
}
