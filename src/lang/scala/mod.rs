//! Scala: a syntax tree and the place of a function come in, a closed typed [`Program`] goes out. Local type inference as
//! scalac does it for the constructs that are covered; everything else is a [`Refusal`] with the smallest span. Never runs
//! anything, never guesses: what cannot be typed for certain is refused.

mod cst;
mod outer;
mod scoped;
mod inherit;
mod literal;
mod types;
mod coerce;
mod names;
mod imports;
mod defs;
mod globals;
mod templates;
mod orderings;
mod sharing;
mod expr;
mod lambda;
mod calls;
mod arguments;
mod construct;
mod rows;
mod overload;
mod overdef;
mod builtin;
mod infix;
mod block;
mod control;
mod pattern;
mod extractor;
mod forcomp;
mod forstages;
mod text;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use tree_sitter::Node;

pub use cst::{field, field_all, first_error, has_modifier, has_token, kids, name_text, span, text, too_deep, unparen};
pub use inherit::Instance;
pub use outer::{Outer, class_param, in_container, is_case, lookup, member, overloads};
pub use scoped::Imports;

use crate::lang::ast::{
    Class, ClassId, Dialect, Expr, ExprKind, FnId, Function, Global, GlobalId, Local, LocalId, Param, Program,
};
use crate::lang::relate;
use crate::lang::ty::Ty;
use crate::source::{Refusal, SourceFile, Span, Understood};

/// Types functions of one file. One `Typer` makes one program.
pub struct Typer<'t> {
    source: &'t SourceFile,
    root: Node<'t>,
    imports: Rc<Imports>,
    functions: Vec<Option<Function>>,
    sigs: Vec<FnSig<'t>>,
    fn_ids: HashMap<(usize, Vec<Ty>), FnId>,
    globals: Vec<Option<Global>>,
    global_ids: HashMap<(usize, String), Option<GlobalId>>,
    initialising: Vec<Node<'t>>,
    classes: Vec<Class>,
    class_nodes: Vec<Node<'t>>,
    trait_nodes: Vec<(String, Node<'t>)>,
    broken_classes: HashMap<usize, Refusal>,
    /// Own `toString`s of classes.
    shown: Vec<(ClassId, Node<'t>)>,
    /// The part of a class's body that runs when an instance is made and is being typed.
    constructing: Option<Node<'t>>,
    frames: Vec<Frame<'t>>,
    type_vars: Vec<HashMap<String, Ty>>,
    placeholders: HashMap<usize, Expr>,
    needs: BTreeSet<Span>,
    instance: Instance<'t>,
    depth: usize,
}

/// One function that is being typed; local `def`s nest.
struct Frame<'t> {
    func: Option<FnId>,
    locals: Vec<Local>,
    captures: HashMap<LocalId, LocalId>,
    scopes: Vec<HashMap<String, Binding>>,
    root: Node<'t>,
    ret: Option<Ty>,
    /// The instance a method of a case class is called on.
    this: Option<(LocalId, ClassId)>,
}

/// What a name in a scope stands for.
#[derive(Debug, Clone)]
enum Binding {
    /// A slot of the frame of the scope.
    Local(LocalId),
    /// A by-name parameter: the slot holds a thunk.
    ByName(LocalId),
    /// A local `def`.
    Fn(FnId),
    /// A local `def` that cannot be used before its place because its result type is not written.
    Later,
}

/// What callers of a function need to know.
#[derive(Clone)]
struct FnSig<'t> {
    name: String,
    params: Vec<FnParam<'t>>,
    /// Number of parameters per list.
    lists: Vec<usize>,
    /// `None` while it is being inferred.
    ret: Option<Ty>,
    local: bool,
    /// The class whose instance slot 0 is.
    method: Option<ClassId>,
    def: Node<'t>,
}

#[derive(Clone)]
struct FnParam<'t> {
    name: String,
    ty: Ty,
    by_name: bool,
    varargs: bool,
    default: Option<Node<'t>>,
    span: Span,
}

/// A function that was typed as the entry of a program.
#[derive(Debug, Clone)]
pub struct Typed {
    /// The closed program.
    pub program: Program,
    /// Spans of helpers, constants, case classes and imports that it uses.
    pub needs: Vec<Span>,
}

/// A signature as far as it is written.
#[derive(Debug, Clone, Default)]
pub struct WrittenSignature {
    /// Names and types of the parameters.
    pub params: Vec<(String, Option<Ty>)>,
    /// Result type.
    pub ret: Option<Ty>,
}

impl WrittenSignature {
    /// Completes it with the function type that is expected.
    pub fn fill(&mut self, expected: &Ty) {
        let Ty::Fn(params, ret) = expected else { return };
        if self.params.is_empty() {
            self.params = params.iter().map(|p| ("$x".to_owned(), Some(p.clone()))).collect();
        }
        for ((_, known), p) in self.params.iter_mut().zip(params) {
            known.get_or_insert_with(|| p.clone());
        }
        self.ret.get_or_insert_with(|| (**ret).clone());
    }
}

/// Nesting of expressions beyond which a source is refused rather than risking the stack.
const MAX_DEPTH: usize = 200;

impl<'t> Typer<'t> {
    /// A typer for one UDF of a file.
    pub fn new(source: &'t SourceFile, root: Node<'t>, imports: Rc<Imports>) -> Typer<'t> {
        relate::forget_classes();
        Typer {
            source,
            root,
            imports,
            functions: Vec::new(),
            sigs: Vec::new(),
            fn_ids: HashMap::new(),
            globals: Vec::new(),
            global_ids: HashMap::new(),
            initialising: Vec::new(),
            classes: Vec::new(),
            class_nodes: Vec::new(),
            trait_nodes: Vec::new(),
            broken_classes: HashMap::new(),
            shown: Vec::new(),
            constructing: None,
            frames: Vec::new(),
            type_vars: Vec::new(),
            placeholders: HashMap::new(),
            needs: BTreeSet::new(),
            instance: Instance::default(),
            depth: 0,
        }
    }

    /// Parameters and result of a `def` or a function literal as written; `None` where no type is written or known.
    pub fn written_signature(mut self, n: Node<'t>) -> WrittenSignature {
        let (nodes, ret) = match n.kind() {
            "function_definition" => {
                let lists = field_all(n, "parameters")
                    .into_iter()
                    .filter(|p| p.kind() == "parameters");
                (lists.flat_map(kids).collect(), field(n, "return_type"))
            }
            "ascription_expression" => {
                let mut out = WrittenSignature::default();
                if let Ok(ty) = self.ascribed_type(n) {
                    out.fill(&ty);
                }
                return out;
            }
            _ => {
                let heads = field_all(n, "parameters");
                let bindings = heads.iter().filter(|h| h.kind() == "bindings").flat_map(|h| kids(*h));
                (bindings.collect::<Vec<_>>(), None)
            }
        };
        let mut params = Vec::new();
        for p in nodes {
            let name = field(p, "name")
                .map(|x| name_text(x, self.text()).to_owned())
                .unwrap_or_else(|| "_".into());
            let ty = field(p, "type").and_then(|t| self.ty(t).ok());
            params.push((name, ty));
        }
        let ret = ret.and_then(|t| self.ty(t).ok());
        WrittenSignature { params, ret }
    }

    /// The type a node stands for.
    pub fn written_type(mut self, n: Node<'t>) -> Understood<Ty> {
        self.ty(n)
    }

    /// Types a function expression (`(x: Int) => …`, `_ + 1`, `foo _`) as the entry.
    pub fn entry_of_expression(mut self, n: Node<'t>, hint: Option<Ty>) -> Understood<Typed> {
        let entry = self.reserve(FnSig {
            name: "apply".into(),
            params: Vec::new(),
            lists: Vec::new(),
            ret: None,
            local: false,
            method: None,
            def: n,
        });
        let (mut value, mut frame) = self.in_frame(n, |t| t.entry_value(entry, n, hint.as_ref()))?;
        if let (Ty::Fn(params, _), false) = (value.ty.clone(), is_function(&value)) {
            // A function that some expression makes: a literal that calls it.
            self.makes_pure_functions(n, &frame)?;
            (value, frame) = self.in_frame(n, |t| {
                t.eta_value(&params, n, |t| t.entry_value(entry, n, hint.as_ref()))
            })?;
        }
        let function = match value.kind {
            ExprKind::FnRef(f) => self.functions[f.0 as usize].clone(),
            ExprKind::Lambda { params, body } if params.iter().enumerate().all(|(i, p)| p.0 as usize == i) => {
                Some(entry_function(
                    params.len(),
                    std::sync::Arc::unwrap_or_clone(body),
                    frame.locals,
                    span(n),
                ))
            }
            _ => None,
        };
        let not_literal = || Refusal::new(span(n), "function value that is not a function literal");
        let mut function = function.ok_or_else(not_literal)?;
        tell_parameters_apart(&mut function);
        self.functions[entry.0 as usize] = Some(function);
        self.finish(entry)
    }

    fn entry_value(&mut self, entry: FnId, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        self.frame().func = Some(entry);
        let value = self.expr(n, hint)?;
        match hint {
            Some(h) if !crate::jvm::lookup::is_open(h) => self.coerce(value, h),
            _ => Ok(value),
        }
    }

    /// Refuses an expression that makes a function which may keep something between its calls: it is made anew for every row.
    fn makes_pure_functions(&self, n: Node<'t>, frame: &Frame<'t>) -> Understood<()> {
        let of_functions = self.functions.iter().flatten().flat_map(|f| &f.locals);
        let of_globals = self.globals.iter().flatten().flat_map(|g| &g.locals);
        if of_functions.chain(of_globals).chain(&frame.locals).any(may_change) {
            return self.refuse(n, "function value that is made by code with variables or collections");
        }
        Ok(())
    }

    /// Types a `def` as the entry.
    pub fn entry_of_def(mut self, def: Node<'t>) -> Understood<Typed> {
        let entry = self.function_of(def, Vec::new())?;
        self.finish(entry)
    }

    fn finish(mut self, entry: FnId) -> Understood<Typed> {
        self.finish_shown()?;
        let whole = span(self.root);
        let complete = |what: &str| Refusal::new(whole, format!("{what} could not be completed"));
        let functions = self
            .functions
            .into_iter()
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| complete("a helper"))?;
        let globals = self
            .globals
            .into_iter()
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| complete("a constant"))?;
        if let Some(at) = sharing::kept_wrapper(&functions, &globals) {
            return Err(Refusal::new(
                at,
                "a sequence that shares an array which may be changed later is not covered",
            ));
        }
        Ok(Typed {
            program: Program {
                entry,
                functions,
                globals,
                classes: self.classes,
                dialect: Dialect::Scala,
            },
            needs: self.needs.into_iter().collect(),
        })
    }

    fn text(&self) -> &'t str {
        &self.source.text
    }

    /// Runs `f` with a frame of its own, outside of all current ones.
    fn in_frame<R>(
        &mut self,
        root: Node<'t>,
        f: impl FnOnce(&mut Self) -> Understood<R>,
    ) -> Understood<(R, Frame<'t>)> {
        let saved = std::mem::take(&mut self.frames);
        let saved_vars = std::mem::take(&mut self.type_vars);
        self.frames.push(Frame::new(None, root));
        let result = f(self);
        let frame = self.frames.pop();
        self.frames = saved;
        self.type_vars = saved_vars;
        let frame = frame.ok_or_else(|| Refusal::new(span(root), "function that could not be typed"))?;
        result.map(|r| (r, frame))
    }

    fn frame(&mut self) -> &mut Frame<'t> {
        self.frames.last_mut().expect("typing happens inside a frame")
    }

    fn push_scope(&mut self) {
        self.frame().scopes.push(HashMap::new());
    }

    fn pop_scope(&mut self) {
        self.frame().scopes.pop();
    }

    /// A new slot that is not bound to a name.
    fn slot(&mut self, name: &str, ty: Ty, mutable: bool) -> LocalId {
        let frame = self.frame();
        let id = LocalId(frame.locals.len() as u32);
        frame.locals.push(Local {
            name: name.to_owned(),
            ty,
            mutable,
            captured: None,
        });
        id
    }

    /// A new slot bound to a name in the innermost scope.
    fn declare(&mut self, name: &str, ty: Ty, mutable: bool) -> LocalId {
        let id = self.slot(name, ty, mutable);
        self.bind(name, Binding::Local(id));
        id
    }

    fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.insert(name.to_owned(), binding);
        }
    }

    fn refuse<T>(&self, n: Node, reason: impl Into<String>) -> Understood<T> {
        Err(Refusal::new(span(n), reason))
    }
}

impl<'t> Frame<'t> {
    fn new(func: Option<FnId>, root: Node<'t>) -> Frame<'t> {
        Frame {
            func,
            locals: Vec::new(),
            captures: HashMap::new(),
            scopes: vec![HashMap::new()],
            root,
            ret: None,
            this: None,
        }
    }
}

/// Parameters of one name (`_ + _`) get a number each: columns are known by their names.
fn tell_parameters_apart(function: &mut Function) {
    let names: Vec<String> = function.params.iter().map(|p| p.name.clone()).collect();
    for (i, param) in function.params.iter_mut().enumerate() {
        if names.iter().filter(|n| **n == names[i]).count() < 2 {
            continue;
        }
        let nth = names[..i].iter().filter(|n| **n == names[i]).count() + 1;
        param.name = format!("{}{nth}", names[i]);
        if let Some(local) = function.locals.get_mut(i) {
            local.name = param.name.clone();
        }
    }
}

/// Whether what a local holds may change.
fn may_change(local: &Local) -> bool {
    use crate::lang::ty::SeqKind;
    let mutable = match &local.ty {
        Ty::Array(_) | Ty::Map(..) | Ty::Set(_) | Ty::Iterator(_) | Ty::Class(_) => true,
        Ty::Seq(kind, _) => matches!(kind, SeqKind::Buffer | SeqKind::JavaList),
        _ => false,
    };
    local.mutable || mutable
}

fn is_function(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::FnRef(_) | ExprKind::Lambda { .. })
}

/// The function of a literal whose parameters are the first slots.
fn entry_function(count: usize, body: Expr, locals: Vec<Local>, at: Span) -> Function {
    let param = |local: &Local| Param {
        name: local.name.clone(),
        ty: local.ty.clone(),
        by_name: false,
        span: at,
    };
    Function {
        name: "apply".into(),
        params: locals.iter().take(count).map(param).collect(),
        ret: body.ty.clone(),
        body,
        locals,
        parent: None,
        span: at,
    }
}

fn mk(kind: ExprKind, ty: Ty, at: Span) -> Expr {
    Expr { kind, ty, span: at }
}
