(package_clause name: (_) @package)
(import_declaration) @import

; Calls.
(call_expression
  function: (identifier) @name
  arguments: (_) @args) @ref.call
(call_expression
  function: (field_expression
    value: (_) @receiver
    field: (identifier) @name)
  arguments: (_) @args) @ref.call
(call_expression
  function: (generic_function function: (identifier) @name)
  arguments: (_) @args) @ref.call
(call_expression
  function: (generic_function
    function: (field_expression
      value: (_) @receiver
      field: (identifier) @name))
  arguments: (_) @args) @ref.call
(infix_expression left: (_) @receiver operator: (identifier) @name) @ref.call
(instance_expression
  . [(type_identifier) (generic_type) (stable_type_identifier)] @ref.new
  (arguments)? @args)
(compound_type base: (applied_constructor_type . (_) @ref.new (arguments) @args))

; Methods without parameters and functions that are passed.
(field_expression value: (_) @receiver field: (identifier) @name) @ref.value
(arguments (identifier) @ref.value)

(extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @ref.inherit)
(given_definition return_type: [(type_identifier) (generic_type)] @ref.inherit)
(annotation name: (_) @ref.decorator)

(type_identifier) @ref.type
(stable_type_identifier) @ref.type

; What is said of the types of variables.
(class_parameter name: (identifier) @name type: (_) @type) @bind.field
(parameter name: (identifier) @name type: (_) @type) @bind
(val_definition pattern: (identifier) @name type: (_) @type) @bind
(var_definition pattern: (identifier) @name type: (_) @type) @bind
(val_declaration name: (identifier) @name type: (_) @type) @bind
(val_definition
  pattern: (identifier) @name
  value: [(call_expression) (instance_expression) (identifier) (field_expression)] @value) @bind
(var_definition
  pattern: (identifier) @name
  value: [(call_expression) (instance_expression) (identifier) (field_expression)] @value) @bind

(function_definition return_type: (_) @returns)
(function_declaration return_type: (_) @returns)
