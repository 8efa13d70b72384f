; What only C++ has.
(function_definition
  declarator: [
    (function_declarator declarator: (qualified_identifier) @qualified)
    (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @qualified))
    (reference_declarator (function_declarator declarator: (qualified_identifier) @qualified))
    (reference_declarator (function_declarator declarator: [
      (identifier) @name (field_identifier) @name (operator_name) @name]))
    (function_declarator declarator: [
      (field_identifier) @name (destructor_name) @name (operator_name) @name])
    (pointer_declarator declarator: (function_declarator declarator: [
      (field_identifier) @name (operator_name) @name]))
    (operator_cast) @name
  ]
  body: (_)? @body) @definition.function

(template_declaration
  (function_definition
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (function_declarator declarator: (field_identifier) @name)
      (function_declarator declarator: (operator_name) @name)
      (function_declarator declarator: (qualified_identifier) @qualified)
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      (reference_declarator (function_declarator declarator: [
        (identifier) @name (field_identifier) @name (operator_name) @name]))
      (reference_declarator (function_declarator declarator: (qualified_identifier) @qualified))
    ]
    body: (_)? @body)) @definition.function

(class_specifier
  name: [(type_identifier) (template_type)] @name
  body: (field_declaration_list) @body) @definition.class

(template_declaration
  (class_specifier
    name: [(type_identifier) (template_type)] @name
    body: (field_declaration_list) @body)) @definition.class

(template_declaration
  (struct_specifier
    name: [(type_identifier) (template_type)] @name
    body: (field_declaration_list) @body)) @definition.struct

(struct_specifier
  name: (template_type) @name
  body: (field_declaration_list) @body) @definition.struct

; Members declared in a class.
(field_declaration_list
  (field_declaration
    declarator: [
      (function_declarator declarator: [(field_identifier) @name (operator_name) @name])
      (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
      (reference_declarator (function_declarator declarator: [(field_identifier) @name (operator_name) @name]))
    ]) @definition.method)

(field_declaration_list
  (declaration
    declarator: (function_declarator declarator: [(identifier) @name (destructor_name) @name])) @definition.method)

(namespace_definition
  name: (_) @qualified
  body: (_) @body) @definition.module

(alias_declaration name: (type_identifier) @name) @definition.type
(template_declaration (alias_declaration name: (type_identifier) @name)) @definition.type
(concept_definition name: (identifier) @name) @definition.type

(using_declaration) @import
