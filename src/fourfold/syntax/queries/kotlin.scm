(class_declaration
  name: (identifier) @name
  (class_body)? @body) @definition.class

(class_declaration
  "interface"
  name: (identifier) @name
  (class_body)? @body) @definition.interface

(class_declaration
  name: (identifier) @name
  (enum_class_body) @body) @definition.enum

(enum_entry (identifier) @name) @definition.constant

(object_declaration
  name: (identifier) @name
  (class_body)? @body) @definition.class

(function_declaration
  name: (identifier) @name
  (function_body)? @body) @definition.function

(secondary_constructor "constructor" @name) @definition.method

(type_alias type: (identifier) @name) @definition.type

(source_file
  (property_declaration
    (variable_declaration . (identifier) @name)) @definition.variable)

(class_body
  (property_declaration
    (variable_declaration . (identifier) @name)) @definition.field)

(class_parameter ["val" "var"] . (identifier) @name) @definition.field

(import) @import
