"""The entries of the ledger: what one says, who signs it, how it is written, and the verifier that needs nothing else."""
