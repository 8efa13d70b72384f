; What TypeScript adds.
(abstract_class_declaration) @definition.class

(export_statement
  decorator: (decorator)
  declaration: (abstract_class_declaration name: (_) @name body: (_) @body) @head) @definition.class

(interface_declaration) @definition.interface

(enum_declaration) @definition.enum

(enum_body (property_identifier) @name @definition.constant)
(enum_assignment name: (_) @name) @definition.constant

(type_alias_declaration) @definition.type

(internal_module
  name: (_) @qualified
  body: (_) @body) @definition.module

(module
  name: (_) @qualified
  body: (_) @body) @definition.module

(function_signature) @definition.function

; Values of a namespace.
(internal_module
  body: (statement_block
    [(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name)))
     (lexical_declaration (variable_declarator name: (identifier) @name))] @definition.variable))
(module
  body: (statement_block
    [(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name)))
     (lexical_declaration (variable_declarator name: (identifier) @name))] @definition.variable))

; A parameter of a constructor that is a field: constructor(private readonly store: Store).
(formal_parameters
  (required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.property)
(formal_parameters
  (optional_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.property)
(formal_parameters
  (required_parameter "readonly" pattern: (identifier) @name) @definition.property)
(formal_parameters
  (optional_parameter "readonly" pattern: (identifier) @name) @definition.property)

; declare const VERSION: string;
(ambient_declaration
  [(lexical_declaration (variable_declarator name: (identifier) @name))
   (variable_declaration (variable_declarator name: (identifier) @name))]) @definition.variable
(ambient_declaration
  (statement_block
    [(lexical_declaration (variable_declarator name: (identifier) @name))
     (variable_declaration (variable_declarator name: (identifier) @name))] @definition.variable))

(method_signature) @definition.method

(abstract_method_signature) @definition.method

(public_field_definition
  name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method

(class_body
  (public_field_definition
    name: [(property_identifier) (private_property_identifier)] @name) @definition.field)

(interface_body
  (property_signature
    name: (property_identifier) @name) @definition.field)
