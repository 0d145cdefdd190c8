//! Ownership of columns, scalars and tables. In: allocations, closes and uses with their line; out: the values, Java's
//! exceptions, and findings on leaks and double closes. Never computes.

use std::rc::Rc;

use super::column::{Col, ScalarValue};
use crate::run::Finding;

/// What a handle stands for.
#[derive(Debug, Clone)]
pub enum Res {
    /// `ColumnVector`.
    Column(Rc<Col>),
    /// `ColumnView` that is not a vector.
    View(Rc<Col>),
    /// `Scalar`.
    Scalar(Rc<ScalarValue>),
    /// `Table`: handles of its columns, of which it holds one reference each.
    Table(Rc<Vec<usize>>),
}

#[derive(Debug)]
struct Slot {
    res: Option<Res>,
    class: &'static str,
    refs: i64,
    line: u32,
    made_by: String,
    input: bool,
}

/// Everything that one run has allocated.
#[derive(Debug, Default)]
pub struct Heap {
    slots: Vec<Slot>,
    /// What was noticed so far.
    pub findings: Vec<Finding>,
}

/// A Java exception: class and message.
pub type JavaError = (&'static str, String);

impl Heap {
    /// A new handle with one reference.
    pub fn alloc(&mut self, res: Res, line: u32, made_by: &str) -> usize {
        let class = match &res {
            Res::Column(_) => "ColumnVector",
            Res::View(_) => "ColumnView",
            Res::Scalar(_) => "Scalar",
            Res::Table(_) => "Table",
        };
        self.slots.push(Slot {
            res: Some(res),
            class,
            refs: 1,
            line,
            made_by: made_by.to_string(),
            input: false,
        });
        self.slots.len() - 1
    }

    /// An argument of `evaluateColumnar`: its one reference is the caller's.
    pub fn alloc_input(&mut self, col: Col) -> usize {
        let id = self.alloc(Res::Column(Rc::new(col)), 0, "argument");
        self.slots[id].input = true;
        id
    }

    /// The Java class behind a handle.
    pub fn class(&self, id: usize) -> &'static str {
        self.slots[id].class
    }

    /// The value, or what Java throws for a closed one.
    pub fn get(&mut self, id: usize, line: u32) -> Result<Res, JavaError> {
        match &self.slots[id].res {
            Some(res) => Ok(res.clone()),
            None => {
                let s = &self.slots[id];
                let message = format!("the {} of {} is used after it was closed", s.class, origin(s));
                self.note("use-after-close", &message, line);
                Err(("NullPointerException", format!("the {} is closed", self.class(id))))
            }
        }
    }

    /// The value, if it is open. Notes nothing.
    pub fn peek(&self, id: usize) -> Option<&Res> {
        self.slots.get(id)?.res.as_ref()
    }

    /// The references of a handle.
    pub fn refs(&self, id: usize) -> i64 {
        self.slots[id].refs
    }

    /// `incRefCount`.
    pub fn retain(&mut self, id: usize, line: u32) -> Result<(), JavaError> {
        if self.slots[id].refs <= 0 {
            let message = format!(
                "the {} of {} is used after it was closed",
                self.class(id),
                origin(&self.slots[id])
            );
            self.note("use-after-close", &message, line);
            return Err(("IllegalStateException", "the column is already closed".into()));
        }
        self.slots[id].refs += 1;
        Ok(())
    }

    /// `close()`.
    pub fn close(&mut self, id: usize, line: u32) -> Result<(), JavaError> {
        if self.slots[id].refs <= 0 {
            let message = format!("the {} of {} is closed twice", self.class(id), origin(&self.slots[id]));
            self.note("double-close", &message, line);
            return Err(("IllegalStateException", "Close called too many times".into()));
        }
        self.slots[id].refs -= 1;
        if self.slots[id].refs > 0 {
            return Ok(());
        }
        if self.slots[id].input {
            self.note("input-closed", "an argument is closed; it belongs to the caller", line);
        }
        if let Some(Res::Table(columns)) = self.slots[id].res.take() {
            for c in columns.iter() {
                self.close(*c, line)?;
            }
        }
        Ok(())
    }

    /// What is still open at the end, `result` and what it holds apart.
    pub fn check_end(&mut self, result: Option<usize>, thrown: Option<&str>) {
        let held: Vec<usize> = self
            .slots
            .iter()
            .filter_map(|s| match &s.res {
                Some(Res::Table(c)) => Some(c.to_vec()),
                _ => None,
            })
            .flatten()
            .collect();
        for id in 0..self.slots.len() {
            let s = &self.slots[id];
            let by_tables = held.iter().filter(|h| **h == id).count() as i64;
            let owed = i64::from(s.input) + i64::from(result == Some(id)) + by_tables;
            if s.refs > owed {
                let when = thrown.map_or(String::new(), |class| format!(" when {class} is thrown"));
                let line = s.line;
                let message = format!("the {} of {} is never closed{when}", s.class, origin(s));
                self.note("leak", &message, line);
            } else if result == Some(id) && s.input && s.refs < owed {
                let message = "an argument is returned without incRefCount(); it will be closed twice";
                self.note("input-returned", message, 0);
            }
        }
    }

    /// Records a finding once; line 0 is no line.
    pub fn note(&mut self, id: &str, message: &str, line: u32) {
        let finding = Finding {
            id: id.to_string(),
            message: message.to_string(),
            line: (line > 0).then_some(line),
        };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

fn origin(s: &Slot) -> String {
    if s.input {
        "the arguments".into()
    } else {
        format!("`{}` in line {}", s.made_by, s.line)
    }
}
