"""How soon the command line answers, beside `import pandas`."""

from __future__ import annotations

import subprocess
import sys

from tests.bench.measure import Measurement, in_turn


def run() -> list[Measurement]:
    """Measure `kycpack --help` as a whole process."""

    def process(*arguments: str) -> None:
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)  # noqa: S603 - our interpreter

    ours, peer = in_turn(
        lambda: process("-m", "kycpack", "--help"), lambda: process("-c", "import pandas"), rounds=9
    )
    return [
        Measurement(
            "kycpack --help", ours * 1000, peer * 1000, "ms", "python -c 'import pandas'", "at most 0.50"
        )
    ]
