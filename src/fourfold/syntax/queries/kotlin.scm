(class_declaration
  name: (identifier) @name
  (class_body)? @body) @definition.class

; The grammar takes "annotation class Foo" behind an annotation for an expression.
(infix_expression
  (identifier) @_annotation
  (identifier) @_class
  (identifier) @name
  (#eq? @_annotation "annotation")
  (#eq? @_class "class")) @definition.class

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
