//! The compiled form of a program and the state in which one thread runs it. In: closures made by the compiler; out: values
//! of calls. Never sees Arrow.

use std::sync::Arc;

use crate::jvm::object::{Closure, Object};
use crate::jvm::table::Context;
use crate::jvm::value::{Control, Eval, Throw, Value};
use crate::lang::ast::{ClassId, ClassKind, Dialect, FnId};
use crate::lang::ty::Prim;
use crate::source::Span;

use super::bits;

/// Why compiled code stopped before its end. Small, so that results travel in registers.
pub enum Stop {
    /// `return`: the value is in [`Cx::result`].
    Return,
    /// `break`: the label is in [`Cx::label`].
    Break,
    /// `continue`: the label is in [`Cx::label`].
    Continue,
    /// The value is null. Only [`BCode`] says so, and whoever runs such code turns it into a value at once.
    Null,
    /// Everything that leaves the function.
    Throw(Box<Throw>),
}

impl From<Throw> for Stop {
    fn from(throw: Throw) -> Stop {
        Stop::Throw(Box::new(throw))
    }
}

/// What compiled code gives.
pub type Run<T> = Result<T, Stop>;
/// Code whose value is a primitive, as bits.
pub type PCode = Box<dyn for<'m> Fn(&mut Cx<'m>) -> Run<u64> + Send + Sync>;
/// Code whose value is a boxed primitive: its bits, or [`Stop::Null`], so that both travel in registers.
pub type BCode = PCode;
/// Code whose value is any value.
pub type VCode = Box<dyn for<'m> Fn(&mut Cx<'m>) -> Run<Value> + Send + Sync>;
/// Code whose value is dropped.
pub type UCode = Box<dyn for<'m> Fn(&mut Cx<'m>) -> Run<()> + Send + Sync>;

/// Where a variable lives in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// A primitive, as bits.
    Prim(usize, Prim),
    /// A value.
    Val(usize),
    /// A variable shared with closures: an [`Object::Cell`].
    Cell(usize, Option<Prim>),
    /// A `lazy val`: a cell that first holds how to make the value.
    Lazy(usize, Option<Prim>),
}

/// The body of a function, a lambda or an initialiser.
pub enum Body {
    /// Gives a primitive.
    Prim(PCode, Prim),
    /// Gives a boxed primitive or null.
    Boxed(BCode, Prim),
    /// Gives any value.
    Val(VCode),
}

/// A function, a lambda or an initialiser, ready to run.
pub struct Unit {
    /// Name, for messages.
    pub name: String,
    /// Slots of the parameters, in order; primitives and values are each numbered from 0.
    pub params: Vec<Slot>,
    /// Size of the frame.
    pub prims: usize,
    /// Size of the frame.
    pub vals: usize,
    /// The primitive slot that holds the invocation's serial number, if a lambda inside returns from this function.
    pub serial: Option<usize>,
    /// The primitive slot that says that `Context::call_partial` is asking.
    pub partial: Option<usize>,
    /// The code.
    pub body: Body,
}

/// A program, compiled.
pub struct Machine {
    /// Functions by [`FnId`].
    pub functions: Vec<Unit>,
    /// Initialisers of globals.
    pub globals: Vec<Unit>,
    /// Lambdas.
    pub lambdas: Vec<Unit>,
    /// Names and kinds of the program's classes.
    pub classes: Vec<(String, ClassKind, Option<FnId>)>,
    /// Whose rules hold.
    pub dialect: Dialect,
    /// The JVM's default zone.
    pub time_zone: String,
}

/// Bounds of one row.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Loop turns, calls and elements walked.
    pub steps: u64,
    /// Bytes allocated.
    pub bytes: usize,
    /// Calls within calls.
    pub depth: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            steps: 50_000_000,
            bytes: 256 << 20,
            depth: 2_000,
        }
    }
}

/// Text of the bounds; `Throw::Limit` carries one of them.
pub const LIMIT_STEPS: &str = "it did not end within the bound on steps: an endless or very long loop";
/// The bound on memory.
pub const LIMIT_BYTES: &str = "it needs more memory than the bound allows";
/// The bound on depth.
pub const LIMIT_DEPTH: &str =
    "its calls nest deeper than the bound allows (the JVM may end such a row with StackOverflowError)";

/// A global of one thread.
#[derive(Clone)]
pub enum GlobalState {
    /// Not asked for yet.
    New,
    /// Being initialised.
    Busy,
    /// Has its value.
    Ready(Value),
}

/// A thread that runs a program: its stacks and what is left of the bounds.
pub struct Cx<'m> {
    /// The program.
    pub machine: &'m Machine,
    /// Primitives of all frames.
    pub prims: Vec<u64>,
    /// Values of all frames.
    pub vals: Vec<Value>,
    /// Where this frame's primitives begin.
    pub pb: usize,
    /// Where this frame's values begin.
    pub vb: usize,
    /// The value of a `return` on its way.
    pub result: Value,
    /// The label of a `break` or `continue` on its way.
    pub label: Option<u32>,
    /// Globals of this thread.
    pub globals: Vec<GlobalState>,
    /// Where a bound was reached.
    pub at: Option<Span>,
    /// Whether the next call of a lambda asks if it is defined.
    pub asking: bool,
    bounds: Bounds,
    steps: u64,
    bytes: usize,
    depth: u32,
    serials: u64,
}

/// A closure of this interpreter.
#[derive(Debug)]
pub struct LambdaValue {
    /// Index into [`Machine::lambdas`], or into the functions.
    pub unit: UnitRef,
    /// Captured primitives.
    pub prims: Vec<u64>,
    /// Captured values.
    pub vals: Vec<Value>,
}

/// Which unit a closure runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitRef {
    /// A lambda.
    Lambda(usize),
    /// A function.
    Function(FnId),
}

impl Closure for LambdaValue {}

/// How to make the value of a `lazy val`, while it is not made.
#[derive(Debug)]
pub struct LazyThunk(pub Value);

impl crate::jvm::object::Other for LazyThunk {
    fn class_name(&self) -> &'static str {
        "lazy val"
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

impl<'m> Cx<'m> {
    /// A fresh thread.
    pub fn new(machine: &'m Machine, bounds: Bounds) -> Cx<'m> {
        Cx {
            machine,
            prims: Vec::with_capacity(256),
            vals: Vec::with_capacity(256),
            pb: 0,
            vb: 0,
            result: Value::Null,
            label: None,
            globals: vec![GlobalState::New; machine.globals.len()],
            at: None,
            asking: false,
            bounds,
            steps: bounds.steps,
            bytes: bounds.bytes,
            depth: 0,
            serials: 0,
        }
    }

    /// Renews the bounds for the next row.
    #[inline]
    pub fn next_row(&mut self) {
        self.steps = self.bounds.steps;
        self.bytes = self.bounds.bytes;
    }

    /// Counts one turn or call.
    #[inline]
    pub fn tick(&mut self) -> Run<()> {
        match self.steps.checked_sub(1) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(Throw::Limit(LIMIT_STEPS).into()),
        }
    }

    /// A frame for the unit above everything pushed so far; arguments lie from `pb` and `vb` on.
    #[inline]
    pub fn enter(&mut self, unit: &'m Unit, pb: usize, vb: usize) -> Run<Frame> {
        let saved = Frame {
            pb: self.pb,
            vb: self.vb,
            new_pb: pb,
            new_vb: vb,
        };
        if self.depth >= self.bounds.depth {
            self.prims.truncate(pb);
            self.vals.truncate(vb);
            return Err(Throw::Limit(LIMIT_DEPTH).into());
        }
        self.depth += 1;
        self.pb = pb;
        self.vb = vb;
        self.prims.resize(pb + unit.prims, 0);
        self.vals.resize(vb + unit.vals, Value::Null);
        Ok(saved)
    }

    /// Leaves the frame.
    #[inline]
    pub fn leave(&mut self, frame: Frame) {
        self.depth -= 1;
        self.prims.truncate(frame.new_pb);
        self.vals.truncate(frame.new_vb);
        self.pb = frame.pb;
        self.vb = frame.vb;
    }

    /// Runs the body of a unit in the frame that was entered, as bits of a primitive.
    pub fn run_prim(&mut self, unit: &'m Unit) -> Run<u64> {
        self.number(unit);
        let (code, prim) = match &unit.body {
            Body::Prim(code, prim) => (code, *prim),
            Body::Boxed(..) | Body::Val(_) => return Err(bits::mistyped(&unit.name).into()),
        };
        match code(self) {
            Ok(v) => Ok(v),
            Err(stop) => {
                let value = self.returned(unit, stop)?;
                Ok(bits::unwrap(&value, prim)?)
            }
        }
    }

    /// Runs the body of a unit in the frame that was entered.
    pub fn run(&mut self, unit: &'m Unit) -> Run<Value> {
        self.number(unit);
        let ran = match &unit.body {
            Body::Prim(code, prim) => code(self).map(|b| bits::wrap(b, *prim)),
            Body::Boxed(code, prim) => boxed(code(self), *prim),
            Body::Val(code) => code(self),
        };
        ran.or_else(|stop| self.returned(unit, stop))
    }

    /// Runs a body that gives a boxed primitive in the frame that was entered: its bits, or `None` for null.
    #[inline]
    pub fn run_boxed(&mut self, unit: &'m Unit, code: &'m BCode, prim: Prim) -> Run<Option<u64>> {
        self.number(unit);
        match code(self) {
            Ok(b) => Ok(Some(b)),
            Err(Stop::Null) => Ok(None),
            Err(stop) => match self.returned(unit, stop)? {
                Value::Null => Ok(None),
                value => Ok(Some(bits::unwrap(&value, prim)?)),
            },
        }
    }

    #[inline]
    fn number(&mut self, unit: &Unit) {
        if let Some(slot) = unit.serial {
            self.serials += 1;
            self.prims[self.pb + slot] = self.serials;
        }
    }

    /// The value of a `return` that ends in this frame.
    fn returned(&mut self, unit: &Unit, stop: Stop) -> Run<Value> {
        match stop {
            Stop::Return => Ok(std::mem::take(&mut self.result)),
            Stop::Throw(throw) => match *throw {
                Throw::Control(Control::Return(serial, ref value))
                    if unit.serial.is_some_and(|s| self.prims[self.pb + s] == serial) =>
                {
                    Ok(value.clone())
                }
                other => Err(Stop::Throw(Box::new(other))),
            },
            other => Err(other),
        }
    }

    /// Pushes an argument where the slot's kind is kept.
    pub fn push(&mut self, slot: Slot, value: &Value) -> Run<()> {
        match slot {
            Slot::Prim(_, p) => self.prims.push(bits::unwrap(value, p)?),
            Slot::Val(_) => self.vals.push(value.clone()),
            Slot::Cell(..) | Slot::Lazy(..) => self.vals.push(cell(value.clone())),
        }
        Ok(())
    }

    /// Calls a unit with values.
    pub fn call_unit(&mut self, unit: &'m Unit, args: &[Value], prims: &[u64], vals: &[Value]) -> Run<Value> {
        self.tick()?;
        let (pb, vb) = (self.prims.len(), self.vals.len());
        if args.len() != unit.params.len() {
            return Err(Throw::Unsupported(format!(
                "`{}` is called with {} arguments for {} parameters",
                unit.name,
                args.len(),
                unit.params.len()
            ))
            .into());
        }
        for (slot, arg) in unit.params.iter().zip(args) {
            if let Err(stop) = self.push(*slot, arg) {
                self.prims.truncate(pb);
                self.vals.truncate(vb);
                return Err(stop);
            }
        }
        self.prims.extend_from_slice(prims);
        self.vals.extend_from_slice(vals);
        let asking = std::mem::take(&mut self.asking);
        let frame = self.enter(unit, pb, vb)?;
        if let Some(slot) = unit.partial {
            self.prims[self.pb + slot] = u64::from(asking);
        }
        let ran = self.run(unit);
        self.leave(frame);
        ran
    }

    /// Calls a function value.
    pub fn call_value(&mut self, func: &Value, args: &[Value]) -> Run<Value> {
        let machine = self.machine;
        match func {
            Value::Null => Err(Throw::null_pointer().into()),
            Value::Obj(o) => match &**o {
                Object::Closure(closure) => {
                    let any: &dyn std::any::Any = &**closure;
                    let Some(lambda) = any.downcast_ref::<LambdaValue>() else {
                        return Err(Throw::Unsupported("a foreign closure".into()).into());
                    };
                    let unit = match lambda.unit {
                        UnitRef::Lambda(i) => &machine.lambdas[i],
                        UnitRef::Function(f) => &machine.functions[f.0 as usize],
                    };
                    self.call_unit(unit, args, &lambda.prims, &lambda.vals)
                }
                Object::FnRef(f) => self.call_unit(&machine.functions[f.0 as usize], args, &[], &[]),
                Object::Native(f) => Ok((f.0)(self, args)?),
                _ => Ok(crate::jvm::apply::apply(self, func, args)?),
            },
            _ => Err(Throw::Unsupported("a call of something that is not a function".into()).into()),
        }
    }

    /// The value of a global, initialised when first asked for.
    pub fn global(&mut self, index: usize) -> Run<Value> {
        match &self.globals[index] {
            GlobalState::Ready(v) => return Ok(v.clone()),
            GlobalState::Busy => {
                return Err(Throw::Unsupported("a global whose initialiser needs itself".into()).into());
            }
            GlobalState::New => {}
        }
        let machine = self.machine;
        let unit = &machine.globals[index];
        self.globals[index] = GlobalState::Busy;
        match self.call_unit(unit, &[], &[], &[]) {
            Ok(value) => {
                self.globals[index] = GlobalState::Ready(value.clone());
                Ok(value)
            }
            Err(Stop::Throw(throw)) => {
                // The next row may ask again: a bound that one row reached says nothing about it.
                self.globals[index] = GlobalState::New;
                Err(match *throw {
                    Throw::Exception(e) => Throw::Unsupported(format!(
                        "the initialiser of `{}` throws {}: what happens then depends on how the JVM loads the class",
                        unit.name, e.class
                    )),
                    other => other,
                }
                .into())
            }
            Err(other) => Err(other),
        }
    }
}

/// What to restore when a frame is left.
pub struct Frame {
    pb: usize,
    vb: usize,
    new_pb: usize,
    new_vb: usize,
}

/// The value of what [`BCode`] gave.
#[inline]
pub fn boxed(ran: Run<u64>, prim: Prim) -> Run<Value> {
    match ran {
        Ok(b) => Ok(bits::wrap(b, prim)),
        Err(Stop::Null) => Ok(Value::Null),
        Err(stop) => Err(stop),
    }
}

/// A shared variable with a value.
pub fn cell(value: Value) -> Value {
    Value::Obj(Arc::new(Object::Cell(std::sync::Mutex::new(value))))
}

/// What a stop means outside of compiled code: a `return` of the function itself never gets here.
pub fn thrown(stop: Stop) -> Throw {
    match stop {
        Stop::Throw(throw) => *throw,
        Stop::Return | Stop::Break | Stop::Continue | Stop::Null => {
            Throw::Unsupported("a jump out of a function".into())
        }
    }
}

impl Context for Cx<'_> {
    fn call(&mut self, func: &Value, args: &[Value]) -> Eval {
        self.call_value(func, args).map_err(thrown)
    }

    fn call_partial(&mut self, func: &Value, args: &[Value]) -> Eval<Option<Value>> {
        self.asking = true;
        let ran = self.call_value(func, args).map_err(thrown);
        self.asking = false;
        match ran {
            Ok(v) => Ok(Some(v)),
            Err(Throw::Control(Control::Undefined)) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn class_shape(&self, class: ClassId) -> (String, ClassKind, Option<FnId>) {
        self.machine.classes[class.0 as usize].clone()
    }

    fn dialect(&self) -> Dialect {
        self.machine.dialect
    }

    fn step(&mut self, steps: u64) -> Eval<()> {
        self.steps = self.steps.checked_sub(steps).ok_or(Throw::Limit(LIMIT_STEPS))?;
        Ok(())
    }

    fn grow(&mut self, bytes: usize) -> Eval<()> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Throw::Limit(LIMIT_BYTES))?;
        Ok(())
    }

    fn time_zone(&self) -> &str {
        &self.machine.time_zone
    }
}
