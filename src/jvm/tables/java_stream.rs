//! Rows for Java's streams, collectors and comparators; for Java code only.

use crate::jvm::coll::java_stream as s;
use crate::jvm::listing::rows_of;
use crate::jvm::table::{Context, Method};
use crate::jvm::value::{Eval, Value};
use crate::lang::ty::Ty;

/// The rows.
pub static ROWS: &[Method] = rows_of![
    "java.Collection.stream", "JavaCollection[A]", "java.stream", "(): JavaStream[A]", [], s::stream;
    "java.Arrays.stream", "static Arrays", "java.stream", "[A](Array[A]): JavaStream[A]", [], s::stream;
    "java.Stream.of", "static Stream", "java.of", "[A](A*): JavaStream[A]", [], s::stream;
    "java.IntStream.of", "static IntStream", "java.of", "(Int*): JavaStream[Int]", [], s::stream;
    "java.IntStream.range", "static IntStream", "java.range", "(Int, Int): JavaStream[Int]", [], s::range;
    "java.IntStream.rangeClosed", "static IntStream", "java.rangeClosed", "(Int, Int): JavaStream[Int]", [], s::range_closed;
    "java.String.chars", "String", "java.chars", "(): JavaStream[Int]", [], s::chars;
    // Streams of primitives come before those of objects: their functions have primitive parameters.
    "java.IntStream.map", "JavaStream[Int]", "java.map", "(Int => Int): JavaStream[Int]", [], s::map;
    "java.IntStream.mapToObj", "JavaStream[Int]", "java.mapToObj", "[B](Int => B): JavaStream[B]", [], s::map;
    "java.IntStream.mapToLong", "JavaStream[Int]", "java.mapToLong", "(Int => Long): JavaStream[Long]", [], s::map;
    "java.IntStream.mapToDouble", "JavaStream[Int]", "java.mapToDouble", "(Int => Double): JavaStream[Double]", [], s::map;
    "java.IntStream.asLongStream", "JavaStream[Int]", "java.asLongStream", "(): JavaStream[Long]", [], s::widen;
    "java.IntStream.boxed", "JavaStream[Int]", "java.boxed", "(): JavaStream[Box[Int]]", [], s::same;
    "java.IntStream.sum", "JavaStream[Int]", "java.sum", "(): Int", [], s::sum;
    "java.IntStream.average", "JavaStream[Int]", "java.average", "(): JavaOptional[Double]", [], s::average;
    "java.IntStream.max", "JavaStream[Int]", "java.max", "(): JavaOptional[Int]", [], max;
    "java.IntStream.min", "JavaStream[Int]", "java.min", "(): JavaOptional[Int]", [], min;
    "java.IntStream.reduce", "JavaStream[Int]", "java.reduce", "(Int, (Int, Int) => Int): Int", [], s::reduce_from;
    "java.LongStream.map", "JavaStream[Long]", "java.map", "(Long => Long): JavaStream[Long]", [], s::map;
    "java.LongStream.boxed", "JavaStream[Long]", "java.boxed", "(): JavaStream[Box[Long]]", [], s::same;
    "java.LongStream.sum", "JavaStream[Long]", "java.sum", "(): Long", [], s::sum;
    "java.LongStream.max", "JavaStream[Long]", "java.max", "(): JavaOptional[Long]", [], max;
    "java.LongStream.min", "JavaStream[Long]", "java.min", "(): JavaOptional[Long]", [], min;
    "java.DoubleStream.max", "JavaStream[Double]", "java.max", "(): JavaOptional[Double]", [], max_double;
    "java.DoubleStream.map", "JavaStream[Double]", "java.map", "(Double => Double): JavaStream[Double]", [], s::map;
    "java.DoubleStream.boxed", "JavaStream[Double]", "java.boxed", "(): JavaStream[Box[Double]]", [], s::same;
    "java.Stream.map", "JavaStream[A]", "java.map", "[B](A => B): JavaStream[B]", [], s::map;
    "java.Stream.mapToInt", "JavaStream[A]", "java.mapToInt", "(A => Int): JavaStream[Int]", [], s::map;
    "java.Stream.mapToLong", "JavaStream[A]", "java.mapToLong", "(A => Long): JavaStream[Long]", [], s::map;
    "java.Stream.mapToDouble", "JavaStream[A]", "java.mapToDouble", "(A => Double): JavaStream[Double]", [], s::map;
    "java.Stream.filter", "JavaStream[A]", "java.filter", "(A => Boolean): Self", [], s::filter;
    "java.Stream.flatMap", "JavaStream[A]", "java.flatMap", "[B](A => JavaStream[B]): JavaStream[B]", [], s::flat_map;
    "java.Stream.takeWhile", "JavaStream[A]", "java.takeWhile", "(A => Boolean): Self", [], s::take_while;
    "java.Stream.dropWhile", "JavaStream[A]", "java.dropWhile", "(A => Boolean): Self", [], s::drop_while;
    "java.Stream.limit", "JavaStream[A]", "java.limit", "(Long): Self", ["IllegalArgumentException"], s::limit;
    "java.Stream.skip", "JavaStream[A]", "java.skip", "(Long): Self", ["IllegalArgumentException"], s::skip;
    "java.Stream.distinct", "JavaStream[A]", "java.distinct", "(): Self", [], s::distinct;
    "java.Stream.sorted", "JavaStream[A]", "java.sorted", "(): Self", [], s::sort;
    "java.Stream.sorted(Comparator)", "JavaStream[A]", "java.sorted", "((A, A) => Int): Self", [], s::sort;
    "java.Stream.count", "JavaStream[A]", "java.count", "(): Long", [], s::count;
    "java.Stream.max", "JavaStream[A]", "java.max", "((A, A) => Int): JavaOptional[A]", [], max;
    "java.Stream.min", "JavaStream[A]", "java.min", "((A, A) => Int): JavaOptional[A]", [], min;
    "java.Stream.anyMatch", "JavaStream[A]", "java.anyMatch", "(A => Boolean): Boolean", [], s::any_match;
    "java.Stream.allMatch", "JavaStream[A]", "java.allMatch", "(A => Boolean): Boolean", [], s::all_match;
    "java.Stream.noneMatch", "JavaStream[A]", "java.noneMatch", "(A => Boolean): Boolean", [], s::none_match;
    "java.Stream.findFirst", "JavaStream[A]", "java.findFirst", "(): JavaOptional[A]", [], s::find_first;
    "java.Stream.findAny", "JavaStream[A]", "java.findAny", "(): JavaOptional[A]", [], s::find_first;
    "java.Stream.forEach", "JavaStream[A]", "java.forEach", "(A => Unit): Unit", [], s::for_each;
    "java.Stream.reduce(identity)", "JavaStream[A]", "java.reduce", "(A, (A, A) => A): A", [], s::reduce_from;
    "java.Stream.reduce", "JavaStream[A]", "java.reduce", "((A, A) => A): JavaOptional[A]", [], s::reduce;
    "java.Stream.toArray", "JavaStream[A]", "java.toArray", "(): Array[A]", [], s::to_array;
    "java.Stream.toList", "JavaStream[A]", "java.toList", "(): JavaList[A]", [], s::to_list;
    "java.Stream.collect", "JavaStream[A]", "java.collect", "[R](JavaCollector[A, R]): R", [], s::collect;
    "java.Collectors.toList", "static Collectors", "java.toList", "[A](): JavaCollector[A, JavaList[A]]", [], s::collect_list;
    "java.Collectors.toSet", "static Collectors", "java.toSet", "[A](): JavaCollector[A, JavaSet[A]]", [], s::collect_set;
    "java.Collectors.counting", "static Collectors", "java.counting", "[A](): JavaCollector[A, Box[Long]]", [], s::counting;
    "java.Collectors.joining", "static Collectors", "java.joining", "[A](): JavaCollector[A, String]", [], s::joining;
    "java.Collectors.joining(1)", "static Collectors", "java.joining", "[A](CharSequence): JavaCollector[A, String]", [], s::joining;
    "java.Collectors.joining(3)", "static Collectors", "java.joining", "[A](CharSequence, CharSequence, CharSequence): JavaCollector[A, String]", [], s::joining;
    "java.Collectors.mapping", "static Collectors", "java.mapping", "[A, B, R](A => B, JavaCollector[B, R]): JavaCollector[A, R]", [], s::mapping;
    "java.Collectors.groupingBy", "static Collectors", "java.groupingBy", "[A, K](A => K): JavaCollector[A, JavaMap[K, JavaList[A]]]", [], s::grouping;
    "java.Collectors.groupingBy(downstream)", "static Collectors", "java.groupingBy", "[A, K, R](A => K, JavaCollector[A, R]): JavaCollector[A, JavaMap[K, R]]", [], s::grouping;
    "java.Collectors.toMap", "static Collectors", "java.toMap", "[A, K, V](A => K, A => V): JavaCollector[A, JavaMap[K, V]]", ["IllegalStateException"], s::to_map;
    "java.Collectors.toMap(merge)", "static Collectors", "java.toMap", "[A, K, V](A => K, A => V, (V, V) => V): JavaCollector[A, JavaMap[K, V]]", [], s::to_map;
    "java.Comparator.naturalOrder", "static Comparator", "java.naturalOrder", "[A](): (A, A) => Int", [], s::natural;
    "java.Comparator.reverseOrder", "static Comparator", "java.reverseOrder", "[A](): (A, A) => Int", [], s::reverse;
    "java.Collections.reverseOrder", "static Collections", "java.reverseOrder", "[A](): (A, A) => Int", [], s::reverse;
    "java.Comparator.comparing", "static Comparator", "java.comparing", "[A, B](A => B): (A, A) => Int", [], s::comparing;
    "java.Comparator.comparing(Comparator)", "static Comparator", "java.comparing", "[A, B](A => B, (B, B) => Int): (A, A) => Int", [], s::comparing;
    "java.Comparator.comparingInt", "static Comparator", "java.comparingInt", "[A](A => Int): (A, A) => Int", [], s::comparing;
    "java.Comparator.comparingLong", "static Comparator", "java.comparingLong", "[A](A => Long): (A, A) => Int", [], s::comparing;
    "java.Comparator.comparingDouble", "static Comparator", "java.comparingDouble", "[A](A => Double): (A, A) => Int", [], s::comparing;
    "java.Comparator.reversed", "(A, A) => Int", "java.reversed", "(): (A, A) => Int", [], s::reversed;
    "java.Comparator.thenComparing", "(A, A) => Int", "java.thenComparing", "((A, A) => Int): (A, A) => Int", [], s::then;
    "java.Comparator.thenComparing(Function)", "(A, A) => Int", "java.thenComparing", "[B](A => B): (A, A) => Int", [], s::then_by;
];

fn max(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    s::extreme(cx, a, true)
}

fn min(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    s::extreme(cx, a, false)
}

/// `Math.max` over the elements: a NaN wins, and 0.0 over -0.0, as in the order of `compare`.
fn max_double(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    s::extreme(cx, a, true)
}
