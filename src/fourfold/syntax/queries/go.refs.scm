(package_clause (package_identifier) @package)
(import_spec) @import

; Calls.
(call_expression
  function: (identifier) @name
  arguments: (_) @args) @ref.call
(call_expression
  function: (selector_expression
    operand: (_) @receiver
    field: (field_identifier) @name)
  arguments: (_) @args) @ref.call
(call_expression
  function: (type_instantiation_expression type: (type_identifier) @name)
  arguments: (_) @args) @ref.call
(composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @ref.new)

; Functions that are passed or kept.
(argument_list [(identifier) (selector_expression)] @ref.value)
(keyed_element value: (literal_element [(identifier) (selector_expression)] @ref.value))
(assignment_statement right: (expression_list [(identifier) (selector_expression)] @ref.value))
(return_statement (expression_list [(identifier) (selector_expression)] @ref.value))

; Embedded types and interfaces.
(field_declaration !name type: [(type_identifier) (qualified_type) (generic_type)] @ref.inherit)
(interface_type (type_elem . [(type_identifier) (qualified_type)] @ref.inherit .))

(type_identifier) @ref.type
(qualified_type) @ref.type

; What is said of the types of variables.
(parameter_declaration name: (identifier) @name type: (_) @type) @bind
(field_declaration name: (field_identifier) @name type: (_) @type) @bind.field
(var_spec name: (identifier) @name type: (_) @type) @bind
(var_spec . name: (identifier) @name value: (expression_list . (_) @value)) @bind
(short_var_declaration
  left: (expression_list . (identifier) @name)
  right: (expression_list . (_) @value)) @bind
(assignment_statement
  left: (expression_list . [(identifier) (selector_expression)] @name)
  right: (expression_list . [(unary_expression) (composite_literal) (call_expression)] @value)) @bind

(function_declaration result: (_) @returns)
(method_declaration result: (_) @returns)
(method_elem result: (_) @returns)
