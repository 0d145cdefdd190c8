//! Rows for `Option`, `Try`, `Either`, `java.util.Optional`.

use crate::jvm::coll::{access, option_ops as o};
use crate::jvm::listing::rows_of;
use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = rows_of![
    "Option.static apply", "static Option", "apply", "[A](A): Option[A]", [], o::of_nullable;
    "Option.static empty", "static Option", "empty", "[A]: Option[A]", [], o::none;
    "Some.static apply", "static Some", "apply", "[A](A): Option[A]", [], o::some;
    "Some.new", "new Some", "new", "[A](A): Option[A]", [], o::some;
    "None.static apply", "static None", "apply", ": Option[Nothing]", [], o::none;
    "Option.isDefined", "Option[A]", "isDefined", ": Boolean", [], o::is_defined;
    "Option.nonEmpty", "Option[A]", "nonEmpty", ": Boolean", [], o::is_defined;
    "Option.isEmpty", "Option[A]", "isEmpty", ": Boolean", [], o::is_empty;
    "Option.get", "Option[A]", "get", ": A", ["NoSuchElementException"], o::get;
    "Option.getOrElse", "Option[A]", "getOrElse", "[B >: A](=> B): B", [], o::get_or_else;
    "Option.orElse", "Option[A]", "orElse", "[B >: A](=> Option[B]): Option[B]", [], o::or_else;
    "Option.orNull", "Option[A]", "orNull", ": A", [], o::or_null;
    "Option.map", "Option[A]", "map", "[B](A => B): Option[B]", [], o::map;
    "Option.flatMap", "Option[A]", "flatMap", "[B](A => Option[B]): Option[B]", [], o::flat_map;
    "Option.flatten", "Option[Option[B]]", "flatten", ": Option[B]", [], o::flatten;
    "Option.filter", "Option[A]", "filter", "(A => Boolean): Option[A]", [], o::filter;
    "Option.withFilter", "Option[A]", "withFilter", "(A => Boolean): Option[A]", [], access::with_filter;
    "Option.filterNot", "Option[A]", "filterNot", "(A => Boolean): Option[A]", [], o::filter_not;
    "Option.exists", "Option[A]", "exists", "(A => Boolean): Boolean", [], o::exists;
    "Option.forall", "Option[A]", "forall", "(A => Boolean): Boolean", [], o::forall;
    "Option.contains", "Option[A]", "contains", "(Any): Boolean", [], o::contains;
    "Option.foreach", "Option[A]", "foreach", "[B](A => B): Unit", [], o::foreach;
    "Option.fold", "Option[A]", "fold", "[B](=> B)(A => B): B", [], o::fold;
    "Option.foldLeft", "Option[A]", "foldLeft", "[B](B)((B, A) => B): B", [], o::fold_left;
    "Option.collect", "Option[A]", "collect", "[B](A => B): Option[B]", [], o::collect;
    "Option.toList", "Option[A]", "toList", ": List[A]", [], o::to_list;
    "Option.toSeq", "Option[A]", "toSeq", ": Seq[A]", [], o::to_list;
    "Option.size", "Option[A]", "size", ": Int", [], access::size;
    "Option.iterator", "Option[A]", "iterator", ": Iterator[A]", [], crate::jvm::coll::transform::iterator;
    "Option.mkString", "Option[A]", "mkString", ": String", [], access::mk_string;
    "Option.zip", "Option[A]", "zip", "[B](Option[B]): Seq[(A, B)]", [], o::zip;
    "Option.toRight", "Option[A]", "toRight", "[X](=> X): Either[X, A]", [], o::to_right;
    "Option.toLeft", "Option[A]", "toLeft", "[X](=> X): Either[A, X]", [], o::to_left;
    // java.util.Optional.
    "Optional.of", "static Optional", "of", "[A](A): Option[A]", [], o::of_present;
    "Optional.ofNullable", "static Optional", "ofNullable", "[A](A): Option[A]", [], o::of_nullable;
    "Optional.isPresent", "Option[A]", "isPresent", "(): Boolean", [], o::is_defined;
    "Optional.ifPresent", "Option[A]", "ifPresent", "(A => Unit): Unit", [], o::foreach;
    // Try.
    "Try.static apply", "static Try", "apply", "[A](=> A): Try[A]", [], o::try_apply;
    "Success.static apply", "static Success", "apply", "[A](A): Try[A]", [], o::success;
    "Failure.static apply", "static Failure", "apply", "(Throwable): Try[Nothing]", [], o::failure;
    "Try.isSuccess", "Try[A]", "isSuccess", ": Boolean", [], o::is_good;
    "Try.isFailure", "Try[A]", "isFailure", ": Boolean", [], o::is_bad;
    "Try.get", "Try[A]", "get", ": A", ["Throwable"], o::try_get;
    "Try.getOrElse", "Try[A]", "getOrElse", "[B >: A](=> B): B", [], o::good_or_else;
    "Try.orElse", "Try[A]", "orElse", "[B >: A](=> Try[B]): Try[B]", [], o::try_or_else;
    "Try.toOption", "Try[A]", "toOption", ": Option[A]", [], o::to_option;
    "Try.toEither", "Try[A]", "toEither", ": Either[Throwable, A]", [], o::to_either;
    "Try.map", "Try[A]", "map", "[B](A => B): Try[B]", [], o::try_map;
    "Try.flatMap", "Try[A]", "flatMap", "[B](A => Try[B]): Try[B]", [], o::try_flat_map;
    "Try.filter", "Try[A]", "filter", "(A => Boolean): Try[A]", [], o::try_filter;
    "Try.withFilter", "Try[A]", "withFilter", "(A => Boolean): Try[A]", [], o::try_filter;
    "Try.foreach", "Try[A]", "foreach", "[B](A => B): Unit", [], o::good_foreach;
    "Try.recover", "Try[A]", "recover", "[B >: A](Throwable => B): Try[B]", [], o::recover;
    "Try.recoverWith", "Try[A]", "recoverWith", "[B >: A](Throwable => Try[B]): Try[B]", [], o::recover_with;
    "Try.failed", "Try[A]", "failed", ": Try[Throwable]", [], o::failed;
    "Try.fold", "Try[A]", "fold", "[B](Throwable => B, A => B): B", [], o::both_fold;
    // Either.
    "Left.static apply", "static Left", "apply", "[A](A): Either[A, Nothing]", [], o::left;
    "Right.static apply", "static Right", "apply", "[A](A): Either[Nothing, A]", [], o::right;
    "Either.isRight", "Either[A, B]", "isRight", ": Boolean", [], o::is_good;
    "Either.isLeft", "Either[A, B]", "isLeft", ": Boolean", [], o::is_bad;
    "Either.getOrElse", "Either[A, B]", "getOrElse", "[C >: B](=> C): C", [], o::good_or_else;
    "Either.toOption", "Either[A, B]", "toOption", ": Option[B]", [], o::to_option;
    "Either.map", "Either[A, B]", "map", "[C](B => C): Either[A, C]", [], o::right_map;
    "Either.flatMap", "Either[A, B]", "flatMap", "[C](B => Either[A, C]): Either[A, C]", [], o::right_flat_map;
    "Either.fold", "Either[A, B]", "fold", "[C](A => C, B => C): C", [], o::both_fold;
    "Either.swap", "Either[A, B]", "swap", ": Either[B, A]", [], o::swap;
    "Either.foreach", "Either[A, B]", "foreach", "[C](B => C): Unit", [], o::good_foreach;
    "Either.exists", "Either[A, B]", "exists", "(B => Boolean): Boolean", [], o::right_exists;
];
