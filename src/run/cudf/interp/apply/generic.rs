//! Calls with type arguments.

use super::super::*;

impl<'a> Interp<'a> {
    pub(in crate::run::cudf::interp) fn type_apply(&mut self, f: &Expr, types: &[TypeRef], span: Span, env: &Env) -> R {
        if let Kind::Select(recv, name) = &f.kind
            && matches!(name.as_str(), "asInstanceOf" | "isInstanceOf")
        {
            let v = self.eval(recv, env)?;
            if name == "asInstanceOf" {
                return Ok(self.adapt(v, types.first()));
            }
            return match self.is_instance(&v, &types[0]) {
                Some(b) => Ok(V::Bool(b)),
                None => self.refuse(span, format!("isInstanceOf[{}] is not covered", types[0].name)),
            };
        }
        if let Kind::Select(recv, name) = &f.kind
            && matches!(name.as_str(), "empty" | "newBuilder")
        {
            let v = self.eval(recv, env)?;
            return self.method(v, name, Vec::new(), span);
        }
        self.eval(f, env)
    }

    pub(super) fn generic_call(&mut self, f: &Expr, types: &[TypeRef], args: &[Arg], span: Span, env: &Env) -> R {
        let element = types.first();
        if let (Kind::Ident(name), Some(ty)) = (&f.kind, element)
            && matches!(
                name.as_str(),
                "Array" | "Seq" | "List" | "Vector" | "IndexedSeq" | "ArrayBuffer"
            )
        {
            let items = self.args(args, env)?;
            let items = items.into_iter().map(|v| self.adapt(v, Some(ty))).collect();
            let callee = self.name(name, f.span, env)?;
            return self.call_value(callee, items, span);
        }
        self.apply(f, args, span, env)
    }
}
