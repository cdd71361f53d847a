"""Third step: credits by payer, and how often each pays; pure."""
