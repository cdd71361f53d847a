"""The page of settings holds every setting, and none that does not exist."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

from kycpack.settings import Settings


def test_the_page_has_each_variable_and_no_other(checkout: Path) -> None:
    page = (checkout / "docs" / "settings.md").read_text()
    rows = re.findall(r"^\| `(KYCPACK_[A-Z_]+)` \|", page, re.MULTILINE)
    assert sorted(rows) == sorted(f"KYCPACK_{field.name.upper()}" for field in dataclasses.fields(Settings))
