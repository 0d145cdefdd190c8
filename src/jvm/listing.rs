//! Notation for rows whose evaluation is a function of its own. In: id, receiver, name, signature, exceptions and function per line;
//! out: a list of [`super::table::Method`].

/// `rows_of![ "Seq.head", "Seq[A]", "head", ": A", ["NoSuchElementException"], access::head; … ]`.
macro_rules! rows_of {
    ($($id:literal, $recv:literal, $name:literal, $sig:literal, [$($throws:literal),*], $eval:expr;)*) => {
        &[$($crate::jvm::table::Method {
            id: $id,
            recv: $recv,
            name: $name,
            sig: $sig,
            throws: &[$($throws),*],
            eval: $eval,
            null_recv: false,
        }),*]
    };
}
pub(crate) use rows_of;
