; What TypeScript adds.
(abstract_class_declaration) @definition.class

(interface_declaration) @definition.interface

(enum_declaration) @definition.enum

(type_alias_declaration) @definition.type

(internal_module
  name: (_) @qualified
  body: (_) @body) @definition.module

(module
  name: (_) @qualified
  body: (_) @body) @definition.module

(function_signature) @definition.function

(method_signature) @definition.method

(abstract_method_signature) @definition.method

(public_field_definition
  name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method

(class_body
  (public_field_definition
    name: [(property_identifier) (private_property_identifier)] @name) @definition.field)

(interface_body
  (property_signature
    name: (property_identifier) @name) @definition.field)
