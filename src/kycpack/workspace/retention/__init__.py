"""Records past their retention date: which they are, and erasing them."""
