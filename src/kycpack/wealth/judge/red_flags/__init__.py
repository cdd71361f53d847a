"""Red flags: patterns of money that a reviewer has to look at."""
