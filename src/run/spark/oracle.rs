//! The `jvm` oracle: the user's own code, compiled by Spark's compiler and called row by row through Spark's own expression, which
//! brings the null rule, the casts and the conversions. In: a file, a UDF of it and Arrow batches; out: outcomes.

mod pack;
mod versions;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use serde_json::{Value, json};

use super::columns;
use super::server::{Server, Turn};
use super::wrap::{self, Wrapped};
use crate::error::{Error, Result};
use crate::find::Udf;
use crate::run::worker::Lost;
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Outcome, Settings};
use crate::source::{Language, SourceFile, Span};

pub use pack::Packed;

/// A cold compiler on a busy machine.
const COMPILE_LIMIT: Duration = Duration::from_secs(300);
/// A whole run; an endless row is noticed long before.
const RUN_LIMIT: Duration = Duration::from_secs(900);
/// How long one row may take.
const ROW_LIMIT: Duration = Duration::from_secs(10);
/// Imports that cannot be resolved are left out one after the other, up to this many.
const MOST_DROPPED_IMPORTS: usize = 16;

/// Runs the original in a JVM.
pub struct JvmOracle {
    id: EngineId,
    server: Arc<Server>,
    source: SourceFile,
    udf: Udf,
    settings: Settings,
    cancel: Cancel,
    row_limit: Duration,
    ready: Option<Ready>,
}

/// A program that a worker holds.
struct Ready {
    generation: u64,
    program: u64,
    wrapped: Wrapped,
}

impl JvmOracle {
    /// An oracle that calls the function itself; says what is missing for it.
    pub fn new(source: &SourceFile, udf: &Udf, settings: Settings, classpath: &[PathBuf]) -> Result<JvmOracle> {
        Ok(JvmOracle {
            id: EngineId::Jvm,
            server: Server::of(classpath)?,
            source: source.clone(),
            udf: udf.clone(),
            settings,
            cancel: Cancel::default(),
            row_limit: ROW_LIMIT,
            ready: None,
        })
    }

    /// The same, through a query of a real Spark session: the `spark` oracle.
    pub fn through_session(mut self) -> JvmOracle {
        self.id = EngineId::Spark;
        self
    }

    /// A switch that also stops starting and compiling.
    pub fn with_cancel(mut self, cancel: &Cancel) -> JvmOracle {
        self.cancel = cancel.clone();
        self
    }

    /// How long one row may take before it counts as endless.
    pub fn with_row_limit(mut self, limit: Duration) -> JvmOracle {
        self.row_limit = limit;
        self
    }

    /// Where it runs.
    pub fn server(&self) -> &Arc<Server> {
        &self.server
    }

    /// The number of the compiled program: of the one that was prepared, as long as its worker has it.
    pub(super) fn program(&self, turn: &mut Turn) -> Result<u64> {
        match self.held(turn) {
            Some(program) => Ok(program),
            None => self.compile(turn).map(|ready| ready.program),
        }
    }

    /// The program that this worker holds already.
    fn held(&self, turn: &Turn) -> Option<u64> {
        let ready = self.ready.as_ref()?;
        (ready.generation == turn.generation()).then_some(ready.program)
    }

    fn name(&self) -> String {
        self.source
            .path
            .file_name()
            .map_or_else(String::new, |n| n.to_string_lossy().into_owned())
    }

    /// Compiles the UDF the first way that works.
    fn compile(&self, turn: &mut Turn) -> Result<Ready> {
        match self.source.language {
            Language::Scala => self.compile_scala(turn),
            Language::Java => self.compile_java(turn),
            other => Err(Error::not_proven(format!(
                "UDFs in {} do not run in the JVM worker",
                other.name()
            ))),
        }
    }

    fn compile_scala(&self, turn: &mut Turn) -> Result<Ready> {
        let mut first = None;
        if let Some(wrapped) = wrap::whole(&self.source, &self.udf)? {
            match self.try_compile(turn, wrapped)? {
                Ok(ready) => return Ok(ready),
                Err(messages) => first = Some(messages),
            }
        }
        match self.compile_extracted(turn)? {
            Ok(ready) => Ok(ready),
            Err(messages) => Err(self.compile_error(first.unwrap_or(messages), || Ok(self.alone(turn)?.is_empty()))?),
        }
    }

    /// The function with what it uses; imports that nothing of it needs are left out when they cannot be resolved.
    fn compile_extracted(&self, turn: &mut Turn) -> Result<Result<Ready, Vec<Message>>> {
        let mut without = Vec::new();
        loop {
            let wrapped = wrap::extracted(&self.source, &self.udf, &without)?;
            let messages = match self.try_compile(turn, wrapped)? {
                Ok(ready) => return Ok(Ok(ready)),
                Err(messages) => messages,
            };
            let import = messages.iter().find_map(|m| self.import_at(m.at?));
            match import.filter(|i| !without.contains(i) && without.len() < MOST_DROPPED_IMPORTS) {
                Some(import) => without.push(import),
                None => return Ok(Err(messages)),
            }
        }
    }

    /// In the class itself; where the function needs an instance, in one.
    fn compile_java(&self, turn: &mut Turn) -> Result<Ready> {
        let ways = wrap::java(&self.source, &self.udf)?;
        let mut first = None;
        for wrapped in ways.texts {
            match self.try_compile(turn, wrapped)? {
                Ok(ready) => return Ok(ready),
                Err(messages) => first = first.or(Some(messages)),
            }
        }
        let Some(why) = ways.unknown else {
            let compiles_alone = || Ok(self.alone(turn)?.is_empty());
            return Err(self.compile_error(first.unwrap_or_default(), compiles_alone)?);
        };
        match self.alone(turn)? {
            messages if messages.is_empty() => Err(wrap::not_reached(&self.udf, why)),
            messages => Err(self.compile_error(messages, || Ok(false))?),
        }
    }

    fn try_compile(&self, turn: &mut Turn, wrapped: Wrapped) -> Result<Result<Ready, Vec<Message>>> {
        let request = json!({
            "op": "compile", "language": self.source.language.name(), "name": self.name(), "text": wrapped.text,
            "entry": wrap::ENTRY, "returns": wrapped.returns, "arity": self.udf.params.len(),
        });
        let doing = format!("compiling {}", self.udf.name);
        let mut reply = turn.call(&doing, request.clone(), COMPILE_LIMIT, &self.cancel);
        // That a worker died since its last answer is only noticed now. Compiling runs none of the user's code, so that
        // another worker may be asked the same.
        if reply.is_err() && turn.start_again(&self.cancel)? {
            reply = turn.call(&doing, request, COMPILE_LIMIT, &self.cancel);
        }
        let reply = reply?;
        if reply["ok"] == true {
            let program = reply["program"]
                .as_u64()
                .ok_or_else(|| Error::internal("a program without a number"))?;
            return Ok(Ok(Ready {
                generation: turn.generation(),
                program,
                wrapped,
            }));
        }
        match reply["kind"].as_str() {
            Some("compile") => Ok(Err(Message::all(&reply, &wrapped))),
            _ => Err(self.refusal(turn, &reply)),
        }
    }

    /// Where the import begins that has this byte.
    fn import_at(&self, at: usize) -> Option<usize> {
        let start = self.source.text[..at].rfind("import ")?;
        let between = &self.source.text[start..at];
        let braces = between.matches('{').count() > between.matches('}').count();
        (!between.contains('\n') || braces).then_some(start)
    }

    /// What to say of the compiler's messages: the user's code does not compile, or what was added to reach the function does
    /// not, which is no fault of the user's and has no place in the file.
    fn compile_error(&self, messages: Vec<Message>, compiles_alone: impl FnOnce() -> Result<bool>) -> Result<Error> {
        let first = messages.first();
        let said = first.map_or("no reason was given", |m| m.text.as_str());
        if first.is_none_or(|m| m.at.is_none()) || compiles_alone()? {
            return Ok(wrap::not_reached(&self.udf, said));
        }
        let at = first.and_then(|m| m.at).map_or(self.udf.span, |at| Span::new(at, at));
        let error = Error::compile(format!("`{}` does not compile", self.udf.name))
            .because(said)
            .at(self.source.location(at))
            .hint(self.compiled_by())
            .hint("--classpath names the jars that it needs");
        let error = match messages.len() - 1 {
            0 => error,
            more => error.because(format!("and {more} more")),
        };
        let texts = messages.iter().map(|m| m.text.as_str());
        Ok(match versions::other(texts, &self.server.kit().spark) {
            Some(other) => error.because(other.because).hint(other.hint),
            None => error,
        })
    }

    fn compiled_by(&self) -> String {
        let kit = self.server.kit();
        match self.source.language {
            Language::Java => format!("it was compiled by Java {}", kit.java.version.as_deref().unwrap_or("")),
            _ => format!(
                "it was compiled by the Scala {} of Spark {}; `rewright setup spark` gets 3.5 (2.12) or 4 (2.13)",
                kit.spark.scala, kit.spark.version
            ),
        }
    }

    /// What the compiler says of the file as the user wrote it, without anything that reaches the function.
    fn alone(&self, turn: &mut Turn) -> Result<Vec<Message>> {
        let request = json!({
            "op": "compile", "language": self.source.language.name(), "name": self.name(),
            "text": &*self.source.text, "entry": "",
        });
        let doing = format!("compiling {}", self.name());
        let reply = turn.call(&doing, request, COMPILE_LIMIT, &self.cancel)?;
        Ok(match reply["ok"] == true {
            true => Vec::new(),
            false => Message::all(&reply, &wrap::plain(&self.source)),
        })
    }

    /// An error for a reply that says why there is no answer.
    fn refusal(&self, turn: &mut Turn, reply: &Value) -> Error {
        let message = reply["message"].as_str().unwrap_or("no reason was given");
        let what = format!("the {} oracle cannot run `{}`", self.id.name(), self.udf.name);
        let at = self.source.location(self.udf.span);
        match reply["kind"].as_str() {
            Some("endless") => {
                turn.give_up(&Lost::Ended("it was stopped in an endless row".into()));
                Error::not_proven(format!("`{}` does not end", self.udf.name))
                    .because(message)
                    .at(at)
            }
            Some("exit") => {
                turn.give_up(&Lost::Ended(message.to_owned()));
                Error::not_proven(what)
                    .because(message)
                    .at(at)
                    .hint("the next test starts a new worker")
            }
            Some("internal") => Error::internal(what).because(message),
            _ => Error::not_proven(what).because(message).at(at),
        }
    }

    /// The program, compiled again if the worker that had it is gone.
    fn ensure(&mut self, turn: &mut Turn) -> Result<u64> {
        if let Some(program) = self.held(turn) {
            return Ok(program);
        }
        let ready = self.compile(turn)?;
        let program = ready.program;
        self.ready = Some(ready);
        Ok(program)
    }

    /// Binds the program to the columns of a file without rows.
    fn bind(&mut self, turn: &mut Turn, input: &Path) -> Result<Value> {
        let program = self.ensure(turn)?;
        let request = self.request("prepare", program, input, Path::new(""));
        turn.call(
            &format!("preparing {}", self.udf.name),
            request,
            COMPILE_LIMIT,
            &self.cancel,
        )
    }

    fn request(&self, op: &str, program: u64, input: &Path, output: &Path) -> Value {
        json!({
            "op": op, "program": program, "input": input, "output": output, "ansi": self.settings.ansi,
            "zone": self.settings.time_zone, "row_limit_ms": self.row_limit.as_millis() as u64,
        })
    }

    fn facts(&self, hello: &Value, kind: &Value) -> BTreeMap<String, String> {
        let text = |key: &str| hello[key].as_str().unwrap_or("unknown").to_owned();
        let mut facts = BTreeMap::from([
            ("java".to_owned(), text("java")),
            ("scala".to_owned(), text("scala")),
            ("spark".to_owned(), text("spark")),
            ("time zone".to_owned(), self.settings.time_zone.clone()),
            ("ansi".to_owned(), self.settings.ansi.to_string()),
            ("threads".to_owned(), hello["threads"].to_string()),
            ("result type".to_owned(), kind.as_str().unwrap_or("unknown").to_owned()),
        ]);
        if let Some(ready) = &self.ready {
            facts.insert("compiled".to_owned(), ready.wrapped.way.to_owned());
        }
        facts
    }
}

impl Evaluator for JvmOracle {
    fn id(&self) -> EngineId {
        self.id
    }

    fn prepare(&mut self, schema: &Schema) -> Result<Evidence> {
        self.udf.takes(schema.fields().len())?;
        let server = self.server.clone();
        let mut turn = server.turn(&self.cancel)?;
        self.ensure(&mut turn)?;
        let input = turn.worker()?.folder().join("columns");
        columns::write(&RecordBatch::new_empty(Arc::new(schema.clone())), &input)?;
        let mut reply = self.bind(&mut turn, &input)?;
        if reply["kind"] == "raised" && self.source.language == Language::Scala {
            // What surrounds the function may do more than the function needs: start a session, read a file.
            let whole = self.ready.take();
            match self.compile_extracted(&mut turn)? {
                Ok(ready) => {
                    self.ready = Some(ready);
                    let again = self.bind(&mut turn, &input)?;
                    reply = if again["ok"] == true { again } else { reply };
                }
                Err(_) => self.ready = whole,
            }
        }
        if reply["ok"] != true {
            return Err(self.refusal(&mut turn, &reply));
        }
        let hello = turn.worker()?.hello().clone();
        Ok(Evidence {
            engine: self.id,
            version: hello["spark"].as_str().unwrap_or("unknown").to_owned(),
            facts: self.facts(&hello, &reply["type"]),
        })
    }

    fn eval(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        let server = self.server.clone();
        let mut turn = server.turn(cancel)?;
        let program = self.ensure(&mut turn)?;
        let folder = turn.worker()?.folder().to_owned();
        let (input, output) = (folder.join("columns"), folder.join("outcome"));
        columns::write(batch, &input)?;
        let mut request = self.request("eval", program, &input, &output);
        if self.id == EngineId::Spark {
            let table = folder.join("table.parquet");
            columns::write_table(batch, &table)?;
            request["op"] = "query".into();
            request["table"] = json!(table);
            request["rows"] = batch.num_rows().into();
        }
        let reply = turn.call(&format!("running {}", self.udf.name), request, RUN_LIMIT, cancel)?;
        if reply["ok"] != true {
            return Err(self.refusal(&mut turn, &reply));
        }
        let files = reply["files"].as_array().cloned().unwrap_or_default();
        let files: Vec<&Path> = files.iter().filter_map(|f| f.as_str().map(Path::new)).collect();
        columns::read(&files, batch.num_rows(), self.udf.return_type.as_ref())
    }
}

/// A compiler's message.
struct Message {
    text: String,
    /// Byte in the user's file.
    at: Option<usize>,
}

impl Message {
    /// All of a reply, those in the user's own text first.
    fn all(reply: &Value, wrapped: &Wrapped) -> Vec<Message> {
        let messages = reply["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut all: Vec<Message> = messages
            .iter()
            .map(|m| Message {
                text: m["message"]
                    .as_str()
                    .unwrap_or("it does not compile")
                    .replace('\n', " "),
                at: m["offset"].as_u64().and_then(|o| wrapped.original(o as usize)),
            })
            .collect();
        all.sort_by_key(|m| m.at.is_none());
        if all.is_empty() {
            let text = reply["message"].as_str().unwrap_or("no reason was given").to_owned();
            all.push(Message { text, at: None });
        }
        all
    }
}
