//! Pattern matching on values.

use super::*;

impl Interp<'_> {
    pub(super) fn matches(&mut self, p: &Pattern, v: &V, env: &Env, bound: &mut Vec<(String, V)>) -> R<bool> {
        Ok(match &p.kind {
            PatKind::Any | PatKind::Rest => true,
            PatKind::Bind(name, inner) => {
                if let Some(inner) = inner
                    && !self.matches(inner, v, env, bound)?
                {
                    return Ok(false);
                }
                bound.push((name.clone(), v.clone()));
                true
            }
            PatKind::Typed(inner, ty) => match self.is_instance(v, ty) {
                Some(true) => self.matches(inner, v, env, bound)?,
                Some(false) => false,
                None => return self.refuse(p.span, format!("a pattern on the type {} is not covered", ty.name)),
            },
            PatKind::Value(e) => {
                let want = self.eval(e, env)?;
                match (&want, v) {
                    // `case None`, `case Nil`: the names evaluate to the values themselves.
                    (V::Module(m), _) if &**m == "NonFatal" => matches!(v, V::Exc(_)),
                    _ => self.equal(&want, v),
                }
            }
            PatKind::Alt(all) => {
                for a in all {
                    if self.matches(a, v, env, bound)? {
                        return Ok(true);
                    }
                }
                false
            }
            PatKind::Tuple(items) => match v {
                V::Tuple(t) if t.len() == items.len() => self.match_all(items, t, env, bound)?,
                _ => false,
            },
            PatKind::Extract(name, items) => self.extract(p, name, items, v, env, bound)?,
            PatKind::Cons(head, tail) => match v {
                V::Seq(s) if !s.items.borrow().is_empty() => {
                    let (first, rest) = {
                        let items = s.items.borrow();
                        (items[0].clone(), V::seq(s.kind, items[1..].to_vec()))
                    };
                    self.matches(head, &first, env, bound)? && self.matches(tail, &rest, env, bound)?
                }
                _ => false,
            },
        })
    }

    fn match_all(&mut self, ps: &[Pattern], vs: &[V], env: &Env, bound: &mut Vec<(String, V)>) -> R<bool> {
        for (p, v) in ps.iter().zip(vs) {
            if !self.matches(p, v, env, bound)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn extract(
        &mut self,
        p: &Pattern,
        name: &str,
        items: &[Pattern],
        v: &V,
        env: &Env,
        bound: &mut Vec<(String, V)>,
    ) -> R<bool> {
        match (name, v) {
            ("Some", V::Opt(Some(inner))) => self.match_all(items, std::slice::from_ref(&**inner), env, bound),
            ("Some", _) => Ok(false),
            ("NonFatal", V::Exc(_)) => self.match_all(items, std::slice::from_ref(v), env, bound),
            ("Success", V::Try(t)) => match &**t {
                Ok(inner) => self.match_all(items, std::slice::from_ref(inner), env, bound),
                Err(_) => Ok(false),
            },
            ("Failure", V::Try(t)) => match &**t {
                Err(e) => self.match_all(items, &[V::Exc(e.clone())], env, bound),
                Ok(_) => Ok(false),
            },
            ("Seq" | "Array" | "List" | "Vector" | "IndexedSeq" | "ArrayBuffer", V::Seq(s)) => {
                let vs = s.items.borrow().clone();
                let rest = items.last().filter(|l| is_rest(l));
                let fixed = items.len() - usize::from(rest.is_some());
                if vs.len() < fixed || (rest.is_none() && vs.len() != fixed) {
                    return Ok(false);
                }
                if !self.match_all(&items[..fixed], &vs[..fixed], env, bound)? {
                    return Ok(false);
                }
                if let Some(PatKind::Bind(name, _)) = rest.map(|r| &r.kind) {
                    bound.push((name.clone(), V::seq(SeqKind::Seq, vs[fixed..].to_vec())));
                }
                Ok(true)
            }
            (
                "Seq" | "Array" | "List" | "Vector" | "IndexedSeq" | "ArrayBuffer" | "Success" | "Failure" | "NonFatal",
                _,
            ) => Ok(false),
            _ => self.refuse(p.span, format!("the extractor `{name}` is not covered")),
        }
    }

    /// `isInstanceOf`, `case x: T`; `None` for a type that is not known here.
    pub(super) fn is_instance(&mut self, v: &V, ty: &TypeRef) -> Option<bool> {
        let name = ty.name.as_str();
        Some(match (name, v) {
            (_, V::Null) => false,
            ("Any" | "AnyRef" | "Object" | "_", _) => true,
            ("AutoCloseable", V::Ref(_)) => true,
            ("Int" | "Integer", _) => matches!(v, V::Int(_)),
            ("Long", _) => matches!(v, V::Long(_)),
            ("Double", _) => matches!(v, V::Double(_)),
            ("Float", _) => matches!(v, V::Float(_)),
            ("Boolean", _) => matches!(v, V::Bool(_)),
            ("String", _) => matches!(v, V::Str(_)),
            ("Option", _) => matches!(v, V::Opt(_)),
            ("Seq" | "List" | "IndexedSeq" | "Vector", _) => {
                matches!(v, V::Seq(s) if matches!(s.kind, SeqKind::Seq | SeqKind::Buffer))
            }
            ("Array", _) => matches!(v, V::Seq(s) if s.kind == SeqKind::Array),
            ("DType", _) => matches!(v, V::DType(_)),
            ("ColumnVector" | "Scalar" | "Table" | "ColumnView" | "BinaryOperable", _) => match v {
                V::Ref(id) => crate::run::cudf::api::ancestry(self.heap.class(*id)).contains(&name),
                _ => false,
            },
            (_, V::Exc(e)) => self.exception_is(e, name),
            (other, _) if other.ends_with("Exception") || other.ends_with("Error") || other == "Throwable" => false,
            _ => return None,
        })
    }
}

fn is_rest(p: &Pattern) -> bool {
    match &p.kind {
        PatKind::Rest => true,
        PatKind::Bind(_, Some(inner)) => is_rest(inner),
        _ => false,
    }
}
