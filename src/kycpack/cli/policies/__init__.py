"""Policies: checking, comparing and trying them on past runs."""
