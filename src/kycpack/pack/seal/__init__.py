"""Filling the bag of a pack and putting it in its place."""
