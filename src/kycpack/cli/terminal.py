"""Output to the terminal: lines, tables and JSON.

Results go to standard output, everything else to standard error, so that `--json` can be piped. Text from outside is shown
but never interpreted: escape sequences, text direction overrides and table markup have no effect.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kycpack.errors import ConfigurationError

if TYPE_CHECKING:
    import pandas as pd

_WIDE = 200
_READABLE = 24
_BESIDE_EACH = 3  # characters that the table adds to each column
_INDENT = 4
_NAME = "kycpack"
_PART_OF_A_SECOND = re.compile(r"(?<=T\d\d:\d\d:\d\d)\.\d+(?=Z$)")


def visible(text: object) -> str:
    """Return text in which control characters of a terminal are shown as their code."""
    return "".join(
        character if character.isprintable() else f"\\u{ord(character):04x}" for character in str(text)
    )


def say(*lines: str) -> None:
    """Write lines for people to standard error."""
    sys.stderr.writelines(f"{visible(line)}\n" for line in lines)
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


def print_line(document: Mapping[str, Any]) -> None:
    """Write a document to standard output as one line of JSON, for a program that reads while the command runs."""
    sys.stdout.write(ascii_json(json.dumps(document)) + "\n")
    sys.stdout.flush()


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame, each with its values by column; a missing value is None."""
    plain = frame.astype(object).where(frame.notna(), None)
    return [{str(name): value for name, value in row.items()} for row in plain.to_dict("records")]


def answer(document: Any, *lines: str, as_json: bool) -> None:
    """Write the result of a command: as a JSON document, or as lines for people.

    Args:
        document: The result as JSON.
        *lines: The result for people.
        as_json: Whether `--json` was given.
    """
    if as_json:
        print_json(document)
    else:
        say(*lines)


def answer_table(
    document: Any,
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *lines: str,
    as_json: bool,
) -> None:
    """Write the result of a command: as a JSON document, or for people as a table and the lines after it; see `print_table`."""
    if as_json:
        print_json(document)
    else:
        print_table(title, columns, rows)
        say(*lines)


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write a table to standard output; columns whose name ends in `#` are right-aligned.

    The first column, mostly ids, is not wrapped as long as it leaves the others half of the line. On a terminal too narrow to
    read the longest column beside the others, each row has it below, on lines of its own; see `_blocks`.

    Args:
        title: The line above it.
        columns: The names of the columns.
        rows: Their values; without any, a line says so. None is shown as a dash, and an instant without fractions of a second.
    """
    if not rows:
        sys.stdout.write(f"{visible(title)}: none\n")
        return
    from rich import box
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # A pipe has no width: wrapping ids would only break them for the next program.
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDE)
    cells = [
        ["-" if value is None else _PART_OF_A_SECOND.sub("", visible(value)) for value in row] for row in rows
    ]
    names = [name.removesuffix("#") for name in columns]
    widths = [max(map(cell_len, column)) for column in zip(names, *cells, strict=True)]
    console.print(
        Text(visible(title), style="italic"), soft_wrap=True
    )  # a table is often narrower than its title
    if sys.stdout.isatty() and _is_too_wide(widths, console.width):
        for first, rest in _blocks(
            names, cells, widths, [name.endswith("#") for name in columns], console.width
        ):
            console.print()
            console.print(Text(first), soft_wrap=True)
            for piece in Text(rest).wrap(console, max(1, console.width - _INDENT)):
                console.print(Text(" " * _INDENT) + piece, soft_wrap=True)
        return
    table = Table(box=box.SIMPLE_HEAD)
    for place, name in enumerate(columns):
        table.add_column(
            name.removesuffix("#"),
            justify="right" if name.endswith("#") else "left",
            overflow="fold",
            no_wrap=place == 0 and widths[0] <= console.width // 2,
        )
    for row in cells:
        table.add_row(*map(Text, row))
    console.print(table)


def _is_too_wide(widths: Sequence[int], width: int) -> bool:
    """Return whether the longest column but the first cannot be read beside the others, by their widths in characters."""
    if len(widths) == 1:
        return False
    longest = max(widths[1:])
    return width - sum(widths) + longest - _BESIDE_EACH * len(widths) < min(longest, _READABLE)


def _blocks(
    names: Sequence[str],
    cells: Sequence[Sequence[str]],
    widths: Sequence[int],
    right: Sequence[bool],
    width: int,
) -> Iterator[tuple[str, str]]:
    """Yield the rows of a table that is too wide, each as a line and what is below it.

    The longest column is below the others; if the others are too wide as well, all but the first are, each with its name.
    """
    below = max(range(1, len(widths)), key=widths.__getitem__)
    room = width - sum(widths) + widths[below]
    if room < len(widths) - 2:
        for row in cells:
            yield (
                row[0],
                "; ".join(f"{name}: {value}" for name, value in zip(names[1:], row[1:], strict=True)),
            )
        return
    gap = " " * min(2, room // max(1, len(widths) - 2))
    for row in (names, *cells):
        beside = [
            row[each].rjust(widths[each]) if right[each] else row[each].ljust(widths[each])
            for each in range(len(widths))
            if each != below
        ]
        yield gap.join(beside).rstrip(), row[below]


def ask_secret(what: str, variable: str) -> str:
    """Ask for a secret in the terminal and do not show it.

    Args:
        what: What is asked for, in a word.
        variable: The setting that makes asking unnecessary.

    Raises:
        ConfigurationError: There is no terminal.
    """
    from kycpack.batch.hidden_input import ask_hidden

    typed = ask_hidden(f"{what.capitalize()}: ")
    if typed is None:
        raise ConfigurationError(
            f"the {what} must be typed in a terminal, and there is none; set {variable} instead"
        )
    return typed
