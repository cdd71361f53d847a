"""Webhooks: deliveries as they are received, and the completed sessions that the service confirms."""
