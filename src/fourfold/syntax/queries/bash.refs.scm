(command
  name: (command_name) @_source
  (#any-of? @_source "source" ".")) @import

(command name: (command_name (word) @name)) @ref.call

; Functions that are handed to a command: trap cleanup EXIT.
(command argument: (word) @ref.value)
