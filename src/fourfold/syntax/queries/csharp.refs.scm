(using_directive) @import
(file_scoped_namespace_declaration name: (_) @package)

; Calls.
(invocation_expression
  function: (identifier) @name
  arguments: (_) @args) @ref.call
(invocation_expression
  function: (generic_name . (identifier) @name)
  arguments: (_) @args) @ref.call
(invocation_expression
  function: (member_access_expression
    expression: _ @receiver
    name: [(identifier) @name (generic_name . (identifier) @name)])
  arguments: (_) @args) @ref.call
(invocation_expression
  function: (conditional_access_expression
    condition: (_) @receiver
    (member_binding_expression name: [(identifier) @name (generic_name . (identifier) @name)]))
  arguments: (_) @args) @ref.call
(object_creation_expression type: (_) @ref.new arguments: (_)? @args)
(constructor_initializer ["base" "this"] @name (argument_list) @args) @ref.call

; Methods that are passed or kept.
(argument [(identifier) (member_access_expression)] @ref.value)
(assignment_expression right: [(identifier) (member_access_expression)] @ref.value)

(base_list [(identifier) (qualified_name) (generic_name)] @ref.inherit)
(base_list (primary_constructor_base_type type: (_) @ref.inherit (argument_list) @args))

(attribute name: (_) @ref.decorator)

; Mentioned types.
(variable_declaration type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(parameter type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(property_declaration type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(method_declaration returns: [(identifier) (qualified_name) (generic_name)] @ref.type)
(delegate_declaration type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(local_function_statement type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(type_argument_list [(identifier) (qualified_name) (generic_name)] @ref.type)
(nullable_type type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(array_type type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(cast_expression type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(as_expression right: [(identifier) (qualified_name) (generic_name)] @ref.type)
(is_expression right: [(identifier) (qualified_name) (generic_name)] @ref.type)
(typeof_expression type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(catch_declaration type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(foreach_statement type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(declaration_pattern type: [(identifier) (qualified_name) (generic_name)] @ref.type)
(type_parameter_constraint type: [(identifier) (qualified_name) (generic_name)] @ref.type)

; What is said of the types of variables.
(variable_declaration
  type: (_) @type
  (variable_declarator name: (identifier) @name . (_)? @value)) @bind
(parameter type: (_) @type name: (identifier) @name) @bind
(property_declaration type: (_) @type name: (identifier) @name) @bind
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name))) @bind.field
(foreach_statement type: (_) @type left: (identifier) @name) @bind
(declaration_pattern type: (_) @type name: (identifier) @name) @bind
(declaration_expression type: (_) @type name: (identifier) @name) @bind
(catch_declaration type: (_) @type name: (identifier) @name) @bind
(assignment_expression
  left: (member_access_expression expression: "this") @name
  right: [(object_creation_expression) (invocation_expression) (identifier) (member_access_expression)] @value) @bind

(method_declaration returns: (_) @returns)
(local_function_statement type: (_) @returns)
