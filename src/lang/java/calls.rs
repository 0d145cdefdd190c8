//! Calls. In: a method invocation; out: a typed call of a method of the file, of a function value, or of a row of the library.

use tree_sitter::Node;

use super::convert::boxed;
use super::cst::{field, name_of, span};
use super::rows::Arg;
use super::{This, Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{Expr, ExprKind};
use crate::lang::ty::Ty;
use crate::source::Understood;

/// Methods of the functional interfaces.
const APPLIES: &[&str] = &[
    "apply",
    "applyAsInt",
    "applyAsLong",
    "applyAsDouble",
    "test",
    "accept",
    "get",
    "getAsInt",
    "getAsLong",
    "getAsDouble",
    "getAsBoolean",
    "compare",
    "call",
    "run",
];

impl<'t> Typer<'t> {
    /// `name(…)`, `object.name(…)`.
    pub(super) fn invocation(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let Some(name) = name_of(n, self.text()) else {
            return self.refuse(n, "call that cannot be read");
        };
        let Some(object) = field(n, "object") else {
            return self.own_call(n, name, hint);
        };
        if object.kind() == "this" {
            return self.own_call(n, name, hint);
        }
        if object.kind() == "super" {
            return self.refuse(n, "calls of `super` are not covered");
        }
        if let Some(e) = self.hive_call(n, object, name)? {
            return Ok(e);
        }
        if let Some(path) = self.class_name(object) {
            if let Some(class) = self.class_path(object, &path) {
                let methods = self.methods_of(class, name);
                let args = self.arguments(n)?;
                return self.class_call(class, name, methods, args, n);
            }
            let module = self.module(&path);
            let args = self.arguments(n)?;
            return self.module_call(&module, name, args, hint, n);
        }
        let recv = self.expr(object, None)?;
        let args = self.arguments(n)?;
        self.member_call(recv, name, args, hint, n)
    }

    /// A static method of the library.
    pub(super) fn module_call(
        &mut self,
        module: &str,
        name: &str,
        args: Vec<Arg<'t>>,
        hint: Option<&Ty>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        self.check_pure(module, name, n)?;
        for name in [format!("java.{name}"), name.to_owned()] {
            let rows = lookup::static_rows(module, &name);
            if let Some(e) = self.call_rows(None, vec![rows], args.clone(), hint, n)? {
                return Ok(e);
            }
        }
        self.refuse(n, format!("`{module}.{name}` with these arguments is not covered"))
    }

    /// A method of a class of the file, called by the class's name or as a method reference.
    pub(super) fn class_call(
        &mut self,
        class: Node<'t>,
        name: &str,
        methods: Vec<Node<'t>>,
        args: Vec<Arg<'t>>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        if class.kind() == "enum_declaration"
            && let Some(e) = self.enum_static(class, name, &args, n)?
        {
            return Ok(e);
        }
        if methods.is_empty() {
            return self.refuse(n, format!("`{name}` is not declared in this file"));
        }
        let method = self.chosen(&methods, &args, n)?;
        if !super::cst::has_modifier(method, "static") && class.kind() != "interface_declaration" {
            return self.refuse(n, format!("`{name}` is not static"));
        }
        self.call_method(method, None, args, n)
    }

    /// A method without a receiver: of the class around, or from a static import.
    fn own_call(&mut self, n: Node<'t>, name: &str, hint: Option<&Ty>) -> Understood<Expr> {
        let args = self.arguments(n)?;
        self.unqualified(name, args, hint, n)
    }

    pub(super) fn unqualified(
        &mut self,
        name: &str,
        args: Vec<Arg<'t>>,
        hint: Option<&Ty>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        let methods = self.outer_methods(n, name);
        if !methods.is_empty() {
            let method = self.chosen(&methods, &args, n)?;
            let this = match self.frames.last().and_then(|f| f.this.clone()) {
                Some(This::Value(slot, class)) if self.is_member(method, class) => Some(self.read(slot, span(n))),
                Some(This::Fields(class, _)) if self.is_member(method, class) => {
                    return self.refuse(n, "a method call in a constructor is not covered");
                }
                _ => None,
            };
            return self.call_method(method, this, args, n);
        }
        if let Some(class) = super::cst::enclosing(n).filter(|c| c.kind() == "enum_declaration")
            && let Some(e) = self.enum_static(class, name, &args, n)?
        {
            return Ok(e);
        }
        if let Some(This::Value(slot, _)) = self.frames.last().and_then(|f| f.this.clone())
            && args.is_empty()
            && let Some(e) = self.accessor(&self.read(slot, span(n)), name, n)?
        {
            return Ok(e);
        }
        if let Some(module) = self.static_import(name) {
            return self.module_call(&module, name, args, hint, n);
        }
        self.refuse(n, format!("`{name}` is not declared in this file"))
    }

    fn is_member(&self, method: Node<'t>, class: crate::lang::ast::ClassId) -> bool {
        !super::cst::has_modifier(method, "static")
            && super::cst::enclosing(method).map(|c| c.id()) == Some(self.class_nodes[class.0 as usize].id())
    }

    /// `recv.name(args)` on a typed receiver.
    pub(super) fn member_call(
        &mut self,
        recv: Expr,
        name: &str,
        args: Vec<Arg<'t>>,
        hint: Option<&Ty>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        if let Some(e) = self.writable_member(&recv, name, &args, n)? {
            return Ok(e);
        }
        if let Ty::Class(class) = recv.ty.clone()
            && let Some(e) = self.user_member(&recv, &class, name, &args, n)?
        {
            return Ok(e);
        }
        if let Ty::Fn(params, ret) = recv.ty.clone()
            && APPLIES.contains(&name)
            && params.len() == args.len()
        {
            return self.apply_function(recv, params, *ret, args, n);
        }
        // Boxes that are asked for their text or their equality stay boxes.
        let recv = boxed(recv);
        let ty = recv.ty.clone();
        match self.instance_call(recv, name, args, hint, n)? {
            Some(e) => Ok(e),
            None => self.refuse(n, format!("`{name}` on `{ty}` with these arguments is not covered")),
        }
    }

    fn apply_function(
        &mut self,
        func: Expr,
        params: Vec<Ty>,
        ret: Ty,
        args: Vec<Arg<'t>>,
        n: Node<'t>,
    ) -> Understood<Expr> {
        let mut typed = Vec::new();
        for (arg, want) in args.iter().zip(&params) {
            let e = self.typed_argument(arg, want)?;
            typed.push(self.assigned(e, want, n)?);
        }
        let kind = ExprKind::Apply {
            func: Box::new(func),
            args: typed,
        };
        Ok(mk(kind, ret, span(n)))
    }

    /// An argument of a known parameter type.
    pub(super) fn typed_argument(&mut self, arg: &Arg<'t>, want: &Ty) -> Understood<Expr> {
        match arg {
            Arg::Typed(e) => Ok(e.clone()),
            Arg::Open(o) => self.expr(*o, Some(want)),
            Arg::Function(f) => self.expr(*f, Some(want)),
        }
    }

    /// What gives another result on every run, or reads the world, is refused by name.
    fn check_pure(&self, module: &str, name: &str, n: Node<'t>) -> Understood<()> {
        let reason = match (module, name) {
            ("Math", "random") | ("UUID", "randomUUID") => "gives another result on every run",
            ("System", "currentTimeMillis" | "nanoTime") => "gives another result on every run",
            ("LocalDate" | "LocalDateTime" | "LocalTime" | "Instant" | "ZonedDateTime" | "OffsetDateTime", "now") => {
                "gives another result on every run"
            }
            ("System", "getenv" | "getProperty" | "exit") => "depends on the process it runs in",
            _ => return Ok(()),
        };
        self.refuse(n, format!("`{module}.{name}` {reason}"))
    }

    /// The method of several that the arguments mean.
    fn chosen(&mut self, methods: &[Node<'t>], args: &[Arg<'t>], n: Node<'t>) -> Understood<Node<'t>> {
        if let [only] = methods {
            return Ok(*only);
        }
        use super::convert::{Phase, fits};
        for phase in [Some(Phase::Strict), Some(Phase::Loose), None] {
            let mut fitting = Vec::new();
            for m in methods {
                let sig = self.signature(*m)?;
                let count = sig.params.len();
                let ok = match phase {
                    Some(p) => {
                        count == args.len()
                            && args.iter().zip(&sig.params).all(|(a, (_, ty, _))| match a {
                                Arg::Typed(e) => fits(&e.ty, ty, p),
                                Arg::Function(_) => matches!(ty, Ty::Fn(..)),
                                Arg::Open(_) => true,
                            })
                    }
                    None => sig.varargs && args.len() + 1 >= count,
                };
                if ok {
                    fitting.push((*m, sig));
                }
            }
            let best = fitting.iter().find(|(_, a)| {
                fitting.iter().all(|(_, b)| {
                    a.params.len() == b.params.len()
                        && a.params
                            .iter()
                            .zip(&b.params)
                            .all(|((_, x, _), (_, y, _))| x == y || fits(x, y, Phase::Strict))
                })
            });
            match (fitting.is_empty(), best) {
                (true, _) => continue,
                (false, Some((m, _))) => return Ok(*m),
                (false, None) => return self.refuse(n, "a call that is ambiguous among the overloads"),
            }
        }
        self.refuse(n, "no overload takes these arguments")
    }
}
