(class_declaration
  declaration_kind: "class"
  name: (type_identifier) @name
  body: (_) @body) @definition.class

(class_declaration
  declaration_kind: "actor"
  name: (type_identifier) @name
  body: (_) @body) @definition.class

(class_declaration
  declaration_kind: "struct"
  name: (type_identifier) @name
  body: (_) @body) @definition.struct

(class_declaration
  declaration_kind: "enum"
  name: (type_identifier) @name
  body: (_) @body) @definition.enum

; An extension encloses members of its type.
(class_declaration
  declaration_kind: "extension"
  name: (_) @name
  body: (_) @body) @scope

(protocol_declaration) @definition.interface

(enum_entry name: (simple_identifier) @name) @definition.constant

(function_declaration) @definition.function

(protocol_function_declaration) @definition.method

(init_declaration
  "init" @name
  body: (_)? @body) @definition.method

(deinit_declaration
  "deinit" @name
  body: (_)? @body) @definition.method

(subscript_declaration
  "subscript" @name
  (computed_property)? @body) @definition.method

(source_file
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)

(class_body
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field)

(enum_class_body
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field)

(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field

(typealias_declaration) @definition.type
(associatedtype_declaration) @definition.type
(macro_declaration (simple_identifier) @name) @definition.macro

(import_declaration) @import
