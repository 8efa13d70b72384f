; What a file takes from another: load("//tools:defs.bzl", "rule", other = "macro").
(call
  function: (identifier) @_load
  (#eq? @_load "load")) @import

; Calls.
(call
  function: (identifier) @name
  arguments: (_) @args) @ref.call

; Functions that are passed: rule(implementation = _impl).
(keyword_argument value: (identifier) @ref.value)
(call arguments: (argument_list (identifier) @ref.value))
