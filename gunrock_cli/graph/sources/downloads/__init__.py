"""Published graphs by name: their catalogue, how they are downloaded and unpacked."""
