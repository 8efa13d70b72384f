; What TSX has and plain TypeScript has not.
((jsx_opening_element name: (_) @ref.call)
  (#not-match? @ref.call "^[a-z][a-z0-9]*$"))
((jsx_self_closing_element name: (_) @ref.call)
  (#not-match? @ref.call "^[a-z][a-z0-9]*$"))
