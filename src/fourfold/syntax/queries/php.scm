(function_definition
  name: (name) @name
  body: (_) @body) @definition.function

(method_declaration
  name: (name) @name
  body: (_)? @body) @definition.method

(class_declaration
  name: (name) @name
  body: (_) @body) @definition.class

(interface_declaration
  name: (name) @name
  body: (_) @body) @definition.interface

(trait_declaration
  name: (name) @name
  body: (_) @body) @definition.trait

(enum_declaration
  name: (name) @name
  body: (_) @body) @definition.enum

(enum_case name: (name) @name) @definition.constant

(namespace_definition
  name: (namespace_name) @name
  body: (_) @body) @definition.module

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
