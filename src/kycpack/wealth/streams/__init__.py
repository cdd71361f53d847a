"""Third step: credits grouped by payer, and how often each payer pays; pure."""
