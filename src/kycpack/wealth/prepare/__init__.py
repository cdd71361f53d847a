"""First step: transactions taken in, checked, deduplicated, and read for codes, words and payers; pure."""
