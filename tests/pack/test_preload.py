"""The module that packs are forked from can be imported by a server that must not have threads."""

from __future__ import annotations

import subprocess
import sys

CODE = "import threading, kycpack.pack.preload; print(threading.active_count())"


def test_it_starts_no_thread() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], check=True, capture_output=True, text=True)  # noqa: S603 - our own code
    assert done.stdout.strip() == "1"


def test_it_has_read_what_every_pack_reads() -> None:
    code = (
        "import kycpack.pack.preload, gc\n"
        "from kycpack.triage import policy_file\n"
        "print(policy_file._load.cache_info().currsize, gc.get_freeze_count() > 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603 - our own code
    assert done.stdout.split() == ["2", "True"]
