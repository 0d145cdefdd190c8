//! Calls of the methods and function values of the candidate.

use super::super::*;

impl<'a> Interp<'a> {
    pub(super) fn call_with(&mut self, def: &Arc<Def>, scope: Option<Env>, args: &[Arg], env: &Env, span: Span) -> R {
        match def.lists.len() {
            0 => {
                let v = self.run_def(def, scope, Vec::new(), span)?;
                let args = self.args(args, env)?;
                self.call_value(v, args, span)
            }
            1 => {
                let slots = self.bind_args(def, &def.lists[0], args, env, span)?;
                self.run_def(def, scope, slots, span)
            }
            _ if def.lists[1].iter().all(|p| p.default.is_some()) => {
                let slots = self.bind_args(def, &def.lists[0], args, env, span)?;
                self.run_def(def, scope, slots, span)
            }
            _ => self.refuse(
                span,
                format!("`{}` without all of its parameter lists is not covered", def.name),
            ),
        }
    }

    pub(super) fn bind_args(
        &mut self,
        def: &Def,
        params: &[Param],
        args: &[Arg],
        env: &Env,
        span: Span,
    ) -> R<Vec<(String, Slot)>> {
        let mut slots: Vec<Option<Slot>> = vec![None; params.len()];
        let mut at = 0;
        for a in args {
            let index = match &a.name {
                Some(n) => match params.iter().position(|p| p.name == *n) {
                    Some(i) => i,
                    None => return self.compile_error(span, format!("`{}` has no parameter `{n}`", def.name), vec![]),
                },
                None => at,
            };
            let Some(p) = params.get(index) else {
                return self.compile_error(span, format!("too many arguments for `{}`", def.name), vec![]);
            };
            if p.repeated {
                let v = self.eval(&a.value, env)?;
                let items = if a.splat {
                    self.elements(&v, a.value.span)?
                } else {
                    vec![v]
                };
                match &mut slots[index] {
                    Some(Slot::Value(V::Seq(s))) => s.items.borrow_mut().extend(items),
                    slot => *slot = Some(Slot::Value(V::seq(SeqKind::Seq, items))),
                }
                continue;
            }
            slots[index] = Some(if p.by_name {
                Slot::Thunk(Arc::new(a.value.clone()), env.clone())
            } else {
                let v = self.eval(&a.value, env)?;
                Slot::Value(self.adapt(v, p.ty.as_ref()))
            });
            at = index + 1;
        }
        let mut out = Vec::new();
        for (p, slot) in params.iter().zip(slots) {
            let slot = match (slot, &p.default) {
                (Some(s), _) => s,
                (None, Some(d)) => Slot::Value(self.eval(d, &Env::default())?),
                (None, None) if p.repeated => Slot::Value(V::seq(SeqKind::Seq, Vec::new())),
                (None, None) => {
                    let what = format!("`{}` needs an argument for `{}`", def.name, p.name);
                    return self.compile_error(span, what, vec![]);
                }
            };
            out.push((p.name.clone(), slot));
        }
        Ok(out)
    }

    /// A `def` with evaluated arguments.
    pub(in crate::run::cudf::interp) fn call_def(
        &mut self,
        def: &Arc<Def>,
        scope: Option<Env>,
        lists: Vec<Vec<V>>,
        span: Span,
    ) -> R {
        let mut slots = Vec::new();
        let params: Vec<&Param> = def.lists.iter().flatten().collect();
        let args: Vec<V> = lists.into_iter().flatten().collect();
        let repeated = params.last().is_some_and(|p| p.repeated);
        let fixed = params.len() - usize::from(repeated);
        if args.len() < fixed || (!repeated && args.len() != fixed) {
            let what = format!("`{}` takes {} arguments, not {}", def.name, params.len(), args.len());
            return self.compile_error(span, what, vec![]);
        }
        for (p, v) in params.iter().zip(&args[..fixed]) {
            slots.push((p.name.clone(), Slot::Value(self.adapt(v.clone(), p.ty.as_ref()))));
        }
        if repeated {
            slots.push((
                params[fixed].name.clone(),
                Slot::Value(V::seq(SeqKind::Seq, args[fixed..].to_vec())),
            ));
        }
        self.run_def(def, scope, slots, span)
    }

    pub(super) fn run_def(&mut self, def: &Arc<Def>, scope: Option<Env>, slots: Vec<(String, Slot)>, span: Span) -> R {
        if let Some(why) = &def.unread {
            return self.refuse(def.span, format!("`{}` is not covered: {why}", def.name));
        }
        let Some(body) = &def.body else {
            return self.refuse(span, format!("`{}` has no body", def.name));
        };
        if self.depth >= MAX_DEPTH {
            return self.refuse(span, format!("`{}` calls itself too deeply", def.name));
        }
        let env = scope.map_or_else(Env::default, |s| Scope::inside(&s));
        slots.into_iter().for_each(|(n, s)| env.bind(&n, s));
        self.depth += 1;
        let out = match self.eval(body, &env) {
            Err(Stop::Return(v)) => Ok(v),
            other => other,
        };
        self.depth -= 1;
        Ok(self.adapt(out?, def.ret.as_ref()))
    }

    /// Calls a value: a function, or `apply` of anything else.
    pub(in crate::run::cudf::interp) fn call_value(&mut self, callee: V, args: Vec<V>, span: Span) -> R {
        let V::Fn(f) = &callee else {
            return self.method(callee, "apply", args, span);
        };
        match &**f {
            Func::Lambda(l, env) => {
                let scope = Scope::inside(env);
                let args = match (&args[..], l.params.len()) {
                    ([V::Tuple(t)], n) if n > 1 && t.len() == n => t.to_vec(),
                    _ => args,
                };
                if args.len() != l.params.len() {
                    let what = format!(
                        "a function of {} parameters gets {} arguments",
                        l.params.len(),
                        args.len()
                    );
                    return self.compile_error(span, what, vec![]);
                }
                for (p, v) in l.params.iter().zip(args) {
                    let v = self.adapt(v, p.ty.as_ref());
                    scope.bind(&p.name, Slot::Value(v));
                }
                self.eval(&l.body, &scope)
            }
            Func::Cases(cases, env) => {
                let v = if args.len() == 1 {
                    args[0].clone()
                } else {
                    V::Tuple(Rc::new(args))
                };
                match self.cases(cases, &v, env)? {
                    Some(out) => Ok(out),
                    None => self.throw(span, "MatchError", v.show()),
                }
            }
            Func::Def(def, scope) => self.call_def(def, scope.clone(), vec![args], span),
            Func::Method(recv, name) => self.method(recv.clone(), name, args, span),
            Func::Builtin(name) => self.builtin(name, args, span),
        }
    }
}
