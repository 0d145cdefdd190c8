//! Rows for `java.util`: lists, sets, maps, deques, optionals, iterators, `Collections`, `Objects`. Those whose name starts with
//! `java.` are for Java code only, where Scala's rows of the same receiver mean something else.

use crate::jvm::coll::{access, java_util as u, option_ops};
use crate::jvm::listing::rows_of;
use crate::jvm::table::{Context, Method};
use crate::jvm::value::{Eval, Value};
use crate::lang::ty::Ty;

/// The rows.
pub static ROWS: &[Method] = rows_of![
    "java.List.get", "JavaList[A]", "java.get", "(Int): A", ["IndexOutOfBoundsException"], u::get;
    "java.List.add", "JavaList[A]", "java.add", "(A): Boolean", [], u::list_add;
    "java.List.add(Int)", "JavaList[A]", "java.add", "(Int, A): Unit", ["IndexOutOfBoundsException"], u::list_insert;
    "java.List.set", "JavaList[A]", "java.set", "(Int, A): A", ["IndexOutOfBoundsException"], u::list_set;
    "java.List.remove(Int)", "JavaList[A]", "java.remove", "(Int): A", ["IndexOutOfBoundsException"], u::remove_at;
    "java.List.remove", "JavaList[A]", "java.remove", "(Any): Boolean", [], u::remove;
    "java.List.addAll", "JavaList[A]", "java.addAll", "(JavaCollection[A]): Boolean", [], u::list_add_all;
    "java.List.indexOf", "JavaList[A]", "java.indexOf", "(Any): Int", [], u::index_of;
    "java.List.lastIndexOf", "JavaList[A]", "java.lastIndexOf", "(Any): Int", [], u::last_index_of;
    "java.List.subList", "JavaList[A]", "java.subList", "(Int, Int): JavaList[A]", ["IndexOutOfBoundsException"], u::sub_list;
    "java.List.sort", "JavaList[A]", "java.sort", "((A, A) => Int): Unit", [], u::sort;
    "java.List.clear", "JavaList[A]", "java.clear", "(): Unit", [], u::clear;
    "java.Collection.size", "JavaCollection[A]", "java.size", "(): Int", [], access::size;
    "java.Collection.isEmpty", "JavaCollection[A]", "java.isEmpty", "(): Boolean", [], access::is_empty;
    "java.Collection.contains", "JavaCollection[A]", "java.contains", "(Any): Boolean", [], u::contains;
    "java.Collection.containsAll", "JavaCollection[A]", "java.containsAll", "(JavaCollection[B]): Boolean", [], u::contains_all;
    "java.Collection.iterator", "JavaCollection[A]", "java.iterator", "(): JavaIterator[A]", [], u::iterator;
    "java.Collection.forEach", "JavaCollection[A]", "java.forEach", "(A => Unit): Unit", [], u::for_each;
    "java.Collection.removeIf", "JavaCollection[A]", "java.removeIf", "(A => Boolean): Boolean", [], u::remove_if;
    "java.Collection.retainAll", "JavaCollection[A]", "java.retainAll", "(JavaCollection[B]): Boolean", [], retain_all;
    "java.Collection.removeAll", "JavaCollection[A]", "java.removeAll", "(JavaCollection[B]): Boolean", [], remove_all;
    "java.Collection.toArray", "JavaCollection[A]", "java.toArray", "(Array[A]): Array[A]", [], u::to_array;
    "java.Set.add", "JavaSet[A]", "java.add", "(A): Boolean", [], u::set_add;
    "java.Set.addAll", "JavaSet[A]", "java.addAll", "(JavaCollection[A]): Boolean", [], u::set_add_all;
    "java.Set.remove", "JavaSet[A]", "java.remove", "(Any): Boolean", [], u::remove;
    "java.Set.clear", "JavaSet[A]", "java.clear", "(): Unit", [], u::clear;
    "java.Set.first", "JavaSet[A]", "java.first", "(): A", ["NoSuchElementException"], u::first_key;
    "java.Set.last", "JavaSet[A]", "java.last", "(): A", ["NoSuchElementException"], u::last_key;
    "java.Iterator.hasNext", "JavaIterator[A]", "java.hasNext", "(): Boolean", [], u::has_next;
    "java.Iterator.next", "JavaIterator[A]", "java.next", "(): A", ["NoSuchElementException"], u::next;
    "java.Iterator.remove", "JavaIterator[A]", "java.remove", "(): Unit", ["IllegalStateException"], u::iterator_remove;
    "java.Map.get", "JavaMap[K, V]", "java.get", "(Any): V", [], u::map_get;
    "java.Map.getOrDefault", "JavaMap[K, V]", "java.getOrDefault", "(Any, V): V", [], u::get_or_default;
    "java.Map.containsKey", "JavaMap[K, V]", "java.containsKey", "(Any): Boolean", [], u::contains_key;
    "java.Map.containsValue", "JavaMap[K, V]", "java.containsValue", "(Any): Boolean", [], u::contains_value;
    "java.Map.put", "JavaMap[K, V]", "java.put", "(K, V): V", [], u::map_put;
    "java.Map.putIfAbsent", "JavaMap[K, V]", "java.putIfAbsent", "(K, V): V", [], u::put_if_absent;
    "java.Map.putAll", "JavaMap[K, V]", "java.putAll", "(JavaMap[K, V]): Unit", [], u::put_all;
    "java.Map.remove", "JavaMap[K, V]", "java.remove", "(Any): V", [], u::map_remove;
    "java.Map.merge", "JavaMap[K, V]", "java.merge", "(K, V, (V, V) => V): V", [], u::merge;
    "java.Map.compute", "JavaMap[K, V]", "java.compute", "(K, (K, V) => V): V", [], u::compute;
    "java.Map.computeIfAbsent", "JavaMap[K, V]", "java.computeIfAbsent", "(K, K => V): V", [], u::compute_if_absent;
    "java.Map.computeIfPresent", "JavaMap[K, V]", "java.computeIfPresent", "(K, (K, V) => V): V", [], u::compute_if_present;
    "java.Map.size", "JavaMap[K, V]", "java.size", "(): Int", [], access::size;
    "java.Map.isEmpty", "JavaMap[K, V]", "java.isEmpty", "(): Boolean", [], access::is_empty;
    "java.Map.clear", "JavaMap[K, V]", "java.clear", "(): Unit", [], u::clear;
    "java.Map.keySet", "JavaMap[K, V]", "java.keySet", "(): JavaSet[K]", [], u::key_set;
    "java.Map.values", "JavaMap[K, V]", "java.values", "(): JavaCollection[V]", [], u::values;
    "java.Map.entrySet", "JavaMap[K, V]", "java.entrySet", "(): JavaSet[JavaEntry[K, V]]", [], u::entry_set;
    "java.Map.forEach", "JavaMap[K, V]", "java.forEach", "((K, V) => Unit): Unit", [], u::map_for_each;
    "java.Map.firstKey", "JavaMap[K, V]", "java.firstKey", "(): K", ["NoSuchElementException"], u::first_key;
    "java.Map.lastKey", "JavaMap[K, V]", "java.lastKey", "(): K", ["NoSuchElementException"], u::last_key;
    "java.Entry.getKey", "JavaEntry[K, V]", "java.getKey", "(): K", [], u::entry_key;
    "java.Entry.getValue", "JavaEntry[K, V]", "java.getValue", "(): V", [], u::entry_value;
    "java.Deque.push", "JavaDeque[A]", "java.push", "(A): Unit", [], u::add_first;
    "java.Deque.addFirst", "JavaDeque[A]", "java.addFirst", "(A): Unit", [], u::add_first;
    "java.Deque.addLast", "JavaDeque[A]", "java.addLast", "(A): Unit", [], u::add_last;
    "java.Deque.add", "JavaDeque[A]", "java.add", "(A): Boolean", [], u::add_last;
    "java.Deque.offer", "JavaDeque[A]", "java.offer", "(A): Boolean", [], u::add_last;
    "java.Deque.pop", "JavaDeque[A]", "java.pop", "(): A", ["NoSuchElementException"], u::take_first;
    "java.Deque.remove", "JavaDeque[A]", "java.remove", "(): A", ["NoSuchElementException"], u::take_first;
    "java.Deque.removeFirst", "JavaDeque[A]", "java.removeFirst", "(): A", ["NoSuchElementException"], u::take_first;
    "java.Deque.removeLast", "JavaDeque[A]", "java.removeLast", "(): A", ["NoSuchElementException"], u::take_last;
    "java.Deque.getFirst", "JavaDeque[A]", "java.getFirst", "(): A", ["NoSuchElementException"], u::see_first;
    "java.Deque.getLast", "JavaDeque[A]", "java.getLast", "(): A", ["NoSuchElementException"], u::see_last;
    "java.Deque.poll", "JavaDeque[A]", "java.poll", "(): A", [], u::poll_first;
    "java.Deque.pollFirst", "JavaDeque[A]", "java.pollFirst", "(): A", [], u::poll_first;
    "java.Deque.pollLast", "JavaDeque[A]", "java.pollLast", "(): A", [], u::poll_last;
    "java.Deque.peek", "JavaDeque[A]", "java.peek", "(): A", [], u::peek_first;
    "java.Deque.peekFirst", "JavaDeque[A]", "java.peekFirst", "(): A", [], u::peek_first;
    "java.Deque.peekLast", "JavaDeque[A]", "java.peekLast", "(): A", [], u::peek_last;
    "java.ArrayDeque.new", "new java.ArrayDeque", "new", "[A](): JavaDeque[A]", [], u::deque;
    "java.ArrayList.new", "new java.ArrayList", "new", "[A](): JavaList[A]", [], u::deque;
    "java.ArrayList.new(Collection)", "new java.ArrayList", "new", "[A](JavaCollection[A]): JavaList[A]", [], u::list_copy;
    "java.LinkedList.new", "new java.LinkedList", "new", "[A](): JavaList[A]", [], u::deque;
    "java.LinkedList.new(Collection)", "new java.LinkedList", "new", "[A](JavaCollection[A]): JavaList[A]", [], u::list_copy;
    "java.HashSet.new", "new java.HashSet", "new", "[A](): JavaSet[A]", [], u::hash_set;
    "java.HashSet.new(Int)", "new java.HashSet", "new", "[A](Int): JavaSet[A]", ["IllegalArgumentException"], u::hash_set;
    "java.HashSet.new(Collection)", "new java.HashSet", "new", "[A](JavaCollection[A]): JavaSet[A]", [], u::hash_set;
    "java.LinkedHashSet.new", "new java.LinkedHashSet", "new", "[A](): JavaSet[A]", [], u::linked_set;
    "java.LinkedHashSet.new(Collection)", "new java.LinkedHashSet", "new", "[A](JavaCollection[A]): JavaSet[A]", [], u::linked_set;
    "java.TreeSet.new", "new java.TreeSet", "new", "[A](): JavaSet[A]", [], u::tree_set;
    "java.TreeSet.new(Collection)", "new java.TreeSet", "new", "[A](JavaCollection[A]): JavaSet[A]", [], u::tree_set;
    "java.HashMap.new", "new java.HashMap", "new", "[K, V](): JavaMap[K, V]", [], u::hash_map;
    "java.HashMap.new(Int)", "new java.HashMap", "new", "[K, V](Int): JavaMap[K, V]", ["IllegalArgumentException"], u::hash_map;
    "java.HashMap.new(Map)", "new java.HashMap", "new", "[K, V](JavaMap[K, V]): JavaMap[K, V]", [], u::hash_map;
    "java.LinkedHashMap.new", "new java.LinkedHashMap", "new", "[K, V](): JavaMap[K, V]", [], u::linked_map;
    "java.LinkedHashMap.new(Map)", "new java.LinkedHashMap", "new", "[K, V](JavaMap[K, V]): JavaMap[K, V]", [], u::linked_map;
    "java.TreeMap.new", "new java.TreeMap", "new", "[K, V](): JavaMap[K, V]", [], u::tree_map;
    "java.TreeMap.new(Map)", "new java.TreeMap", "new", "[K, V](JavaMap[K, V]): JavaMap[K, V]", [], u::tree_map;
    "java.SimpleEntry.new", "new java.SimpleEntry", "new", "[K, V](K, V): JavaEntry[K, V]", [], u::entry;
    "java.Map.entry", "static Map", "java.entry", "[K, V](K, V): JavaEntry[K, V]", [], u::entry;
    "java.Map.ofEntries", "static Map", "java.ofEntries", "[K, V](JavaEntry[K, V]*): JavaMap[K, V]", [], u::map_of_entries;
    "java.Map.of(0)", "static Map", "java.of", "[K, V](): JavaMap[K, V]", [], u::map_of_pairs;
    "java.Map.of(2)", "static Map", "java.of", "[K, V](K, V): JavaMap[K, V]", [], u::map_of_pairs;
    "java.Map.of(4)", "static Map", "java.of", "[K, V](K, V, K, V): JavaMap[K, V]", [], u::map_of_pairs;
    "java.Map.of(6)", "static Map", "java.of", "[K, V](K, V, K, V, K, V): JavaMap[K, V]", [], u::map_of_pairs;
    "java.Map.of(8)", "static Map", "java.of", "[K, V](K, V, K, V, K, V, K, V): JavaMap[K, V]", [], u::map_of_pairs;
    "java.Map.of(10)", "static Map", "java.of", "[K, V](K, V, K, V, K, V, K, V, K, V): JavaMap[K, V]", [], u::map_of_pairs;
    "java.Map.of(12)", "static Map", "java.of", "[K, V](K, V, K, V, K, V, K, V, K, V, K, V): JavaMap[K, V]", [], u::map_of_pairs;
    "java.Map.of(14)", "static Map", "java.of", "[K, V](K, V, K, V, K, V, K, V, K, V, K, V, K, V): JavaMap[K, V]", [], u::map_of_pairs;
    "java.Map.of(16)", "static Map", "java.of", "[K, V](K, V, K, V, K, V, K, V, K, V, K, V, K, V, K, V): JavaMap[K, V]", [], u::map_of_pairs;
    "java.Set.of", "static Set", "java.of", "[A](A*): JavaSet[A]", ["NullPointerException"], u::set_of_items;
    "java.List.of", "static List", "java.of", "[A](A*): JavaList[A]", ["NullPointerException"], u::list_of;
    "java.Collections.sort", "static Collections", "java.sort", "[A](JavaList[A], (A, A) => Int): Unit", [], u::sort;
    "java.Collections.max", "static Collections", "java.max", "[A](JavaCollection[A]): A", ["NoSuchElementException"], max;
    "java.Collections.min", "static Collections", "java.min", "[A](JavaCollection[A]): A", ["NoSuchElementException"], min;
    "java.Collections.max(Comparator)", "static Collections", "java.max", "[A](JavaCollection[A], (A, A) => Int): A", ["NoSuchElementException"], max;
    "java.Collections.min(Comparator)", "static Collections", "java.min", "[A](JavaCollection[A], (A, A) => Int): A", ["NoSuchElementException"], min;
    "java.Collections.frequency", "static Collections", "java.frequency", "[A](JavaCollection[A], Any): Int", [], u::frequency;
    "java.Collections.nCopies", "static Collections", "java.nCopies", "[A](Int, A): JavaList[A]", ["IllegalArgumentException"], u::copies;
    "java.Collections.emptyList", "static Collections", "java.emptyList", "[A](): JavaList[A]", [], empty_list;
    "java.Collections.emptyMap", "static Collections", "java.emptyMap", "[K, V](): JavaMap[K, V]", [], u::map_of_pairs;
    "java.Collections.singletonList", "static Collections", "java.singletonList", "[A](A): JavaList[A]", [], singleton;
    "java.Collections.unmodifiableList", "static Collections", "java.unmodifiableList", "[A](JavaList[A]): JavaList[A]", ["NullPointerException"], u::same;
    "java.Collections.unmodifiableMap", "static Collections", "java.unmodifiableMap", "[K, V](JavaMap[K, V]): JavaMap[K, V]", ["NullPointerException"], u::same;
    "java.Collections.unmodifiableSet", "static Collections", "java.unmodifiableSet", "[A](JavaSet[A]): JavaSet[A]", ["NullPointerException"], u::same;
    "java.Optional.of", "static Optional", "java.of", "[A](A): JavaOptional[A]", ["NullPointerException"], option_ops::of_present;
    "java.Optional.ofNullable", "static Optional", "java.ofNullable", "[A](A): JavaOptional[A]", [], option_ops::of_nullable;
    "java.Optional.empty", "static Optional", "java.empty", "[A](): JavaOptional[A]", [], option_ops::none;
    "java.Optional.isPresent", "JavaOptional[A]", "java.isPresent", "(): Boolean", [], option_ops::is_defined;
    "java.Optional.isEmpty", "JavaOptional[A]", "java.isEmpty", "(): Boolean", [], option_ops::is_empty;
    "java.Optional.get", "JavaOptional[A]", "java.get", "(): A", ["NoSuchElementException"], u::optional_get;
    "java.Optional.getAsInt", "JavaOptional[Int]", "java.getAsInt", "(): Int", ["NoSuchElementException"], u::optional_get;
    "java.Optional.getAsLong", "JavaOptional[Long]", "java.getAsLong", "(): Long", ["NoSuchElementException"], u::optional_get;
    "java.Optional.getAsDouble", "JavaOptional[Double]", "java.getAsDouble", "(): Double", ["NoSuchElementException"], u::optional_get;
    "java.Optional.orElse", "JavaOptional[A]", "java.orElse", "(A): A", [], u::or_else;
    "java.Optional.orElseGet", "JavaOptional[A]", "java.orElseGet", "(() => A): A", [], u::or_else_get;
    "java.Optional.orElseThrow", "JavaOptional[A]", "java.orElseThrow", "(): A", ["NoSuchElementException"], u::optional_get;
    "java.Optional.orElseThrow(Supplier)", "JavaOptional[A]", "java.orElseThrow", "[X](() => X): A", [], u::or_else_throw;
    "java.Optional.map", "JavaOptional[A]", "java.map", "[B](A => B): JavaOptional[B]", [], u::optional_map;
    "java.Optional.flatMap", "JavaOptional[A]", "java.flatMap", "[B](A => JavaOptional[B]): JavaOptional[B]", [], u::optional_flat_map;
    "java.Optional.filter", "JavaOptional[A]", "java.filter", "(A => Boolean): JavaOptional[A]", [], u::optional_filter;
    "java.Optional.ifPresent", "JavaOptional[A]", "java.ifPresent", "(A => Unit): Unit", [], u::if_present;
    "java.Objects.toString", "static Objects", "java.toString", "(Any): String", [], u::to_text_or;
    "java.Objects.toString(String)", "static Objects", "java.toString", "(Any, String): String", [], u::to_text_or;
    "java.Objects.hash", "static Objects", "java.hash", "(Any*): Int", [], u::hash_all;
    "java.Objects.requireNonNull(String)", "static Objects", "java.requireNonNull", "[A](A, String): A", ["NullPointerException"], u::require;
    "java.Objects.requireNonNullElse", "static Objects", "java.requireNonNullElse", "[A](A, A): A", ["NullPointerException"], u::require_else;
    "java.String.join", "static String", "java.join", "(CharSequence, JavaCollection[A]): String", ["NullPointerException"], u::join;
    "java.String.join(varargs)", "static String", "java.join", "(CharSequence, CharSequence*): String", ["NullPointerException"], u::join;
];

fn retain_all(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    u::keep_all(cx, a, true)
}

fn remove_all(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    u::keep_all(cx, a, false)
}

fn max(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    u::extreme(cx, a, true)
}

fn min(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    u::extreme(cx, a, false)
}

fn empty_list(_: &mut dyn Context, _: &[Value], _: &Ty) -> Eval {
    Ok(u::looked_at(Vec::new()))
}

fn singleton(_: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    Ok(u::looked_at(vec![a[0].clone()]))
}
