"""Samples of customers whom a policy cleared: drawing them, people's verdicts, and how many may have been missed."""
