"""Published graphs by name: what there is, how it is fetched, and how it is unpacked."""
