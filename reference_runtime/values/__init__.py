"""Values of the API: enumerations, dims, descriptors, formats, weights."""
