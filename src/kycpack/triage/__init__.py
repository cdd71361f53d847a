"""triage."""
