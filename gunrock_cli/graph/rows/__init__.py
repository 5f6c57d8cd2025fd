"""Turn edges into rows: sorted, doubled, cleaned and reversed, in arrays or by compiled code."""
