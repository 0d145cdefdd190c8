//! Packs a UDF for a cluster: compiled as the oracle compiles it, in a jar, with the application that runs it in another.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{COMPILE_LIMIT, JvmOracle};
use crate::error::{Error, Result};
use crate::run::worker::Lost;

/// Jars to send to a cluster, and how the UDF is reached in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The application.
    pub application: PathBuf,
    /// The user's classes.
    pub udf: PathBuf,
    /// The jars of the class path, its folders packed into jars.
    pub classpath: Vec<PathBuf>,
    /// Class of the entry point.
    pub entry: String,
    /// Spark's result type of a `UDFn`; empty where the function says it itself.
    pub returns: String,
    /// The user's file, which stack traces name.
    pub file: String,
    /// How the UDF was made reachable, for the evidence.
    pub way: &'static str,
}

impl JvmOracle {
    /// Compiles the UDF and writes both jars into a folder.
    pub fn pack(&mut self, folder: &Path) -> Result<Packed> {
        let server = self.server.clone();
        let cancel = self.cancel.clone();
        let mut turn = server.turn(&cancel)?;
        let program = self.ensure(&mut turn)?;
        let (application, udf) = (folder.join("rewright-verify.jar"), folder.join("udf.jar"));
        let (mut classpath, mut folders) = (Vec::new(), Vec::new());
        for (i, entry) in server.kit().classpath.iter().enumerate() {
            let entry = std::path::absolute(entry).unwrap_or_else(|_| entry.clone());
            if entry.is_dir() {
                let jar = folder.join(format!("classes-{i}.jar"));
                folders.push((entry, jar.clone()));
                classpath.push(jar);
            } else {
                classpath.push(entry);
            }
        }
        let request =
            json!({"op": "jars", "program": program, "application": application, "udf": udf, "folders": folders});
        let reply = turn.call(&format!("packing {}", self.udf.name), request, COMPILE_LIMIT, &cancel)?;
        if reply["ok"] != true {
            return Err(self.refusal(&mut turn, &reply));
        }
        let text = |key: &str| {
            let value = reply[key].as_str().map(str::to_owned);
            value.ok_or_else(|| Error::internal(format!("the jars came without `{key}`")))
        };
        Ok(Packed {
            application,
            udf,
            classpath,
            entry: text("entry")?,
            returns: text("returns")?,
            file: text("file")?,
            way: self.ready.as_ref().map_or("unknown", |r| r.wrapped.way),
        })
    }

    /// Ends the worker, for when the machine's memory is wanted for something else; the next request starts another.
    pub fn release(&self) {
        if let Ok(mut turn) = self.server.turn(&self.cancel) {
            turn.give_up(&Lost::Ended("it was not needed any more".into()));
        }
    }
}
