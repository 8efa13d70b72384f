(method) @definition.function

(singleton_method) @definition.function

(class
  name: [(constant) (scope_resolution)] @qualified) @definition.class

(module
  name: [(constant) (scope_resolution)] @qualified) @definition.module

(assignment left: (constant) @name) @definition.constant

; Struct.new("...") do ... end, Class.new(Base) do ... end
(assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_base
    method: (identifier) @_new
    block: (_) @body)
  (#any-of? @_base "Struct" "Class" "Data")
  (#any-of? @_new "new" "define")) @definition.class

(assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_base
    method: (identifier) @_new
    block: (_) @body)
  (#eq? @_base "Module")
  (#eq? @_new "new")) @definition.module

; attr_accessor :total
(call
  method: (identifier) @_attr
  arguments: (argument_list (simple_symbol) @name)
  (#any-of? @_attr "attr_accessor" "attr_reader" "attr_writer")) @definition.field

(call
  method: (identifier) @_define
  arguments: (argument_list . (simple_symbol) @name)
  block: (_) @body
  (#any-of? @_define "define_method" "scope")) @definition.method

(alias) @definition.function

(call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list (string))
  (#any-of? @_require "require" "require_relative" "load" "autoload" "gem")) @import
