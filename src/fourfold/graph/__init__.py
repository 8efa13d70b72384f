"""The reference graph: from what each file says (symbols, references, imports, types of variables) to edges between
symbols, each with a stated confidence. Pure: no I/O; callers give the facts and keep the arrays."""
