; Places in Scala source where a UDF may stand. The names of the captures say what is looked at; whether it is one is decided
; by the code that reads them.

; udf(…), udf { … }
(call_expression
  function: (identifier) @udf.name
  (#eq? @udf.name "udf")) @udf.call

; udf[R, A](…)
(call_expression
  function: (generic_function function: (identifier) @udf.name)
  (#eq? @udf.name "udf")) @udf.call

; functions.udf(…), F.udf(…)
(call_expression
  function: (field_expression field: (identifier) @udf.name)
  (#eq? @udf.name "udf")) @udf.call

; functions.udf[R, A](…)
(call_expression
  function: (generic_function function: (field_expression field: (identifier) @udf.name))
  (#eq? @udf.name "udf")) @udf.call

; spark.udf.register("name", …)
(call_expression
  function: (field_expression
    value: [(field_expression field: (identifier) @owner) (identifier) @owner]
    field: (identifier) @register.name)
  (#eq? @register.name "register")
  (#eq? @owner "udf")) @register.call

(call_expression
  function: (generic_function
    function: (field_expression
      value: [(field_expression field: (identifier) @owner) (identifier) @owner]
      field: (identifier) @register.name))
  (#eq? @register.name "register")
  (#eq? @owner "udf")) @register.call

; class F extends (A => B), object F extends UDF1[A, B]
(class_definition extend: (extends_clause)) @class
(object_definition extend: (extends_clause)) @class

; val f: A => B = …, val f = (a: A) => …
(val_definition) @val
