(import_or_export) @import
(part_directive) @import

; Calls: a name with the selector that holds its arguments beside it.
((identifier) @ref.call . (selector (argument_part (arguments) @args)))
((selector [(unconditional_assignable_selector (identifier) @ref.token)
            (conditional_assignable_selector (identifier) @ref.token)])
  . (selector (argument_part (arguments) @args)))
((unconditional_assignable_selector (identifier) @ref.token) . (selector (argument_part (arguments) @args)))
(cascade_section (cascade_selector (identifier) @ref.token) (argument_part (arguments) @args))
(new_expression (type_identifier) @ref.new (arguments) @args)
(const_object_expression (type_identifier) @ref.new (arguments) @args)

; Functions that are passed or kept.
(argument (identifier) @ref.value .)
(named_argument (label) . (identifier) @ref.value .)

(superclass . (type_identifier) @ref.inherit)
(mixins (type_identifier) @ref.inherit)
(interfaces (type_identifier) @ref.inherit)
(mixin_declaration (type_identifier) @ref.inherit)

(annotation name: (_) @ref.decorator)
(type_identifier) @ref.type

; What is said of the types of variables.
(declaration
  (type_identifier) @type
  (initialized_identifier_list (initialized_identifier . (identifier) @name))) @bind
(declaration
  (type_identifier) @type
  (static_final_declaration_list (static_final_declaration . (identifier) @name))) @bind
(formal_parameter (type_identifier) @type name: (identifier) @name) @bind
(initialized_variable_definition (type_identifier) @type name: (identifier) @name) @bind
(initialized_variable_definition
  name: (identifier) @name
  value: (identifier) @made
  . value: (selector (argument_part))
  (#match? @made "^_*[A-Z]")) @bind
(initialized_variable_definition
  name: (identifier) @name
  value: (new_expression) @value) @bind

(function_signature . (type_identifier) @returns . name: (identifier))
(function_signature
  . (type_identifier) @_wrapper
  . (type_arguments . (type_identifier) @returns)
  (#any-of? @_wrapper "Future" "FutureOr" "Stream"))
(getter_signature . (type_identifier) @returns . name: (identifier))
