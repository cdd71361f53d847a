"""Comparing addresses by their parts, and what the parts say of a place."""
