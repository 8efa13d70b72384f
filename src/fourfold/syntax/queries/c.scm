; Old-style definitions: int f(a) int a; { ... } keep the same node in this grammar.
(function_definition
  declarator: (function_declarator declarator: (function_declarator declarator: (identifier) @name))
  body: (compound_statement) @body) @definition.function
