(package_declaration [(identifier) (scoped_identifier)] @package)
(import_declaration) @import

; Calls.
(method_invocation
  !object
  name: (identifier) @name
  arguments: (_) @args) @ref.call
(method_invocation
  object: (_) @receiver
  name: (identifier) @name
  arguments: (_) @args) @ref.call
(object_creation_expression
  type: (_) @ref.new
  arguments: (_) @args)
(explicit_constructor_invocation
  constructor: _ @name
  arguments: (_) @args) @ref.call
(method_reference (_) @receiver . (identifier) @name .) @ref.pass

(superclass (_) @ref.inherit)
(super_interfaces (type_list (_) @ref.inherit))
(extends_interfaces (type_list (_) @ref.inherit))

(marker_annotation name: (_) @ref.decorator)
(annotation name: (_) @ref.decorator arguments: (_) @args)

(type_identifier) @ref.type
(scoped_type_identifier) @ref.type

; What is said of the types of variables.
(field_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name)) @bind
(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name value: (_)? @value)) @bind
(formal_parameter type: (_) @type name: (identifier) @name) @bind
(spread_parameter [(type_identifier) (scoped_type_identifier) (generic_type)] @type (variable_declarator name: (identifier) @name)) @bind
(catch_formal_parameter (catch_type . (_) @type .) name: (identifier) @name) @bind
(resource type: (_) @type name: (identifier) @name value: (_)? @value) @bind
(enhanced_for_statement type: (_) @type name: (identifier) @name) @bind
(record_declaration
  parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @name))) @bind.field
(instanceof_expression right: (_) @type name: (identifier) @name) @bind
(assignment_expression
  left: [(identifier) (field_access object: (this))] @name
  right: [(object_creation_expression) (method_invocation) (identifier) (field_access)] @value) @bind

(method_declaration type: (_) @returns)
