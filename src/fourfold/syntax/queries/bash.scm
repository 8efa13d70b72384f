(function_definition) @definition.function

(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)

(command
  name: (command_name) @_source
  (#any-of? @_source "source" ".")) @import
