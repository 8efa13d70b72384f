(class_definition) @definition.class

(object_definition) @definition.class

(package_object) @definition.class

(trait_definition) @definition.trait

(enum_definition) @definition.enum

(simple_enum_case) @definition.constant
(full_enum_case) @definition.constant

(given_definition) @definition.class

(function_definition) @definition.function

(function_declaration) @definition.function

(type_definition) @definition.type

(compilation_unit (val_definition pattern: (identifier) @name) @definition.variable)
(compilation_unit (var_definition pattern: (identifier) @name) @definition.variable)
(template_body (val_definition pattern: (identifier) @name) @definition.field)
(template_body (var_definition pattern: (identifier) @name) @definition.field)
(template_body (val_declaration name: (identifier) @name) @definition.field)
(template_body (var_declaration name: (identifier) @name) @definition.field)
(class_parameter) @definition.field

(import_declaration) @import
