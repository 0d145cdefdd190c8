//! Kernels one after the other, with their columns on the device. In: a chain and rows; out: one run of it started, and what it left for
//! the rows that travelled. All memory is there before the first run, as a library with a pool has it.

use std::rc::Rc;

use super::super::super::chain::{Chain, OnMachine, ran};
use super::super::super::machine::{Machine, Ran};
use super::super::machine::values;
use super::super::{DeviceKernel, DeviceMachine};
use super::output::part;
use super::{Request, tiles};
use crate::error::{Error, Result};

/// A chain to time.
pub(in super::super::super) struct ChainRequest {
    pub chain: Chain,
    pub kernels: Vec<Rc<DeviceKernel>>,
    /// Its columns, as many rows as the kernel's.
    pub of: Request,
}

/// A chain on the device.
pub(super) struct Chained {
    on: OnMachine<DeviceMachine>,
    of: Request,
}

impl Chained {
    /// Moves its columns and makes room; the first run is over when it returns.
    pub fn open(request: ChainRequest, broken: &mut bool) -> Result<Chained> {
        let mut kernels: Vec<DeviceMachine> = request.kernels.into_iter().map(DeviceMachine::new).collect();
        let first = kernels
            .first_mut()
            .ok_or_else(|| Error::internal("a chain without kernels"))?;
        let inputs = tiles::upload(first, &request.of);
        *broken |= first.broken();
        let mut chained = Chained {
            on: OnMachine::new(&request.chain, kernels, inputs?.blocks, request.of.rows)?,
            of: request.of,
        };
        let ran = chained.on.start(|kernel, args, rows| kernel.launch(args, rows));
        *broken |= chained.on.broken();
        ran.map(|()| chained)
    }

    /// Starts one run.
    pub fn start(&mut self) -> Result<()> {
        self.on
            .start(|kernel, args, rows| kernel.start(&mut values(args), rows))
    }

    /// Whether nothing can be run any more in this process.
    pub fn broken(&self) -> bool {
        self.on.broken()
    }

    /// The outcomes of the tile, as the last run left them.
    pub fn ran(&self, machine: &mut DeviceMachine) -> Result<Ran> {
        let rows = self.of.tile.num_rows().min(self.of.rows);
        let (values, Some(valid)) = self.on.result() else {
            return Err(Error::internal("a result without validity"));
        };
        let width = values.size / self.of.rows.max(1);
        let values = part(machine, values, 0, rows * width)?;
        let valid = part(machine, valid, 0, rows.div_ceil(32) * 4)?;
        ran(&self.of.plan, values, &valid, rows)
    }
}
