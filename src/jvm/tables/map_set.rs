//! Rows for `Map` and `Set`, immutable and mutable.

use crate::jvm::coll::{access, fold, map_ops, parts, set_ops, transform};
use crate::jvm::listing::rows_of;
use crate::jvm::table::Method;

/// The rows. Immutable and mutable maps have one static type; what only one of them has is refused for the other when run.
pub static ROWS: &[Method] = rows_of![
    "Map.apply", "Map[K, V]", "apply", "(K): V", ["NoSuchElementException"], map_ops::apply_key;
    "Map.get", "Map[K, V]", "get", "(K): Option[V]", [], map_ops::get;
    "Map.getOrElse", "Map[K, V]", "getOrElse", "[B >: V](K, => B): B", [], map_ops::get_or_else;
    "Map.contains", "Map[K, V]", "contains", "(K): Boolean", [], map_ops::contains;
    "Map.isDefinedAt", "Map[K, V]", "isDefinedAt", "(K): Boolean", [], map_ops::contains;
    "Map.size", "Map[K, V]", "size", ": Int", [], access::size;
    "Map.isEmpty", "Map[K, V]", "isEmpty", ": Boolean", [], access::is_empty;
    "Map.nonEmpty", "Map[K, V]", "nonEmpty", ": Boolean", [], access::non_empty;
    "Map.+", "Map[K, V]", "+", "[B >: V]((K, B)): Map[K, B]", [], map_ops::plus;
    "Map.updated", "Map[K, V]", "updated", "[B >: V](K, B): Map[K, B]", [], map_ops::updated;
    "Map.++", "Map[K, V]", "++", "[B >: V](Map[K, B]): Map[K, B]", [], map_ops::plus_all;
    "Map.++(Seq)", "Map[K, V]", "++", "[B >: V](Seq[(K, B)]): Map[K, B]", [], map_ops::plus_all;
    "Map.-", "Map[K, V]", "-", "(K): Map[K, V]", [], map_ops::minus;
    "Map.--", "Map[K, V]", "--", "(Seq[K]): Map[K, V]", [], map_ops::minus_all;
    "Map.--(Set)", "Map[K, V]", "--", "(Set[K]): Map[K, V]", [], map_ops::minus_all;
    "Map.keys", "Map[K, V]", "keys", ": Seq[K]", [], map_ops::keys;
    "Map.keySet", "Map[K, V]", "keySet", ": Set[K]", [], map_ops::key_set;
    "Map.values", "Map[K, V]", "values", ": Seq[V]", [], map_ops::values;
    "Map.keysIterator", "Map[K, V]", "keysIterator", ": Iterator[K]", [], map_ops::keys_iterator;
    "Map.valuesIterator", "Map[K, V]", "valuesIterator", ": Iterator[V]", [], map_ops::values_iterator;
    "Map.iterator", "Map[K, V]", "iterator", ": Iterator[(K, V)]", [], transform::iterator;
    "Map.toSeq", "Map[K, V]", "toSeq", ": Seq[(K, V)]", [], transform::to_seq;
    "Map.toList", "Map[K, V]", "toList", ": List[(K, V)]", [], transform::to_list;
    "Map.toVector", "Map[K, V]", "toVector", ": Vector[(K, V)]", [], transform::to_vector;
    "Map.toArray", "Map[K, V]", "toArray", ": Array[(K, V)]", [], transform::to_array;
    "Map.toSet", "Map[K, V]", "toSet", ": Set[(K, V)]", [], transform::to_set;
    "Map.toMap", "Map[K, V]", "toMap", ": Map[K, V]", [], map_ops::to_map;
    "Map.map", "Map[K, V]", "map", "[B](((K, V)) => B): Self[B]", [], transform::map;
    "Map.flatMap", "Map[K, V]", "flatMap", "[B](((K, V)) => Seq[B]): Self[B]", [], transform::flat_map;
    "Map.flatMap(Option)", "Map[K, V]", "flatMap", "[B](((K, V)) => Option[B]): Self[B]", [], transform::flat_map;
    "Map.collect", "Map[K, V]", "collect", "[B](((K, V)) => B): Self[B]", [], transform::collect;
    "Map.filter", "Map[K, V]", "filter", "(((K, V)) => Boolean): Map[K, V]", [], parts::filter;
    "Map.withFilter", "Map[K, V]", "withFilter", "(((K, V)) => Boolean): Map[K, V]", [], access::with_filter;
    "Map.filterNot", "Map[K, V]", "filterNot", "(((K, V)) => Boolean): Map[K, V]", [], parts::filter_not;
    "Map.partition", "Map[K, V]", "partition", "(((K, V)) => Boolean): (Map[K, V], Map[K, V])", [], parts::partition;
    "Map.foreach", "Map[K, V]", "foreach", "[B](((K, V)) => B): Unit", [], access::foreach;
    "Map.exists", "Map[K, V]", "exists", "(((K, V)) => Boolean): Boolean", [], access::exists;
    "Map.forall", "Map[K, V]", "forall", "(((K, V)) => Boolean): Boolean", [], access::forall;
    "Map.count", "Map[K, V]", "count", "(((K, V)) => Boolean): Int", [], access::count;
    "Map.find", "Map[K, V]", "find", "(((K, V)) => Boolean): Option[(K, V)]", [], access::find;
    "Map.head", "Map[K, V]", "head", ": (K, V)", ["NoSuchElementException"], access::head;
    "Map.headOption", "Map[K, V]", "headOption", ": Option[(K, V)]", [], access::head_option;
    "Map.last", "Map[K, V]", "last", ": (K, V)", ["NoSuchElementException"], access::last;
    "Map.foldLeft", "Map[K, V]", "foldLeft", "[B](B)((B, (K, V)) => B): B", [], fold::fold_left;
    "Map.reduce", "Map[K, V]", "reduce", "(((K, V), (K, V)) => (K, V)): (K, V)", ["UnsupportedOperationException"], fold::reduce;
    "Map.max", "Map[K, V]", "max", ": (K, V)", ["UnsupportedOperationException"], fold::max;
    "Map.min", "Map[K, V]", "min", ": (K, V)", ["UnsupportedOperationException"], fold::min;
    "Map.maxBy", "Map[K, V]", "maxBy", "[B](((K, V)) => B): (K, V)", ["UnsupportedOperationException"], fold::max_by;
    "Map.minBy", "Map[K, V]", "minBy", "[B](((K, V)) => B): (K, V)", ["UnsupportedOperationException"], fold::min_by;
    "Map.mkString(String)", "Map[K, V]", "mkString", "(String): String", [], map_text;
    "Map.mkString(String,String,String)", "Map[K, V]", "mkString", "(String, String, String): String", [], map_text;
    "Map.mkString", "Map[K, V]", "mkString", ": String", [], map_text;
    "Map.mapValues", "Map[K, V]", "mapValues", "[B](V => B): Map[K, B]", [], map_ops::map_values;
    "Map.filterKeys", "Map[K, V]", "filterKeys", "(K => Boolean): Map[K, V]", [], map_ops::filter_keys;
    "Map.withDefaultValue", "Map[K, V]", "withDefaultValue", "[B >: V](B): Map[K, B]", [], with_default_value;
    "Map.withDefault", "Map[K, V]", "withDefault", "(K => V): Map[K, V]", [], map_ops::with_default;
    "Map.lift", "Map[K, V]", "lift", ": K => Option[V]", [], map_ops::lift;
    "Map.static apply", "static Map", "apply", "[K, V]((K, V)*): Map[K, V]", [], map_ops::of_pairs;
    "Map.static empty", "static Map", "empty", "[K, V]: Map[K, V]", [], map_ops::of_pairs;
    "HashMap.static apply", "static immutable.HashMap", "apply", "[K, V]((K, V)*): Map[K, V]", [], map_ops::of_pairs;
    "ListMap.static apply", "static ListMap", "apply", "[K, V]((K, V)*): Map[K, V]", [], map_ops::list_map;
    // Mutable maps.
    "mutable.Map.static apply", "static mutable.Map", "apply", "[K, V]((K, V)*): Map[K, V]", [], map_ops::mutable_map;
    "mutable.Map.static empty", "static mutable.Map", "empty", "[K, V]: Map[K, V]", [], map_ops::mutable_map;
    "mutable.HashMap.static apply", "static mutable.HashMap", "apply", "[K, V]((K, V)*): Map[K, V]", [], map_ops::mutable_map;
    "mutable.HashMap.static empty", "static mutable.HashMap", "empty", "[K, V]: Map[K, V]", [], map_ops::mutable_map;
    "mutable.HashMap.new", "new mutable.HashMap", "new", "[K, V](): Map[K, V]", [], map_ops::mutable_map;
    "mutable.LinkedHashMap.static apply", "static mutable.LinkedHashMap", "apply", "[K, V]((K, V)*): Map[K, V]", [], map_ops::linked_map;
    "mutable.LinkedHashMap.static empty", "static mutable.LinkedHashMap", "empty", "[K, V]: Map[K, V]", [], map_ops::linked_map;
    "mutable.LinkedHashMap.new", "new mutable.LinkedHashMap", "new", "[K, V](): Map[K, V]", [], map_ops::linked_map;
    "mutable.Map.update", "Map[K, V]", "update", "(K, V): Unit", [], map_ops::update;
    "mutable.Map.put", "Map[K, V]", "put", "(K, V): Option[V]", [], map_ops::put;
    "mutable.Map.+=", "Map[K, V]", "+=", "((K, V)): Map[K, V]", [], map_ops::add;
    "mutable.Map.++=", "Map[K, V]", "++=", "(Map[K, V]): Map[K, V]", [], map_ops::add_all;
    "mutable.Map.++=(Seq)", "Map[K, V]", "++=", "(Seq[(K, V)]): Map[K, V]", [], map_ops::add_all;
    "mutable.Map.-=", "Map[K, V]", "-=", "(K): Map[K, V]", [], map_ops::subtract;
    "mutable.Map.remove", "Map[K, V]", "remove", "(K): Option[V]", [], map_ops::remove;
    "mutable.Map.getOrElseUpdate", "Map[K, V]", "getOrElseUpdate", "(K, => V): V", [], map_ops::get_or_else_update;
    "mutable.Map.clear", "Map[K, V]", "clear", "(): Unit", [], map_ops::clear;
    // Sets.
    "Set.contains", "Set[A]", "contains", "(A): Boolean", [], set_ops::contains;
    "Set.apply", "Set[A]", "apply", "(A): Boolean", [], set_ops::contains;
    "Set.size", "Set[A]", "size", ": Int", [], access::size;
    "Set.isEmpty", "Set[A]", "isEmpty", ": Boolean", [], access::is_empty;
    "Set.nonEmpty", "Set[A]", "nonEmpty", ": Boolean", [], access::non_empty;
    "Set.+", "Set[A]", "+", "(A): Set[A]", [], set_ops::plus;
    "Set.-", "Set[A]", "-", "(A): Set[A]", [], set_ops::minus;
    "Set.++", "Set[A]", "++", "(Set[A]): Set[A]", [], set_ops::plus_all;
    "Set.++(Seq)", "Set[A]", "++", "(Seq[A]): Set[A]", [], set_ops::plus_all;
    "Set.|", "Set[A]", "|", "(Set[A]): Set[A]", [], set_ops::plus_all;
    "Set.union", "Set[A]", "union", "(Set[A]): Set[A]", [], set_ops::plus_all;
    "Set.--", "Set[A]", "--", "(Set[A]): Set[A]", [], set_ops::minus_all;
    "Set.--(Seq)", "Set[A]", "--", "(Seq[A]): Set[A]", [], set_ops::minus_all;
    "Set.&", "Set[A]", "&", "(Set[A]): Set[A]", [], set_ops::intersect;
    "Set.intersect", "Set[A]", "intersect", "(Set[A]): Set[A]", [], set_ops::intersect;
    "Set.diff", "Set[A]", "diff", "(Set[A]): Set[A]", [], set_ops::diff;
    "Set.&~", "Set[A]", "&~", "(Set[A]): Set[A]", [], set_ops::diff;
    "Set.subsetOf", "Set[A]", "subsetOf", "(Set[A]): Boolean", [], set_ops::subset_of;
    "Set.map", "Set[A]", "map", "[B](A => B): Set[B]", [], set_map;
    "Set.flatMap", "Set[A]", "flatMap", "[B](A => Seq[B]): Set[B]", [], transform::flat_map;
    "Set.collect", "Set[A]", "collect", "[B](A => B): Set[B]", [], transform::collect;
    "Set.filter", "Set[A]", "filter", "(A => Boolean): Set[A]", [], parts::filter;
    "Set.withFilter", "Set[A]", "withFilter", "(A => Boolean): Set[A]", [], access::with_filter;
    "Set.filterNot", "Set[A]", "filterNot", "(A => Boolean): Set[A]", [], parts::filter_not;
    "Set.foreach", "Set[A]", "foreach", "[B](A => B): Unit", [], access::foreach;
    "Set.exists", "Set[A]", "exists", "(A => Boolean): Boolean", [], access::exists;
    "Set.forall", "Set[A]", "forall", "(A => Boolean): Boolean", [], access::forall;
    "Set.count", "Set[A]", "count", "(A => Boolean): Int", [], access::count;
    "Set.find", "Set[A]", "find", "(A => Boolean): Option[A]", [], access::find;
    "Set.head", "Set[A]", "head", ": A", ["NoSuchElementException"], access::head;
    "Set.headOption", "Set[A]", "headOption", ": Option[A]", [], access::head_option;
    "Set.foldLeft", "Set[A]", "foldLeft", "[B](B)((B, A) => B): B", [], fold::fold_left;
    "Set.reduce", "Set[A]", "reduce", "[B >: A]((B, B) => B): B", ["UnsupportedOperationException"], fold::reduce;
    "Set.sum", "Set[A]", "sum", ": A", [], fold::sum;
    "Set.max", "Set[A]", "max", ": A", ["UnsupportedOperationException"], fold::max;
    "Set.min", "Set[A]", "min", ": A", ["UnsupportedOperationException"], fold::min;
    "Set.maxBy", "Set[A]", "maxBy", "[B](A => B): A", ["UnsupportedOperationException"], fold::max_by;
    "Set.minBy", "Set[A]", "minBy", "[B](A => B): A", ["UnsupportedOperationException"], fold::min_by;
    "Set.mkString(String)", "Set[A]", "mkString", "(String): String", [], access::mk_string;
    "Set.mkString(String,String,String)", "Set[A]", "mkString", "(String, String, String): String", [], access::mk_string;
    "Set.mkString", "Set[A]", "mkString", ": String", [], access::mk_string;
    "Set.toList", "Set[A]", "toList", ": List[A]", [], transform::to_list;
    "Set.toVector", "Set[A]", "toVector", ": Vector[A]", [], transform::to_vector;
    "Set.toSeq", "Set[A]", "toSeq", ": Seq[A]", [], set_to_seq;
    "Set.toArray", "Set[A]", "toArray", ": Array[A]", [], transform::to_array;
    "Set.toSet", "Set[A]", "toSet", ": Set[A]", [], transform::to_set;
    "Set.iterator", "Set[A]", "iterator", ": Iterator[A]", [], transform::iterator;
    "Set.static apply", "static Set", "apply", "[A](A*): Set[A]", [], set_ops::of_items;
    "Set.static empty", "static Set", "empty", "[A]: Set[A]", [], set_ops::of_items;
    "mutable.Set.static apply", "static mutable.Set", "apply", "[A](A*): Set[A]", [], set_ops::mutable_set;
    "mutable.Set.static empty", "static mutable.Set", "empty", "[A]: Set[A]", [], set_ops::mutable_set;
    "mutable.HashSet.static apply", "static mutable.HashSet", "apply", "[A](A*): Set[A]", [], set_ops::mutable_set;
    "mutable.HashSet.static empty", "static mutable.HashSet", "empty", "[A]: Set[A]", [], set_ops::mutable_set;
    "mutable.HashSet.new", "new mutable.HashSet", "new", "[A](): Set[A]", [], set_ops::mutable_set;
    "mutable.LinkedHashSet.static apply", "static mutable.LinkedHashSet", "apply", "[A](A*): Set[A]", [], set_ops::linked_set;
    "mutable.LinkedHashSet.static empty", "static mutable.LinkedHashSet", "empty", "[A]: Set[A]", [], set_ops::linked_set;
    "mutable.Set.+=", "Set[A]", "+=", "(A): Set[A]", [], set_ops::add;
    "mutable.Set.++=", "Set[A]", "++=", "(Seq[A]): Set[A]", [], set_ops::add_all;
    "mutable.Set.-=", "Set[A]", "-=", "(A): Set[A]", [], set_ops::subtract;
    "mutable.Set.add", "Set[A]", "add", "(A): Boolean", [], set_ops::add_new;
    "mutable.Set.remove", "Set[A]", "remove", "(A): Boolean", [], set_ops::remove;
];

use crate::jvm::object::Object;
use crate::jvm::table::Context;
use crate::jvm::value::{Eval, Throw, Value};
use crate::lang::ty::Ty;

/// `mkString` of a map writes `key -> value`.
fn map_text(cx: &mut dyn Context, a: &[Value], ty: &Ty) -> Eval {
    let mut parts = Vec::new();
    for (k, v) in map_ops::ordered(&a[0])? {
        let mut units = Vec::new();
        crate::jvm::show::append(cx, &k, &mut units)?;
        crate::jvm::show::ascii(&mut units, " -> ");
        crate::jvm::show::append(cx, &v, &mut units)?;
        parts.push(Value::Str(crate::jvm::text::JStr::from_units(&units)));
    }
    let mut args = vec![Value::list(parts)];
    args.extend_from_slice(&a[1..]);
    access::mk_string(cx, &args, ty)
}

fn with_default_value(cx: &mut dyn Context, a: &[Value], ty: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::MutMap(_)) => map_ops::mutable_with_default_value(cx, a, ty),
        _ => map_ops::with_default_value(cx, a, ty),
    }
}

fn set_map(cx: &mut dyn Context, a: &[Value], ty: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::WithFilter(..)) => transform::map(cx, a, ty),
        _ => set_ops::map(cx, a, ty),
    }
}

/// The class of a set's `toSeq` is not shown.
fn set_to_seq(cx: &mut dyn Context, a: &[Value], ty: &Ty) -> Eval {
    match a[0].as_obj() {
        Some(Object::Set(_)) => transform::to_seq(cx, a, ty),
        _ => Err(Throw::Unsupported("toSeq of a mutable set".into())),
    }
}
