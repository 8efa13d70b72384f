(import_declaration) @import

; Calls.
(call_expression
  . (simple_identifier) @name
  (call_suffix (value_arguments)? @args)) @ref.call
(call_expression
  . (navigation_expression
      target: (_) @receiver
      suffix: (navigation_suffix suffix: (simple_identifier) @name))
  (call_suffix (value_arguments)? @args)) @ref.call
(constructor_expression constructed_type: (_) @ref.new)

; Functions that are passed or kept.
(value_argument value: [(simple_identifier) (navigation_expression)] @ref.value)

(inheritance_specifier inherits_from: (_) @ref.inherit)
(attribute (user_type) @ref.decorator)
(user_type) @ref.type

; What is said of the types of variables.
(parameter
  (simple_identifier) @name
  . [(user_type) (optional_type) (opaque_type) (existential_type) (type_modifiers)] @type) @bind
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation (_) @type)) @bind
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation (_) @type)) @bind
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  value: [(call_expression) (constructor_expression) (try_expression) (await_expression) (navigation_expression)
          (simple_identifier)] @value) @bind
(assignment
  target: (directly_assignable_expression (_) @name)
  result: [(call_expression) (constructor_expression) (simple_identifier) (navigation_expression)] @value) @bind

(function_declaration [(user_type) (optional_type) (opaque_type) (existential_type)] @returns)
(protocol_function_declaration [(user_type) (optional_type) (opaque_type) (existential_type)] @returns)
