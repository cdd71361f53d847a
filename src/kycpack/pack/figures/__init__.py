"""Where each printed number comes from: the map of figures, its pointers into the evidence, and the check that stands alone."""
