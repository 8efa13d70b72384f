(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import

; Calls.
(call_expression
  function: (identifier) @name
  arguments: (_) @args) @ref.call
(call_expression
  function: (scoped_identifier
    path: (_) @receiver
    name: (identifier) @name)
  arguments: (_) @args) @ref.call
(call_expression
  function: (field_expression
    value: (_) @receiver
    field: (field_identifier) @name)
  arguments: (_) @args) @ref.call
(call_expression
  function: (generic_function
    function: (identifier) @name)
  arguments: (_) @args) @ref.call
(call_expression
  function: (generic_function
    function: (scoped_identifier
      path: (_) @receiver
      name: (identifier) @name))
  arguments: (_) @args) @ref.call
(call_expression
  function: (generic_function
    function: (field_expression
      value: (_) @receiver
      field: (field_identifier) @name))
  arguments: (_) @args) @ref.call
(macro_invocation macro: [(identifier) (scoped_identifier)] @ref.call)

; Inside a macro the tree knows tokens only.
(token_tree (identifier) @ref.token . (token_tree "("))

(struct_expression name: (_) @ref.new)

; Functions that are passed or kept.
(arguments [(identifier) (scoped_identifier)] @ref.value)
(field_initializer value: [(identifier) (scoped_identifier)] @ref.value)

(impl_item trait: (_) @ref.inherit)
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @ref.inherit))

(attribute_item (attribute . [(identifier) (scoped_identifier)] @ref.decorator))

(type_identifier) @ref.type
(scoped_type_identifier) @ref.type

; What is said of the types of variables.
(parameter pattern: (identifier) @name type: (_) @type) @bind
(parameter pattern: (mut_pattern (identifier) @name) type: (_) @type) @bind
(let_declaration pattern: (identifier) @name type: (_) @type) @bind
(let_declaration pattern: (identifier) @name value: (_) @value) @bind
(field_declaration name: (field_identifier) @name type: (_) @type) @bind.field
(static_item name: (identifier) @name type: (_) @type) @bind
(const_item name: (identifier) @name type: (_) @type) @bind

(function_item return_type: (_) @returns)
(function_signature_item return_type: (_) @returns)
