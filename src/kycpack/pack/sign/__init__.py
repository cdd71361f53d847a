"""Signatures of a pack, of its PDFs and of the statement of what it was made from; these modules need the extra `signing`."""
