//! Bytes of the device on their way to memory of this process. In: an address and a place; out: the place filled. Long ones go through
//! two pieces of page-locked memory: the device fills one while all cores empty the other, since one core moves a third of what the
//! device sends.

use std::cell::OnceCell;

use cudarc::driver::{result, sys};
use rayon::prelude::*;

/// Bytes of one of the two pieces.
const PIECE: usize = 16 << 20;
/// Bytes that a core copies at a time.
const PART: usize = 1 << 20;

/// The two pieces.
struct Staging([*mut u8; 2]);

thread_local! {
    /// Made once; it goes with the process. Nothing where no such memory can be had.
    static STAGING: OnceCell<Option<Staging>> = const { OnceCell::new() };
}

impl Staging {
    fn new() -> Option<Staging> {
        // SAFETY: the memory is never freed.
        let piece = || unsafe { result::malloc_host(PIECE, 0) }.ok().map(|p| p.cast::<u8>());
        Some(Staging([piece()?, piece()?]))
    }

    /// Starts moving a part of the device's memory to one of the pieces.
    fn start(&self, which: usize, from: sys::CUdeviceptr, size: usize) -> Result<(), result::DriverError> {
        // SAFETY: the piece is at least that long and nobody reads it meanwhile.
        unsafe {
            let piece = std::slice::from_raw_parts_mut(self.0[which], size);
            result::memcpy_dtoh_async(piece, from, std::ptr::null_mut())
        }
    }

    fn copy(&self, from: sys::CUdeviceptr, into: &mut [u8]) -> Result<(), result::DriverError> {
        let length = into.len();
        let size = |at: usize| PIECE.min(length - at);
        self.start(0, from, size(0))?;
        for (k, part) in into.chunks_mut(PIECE).enumerate() {
            result::ctx::synchronize()?;
            let next = (k + 1) * PIECE;
            if next < length {
                self.start((k + 1) % 2, from + next as u64, size(next))?;
            }
            // SAFETY: the device has filled it and fills the other one now.
            let piece = unsafe { std::slice::from_raw_parts(self.0[k % 2], part.len()) };
            part.par_chunks_mut(PART)
                .zip(piece.par_chunks(PART))
                .for_each(|(to, from)| to.copy_from_slice(from));
        }
        Ok(())
    }
}

/// Copies bytes of the device and waits for them.
///
/// # Safety
///
/// The device's memory is as long as the place from that address on.
pub(super) unsafe fn to_host(from: sys::CUdeviceptr, into: &mut [u8]) -> Result<(), result::DriverError> {
    if into.len() > PIECE {
        let done = STAGING.with(|s| s.get_or_init(Staging::new).as_ref().map(|s| s.copy(from, into)));
        if let Some(done) = done {
            return done;
        }
    }
    // SAFETY: as above.
    unsafe { result::memcpy_dtoh_sync(into, from) }
}
