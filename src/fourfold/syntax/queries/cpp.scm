; What only C++ has.
(template_declaration
  (function_definition
    declarator: (_) @declarator
    body: (_)? @body)) @definition.function

(class_specifier
  name: (_) @name
  body: (field_declaration_list) @body) @definition.class

(template_declaration
  (class_specifier
    name: (_) @name
    body: (field_declaration_list) @body)) @definition.class

(template_declaration
  (struct_specifier
    name: (_) @name
    body: (field_declaration_list) @body)) @definition.struct

; Constructors and destructors declared in a class, and member templates.
(field_declaration_list (declaration declarator: (_) @declarator) @definition.field)
(field_declaration_list (template_declaration (declaration declarator: (_) @declarator)) @definition.field)

(namespace_definition
  name: (_) @qualified
  body: (_) @body) @definition.module

(alias_declaration name: (type_identifier) @name) @definition.type
(template_declaration (alias_declaration name: (type_identifier) @name)) @definition.type
(concept_definition name: (identifier) @name) @definition.type

(using_declaration) @import
