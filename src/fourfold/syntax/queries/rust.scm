(function_item) @definition.function

(function_signature_item) @definition.function

(struct_item) @definition.struct

(union_item) @definition.struct

(enum_item) @definition.enum

(enum_variant name: (identifier) @name) @definition.constant

(trait_item) @definition.trait

; An implementation encloses methods of its type.
(impl_item
  type: (_) @name
  body: (_) @body) @scope

(type_item) @definition.type
(associated_type) @definition.type

(mod_item body: (_)) @definition.module

(macro_definition) @definition.macro

(const_item) @definition.constant
(static_item) @definition.variable

(struct_item
  body: (field_declaration_list
    (field_declaration name: (field_identifier) @name) @definition.field))

(use_declaration) @import
(extern_crate_declaration) @import
