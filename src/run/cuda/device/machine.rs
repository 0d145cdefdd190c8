//! One kernel on a device: memory, copies, launches, each checked. In: blocks and arguments; out: bytes, or what the driver says.
//! After a fault it is broken, and with it the whole process.

use std::ffi::c_void;
use std::rc::Rc;

use arrow::buffer::Buffer;
use cudarc::driver::{result, sys};

use super::super::machine::{Arg, Codes, Machine, NO_ROOM, any_set, int32s};
use super::{DeviceKernel, failed, staging};
use crate::error::{Error, Result};
use crate::run::worker::shared::Room;

/// Bytes that are looked at together.
const PIECE: usize = 64 << 20;

/// Memory of the device; it goes when it is dropped.
pub(in super::super) struct Block {
    pub(super) address: sys::CUdeviceptr,
    pub(super) size: usize,
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated by the same context and dropped once. After a fault the call fails, and the process ends anyway.
        let _ = unsafe { result::free_sync(self.address) };
    }
}

/// Runs one kernel.
pub(in super::super) struct DeviceMachine {
    pub(super) kernel: Rc<DeviceKernel>,
    broken: bool,
}

impl DeviceMachine {
    /// For a kernel.
    pub fn new(kernel: Rc<DeviceKernel>) -> DeviceMachine {
        DeviceMachine { kernel, broken: false }
    }

    /// Memory that holds whatever it held before.
    pub(super) fn block(&mut self, size: usize) -> Result<Block> {
        // SAFETY: nothing is asked of the arguments.
        let address = unsafe { result::malloc_sync(size.max(1)) };
        let address = address.map_err(|e| {
            if e.0 != sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
                self.broken = true;
                return failed("memory of the device cannot be had", e);
            }
            let free = result::mem_get_info().map_or(0, |(free, _)| free);
            Error::not_proven(NO_ROOM)
                .because(format!(
                    "{} MiB are asked for, {} MiB are free",
                    size.div_ceil(1 << 20),
                    free >> 20
                ))
                .hint("run fewer rows at a time")
        })?;
        Ok(Block { address, size })
    }

    /// Starts the kernel over rows, with the arguments of its declaration; does not wait for its end.
    pub(super) fn start(&mut self, values: &mut [u64], rows: usize) -> Result<()> {
        let mut pointers: Vec<*mut c_void> = values.iter_mut().map(|v| std::ptr::from_mut(v).cast()).collect();
        let blocks = u32::try_from(rows.div_ceil(self.kernel.shape.rows_per_block()))
            .map_err(|_| Error::not_proven("there are more rows than one launch can take"))?;
        // SAFETY: the parameters are those of the declaration, which the plan has checked. That the kernel keeps to its memory
        // is not certain; the device reports it, and this process is for that.
        let launched = unsafe {
            result::launch_kernel(
                self.kernel.function,
                (blocks, 1, 1),
                (self.kernel.shape.threads_per_block as u32, 1, 1),
                0,
                std::ptr::null_mut(),
                &mut pointers,
            )
        };
        self.checked("the kernel cannot be launched", launched)
    }

    /// Starts filling a block.
    pub(super) fn fill(&mut self, block: &Block, byte: u8) -> Result<()> {
        // SAFETY: the block has that size.
        let done = unsafe { result::memset_d8_async(block.address, byte, block.size, std::ptr::null_mut()) };
        self.checked("memory of the device cannot be filled", done)
    }

    /// Bytes of a block, from a place on.
    pub(super) fn read_part(&mut self, block: &Block, from: usize, into: &mut [u8]) -> Result<()> {
        if from + into.len() > block.size {
            return Err(Error::internal("what is read lies outside of a block"));
        }
        // SAFETY: it lies inside of the block.
        let done = unsafe { staging::to_host(block.address + from as u64, into) };
        self.checked("the results cannot be copied from the device", done)
    }

    /// What the driver says, and that nothing runs any more once it says that something failed.
    pub(super) fn checked(&mut self, what: &str, done: Result<(), result::DriverError>) -> Result<()> {
        done.map_err(|e| {
            self.broken = true;
            failed(what, e)
        })
    }
}

/// Arguments as the driver takes them.
pub(super) fn values(args: &[Arg<'_, Block>]) -> Vec<u64> {
    let value = |arg: &Arg<'_, Block>| match arg {
        Arg::Block(block) => block.address,
        Arg::Null => 0,
        Arg::Rows(n) => *n as u64,
    };
    args.iter().map(value).collect()
}

impl Machine for DeviceMachine {
    type Block = Block;

    fn input(&mut self, bytes: &[u8]) -> Result<Block> {
        let block = self.block(bytes.len())?;
        if !bytes.is_empty() {
            // SAFETY: the block has the size of the bytes.
            let done = unsafe { result::memcpy_htod_sync(block.address, bytes) };
            self.checked("the columns cannot be copied to the device", done)?;
        }
        Ok(block)
    }

    fn filled(&mut self, _: &'static str, size: usize, byte: u8) -> Result<Block> {
        let block = self.block(size)?;
        // SAFETY: the block has that size.
        let done = unsafe { result::memset_d8_sync(block.address, byte, size) };
        self.checked("memory of the device cannot be filled", done)?;
        Ok(block)
    }

    fn launch(&mut self, args: &[Arg<'_, Block>], rows: usize) -> Result<()> {
        self.start(&mut values(args), rows)?;
        let ended = result::ctx::synchronize();
        self.checked("the kernel failed on the device", ended)
    }

    fn read(&mut self, block: &Block) -> Result<Buffer> {
        let mut room = Room::new(block.size);
        // SAFETY: the block is as long.
        let done = unsafe { staging::to_host(block.address, room.bytes()) };
        self.checked("the results cannot be copied from the device", done)?;
        Ok(room.into())
    }

    fn codes(&mut self, block: &Block, rows: usize) -> Result<Codes> {
        // Looked at piece by piece: as a whole they would be as large as the result, and mostly nothing.
        let mut piece = vec![0; PIECE.min(rows * 4)];
        for from in (0..rows * 4).step_by(PIECE) {
            let size = PIECE.min(rows * 4 - from);
            self.read_part(block, from, &mut piece[..size])?;
            if any_set(&piece[..size]) {
                return Ok(Codes::Of(int32s(self.read(block)?, rows)));
            }
        }
        Ok(Codes::Fine(rows))
    }

    fn broken(&self) -> bool {
        self.broken
    }
}
