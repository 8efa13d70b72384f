(class_heritage [(identifier) (member_expression)] @ref.inherit)
(class_heritage (call_expression arguments: (arguments [(identifier) (member_expression)] @ref.inherit)))

(field_definition
  property: (_) @name
  value: [(call_expression) (new_expression) (await_expression) (member_expression) (identifier)] @value) @bind.field

((jsx_opening_element name: (_) @ref.call)
  (#not-match? @ref.call "^[a-z][a-z0-9]*$"))
((jsx_self_closing_element name: (_) @ref.call)
  (#not-match? @ref.call "^[a-z][a-z0-9]*$"))
