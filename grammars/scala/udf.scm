; Places in Scala source where a UDF may stand. The names of the captures say what is looked at; whether it is one is decided
; by the code that reads them: names can be renamed by imports and hidden by definitions, which a query cannot tell.

; udf(…), udf { … }, F.udf(…), udf[R, A](…), spark.udf.register("name", …), register[R, A]("name", …)
(call_expression
  function: [
    (identifier) @name
    (field_expression field: (identifier) @name)
    (generic_function function: (identifier) @name)
    (generic_function function: (field_expression field: (identifier) @name))
  ]) @call

; class F extends (A => B), object F extends UDF1[A, B]
(class_definition extend: (extends_clause)) @class
(object_definition extend: (extends_clause)) @class

; val f: A => B = …, val f = (a: A) => …
(val_definition) @val

; def a = b
(function_definition body: [(identifier) (field_expression)]) @def

; Objects, to follow names into them.
(object_definition) @object
(package_object) @object
