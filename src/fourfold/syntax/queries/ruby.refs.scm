(call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list (string))
  (#any-of? @_require "require" "require_relative" "load" "autoload")) @import

; Calls. A bare name that is no local variable is a call too.
(call
  !receiver
  method: [(identifier) (constant) (super)] @name
  arguments: (_)? @args) @ref.call
(call
  receiver: (_) @receiver
  method: [(identifier) (constant)] @name
  arguments: (_)? @args) @ref.call
(call
  receiver: [(constant) (scope_resolution)] @ref.new
  method: (identifier) @_new
  arguments: (_)? @args
  (#eq? @_new "new"))
(identifier) @ref.bare

(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter (identifier) @local)
(hash_splat_parameter (identifier) @local)
(block_parameter (identifier) @local)
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)

; Methods that are passed by name: before_action :load, &method(:run).
(argument_list (simple_symbol) @ref.value)
(pair value: (simple_symbol) @ref.value)

(superclass [(constant) (scope_resolution)] @ref.inherit)
(call
  !receiver
  method: (identifier) @_mix
  arguments: (argument_list [(constant) (scope_resolution)] @ref.inherit)
  (#any-of? @_mix "include" "extend" "prepend"))

; Files name each other by constants.
(constant) @ref.type
(scope_resolution) @ref.type

(assignment
  left: [(identifier) (instance_variable) (class_variable) (constant)] @name
  right: [(call) (identifier) (instance_variable)] @value) @bind
(operator_assignment
  left: [(identifier) (instance_variable) (class_variable)] @name
  operator: "||="
  right: (call) @value) @bind
