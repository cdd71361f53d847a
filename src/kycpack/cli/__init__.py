"""The command line: one module per command, and no heavy import before a command needs it."""

from __future__ import annotations

from kycpack.cli.application import app, main

__all__ = ["app", "main"]
