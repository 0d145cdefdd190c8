//! Rows for `StringBuilder`, `StringBuffer`.

use crate::jvm::coll::text_builder as b;
use crate::jvm::listing::rows_of;
use crate::jvm::table::Method;

/// The rows.
pub static ROWS: &[Method] = rows_of![
    "StringBuilder.new(Int)", "new StringBuilder", "new", "(Int): StringBuilder", ["NegativeArraySizeException"], b::new;
    "StringBuilder.new(String)", "new StringBuilder", "new", "(String): StringBuilder", ["NullPointerException"], b::new;
    "StringBuilder.new", "new StringBuilder", "new", "(): StringBuilder", [], b::new;
    "StringBuffer.new(Int)", "new StringBuffer", "new", "(Int): StringBuilder", ["NegativeArraySizeException"], b::new;
    "StringBuffer.new(String)", "new StringBuffer", "new", "(String): StringBuilder", ["NullPointerException"], b::new;
    "StringBuffer.new", "new StringBuffer", "new", "(): StringBuilder", [], b::new;
    "StringBuilder.static newBuilder", "static StringBuilder", "newBuilder", ": StringBuilder", [], b::new;
    "StringBuilder.append", "StringBuilder", "append", "(Any): StringBuilder", [], b::append;
    "StringBuilder.append(Int,Int)", "StringBuilder", "append", "(Any, Int, Int): StringBuilder", ["IndexOutOfBoundsException"], b::append_part;
    "StringBuilder.appendAll", "StringBuilder", "appendAll", "(Seq[Char]): StringBuilder", [], b::append_all;
    "StringBuilder.+=", "StringBuilder", "+=", "(Char): StringBuilder", [], b::append;
    "StringBuilder.++=(String)", "StringBuilder", "++=", "(String): StringBuilder", [], b::append_all;
    "StringBuilder.++=", "StringBuilder", "++=", "(Seq[Char]): StringBuilder", [], b::append_all;
    "StringBuilder.charAt", "StringBuilder", "charAt", "(Int): Char", ["StringIndexOutOfBoundsException"], b::char_at;
    "StringBuilder.apply", "StringBuilder", "apply", "(Int): Char", ["StringIndexOutOfBoundsException"], b::char_at;
    "StringBuilder.setCharAt", "StringBuilder", "setCharAt", "(Int, Char): Unit", ["StringIndexOutOfBoundsException"], b::set_char_at;
    "StringBuilder.update", "StringBuilder", "update", "(Int, Char): Unit", ["StringIndexOutOfBoundsException"], b::set_char_at;
    "StringBuilder.deleteCharAt", "StringBuilder", "deleteCharAt", "(Int): StringBuilder", ["StringIndexOutOfBoundsException"], b::delete_char_at;
    "StringBuilder.delete", "StringBuilder", "delete", "(Int, Int): StringBuilder", ["StringIndexOutOfBoundsException"], b::delete;
    "StringBuilder.insert", "StringBuilder", "insert", "(Int, Any): StringBuilder", ["StringIndexOutOfBoundsException"], b::insert;
    "StringBuilder.setLength", "StringBuilder", "setLength", "(Int): Unit", ["StringIndexOutOfBoundsException"], b::set_length;
    "StringBuilder.clear", "StringBuilder", "clear", "(): Unit", [], b::clear;
    "StringBuilder.reverse", "StringBuilder", "reverse", "(): StringBuilder", [], b::reverse;
    "StringBuilder.length", "StringBuilder", "length", "(): Int", [], b::length;
    "StringBuilder.size", "StringBuilder", "size", ": Int", [], b::length;
    "StringBuilder.isEmpty", "StringBuilder", "isEmpty", ": Boolean", [], b::is_empty;
    "StringBuilder.nonEmpty", "StringBuilder", "nonEmpty", ": Boolean", [], b::non_empty;
    "StringBuilder.toString", "StringBuilder", "toString", "(): String", [], b::to_text;
    "StringBuilder.result", "StringBuilder", "result", "(): String", [], b::to_text;
    "StringBuilder.mkString", "StringBuilder", "mkString", ": String", [], b::to_text;
    "StringBuilder.substring", "StringBuilder", "substring", "(Int): String", ["StringIndexOutOfBoundsException"], b::substring;
    "StringBuilder.substring(Int,Int)", "StringBuilder", "substring", "(Int, Int): String", ["StringIndexOutOfBoundsException"], b::substring;
    "StringBuilder.indexOf", "StringBuilder", "indexOf", "(String): Int", [], b::index_of;
    "StringBuilder.last", "StringBuilder", "last", ": Char", ["NoSuchElementException"], b::last;
];
