"""An installed wheel, away from the checkout, does the main job."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def test_an_installed_wheel_makes_packs_outside_the_checkout(checkout: Path, tmp_path: Path) -> None:
    def run(*command: str, **environment: str) -> str:
        done = subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, *command],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path / "dist"), str(checkout))
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    site = tmp_path / "site"
    run(
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--no-compile",
        "--target",
        str(site),
        str(wheel),
    )
    where = run("-c", "import kycpack; print(kycpack.__file__)", PYTHONPATH=str(site)).strip()
    assert Path(where).is_relative_to(site)

    report = json.loads(
        run("-m", "kycpack", "demo", "--customers", "1", "--out", "packs", "--json", PYTHONPATH=str(site))
    )
    assert report["in_scope"] == report["produced"] == 1
    assert (tmp_path / "packs" / "index.html").is_file()
    (pack,) = (path.parent for path in (tmp_path / "packs").glob("*/bagit.txt"))
    run("-m", "kycpack", "verify", str(pack), PYTHONPATH=str(site))
