//! The embedded oracle: runs the original UDF row by row with the JVM's semantics, in process. In: a UDF with its typed program and
//! Arrow batches; out: one outcome per row. Bounded in steps, memory and depth; what it does not cover is refused, never guessed.

pub(crate) mod bits;
mod calls;
mod columns;
mod compile;
mod expr;
mod identity;
mod machine;
mod node;
mod ops;
mod patterns;
mod results;
mod rows;
mod stmts;
mod trace;
mod types;
mod units;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Schema};
use rayon::ThreadPool;

use crate::error::{Error, Result};
use crate::find::Udf;
use crate::jvm::time::Zone;
use crate::jvm::value::Value;
use crate::lang::ast::{GlobalId, Program};
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Outcome, Settings};

pub use machine::Bounds;
pub use trace::trace;

/// Native stack of each thread: enough for the bound on depth, and only touched as far as it is used.
const STACK: usize = 512 << 20;

/// Runs one UDF in process.
pub struct Embedded {
    udf: Udf,
    settings: Settings,
    bounds: Bounds,
    ready: Option<Ready>,
}

/// What `prepare` made.
struct Ready {
    machine: machine::Machine,
    entry: usize,
    shapes: columns::Shapes,
    result: DataType,
    zone: Zone,
}

impl Embedded {
    /// An oracle for a UDF; one whose program was refused gives that reason.
    pub fn new(udf: &Udf, settings: Settings) -> Result<Embedded> {
        if let Err(refusal) = &udf.program {
            return Err(
                Error::not_proven(format!("the embedded oracle cannot run `{}`", udf.name)).because(&refusal.reason),
            );
        }
        Ok(Embedded {
            udf: udf.clone(),
            settings,
            bounds: Bounds::default(),
            ready: None,
        })
    }

    /// The same with other bounds per row.
    pub fn with_bounds(mut self, bounds: Bounds) -> Embedded {
        self.bounds = bounds;
        self
    }

    fn program(&self) -> Result<&Program> {
        self.udf
            .program
            .as_ref()
            .map_err(|r| Error::not_proven(r.reason.clone()))
    }
}

/// The threads of all embedded oracles; their stacks are large because UDFs may recurse.
fn pool() -> Result<&'static ThreadPool> {
    static POOL: OnceLock<std::result::Result<ThreadPool, String>> = OnceLock::new();
    POOL.get_or_init(|| {
        rayon::ThreadPoolBuilder::new()
            .stack_size(STACK)
            .thread_name(|i| format!("oracle-{i}"))
            .build()
            .map_err(|e| e.to_string())
    })
    .as_ref()
    .map_err(|e| Error::internal("the oracle's threads cannot be started").because(e))
}

/// The constants of a program that can be told without a row. For candidates that write constants out.
pub struct Constants(machine::Machine);

impl Constants {
    /// Those of a program, unless that is refused.
    pub fn of(program: &Program) -> Option<Constants> {
        compile::compile(program, "UTC").ok().map(Constants)
    }

    /// The value of one.
    pub fn value(&self, id: GlobalId) -> Option<Value> {
        let value = || machine::Cx::new(&self.0, Bounds::default()).global(id.0 as usize).ok();
        pool().ok()?.install(value)
    }
}

impl Evaluator for Embedded {
    fn id(&self) -> EngineId {
        EngineId::Embedded
    }

    fn prepare(&mut self, schema: &Schema) -> Result<Evidence> {
        let program = self.program()?;
        let Some(result) = self.udf.return_type.clone() else {
            return Err(Error::not_proven(format!(
                "the result type of `{}` is {}, which Spark cannot tell as a column type",
                self.udf.name, self.udf.returns
            )));
        };
        self.udf.takes(schema.fields().len())?;
        let shapes = columns::Shapes {
            classes: program.classes.clone().into(),
            dialect: program.dialect,
        };
        // Reading no rows shows whether every column converts.
        for (field, param) in schema.fields().iter().zip(&self.udf.params) {
            let empty = arrow::array::new_empty_array(field.data_type());
            let reader = columns::reader(&empty, &param.ty, &shapes);
            drop(reader.map_err(|e| e.because(format!("parameter `{}`", param.name)))?);
        }
        let zone = Zone::of(&self.settings.time_zone)
            .map_err(|_| Error::input(format!("`{}` is no time zone", self.settings.time_zone)))?;
        results::Out::new(&result, 0, &zone)?;
        let machine = compile::compile(program, &self.settings.time_zone).map_err(|refusal| {
            Error::not_proven(format!("the embedded oracle cannot run `{}`", self.udf.name)).because(refusal.reason)
        })?;
        let entry = program.entry.0 as usize;
        self.ready = Some(Ready {
            machine,
            entry,
            shapes,
            result,
            zone,
        });
        let threads = pool()?.current_num_threads();
        let facts = BTreeMap::from([
            ("time zone".to_string(), self.settings.time_zone.clone()),
            ("semantics".to_string(), "JDK 17, Scala 2.12, Spark 3.5".to_string()),
            ("threads".to_string(), threads.to_string()),
        ]);
        Ok(Evidence {
            engine: EngineId::Embedded,
            version: env!("CARGO_PKG_VERSION").to_string(),
            facts,
        })
    }

    fn eval(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        let Some(ready) = &self.ready else {
            return Err(Error::internal("the embedded oracle was not prepared"));
        };
        let run = rows::Run {
            machine: &ready.machine,
            entry: ready.entry,
            shapes: &ready.shapes,
            result: &ready.result,
            params: &self.udf.params,
            bounds: self.bounds,
            zone: &ready.zone,
            limits: Default::default(),
        };
        pool()?.install(|| run.batch(batch, cancel))
    }
}
