"""The module that packs are forked from can be imported by a server that must not have threads."""

from __future__ import annotations

import subprocess
import sys

CODE = "import threading, kycpack.pack.preload; print(threading.active_count())"


def test_it_starts_no_thread() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], check=True, capture_output=True, text=True)  # noqa: S603 - our own code
    assert done.stdout.strip() == "1"
