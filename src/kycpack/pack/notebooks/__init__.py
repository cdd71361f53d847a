"""The notebook of a review: which one it is, running its cells in a process of its own, and the form that is stored."""
