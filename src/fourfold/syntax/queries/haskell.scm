(data_type) @definition.type
(newtype) @definition.type
(type_synonym) @definition.type
(class) @definition.trait

; An instance encloses methods for its type.
(instance patterns: (type_patterns . (_) @name)) @scope

(data_constructor (_ name: (constructor) @name)) @definition.constant
(newtype_constructor name: (constructor) @name) @definition.constant
(pattern_synonym (equation synonym: (apply function: (constructor) @name))) @definition.constant
(pattern_synonym (equation synonym: (constructor) @name)) @definition.constant
(field name: (field_name (variable) @name)) @definition.field

; A signature and its equations become one definition.
(signature
  name: [(variable) @name (prefix_id (operator) @name)]
  type: (function)) @definition.function
(signature
  name: [(variable) @name (prefix_id (operator) @name)]
  type: (forall)) @definition.function
(signature
  name: [(variable) @name (prefix_id (operator) @name)]
  type: (context)) @definition.function
(declarations (signature name: [(variable) @name (prefix_id (operator) @name)]) @definition.variable)

(function name: [(variable) @name (prefix_id (operator) @name)]) @definition.function
(function (infix operator: (_) @name)) @definition.function
(declarations (bind name: (variable) @name) @definition.variable)
(instance_declarations (bind name: (variable) @name) @definition.function)

(import) @import
