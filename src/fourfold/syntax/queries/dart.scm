(class_definition) @definition.class

(mixin_declaration
  (identifier) @name
  (class_body) @body) @definition.class

(enum_declaration) @definition.enum

(enum_constant) @definition.constant

(extension_declaration) @definition.class

(type_alias . (type_identifier) @name) @definition.type

; The body of a function is the sibling after its head.
((function_signature name: (identifier) @name) @definition.function . (function_body) @body)

((method_signature (function_signature name: (identifier) @name)) @definition.method . (function_body) @body)
((method_signature (getter_signature name: (identifier) @name)) @definition.method . (function_body) @body)
((method_signature (setter_signature name: (identifier) @name)) @definition.method . (function_body) @body)
((method_signature (operator_signature (binary_operator) @name)) @definition.method . (function_body) @body)
((method_signature
  (constructor_signature . name: (identifier) @name . parameters: (_))) @definition.method . (function_body) @body)
((method_signature
  (constructor_signature name: (identifier) . name: (identifier) @name)) @definition.method . (function_body) @body)
((method_signature
  (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.method
  . (function_body) @body)

(declaration (function_signature name: (identifier) @name)) @definition.method
(declaration (getter_signature name: (identifier) @name)) @definition.method
(declaration (setter_signature name: (identifier) @name)) @definition.method
(declaration (constructor_signature . name: (identifier) @name . parameters: (_))) @definition.method
(declaration (constructor_signature name: (identifier) . name: (identifier) @name)) @definition.method
(declaration (constant_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.method

(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.field
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @definition.field
(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @definition.variable))
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @definition.variable))

(import_or_export) @import
(part_directive) @import
