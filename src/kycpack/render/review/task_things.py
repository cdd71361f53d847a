"""What a task is about, in the words that stand in its request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from kycpack.render.review.short_names import ShortNames
from kycpack.render.review.sums import Sums
from kycpack.render.review.task_kinds import Kind, Task
from kycpack.render.wording import is_absent, text_of
from kycpack.triage.judge.sentences import label_of

LINKED_TWICE = "wealth.linked_twice"
_SOURCES = {
    "record": "the record",
    "document": "the document",
    "bank": "the bank account",
    "statement": "the service's statement",
    "address": "the proof of address",
}


def quoted_head(text: str) -> str:
    """Return what a sentence is about, without its values and its evidence, in quotes."""
    return f"“{text.partition(':')[0].partition(' (')[0].rstrip('. ')}”"


def things_of(
    task: Task,
    path: str,
    rows: Sequence[Mapping[Any, Any]],
    text: str,
    names: ShortNames,
    sums: Sums,
) -> tuple[str, ...]:
    """Return what a task is about, in words; nothing where its words name nothing.

    Args:
        task: The task, without what it is about.
        path: What the findings are about, as in column `path`.
        rows: Rows of frame `findings` that say the same.
        text: What they say.
        names: Short names of sessions and accounts.
        sums: What findings about money are about.
    """
    if "{}" not in task.words:
        return ()
    found: Iterable[str]
    match task.kind:
        case Kind.CREDITS:
            found = (words for row in rows for words in sums.credits_of(text_of(row["sentence"], "")))
            otherwise = quoted_head(text)
        case Kind.PAYMENT:
            entries = [row["evidence_ids"] for row in rows if not is_absent(row["evidence_ids"])]
            found, otherwise = sums.payments_of(chain.from_iterable(entries)), "the payment"
        case Kind.MATCH:
            found, otherwise = (label_of(text_of(row["path"], "")) for row in rows), "a list"
        case Kind.NAMES:
            _, _, *sources = path.replace(".likeness.", ".").split(".")
            found, otherwise = (_SOURCES.get(one, one) for one in sources), "the sources"
        case Kind.ACCOUNTS:
            found = _accounts(path, rows, names)
            otherwise = "the accounts that the finding names"
        case Kind.CHECKS:
            found, otherwise = (text_of(row["title"], "").lower() for row in rows), "the check"
        case _:
            of = (row["session_id"] for row in rows if not is_absent(row["session_id"]))
            found, otherwise = (f"session {names.of(id_)}" for id_ in of), "the session"
    return tuple(dict.fromkeys(found)) or (otherwise,)


def _accounts(path: str, rows: Sequence[Mapping[Any, Any]], names: ShortNames) -> Iterable[str]:
    """Return the accounts that findings name; those that are or may be one as a pair."""
    each = [[*map(names.of, names.ids_in(text_of(row["sentence"], "")))] for row in rows]
    return [" with ".join(one) for one in each if one] if path == LINKED_TWICE else chain.from_iterable(each)
