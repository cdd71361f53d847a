"""The command line: one module per command, in folders by what it is about, and no heavy import before a command needs it."""

from __future__ import annotations

from kycpack.cli.application import app, main

__all__ = ["app", "main"]
