//! `Option` and `Try`: a condition and a value.

use super::Lower;
use super::library::Call;
use super::sym::{Event, Exit, State, Sym};
use crate::ir::node::{ColTy, NodeId};
use crate::source::{Span, Understood};

impl Lower<'_> {
    /// `Option(x)`, `Some(x)`, `None`, `Option.empty`, `Option.when`.
    pub(super) fn option_static(&mut self, st: &mut State, base: &str, call: Call<'_>) -> Understood<Sym> {
        match (base, call.key()) {
            ("Option", ("apply", 1)) | ("Optional", ("ofNullable", 1)) => {
                self.option_of(st, &call.args[0].clone(), call.span)
            }
            ("Some", ("apply", 1)) | ("Optional", ("of", 1)) => {
                let yes = self.g.bool(true);
                Ok(Sym::Opt(yes, Box::new(call.args[0].clone())))
            }
            ("None", _) | ("Option" | "Optional", ("empty", 0)) => Ok(Sym::NoneOpt),
            ("Option", ("when", 2)) => {
                let cond = self.arg(&call, 0)?;
                let thunk = call.args[1].clone();
                let span = call.span;
                let yes = self.g.bool(true);
                self.choose(
                    st,
                    cond,
                    |l, s| Ok(Sym::Opt(yes, Box::new(l.force(s, &thunk, span)?))),
                    |_, _| Ok(Sym::NoneOpt),
                    span,
                )
            }
            _ => self.not_covered(&call),
        }
    }

    fn option_of(&mut self, st: &State, value: &Sym, span: Span) -> Understood<Sym> {
        Ok(match value {
            Sym::Node(n) if self.g.is_null_const(*n) => Sym::NoneOpt,
            Sym::Node(n) => {
                let null = self.null_test(st, *n);
                Sym::Opt(self.g.not(null), Box::new(value.clone()))
            }
            Sym::OrNull(null, inner) => Sym::Opt(self.g.not(*null), inner.clone()),
            Sym::Unit => return self.refuse(span, "an option of nothing has no columnar form"),
            other => {
                let yes = self.g.bool(true);
                Sym::Opt(yes, Box::new(other.clone()))
            }
        })
    }

    /// Methods of `Option`.
    pub(super) fn option_method(&mut self, st: &mut State, option: &Sym, call: Call<'_>) -> Understood<Sym> {
        let (defined, value) = match option {
            Sym::Opt(d, v) => (*d, (**v).clone()),
            _ => (self.g.bool(false), Sym::Node(self.g.null(ColTy::Null))),
        };
        let span = call.span;
        let first = call.args.first().cloned().unwrap_or(Sym::Unit);
        match call.key() {
            ("isDefined" | "nonEmpty" | "isPresent", 0) => Ok(Sym::Node(defined)),
            ("isEmpty", 0) => Ok(Sym::Node(self.g.not(defined))),
            ("get", 0) => {
                let missing = self.g.not(defined);
                self.raise_if(st, missing, "NoSuchElementException", "None.get");
                Ok(value)
            }
            ("getOrElse" | "orElseGet", 1) => {
                self.choose(st, defined, |_, _| Ok(value), |l, s| l.force(s, &first, span), span)
            }
            ("orNull", _) => {
                let null = Sym::Node(self.g.null(ColTy::Null));
                self.choose(st, defined, |_, _| Ok(value), |_, _| Ok(null), span)
            }
            ("orElse", 1) => {
                let me = option.clone();
                self.choose(st, defined, |_, _| Ok(me), |l, s| l.force(s, &first, span), span)
            }
            ("map", 1) => {
                let yes = self.g.bool(true);
                self.choose(
                    st,
                    defined,
                    |l, s| Ok(Sym::Opt(yes, Box::new(l.apply(s, &first, &[value], span)?))),
                    |_, _| Ok(Sym::NoneOpt),
                    span,
                )
            }
            ("flatMap", 1) => self.choose(
                st,
                defined,
                |l, s| l.apply(s, &first, &[value], span),
                |_, _| Ok(Sym::NoneOpt),
                span,
            ),
            ("foreach", 1) => {
                self.choose(
                    st,
                    defined,
                    |l, s| l.apply(s, &first, &[value], span),
                    |_, _| Ok(Sym::Unit),
                    span,
                )?;
                Ok(Sym::Unit)
            }
            ("filter" | "withFilter" | "filterNot" | "exists" | "forall" | "contains", 1) => {
                self.option_test(st, (defined, value), &first, &call)
            }
            ("fold", 2) => {
                let f = call.args[1].clone();
                self.choose(
                    st,
                    defined,
                    |l, s| l.apply(s, &f, &[value], span),
                    |l, s| l.force(s, &first, span),
                    span,
                )
            }
            ("collect", 1) => {
                let (there, value) = self.partial(st, defined, &first, &value, span)?;
                Ok(Sym::Opt(there, Box::new(value)))
            }
            ("size", 0) => {
                let (one, zero) = (self.g.int(1), self.g.int(0));
                Ok(Sym::Node(self.g.case(defined, one, zero)))
            }
            ("toSeq" | "toList" | "iterator", 0) => Ok(Sym::Seq(vec![(defined, value)])),
            _ => self.not_covered(&call),
        }
    }

    /// A partial function applied under a condition: where it is defined, and its value there.
    pub(super) fn partial(
        &mut self,
        st: &mut State,
        here: NodeId,
        f: &Sym,
        item: &Sym,
        span: Span,
    ) -> Understood<(NodeId, Sym)> {
        let mut inner = st.branch(&self.g, here, true);
        let value = self.apply(&mut inner, f, std::slice::from_ref(item), span)?;
        let mut there = here;
        for event in inner.events {
            match &event.exit {
                Exit::Raise(class, _) if class == "MatchError" => {
                    let defined = self.g.not(event.cond);
                    there = self.g.and(there, defined);
                }
                _ => {
                    let cond = self.g.and(there, event.cond);
                    st.events.push(Event { cond, exit: event.exit });
                }
            }
        }
        Ok((there, value))
    }

    fn option_test(
        &mut self,
        st: &mut State,
        (defined, value): (NodeId, Sym),
        test: &Sym,
        call: &Call<'_>,
    ) -> Understood<Sym> {
        let span = call.span;
        let (when_none, item) = (self.g.bool(call.name == "forall"), value.clone());
        let holds = if call.name == "contains" {
            self.equal(st, &value, test, span)?
        } else {
            let verdict = self.choose(
                st,
                defined,
                |l, s| l.apply(s, test, &[item], span),
                |_, _| Ok(Sym::Node(when_none)),
                span,
            )?;
            self.node_of(&verdict, span)?
        };
        Ok(match call.name {
            "filter" | "withFilter" => Sym::Opt(self.g.and(defined, holds), Box::new(value)),
            "filterNot" => {
                let not = self.g.not(holds);
                Sym::Opt(self.g.and(defined, not), Box::new(value))
            }
            "forall" => {
                let missing = self.g.not(defined);
                Sym::Node(self.g.or(missing, holds))
            }
            _ => Sym::Node(self.g.and(defined, holds)),
        })
    }

    /// Methods of `Try`.
    pub(super) fn try_method(&mut self, st: &mut State, ok: NodeId, value: Sym, call: Call<'_>) -> Understood<Sym> {
        let span = call.span;
        let first = call.args.first().cloned().unwrap_or(Sym::Unit);
        match call.key() {
            ("toOption", 0) => Ok(Sym::Opt(ok, Box::new(value))),
            ("isSuccess", 0) => Ok(Sym::Node(ok)),
            ("isFailure", 0) => Ok(Sym::Node(self.g.not(ok))),
            ("getOrElse", 1) => self.choose(st, ok, |_, _| Ok(value), |l, s| l.force(s, &first, span), span),
            ("orElse", 1) => {
                let me = Sym::Try(ok, Box::new(value));
                self.choose(st, ok, |_, _| Ok(me), |l, s| l.force(s, &first, span), span)
            }
            ("map" | "flatMap" | "filter", 1) => {
                let mut inner = st.branch(&self.g, ok, true);
                let result = self.apply(&mut inner, &first, std::slice::from_ref(&value), span)?;
                let mut failed = self.g.not(ok);
                for event in &inner.events {
                    failed = self.g.or(failed, event.cond);
                }
                let succeeded = self.g.not(failed);
                Ok(match (call.name, result) {
                    ("map", result) => Sym::Try(succeeded, Box::new(result)),
                    ("filter", Sym::Node(n)) => Sym::Try(self.g.and(succeeded, n), Box::new(value)),
                    ("flatMap", Sym::Try(inner_ok, v)) => Sym::Try(self.g.and(succeeded, inner_ok), v),
                    _ => return self.not_covered(&call),
                })
            }
            _ => self.not_covered(&call),
        }
    }
}
