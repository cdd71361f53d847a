"""Webhooks: registered endpoints, where they may point, and the one delivery of each event."""
