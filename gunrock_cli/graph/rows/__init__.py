"""From edges to rows: sorted, doubled, cleaned and turned round, in arrays or by compiled code."""
