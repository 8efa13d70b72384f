; What C and C++ share. A declarator may wrap its name in pointers, arrays and parentheses to any depth: it is captured
; whole and unwrapped by the module syntax/declarators.py, which also tells fields from methods and drops prototypes.
(function_definition
  declarator: (_) @declarator
  body: (_)? @body) @definition.function

(struct_specifier
  name: (_) @name
  body: (field_declaration_list) @body) @definition.struct

(union_specifier
  name: (_) @name
  body: (field_declaration_list) @body) @definition.struct

(enum_specifier
  name: (_) @name
  body: (enumerator_list) @body) @definition.enum

(enumerator name: (identifier) @name) @definition.constant

; Also inside #if.
(field_declaration declarator: (_) @declarator) @definition.field

; typedef struct { ... } name; and plain type names.
(type_definition
  type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))]
  declarator: (_) @declarator) @definition.struct

(type_definition
  type: (enum_specifier !name body: (_))
  declarator: (_) @declarator) @definition.enum

(type_definition declarator: (_) @declarator) @definition.type

(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

; Values of the file, also inside #if, extern "C" and namespaces.
(translation_unit (declaration declarator: (_) @declarator) @definition.variable)
(preproc_ifdef (declaration declarator: (_) @declarator) @definition.variable)
(preproc_if (declaration declarator: (_) @declarator) @definition.variable)
(preproc_else (declaration declarator: (_) @declarator) @definition.variable)
(declaration_list (declaration declarator: (_) @declarator) @definition.variable)

(preproc_include) @import
