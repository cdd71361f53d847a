"""Cases: who works on them, decisions, samples, reports, the ledger and its people, and retention."""
