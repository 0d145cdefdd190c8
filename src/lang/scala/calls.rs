//! Calls. In: a call node, or a receiver with a name and arguments; out: a typed call. Named and default arguments, several
//! lists, `apply` on values, constructors.

use tree_sitter::Node;

use super::cst::{field, field_all, kids, name_text, span};
use super::names::Target;
use super::outer::{self, Outer};
use super::{FnParam, Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Conv, Expr, ExprKind, FnId, LocalId, Stmt};
use crate::lang::ty::{SeqKind, Ty};
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

    /// The arguments of one list.
    pub(super) fn arguments(&mut self, n: Node<'t>) -> Understood<Vec<Arg<'t>>> {
        if n.kind() != "arguments" {
            return Ok(vec![Arg::Node(n)]);
        }
        let mut out = Vec::new();
        for k in kids(n) {
            out.push(match k.kind() {
                "assignment_expression" => match (field(k, "left"), field(k, "right")) {
                    (Some(l), Some(r)) if l.kind() == "identifier" => {
                        Arg::Named(name_text(l, self.text()).to_owned(), r, k)
                    }
                    _ => Arg::Node(k),
                },
                "vararg" => match kids(k).first() {
                    Some(value) => Arg::Splice(*value),
                    None => return self.refuse(k, "argument that cannot be read"),
                },
                _ => Arg::Node(k),
            });
        }
        Ok(out)
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
            Target::Object(object) => match outer::member(object, "apply", self.text()) {
                Some(Outer::Def(def)) => self.call_def(def, call),
                _ => self.refuse(call.at, "this object cannot be called"),
            },
            Target::Package(path) => self.refuse(call.at, format!("`{path}` is not covered")),
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

    /// One argument as a value of a closed type.
    pub(super) fn argument(&mut self, arg: &Arg<'t>, want: &Ty) -> Understood<Expr> {
        match arg {
            Arg::Node(n) => self.checked(*n, want),
            Arg::Typed(e) => self.coerce(e.clone(), want),
            Arg::Named(_, value, _) => self.checked(*value, want),
            Arg::Splice(n) => self.refuse(*n, "`: _*` for a parameter that is not repeated"),
        }
    }

    /// A `def` of the file.
    fn call_def(&mut self, def: Node<'t>, call: Call<'t>) -> Understood<Expr> {
        let count = call.lists.first().map_or(0, Vec::len);
        let all = outer::overloads(def, self.text());
        let def = if all.len() == 1 {
            def
        } else {
            let fits = |d: &&Node<'t>| {
                let lists: Vec<_> = field_all(**d, "parameters")
                    .into_iter()
                    .filter(|p| p.kind() == "parameters")
                    .collect();
                lists.first().map_or(0, |l| kids(*l).len()) == count
            };
            match all.iter().filter(fits).collect::<Vec<_>>()[..] {
                [only] => *only,
                _ => {
                    return self.refuse(
                        call.at,
                        "overloaded method that the number of arguments does not tell apart",
                    );
                }
            }
        };
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

    /// Type arguments of a generic `def`, from the arguments.
    fn infer_type_args(&mut self, def: Node<'t>, names: &[String], call: &Call<'t>) -> Understood<Vec<Ty>> {
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

    /// Arguments in the order of the parameters; those written in another order are kept in variables first.
    pub(super) fn match_arguments(
        &mut self,
        params: &[FnParam<'t>],
        shape: &[usize],
        lists: &[Vec<Arg<'t>>],
        def: Node<'t>,
        at: Node<'t>,
    ) -> Understood<(Vec<Stmt>, Vec<Expr>)> {
        let mut lets = Vec::new();
        let mut args = Vec::new();
        let mut offset = 0;
        for (i, list) in lists.iter().enumerate() {
            let count = shape.get(i).copied().unwrap_or(0);
            let params = &params[offset..offset + count];
            offset += count;
            self.match_list(params, list, def, at, &mut lets, &mut args)?;
        }
        Ok((lets, args))
    }

    fn match_list(
        &mut self,
        params: &[FnParam<'t>],
        list: &[Arg<'t>],
        def: Node<'t>,
        at: Node<'t>,
        lets: &mut Vec<Stmt>,
        args: &mut Vec<Expr>,
    ) -> Understood<()> {
        let mut slots: Vec<Option<Expr>> = vec![None; params.len()];
        let varargs = params.last().is_some_and(|p| p.varargs);
        let plain = if varargs { params.len() - 1 } else { params.len() };
        let has_named = list.iter().any(|a| matches!(a, Arg::Named(..)));
        let mut rest = Vec::new();
        for (i, arg) in list.iter().enumerate() {
            let index = match arg {
                Arg::Named(name, _, whole) => match params.iter().position(|p| p.name == *name) {
                    Some(index) => index,
                    None => return self.refuse(*whole, format!("there is no parameter `{name}`")),
                },
                _ => i,
            };
            if index >= plain {
                if !varargs || has_named {
                    return self.refuse(at, "too many arguments");
                }
                rest.push(arg.clone());
                continue;
            }
            let value = self.param_argument(&params[index], arg)?;
            slots[index] = Some(if has_named { self.keep(value, lets) } else { value });
        }
        if varargs {
            let last = &params[plain];
            slots[plain] = Some(self.repeated(&rest, &last.ty, at)?);
        }
        for (slot, param) in slots.into_iter().zip(params) {
            args.push(match (slot, param.default) {
                (Some(e), _) => e,
                (None, Some(default)) => self.default_argument(default, param, def)?,
                (None, None) => return self.refuse(at, format!("argument for `{}` is missing", param.name)),
            });
        }
        Ok(())
    }

    fn param_argument(&mut self, param: &FnParam<'t>, arg: &Arg<'t>) -> Understood<Expr> {
        let value = self.argument(arg, &param.ty)?;
        Ok(if param.by_name { thunk(value) } else { value })
    }

    /// A default is typed where the method is, without the caller's names.
    fn default_argument(&mut self, default: Node<'t>, param: &FnParam<'t>, def: Node<'t>) -> Understood<Expr> {
        let scopes = std::mem::replace(&mut self.frame().scopes, vec![Default::default()]);
        let root = std::mem::replace(&mut self.frames[0].root, def);
        let value = self.checked(default, &param.ty);
        self.frames[0].root = root;
        self.frame().scopes = scopes;
        let value = value?;
        Ok(if param.by_name { thunk(value) } else { value })
    }

    /// Keeps a value in a variable unless it is one or a constant.
    pub(super) fn keep(&mut self, e: Expr, lets: &mut Vec<Stmt>) -> Expr {
        if matches!(e.kind, ExprKind::Lit(_) | ExprKind::Lambda { .. } | ExprKind::FnRef(_)) {
            return e;
        }
        let local: LocalId = self.slot("$t", e.ty.clone(), false);
        let read = mk(ExprKind::Local(local), e.ty.clone(), e.span);
        lets.push(Stmt::Let {
            local,
            init: e,
            lazy: false,
        });
        read
    }

    /// The arguments of a repeated parameter as one sequence.
    pub(super) fn repeated(&mut self, args: &[Arg<'t>], elem: &Ty, at: Node<'t>) -> Understood<Expr> {
        let ty = Ty::Seq(SeqKind::Seq, Box::new(elem.clone()));
        if let [Arg::Splice(n)] = args {
            let e = self.expr(*n, None)?;
            return match &e.ty {
                Ty::Array(_) => {
                    let at = e.span;
                    Ok(mk(ExprKind::Convert(Conv::ToSeq, Box::new(e)), ty, at))
                }
                _ => self.coerce(e, &ty),
            };
        }
        let items = args
            .iter()
            .map(|a| self.argument(a, elem))
            .collect::<Understood<Vec<Expr>>>()?;
        Ok(mk(ExprKind::SeqLit(items), ty, span(at)))
    }

    /// `new T(…)`.
    pub(super) fn instance(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let parts = kids(n);
        let Some(class) = parts.first().copied() else {
            return self.refuse(n, "`new` without a class");
        };
        if parts.iter().any(|p| p.kind() == "template_body") {
            return self.refuse(n, "anonymous classes are not covered");
        }
        let mut lists = Vec::new();
        for args in field_all(n, "arguments") {
            lists.push(self.arguments(args)?);
        }
        let head = if class.kind() == "generic_type" {
            field(class, "type").unwrap_or(class)
        } else {
            class
        };
        let name = super::cst::text(head, self.text()).to_owned();
        if let Some(Outer::Class(def)) = outer::lookup(class, &name, self.text()) {
            return self.new_case_class(def, lists, n);
        }
        let wants_hint = class.kind() != "generic_type" && hint.is_some();
        let ty = match self.ty(class) {
            Ok(ty) => ty,
            Err(_) if wants_hint => hint.cloned().unwrap_or(Ty::Any),
            Err(e) => return Err(e),
        };
        self.construct(&ty, &name, lists, n)
    }

    /// A constructor of the library; empty collections and arrays among them.
    pub(super) fn construct(&mut self, ty: &Ty, name: &str, lists: Vec<Vec<Arg<'t>>>, n: Node<'t>) -> Understood<Expr> {
        let class = match ty {
            Ty::JavaBigDecimal => "JBigDecimal".to_owned(),
            Ty::Boxed(p) => p.boxed_name().to_owned(),
            Ty::Class(c) => c.clone(),
            _ => name.rsplit('.').next().unwrap_or(name).to_owned(),
        };
        let path = match self.imports.named(name) {
            Some(import) => import.path.clone(),
            None => name.to_owned(),
        };
        let in_mutable = self
            .imports
            .wild()
            .iter()
            .any(|i| i.path.ends_with("collection.mutable"));
        let candidates: Vec<String> = match ty {
            Ty::Array(_) => vec!["Array".into()],
            Ty::BigInt => vec!["BigInteger".into(), "BigInt".into()],
            Ty::Map(..) | Ty::Set(_) if in_mutable => vec![format!("mutable.{class}")],
            Ty::Map(..) | Ty::Set(_) | Ty::Seq(..) => vec![super::names::module_name(&path)],
            _ => vec![class.clone()],
        };
        let mut call = Call::new(
            &class,
            if lists.is_empty() { vec![Vec::new()] } else { lists },
            Some(ty.clone()),
            n,
        );
        call.targs = match ty {
            Ty::Array(a) | Ty::Seq(_, a) | Ty::Set(a) | Ty::Option(a) => vec![(**a).clone()],
            Ty::Map(k, v) => vec![(**k).clone(), (**v).clone()],
            _ => Vec::new(),
        };
        for name in candidates {
            let rows = lookup::constructors(&name);
            if !rows.is_empty()
                && let Some(e) = self.call_rows(None, vec![rows], call.clone())?
            {
                return Ok(if matches!(ty, Ty::Array(_) | Ty::Seq(..)) {
                    Expr { ty: ty.clone(), ..e }
                } else {
                    e
                });
            }
        }
        self.refuse(n, format!("`new {class}` with these arguments is not covered"))
    }

    /// An instance of a case class of the file.
    pub(super) fn new_case_class(
        &mut self,
        class: Node<'t>,
        lists: Vec<Vec<Arg<'t>>>,
        at: Node<'t>,
    ) -> Understood<Expr> {
        let id = self.class_id(class, at)?;
        let params = self.class_params(class)?;
        let [list] = &lists[..] else {
            return self.refuse(at, "case class with several argument lists");
        };
        let (mut lets, mut args) = (Vec::new(), Vec::new());
        self.match_list(&params, list, class, at, &mut lets, &mut args)?;
        let ty = Ty::Class(self.classes[id.0 as usize].name.clone());
        Ok(after(lets, mk(ExprKind::NewClass { class: id, args }, ty, span(at))))
    }

    fn class_params(&mut self, class: Node<'t>) -> Understood<Vec<FnParam<'t>>> {
        let mut out = Vec::new();
        for p in field_all(class, "class_parameters").into_iter().flat_map(kids) {
            let (Some(name), Some(ty)) = (field(p, "name"), field(p, "type")) else {
                return self.refuse(p, "parameter that cannot be read");
            };
            out.push(FnParam {
                name: name_text(name, self.text()).to_owned(),
                ty: self.ty(ty)?,
                by_name: false,
                varargs: ty.kind() == "repeated_parameter_type",
                default: field(p, "default_value"),
                span: span(p),
            });
        }
        Ok(out)
    }

    /// `copy` of a case class instance.
    pub(super) fn copy(&mut self, recv: Expr, class: crate::lang::ast::ClassId, call: &Call<'t>) -> Understood<Expr> {
        let fields = self.classes[class.0 as usize].fields.clone();
        let mut lets = Vec::new();
        let this = self.keep(recv, &mut lets);
        let mut values: Vec<Option<Expr>> = vec![None; fields.len()];
        for (i, arg) in call.lists.iter().flatten().enumerate() {
            let index = match arg {
                Arg::Named(name, ..) => fields.iter().position(|(f, _)| f == name),
                _ => (i < fields.len()).then_some(i),
            };
            let Some(index) = index else {
                return self.refuse(call.at, "`copy` with an unknown field");
            };
            let value = self.argument(arg, &fields[index].1)?;
            values[index] = Some(self.keep(value, &mut lets));
        }
        let at = span(call.at);
        let mut args = Vec::new();
        for (index, value) in values.into_iter().enumerate() {
            let read = || {
                let kind = ExprKind::Field {
                    recv: Box::new(this.clone()),
                    class,
                    index,
                };
                mk(kind, fields[index].1.clone(), at)
            };
            args.push(value.unwrap_or_else(read));
        }
        let ty = this.ty.clone();
        Ok(after(lets, mk(ExprKind::NewClass { class, args }, ty, at)))
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
