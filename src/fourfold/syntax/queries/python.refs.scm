; Calls.
(call
  function: (identifier) @name
  arguments: (_) @args) @ref.call

(call
  function: (attribute
    object: (_) @receiver
    attribute: (identifier) @name)
  arguments: (_) @args) @ref.call

; Names of functions and classes that are passed or kept.
(call arguments: (argument_list [(identifier) (attribute)] @ref.value))
(keyword_argument value: [(identifier) (attribute)] @ref.value)
(pair value: [(identifier) (attribute)] @ref.value)
(list [(identifier) (attribute)] @ref.value)
(tuple [(identifier) (attribute)] @ref.value)
(return_statement [(identifier) (attribute)] @ref.value)
(raise_statement . [(identifier) (attribute)] @ref.value)
(except_clause value: [(identifier) (attribute)] @ref.value)

(class_definition
  superclasses: (argument_list [(identifier) (attribute) (subscript)] @ref.inherit))

(decorator [(identifier) (attribute)] @ref.decorator)
(decorator (call function: [(identifier) (attribute)] @ref.decorator arguments: (_) @args))

; Types that are mentioned, also inside others: Optional[Foo], Foo | None.
(type [(identifier) (attribute)] @ref.type)
(type (generic_type (identifier) @ref.type))
(type (binary_operator [(identifier) (attribute)] @ref.type))
(type (binary_operator (binary_operator [(identifier) (attribute)] @ref.type)))

; What is said of the types of variables.
(typed_parameter . (identifier) @name type: (type) @type) @bind
(typed_default_parameter name: (identifier) @name type: (type) @type) @bind
(assignment
  left: [(identifier) (attribute object: (identifier))] @name
  type: (type) @type) @bind
(assignment
  left: [(identifier) (attribute object: (identifier))] @name
  right: [(call) (attribute) (identifier) (await) (conditional_expression) (boolean_operator)
          (parenthesized_expression) (list) (tuple)] @value) @bind
(named_expression name: (identifier) @name value: (_) @value) @bind
(function_definition return_type: (type) @returns)

(augmented_assignment left: (identifier) @name right: (list) @value) @bind

(import_statement) @import
(import_from_statement) @import
