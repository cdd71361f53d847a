"""Packs: making one, signing, checking, tracing and redacting them."""
