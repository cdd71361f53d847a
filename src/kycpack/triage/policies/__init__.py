"""A policy as data: its rules, the questions they ask, and the conditions that answer."""
