; What TypeScript adds.
(abstract_class_declaration
  name: (_) @name
  body: (class_body) @body) @definition.class

(export_statement
  declaration: (abstract_class_declaration
    name: (_) @name
    body: (class_body) @body)) @definition.class

(interface_declaration
  name: (_) @name
  body: (_) @body) @definition.interface

(export_statement
  declaration: (interface_declaration
    name: (_) @name
    body: (_) @body)) @definition.interface

(enum_declaration
  name: (_) @name
  body: (_) @body) @definition.enum

(export_statement
  declaration: (enum_declaration
    name: (_) @name
    body: (_) @body)) @definition.enum

(type_alias_declaration
  name: (_) @name) @definition.type

(export_statement
  declaration: (type_alias_declaration
    name: (_) @name)) @definition.type

(internal_module
  name: (_) @qualified
  body: (_) @body) @definition.module

(module
  name: (_) @qualified
  body: (_) @body) @definition.module

(function_signature
  name: (identifier) @name) @definition.function

(method_signature
  name: (_) @name) @definition.method

(abstract_method_signature
  name: (_) @name) @definition.method

(public_field_definition
  name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method

(class_body
  (public_field_definition
    name: [(property_identifier) (private_property_identifier)] @name) @definition.field)

(interface_body
  (property_signature
    name: (property_identifier) @name) @definition.field)
