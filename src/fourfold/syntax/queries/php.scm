(function_definition) @definition.function

(method_declaration) @definition.method

(class_declaration) @definition.class

(interface_declaration) @definition.interface

(trait_declaration) @definition.trait

(enum_declaration) @definition.enum

(enum_case) @definition.constant

(namespace_definition body: (_)) @definition.module

(const_declaration (const_element . (name) @name)) @definition.constant

(property_declaration
  (property_element name: (variable_name (name) @name))) @definition.field

(property_promotion_parameter
  name: (variable_name (name) @name)) @definition.field

(function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_define "define")) @definition.constant

(namespace_use_declaration) @import
(include_expression) @import
(include_once_expression) @import
(require_expression) @import
(require_once_expression) @import
