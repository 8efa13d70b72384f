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

(protocol_declaration
  name: (type_identifier) @name
  body: (_) @body) @definition.interface

(enum_entry name: (simple_identifier) @name) @definition.constant

(function_declaration
  name: [(simple_identifier) (custom_operator) (bang) "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">="] @name
  body: (_)? @body) @definition.function

(protocol_function_declaration name: (simple_identifier) @name) @definition.method

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

(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(macro_declaration (simple_identifier) @name) @definition.macro

(import_declaration) @import
