(function_item
  name: (_) @name
  body: (block) @body) @definition.function

(function_signature_item name: (_) @name) @definition.function

(struct_item
  name: (type_identifier) @name
  body: (_)? @body) @definition.struct

(union_item
  name: (type_identifier) @name
  body: (_) @body) @definition.struct

(enum_item
  name: (type_identifier) @name
  body: (_) @body) @definition.enum

(enum_variant name: (identifier) @name) @definition.constant

(trait_item
  name: (type_identifier) @name
  body: (_) @body) @definition.trait

; An implementation encloses methods of its type.
(impl_item
  type: (_) @name
  body: (_) @body) @scope

(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type

(mod_item
  name: (identifier) @name
  body: (_) @body) @definition.module

(macro_definition name: (identifier) @name) @definition.macro

(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable

(struct_item
  body: (field_declaration_list
    (field_declaration name: (field_identifier) @name) @definition.field))

(use_declaration) @import
(extern_crate_declaration) @import
