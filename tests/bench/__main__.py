"""`make bench`: every benchmark, each beside a named peer in the same run.

Arguments choose modules, as in `python -m tests.bench flatten derive`.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tests.bench.measure import Measurement


def main() -> None:
    """Run the chosen benchmarks and print a line a measurement as it comes."""
    known = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    chosen = sys.argv[1:] or known
    console = Console()
    unknown = [name for name in chosen if name not in known]
    if unknown:
        sys.exit(f"no benchmark named {', '.join(unknown)}; there are {', '.join(known)}")
    table = Table(title="kycpack beside its peers, medians of one run")
    for heading in ("what", "ours", "peer", "unit", "ours / peer", "peer is", "aim"):
        table.add_column(heading, justify="right" if heading in {"ours", "peer", "ours / peer"} else "left")
    for name in chosen:
        console.print(f"{name} ...", style="dim")
        measurements: list[Measurement] = importlib.import_module(f"tests.bench.bench_{name}").run()
        for line in measurements:
            table.add_row(
                line.name,
                f"{line.ours:,.3g}" if line.ours < 1000 else f"{line.ours:,.0f}",
                "" if line.peer is None else f"{line.peer:,.3g}" if line.peer < 1000 else f"{line.peer:,.0f}",
                line.unit,
                "" if line.ratio is None else f"{line.ratio:.2f}",
                line.peer_name,
                line.aim,
            )
    console.print(table)


if __name__ == "__main__":
    main()
