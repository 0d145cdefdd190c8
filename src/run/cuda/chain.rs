//! Kernels that run one after the other, each over whole columns: what a rewrite as a library's calls does to memory. In: their texts
//! and which column each reads; out: the last column as outcomes. Columns between them are made once and stay. Knows nothing of what
//! the kernels compute.

use std::path::Path;
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::datatypes::DataType;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::engine::read;
use super::machine::{Arg, Codes, Machine, POISON, Ran};
use super::pack::pack;
use super::plan::{Plan, ResultPlan};
use super::server::{Kind, Server, output};
use super::worker::write_type;
use crate::error::{Error, Result};
use crate::run::spark::columns;
use crate::run::{Cancel, Outcome};

/// How long one run may take, compiling in it.
const LIMIT: Duration = Duration::from_secs(300);

/// Kernels in their order. Columns are numbered: first those that come in, then those that the kernels write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// A kernel's declaration that says how the columns that come in and the result are laid out.
    pub declaration: String,
    /// The kernels.
    pub steps: Vec<Step>,
    /// The column that is the result.
    pub result: usize,
}

/// One kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What it stands for.
    pub call: String,
    /// Its text. Its parameters are values and validity of each column that it reads, of the one that it writes, and the usual last two.
    pub text: String,
    /// The columns that it reads.
    pub operands: Vec<usize>,
    /// Bytes of an element that it writes.
    pub width: usize,
}

/// A chain with what goes into it.
#[derive(Debug, Clone)]
pub struct ChainJob {
    /// The kernels.
    pub chain: Chain,
    /// The columns that come in.
    pub inputs: RecordBatch,
    /// The type of the result.
    pub result: DataType,
}

impl ChainJob {
    /// As a part of a request: columns and type go to files beside it.
    pub(super) fn request(&self, base: &Path) -> Result<Value> {
        let (inputs, types) = (base.with_extension("chain-columns"), base.with_extension("chain-types"));
        columns::write(&self.inputs, &inputs)?;
        write_type(&self.result, &types)?;
        Ok(json!({"chain": self.chain, "columns": inputs, "types": types}))
    }
}

/// Runs a chain once over its rows.
pub fn run_chain(job: &ChainJob, kind: Kind, cancel: &Cancel) -> Result<Outcome> {
    let rows = job.inputs.num_rows();
    let request = |base: &Path| {
        let mut request = job.request(base)?;
        request["op"] = "chain".into();
        request["output"] = json!(output(base));
        Ok(request)
    };
    Server::of(kind).call(
        "running kernels one after the other",
        LIMIT,
        cancel,
        request,
        |_, base| read(&output(base), rows),
    )
}

/// Values and validity of a column; no validity where no row is null.
type Column<B> = (B, Option<B>);

/// A chain with its memory.
pub(super) struct OnMachine<M: Machine> {
    steps: Vec<(M, Vec<usize>)>,
    columns: Vec<Column<M::Block>>,
    inputs: usize,
    result: usize,
    rows: usize,
}

impl<M: Machine> OnMachine<M> {
    /// With a machine for each kernel, and the columns that come in, as [`pack`] lays them out.
    pub fn new(chain: &Chain, mut kernels: Vec<M>, inputs: Vec<Option<M::Block>>, rows: usize) -> Result<OnMachine<M>> {
        let mut columns: Vec<Column<M::Block>> = Vec::new();
        let mut inputs = inputs.into_iter();
        while let Some(values) = inputs.next() {
            let values = values.ok_or_else(|| Error::internal("a column without values"))?;
            columns.push((values, inputs.next().flatten()));
        }
        let known = columns.len();
        for (i, (step, kernel)) in chain.steps.iter().zip(&mut kernels).enumerate() {
            if step.operands.iter().any(|o| *o >= known + i) {
                return Err(Error::internal("a kernel that reads what is not there yet"));
            }
            let values = kernel.filled("out", rows * step.width, POISON)?;
            let valid = kernel.filled("out_valid", rows.div_ceil(32) * 4, POISON)?;
            columns.push((values, Some(valid)));
        }
        if chain.result >= columns.len() {
            return Err(Error::internal("a result that is not there"));
        }
        let operands = chain.steps.iter().map(|s| s.operands.clone());
        Ok(OnMachine {
            steps: kernels.into_iter().zip(operands).collect(),
            columns,
            inputs: known,
            result: chain.result,
            rows,
        })
    }

    /// Starts the kernels in their order.
    pub fn start(&mut self, mut start: impl FnMut(&mut M, &[Arg<'_, M::Block>], usize) -> Result<()>) -> Result<()> {
        for (i, (kernel, operands)) in self.steps.iter_mut().enumerate() {
            let written = std::iter::once(self.inputs + i);
            let mut args = Vec::with_capacity(2 * operands.len() + 4);
            for column in operands.iter().copied().chain(written) {
                let (values, valid) = &self.columns[column];
                args.push(Arg::Block(values));
                args.push(valid.as_ref().map_or(Arg::Null, Arg::Block));
            }
            args.extend([Arg::Null, Arg::Rows(self.rows as i64)]);
            start(kernel, &args, self.rows)?;
        }
        Ok(())
    }

    /// Memory of the result.
    pub fn result(&self) -> &Column<M::Block> {
        &self.columns[self.result]
    }

    /// Whether nothing can be run any more in this process.
    pub fn broken(&self) -> bool {
        self.steps.iter().any(|(kernel, _)| kernel.broken())
    }
}

/// Runs a chain over a batch, one kernel after the other.
pub(super) fn run<M: Machine>(
    chain: &Chain,
    mut kernels: Vec<M>,
    plan: &Plan,
    batch: &RecordBatch,
    broken: &mut bool,
) -> Result<Ran> {
    let rows = batch.num_rows();
    let first = kernels
        .first_mut()
        .ok_or_else(|| Error::internal("a chain without kernels"))?;
    let mut inputs = Vec::new();
    for buffer in pack(batch.columns(), &plan.inputs)? {
        inputs.push(buffer.map(|b| first.input(b.as_slice())).transpose()?);
    }
    let mut on = OnMachine::new(chain, kernels, inputs, rows)?;
    let done = on.start(|kernel, args, rows| kernel.launch(args, rows));
    *broken = on.broken();
    done?;
    let OnMachine {
        steps, columns, result, ..
    } = &mut on;
    let (Some((kernel, _)), (values, Some(valid))) = (steps.last_mut(), &columns[*result]) else {
        return Err(Error::internal("a chain without a result of its own"));
    };
    let (values, valid) = (kernel.read(values)?, kernel.read(valid)?);
    ran(plan, values, &valid, rows)
}

/// Outcomes of a chain: its kernels throw nothing.
pub(super) fn ran(
    plan: &Plan,
    values: arrow::buffer::Buffer,
    valid: &arrow::buffer::Buffer,
    rows: usize,
) -> Result<Ran> {
    match &plan.result {
        ResultPlan::Fixed(ty, element) => Ran::of_elements(ty, *element, values, valid, Codes::Fine(rows)),
        ResultPlan::Bytes(_) => Err(Error::internal("a chain whose result has no fixed width")),
    }
}
