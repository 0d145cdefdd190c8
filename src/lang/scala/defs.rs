//! Definitions: `def`s become functions, `val`s of enclosing templates globals, case classes classes. Each is typed when it
//! is first needed, in a frame of its own.

use std::collections::HashMap;

use tree_sitter::Node;

use super::cst::{field, field_all, has_token, kids, name_text, span};
use super::{Binding, FnParam, FnSig, Frame, Typer};
use crate::lang::ast::{ClassId, FnId, Function, Param};
use crate::lang::ty::{SeqKind, Ty};
use crate::source::{Refusal, Understood};

impl<'t> Typer<'t> {
    /// The function for a `def` outside of the current function, for the given type arguments.
    pub(super) fn function_of(&mut self, def: Node<'t>, targs: Vec<Ty>) -> Understood<FnId> {
        let key = (def.id(), targs.clone());
        if let Some(id) = self.fn_ids.get(&key) {
            return Ok(*id);
        }
        self.needs.insert(span(def));
        let vars = self.bind_type_params(def, targs)?;
        let saved_frames = std::mem::take(&mut self.frames);
        let saved_vars = std::mem::replace(&mut self.type_vars, vec![vars]);
        let result = self.function_alone(def, key);
        self.frames = saved_frames;
        self.type_vars = saved_vars;
        result
    }

    pub(super) fn function_alone(&mut self, def: Node<'t>, key: (usize, Vec<Ty>)) -> Understood<FnId> {
        self.parsed(def)?;
        let sig = self.signature(def, false)?;
        let id = self.reserve(sig);
        self.fn_ids.insert(key.clone(), id);
        let typed = self.body_of(id, None);
        if typed.is_err() {
            // Asked again, it is refused for the same reason.
            self.fn_ids.remove(&key);
        }
        typed.map(|()| id)
    }

    /// Refuses what does not parse.
    pub(super) fn parsed(&self, n: Node<'t>) -> Understood<()> {
        match super::cst::first_error(n) {
            Some(e) => Err(Refusal::syntax(span(e))),
            None if super::cst::too_deep(n) => self.refuse(n, "nested too deeply"),
            None => Ok(()),
        }
    }

    pub(super) fn bind_type_params(&mut self, def: Node<'t>, targs: Vec<Ty>) -> Understood<HashMap<String, Ty>> {
        let names = self.type_params(def);
        if names.len() != targs.len() {
            return self.refuse(def, "generic method whose type arguments are not known");
        }
        Ok(names.into_iter().zip(targs).collect())
    }

    /// Names of the type parameters of a `def`.
    pub(super) fn type_params(&self, def: Node<'t>) -> Vec<String> {
        field_all(def, "parameters")
            .into_iter()
            .filter(|p| p.kind() == "type_parameters")
            .flat_map(|p| field_all(p, "name"))
            .map(|n| name_text(n, self.text()).to_owned())
            .collect()
    }

    pub(super) fn reserve(&mut self, sig: FnSig<'t>) -> FnId {
        let id = FnId(self.functions.len() as u32);
        self.functions.push(None);
        self.sigs.push(sig);
        // Entries made from lambdas have no signature of their own; keep both lists in step.
        debug_assert_eq!(self.functions.len(), self.sigs.len());
        id
    }

    /// Parameters and written result type of a `def`.
    pub(super) fn signature(&mut self, def: Node<'t>, local: bool) -> Understood<FnSig<'t>> {
        let mut params = Vec::new();
        let mut lists = Vec::new();
        for list in field_all(def, "parameters")
            .into_iter()
            .filter(|p| p.kind() == "parameters")
        {
            if has_token(list, "implicit") || has_token(list, "using") {
                return self.refuse(list, "implicit parameters are not covered");
            }
            let items = kids(list);
            lists.push(items.len());
            for p in items {
                params.push(self.parameter(p)?);
            }
        }
        let ret = match field(def, "return_type") {
            Some(t) => Some(self.ty(t)?),
            // `def f() { … }` is a procedure.
            None if !has_token(def, "=") => Some(Ty::Unit),
            None => None,
        };
        let name = field(def, "name")
            .map(|n| name_text(n, self.text()).to_owned())
            .unwrap_or_default();
        Ok(FnSig {
            name,
            params,
            lists,
            ret,
            local,
            method: None,
            def,
        })
    }

    pub(super) fn parameter(&mut self, p: Node<'t>) -> Understood<FnParam<'t>> {
        let (Some(name), Some(ty)) = (field(p, "name"), field(p, "type")) else {
            return self.refuse(p, "parameter that cannot be read");
        };
        Ok(FnParam {
            name: name_text(name, self.text()).to_owned(),
            ty: self.ty(ty)?,
            by_name: ty.kind() == "lazy_parameter_type",
            varargs: ty.kind() == "repeated_parameter_type",
            default: field(p, "default_value"),
            span: span(p),
        })
    }

    /// Types the body of a reserved function and completes it.
    pub(super) fn body_of(&mut self, id: FnId, parent: Option<FnId>) -> Understood<()> {
        let sig = self.sigs[id.0 as usize].clone();
        let def = sig.def;
        let body = match def.kind() {
            "function_definition" => field(def, "body"),
            "val_definition" => field(def, "value"),
            _ => Some(def),
        };
        let Some(body) = body else {
            return self.refuse(def, "method without a body");
        };
        let mut frame = Frame::new(Some(id), def);
        frame.ret = sig.ret.clone();
        self.frames.push(frame);
        let mut params = Vec::new();
        if let Some(class) = sig.method {
            self.declare_this(class, def, &mut params);
        }
        for p in &sig.params {
            let ty = if p.varargs {
                Ty::Seq(SeqKind::Seq, Box::new(p.ty.clone()))
            } else {
                p.ty.clone()
            };
            if p.by_name {
                let slot = self.slot(&p.name, Ty::Fn(Vec::new(), Box::new(ty.clone())), false);
                self.bind(&p.name, Binding::ByName(slot));
            } else {
                self.declare(&p.name, ty.clone(), false);
            }
            params.push(Param {
                name: p.name.clone(),
                ty,
                by_name: p.by_name,
                span: p.span,
            });
        }
        let typed = match &sig.ret {
            Some(ret) => self.checked(body, ret),
            None => self.expr(body, None),
        };
        let frame = self.frames.pop();
        let body = typed?;
        let ret = sig.ret.unwrap_or_else(|| body.ty.clone());
        self.sigs[id.0 as usize].ret = Some(ret.clone());
        self.functions[id.0 as usize] = Some(Function {
            name: sig.name,
            params,
            ret,
            body,
            locals: frame.map(|f| f.locals).unwrap_or_default(),
            parent,
            span: span(def),
        });
        Ok(())
    }

    fn declare_this(&mut self, class: ClassId, def: Node<'t>, params: &mut Vec<Param>) {
        let ty = Ty::Class(self.classes[class.0 as usize].name.clone());
        let slot = self.slot("this", ty.clone(), false);
        self.frame().this = Some((slot, class));
        params.push(Param {
            name: "this".into(),
            ty,
            by_name: false,
            span: span(def),
        });
    }

    /// A method as a function with an instance of one class as its first parameter. Methods of traits are typed for each
    /// class that has them.
    pub(super) fn method_of(&mut self, def: Node<'t>, class: ClassId) -> Understood<FnId> {
        let key = (def.id(), vec![Ty::Class(self.classes[class.0 as usize].name.clone())]);
        if let Some(id) = self.fn_ids.get(&key) {
            return Ok(*id);
        }
        self.bind_type_params(def, Vec::new())?;
        let saved_frames = std::mem::take(&mut self.frames);
        let saved_vars = std::mem::take(&mut self.type_vars);
        let constructing = self.constructing.take();
        let inherited = self.overridden_type(def, class);
        let result = self.signature(def, false).and_then(|mut sig| {
            sig.method = Some(class);
            sig.ret = sig.ret.or(inherited?);
            let id = self.reserve(sig);
            self.fn_ids.insert(key.clone(), id);
            let typed = self.body_of(id, None);
            if typed.is_err() {
                self.fn_ids.remove(&key);
            }
            typed.map(|()| id)
        });
        self.frames = saved_frames;
        self.type_vars = saved_vars;
        self.constructing = constructing;
        result
    }

    /// A local `def`: reserved when its block begins, typed at its place.
    pub(super) fn announce_local(&mut self, def: Node<'t>) -> Understood<()> {
        let Some(name) = field(def, "name") else {
            return self.refuse(def, "method without a name");
        };
        let name = name_text(name, self.text()).to_owned();
        if !self.type_params(def).is_empty() {
            return self.refuse(def, "generic local methods are not covered");
        }
        let sig = self.signature(def, true)?;
        let binding = if sig.ret.is_some() {
            Binding::Fn(self.reserve(sig))
        } else {
            Binding::Later
        };
        self.bind(&name, binding);
        Ok(())
    }

    /// Types an announced local `def`.
    pub(super) fn define_local(&mut self, def: Node<'t>) -> Understood<()> {
        let name = field(def, "name")
            .map(|n| name_text(n, self.text()).to_owned())
            .unwrap_or_default();
        let parent = match self.frame().func {
            Some(f) => f,
            None => return self.refuse(def, "a local method inside of this function literal is not covered"),
        };
        let known = self.frame().scopes.last().and_then(|s| s.get(&name)).cloned();
        let id = match known {
            Some(Binding::Fn(id)) => id,
            _ => {
                let sig = self.signature(def, true)?;
                self.reserve(sig)
            }
        };
        self.body_of(id, Some(parent))?;
        self.bind(&name, Binding::Fn(id));
        Ok(())
    }
}
