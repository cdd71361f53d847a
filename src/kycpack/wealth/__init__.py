"""wealth."""
