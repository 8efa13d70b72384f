(class_declaration) @definition.class

(record_declaration) @definition.class

(interface_declaration) @definition.interface

(annotation_type_declaration) @definition.interface

(enum_declaration) @definition.enum

(enum_constant) @definition.constant

(method_declaration) @definition.method

(constructor_declaration) @definition.method

(compact_constructor_declaration) @definition.method

(annotation_type_element_declaration) @definition.method

(field_declaration
  declarator: (variable_declarator name: (identifier) @name)) @definition.field

(constant_declaration
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant

(import_declaration) @import
