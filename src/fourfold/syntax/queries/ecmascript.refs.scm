; Calls.
(call_expression
  function: [(identifier) (super)] @name
  arguments: (_) @args) @ref.call

(call_expression
  function: (member_expression
    object: (_) @receiver
    property: (_) @name)
  arguments: (_) @args) @ref.call

(new_expression
  constructor: [(identifier) (member_expression)] @ref.new
  arguments: (_)? @args)

; Names of functions and classes that are passed or kept.
(arguments [(identifier) (member_expression)] @ref.value)
(pair value: [(identifier) (member_expression)] @ref.value)
(object (shorthand_property_identifier) @ref.value)
(array [(identifier) (member_expression)] @ref.value)
(variable_declarator value: [(identifier) (member_expression)] @ref.value)
(assignment_expression right: [(identifier) (member_expression)] @ref.value)
(return_statement [(identifier) (member_expression)] @ref.value)
(export_statement value: (identifier) @ref.value)
(binary_expression operator: "instanceof" right: [(identifier) (member_expression)] @ref.value)

(decorator [(identifier) (member_expression)] @ref.decorator)
(decorator (call_expression function: [(identifier) (member_expression)] @ref.decorator arguments: (_) @args))

; What is said of the types of variables.
(variable_declarator
  name: (identifier) @name
  value: [(call_expression) (new_expression) (await_expression) (member_expression) (identifier)
          (parenthesized_expression) (binary_expression) (subscript_expression)] @value) @bind
(for_in_statement left: (identifier) @name operator: "of" right: (_) @listed) @bind
(assignment_expression
  left: [(identifier) (member_expression object: (this))] @name
  right: [(call_expression) (new_expression) (await_expression) (member_expression) (identifier)
          (parenthesized_expression) (binary_expression)] @value) @bind

(import_statement) @import
(export_statement source: (string)) @import
(export_statement !source (export_clause)) @import
(export_statement "default") @import
(call_expression function: (import)) @import
(variable_declarator
  name: (_) @name
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string)))
  (#eq? @_require "require")) @import
(variable_declarator
  value: (member_expression
    object: (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string))))
  (#eq? @_require "require")) @import
(expression_statement
  (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string))) @import
  (#eq? @_require "require"))
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: [(identifier) (new_expression) (call_expression) (class) (function_expression) (arrow_function) (object)
          (member_expression)]
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @import
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_exports)
  right: [(identifier) (call_expression) (member_expression)]
  (#any-of? @_exports "exports" "module.exports")) @import
