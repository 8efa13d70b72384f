; What TSX has and plain TypeScript has not.
(jsx_opening_element name: (_) @ref.call)
(jsx_self_closing_element name: (_) @ref.call)
