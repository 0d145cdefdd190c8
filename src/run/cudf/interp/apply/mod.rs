//! Names, selections and calls: what a call means is decided here, in the order local, member, class, built in.

mod calls;
mod generic;

use super::*;
use crate::run::cudf::api;

impl<'a> Interp<'a> {
    /// A name on its own.
    pub(super) fn name(&mut self, name: &str, span: Span, env: &Env) -> R {
        if let Some((slot, scope)) = env.find(name) {
            return match slot {
                Slot::Value(v) => Ok(v),
                Slot::Lazy(def) => {
                    let v = self.eval(&def.value, &scope)?;
                    let v = self.adapt(v, def.ty.as_ref());
                    scope.set(name, v.clone());
                    Ok(v)
                }
                Slot::Thunk(e, from) => self.eval(&e, &from),
                Slot::Def(def) => self.def_value(def, Some(scope), span),
            };
        }
        let templates = self.visible();
        if let Some(v) = self.member_value(&templates, name, span)? {
            return Ok(v);
        }
        match name {
            "None" => return Ok(V::Opt(None)),
            "Nil" => return Ok(V::seq(SeqKind::Seq, Vec::new())),
            _ => {}
        }
        if let Some(v) = self.imported_constant(name) {
            return Ok(v);
        }
        if builtins::is_function(name) {
            return Ok(V::Fn(Rc::new(Func::Builtin(name.to_string()))));
        }
        if self.is_module(name) {
            return Ok(V::Module(name.into()));
        }
        self.compile_error(span, format!("`{name}` is not defined"), Vec::new())
    }

    /// `import ai.rapids.cudf.BinaryOp._` and the like.
    fn imported_constant(&self, name: &str) -> Option<V> {
        for import in &self.unit.imports {
            let (path, last) = import.rsplit_once('.')?;
            if last == "_" || last == name {
                let class = path.rsplit('.').next().unwrap_or(path);
                if let Some(v) = self.constant(class, name) {
                    return Some(v);
                }
            }
        }
        None
    }

    /// Templates whose members are in scope: the class, its companion, and the file's traits it extends.
    fn visible(&self) -> Vec<Arc<Template>> {
        let mut out = vec![self.main.clone()];
        let mut at = 0;
        while at < out.len() {
            for t in &self.unit.templates {
                let wanted = out[at].parents.contains(&t.name) || (t.name == out[at].name && at == 0);
                let imported = at == 0 && t.is_object && {
                    let prefix = format!("{}.", t.name);
                    self.unit.imports.iter().any(|i| i.contains(&prefix))
                };
                if (wanted || imported) && !out.iter().any(|o| Arc::ptr_eq(o, t)) {
                    out.push(t.clone());
                }
            }
            at += 1;
        }
        out
    }

    /// A `val` or parameterless `def` of the templates.
    fn member_value(&mut self, templates: &[Arc<Template>], name: &str, span: Span) -> R<Option<V>> {
        for t in templates {
            let key = (t.name.clone(), name.to_string());
            if let Some(v) = self.fields.borrow().get(&key) {
                return Ok(Some(v.clone()));
            }
            if let Some(def) = t.defs.iter().find(|d| d.name == name) {
                return self.def_value(def.clone(), None, span).map(Some);
            }
            for val in &t.vals {
                let mut names = Vec::new();
                bound_names(&val.pattern, &mut names);
                if !names.contains(&name) {
                    continue;
                }
                let scope = Env::default();
                let value = self.eval(&val.value, &scope)?;
                let value = self.adapt(value, val.ty.as_ref());
                let mut bound = Vec::new();
                if !self.matches(&val.pattern, &value, &scope, &mut bound)? {
                    return self.throw(span, "MatchError", value.show());
                }
                for (n, v) in bound {
                    self.fields.borrow_mut().insert((t.name.clone(), n), v);
                }
                return Ok(self.fields.borrow().get(&key).cloned());
            }
            if t.params.iter().any(|p| p.name == name) {
                return self.refuse(span, format!("the class parameter `{name}` has no value here"));
            }
        }
        Ok(None)
    }

    fn def_value(&mut self, def: Arc<Def>, scope: Option<Env>, span: Span) -> R {
        if def.lists.is_empty() {
            return self.run_def(&def, scope, Vec::new(), span);
        }
        Ok(V::Fn(Rc::new(Func::Def(def, scope))))
    }

    /// `recv.name` without arguments.
    pub(super) fn select(&mut self, recv: &Expr, name: &str, span: Span, env: &Env) -> R {
        if let Some(path) = package_path(recv)
            && env.find(&path[0]).is_none()
        {
            // `java.util.EnumSet`, `ai.rapids.cudf.DType`: the package is dropped.
            if matches!(path[0].as_str(), "java" | "scala" | "ai" | "com" | "org" | "javax") {
                return self.name(name, span, &Env::default()).or_else(|stop| match stop {
                    Stop::Refuse(_) if name.chars().next().is_some_and(char::is_lowercase) => {
                        Ok(V::Module(name.into()))
                    }
                    other => Err(other),
                });
            }
        }
        let recv = self.eval(recv, env)?;
        self.method(recv, name, Vec::new(), span)
    }

    pub(super) fn args(&mut self, args: &[Arg], env: &Env) -> R<Vec<V>> {
        let mut out = Vec::new();
        for a in args {
            if let Some(name) = &a.name {
                return self.refuse(a.value.span, format!("the named argument `{name}` is not covered here"));
            }
            let v = self.eval(&a.value, env)?;
            if a.splat {
                out.extend(self.elements(&v, a.value.span)?);
            } else {
                out.push(v);
            }
        }
        Ok(out)
    }

    /// A call: of a local, of a member of the file, of a method, or of a value.
    pub(super) fn apply(&mut self, f: &Expr, args: &[Arg], span: Span, env: &Env) -> R {
        match &f.kind {
            Kind::Ident(name) => {
                if let Some((Slot::Def(def), scope)) = env.find(name) {
                    return self.call_with(&def, Some(scope), args, env, span);
                }
                if env.find(name).is_none() {
                    if let Some(def) = self.member_def(name, args.len()) {
                        return self.call_with(&def, None, args, env, span);
                    }
                    if self.is_by_name_builtin(name) {
                        return self.by_name_builtin(name, args, span, env);
                    }
                }
                let callee = self.name(name, f.span, env)?;
                let args = self.args(args, env)?;
                self.call_value(callee, args, span)
            }
            Kind::Select(recv, name) => {
                let target = self.eval(recv, env)?;
                if let V::This = target
                    && let Some(def) = self.member_def(name, args.len())
                {
                    return self.call_with(&def, None, args, env, span);
                }
                if let V::Module(m) = &target
                    && let Some(def) = self.object_def(m, name)
                {
                    return self.call_with(&def, None, args, env, span);
                }
                if name == "getOrElse" && args.len() == 1 {
                    return self.get_or_else(target, &args[0].value, span, env);
                }
                let args = self.args(args, env)?;
                let called_empty = args.is_empty() && matches!(target, V::Module(_));
                match self.method(target, name, args, span)? {
                    // `mutable.ArrayBuffer()`: the selection named an object, which is applied.
                    module @ V::Module(_) if called_empty => self.call_value(module, Vec::new(), span),
                    v => Ok(v),
                }
            }
            Kind::TypeApply(inner, types) => self.generic_call(inner, types, args, span, env),
            // `withResource(x) { … }`, `foldLeft(z)(f)`, `helper(a)(b)`.
            Kind::Apply(g, first) => {
                let mut lists = vec![first.as_slice(), args];
                let mut head: &Expr = g;
                while let Kind::Apply(inner, more) = &head.kind {
                    lists.insert(0, more);
                    head = inner;
                }
                if let Kind::TypeApply(inner, _) = &head.kind {
                    head = inner;
                }
                self.curried(head, f, &lists, args, span, env)
            }
            _ => {
                let callee = self.eval(f, env)?;
                let args = self.args(args, env)?;
                self.call_value(callee, args, span)
            }
        }
    }

    fn curried(&mut self, head: &Expr, f: &Expr, lists: &[&[Arg]], last: &[Arg], span: Span, env: &Env) -> R {
        let def = match &head.kind {
            Kind::Ident(name) => match env.find(name) {
                Some((Slot::Def(d), scope)) => Some((d, Some(scope))),
                Some(_) => None,
                None => self.member_def(name, lists[0].len()).map(|d| (d, None)),
            },
            Kind::Select(recv, name) => match &recv.kind {
                Kind::This => self.member_def(name, lists[0].len()).map(|d| (d, None)),
                Kind::Ident(object) if env.find(object).is_none() => self.object_def(object, name).map(|d| (d, None)),
                _ => None,
            },
            _ => None,
        };
        if let Some((def, scope)) = def
            && def.lists.len() == lists.len()
        {
            let mut slots = Vec::new();
            for (params, args) in def.lists.iter().zip(lists) {
                slots.push(self.bind_args(&def, params, args, env, span)?);
            }
            return self.run_def(&def, scope, slots.concat(), span);
        }
        match &head.kind {
            Kind::Ident(name) if lists.len() == 2 && env.find(name).is_none() && builtins::is_function(name) => {
                let a = self.args(lists[0], env)?;
                let b = self.args(lists[1], env)?;
                self.curried_builtin(name, a, b, head.span)
            }
            Kind::Select(recv, name) if lists.len() == 2 => {
                let target = self.eval(recv, env)?;
                let a = self.args(lists[0], env)?;
                if !values::is_curried(&target, name) {
                    let callee = self.method(target, name, a, head.span)?;
                    let args = self.args(last, env)?;
                    return self.call_value(callee, args, span);
                }
                let b = self.args(lists[1], env)?;
                self.curried_method(target, name, a, b, head.span)
            }
            _ => {
                let callee = self.eval(f, env)?;
                let args = self.args(last, env)?;
                self.call_value(callee, args, span)
            }
        }
    }

    /// A method of the class, its companion or the traits it extends, by name and number of arguments.
    fn member_def(&self, name: &str, count: usize) -> Option<Arc<Def>> {
        let all: Vec<Arc<Def>> = self
            .visible()
            .iter()
            .flat_map(|t| t.defs.iter().filter(|d| d.name == name).cloned().collect::<Vec<_>>())
            .collect();
        let fits = |d: &&Arc<Def>| {
            let first = d.lists.first().map_or(&[][..], |l| l);
            first.len() == count || first.last().is_some_and(|p| p.repeated)
        };
        all.iter().find(fits).or(all.first()).cloned()
    }

    pub(super) fn object_def(&self, object: &str, name: &str) -> Option<Arc<Def>> {
        let t = self.unit.templates.iter().find(|t| t.is_object && t.name == object)?;
        t.defs.iter().find(|d| d.name == name).cloned()
    }

    pub(super) fn object_value(&mut self, object: &str, name: &str, span: Span) -> R<Option<V>> {
        let found = self
            .unit
            .templates
            .iter()
            .find(|t| t.is_object && t.name == object)
            .cloned();
        match found {
            Some(t) => self.member_value(&[t], name, span),
            None => Ok(None),
        }
    }

    /// Whether a name is a class or object that can be selected from.
    pub(super) fn is_module(&self, name: &str) -> bool {
        self.unit.templates.iter().any(|t| t.name == name)
            || api::class_name(name).is_some()
            || builtins::MODULES.contains(&name)
    }
}

fn bound_names<'p>(p: &'p Pattern, out: &mut Vec<&'p str>) {
    match &p.kind {
        PatKind::Bind(n, inner) => {
            out.push(n);
            if let Some(i) = inner {
                bound_names(i, out);
            }
        }
        PatKind::Typed(i, _) => bound_names(i, out),
        PatKind::Tuple(items) | PatKind::Extract(_, items) => items.iter().for_each(|i| bound_names(i, out)),
        PatKind::Cons(a, b) => {
            bound_names(a, out);
            bound_names(b, out);
        }
        _ => {}
    }
}

/// `a.b.c` as names.
fn package_path(e: &Expr) -> Option<Vec<String>> {
    match &e.kind {
        Kind::Ident(n) => Some(vec![n.clone()]),
        Kind::Select(r, n) => {
            let mut p = package_path(r)?;
            p.push(n.clone());
            Some(p)
        }
        _ => None,
    }
}
