; What only the JavaScript grammar has.
(field_definition
  property: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method

(class_body
  (field_definition
    property: [(property_identifier) (private_property_identifier)] @name) @definition.field)
