//! Bytes of texts, digests of them, and both as hexadecimal or Base64 text.

use super::Lower;
use super::library::Call;
use super::sym::{State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::Understood;

impl Lower<'_> {
    /// `s.getBytes`, in UTF-8.
    pub(super) fn bytes_of(&mut self, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let utf8 = match call.args.first() {
            None => true,
            Some(Sym::Named("charset", name)) => name == "UTF-8",
            Some(name) => self
                .constant_text(name, call.span, "a character set")?
                .eq_ignore_ascii_case("UTF-8"),
        };
        if !utf8 {
            return self.refuse(call.span, "only the bytes of UTF-8 have a columnar form here");
        }
        Ok(Sym::Node(self.g.call(Func::Bytes, vec![s], ColTy::Binary)))
    }

    /// `MessageDigest.getInstance`, `Base64.getEncoder`, `StandardCharsets`.
    pub(super) fn codec_static(&mut self, base: &str, call: &Call<'_>) -> Understood<Sym> {
        match (base, call.key()) {
            ("StandardCharsets", ("UTF_8", 0)) => Ok(Sym::Named("charset", "UTF-8".into())),
            ("Base64", ("getEncoder", 0)) => Ok(Sym::Named("base64", String::new())),
            ("MessageDigest", ("getInstance", 1)) => {
                let name = self.constant_text(&call.args[0], call.span, "the name of a digest")?;
                let name = name.to_ascii_uppercase();
                match name.as_str() {
                    "MD5" | "SHA-1" | "SHA1" | "SHA" | "SHA-256" | "SHA-224" | "SHA-384" | "SHA-512" => {
                        Ok(Sym::Named("digest", name))
                    }
                    _ => self.not_covered(call),
                }
            }
            _ => self.not_covered(call),
        }
    }

    /// `digest.digest(bytes)`, `encoder.encodeToString(bytes)`.
    pub(super) fn codec_method(
        &mut self,
        st: &mut State,
        (kind, name): (&str, &str),
        call: &Call<'_>,
    ) -> Understood<Sym> {
        let (f, ty) = match (kind, call.key()) {
            ("digest", ("digest", 1)) => (Func::Digest(name.into()), ColTy::Binary),
            ("base64", ("encodeToString", 1)) => (Func::Base64, ColTy::Str),
            _ => return self.not_covered(call),
        };
        let bytes = self.arg(call, 0)?;
        if *self.g.ty(bytes) != ColTy::Binary {
            return self.not_covered(call);
        }
        self.require(st, bytes);
        Ok(Sym::Node(self.g.call(f, vec![bytes], ty)))
    }

    /// Methods of arrays of bytes.
    pub(super) fn binary_method(&mut self, st: &mut State, n: NodeId, call: Call<'_>) -> Understood<Sym> {
        self.require(st, n);
        if st.dead {
            return Ok(Sym::Unit);
        }
        match call.key() {
            ("map", 1) => {
                self.vars += 1;
                let var = self.g.add(Op::Var(self.vars), ColTy::Prim(Prim::Byte));
                let mut inner = st.scope();
                inner.set_not_null(var);
                let value = self.apply(&mut inner, &call.args[0], &[Sym::Node(var)], call.span)?;
                match value {
                    Sym::Node(text) if inner.events.is_empty() && self.is_hex_of(text, var) => {
                        let ty = ColTy::Array(Box::new(ColTy::Str));
                        Ok(Sym::Node(self.g.call(Func::HexParts, vec![n], ty)))
                    }
                    _ => self.refuse(
                        call.span,
                        "only two hexadecimal digits of each byte have a columnar form here",
                    ),
                }
            }
            ("length" | "size", 0) => Ok(Sym::Node(self.g.call(Func::ByteLength, vec![n], ColTy::INT))),
            _ => self.not_covered(&call),
        }
    }

    /// Whether a text is `"%02x".format(b)`, the byte perhaps widened and masked.
    fn is_hex_of(&self, text: NodeId, byte: NodeId) -> bool {
        let Op::Call(Func::Format(spec), args) = self.g.op(text) else {
            return false;
        };
        let arg = args[0];
        let plain = arg == byte;
        let masked = match self.g.op(arg) {
            Op::Bin(BinOp::BitAnd, _, wide, mask) if self.g.as_int(*mask) == Some(255) => {
                matches!(self.g.op(*wide), Op::Conv(Prim::Byte, _, inner) if *inner == byte)
            }
            _ => false,
        };
        &**spec == "%02x" && (plain || masked)
    }
}
