//! Names that come from imports, from the library's predefined ones, or from objects elsewhere in the file.

use super::Typer;
use super::cst::{field, kids, name_text};
use super::names::{PREDEFINED, Target};
use super::outer::{self};
use crate::jvm::lookup;
use crate::source::Understood;
use tree_sitter::Node;

impl<'t> Typer<'t> {
    /// An object of the file by its simple name, wherever it stands.
    pub(super) fn find_object(&self, name: &str) -> Option<Node<'t>> {
        let mut stack = vec![self.root];
        while let Some(n) = stack.pop() {
            for k in kids(n) {
                match k.kind() {
                    "object_definition" => {
                        if field(k, "name").is_some_and(|m| name_text(m, self.text()) == name) {
                            return Some(k);
                        }
                        stack.push(k);
                    }
                    "template_body" | "package_clause" | "class_definition" | "trait_definition" => stack.push(k),
                    _ => {}
                }
            }
        }
        None
    }

    pub(super) fn imported(&mut self, path: &str, n: Node<'t>) -> Understood<Target<'t>> {
        let (owner, name) = path.rsplit_once('.').unwrap_or(("", path));
        let owner_name = owner.rsplit('.').next().unwrap_or_default();
        if let Some(object) = self.find_object(owner_name)
            && let Some(found) = outer::member(object, name, self.text())
        {
            return self.outer(found, name, n);
        }
        if path.starts_with("org.apache.spark") && name != "Row" {
            return self.refuse(
                n,
                format!("`{name}` of Spark is not a value that a row function can use"),
            );
        }
        if owner_name.starts_with(char::is_uppercase) || owner.ends_with("scala.math") || owner == "math" {
            let module = if owner.ends_with("math") {
                "math".into()
            } else {
                module_name(owner)
            };
            if !lookup::static_rows(&module, name).is_empty() {
                return Ok(Target::Static(module, name.to_owned()));
            }
        }
        Ok(self.in_package(path))
    }

    pub(super) fn wild(&mut self, path: &str, name: &str, n: Node<'t>) -> Understood<Option<Target<'t>>> {
        let last = path.rsplit('.').next().unwrap_or(path);
        if let Some(object) = self.find_object(last)
            && let Some(found) = outer::member(object, name, self.text())
        {
            return self.outer(found, name, n).map(Some);
        }
        let module = match path {
            "scala.math" | "math" => "math".to_owned(),
            "scala.collection.mutable" | "collection.mutable" | "mutable" if is_mutable(name) => {
                return Ok(Some(self.in_package(&format!("scala.collection.mutable.{name}"))));
            }
            _ if last.starts_with(char::is_uppercase) => module_name(path),
            _ => {
                let library = path.starts_with("java.") || path.starts_with("scala.");
                let known = lookup::has_module(name) || lookup::has_class(name);
                return Ok((library && known && !PREDEFINED.contains(&name))
                    .then(|| self.in_package(&format!("{path}.{name}"))));
            }
        };
        let found = !lookup::static_rows(&module, name).is_empty();
        Ok(found.then(|| Target::Static(module, name.to_owned())))
    }

    pub(super) fn predefined(&self, name: &str) -> Option<Target<'t>> {
        if !lookup::static_rows("Predef", name).is_empty() {
            return Some(Target::Static("Predef".into(), name.to_owned()));
        }
        match name {
            "math" | "sys" => Some(Target::Module(name.to_owned())),
            "java" | "scala" | "_root_" | "javax" => Some(Target::Package(name.to_owned())),
            "util" | "collection" => Some(Target::Package(format!("scala.{name}"))),
            _ if PREDEFINED.contains(&name) => Some(Target::Module(name.to_owned())),
            _ => None,
        }
    }
}

/// The module of the library that a path of a class or object means.
pub(super) fn module_name(path: &str) -> String {
    let path = path.strip_prefix("_root_.").unwrap_or(path);
    let last = path.rsplit('.').next().unwrap_or(path);
    for package in ["mutable", "immutable"] {
        let own = format!("{package}.{last}");
        if path.ends_with(&own) && (lookup::has_module(&own) || lookup::has_class(&own)) {
            return own;
        }
    }
    match path {
        "java.math.BigDecimal" => "JBigDecimal".into(),
        "java.math.BigInteger" if !lookup::has_module("BigInteger") => "BigInt".into(),
        _ => last.to_owned(),
    }
}

/// Whether the library has a mutable collection of this name.
pub(super) fn is_mutable(name: &str) -> bool {
    let own = format!("mutable.{name}");
    lookup::has_module(&own)
        || lookup::has_class(&own)
        || matches!(name, "ListBuffer" | "ArrayBuffer" | "Buffer" | "StringBuilder")
}
