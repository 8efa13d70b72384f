(namespace_definition name: (namespace_name) @package !body)
(namespace_use_declaration) @import
(include_expression) @import
(include_once_expression) @import
(require_expression) @import
(require_once_expression) @import

; Calls.
(function_call_expression
  function: [(name) (qualified_name)] @ref.call
  arguments: (_) @args)
(member_call_expression
  object: (_) @receiver
  name: (name) @name
  arguments: (_) @args) @ref.call
(nullsafe_member_call_expression
  object: (_) @receiver
  name: (name) @name
  arguments: (_) @args) @ref.call
(scoped_call_expression
  scope: (_) @receiver
  name: (name) @name
  arguments: (_) @args) @ref.call
(object_creation_expression
  . [(name) (qualified_name)] @ref.new
  (arguments)? @args)

; Methods that are passed by name: [UserController::class, 'index'], [$this, 'run'].
(array_creation_expression
  . (array_element_initializer [(variable_name) @receiver (class_constant_access_expression . (_) @receiver)])
  . (array_element_initializer [(string (string_content) @name) (encapsed_string (string_content) @name)]) .) @ref.pass

(base_clause [(name) (qualified_name)] @ref.inherit)
(class_interface_clause [(name) (qualified_name)] @ref.inherit)
(declaration_list (use_declaration [(name) (qualified_name)] @ref.inherit))

(attribute [(name) (qualified_name)] @ref.decorator)

(named_type [(name) (qualified_name)] @ref.type)
(class_constant_access_expression . [(name) (qualified_name)] @ref.type)
(binary_expression operator: "instanceof" right: [(name) (qualified_name)] @ref.type)

; What is said of the types of variables.
(property_declaration
  type: (_) @type
  (property_element name: (variable_name (name) @name))) @bind.field
(property_promotion_parameter type: (_) @type name: (variable_name (name) @name)) @bind.field
(property_promotion_parameter type: (_) @type name: (variable_name) @name) @bind
(simple_parameter type: (_) @type name: (variable_name) @name) @bind
(variadic_parameter type: (_) @type name: (variable_name) @name) @bind
(catch_clause type: (type_list . (named_type) @type .) name: (variable_name) @name) @bind
(assignment_expression
  left: [(variable_name) (member_access_expression object: (variable_name))] @name
  right: [(object_creation_expression) (member_call_expression) (scoped_call_expression) (function_call_expression)
          (variable_name) (member_access_expression)] @value) @bind

(method_declaration return_type: (_) @returns)
(function_definition return_type: (_) @returns)
