"""The ledger as a whole: reading and verifying it, its agreement with the tables, exports and anchors."""
