//! Rows that are made up on the device and stay there for the runs over them. In: requests; out: replies. What needs the device's memory for
//! something else drops them.

use std::path::Path;

use arrow::array::RecordBatch;
use serde_json::{Value, json};

use super::super::device::DeviceMachine;
use super::super::machine::Machine;
use super::super::making::{self, Made};
use super::super::server::Kind;
use super::{Job, State, job, job_over, text};
use crate::error::{Error, Result};
use crate::run::spark::columns;

impl State {
    /// A run over the request's columns, or over the rows on the device.
    pub(super) fn job(&self, request: &Value) -> Result<Job> {
        if request["columns"].is_string() {
            return job(request);
        }
        let token = request["on_device"].as_u64();
        let made = self.made.as_ref().filter(|(own, _)| Some(*own) == token);
        let (_, made) = made.ok_or_else(|| Error::internal("the rows are not on the device any more"))?;
        Ok(Job {
            on_device: true,
            ..job_over(request, RecordBatch::new_empty(made.schema.clone()))?
        })
    }

    /// Makes rows.
    pub(super) fn make(&mut self, request: &Value, broken: &mut bool) -> Result<Value> {
        let Kind::Device(number) = self.kind else {
            return Err(Error::internal("the CPU makes no rows"));
        };
        let first = columns::take(Path::new(text(request, "columns")?))?;
        let order = serde_json::from_value(request["order"].clone())
            .map_err(|e| Error::internal("a request without an order").because(e))?;
        let token = request["id"].as_u64().unwrap_or_default();
        let (device, _) = self.device(number)?;
        let kernel = device.fixed_kernel(making::TEXT, making::NAME, making::SHAPE)?;
        let mut machine = DeviceMachine::new(kernel.into());
        let made = Made::new(&mut machine, &first, &order).and_then(|made| {
            let batch = made.read(&mut machine)?;
            Ok((made, batch))
        });
        *broken = machine.broken();
        let (made, batch) = made?;
        self.give_batch(&batch, request)?;
        self.made = Some((token, made));
        Ok(json!({"ok": true, "token": token}))
    }
}
