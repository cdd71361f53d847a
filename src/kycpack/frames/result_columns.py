"""The members of the interface out of the leaves of results documents: one typed column each, one row a document."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kycpack.errors import InputError
from kycpack.frames.answer_fields import date, whole
from kycpack.frames.answer_members import RESULT_MEMBERS
from kycpack.frames.json_columns import KINDS, Leaves

Numbers = npt.NDArray[np.int64]

_STRING, _NUMBER, _NULL, _UNREADABLE = (
    KINDS.index(kind) for kind in ("string", "number", "null", "unreadable")
)
_PATHS = tuple(RESULT_MEMBERS)
# AnswerFields that tell who or where somebody is are text and nothing else; a check may be a word, a boolean or a count.
_TOLD = frozenset(
    path
    for path in _PATHS
    if path.startswith(("document.holder.", "document.document.", "address.extractedAddress."))
    or path.endswith((".outcome", ".checkType"))
)


class ResultColumns:
    """Typed columns of the members, and what is missing or was not expected.

    Args:
        leaves: Of the documents.
        document: The number of each leaf's document.
        count: How many documents there are.

    Attributes:
        columns: By path.
        present: Whether a document has a member that is not null; documents by members.
        wrong: By document, the members that are not what was expected, with their kind.
        has_wrong: Whether a document has any.
    """

    def __init__(self, leaves: Leaves, document: Numbers, count: int) -> None:
        self.present = np.zeros((count, len(_PATHS)), dtype=bool)
        self.wrong: dict[int, list[tuple[str, str]]] = {}
        self.columns: dict[str, pa.Array] = {}
        order = np.argsort(leaves.path, kind="stable")
        bounds = np.searchsorted(leaves.path[order], np.arange(len(leaves.paths) + 1))
        number_of = {path: number for number, path in enumerate(leaves.paths)}
        for member, path in enumerate(_PATHS):
            number = number_of.get(path)
            rows = order[:0] if number is None else order[bounds[number] : bounds[number + 1]]
            rows = rows[leaves.kind[rows] != _NULL]
            self.present[document[rows], member] = True
            self.columns[path] = self._column(path, leaves, document, rows, count)
        self.has_wrong = np.zeros(count, dtype=bool)
        self.has_wrong[list(self.wrong)] = True

    def _column(self, path: str, leaves: Leaves, document: Numbers, rows: Numbers, count: int) -> pa.Array:
        dtype = RESULT_MEMBERS[path]
        kind = leaves.kind[rows]
        good = (
            kind == _STRING
            if path in _TOLD
            else kind == _NUMBER
            if dtype in {"Float64", "Int64"}
            else kind != _UNREADABLE
        )
        made: pa.Array
        if dtype == "Float64":
            values = np.full(count, np.nan)
            values[document[rows[good]]] = leaves.score[rows[good]]
            made = pa.array(values, from_pandas=True)
        else:
            place = np.full(count, -1, dtype=np.int64)
            place[document[rows[good]]] = rows[good]
            text = leaves.text.take(pa.array(place, mask=place < 0))
            made = text.dictionary_encode() if dtype == "category" else text
            if dtype in {"date", "Int64"}:
                made, understood = _read_texts(text, _read_date if dtype == "date" else _read_whole, dtype)
                good = good & understood[document[rows]]
        for row in rows[~good]:
            self.wrong.setdefault(int(document[row]), []).append((path, KINDS[leaves.kind[row]]))
        return made


def _read_texts(
    text: pa.Array, read: Callable[[str], Any], dtype: str
) -> tuple[pa.Array, npt.NDArray[np.bool_]]:
    """Read each distinct text once; tells for every row whether it was understood."""
    encoded = text.dictionary_encode()
    values = [_try(read, word) for word in encoded.dictionary.to_pylist()]
    typed = pa.array(values, pa.timestamp("s") if dtype == "date" else pa.int64())
    made = typed.take(encoded.indices)
    return made, made.is_valid().to_numpy(zero_copy_only=False)


def _try(read: Callable[[str], Any], word: str) -> Any:
    try:
        return read(word)
    except (ValueError, InputError):
        return None


def _read_date(word: str) -> Any:
    return date(word)


def _read_whole(word: str) -> int:
    return whole(Decimal(word))
