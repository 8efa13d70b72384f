; What only TSX has: see tsx.refs.scm.
