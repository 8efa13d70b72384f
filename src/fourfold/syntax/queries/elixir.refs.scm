(call
  target: (identifier) @_keyword
  (arguments)
  (#any-of? @_keyword "use" "import" "alias" "require")) @import

; Calls.
(call
  target: (identifier) @name
  (arguments)? @args) @ref.call
(call
  target: (dot left: (_) @receiver right: (identifier) @name)
  (arguments)? @args) @ref.call
(binary_operator operator: "|>" right: (identifier) @ref.call)
(struct (alias) @ref.new)

; Functions that are passed: &run/1.
(unary_operator
  operator: "&"
  operand: (binary_operator left: (identifier) @ref.pass operator: "/"))

(call
  target: (identifier) @_keyword
  (arguments . (alias) @ref.inherit)
  (#any-of? @_keyword "use" "defimpl"))
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_keyword
    (arguments . (alias) @ref.inherit)
    (#eq? @_keyword "behaviour")))

; Modules that are mentioned.
(arguments (alias) @ref.type)
(list (alias) @ref.type)
(tuple (alias) @ref.type)
(pair value: (alias) @ref.type)
(call target: (dot left: (alias) @ref.type right: (identifier) @_type) (#eq? @_type "t"))

; What is said of the types of variables.
(binary_operator
  left: (map (struct (alias) @type))
  operator: "="
  right: (identifier) @name) @bind
(binary_operator
  left: (identifier) @name
  operator: "="
  right: (map (struct (alias) @type))) @bind
