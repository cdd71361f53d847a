"""Comparing the names of people, firms and account holders, in any script."""
