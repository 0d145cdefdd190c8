//! Says when a file looks written for the other Scala than the Spark at hand has; Java files use Scala's collections too. In: the compiler's messages and the
//! Spark; out: the sign of it in words, and which Spark would take the file. Compiles nothing.

use crate::run::spark::Spark;

/// Names that came with Scala 2.13.
const NEW_IN_2_13: &[&str] = &[
    "ArrayDeque",
    "ArraySeq",
    "IterableOnce",
    "IterableOnceOps",
    "LazyList",
    "MapView",
    "SeqMap",
    "StringParsers",
    "Using",
    "VectorMap",
    "appended",
    "appendedAll",
    "chaining",
    "distinctBy",
    "groupMap",
    "groupMapReduce",
    "jdk",
    "knownSize",
    "lazyZip",
    "lengthIs",
    "mapValuesInPlace",
    "maxByOption",
    "maxOption",
    "minByOption",
    "minOption",
    "partitionMap",
    "pipe",
    "prepended",
    "prependedAll",
    "sizeIs",
    "tap",
    "tapEach",
    "toBooleanOption",
    "toByteOption",
    "toDoubleOption",
    "toFloatOption",
    "toIntOption",
    "toLongOption",
    "toShortOption",
    "unfold",
    "updatedWith",
];

/// Members that objects of the library got with Scala 2.13, under names that anything may have.
const NEW_IN_OBJECTS: &[&str] = &["from", "unless", "when"];

/// Names that went with Scala 2.12.
const GONE_IN_2_13: &[&str] = &[
    "ArrayStack",
    "CanBuildFrom",
    "DoubleLinkedList",
    "GenSeqLike",
    "GenTraversableLike",
    "JavaConversions",
    "LinkedList",
    "MutableList",
    "SeqLike",
    "SynchronizedBuffer",
    "SynchronizedMap",
    "SynchronizedSet",
    "TraversableLike",
    "WrappedArray",
    "breakOut",
    "par",
];

/// What says that a file is not for the Scala of a Spark, and the advice that follows.
pub(super) struct OtherScala {
    /// The sign, and what the Spark has.
    pub because: String,
    /// What to do.
    pub hint: String,
}

/// Looks for such a sign in the messages of Spark's compiler.
pub(super) fn other<'m>(mut messages: impl Iterator<Item = &'m str>, spark: &Spark) -> Option<OtherScala> {
    let (sign, other, release) = match spark.scala.as_str() {
        "2.12" => (messages.find_map(newer)?, "2.13", "4"),
        "2.13" => (messages.find_map(older)?, "2.12", "3.5"),
        _ => return None,
    };
    Some(OtherScala {
        because: format!(
            "{sign}: the file is for Scala {other}, and Spark {} has Scala {}",
            spark.version, spark.scala
        ),
        hint: format!(
            "set SPARK_HOME to a Spark with Scala {other}; `rewright setup spark --version {release}` makes one"
        ),
    })
}

/// What Scala 2.12 does not know and 2.13 does.
fn newer(message: &str) -> Option<String> {
    let of_object = message.contains("is not a member of object ");
    let known = |n: &&str| NEW_IN_2_13.contains(n) || of_object && NEW_IN_OBJECTS.contains(n);
    if let Some(name) = missing(message).filter(known) {
        return Some(format!("`{name}` came with Scala 2.13"));
    }
    let companion = message.contains("required: scala.collection.generic.CanBuildFrom[") && message.contains(".type");
    companion.then(|| "`to(…)` takes the collection as an argument since Scala 2.13".to_owned())
}

/// What Scala 2.13 does not take any more and 2.12 did.
fn older(message: &str) -> Option<String> {
    if let Some(name) = missing(message).filter(|n| GONE_IN_2_13.contains(n)) {
        return Some(format!("`{name}` is gone since Scala 2.13"));
    }
    if message.contains("method to in trait IterableOnceOps") {
        return Some("`to[…]` takes the collection as an argument since Scala 2.13".to_owned());
    }
    let (found, required) = message.split_once("found")?.1.split_once("required:")?;
    let (found, required) = (found.trim_start_matches([' ', ':']), required.trim_start());
    let mutable = found.starts_with("scala.collection.mutable.") || found.starts_with("scala.collection.Seq[");
    if mutable && required.starts_with("Seq[") {
        return Some("`Seq` takes immutable sequences only since Scala 2.13".to_owned());
    }
    let view = found.starts_with("scala.collection.MapView[") && required.contains("Map[");
    view.then(|| "`mapValues` and `filterKeys` give views since Scala 2.13".to_owned())
}

/// The name that a message says is missing.
fn missing(message: &str) -> Option<&str> {
    let word = |text: &str| {
        text.find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len())
    };
    if let Some((_, rest)) = message.split_once("not found: ") {
        let name = rest.split_once(' ')?.1;
        return Some(&name[..word(name)]);
    }
    // javac's: the kind of symbol, its name, and the package that lacks it.
    if let Some((_, rest)) = message.split_once("symbol:") {
        let name = rest.trim_start().split_once(' ')?.1;
        return rest.contains("package scala.").then(|| &name[..word(name)]);
    }
    let before = message.split_once(" is not a member of ")?.0;
    before.rsplit(' ').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign(scala: &str, message: &str) -> Option<String> {
        let spark = Spark {
            home: "/spark".into(),
            version: "3.5.9".into(),
            scala: scala.into(),
            by: String::new(),
        };
        other([message].into_iter(), &spark).map(|o| o.because)
    }

    /// Messages as the two compilers give them.
    #[test]
    fn signs_of_the_other_scala() {
        for message in [
            "not found: value LazyList",
            "value toIntOption is not a member of String",
            "object ArraySeq is not a member of package scala.collection.immutable",
            "object jdk is not a member of package scala",
            "value when is not a member of object Option",
            "value lengthIs is not a member of List[Int]",
            "type mismatch;  found   : collection.immutable.Vector.type  required: scala.collection.generic.CanBuildFrom[Nothing,Int,?]",
        ] {
            let said = sign("2.12", message).unwrap_or_else(|| panic!("{message}"));
            assert!(
                said.contains("the file is for Scala 2.13, and Spark 3.5.9 has Scala 2.12"),
                "{said}"
            );
            assert!(sign("2.13", message).is_none(), "{message}");
        }
        for message in [
            "object breakOut is not a member of package collection",
            "value par is not a member of List[Int]",
            "cannot find symbol   symbol:   class WrappedArray   location: package scala.collection.mutable",
            "type mismatch;  found   : scala.collection.mutable.Buffer[Int]  required: Seq[Int]",
            "type mismatch;  found   : scala.collection.MapView[Int,Int]  required: Map[Int,Int]",
            "missing argument list for method to in trait IterableOnceOps of type [C1](factory: scala.collection.Factory[Int,C1]): C1",
        ] {
            let said = sign("2.13", message).unwrap_or_else(|| panic!("{message}"));
            assert!(said.contains("the file is for Scala 2.12"), "{said}");
            assert!(sign("2.12", message).is_none(), "{message}");
        }
        assert!(sign("2.12", "type mismatch;  found   : String  required: Int").is_none());
        assert!(sign("2.12", "value from is not a member of Mail").is_none());
        assert!(sign("2.13", "not found: value rate").is_none());
    }
}
