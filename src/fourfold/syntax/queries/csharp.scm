(class_declaration) @definition.class

(record_declaration) @definition.class

(interface_declaration) @definition.interface

(struct_declaration) @definition.struct

(enum_declaration) @definition.enum

(enum_member_declaration) @definition.constant

(delegate_declaration) @definition.type

(namespace_declaration
  name: (_) @qualified
  body: (_) @body) @definition.module

(method_declaration) @definition.method

(constructor_declaration) @definition.method

(destructor_declaration) @definition.method

(operator_declaration
  operator: _ @name
  body: (_)? @body) @definition.method

(indexer_declaration
  "this" @name
  [accessors: (_) @body value: (_) @body]) @definition.method

(local_function_statement) @definition.function

(property_declaration
  name: (identifier) @name
  [accessors: (_) @body value: (_) @body]) @definition.field

(field_declaration
  (variable_declaration
    (variable_declarator name: (identifier) @name))) @definition.field

(event_field_declaration
  (variable_declaration
    (variable_declarator name: (identifier) @name))) @definition.field

(event_declaration) @definition.field

(using_directive) @import
