(package_header (qualified_identifier) @package)
(import) @import

; Calls.
(call_expression . (identifier) @name (value_arguments)? @args) @ref.call
(call_expression
  . (navigation_expression (_) @receiver (identifier) @name .)
  (value_arguments)? @args) @ref.call
(infix_expression (_) @receiver . (identifier) @name . (_)) @ref.call
(constructor_delegation_call ["super" "this"] @name (value_arguments) @args) @ref.call
(callable_reference . (identifier) @ref.pass .)
(callable_reference (_) @receiver . (identifier) @name .) @ref.pass

(delegation_specifier (user_type) @ref.inherit)
(delegation_specifier (constructor_invocation (user_type) @ref.inherit (value_arguments) @args))
(delegation_specifier (explicit_delegation . (user_type) @ref.inherit))

(annotation (user_type) @ref.decorator)
(annotation (constructor_invocation (user_type) @ref.decorator (value_arguments) @args))

(user_type) @ref.type

(value_argument (identifier) @ref.value .)

; What is said of the types of variables.
(class_parameter (identifier) @name . [(user_type) (nullable_type)] @type) @bind.field
(parameter . (identifier) @name . [(user_type) (nullable_type)] @type) @bind
(variable_declaration . (identifier) @name [(user_type) (nullable_type)] @type) @bind
(property_declaration
  (variable_declaration . (identifier) @name .)
  [(call_expression) (identifier) (navigation_expression) (as_expression)] @value) @bind
(property_declaration
  (variable_declaration . (identifier) @name .)
  (property_delegate (call_expression (annotated_lambda (lambda_literal . (call_expression) @value .))))) @bind
(assignment
  . (navigation_expression (this_expression) (identifier)) @name
  . [(call_expression) (identifier)] @value) @bind

(function_declaration (function_value_parameters) . [(user_type) (nullable_type)] @returns)
