"""A case from source files that exist: their functions, the graph, the inputs, and what is written."""
