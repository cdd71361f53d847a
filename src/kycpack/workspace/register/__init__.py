"""The register: the customers, sessions and payments that are known, and customers who seem to be the same person."""
