"""Output to the terminal: lines, tables and JSON.

Results go to standard output, everything else to standard error, so that `--json` can be piped. Text from outside is shown
but never interpreted: escape sequences, text direction overrides and table markup have no effect.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

_WIDE = 200
_NAME = "kycpack"
_PART_OF_A_SECOND = re.compile(r"(?<=T\d\d:\d\d:\d\d)\.\d+(?=Z$)")


def visible(text: object) -> str:
    """Return text in which control characters of a terminal are shown as their code."""
    return "".join(
        character if character.isprintable() else f"\\u{ord(character):04x}" for character in str(text)
    )


def say(line: str) -> None:
    """Write a line for people to standard error."""
    sys.stderr.write(f"{visible(line)}\n")
    sys.stderr.flush()


def program() -> str:
    """Return what to type to run this program: its name if the shell can find it, otherwise how it was called."""
    called = Path(sys.argv[0])
    if called.name != _NAME:
        return _NAME
    found = shutil.which(_NAME)
    return _NAME if found and called.exists() and Path(found).samefile(called) else str(called)


def say_error(message: str) -> None:
    """Write an error as one line to standard error."""
    say(f"kycpack: {' '.join(message.split())}")


def ascii_json(text: str) -> str:
    """Return JSON with all non-ASCII characters escaped: they occur only in strings, and a terminal might interpret them."""
    return re.sub(r"[^\x00-\x7e]", lambda found: json.dumps(found[0])[1:-1], text)


def print_json(document: Any) -> None:
    """Write a document to standard output as JSON, in ASCII; decimals are written as numbers with all their digits."""
    import orjson

    def plain(value: Any) -> Any:
        return orjson.Fragment(format(value, "f")) if isinstance(value, Decimal) else str(value)

    text = orjson.dumps(
        document,
        default=plain,
        option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATETIME,
    ).decode()
    sys.stdout.write(ascii_json(text) + "\n")
    sys.stdout.flush()


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write a table to standard output; columns whose name ends in `#` are right-aligned.

    Args:
        title: The line above it.
        columns: The names of the columns.
        rows: Their values; None is shown as a dash, and an instant without fractions of a second.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for name in columns:
        table.add_column(
            name.removesuffix("#"),
            justify="right" if name.endswith("#") else "left",
            overflow="fold",
            no_wrap=name == columns[0],
        )
    for row in rows:
        table.add_row(
            *(Text("-" if value is None else _PART_OF_A_SECOND.sub("", visible(value))) for value in row)
        )
    # A pipe has no width: wrapping ids would only break them for the next program.
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDE)
    console.print(
        Text(visible(title), style="italic"), soft_wrap=True
    )  # a table is often narrower than its title
    console.print(table)
