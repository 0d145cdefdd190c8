//! The `spark` engine for the `sql` tier: the candidate's text in a query of a real Spark session. In: one SQL expression and a
//! batch; out: outcomes, with the plan as evidence. A plan that proves nothing is refused: one that still calls a UDF, or
//! that reads no column.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::datatypes::{Field, Schema};
use serde_json::{Value, json};

use super::columns;
use super::server::{Server, Turn};
use crate::error::{Error, Result};
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Outcome, Settings};

/// Starting a session takes a while on a busy machine.
const PREPARE_LIMIT: Duration = Duration::from_secs(300);
const RUN_LIMIT: Duration = Duration::from_secs(900);
/// A plan's lines that are kept as evidence.
const PLAN_LINES: usize = 12;

/// Runs one Spark SQL expression in Spark.
pub struct SparkEngine {
    server: Arc<Server>,
    text: String,
    params: Vec<String>,
    settings: Settings,
    cancel: Cancel,
}

impl SparkEngine {
    /// An engine for a candidate's text over columns of these names; says what is missing for it.
    pub fn new(text: &str, params: Vec<String>, settings: Settings, classpath: &[PathBuf]) -> Result<SparkEngine> {
        Ok(SparkEngine {
            server: Server::of(classpath)?,
            text: text.to_owned(),
            params,
            settings,
            cancel: Cancel::default(),
        })
    }

    /// A switch that also stops starting.
    pub fn with_cancel(mut self, cancel: &Cancel) -> SparkEngine {
        self.cancel = cancel.clone();
        self
    }

    fn ask(
        &self,
        turn: &mut Turn,
        batch: &RecordBatch,
        output: &Path,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<Value> {
        let named = self.named(batch)?;
        let folder = turn.worker()?.folder().to_owned();
        let (input, table) = (folder.join("columns"), folder.join("table.parquet"));
        columns::write(&named, &input)?;
        columns::write_table(&named, &table)?;
        let request = json!({
            "op": "sql", "expression": self.text, "input": input, "table": table, "output": output,
            "rows": batch.num_rows(), "ansi": self.settings.ansi, "zone": self.settings.time_zone,
        });
        let reply = turn.call("running SQL in Spark", request, limit, cancel)?;
        if reply["ok"] == true {
            Ok(reply)
        } else {
            Err(refusal(&reply))
        }
    }

    /// The batch with the parameters' names.
    fn named(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        if batch.num_columns() != self.params.len() {
            let (given, wanted) = (batch.num_columns(), self.params.len());
            return Err(Error::input(format!(
                "{given} columns are given for {wanted} parameters"
            )));
        }
        let fields = batch.schema_ref().fields().iter().zip(&self.params);
        let fields: Vec<Field> = fields.map(|(f, n)| f.as_ref().clone().with_name(n)).collect();
        let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), batch.columns().to_vec(), &options)
            .map_err(|e| Error::internal("the columns cannot be renamed").because(e))
    }
}

fn refusal(reply: &Value) -> Error {
    let message = reply["message"].as_str().unwrap_or("no reason was given");
    match reply["kind"].as_str() {
        Some("compile") => Error::compile("Spark does not take the SQL expression").because(message),
        Some("internal") => Error::internal("the spark engine cannot run the candidate").because(message),
        _ => Error::not_proven("the spark engine cannot run the candidate").because(message),
    }
}

/// Whether a plan shows that the candidate was computed from the columns without the original.
fn proves(reply: &Value, has_columns: bool) -> Result<()> {
    if reply["calls_udf"] == true {
        return Err(Error::not_proven("the candidate's plan still calls a UDF")
            .because(reply["optimized"].as_str().unwrap_or_default())
            .hint("a rewrite has to be made of Spark's own functions"));
    }
    if let Some(call) = reply["unsteady"].as_str() {
        return Err(
            Error::not_proven("the candidate gives something else for the same row each time")
                .because(format!("it calls {call}"))
                .hint("a rewrite has to be made of functions that depend on the columns alone"),
        );
    }
    if has_columns && reply["reads_columns"] == false {
        return Err(
            Error::not_proven("the candidate's plan reads no column").because(format!(
                "Spark folded it to {}",
                reply["optimized"].as_str().unwrap_or("a literal")
            )),
        );
    }
    Ok(())
}

/// A plan without what changes from run to run: the numbers of expressions and the place of the input.
fn stable(plan: &str) -> String {
    let mut out = String::with_capacity(plan.len());
    let mut rest = plan.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '#' && rest.peek().is_some_and(char::is_ascii_digit) {
            while rest.next_if(char::is_ascii_digit).is_some() {}
            rest.next_if_eq(&'L');
        } else {
            out.push(c);
        }
    }
    let lines = out.lines().map(|l| l.split(", Location:").next().unwrap_or(l).trim());
    let kept: Vec<&str> = lines.filter(|l| !l.is_empty()).take(PLAN_LINES).collect();
    kept.join(" | ")
}

impl Evaluator for SparkEngine {
    fn id(&self) -> EngineId {
        EngineId::Spark
    }

    fn prepare(&mut self, schema: &Schema) -> Result<Evidence> {
        let server = self.server.clone();
        let mut turn = server.turn(&self.cancel)?;
        let empty = RecordBatch::new_empty(Arc::new(schema.clone()));
        let reply = self.ask(&mut turn, &empty, Path::new(""), PREPARE_LIMIT, &self.cancel)?;
        proves(&reply, !schema.fields().is_empty())?;
        let hello = turn.worker()?.hello();
        let text = |v: &Value| v.as_str().unwrap_or("unknown").to_owned();
        let facts = BTreeMap::from([
            ("ansi".to_owned(), self.settings.ansi.to_string()),
            ("time zone".to_owned(), self.settings.time_zone.clone()),
            ("java".to_owned(), text(&hello["java"])),
            ("plan".to_owned(), stable(&text(&reply["plan"]))),
            ("result type".to_owned(), text(&reply["type"])),
        ]);
        Ok(Evidence {
            engine: EngineId::Spark,
            version: text(&hello["spark"]),
            facts,
        })
    }

    fn eval(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        let server = self.server.clone();
        let mut turn = server.turn(cancel)?;
        let output = turn.worker()?.folder().join("answer");
        let reply = self.ask(&mut turn, batch, &output, RUN_LIMIT, cancel)?;
        proves(&reply, batch.num_columns() > 0)?;
        columns::read(&[&output], batch.num_rows(), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_the_same_in_every_run() {
        let plan = "*(1) Project [a#12, (b#3L + 1) AS value#44]\n+- FileScan parquet [a#12] Batched: true, Location: InMemory[/tmp/x]\n";
        assert_eq!(
            stable(plan),
            "*(1) Project [a, (b + 1) AS value] | +- FileScan parquet [a] Batched: true"
        );
    }

    #[test]
    fn a_plan_that_proves_nothing_is_refused() {
        let reply = |udf: bool, reads: bool| json!({"calls_udf": udf, "reads_columns": reads, "optimized": "5"});
        assert!(proves(&reply(false, true), true).is_ok());
        assert!(proves(&reply(true, true), true).is_err());
        let mut random = reply(false, true);
        random["unsteady"] = "rand()".into();
        assert!(proves(&random, true).unwrap_err().to_string().contains("calls rand()"));
        assert!(
            proves(&reply(false, false), true)
                .unwrap_err()
                .to_string()
                .contains("folded it to 5")
        );
        assert!(proves(&reply(false, false), false).is_ok());
    }
}
