"""Reading the leaves of a results document: clear, trouble, plain data, or unknown."""
