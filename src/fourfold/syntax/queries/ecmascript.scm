; What JavaScript and TypeScript share.
(function_declaration
  name: (identifier) @name
  body: (statement_block) @body) @definition.function

(generator_function_declaration
  name: (identifier) @name
  body: (statement_block) @body) @definition.function

(class_declaration
  name: (_) @name
  body: (class_body) @body) @definition.class

(method_definition
  name: [(property_identifier) (private_property_identifier) (computed_property_name) (string)] @name
  body: (statement_block) @body) @definition.method

; An exported definition begins at its export.
(export_statement
  declaration: (function_declaration
    name: (identifier) @name
    body: (statement_block) @body)) @definition.function

(export_statement
  declaration: (generator_function_declaration
    name: (identifier) @name
    body: (statement_block) @body)) @definition.function

(export_statement
  declaration: (class_declaration
    name: (_) @name
    body: (class_body) @body)) @definition.class

(export_statement
  value: (_ name: (_) @name body: (_) @body)) @definition.function

; A constant that holds a function is a function, one that holds a class is a class.
(lexical_declaration
  (variable_declarator
    name: (identifier) @name
    value: [(arrow_function body: (_) @body)
            (function_expression body: (_) @body)
            (generator_function body: (_) @body)])) @definition.function

(variable_declaration
  (variable_declarator
    name: (identifier) @name
    value: [(arrow_function body: (_) @body)
            (function_expression body: (_) @body)
            (generator_function body: (_) @body)])) @definition.function

(export_statement
  declaration: (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: [(arrow_function body: (_) @body)
              (function_expression body: (_) @body)]))) @definition.function

(lexical_declaration
  (variable_declarator
    name: (identifier) @name
    value: (class body: (class_body) @body))) @definition.class

; Wrapped functions: memo(() => ...), forwardRef(...), useCallback at module level.
(program
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: (call_expression
        arguments: (arguments . [(arrow_function body: (_) @body)
                                 (function_expression body: (_) @body)])))) @definition.function)

(program
  (export_statement
    declaration: (lexical_declaration
      (variable_declarator
        name: (identifier) @name
        value: (call_expression
          arguments: (arguments . [(arrow_function body: (_) @body)
                                   (function_expression body: (_) @body)]))))) @definition.function)

; Foo.prototype.bar = function () {}, exports.run = () => {}, module.exports.x = ...
(assignment_expression
  left: (member_expression) @qualified
  right: [(arrow_function body: (_) @body)
          (function_expression body: (_) @body)]) @definition.function

(assignment_expression
  left: (member_expression) @qualified
  right: (class body: (_) @body)) @definition.class

; Members that are functions.
(pair
  key: (property_identifier) @name
  value: [(arrow_function body: (_) @body)
          (function_expression body: (_) @body)]) @definition.function

; Values of a module.
(program
  (lexical_declaration
    (variable_declarator name: (identifier) @name)) @definition.variable)

(program
  (variable_declaration
    (variable_declarator name: (identifier) @name)) @definition.variable)

(program
  (export_statement
    declaration: (lexical_declaration
      (variable_declarator name: (identifier) @name))) @definition.variable)

; Imports.
(import_statement) @import
(export_statement source: (string)) @import
(variable_declarator
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string)))
  (#eq? @_require "require")) @import
