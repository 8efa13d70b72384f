(call
  target: (identifier) @_keyword
  (arguments . (alias) @qualified)
  (do_block) @body
  (#eq? @_keyword "defmodule")) @definition.module

(call
  target: (identifier) @_keyword
  (arguments . (alias) @qualified)
  (do_block) @body
  (#eq? @_keyword "defprotocol")) @definition.interface

(call
  target: (identifier) @_keyword
  (arguments . (alias) (keywords (pair value: (alias) @name)))
  (do_block) @body
  (#eq? @_keyword "defimpl")) @scope

(call
  target: (identifier) @_keyword
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")
    (binary_operator left: (identifier) @name operator: "when")
  ])
  (do_block)? @body
  (#any-of? @_keyword "def" "defp" "defdelegate" "defn" "defnp")) @definition.function

(call
  target: (identifier) @_keyword
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")
  ])
  (do_block)? @body
  (#any-of? @_keyword "defmacro" "defmacrop" "defguard" "defguardp")) @definition.macro

(call
  target: (identifier) @_keyword
  (arguments . (string) @name)
  (do_block) @body
  (#any-of? @_keyword "test" "describe" "property")) @definition.test

; Attributes that hold values, and types.
(do_block
  (unary_operator
    operand: (call
      target: (identifier) @name
      (arguments))
    (#not-match? @name "^(.*doc|spec|typep?|opaque|(macro)?callback|impl|deprecated|since|behaviour|dialyzer|.*tag|derive|compile|external_resource|before_compile|after_compile|on_load|enforce_keys|optional_callbacks|requirements)$"))
  @definition.constant)

(unary_operator
  operand: (call
    target: (identifier) @_keyword
    (arguments (binary_operator
      left: [(identifier) @name (call target: (identifier) @name)]
      operator: "::")))
  (#any-of? @_keyword "type" "typep" "opaque")) @definition.type

(unary_operator
  operand: (call
    target: (identifier) @_keyword
    (arguments (binary_operator
      left: (call target: (identifier) @name)
      operator: "::")))
  (#any-of? @_keyword "callback" "macrocallback")) @definition.function

(unary_operator
  operand: (call
    target: (identifier) @_keyword
    (arguments (string) @doc))
  (#eq? @_keyword "moduledoc"))

(call
  target: (identifier) @_keyword
  (arguments)
  (#any-of? @_keyword "use" "import" "alias" "require")) @import
