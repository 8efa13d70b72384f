(class_definition
  name: (_) @name
  body: (_)? @body) @definition.class

(object_definition
  name: (_) @name
  body: (_)? @body) @definition.class

(package_object
  name: (_) @name
  body: (_)? @body) @definition.class

(trait_definition
  name: (_) @name
  body: (_)? @body) @definition.trait

(enum_definition
  name: (_) @name
  body: (_) @body) @definition.enum

(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.constant

(given_definition
  name: (_) @name
  body: (_)? @body) @definition.class

(function_definition
  name: (_) @name
  body: (_) @body) @definition.function

(function_declaration name: (_) @name) @definition.function

(type_definition name: (_) @name) @definition.type

(compilation_unit (val_definition pattern: (identifier) @name) @definition.variable)
(compilation_unit (var_definition pattern: (identifier) @name) @definition.variable)
(template_body (val_definition pattern: (identifier) @name) @definition.field)
(template_body (var_definition pattern: (identifier) @name) @definition.field)
(template_body (val_declaration name: (identifier) @name) @definition.field)
(template_body (var_declaration name: (identifier) @name) @definition.field)
(class_parameter name: (_) @name) @definition.field

(import_declaration) @import
