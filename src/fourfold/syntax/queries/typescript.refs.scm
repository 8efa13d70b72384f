(extends_clause value: [(identifier) (member_expression)] @ref.inherit)
(extends_clause value: (call_expression arguments: (arguments [(identifier) (member_expression)] @ref.inherit)))
(implements_clause [(type_identifier) (nested_type_identifier) (generic_type)] @ref.inherit)
(extends_type_clause type: [(type_identifier) (nested_type_identifier) (generic_type)] @ref.inherit)

; ``f(g<A, B>(x))`` is read as two comparisons where it might be.
(arguments
  (binary_expression left: (identifier) @name operator: "<")
  (binary_expression operator: ">" right: (parenthesized_expression))) @ref.call

; What a type stands for, and what it takes when it is called.
(type_alias_declaration
  value: [(type_identifier) (nested_type_identifier) (generic_type) (intersection_type) (union_type) (function_type)
         ] @value) @bind.meaning
(interface_declaration
  body: (interface_body (call_signature parameters: (formal_parameters) @called))) @bind.meaning

(type_identifier) @ref.type
(nested_type_identifier) @ref.type

(public_field_definition
  name: (_) @name
  type: (type_annotation) @type) @bind.field
(public_field_definition
  name: (_) @name
  value: [(call_expression) (new_expression) (await_expression) (member_expression) (identifier)] @value) @bind.field
(property_signature
  name: (property_identifier) @name
  type: (type_annotation) @type) @bind.field

; A parameter with a word of access is a field too.
(required_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name
  type: (type_annotation) @type) @bind.field
(optional_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name
  type: (type_annotation) @type) @bind.field
(required_parameter
  pattern: (identifier) @name
  type: (type_annotation) @type) @bind
(optional_parameter
  pattern: (identifier) @name
  type: (type_annotation) @type) @bind
(required_parameter
  pattern: (identifier) @name
  value: [(new_expression) (call_expression)] @value) @bind

(variable_declarator
  name: (identifier) @name
  type: (type_annotation) @type) @bind

(function_declaration return_type: (type_annotation) @returns)
(method_definition return_type: (type_annotation) @returns)
(arrow_function return_type: (type_annotation) @returns)
(function_expression return_type: (type_annotation) @returns)
(method_signature return_type: (type_annotation) @returns)
(function_signature return_type: (type_annotation) @returns)
(abstract_method_signature return_type: (type_annotation) @returns)

; A parameter without a type has the one that the signature of what it is passed to gives it.
(call_expression
  function: [(identifier) (member_expression)] @callee
  arguments: (arguments
    [(arrow_function parameters: (formal_parameters (required_parameter !type pattern: (identifier) @name)))
     (function_expression parameters: (formal_parameters (required_parameter !type pattern: (identifier) @name)))
    ] @passed)) @bind
(new_expression
  constructor: (identifier) @callee
  arguments: (arguments
    [(arrow_function parameters: (formal_parameters (required_parameter !type pattern: (identifier) @name)))
     (function_expression parameters: (formal_parameters (required_parameter !type pattern: (identifier) @name)))
    ] @passed)) @bind
