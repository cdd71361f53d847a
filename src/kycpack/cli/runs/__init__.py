"""Batches: running, watching and reading them."""
