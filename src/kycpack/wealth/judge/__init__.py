"""Fourth step: a disposition for each credit, and what follows from all the dispositions; pure."""
