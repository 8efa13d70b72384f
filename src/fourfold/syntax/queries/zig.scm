(function_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.function

(variable_declaration
  . (identifier) @name
  [(struct_declaration) (union_declaration) (opaque_declaration)]) @definition.struct

(variable_declaration
  . (identifier) @name
  [(enum_declaration) (error_set_declaration)]) @definition.enum

; A function that returns a type with members is that type, with parameters.
(function_declaration
  name: (identifier) @name
  body: (block
    (expression_statement
      (return_expression
        [(struct_declaration) (union_declaration) (opaque_declaration) (enum_declaration)]))) @body) @definition.struct

(source_file (variable_declaration . (identifier) @name) @definition.variable)
(struct_declaration (variable_declaration . (identifier) @name) @definition.variable)
(union_declaration (variable_declaration . (identifier) @name) @definition.variable)
(enum_declaration (variable_declaration . (identifier) @name) @definition.variable)

; A file is a type, too: its fields stand at the top.
(source_file (container_field name: (identifier) @name) @definition.field)

(struct_declaration (container_field name: (identifier) @name) @definition.field)
(union_declaration (container_field name: (identifier) @name) @definition.field)
(enum_declaration (container_field name: (identifier) @name) @definition.constant)

(test_declaration [(string) (identifier)] @name) @definition.test

(builtin_function
  (builtin_identifier) @_import
  (arguments (string))
  (#eq? @_import "@import")) @import
