"""The case file: observations about the person, the sessions and the bank data, made from the frames."""
