(preproc_include) @import

; Calls.
(call_expression
  function: (identifier) @name
  arguments: (_) @args) @ref.call
(call_expression
  function: (field_expression
    argument: (_) @receiver
    field: (field_identifier) @name)
  arguments: (_) @args) @ref.call

; Functions that are passed or kept.
(argument_list [(identifier) (pointer_expression argument: (identifier))] @ref.value)
(initializer_pair value: [(identifier) (pointer_expression argument: (identifier))] @ref.value)
(initializer_list (identifier) @ref.value)
(assignment_expression right: (identifier) @ref.value)

(type_identifier) @ref.type

; What is said of the types of variables.
(parameter_declaration
  type: (_) @type
  declarator: [(identifier) @name
               (pointer_declarator declarator: (identifier) @name)
               (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))]) @bind
(declaration
  type: (_) @type
  declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)]) @bind
(declaration
  type: (_) @type
  declarator: (init_declarator
    declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)]
    value: (_) @value)) @bind
(field_declaration
  type: (_) @type
  declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)]) @bind.field

(function_definition
  type: (_) @returns
  declarator: [(function_declarator) (pointer_declarator declarator: (function_declarator))])
