(function_declaration
  name: (_) @qualified
  body: (_)? @body) @definition.function

(assignment_statement
  (variable_list . name: (_) @qualified)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function

(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (function_definition body: (_)? @body)))) @definition.function

; Members of a table, also ["name"] = function() end.
(field
  name: [(identifier) (string)] @name
  value: (function_definition body: (_)? @body)) @definition.function

; ... also one that stands in for a function that is not given: run = options.run or function() end.
(assignment_statement
  (variable_list . name: (_) @qualified)
  (expression_list . value: (binary_expression right: (function_definition body: (_)? @body)))) @definition.function
(field
  name: [(identifier) (string)] @name
  value: (binary_expression right: (function_definition body: (_)? @body))) @definition.function

(chunk (variable_declaration
  (assignment_statement (variable_list name: (identifier) @name))) @definition.variable)

(chunk (assignment_statement
  (variable_list name: (identifier) @name)) @definition.variable)

(chunk (assignment_statement
  (variable_list . name: (dot_index_expression) @qualified)) @definition.variable)

(function_call
  name: (identifier) @_require
  arguments: (arguments (string))
  (#any-of? @_require "require" "dofile" "loadfile")) @import
