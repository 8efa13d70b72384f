(header module: (module) @package)
(import) @import

; Calls: what is applied to something. Calls of several arguments are nested.
(apply function: (variable) @ref.call)
(apply function: (qualified module: (module) @receiver id: (variable) @name)) @ref.call
(apply function: (constructor) @ref.new)
(record (constructor) @ref.new)
(infix_id (variable) @ref.call)
(infix_id (qualified module: (module) @receiver id: (variable) @name)) @ref.call

; Functions that are composed, passed or named alone.
(apply argument: [(variable) (qualified)] @ref.value)
(infix left_operand: [(variable) (qualified)] @ref.value)
(infix right_operand: [(variable) (qualified)] @ref.value)
(match expression: [(variable) (qualified)] @ref.value)
(bind expression: [(variable) (qualified)] @ref.value)
(exp [(variable) (qualified)] @ref.value)
(parens expression: [(variable) (qualified)] @ref.value)
(list element: [(variable) (qualified)] @ref.value)
(tuple element: [(variable) (qualified)] @ref.value)
(left_section [(variable) (qualified)] @ref.value)
(right_section [(variable) (qualified)] @ref.value)
(field_update expression: [(variable) (qualified)] @ref.value)

(instance name: (name) @ref.inherit)
(instance name: (qualified module: (module) @receiver id: (name) @name)) @ref.inherit
(class (context (apply constructor: (name) @ref.inherit)))

(name) @ref.type
(qualified module: (module) @receiver id: (name) @name) @ref.type
