(variable_declaration
  . (identifier)
  [(builtin_function) (field_expression object: (builtin_function))] @_value
  (#match? @_value "^@import")) @import

; Calls.
(call_expression function: (identifier) @name) @ref.call
(call_expression
  function: (field_expression
    object: (_) @receiver
    member: (identifier) @name)) @ref.call
(struct_initializer . [(identifier) (field_expression)] @ref.new)

; Functions that are passed.
(call_expression [(identifier) (field_expression)] @ref.value)

; Types that are mentioned.
(parameter type: (identifier) @ref.type)
(parameter type: (field_expression) @ref.type)
(pointer_type [(identifier) (field_expression)] @ref.type)
(nullable_type [(identifier) (field_expression)] @ref.type)
(slice_type [(identifier) (field_expression)] @ref.type)
(container_field type: [(identifier) (field_expression)] @ref.type)
(error_union_type ok: [(identifier) (field_expression)] @ref.type)
(function_declaration type: [(identifier) (field_expression)] @ref.type)
(variable_declaration type: [(identifier) (field_expression)] @ref.type)

; What is said of the types of variables.
(parameter name: (identifier) @name type: (_) @type) @bind
(container_field name: (identifier) @name type: (_) @type) @bind
(variable_declaration . (identifier) @name type: (_) @type) @bind
(variable_declaration
  . (identifier) @name
  [(call_expression) (struct_initializer) (try_expression) (field_expression)] @value .) @bind

(function_declaration type: (_) @returns)
