; Macros and rules in waiting.
(function_definition) @definition.function

; Constants, providers, rules: NAME = rule(...).
(module
  (expression_statement
    (assignment left: (identifier) @name)) @definition.variable)

; Targets of a build file: cc_library(name = "json").
(module
  (expression_statement
    (call
      arguments: (argument_list
        (keyword_argument
          name: (identifier) @_name
          value: (string) @name))) @definition.variable)
  (#eq? @_name "name"))

(call
  function: (identifier) @_load
  (#eq? @_load "load")) @import

(module . (comment)* . (expression_statement (string) @doc))
