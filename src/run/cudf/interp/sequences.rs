//! Sequences, options and `Try`: the methods that columnar code uses.

use super::*;

impl Interp<'_> {
    /// The elements a `for`, `foreach` or `: _*` goes through.
    pub(super) fn elements(&mut self, v: &V, span: Span) -> R<Vec<V>> {
        Ok(match v {
            V::Seq(s) => s.items.borrow().clone(),
            V::Opt(o) => o.iter().map(|v| (**v).clone()).collect(),
            V::Str(s) => s.encode_utf16().map(V::Char).collect(),
            V::Null => return self.throw(span, "NullPointerException", ""),
            other => return self.refuse(span, format!("going through a {} is not covered", other.type_name())),
        })
    }

    pub(super) fn seq_method(&mut self, s: &Rc<SeqV>, name: &str, args: &[V], span: Span) -> R {
        let items = s.items.borrow().clone();
        let kind = s.kind;
        let again = |items: Vec<V>| V::seq(if kind == SeqKind::Set { SeqKind::Seq } else { kind }, items);
        let empty = |me: &Self| me.throw(span, "NoSuchElementException", format!("{name} of empty list"));
        match (name, args) {
            ("length" | "size", []) => Ok(V::Int(items.len() as i32)),
            ("isEmpty", []) => Ok(V::Bool(items.is_empty())),
            ("nonEmpty", []) => Ok(V::Bool(!items.is_empty())),
            ("apply" | "get", [V::Int(i)]) => match items.get(*i as usize).filter(|_| *i >= 0) {
                Some(v) => Ok(v.clone()),
                None => {
                    let class = if kind == SeqKind::Array {
                        "ArrayIndexOutOfBoundsException"
                    } else {
                        "IndexOutOfBoundsException"
                    };
                    self.throw(span, class, i.to_string())
                }
            },
            ("head", []) => items.first().cloned().map_or_else(|| empty(self), Ok),
            ("last", []) => items.last().cloned().map_or_else(|| empty(self), Ok),
            ("tail", []) if !items.is_empty() => Ok(again(items[1..].to_vec())),
            ("init", []) if !items.is_empty() => Ok(again(items[..items.len() - 1].to_vec())),
            ("tail" | "init", []) => self.throw(span, "UnsupportedOperationException", format!("empty.{name}")),
            ("headOption", []) => Ok(V::Opt(items.first().cloned().map(Rc::new))),
            ("lastOption", []) => Ok(V::Opt(items.last().cloned().map(Rc::new))),
            ("toSeq" | "toList" | "toVector" | "toIndexedSeq" | "asScala" | "iterator" | "view" | "force", []) => {
                Ok(V::seq(SeqKind::Seq, items))
            }
            ("toArray", [] | [_]) => Ok(V::seq(SeqKind::Array, items)),
            ("toBuffer", []) => Ok(V::seq(SeqKind::Buffer, items)),
            ("clone", []) => Ok(again(items)),
            ("asJava", []) => Ok(V::seq(SeqKind::Seq, items)),
            ("reverse" | "reverseIterator", []) => Ok(again(items.into_iter().rev().collect())),
            ("indices", []) => Ok(V::seq(SeqKind::Seq, (0..items.len() as i32).map(V::Int).collect())),
            ("take", [V::Int(n)]) => Ok(again(items.into_iter().take((*n).max(0) as usize).collect())),
            ("drop", [V::Int(n)]) => Ok(again(items.into_iter().skip((*n).max(0) as usize).collect())),
            ("takeRight", [V::Int(n)]) => {
                let skip = items.len().saturating_sub((*n).max(0) as usize);
                Ok(again(items[skip..].to_vec()))
            }
            ("dropRight", [V::Int(n)]) => {
                let keep = items.len().saturating_sub((*n).max(0) as usize);
                Ok(again(items[..keep].to_vec()))
            }
            ("slice", [V::Int(a), V::Int(b)]) => {
                let a = (*a).max(0) as usize;
                let b = (*b).max(0) as usize;
                Ok(again(items.into_iter().take(b).skip(a).collect()))
            }
            ("zipWithIndex", []) => Ok(again(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(i, v)| V::Tuple(Rc::new(vec![v, V::Int(i as i32)])))
                    .collect(),
            )),
            ("zip", [other]) => {
                let others = self.elements(other, span)?;
                let pairs = items.into_iter().zip(others);
                Ok(again(pairs.map(|(a, b)| V::Tuple(Rc::new(vec![a, b]))).collect()))
            }
            ("mkString", _) => {
                let texts: Vec<String> = items.iter().map(V::show).collect();
                Ok(V::str(match args {
                    [] => texts.concat(),
                    [sep] => texts.join(&sep.show()),
                    [a, sep, b] => format!("{}{}{}", a.show(), texts.join(&sep.show()), b.show()),
                    _ => return self.refuse(span, "this mkString is not covered"),
                }))
            }
            ("contains", [x]) => Ok(V::Bool(items.iter().any(|i| self.equal(i, x)))),
            ("indexOf", [x]) => Ok(V::Int(
                items.iter().position(|i| self.equal(i, x)).map_or(-1, |p| p as i32),
            )),
            ("sum", []) => {
                let mut total = V::Int(0);
                for i in items {
                    total = self.binary("+", total, i, span)?;
                }
                Ok(total)
            }
            ("append" | "add" | "addOne", [x]) if kind == SeqKind::Buffer => {
                s.items.borrow_mut().push(x.clone());
                Ok(V::Unit)
            }
            ("clear", []) if kind == SeqKind::Buffer => {
                s.items.borrow_mut().clear();
                Ok(V::Unit)
            }
            ("update", [V::Int(i), x]) if kind != SeqKind::Seq => match s.items.borrow_mut().get_mut(*i as usize) {
                Some(slot) => {
                    *slot = x.clone();
                    Ok(V::Unit)
                }
                None => self.throw(span, "IndexOutOfBoundsException", i.to_string()),
            },
            ("safeClose" | "safeClose()", _) => {
                for i in items {
                    if !matches!(i, V::Null) {
                        self.close(&i, span)?;
                    }
                }
                Ok(V::Unit)
            }
            (_, [f]) if matches!(f, V::Fn(_)) => self.seq_function(again(Vec::new()), items, name, f, span),
            (":+" | "+:" | "++" | "::" | ":::" | "prepended" | "appended" | "concat", [x]) => match name {
                "+:" | "::" | "prepended" => self.binary("+:", x.clone(), again(items), span),
                ":+" | "appended" => self.binary(":+", again(items), x.clone(), span),
                _ => self.binary("++", again(items), x.clone(), span),
            },
            _ => self.refuse(
                span,
                format!("`{name}` of a {} is not covered", V::Seq(s.clone()).type_name()),
            ),
        }
    }

    fn seq_function(&mut self, like: V, items: Vec<V>, name: &str, f: &V, span: Span) -> R {
        let kind = if let V::Seq(s) = &like { s.kind } else { SeqKind::Seq };
        let mut out = Vec::new();
        match name {
            "foreach" => {
                for i in items {
                    self.call_value(f.clone(), vec![i], span)?;
                }
                return Ok(V::Unit);
            }
            // `safeMap` of the accelerator closes what it made if the function throws.
            "map" | "safeMap" => {
                for i in items {
                    match self.call_value(f.clone(), vec![i], span) {
                        Ok(v) => out.push(v),
                        Err(stop @ Stop::Throw(_)) if name == "safeMap" => {
                            for v in &out {
                                self.close(v, span)?;
                            }
                            return Err(stop);
                        }
                        Err(stop) => return Err(stop),
                    }
                }
            }
            "flatMap" => {
                for i in items {
                    let v = self.call_value(f.clone(), vec![i], span)?;
                    out.extend(self.elements(&v, span)?);
                }
            }
            "filter" | "withFilter" | "filterNot" | "takeWhile" | "dropWhile" | "find" | "exists" | "forall"
            | "count" | "indexWhere" => return self.seq_predicate(kind, items, name, f, span),
            "reduce" | "reduceLeft" => {
                let mut rest = items.into_iter();
                let Some(mut acc) = rest.next() else {
                    return self.throw(span, "UnsupportedOperationException", "empty.reduceLeft");
                };
                for i in rest {
                    acc = self.call_value(f.clone(), vec![acc, i], span)?;
                }
                return Ok(acc);
            }
            _ => return self.refuse(span, format!("`{name}` of a sequence is not covered")),
        }
        Ok(V::seq(kind, out))
    }

    fn seq_predicate(&mut self, kind: SeqKind, items: Vec<V>, name: &str, f: &V, span: Span) -> R {
        let mut holds = Vec::new();
        for i in &items {
            match self.call_value(f.clone(), vec![i.clone()], span)? {
                V::Bool(b) => holds.push(b),
                other => return self.compile_error(span, format!("a predicate gives a {}", other.type_name()), vec![]),
            }
            let stop = match name {
                "find" | "exists" | "indexWhere" => holds.last() == Some(&true),
                "forall" | "takeWhile" => holds.last() == Some(&false),
                _ => false,
            };
            if stop {
                break;
            }
        }
        let first = holds.iter().position(|h| *h);
        let wanted = |keep: bool| -> Vec<V> {
            items
                .iter()
                .zip(&holds)
                .filter(|(_, h)| **h == keep)
                .map(|(i, _)| i.clone())
                .collect()
        };
        Ok(match name {
            "find" => V::Opt(first.map(|i| Rc::new(items[i].clone()))),
            "exists" => V::Bool(first.is_some()),
            "indexWhere" => V::Int(first.map_or(-1, |i| i as i32)),
            "forall" => V::Bool(holds.iter().all(|h| *h)),
            "count" => V::Int(holds.iter().filter(|h| **h).count() as i32),
            "filterNot" => V::seq(kind, wanted(false)),
            "takeWhile" => V::seq(kind, wanted(true)),
            "dropWhile" => {
                let skip = holds.iter().take_while(|h| **h).count();
                V::seq(kind, items[skip..].to_vec())
            }
            _ => V::seq(kind, wanted(true)),
        })
    }

    /// `foldLeft(z)(f)` and its like.
    pub(super) fn curried_method(&mut self, target: V, name: &str, a: Vec<V>, b: Vec<V>, span: Span) -> R {
        let (Some(zero), Some(f)) = (a.first().cloned(), b.first().cloned()) else {
            return self.refuse(span, format!("this `{name}` is not covered"));
        };
        if let V::Module(m) = &target {
            return self.curried_module(&m.clone(), name, a, b, span);
        }
        let mut items = self.elements(&target, span)?;
        let right = name == "foldRight";
        if right {
            items.reverse();
        }
        let mut acc = zero;
        for i in items {
            let args = if right { vec![i, acc] } else { vec![acc, i] };
            acc = self.call_value(f.clone(), args, span)?;
        }
        Ok(acc)
    }

    pub(super) fn option_method(&mut self, o: &Option<Rc<V>>, name: &str, args: &[V], span: Span) -> R {
        match (name, args, o) {
            ("isDefined" | "nonEmpty" | "isPresent", [], _) => Ok(V::Bool(o.is_some())),
            ("isEmpty", [], _) => Ok(V::Bool(o.is_none())),
            ("get", [], Some(v)) => Ok((**v).clone()),
            ("get", [], None) => self.throw(span, "NoSuchElementException", "None.get"),
            ("orNull", [], _) => Ok(o.as_ref().map_or(V::Null, |v| (**v).clone())),
            ("toSeq" | "toList" | "iterator", [], _) => {
                Ok(V::seq(SeqKind::Seq, o.iter().map(|v| (**v).clone()).collect()))
            }
            ("map" | "foreach" | "flatMap" | "filter" | "exists" | "forall", [f], Some(v)) => {
                let out = self.call_value(f.clone(), vec![(**v).clone()], span)?;
                Ok(match (name, &out) {
                    ("map", _) => V::Opt(Some(Rc::new(out))),
                    ("foreach", _) => V::Unit,
                    ("filter", V::Bool(keep)) => V::Opt(o.clone().filter(|_| *keep)),
                    _ => out,
                })
            }
            ("map" | "flatMap" | "filter", [_], None) => Ok(V::Opt(None)),
            ("foreach", [_], None) => Ok(V::Unit),
            ("exists", [_], None) => Ok(V::Bool(false)),
            ("forall", [_], None) => Ok(V::Bool(true)),
            _ => self.refuse(span, format!("`{name}` of an Option is not covered")),
        }
    }

    pub(super) fn get_or_else(&mut self, target: V, default: &Expr, span: Span, env: &Env) -> R {
        match &target {
            V::Opt(Some(v)) => Ok((**v).clone()),
            V::Opt(None) => self.eval(default, env),
            V::Try(t) => match &**t {
                Ok(v) => Ok(v.clone()),
                Err(_) => self.eval(default, env),
            },
            _ => {
                let d = self.eval(default, env)?;
                self.method(target, "getOrElse", vec![d], span)
            }
        }
    }

    pub(super) fn try_method(&mut self, t: &Rc<Result<V, Rc<Exc>>>, name: &str, args: &[V], span: Span) -> R {
        match (name, args, &**t) {
            ("get", [], Ok(v)) => Ok(v.clone()),
            ("get", [], Err(e)) => Err(Stop::Throw(e.clone())),
            ("isSuccess", [], r) => Ok(V::Bool(r.is_ok())),
            ("isFailure", [], r) => Ok(V::Bool(r.is_err())),
            ("toOption", [], r) => Ok(V::Opt(r.as_ref().ok().map(|v| Rc::new(v.clone())))),
            ("map", [f], Ok(v)) => {
                let out = self.call_value(f.clone(), vec![v.clone()], span);
                self.attempt(out)
            }
            ("map" | "recover", [_], Err(_)) if name == "map" => Ok(V::Try(t.clone())),
            ("recover", [_], Ok(_)) => Ok(V::Try(t.clone())),
            _ => self.refuse(span, format!("`{name}` of a Try is not covered")),
        }
    }

    /// A result as a `Try`.
    pub(super) fn attempt(&self, r: R) -> R {
        match r {
            Ok(v) => Ok(V::Try(Rc::new(Ok(v)))),
            Err(Stop::Throw(e)) => Ok(V::Try(Rc::new(Err(e)))),
            Err(stop) => Err(stop),
        }
    }
}
