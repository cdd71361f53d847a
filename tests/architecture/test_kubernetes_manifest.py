"""The CronJob of the page for operators, against the schema that Kubernetes publishes; it comes with the library, so nothing is fetched."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

kubernetes_validate: Any = pytest.importorskip("kubernetes_validate")

_VERSION = "1.31"


@pytest.fixture
def manifest(checkout: Path) -> dict[str, Any]:
    page = (checkout / "docs" / "operations.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(apiVersion: batch.*?)```", page, re.DOTALL)
    read: dict[str, Any] = yaml.safe_load(example)
    return read


def test_the_cron_job_fits_the_schema_and_has_no_unknown_member(manifest: dict[str, Any]) -> None:
    kubernetes_validate.validate(manifest, _VERSION, strict=True)


def test_a_slip_in_it_would_be_found(manifest: dict[str, Any]) -> None:
    manifest["spec"]["startingDeadlineSecond"] = manifest["spec"].pop("startingDeadlineSeconds")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(manifest, _VERSION, strict=True)
