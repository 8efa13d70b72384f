(using_declaration) @import
(namespace_alias_definition) @import

(call_expression function: (qualified_identifier) @ref.call arguments: (_) @args)
(call_expression function: (template_function name: (identifier) @name) arguments: (_) @args) @ref.call
(call_expression
  function: (field_expression
    argument: (_) @receiver
    field: (template_method name: (field_identifier) @name))
  arguments: (_) @args) @ref.call
(new_expression type: (_) @ref.new arguments: (_)? @args)
(compound_literal_expression type: [(type_identifier) (qualified_identifier) (template_type)] @ref.new)
(declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @ref.new
  declarator: (init_declarator value: [(argument_list) (initializer_list)] @args))

(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @ref.inherit)

(argument_list (qualified_identifier) @ref.value)
(argument_list (pointer_expression argument: (qualified_identifier) @ref.value))

(qualified_identifier name: (type_identifier)) @ref.type

(parameter_declaration
  type: (_) @type
  declarator: (reference_declarator (identifier) @name)) @bind
(declaration
  type: (_) @type
  declarator: (init_declarator
    declarator: (reference_declarator (identifier) @name)
    value: (_) @value)) @bind
(for_range_loop
  type: (_) @type
  declarator: [(identifier) @name (reference_declarator (identifier) @name)]) @bind
(field_declaration
  type: (_) @type
  declarator: (reference_declarator (field_identifier) @name)) @bind.field
(function_definition
  type: (_) @returns
  declarator: (reference_declarator (function_declarator)))
(field_declaration
  type: (_) @returns
  declarator: [(function_declarator) (pointer_declarator (function_declarator)) (reference_declarator (function_declarator))])
(assignment_expression
  left: (field_expression argument: (this)) @name
  right: [(call_expression) (new_expression)] @value) @bind
