"""Second step: credits that are a customer's own money moving or coming back; pure."""
