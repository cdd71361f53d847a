"""The module that packs are forked from can be imported by a server that must not have threads."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = (
    "import threading, kycpack.pack.preload, gc\n"
    "from kycpack.api import connections\n"
    "from kycpack.frames.adapters import csv_layout\n"
    "from kycpack.pack.redact import disclosure\n"
    "from kycpack.triage import policy_file\n"
    "from kycpack.triage.addresses import address_parts\n"
    "from kycpack.triage.details import contradictions\n"
    "from kycpack.triage.names import hanzi, korean\n"
    "from kycpack.wealth.match import own_names\n"
    "tables = (csv_layout.load_layouts, contradictions.read_extents, hanzi._readings, hanzi._cantonese_by_pinyin, korean._hanja, address_parts._vocabulary, own_names._short_form_groups, connections.usual_certificates)\n"
    "print(threading.active_count(), policy_file._load.cache_info().currsize, disclosure.profile_of.cache_info().currsize, gc.get_freeze_count() > 0, *(table.cache_info().currsize for table in tables))"
)

# Afterwards a pack is made, and the files of kycpack that it opens are named.
AGAIN = (
    "\nfrom kycpack import assets\n"
    "from kycpack.pack.preload import review_specimen\n"
    "read, opened = assets.asset_text, []\n"
    "assets.asset_text = lambda name: opened.append(name) or read(name)\n"
    "review_specimen()\n"
    "print(*opened)"
)


@pytest.fixture(scope="module")
def lines() -> list[list[str]]:
    """What a process says of itself that imported it, and the lists that it read for a pack after that."""
    done = subprocess.run([sys.executable, "-c", CODE + AGAIN], check=True, capture_output=True, text=True)  # noqa: S603 - our own code
    return [line.split() for line in done.stdout.split("\n")]


@pytest.fixture(scope="module")
def said(lines: list[list[str]]) -> list[str]:
    """Threads, policies and profiles that are held, whether objects are frozen, and which tables were read."""
    return lines[0]


def test_it_starts_no_thread(said: list[str]) -> None:
    assert said[0] == "1"


def test_it_has_read_what_every_pack_reads(said: list[str]) -> None:
    assert said[1:4] == [
        "1",
        "2",
        "True",
    ]  # one policy, whatever its file is called, and two profiles of redacted copies


def test_it_has_read_what_only_some_packs_read(said: list[str]) -> None:
    assert said[4:] == ["1"] * 8


def test_a_pack_made_after_it_reads_no_list_again(lines: list[list[str]]) -> None:
    assert lines[1:] == [[], []]
