//! Kernels on the CPU: built by the host's C++ compiler against a shim and called one thread after the other. In: a text and
//! columns; out: outcomes. Only ever called inside of a worker process, since a kernel may crash or never end.

mod compiler;
mod refuse;

pub use compiler::Compiler;

use std::collections::BTreeMap;
use std::ffi::{CString, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use arrow::buffer::{Buffer, MutableBuffer};

use super::machine::{Arg, Machine};
use super::params::Kernel;
use super::shape::Shape;
use crate::error::{Error, Result};

/// Bytes before and behind each block that no kernel may touch.
const FENCE: usize = 128;
const FENCE_BYTE: u8 = 0xFD;

type Launch = unsafe extern "C" fn(args: *mut *mut c_void, blocks: i64, threads: u32);

/// Refuses what cannot be emulated; for both sides of the worker.
pub(super) fn covers(text: &str) -> Result<()> {
    refuse::refuse(text)
}

/// A kernel that was built and loaded.
pub(super) struct HostKernel {
    launch: Launch,
    shape: Shape,
}

/// Builds and loads kernels.
pub(super) struct Host {
    compiler: Compiler,
    folder: PathBuf,
}

impl Host {
    /// With the compiler of this machine.
    pub fn new(folder: &Path) -> Result<Host> {
        Ok(Host {
            compiler: Compiler::find()?,
            folder: folder.to_owned(),
        })
    }

    /// What a kernel was built with.
    pub fn facts(&self) -> (String, BTreeMap<String, String>) {
        let facts = BTreeMap::from([
            ("compiler".to_owned(), self.compiler.program.display().to_string()),
            ("flags".to_owned(), Compiler::flags()),
            ("threads".to_owned(), "one after the other, on the CPU".to_owned()),
        ]);
        (self.compiler.version.clone(), facts)
    }

    /// Builds a kernel and loads it.
    pub fn load(&self, text: &str, kernel: &Kernel) -> Result<HostKernel> {
        let library = self.compiler.build(text, &kernel.name, &self.folder)?;
        open(&library, kernel.shape)
    }
}

fn open(library: &Path, shape: Shape) -> Result<HostKernel> {
    let failed = |what: String| Error::not_proven("the built kernel cannot be loaded").because(what);
    let path = CString::new(library.as_os_str().as_bytes()).map_err(|e| failed(e.to_string()))?;
    let name = CString::new(compiler::LAUNCH).map_err(|e| failed(e.to_string()))?;
    // SAFETY: both texts end with a zero byte. What the library does when it is loaded is the user's code, which is what this
    // process is for. It is never unloaded, so the function stays.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if handle.is_null() {
            let why = libc::dlerror();
            let why = if why.is_null() {
                "no reason given".into()
            } else {
                std::ffi::CStr::from_ptr(why).to_string_lossy().into_owned()
            };
            return Err(failed(why));
        }
        let function = libc::dlsym(handle, name.as_ptr());
        if function.is_null() {
            return Err(failed("it has no launch function".into()));
        }
        Ok(HostKernel {
            launch: std::mem::transmute::<*mut c_void, Launch>(function),
            shape,
        })
    }
}

/// Memory of this process, with fences around each block.
pub(super) struct Fenced {
    name: &'static str,
    buffer: MutableBuffer,
    size: usize,
}

impl Fenced {
    fn new(name: &'static str, size: usize, byte: u8) -> Fenced {
        let mut buffer = MutableBuffer::with_capacity(size + 2 * FENCE);
        buffer.extend_from_slice(&[FENCE_BYTE; FENCE]);
        buffer.resize(FENCE + size, byte);
        buffer.extend_from_slice(&[FENCE_BYTE; FENCE]);
        Fenced { name, buffer, size }
    }

    fn inside(&self) -> &[u8] {
        &self.buffer.as_slice()[FENCE..FENCE + self.size]
    }

    /// Whether something was written outside of the block.
    fn torn(&self) -> bool {
        let all = self.buffer.as_slice();
        let whole = |part: &[u8]| part.iter().all(|b| *b == FENCE_BYTE);
        !whole(&all[..FENCE]) || !whole(&all[FENCE + self.size..])
    }
}

/// Runs one kernel.
pub(super) struct HostMachine<'k> {
    kernel: &'k HostKernel,
    broken: bool,
}

impl HostMachine<'_> {
    /// For a kernel.
    pub fn new(kernel: &HostKernel) -> HostMachine<'_> {
        HostMachine { kernel, broken: false }
    }
}

impl Machine for HostMachine<'_> {
    type Block = Fenced;

    fn input(&mut self, bytes: &[u8]) -> Result<Fenced> {
        let mut block = Fenced::new("an argument", bytes.len(), 0);
        block.buffer.as_slice_mut()[FENCE..FENCE + bytes.len()].copy_from_slice(bytes);
        Ok(block)
    }

    fn filled(&mut self, name: &'static str, size: usize, byte: u8) -> Result<Fenced> {
        Ok(Fenced::new(name, size, byte))
    }

    fn launch(&mut self, args: &[Arg<'_, Fenced>], rows: usize) -> Result<()> {
        let mut values: Vec<u64> = args
            .iter()
            .map(|arg| match arg {
                // The kernel writes through the pointer of a block that nobody else uses meanwhile.
                Arg::Block(block) => block.inside().as_ptr() as u64,
                Arg::Null => 0,
                Arg::Rows(n) => *n as u64,
            })
            .collect();
        let mut pointers: Vec<*mut c_void> = values.iter_mut().map(|v| std::ptr::from_mut(v).cast()).collect();
        let shape = self.kernel.shape;
        let blocks = rows.div_ceil(shape.rows_per_block()) as i64;
        // SAFETY: the library was built for these parameters, which the plan has checked against the declaration. That the
        // kernel keeps to its memory is not certain, which is why this runs in a process of its own.
        unsafe { (self.kernel.launch)(pointers.as_mut_ptr(), blocks, shape.threads_per_block as u32) };
        for arg in args {
            if let Arg::Block(block) = arg
                && block.torn()
            {
                self.broken = true;
                return Err(
                    Error::not_proven(format!("the kernel wrote beyond the ends of {}", block.name))
                        .hint("every row writes its own element only, and rows from `rows` on write nothing"),
                );
            }
        }
        Ok(())
    }

    fn read(&mut self, block: &Fenced) -> Result<Buffer> {
        Ok(Buffer::from(block.inside()))
    }

    fn broken(&self) -> bool {
        self.broken
    }
}
