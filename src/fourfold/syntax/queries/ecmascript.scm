; What JavaScript and TypeScript share.
(function_declaration) @definition.function

(generator_function_declaration) @definition.function

(class_declaration) @definition.class

(method_definition) @definition.method

; Decorators before an export belong to the class after it.
(export_statement
  decorator: (decorator)
  declaration: (class_declaration name: (_) @name body: (_) @body) @head) @definition.class

; A default export may be an expression with a name.
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
          (function_expression body: (_) @body)]
  (#not-eq? @qualified "module.exports")) @definition.function

(assignment_expression
  left: (member_expression) @qualified
  right: (class body: (_) @body)
  (#not-eq? @qualified "module.exports")) @definition.class

; module.exports = function run() {}: what is exported goes by its own name where it has one.
(assignment_expression
  left: (member_expression) @_whole
  right: (function_expression name: (identifier) @name body: (_) @body)
  (#eq? @_whole "module.exports")) @definition.function

(assignment_expression
  left: (member_expression) @_whole
  right: (class name: (_) @name body: (_) @body)
  (#eq? @_whole "module.exports")) @definition.class

(assignment_expression
  left: (member_expression) @qualified
  right: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body)]
  (#eq? @qualified "module.exports")) @definition.function

(assignment_expression
  left: (member_expression) @qualified
  right: (class !name body: (_) @body)
  (#eq? @qualified "module.exports")) @definition.class

; Members that are functions.
(pair
  key: (property_identifier) @name
  value: [(arrow_function body: (_) @body)
          (function_expression body: (_) @body)]) @definition.method

; Tests: describe("a thing", () => { it("works", () => {}) })
(call_expression
  function: [
    (identifier) @_runner
    (member_expression object: (identifier) @_runner)
  ]
  arguments: (arguments
    . [(string) (template_string)] @name
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_runner "describe" "it" "test" "suite" "context" "specify")) @definition.test

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
(variable_declarator
  value: (member_expression
    object: (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string))))
  (#eq? @_require "require")) @import
