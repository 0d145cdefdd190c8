//! Java: a syntax tree and the place of a function come in, a closed typed [`Program`] goes out. Types follow the language's
//! rules for the constructs that are covered (numeric promotion, boxing, implicit narrowing of compound assignments, overload
//! phases); everything else is a [`Refusal`] with the smallest span. Never runs anything, never guesses.

mod cst;
mod scope;
mod types;
mod literal;
mod convert;
mod expr;
mod operators;
mod assign;
mod arrays;
mod calls;
mod methods;
mod rows;
mod lambda;
mod create;
mod classes;
mod fields;
mod stmts;
mod loops;
mod exits;
mod switch;
mod tries;
mod hive;
mod state;
mod finish;

use std::collections::{BTreeSet, HashMap};

use tree_sitter::Node;

pub use cst::{
    dimensions, enclosing, field, field_all, first_error, has_modifier, is_type_declaration, kids, members, name_of,
    parameters, span, text, too_deep, unparen,
};
pub use hive::{GenericShape, generic_shape};
pub use scope::{Outer, lookup_class};
pub use types::functional;

use crate::lang::ast::{
    Class, ClassId, Expr, ExprKind, FnId, Function, Global, GlobalId, Local, LocalId, Param, Program, Stmt,
};
use crate::lang::ty::Ty;
use crate::source::{Refusal, SourceFile, Span, Understood};

/// Types functions of one file. One `Typer` makes one program.
pub struct Typer<'t> {
    source: &'t SourceFile,
    root: Node<'t>,
    functions: Vec<Option<Function>>,

    fn_ids: HashMap<usize, FnId>,
    globals: Vec<Option<Global>>,
    global_ids: HashMap<String, GlobalId>,
    initialising: Vec<String>,
    classes: Vec<Class>,
    class_nodes: Vec<Node<'t>>,
    frames: Vec<Frame>,
    type_vars: Vec<HashMap<String, Ty>>,
    /// What a Hive `GenericUDF` calls its arguments and inspectors.
    generic: Option<GenericShape>,
    needs: BTreeSet<Span>,
    depth: usize,
    made_up: usize,
}

/// One function that is being typed; lambdas share the frame of the function they stand in.
struct Frame {
    locals: Vec<Local>,
    scopes: Vec<HashMap<String, LocalId>>,
    /// What `return` converts to, innermost lambda last.
    returns: Vec<Exit>,
    /// Where `break`, `continue` and `yield` go, innermost last.
    targets: Vec<Target>,
    /// The instance a method is called on, with its class.
    this: Option<This>,
    /// Fields of a Hive function that hold its result: which slot stands for them, and whether they are set here.
    writables: HashMap<String, LocalId>,
    written: BTreeSet<u32>,
}

/// What `this` is.
#[derive(Clone)]
enum This {
    /// An instance in a slot.
    Value(LocalId, ClassId),
    /// Fields being set by a constructor: a slot each.
    Fields(ClassId, Vec<LocalId>),
}

/// Where `return` goes.
#[derive(Clone)]
enum Exit {
    /// Out of the function, with a value of a type.
    Function(Ty),
    /// Out of a lambda or to the value of a `switch`: into a slot, then out of a loop of one turn.
    Slot { slot: LocalId, ty: Ty, label: String },
    /// The value is that of the block that is being typed; such an exit never stands elsewhere.
    Value,
}

/// What `break` and `continue` may mean.
struct Target {
    /// The label in the source.
    label: Option<String>,
    /// The label in the program.
    emitted: String,
    kind: TargetKind,
    used: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetKind {
    Loop,
    /// An old `switch` whose breaks leave a loop of one turn.
    Switch,
    /// A labelled block, or a loop of one turn around a body with exits.
    Block,
}

/// What callers of a method need to know.
#[derive(Clone)]
struct Signature {
    name: String,
    params: Vec<(String, Ty, Span)>,
    varargs: bool,
    ret: Ty,
}

/// A function that was typed as the entry of a program.
#[derive(Debug, Clone)]
pub struct Typed {
    /// The closed program.
    pub program: Program,
    /// Spans of helpers, constants, classes and imports that it uses.
    pub needs: Vec<Span>,
}

/// Nesting of expressions beyond which a source is refused rather than risking the stack.
const MAX_DEPTH: usize = 200;

impl<'t> Typer<'t> {
    /// A typer for one UDF of a file.
    pub fn new(source: &'t SourceFile, root: Node<'t>) -> Typer<'t> {
        Typer {
            source,
            root,
            functions: Vec::new(),
            fn_ids: HashMap::new(),
            globals: Vec::new(),
            global_ids: HashMap::new(),
            initialising: Vec::new(),
            classes: Vec::new(),
            class_nodes: Vec::new(),
            frames: Vec::new(),
            type_vars: Vec::new(),
            generic: None,
            needs: BTreeSet::new(),
            depth: 0,
            made_up: 0,
        }
    }

    /// The type a node stands for.
    pub fn written_type(mut self, n: Node<'t>) -> Understood<Ty> {
        self.ty(n)
    }

    /// Names and types of the parameters of a method and its result, as far as they are written and known.
    pub fn written_signature(mut self, method: Node<'t>) -> (Vec<(String, Ty)>, Ty) {
        let params = parameters(method)
            .into_iter()
            .map(|p| {
                let name = self.parameter_name(p);
                let ty = self.parameter_type(p).unwrap_or(Ty::Any);
                (name, finish::plain(&ty))
            })
            .collect();
        let ret = field(method, "type").and_then(|t| self.ty(t).ok()).unwrap_or(Ty::Any);
        (params, finish::plain(&ret))
    }

    /// Types a method as the entry.
    pub fn entry_of_method(mut self, method: Node<'t>) -> Understood<Typed> {
        let entry = self.method(method)?;
        self.finish(entry)
    }

    /// Types the `evaluate` of a Hive `GenericUDF` as the entry.
    pub fn entry_of_generic(mut self, method: Node<'t>, shape: GenericShape) -> Understood<Typed> {
        let entry = self.generic_entry(method, shape)?;
        self.finish(entry)
    }

    /// Types a lambda or a method reference as the entry, for a functional type.
    pub fn entry_of_function(mut self, n: Node<'t>, params: Vec<Ty>, ret: Option<Ty>) -> Understood<Typed> {
        let entry = self.reserve();
        let (function, frame) = self.in_frame(n, |t| t.entry_literal(n, &params, ret.as_ref()))?;
        let at = span(n);
        let ExprKind::Lambda { params: slots, body } = function.kind else {
            return self.refuse(n, "a function that is not a lambda or a method reference");
        };
        let params = slots
            .iter()
            .map(|s| {
                let local = &frame.locals[s.0 as usize];
                Param {
                    name: local.name.clone(),
                    ty: local.ty.clone(),
                    by_name: false,
                    span: at,
                }
            })
            .collect();
        let body = std::sync::Arc::unwrap_or_clone(body);
        let ret = match function.ty {
            Ty::Fn(_, ret) => *ret,
            other => other,
        };
        self.functions[entry.0 as usize] = Some(Function {
            name: "call".into(),
            params,
            ret,
            body,
            locals: frame.locals,
            parent: None,
            span: at,
        });
        self.finish(entry)
    }

    fn finish(self, entry: FnId) -> Understood<Typed> {
        finish::finish(self, entry)
    }

    fn text(&self) -> &'t str {
        &self.source.text
    }

    /// Runs `f` with a frame of its own, outside of all current ones.
    fn in_frame<R>(&mut self, root: Node<'t>, f: impl FnOnce(&mut Self) -> Understood<R>) -> Understood<(R, Frame)> {
        let saved = std::mem::take(&mut self.frames);
        let vars = std::mem::take(&mut self.type_vars);
        self.frames.push(Frame {
            locals: Vec::new(),
            scopes: vec![HashMap::new()],
            returns: Vec::new(),
            targets: Vec::new(),
            this: None,
            writables: HashMap::new(),
            written: BTreeSet::new(),
        });
        let result = f(self);
        let frame = self.frames.pop();
        self.frames = saved;
        self.type_vars = vars;
        let frame = frame.ok_or_else(|| Refusal::new(span(root), "function that could not be typed"))?;
        result.map(|r| (r, frame))
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("typing happens inside a frame")
    }

    /// Runs `f` in a scope of names of its own.
    fn scoped<R>(&mut self, f: impl FnOnce(&mut Self) -> Understood<R>) -> Understood<R> {
        self.frame().scopes.push(HashMap::new());
        let result = f(self);
        self.frame().scopes.pop();
        result
    }

    /// A new slot that is not bound to a name.
    fn slot(&mut self, name: &str, ty: Ty) -> LocalId {
        let frame = self.frame();
        let id = LocalId(frame.locals.len() as u32);
        frame.locals.push(Local {
            name: name.to_owned(),
            ty,
            mutable: true,
            captured: None,
        });
        id
    }

    /// A new slot bound to a name in the innermost scope.
    fn declare(&mut self, name: &str, ty: Ty) -> LocalId {
        let id = self.slot(name, ty);
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.insert(name.to_owned(), id);
        }
        id
    }

    fn local_named(&self, name: &str) -> Option<LocalId> {
        let frame = self.frames.last()?;
        frame.scopes.iter().rev().find_map(|s| s.get(name).copied())
    }

    fn local_ty(&self, id: LocalId) -> Ty {
        self.frames
            .last()
            .and_then(|f| f.locals.get(id.0 as usize))
            .map_or(Ty::Any, |l| l.ty.clone())
    }

    fn read(&self, id: LocalId, at: Span) -> Expr {
        mk(ExprKind::Local(id), self.local_ty(id), at)
    }

    /// Reserves the number of a function, so that it may call itself.
    fn reserve(&mut self) -> FnId {
        let id = FnId(self.functions.len() as u32);
        self.functions.push(None);
        id
    }

    fn fresh_label(&mut self) -> String {
        self.made_up += 1;
        format!("${}", self.made_up)
    }

    fn refuse<T>(&self, n: Node, reason: impl Into<String>) -> Understood<T> {
        Err(Refusal::new(span(n), reason))
    }
}

fn mk(kind: ExprKind, ty: Ty, at: Span) -> Expr {
    Expr { kind, ty, span: at }
}

/// An expression as a statement.
fn stmt(e: Expr) -> Stmt {
    Stmt::Expr(e)
}

/// Statements, then a value.
fn block(stmts: Vec<Stmt>, value: Expr) -> Expr {
    if stmts.is_empty() {
        return value;
    }
    let (ty, at) = (value.ty.clone(), value.span);
    mk(ExprKind::Block(stmts, Some(Box::new(value))), ty, at)
}
