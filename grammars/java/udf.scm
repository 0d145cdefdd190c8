; Places in Java source where a UDF may stand. The names of the captures say what is looked at; whether it is one is decided
; by the code that reads them.

; class F implements UDF1<A, B>; class F extends UDF; class F extends GenericUDF
(class_declaration) @class

; static final UDF1<A, B> F = …
(field_declaration) @field

; UDF1<A, B> f = … inside of a method
(local_variable_declaration) @local

; spark.udf().register("name", …), functions.udf(…), udf(…)
(method_invocation name: (identifier) @call.name
  (#any-of? @call.name "register" "udf" "registerJava")) @call
