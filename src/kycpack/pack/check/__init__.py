"""Checking a pack, which is read as untrusted input: do its parts agree, can it be made again, where is a number from."""
