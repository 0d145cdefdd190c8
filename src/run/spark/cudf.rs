//! The `cudf` engine: a candidate's class compiled as it stands and its `evaluateColumnar` called with device columns of the user's
//! own cuDF library, in a JVM worker. In: a text in Scala or Java and batches; out: outcomes, and what the library says of leaked
//! and closed columns, at the candidate's line. One batch is one call, as in the accelerator.

mod reply;
pub mod timed;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::datatypes::{DataType, Field, Schema};
use serde_json::{Value, json};

use super::accelerator::Library;
use super::columns;
use super::compile::{does_not_compile, messages};
use super::server::{Server, Turn};
use crate::error::{Error, Result};
use crate::run::cuda::survey;
use crate::run::cudf::{language_of, reaches};
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Finding, Outcome, Settings};
use crate::source::Language;

/// Starting, loading several hundred megabytes of native code, compiling.
const PREPARE_LIMIT: Duration = Duration::from_secs(300);
/// One call, with its columns on their way to the device and back.
const CALL_LIMIT: Duration = Duration::from_secs(120);

/// Runs one cuDF candidate on a device.
pub struct LibraryEngine {
    server: Arc<Server>,
    library: Library,
    text: String,
    params: Vec<String>,
    declared: Option<DataType>,
    settings: Settings,
    cancel: Cancel,
    limit: Duration,
    ready: Option<Ready>,
    findings: Vec<Finding>,
}

/// What a worker holds.
struct Ready {
    generation: u64,
    program: u64,
    opened: Value,
}

impl LibraryEngine {
    /// An engine for a candidate's text over columns of these names, whose result the UDF declares so; says what is missing.
    pub fn new(
        text: &str,
        params: Vec<String>,
        declared: Option<DataType>,
        settings: Settings,
        classpath: &[PathBuf],
        library: Library,
    ) -> Result<LibraryEngine> {
        Ok(LibraryEngine {
            server: Server::with_library(classpath, library.clone())?,
            library,
            text: text.to_owned(),
            params,
            declared,
            settings,
            cancel: Cancel::default(),
            limit: CALL_LIMIT,
            ready: None,
            findings: Vec::new(),
        })
    }

    /// A switch that also stops starting and compiling.
    pub fn with_cancel(mut self, cancel: &Cancel) -> LibraryEngine {
        self.cancel = cancel.clone();
        self
    }

    /// How long one call may take.
    pub fn with_limit(mut self, limit: Duration) -> LibraryEngine {
        self.limit = limit;
        self
    }

    /// Where it runs.
    pub fn server(&self) -> &Arc<Server> {
        &self.server
    }

    fn name(&self) -> &'static str {
        match language_of(&self.text) {
            Language::Java => "candidate.java",
            _ => "candidate.scala",
        }
    }

    /// Takes the device and compiles the candidate, where this worker has not done so yet.
    fn ensure(&mut self, turn: &mut Turn) -> Result<u64> {
        if let Some(ready) = self.ready.as_ref().filter(|r| r.generation == turn.generation()) {
            return Ok(ready.program);
        }
        let open = json!({"op": "open", "device": self.library.device, "pooled": self.library.timed});
        let mut opened = turn.call("loading cuDF", open.clone(), PREPARE_LIMIT, &self.cancel);
        // That a worker died since its last answer is only noticed now; nothing of the candidate has run yet.
        if opened.is_err() && turn.start_again(&self.cancel)? {
            opened = turn.call("loading cuDF", open, PREPARE_LIMIT, &self.cancel);
        }
        let opened = opened.map_err(|e| self.lost(e))?;
        if opened["ok"] != true {
            return Err(reply::refusal(turn, &opened, &self.library));
        }
        let program = self.compile(turn)?;
        self.ready = Some(Ready {
            generation: turn.generation(),
            program,
            opened,
        });
        Ok(program)
    }

    fn compile(&self, turn: &mut Turn) -> Result<u64> {
        let language = language_of(&self.text).name();
        let request = json!({
            "op": "compile", "language": language, "name": self.name(), "text": self.text, "entry": "", "kept": true,
        });
        let doing = format!("compiling {}", self.name());
        let reply = turn.call(&doing, request, PREPARE_LIMIT, &self.cancel)?;
        match (reply["program"].as_u64(), reply["kind"].as_str()) {
            (Some(program), _) => Ok(program),
            (None, Some("compile")) => {
                let all = messages(&self.text, &reply);
                let against = self.library.jar.display().to_string();
                Err(does_not_compile(self.name(), &all, &against))
            }
            _ => Err(reply::refusal(turn, &reply, &self.library)),
        }
    }

    /// The batch with the parameters' columns in their order.
    fn ordered(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let (mut fields, mut columns) = (Vec::new(), Vec::new());
        for (i, name) in self.params.iter().enumerate() {
            let column = batch.column_by_name(name).or_else(|| batch.columns().get(i));
            let column =
                column.ok_or_else(|| Error::input(format!("there is no column for the parameter `{name}`")))?;
            fields.push(Field::new(name, column.data_type().clone(), true));
            columns.push(column.clone());
        }
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)
            .map_err(|e| Error::internal("the columns make no batch").because(e))
    }

    fn call(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        let batch = self.ordered(batch)?;
        let server = self.server.clone();
        let mut turn = server.turn(cancel)?;
        let program = self.ensure(&mut turn)?;
        let folder = turn.worker()?.folder().to_owned();
        let (input, output) = (folder.join("device-columns"), folder.join("device-result"));
        columns::write(&batch, &input)?;
        let request = json!({
            "op": "call", "program": program, "input": input, "output": output, "rows": batch.num_rows(),
            "ansi": self.settings.ansi, "zone": self.settings.time_zone,
        });
        let answer = turn
            .call("calling evaluateColumnar", request, self.limit, cancel)
            .map_err(|e| self.lost(e))?;
        if answer["ok"] != true {
            return Err(reply::refusal(&mut turn, &answer, &self.library));
        }
        for found in reply::findings(&answer, batch.num_rows()) {
            self.note(found);
        }
        if answer["returned"] != "column" {
            return Ok(reply::thrown(&answer, batch.num_rows()));
        }
        let outcome = columns::read(&[&output], batch.num_rows(), None)?;
        match reply::wrong_type(&answer, self.declared.as_ref(), outcome.values.data_type()) {
            None => Ok(outcome),
            Some(found) => {
                self.note(found);
                Ok(reply::all_threw(reply::WRONG_TYPE, batch.num_rows()))
            }
        }
    }

    fn note(&mut self, found: Finding) {
        if !self.findings.contains(&found) {
            self.findings.push(found);
        }
    }

    /// An error of a worker that ended, with where its native code was.
    fn lost(&self, e: Error) -> Error {
        match reply::crash(&self.server.log()) {
            Some(place) => Error::not_proven("native code crashed while cuDF worked")
                .because(place)
                .hint("the next test starts a new worker"),
            None => e,
        }
    }
}

impl Evaluator for LibraryEngine {
    fn id(&self) -> EngineId {
        EngineId::Cudf
    }

    fn prepare(&mut self, schema: &Schema) -> Result<Evidence> {
        for field in schema.fields() {
            if !reaches(field.data_type()) {
                let (name, ty) = (field.name(), field.data_type());
                return Err(Error::not_proven(format!(
                    "column `{name}` of {ty} does not reach cuDF"
                )));
            }
        }
        let server = self.server.clone();
        let mut turn = server.turn(&self.cancel)?;
        self.ensure(&mut turn)?;
        let hello = turn.worker()?.hello().clone();
        drop(turn);
        let opened = self.ready.as_ref().map(|r| &r.opened).unwrap_or(&Value::Null);
        let text = |v: &Value| v.as_str().unwrap_or("unknown").to_owned();
        let given = opened["facts"].as_object().into_iter().flatten();
        let mut facts: std::collections::BTreeMap<String, String> = given.map(|(k, v)| (k.clone(), text(v))).collect();
        let digest = self.library.digest(server.kit());
        let device = survey().ok().and_then(|s| {
            let found = s.devices.get(self.library.device as usize)?;
            found.get("device").cloned()
        });
        let number = self.library.device;
        facts.extend([
            (
                crate::check::COMPILED.to_owned(),
                self.library.jar.display().to_string(),
            ),
            (
                "library sha256".into(),
                digest.unwrap_or_else(|| "none: a folder".into()),
            ),
            ("device".into(), device.unwrap_or_else(|| format!("number {number}"))),
            ("java".into(), text(&hello["java"])),
            ("session time zone".into(), self.settings.time_zone.clone()),
        ]);
        Ok(Evidence {
            engine: EngineId::Cudf,
            version: text(&opened["version"]),
            facts,
        })
    }

    fn eval(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        self.call(batch, cancel)
    }

    fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }
}
