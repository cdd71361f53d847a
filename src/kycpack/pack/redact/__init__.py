"""Redacted copies of a pack: the commitment to its fields, and a copy that shows some of them and can be checked."""
