(function_declaration) @definition.function

(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @receiver))
  name: (field_identifier) @name
  body: (block)? @body) @definition.method

; Types: one after the keyword keeps it, those of a group stand alone.
(type_declaration "type" . (type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body))) @definition.struct

(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @definition.struct

(type_declaration "type" . (type_spec
  name: (type_identifier) @name
  type: (interface_type))) @definition.interface

(type_spec
  name: (type_identifier) @name
  type: (interface_type)) @definition.interface

(type_declaration "type" . (type_spec name: (type_identifier) @name)) @definition.type
(type_spec) @definition.type
(type_declaration "type" . (type_alias name: (type_identifier) @name)) @definition.type
(type_alias) @definition.type

(interface_type
  (method_elem name: (field_identifier) @name) @definition.method)

(struct_type
  (field_declaration_list
    (field_declaration name: (field_identifier) @name) @definition.field))

; Values of the package.
(source_file (const_declaration (const_spec name: (identifier) @name) @definition.constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))

(import_declaration) @import
