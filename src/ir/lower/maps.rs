//! Columns of maps.

use super::Lower;
use super::library::Call;
use super::sym::{State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ty::{Prim, Ty};
use crate::source::Understood;

impl Lower<'_> {
    /// Methods of a column of maps.
    pub(super) fn map_method(
        &mut self,
        st: &mut State,
        map: NodeId,
        (key, value): (ColTy, ColTy),
        call: Call<'_>,
    ) -> Understood<Sym> {
        self.require(st, map);
        if st.dead {
            return Ok(Sym::Unit);
        }
        match call.key() {
            ("size", 0) => return Ok(Sym::Node(self.size_of_map(map, key))),
            ("isEmpty" | "nonEmpty", 0) => {
                let keys = self.keys(map, key.clone());
                let xs = self.listed(keys, key);
                let there = self.has_elements(&xs);
                return Ok(Sym::Node(if call.name == "isEmpty" {
                    self.g.not(there)
                } else {
                    there
                }));
            }
            ("keys" | "keySet" | "keysIterator", 0) => return Ok(Sym::Node(self.keys(map, key))),
            ("values" | "valuesIterator", 0) => return Ok(Sym::Node(self.values(map, value, &call.ty))),
            ("apply" | "get" | "contains" | "getOrElse" | "isDefinedAt", _) => {}
            _ => return self.not_covered(&call),
        }
        self.map_lookup(st, map, value, &call)
    }

    fn size_of_map(&mut self, map: NodeId, key: ColTy) -> NodeId {
        let keys = self.keys(map, key);
        self.size(keys)
    }

    fn keys(&mut self, map: NodeId, key: ColTy) -> NodeId {
        let keys = self.g.call(Func::MapKeys, vec![map], ColTy::Array(Box::new(key)));
        self.whole.insert(keys, vec![true]);
        self.unordered.insert(keys);
        keys
    }

    /// The values; a null among primitives is zero to the JVM.
    fn values(&mut self, map: NodeId, value: ColTy, ty: &Ty) -> NodeId {
        let list = ColTy::Array(Box::new(value.clone()));
        let values = self.g.call(Func::MapValues, vec![map], list.clone());
        self.unordered.insert(values);
        let primitive = match ty {
            Ty::Seq(_, a) | Ty::Iterator(a) | Ty::Set(a) => a.prim_type(),
            _ => None,
        };
        let Some(prim) = primitive.filter(|p| *p != Prim::Char) else {
            return values;
        };
        self.vars += 1;
        let id = self.vars;
        let var = self.g.add(Op::Var(id), value);
        let zero = self.zero(prim);
        let filled = self.g.add(Op::Coalesce(var, zero), ColTy::Prim(prim));
        let mapped = self.g.call(Func::Map(id), vec![values, filled], list);
        self.whole.insert(mapped, vec![true]);
        self.unordered.insert(mapped);
        mapped
    }

    /// Looking up a key; a map of a column holds no null key.
    fn map_lookup(&mut self, st: &mut State, map: NodeId, value: ColTy, call: &Call<'_>) -> Understood<Sym> {
        if call.args.is_empty() {
            return self.not_covered(call);
        }
        let key = self.arg(call, 0)?;
        let missing = self.null_test(st, key);
        let present = self.g.not(missing);
        let holds = self.g.call(Func::MapContains, vec![map, key], ColTy::BOOL);
        let there = self.g.and(present, holds);
        let mut found = self.g.call(Func::MapValue, vec![map, key], value.clone());
        let primitive = match &call.ty {
            Ty::Option(a) => a.prim_type(),
            other => other.prim_type(),
        };
        if let (Some(prim), false) = (primitive, matches!(call.name, "contains" | "isDefinedAt")) {
            // A null among primitive values is zero to the JVM.
            let zero = self.zero(prim);
            found = self.g.add(Op::Coalesce(found, zero), value);
        }
        match call.key() {
            ("contains" | "isDefinedAt", 1) => Ok(Sym::Node(there)),
            ("get", 1) => Ok(Sym::Opt(there, Box::new(Sym::Node(found)))),
            ("apply", 1) => {
                let missing = self.g.not(there);
                self.raise_if(st, missing, "NoSuchElementException", "key not found");
                Ok(Sym::Node(found))
            }
            ("getOrElse", 2) => {
                let (d, span) = (call.args[1].clone(), call.span);
                self.choose(
                    st,
                    there,
                    |_, _| Ok(Sym::Node(found)),
                    |l, s| l.force(s, &d, span),
                    span,
                )
            }
            _ => self.not_covered(call),
        }
    }
}
