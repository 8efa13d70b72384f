(function_call
  name: (identifier) @_require
  arguments: (arguments (string))
  (#any-of? @_require "require" "dofile" "loadfile")) @import

; Calls.
(function_call
  name: (identifier) @name
  arguments: (_) @args) @ref.call
(function_call
  name: (dot_index_expression
    table: (_) @receiver
    field: (identifier) @name)
  arguments: (_) @args) @ref.call
(function_call
  name: (method_index_expression
    table: (_) @receiver
    method: (identifier) @name)
  arguments: (_) @args) @ref.call

; Functions that are passed or kept.
(arguments [(identifier) (dot_index_expression)] @ref.value)
(field value: [(identifier) (dot_index_expression)] @ref.value)
(assignment_statement (expression_list value: [(identifier) (dot_index_expression)] @ref.value))

; What is said of the types of variables.
(assignment_statement
  (variable_list . name: [(identifier) (dot_index_expression)] @name)
  (expression_list . value: [(function_call) (identifier) (dot_index_expression)] @value)) @bind
