//! Patterns with arguments: `Some(p)`, case classes, sequences, regular expressions.

use super::Typer;
use super::cst::{field, field_all, name_text, span, text};
use super::names::Target;
use super::outer::{self, Outer};
use crate::lang::ast::{Pattern, PatternKind, Wrapper};
use crate::lang::relate::{conforms, is_throwable};
use crate::lang::ty::{SeqKind, Ty};
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// `Name(…)`.
    pub(super) fn extractor(&mut self, n: Node<'t>, ty: &Ty) -> Understood<PatternKind> {
        let Some(head) = field(n, "type") else {
            return self.refuse(n, "pattern that cannot be read");
        };
        let items = field_all(n, "pattern");
        if items.iter().any(|i| i.kind() == "named_pattern") {
            return self.refuse(n, "named patterns are not Scala 2");
        }
        let path = text(head, self.text()).to_owned();
        let name = path.rsplit('.').next().unwrap_or(&path).to_owned();
        let found = outer::lookup(head, &name, self.text())
            .or_else(|| self.imported_object(&path, head.start_byte()).map(Outer::Object));
        if let Some(Outer::Object(object)) = found
            && let Some(kind) = self.own_extractor(object, &items, ty, n)?
        {
            return Ok(kind);
        }
        if let Some(class) = self.class_named(head, &path) {
            return self.class_pattern(class, &items, ty, n);
        }
        if let Some(kind) = self.wrapper_pattern(&name, &items, ty, n)? {
            return Ok(kind);
        }
        if let Some(kind) = seq_kind(&name, ty) {
            return self.seq_pattern(kind, &items, ty, n);
        }
        self.regex_pattern(head, &name, &items, ty, n)
    }

    /// A case class by the name of its pattern, from around or imported.
    fn class_named(&mut self, head: Node<'t>, path: &str) -> Option<Node<'t>> {
        let name = path.rsplit('.').next().unwrap_or(path);
        let found = match path.contains('.') {
            true => None,
            false => outer::lookup_type(head, name, self.text()),
        };
        let found = match found {
            Some(Outer::Class(class)) => Some(class),
            _ => self.class_elsewhere(path, head.start_byte()),
        };
        found.filter(|c| outer::is_case(*c))
    }

    /// A class that a path or an import of this file's own objects leads to.
    fn class_elsewhere(&self, path: &str, place: usize) -> Option<Node<'t>> {
        let class_in = |owner: &str, name: &str| {
            let owner = owner.rsplit('.').next().unwrap_or(owner);
            match outer::member_type(self.find_object(owner)?, name, self.text()) {
                Some(Outer::Class(class)) => Some(class),
                _ => None,
            }
        };
        if let Some((owner, name)) = path.rsplit_once('.') {
            return class_in(owner, name);
        }
        if let Some(import) = self.imports.named(path, place) {
            let (owner, name) = import.path.rsplit_once('.')?;
            return class_in(owner, name);
        }
        self.imports.wild(place).find_map(|i| class_in(&i.path, path))
    }

    fn imported_object(&self, path: &str, place: usize) -> Option<Node<'t>> {
        let name = path.rsplit('.').next().unwrap_or(path);
        let known = path.contains('.')
            || self.imports.named(name, place).is_some()
            || self.imports.wild(place).any(|i| {
                let owner = i.path.rsplit('.').next().unwrap_or(&i.path);
                self.find_object(owner)
                    .is_some_and(|o| matches!(outer::member(o, name, self.text()), Some(Outer::Object(_))))
            });
        self.find_object(name).filter(|_| known)
    }

    /// An `unapply` or `unapplySeq` of the file: its result is matched in turn.
    fn own_extractor(
        &mut self,
        object: Node<'t>,
        items: &[Node<'t>],
        ty: &Ty,
        n: Node<'t>,
    ) -> Understood<Option<PatternKind>> {
        let def = |name: &str| match outer::member(object, name, self.text()) {
            Some(Outer::Def(def)) => Some(def),
            _ => None,
        };
        let (def, seq) = match (def("unapply"), def("unapplySeq")) {
            (Some(def), None) => (def, false),
            (None, Some(def)) => (def, true),
            (None, None) => return Ok(None),
            _ => return self.refuse(n, "an extractor with both `unapply` and `unapplySeq`"),
        };
        if outer::overloads(def, self.text()).len() > 1 || self.class_beside(object).is_some() {
            return self.refuse(n, "an extractor with overloads is not covered");
        }
        let func = self.function_of(def, Vec::new())?;
        let sig = self.sigs[func.0 as usize].clone();
        let (Some(ret), [param]) = (sig.ret, &sig.params[..]) else {
            return self.refuse(n, "an extractor of this form is not covered");
        };
        if param.ty != *ty && !(ty.is_reference() && conforms(ty, &param.ty)) {
            return self.refuse(n, format!("extractor of `{}` against `{ty}`", param.ty));
        }
        let at = span(n);
        let kind = match (&ret, items) {
            (Ty::Prim(crate::lang::ty::Prim::Boolean), []) => PatternKind::Lit(crate::lang::ast::Lit::Bool(true)),
            (Ty::Option(a), _) if seq => match &**a {
                Ty::Seq(..) => {
                    let kind = self.seq_pattern((**a).clone(), items, a, n)?;
                    PatternKind::Some(Box::new(Pattern { kind, span: at }))
                }
                _ => return self.refuse(n, "an extractor of this form is not covered"),
            },
            (Ty::Option(a), [one]) => PatternKind::Some(Box::new(self.pattern(*one, a)?)),
            (Ty::Option(a), _) => {
                let kind = self.tuple_pattern(n, items, a)?;
                PatternKind::Some(Box::new(Pattern { kind, span: at }))
            }
            _ => return self.refuse(n, "an extractor of this form is not covered"),
        };
        Ok(Some(PatternKind::Extract {
            func,
            takes: param.ty.clone(),
            gives: ret,
            result: Box::new(Pattern { kind, span: at }),
        }))
    }

    pub(super) fn wrapper_pattern(
        &mut self,
        name: &str,
        items: &[Node<'t>],
        ty: &Ty,
        n: Node<'t>,
    ) -> Understood<Option<PatternKind>> {
        if let (true, Ty::Tuple(_)) = (name.starts_with("Tuple"), ty) {
            return self.tuple_pattern(n, items, ty).map(Some);
        }
        if name == "::" {
            return match items {
                [_, _] => self.cons(items, ty, n).map(Some),
                _ => self.refuse(n, "`::` with another number of patterns"),
            };
        }
        let [item] = items else { return Ok(None) };
        let throwable = Ty::Class("Throwable".into());
        let (inner, wrapper) = match (name, ty) {
            ("Some", Ty::Option(a)) => ((**a).clone(), None),
            ("NonFatal", Ty::Class(c)) if is_throwable(c) => {
                let p = self.pattern(*item, ty)?;
                return Ok(Some(PatternKind::NonFatal(Box::new(p))));
            }
            ("Success", Ty::Try(a)) => ((**a).clone(), Some(Wrapper::Success)),
            ("Failure", Ty::Try(_)) => (throwable, Some(Wrapper::Failure)),
            ("Left", Ty::Either(a, _)) => ((**a).clone(), Some(Wrapper::Left)),
            ("Right", Ty::Either(_, b)) => ((**b).clone(), Some(Wrapper::Right)),
            _ => return Ok(None),
        };
        let p = Box::new(self.pattern(*item, &inner)?);
        Ok(Some(match wrapper {
            Some(w) => PatternKind::Wrapper(w, p),
            None => PatternKind::Some(p),
        }))
    }

    pub(super) fn class_pattern(
        &mut self,
        class: Node<'t>,
        items: &[Node<'t>],
        ty: &Ty,
        n: Node<'t>,
    ) -> Understood<PatternKind> {
        let id = self.class_id(class, n)?;
        let fields = self.classes[id.0 as usize].fields.clone();
        let own = Ty::Class(self.classes[id.0 as usize].name.clone());
        if !(*ty == Ty::Any || conforms(&own, ty)) || fields.len() != items.len() {
            return self.refuse(n, format!("pattern of `{own}` against `{ty}`"));
        }
        let fields = items
            .iter()
            .zip(&fields)
            .map(|(i, (_, t))| self.pattern(*i, t))
            .collect::<Understood<Vec<Pattern>>>()?;
        Ok(PatternKind::Class { class: id, fields })
    }

    pub(super) fn seq_pattern(
        &mut self,
        kind: Ty,
        items: &[Node<'t>],
        ty: &Ty,
        n: Node<'t>,
    ) -> Understood<PatternKind> {
        let elem = match ty {
            Ty::Seq(_, a) | Ty::Array(a) => (**a).clone(),
            _ => return self.refuse(n, format!("sequence pattern against `{ty}`")),
        };
        let mut out = Vec::new();
        let mut rest = None;
        for (i, item) in items.iter().enumerate() {
            match self.rest_of(*item)? {
                Some(name) if i + 1 == items.len() => rest = Some(self.rest_pattern(name, &elem, *item)),
                Some(_) => return self.refuse(*item, "`_*` before the end of a pattern"),
                None => out.push(self.pattern(*item, &elem)?),
            }
        }
        Ok(PatternKind::Seq {
            kind,
            items: out,
            rest: rest.map(Box::new),
        })
    }

    /// The name bound by `_*` or `x @ _*`; an empty one for the former.
    pub(super) fn rest_of(&mut self, item: Node<'t>) -> Understood<Option<String>> {
        match item.kind() {
            "repeat_pattern" => {
                let inner = field(item, "pattern");
                match inner.map(|p| p.kind()) {
                    Some("wildcard") => Ok(Some(String::new())),
                    Some("capture_pattern") => {
                        let name = inner.and_then(|p| field(p, "name"));
                        Ok(name.map(|n| name_text(n, self.text()).to_owned()))
                    }
                    _ => self.refuse(item, "repeated pattern that is not covered"),
                }
            }
            "capture_pattern" => {
                let repeats = field(item, "pattern").is_some_and(|p| p.kind() == "repeat_pattern");
                let name = field(item, "name").filter(|_| repeats);
                Ok(name.map(|n| name_text(n, self.text()).to_owned()))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn rest_pattern(&mut self, name: String, elem: &Ty, item: Node<'t>) -> Pattern {
        let kind = if name.is_empty() {
            PatternKind::Wildcard
        } else {
            let ty = Ty::Seq(SeqKind::Seq, Box::new(elem.clone()));
            PatternKind::Bind(self.declare(&name, ty, false), None)
        };
        Pattern { kind, span: span(item) }
    }

    pub(super) fn regex_pattern(
        &mut self,
        head: Node<'t>,
        name: &str,
        items: &[Node<'t>],
        ty: &Ty,
        n: Node<'t>,
    ) -> Understood<PatternKind> {
        let value = if head.kind() == "stable_type_identifier" {
            self.stable(head)?
        } else {
            match self.target_named(head, name)? {
                Some(Target::Value(e)) => e,
                _ => return self.refuse(n, format!("extractor `{name}` is not covered")),
            }
        };
        if value.ty != Ty::Class("Regex".into()) {
            return self.refuse(n, format!("extractor `{name}` is not covered"));
        }
        if *ty != Ty::String {
            return self.refuse(n, format!("regular expression against `{ty}`"));
        }
        let mut groups = Vec::new();
        let mut rest = false;
        for item in items {
            match self.rest_of(*item)? {
                Some(name) if name.is_empty() => rest = true,
                Some(_) => return self.refuse(*item, "binding the remaining groups is not covered"),
                None => groups.push(self.pattern(*item, &Ty::String)?),
            }
        }
        Ok(PatternKind::Regex {
            regex: Box::new(value),
            groups,
            rest,
        })
    }

    pub(super) fn target_named(&mut self, head: Node<'t>, name: &str) -> Understood<Option<Target<'t>>> {
        self.simple_name(head, name)
    }
}

pub(super) fn seq_kind(name: &str, ty: &Ty) -> Option<Ty> {
    let elem = match ty {
        Ty::Seq(_, a) | Ty::Array(a) => a.clone(),
        _ => return None,
    };
    Some(match name {
        "Seq" | "IndexedSeq" => Ty::Seq(SeqKind::Seq, elem),
        "List" => Ty::Seq(SeqKind::List, elem),
        "Vector" => Ty::Seq(SeqKind::Vector, elem),
        "Array" => Ty::Array(elem),
        _ => return None,
    })
}
