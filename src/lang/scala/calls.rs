//! Calls. In: a call node, or a receiver with a name and arguments; out: a typed call. Named and default arguments, several
//! lists, `apply` on values, constructors.

use tree_sitter::Node;

use super::cst::{field, field_all, kids, name_text, span};
use super::names::Target;
use super::outer::{self, Outer};
use super::{Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Expr, ExprKind, FnId, Stmt};
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};

/// An argument as written.
#[derive(Debug, Clone)]
pub(super) enum Arg<'t> {
    /// By position.
    Node(Node<'t>),
    /// `name = value`: the name, the value, the whole.
    Named(String, Node<'t>, Node<'t>),
    /// `xs: _*`.
    Splice(Node<'t>),
    /// Already typed.
    Typed(Expr),
}

/// A call without its receiver.
#[derive(Debug, Clone)]
pub(super) struct Call<'t> {
    pub name: String,
    pub lists: Vec<Vec<Arg<'t>>>,
    pub targs: Vec<Ty>,
    pub hint: Option<Ty>,
    pub at: Node<'t>,
}

impl<'t> Call<'t> {
    pub(super) fn new(name: &str, lists: Vec<Vec<Arg<'t>>>, hint: Option<Ty>, at: Node<'t>) -> Call<'t> {
        Call {
            name: name.to_owned(),
            lists,
            targs: Vec::new(),
            hint,
            at,
        }
    }

    /// The same call with other arguments and nothing expected.
    pub(super) fn rest(&self, lists: Vec<Vec<Arg<'t>>>) -> Call<'t> {
        Call {
            name: "apply".into(),
            lists,
            targs: Vec::new(),
            hint: self.hint.clone(),
            at: self.at,
        }
    }
}

impl<'t> Typer<'t> {
    /// `f(a)(b)`, `x.f[T](a)`, `f { … }`, `f[T]`.
    pub(super) fn call(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let mut lists = Vec::new();
        let mut targs = Vec::new();
        let mut head = n;
        while let Some(function) = field(head, "function") {
            match head.kind() {
                "call_expression" => {
                    let Some(args) = field(head, "arguments") else {
                        return self.refuse(head, "call without arguments");
                    };
                    lists.insert(0, self.arguments(args)?);
                }
                "generic_function" => {
                    let written = field(head, "type_arguments").map(kids).unwrap_or_default();
                    targs = written
                        .into_iter()
                        .map(|t| self.ty(t))
                        .collect::<Understood<Vec<Ty>>>()?;
                    head = function;
                    break;
                }
                _ => break,
            }
            head = function;
        }
        let mut call = Call::new("", lists, hint.cloned(), n);
        call.targs = targs;
        if head.kind() == "infix_expression" && !call.targs.is_empty() {
            return self.on_last_operand(head, call);
        }
        self.call_of(head, call)
    }

    /// `a * x.f[T](b)`, whose type arguments the grammar gives to the whole product.
    fn on_last_operand(&mut self, infix: Node<'t>, call: Call<'t>) -> Understood<Expr> {
        let (Some(left), Some(operator), Some(right)) =
            (field(infix, "left"), field(infix, "operator"), field(infix, "right"))
        else {
            return self.refuse(infix, "operation that cannot be read");
        };
        let op = name_text(operator, self.text()).to_owned();
        let (at, hint) = (call.at, call.hint.clone());
        if super::infix::bin_op(&op).is_none() && !matches!(op.as_str(), "==" | "!=") {
            return self.refuse(infix, "type arguments after this operator are not covered");
        }
        let l = self.expr(left, None)?;
        let mut call = call;
        call.hint = None;
        let r = match right.kind() {
            "infix_expression" => self.on_last_operand(right, call)?,
            _ => self.call_of(right, call)?,
        };
        match op.as_str() {
            "==" | "!=" => self.equality(l, r, op == "!=", at),
            _ => self.operate(l, &op, r, at, hint.as_ref()),
        }
    }

    fn call_of(&mut self, head: Node<'t>, mut call: Call<'t>) -> Understood<Expr> {
        if let Some(target) = self.target(head)? {
            return self.call_target(target, call);
        }
        if let ("field_expression", Some(value), Some(member)) =
            (head.kind(), field(head, "value"), field(head, "field"))
        {
            let recv = self.expr(value, None)?;
            call.name = name_text(member, self.text()).to_owned();
            return self.member(recv, call);
        }
        let value = self.expr(head, None)?;
        self.apply_value(value, call)
    }

    /// A call of a target; without lists it may be a value or a method value, as the hint says.
    pub(super) fn call_target(&mut self, target: Target<'t>, mut call: Call<'t>) -> Understood<Expr> {
        match target {
            Target::Value(e) => self.apply_value(e, call),
            Target::LocalFn(id) => self.call_fn(id, call),
            Target::Def(def) => self.call_def(def, call),
            Target::Static(module, name) => {
                call.name = name;
                self.call_static(&module, call)
            }
            Target::Module(module) => self.companion_apply(&module, call),
            Target::CaseClass(class) => {
                let at = call.at;
                let lists = std::mem::take(&mut call.lists);
                self.new_case_class(class, lists, at)
            }
            Target::Member(this, name) => {
                call.name = name;
                self.member(this, call)
            }
            Target::Object(object) => {
                let made = self.class_beside(object);
                match (outer::member(object, "apply", self.text()), made) {
                    (Some(Outer::Def(def)), None) => self.call_def(def, call),
                    (Some(Outer::Def(def)), Some(class)) => self.made_or_applied(def, class, call),
                    (_, Some(class)) => self.call_target(Target::CaseClass(class), call),
                    _ => self.refuse(call.at, "this object cannot be called"),
                }
            }
            Target::Package(path) => self.refuse(call.at, format!("`{path}` is not covered")),
        }
    }

    /// The constructor of a case class or an `apply` that stands beside it, by the number of arguments.
    fn made_or_applied(&mut self, def: Node<'t>, class: Node<'t>, call: Call<'t>) -> Understood<Expr> {
        let count = call.lists.first().map_or(0, Vec::len);
        let fields = field_all(class, "class_parameters")
            .first()
            .map_or(0, |l| kids(*l).len());
        let same = |d: &Node<'t>| field_all(*d, "parameters").first().map_or(0, |l| kids(*l).len()) == count;
        match (outer::overloads(def, self.text()).iter().any(same), fields == count) {
            (true, false) => self.call_def(def, call),
            (false, true) => self.call_target(Target::CaseClass(class), call),
            _ => self.refuse(
                call.at,
                "overloaded method that the number of arguments does not tell apart",
            ),
        }
    }

    /// Applies a value to the remaining lists.
    pub(super) fn apply_value(&mut self, e: Expr, call: Call<'t>) -> Understood<Expr> {
        let mut e = e;
        if call.lists.is_empty() && !call.targs.is_empty() {
            return self.refuse(call.at, "type arguments on a value");
        }
        for list in call.lists.clone() {
            let at = span(call.at);
            e = match e.ty.clone() {
                Ty::Fn(params, ret) => {
                    if params.len() != list.len() {
                        return self.refuse(call.at, "function value with another number of arguments");
                    }
                    let mut args = Vec::new();
                    for (arg, ty) in list.iter().zip(&params) {
                        args.push(self.argument(arg, ty)?);
                    }
                    let func = Box::new(e);
                    mk(ExprKind::Apply { func, args }, *ret, at)
                }
                Ty::Array(elem) => match &list[..] {
                    [index] => {
                        let index = Box::new(self.argument(index, &Ty::INT)?);
                        let array = Box::new(e);
                        mk(ExprKind::Index { array, index }, *elem, at)
                    }
                    _ => return self.refuse(call.at, "array with several indices"),
                },
                _ => {
                    let mut inner = Call::new("apply", vec![list], None, call.at);
                    inner.hint = call.hint.clone();
                    self.member(e, inner)?
                }
            };
        }
        Ok(e)
    }

    /// A `def` of the file.
    pub(super) fn call_def(&mut self, def: Node<'t>, mut call: Call<'t>) -> Understood<Expr> {
        let def = self.overload_called(def, &mut call)?;
        let wants_function = matches!(call.hint, Some(Ty::Fn(..)));
        let has_lists = field_all(def, "parameters")
            .iter()
            .any(|p| p.kind() == "parameters" && !kids(*p).is_empty());
        if call.lists.is_empty() && has_lists && wants_function {
            return self.def_value(def, call.at);
        }
        let generic = self.type_params(def);
        let targs = if generic.is_empty() {
            Vec::new()
        } else {
            self.infer_type_args(def, &generic, &call)?
        };
        let id = self.function_of(def, targs)?;
        self.call_fn(id, call)
    }

    /// The one of several `def`s of a name that takes as many arguments.
    pub(super) fn pick_overload(&self, def: Node<'t>, call: &Call<'t>) -> Understood<Node<'t>> {
        let count = call.lists.first().map_or(0, Vec::len);
        let all = outer::overloads(def, self.text());
        if all.len() == 1 {
            Ok(def)
        } else {
            let fits = |d: &&Node<'t>| {
                let lists: Vec<_> = field_all(**d, "parameters")
                    .into_iter()
                    .filter(|p| p.kind() == "parameters")
                    .collect();
                lists.first().map_or(0, |l| kids(*l).len()) == count
            };
            match all.iter().filter(fits).collect::<Vec<_>>()[..] {
                [only] => Ok(*only),
                _ => self.refuse(
                    call.at,
                    "overloaded method that the number of arguments does not tell apart",
                ),
            }
        }
    }

    /// Type arguments of a generic `def`, from the arguments.
    pub(super) fn infer_type_args(&mut self, def: Node<'t>, names: &[String], call: &Call<'t>) -> Understood<Vec<Ty>> {
        if call.targs.len() == names.len() {
            return Ok(call.targs.clone());
        }
        let vars = names.iter().map(|n| (n.clone(), Ty::Var(n.clone()))).collect();
        let saved = std::mem::replace(&mut self.type_vars, vec![vars]);
        let sig = self.signature(def, false);
        self.type_vars = saved;
        let sig = sig?;
        let mut subst = lookup::Subst::new();
        for (param, arg) in sig.params.iter().zip(call.lists.iter().flatten()) {
            let value = match arg {
                Arg::Node(n) | Arg::Named(_, n, _) => self.expr(*n, None)?,
                Arg::Typed(e) => e.clone(),
                Arg::Splice(n) => return self.refuse(*n, "`: _*` in a call of a generic method"),
            };
            if !lookup::unify(&param.ty, &value.ty, &mut subst) {
                return self.refuse(call.at, "type arguments of this generic method cannot be inferred");
            }
        }
        let found: Option<Vec<Ty>> = names.iter().map(|n| subst.get(n).cloned()).collect();
        found.ok_or_else(|| {
            Refusal::new(
                span(call.at),
                "type arguments of this generic method cannot be inferred",
            )
        })
    }

    /// A function of the program.
    pub(super) fn call_fn(&mut self, id: FnId, call: Call<'t>) -> Understood<Expr> {
        let sig = self.sigs[id.0 as usize].clone();
        let Some(ret) = sig.ret.clone() else {
            return self.refuse(call.at, "recursive method without a written result type");
        };
        let nullary = sig.lists.iter().all(|l| *l == 0);
        if call.lists.is_empty() && !nullary {
            if matches!(call.hint, Some(Ty::Fn(..))) && sig.local {
                return self.local_fn_value(id, call.at);
            }
            return self.refuse(call.at, format!("`{}` needs arguments", sig.name));
        }
        let mut lists = call.lists.clone();
        if nullary && sig.lists.is_empty() {
            // `def f = …` applied: the result is.
        } else if nullary && lists.first().is_some_and(Vec::is_empty) {
            lists.remove(0);
        }
        let taken = if nullary { 0 } else { sig.lists.len() };
        if lists.len() < taken {
            return self.refuse(call.at, format!("`{}` needs more argument lists", sig.name));
        }
        let rest = lists.split_off(taken);
        let (lets, args) = self.match_arguments(&sig.params, &sig.lists, &lists, sig.def, call.at)?;
        let e = mk(ExprKind::CallFn { func: id, args }, ret, span(call.at));
        let e = after(lets, e);
        if rest.is_empty() {
            Ok(e)
        } else {
            self.apply_value(e, call.rest(rest))
        }
    }
}

/// A by-name argument.
pub(super) fn thunk(e: Expr) -> Expr {
    let (at, ty) = (e.span, Ty::Fn(Vec::new(), Box::new(e.ty.clone())));
    let kind = ExprKind::Lambda {
        params: Vec::new(),
        body: std::sync::Arc::new(e),
    };
    mk(kind, ty, at)
}

/// Statements before an expression.
pub(super) fn after(lets: Vec<Stmt>, e: Expr) -> Expr {
    if lets.is_empty() {
        return e;
    }
    let (ty, at): (Ty, Span) = (e.ty.clone(), e.span);
    mk(ExprKind::Block(lets, Some(Box::new(e))), ty, at)
}
