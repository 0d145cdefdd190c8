//! Compiles a typed program to closures over numbered slots. In: a [`Program`]; out: a [`Machine`]. Never runs it, and refuses
//! (with the span) what it cannot compile.

use std::collections::HashMap;

use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Understood};

use super::machine::{Body, Machine, Slot, Unit};
use super::node::{Code, P, V};
use super::units::{SERIAL, Units, Var};

/// Compiles programs.
pub struct Compiler<'p> {
    /// What is compiled.
    pub program: &'p Program,
    /// Facts about its variables.
    pub units: Units<'p>,
    /// Lambdas compiled so far; a place is taken before its body is compiled.
    pub lambdas: Vec<Option<Unit>>,
    labels: HashMap<String, u32>,
}

/// The unit being compiled: its variables and the frame they make.
pub struct Frame {
    /// Function or initialiser it stands in.
    pub owner: u32,
    /// Whether it is a lambda inside that function.
    pub lambda: bool,
    /// The slot that says that `call_partial` is asking, for the `match` that makes up the body.
    pub partial: Option<usize>,
    slots: HashMap<Var, Slot>,
    prims: usize,
    vals: usize,
    serial: Option<usize>,
}

impl Frame {
    fn new(owner: u32, lambda: bool) -> Frame {
        Frame {
            owner,
            lambda,
            partial: None,
            slots: HashMap::new(),
            prims: 0,
            vals: 0,
            serial: None,
        }
    }

    fn prim(&mut self) -> usize {
        self.prims += 1;
        self.prims - 1
    }

    /// A new value slot of the frame.
    pub fn val(&mut self) -> usize {
        self.vals += 1;
        self.vals - 1
    }
}

/// Compiles a program for a time zone.
pub fn compile(program: &Program, time_zone: &str) -> Understood<Machine> {
    let mut c = Compiler {
        program,
        units: Units::new(program),
        lambdas: Vec::new(),
        labels: HashMap::new(),
    };
    let mut functions = Vec::new();
    for (f, function) in program.functions.iter().enumerate() {
        let params: Vec<LocalId> = (0..function.params.len() as u32).map(LocalId).collect();
        let free: Vec<Var> = c.units.free[f].iter().copied().collect();
        let frame = Frame::new(f as u32, false);
        functions.push(c.unit(&function.name, frame, &params, &free, &function.body, &function.ret)?);
    }
    let mut globals = Vec::new();
    for (g, global) in program.globals.iter().enumerate() {
        let frame = Frame::new((program.functions.len() + g) as u32, false);
        globals.push(c.unit(&global.name, frame, &[], &[], &global.init, &global.ty)?);
    }
    Ok(Machine {
        functions,
        globals,
        lambdas: c.lambdas.into_iter().flatten().collect(),
        classes: program
            .classes
            .iter()
            .map(|c| (c.name.clone(), c.kind, c.shown_by))
            .collect(),
        dialect: program.dialect,
        time_zone: time_zone.to_string(),
    })
}

impl<'p> Compiler<'p> {
    /// Compiles a unit: parameters come first in its frame, then what it captures, then its own variables.
    fn unit(
        &mut self,
        name: &str,
        mut frame: Frame,
        params: &[LocalId],
        free: &[Var],
        body: &Expr,
        ret: &Ty,
    ) -> Understood<Unit> {
        let owner = frame.owner;
        let params = params
            .iter()
            .map(|p| {
                let var = self.units.resolve(owner, *p);
                self.slot(&mut frame, var)
            })
            .collect();
        // What is captured is pushed right after the arguments.
        for var in free {
            self.slot(&mut frame, *var);
        }
        if frame.lambda && matches!(body.kind, ExprKind::Match { .. }) {
            frame.partial = Some(frame.prim());
        }
        let partial = frame.partial;
        let code = self.tail(&mut frame, body)?;
        let body = match (ret.prim_type(), code) {
            (Some(prim), code) => Body::Prim(code.prim(prim).code(), prim),
            (None, Code::B(b, prim)) if *ret == Ty::Boxed(prim) => Body::Boxed(b.code(), prim),
            (None, code) => Body::Val(code.value().code()),
        };
        Ok(Unit {
            name: name.to_string(),
            params,
            prims: frame.prims,
            vals: frame.vals,
            serial: frame.serial,
            partial,
            body,
        })
    }

    /// A `return` as the last thing of a function is its value.
    fn tail(&mut self, frame: &mut Frame, body: &Expr) -> Understood<Code> {
        match &body.kind {
            ExprKind::Return(Some(value)) if !frame.lambda => self.tail(frame, value),
            _ => self.expr(frame, body),
        }
    }

    /// Compiles a lambda; gives its number and the slots of this frame that it captures.
    pub fn lambda(&mut self, frame: &mut Frame, params: &[LocalId], body: &Expr) -> Understood<(usize, Vec<Slot>)> {
        let free: Vec<Var> = self
            .units
            .free_of_lambda(frame.owner, body, params)
            .into_iter()
            .collect();
        let captured = free.iter().map(|v| self.slot(frame, *v)).collect();
        let index = self.lambdas.len();
        self.lambdas.push(None);
        let inner = Frame::new(frame.owner, true);
        let unit = self.unit("a function literal", inner, params, &free, body, &body.ty)?;
        self.lambdas[index] = Some(unit);
        Ok((index, captured))
    }

    /// Slots of this frame that a function needs besides its arguments.
    pub fn captures_of(&mut self, frame: &mut Frame, func: FnId) -> Vec<Slot> {
        let free: Vec<Var> = self.units.free[func.0 as usize].iter().copied().collect();
        free.into_iter().map(|v| self.slot(frame, v)).collect()
    }

    /// The slot of a variable, taken when first asked for.
    pub fn slot(&mut self, frame: &mut Frame, var: Var) -> Slot {
        if let Some(slot) = frame.slots.get(&var) {
            return *slot;
        }
        let slot = if var.local == SERIAL {
            let i = frame.prim();
            if !frame.lambda && var.owner == frame.owner {
                frame.serial = Some(i);
            }
            Slot::Prim(i, Prim::Long)
        } else {
            let prim = match self.units.locals(var.owner).get(var.local as usize) {
                Some(local) if !self.by_name(var) => local.ty.prim_type(),
                _ => None,
            };
            if self.units.is_lazy(var) {
                Slot::Lazy(frame.val(), prim)
            } else if self.units.is_cell(var) {
                Slot::Cell(frame.val(), prim)
            } else if let Some(prim) = prim {
                Slot::Prim(frame.prim(), prim)
            } else {
                Slot::Val(frame.val())
            }
        };
        frame.slots.insert(var, slot);
        slot
    }

    /// Whether a variable is a by-name parameter: its slot holds how to make the value.
    pub fn by_name(&self, var: Var) -> bool {
        let function = self.program.functions.get(var.owner as usize);
        function
            .and_then(|f| f.params.get(var.local as usize))
            .is_some_and(|p| p.by_name)
    }

    /// The slot of a local of the function being compiled.
    pub fn local(&mut self, frame: &mut Frame, local: LocalId) -> (Var, Slot) {
        let var = self.units.resolve(frame.owner, local);
        (var, self.slot(frame, var))
    }

    /// The number of a label.
    pub fn label(&mut self, name: &str) -> u32 {
        let next = self.labels.len() as u32;
        *self.labels.entry(name.to_string()).or_insert(next)
    }

    /// Compiles an expression as a primitive of a type.
    pub fn prim(&mut self, frame: &mut Frame, e: &Expr, want: Prim) -> Understood<P> {
        Ok(self.expr(frame, e)?.prim(want))
    }

    /// Compiles an expression as a value.
    pub fn value(&mut self, frame: &mut Frame, e: &Expr) -> Understood<V> {
        Ok(self.expr(frame, e)?.value())
    }

    /// Compiles a condition.
    pub fn truth(&mut self, frame: &mut Frame, e: &Expr) -> Understood<P> {
        self.prim(frame, e, Prim::Boolean)
    }
}

/// A refusal of an expression.
pub fn refuse<T>(e: &Expr, reason: impl Into<String>) -> Understood<T> {
    Err(Refusal::new(e.span, reason))
}
