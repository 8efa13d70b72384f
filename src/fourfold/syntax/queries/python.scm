; Definitions. A decorated one is met twice; the wider match wins.
(function_definition) @definition.function

(class_definition) @definition.class

(decorated_definition
  definition: (function_definition
    name: (identifier) @name) @head) @definition.function

(decorated_definition
  definition: (class_definition
    name: (identifier) @name) @head) @definition.class

; Values of modules and classes.
(module
  (expression_statement
    (assignment left: (identifier) @name)) @definition.variable)

(module
  (expression_statement
    (assignment left: (pattern_list (identifier) @name))) @definition.variable)

; ... also under a condition: if TYPE_CHECKING, try/except ImportError.
(module
  [(if_statement
     (block (expression_statement (assignment left: (identifier) @name)) @definition.variable))
   (try_statement
     (block (expression_statement (assignment left: (identifier) @name)) @definition.variable))
   (if_statement (else_clause
     (block (expression_statement (assignment left: (identifier) @name)) @definition.variable)))
   (try_statement (except_clause
     (block (expression_statement (assignment left: (identifier) @name)) @definition.variable)))])

(class_definition
  body: (block
    (expression_statement
      (assignment left: (identifier) @name)) @definition.field))

(type_alias_statement
  left: (type (identifier) @name)) @definition.type

; What the file leans on, and what it says of itself.
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import

(module . (comment)* . (expression_statement (string) @doc))
