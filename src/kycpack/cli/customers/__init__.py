"""Customers: the register, webhooks about them, and what is collected and derived for one of them."""
