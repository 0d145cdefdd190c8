//! The fixed kernels of the micro-benchmark, loaded, and how each is launched.

use std::ffi::c_void;

use cudarc::driver::{result, sys};

use super::super::machine::Block;
use super::super::{Device, failed, function};
use crate::error::{Error, Result};

const TEXT: &str = include_str!("../../../../../kernels/rw_bench.cu");
/// Threads of a block, as the text has it.
const THREADS: usize = 256;
/// Items of a thread there: sixteen bytes each for moving, sums for scanning.
const ITEMS: usize = 4;
/// Bytes that a thread moves at a time.
const CHUNK: u64 = 16;

/// The kernels.
pub(in super::super) struct Fixed {
    empty: sys::CUfunction,
    touch: sys::CUfunction,
    scan: sys::CUfunction,
    add: sys::CUfunction,
}

/// Buffers of prefix sums: of `count` items, then of their blocks' sums, and so on until one block is left.
pub(super) struct Sums {
    levels: Vec<Block>,
    counts: Vec<usize>,
}

impl Fixed {
    /// Compiles and loads them.
    pub fn load(device: &Device) -> Result<Fixed> {
        let compiled = device.compiler.compile(TEXT, &device.architecture)?;
        let module = device.module(&compiled)?;
        Ok(Fixed {
            empty: function(module, "rw_empty")?,
            touch: function(module, "rw_touch")?,
            scan: function(module, "rw_scan")?,
            add: function(module, "rw_add")?,
        })
    }

    /// Starts a kernel that does nothing.
    pub fn empty(&self) -> Result<()> {
        start(self.empty, 1, &mut [])
    }

    /// Starts reading and writing so many bytes.
    pub fn touch(&self, from: &Block, reads: u64, to: &Block, writes: u64) -> Result<()> {
        let (reads, writes) = (reads / CHUNK, writes / CHUNK);
        let blocks = (reads.max(writes) as usize).div_ceil(THREADS * ITEMS).max(1);
        start(self.touch, blocks, &mut [from.address, reads, to.address, writes])
    }

    /// Starts summing up sizes: offsets of one row more than there are sizes.
    pub(super) fn offsets(&self, sizes: &Block, offsets: &Block, sums: &Sums) -> Result<()> {
        let known = sums.counts[0] as u64 - 1;
        let level = |i: usize| sums.levels.get(i).map_or(0, |b| b.address);
        let mut input = (sizes.address, known);
        let mut output = offsets.address;
        for (i, count) in sums.counts.iter().enumerate() {
            let blocks = count.div_ceil(THREADS * ITEMS);
            start(
                self.scan,
                blocks,
                &mut [input.0, input.1, output, level(i), *count as u64],
            )?;
            // The sums of blocks are summed up in their own place.
            output = level(i);
            input = (output, sums.counts.get(i + 1).map_or(0, |n| *n as u64));
        }
        for i in (0..sums.levels.len()).rev() {
            let target = if i == 0 { offsets.address } else { level(i - 1) };
            let count = sums.counts[i];
            let blocks = count.div_ceil(THREADS * ITEMS);
            start(self.add, blocks, &mut [target, level(i), count as u64])?;
        }
        Ok(())
    }
}

impl Sums {
    /// For a number of items; `block` makes memory.
    pub fn new(items: usize, mut block: impl FnMut(usize) -> Result<Block>) -> Result<Sums> {
        let mut counts = vec![items];
        let mut levels = Vec::new();
        loop {
            let blocks = counts[counts.len() - 1].div_ceil(THREADS * ITEMS);
            if blocks <= 1 {
                return Ok(Sums { levels, counts });
            }
            levels.push(block(blocks * 4)?);
            counts.push(blocks);
        }
    }

    /// Launches that it takes.
    pub fn launches(&self) -> u32 {
        (self.counts.len() + self.levels.len()) as u32
    }
}

/// Starts a kernel whose parameters are all of 64 bits.
fn start(kernel: sys::CUfunction, blocks: usize, values: &mut [u64]) -> Result<()> {
    let mut pointers: Vec<*mut c_void> = values.iter_mut().map(|v| std::ptr::from_mut(v).cast()).collect();
    let blocks = u32::try_from(blocks).map_err(|_| Error::internal("more blocks than a launch can have"))?;
    // SAFETY: the parameters are those of the kernels' text, and the blocks of memory have the sizes that are told.
    let started = unsafe {
        result::launch_kernel(
            kernel,
            (blocks, 1, 1),
            (THREADS as u32, 1, 1),
            0,
            std::ptr::null_mut(),
            &mut pointers,
        )
    };
    started.map_err(|e| failed("a kernel of the benchmark cannot be launched", e))
}
