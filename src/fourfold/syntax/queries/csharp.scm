(class_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.class

(record_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.class

(interface_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.interface

(struct_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.struct

(enum_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.enum

(enum_member_declaration name: (identifier) @name) @definition.constant

(delegate_declaration name: (identifier) @name) @definition.type

(namespace_declaration
  name: (_) @qualified
  body: (_) @body) @definition.module

(method_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.method

(constructor_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.method

(destructor_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.method

(operator_declaration
  operator: _ @name
  body: (_)? @body) @definition.method

(indexer_declaration
  "this" @name
  [accessors: (_) @body value: (_) @body]) @definition.method

(local_function_statement
  name: (identifier) @name
  body: (_)? @body) @definition.function

(property_declaration
  name: (identifier) @name
  [accessors: (_) @body value: (_) @body]) @definition.field

(field_declaration
  (variable_declaration
    (variable_declarator name: (identifier) @name))) @definition.field

(event_field_declaration
  (variable_declaration
    (variable_declarator name: (identifier) @name))) @definition.field

(event_declaration name: (identifier) @name) @definition.field

(using_directive) @import
