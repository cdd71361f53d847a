"""A person who comes back under a like name in a later run is found, though the workspace keeps no name."""

from __future__ import annotations

import gc
import json
import random
import secrets
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest
from sqlalchemy import select

from kycpack.triage.customers.duplicates import same_grounds
from kycpack.workspace import Workspace, learn_identities, schema
from kycpack.workspace.register import identity_marks
from kycpack.workspace.register.identity_marks import NEEDED, same_person_of


def frames(*people: tuple[str, str, str]) -> dict[str, pd.DataFrame]:
    """Frames of customers by id, name and date of birth."""
    customers = pd.DataFrame(
        [(one, *name.split(" ", 1), day, pd.NaT) for one, name, day in people],
        columns=["customer_id", "first_name", "last_name", "date_of_birth_on", "created_at"],
    )
    customers["date_of_birth_on"] = pd.to_datetime(customers["date_of_birth_on"])
    empty = {
        "documents": ["customer_id", "session_id", "kind", "issuing_country", "document_number"],
        "accounts": ["customer_id", "sort_code", "account_number"],
        "results": ["customer_id", "document_outcome", "address_outcome", "identity_outcome", "screening_outcome"],
    }  # fmt: skip
    return {"customers": customers} | {name: pd.DataFrame(columns=columns) for name, columns in empty.items()}


BORN = "1984-05-06"


@pytest.mark.parametrize(
    ("before", "later", "grounds"),
    [
        ("Robert Ashdown", "Robert Ashdown", "the same name and date of birth"),
        ("Robert Ashdown", "Ashdown Robert", "the same name and date of birth"),
        ("Robert Ashdown", "Bob Ashdown", "the same date of birth and like names (a short form of a name)"),
        ("Robert Ashdown", "Robert Ashdwn", "the same date of birth and like names (a slip of the pen)"),
        ("Robert Ashdown", "Robert James Ashdown", "the same date of birth and like names (one has a further name)"),
        ("Robert Ashdown", "R Ashdown", "the same date of birth and like names (an initial stands for a name)"),
        (
            "Aleksandr Petrov", "Alexander Petrov",
            "the same date of birth and like names (another spelling of the same sounds)",
        ),
        ("Robert Ashdown", "Rupert Ashdown", None),
        ("Robert Ashdown", "Bob Okonkwo", None),
    ],
)  # fmt: skip
def test_a_like_name_is_found_over_earlier_runs(
    tmp_path: Path, before: str, later: str, grounds: str | None
) -> None:
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        learn_identities(workspace, [frames(("c-1", before, BORN), ("c-0", "Zofia Nowak", BORN))])
        learn_identities(workspace, [frames(("c-2", later, BORN))])
        learn_identities(workspace, [frames(("c-3", later, "1984-05-07"))])
        with workspace.reading() as connection:
            found = same_person_of(connection, ["c-1", "c-2", "c-3"])
            stored = connection.execute(select(schema.identity_marks)).all()
    said = {
        (mine, one["customerId"]): one["grounds"]
        for mine, body in found.items()
        for one in body["samePerson"]
    }
    expected = {} if grounds is None else {("c-1", "c-2"): [grounds], ("c-2", "c-1"): [grounds]}
    assert said == expected
    text = " ".join(str(cell) for row in stored for cell in row).casefold()
    assert not any(
        word.casefold() in text for word in (*before.split(), *later.split(), BORN) if len(word) > 1
    )


def test_a_name_that_was_corrected_leaves_no_mark(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        learn_identities(workspace, [frames(("c-1", "Robert Ashdown", BORN))])
        learn_identities(workspace, [frames(("c-1", "Zofia Kowalczyk", BORN))])
        learn_identities(workspace, [frames(("c-2", "Bob Ashdown", BORN))])
        with workspace.reading() as connection:
            assert same_person_of(connection, ["c-1", "c-2"]) == {}


def crowd(count: int, seed: int) -> list[dict[str, pd.DataFrame]]:
    """Frames of one customer each, many of whom share a name, a date of birth, a document or an account."""
    drawn = random.Random(seed)  # noqa: S311 - the same people each time
    names = (
        "Robert Ashdown",
        "Bob Ashdown",
        "Zofia Nowak",
        "Robert Ashdwn",
        "Ashdown Robert",
        "Piotr Okonkwo",
    )
    made = []
    for number in range(count):
        one = f"c-{drawn.randrange(10**6)}-{number}"
        day = drawn.choice(("1984-05-06", "1990-01-02", "1990-01-03", ""))
        made.append(frames((one, drawn.choice(names), day)))
        made[-1]["documents"] = pd.DataFrame(
            [(one, f"s-{one}", "identity", "PL", "PL", drawn.choice(("EK1234567", f"EK{number:07}")))],
            columns=[*NEEDED["documents"]],
        )
        made[-1]["accounts"] = pd.DataFrame(
            [(one, "20-00-27", drawn.choice(("12345678", "87654321", f"{number:08}")))],
            columns=[*NEEDED["accounts"]],
        )
    return made


def together(parts: Sequence[Mapping[str, pd.DataFrame]]) -> dict[str, pd.DataFrame]:
    return {name: pd.concat([part[name] for part in parts], ignore_index=True) for name in NEEDED}


@pytest.mark.parametrize("seed", range(3))
def test_customers_learned_a_few_at_a_time_are_learned_as_all_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    people = crowd(40, seed)
    expected, _ = same_grounds(together(people))
    held = []
    monkeypatch.setattr(secrets, "token_hex", lambda size: "0" * 2 * size)
    for most in (1, 7, 40):
        monkeypatch.setattr(identity_marks, "_TOGETHER", most)
        parts = [together(people[first : first + most]) for first in range(0, 40, most)]
        with Workspace.open(tmp_path / f"{most}.db") as workspace:
            # Earlier pairs stay only where the customers are still alike.
            learn_identities(workspace, [together(crowd(40, seed + 100)[:20])])
            learn_identities(workspace, parts)
            with workspace.reading() as connection:
                tables = (schema.identity_marks, schema.seen_customers, schema.alike_customers)
                held.append([sorted(map(tuple, connection.execute(select(table)))) for table in tables])
    assert held[0] == held[1] == held[2]
    pairs = {(one, other): json.loads(said) for one, other, said in held[0][2]}
    ids = set(together(people)["customers"]["customer_id"])
    assert {pair: said for pair, said in pairs.items() if ids.issuperset(pair)} == {
        pair: {kind: list(kinds) for kind, kinds in grounds.items()} for pair, grounds in expected.items()
    }
    assert {len(said) for said in pairs.values()} == {1, 2, 3}


def test_a_pair_that_is_no_longer_alike_is_forgotten_though_learned_in_parts(tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        learn_identities(workspace, [frames(("c-1", "Robert Ashdown", BORN), ("c-2", "Bob Ashdown", BORN))])
        learn_identities(
            workspace, [frames(("c-2", "Zofia Nowak", BORN)), frames(("c-1", "Robert Ashdown", BORN))]
        )
        with workspace.reading() as connection:
            assert not connection.execute(select(schema.alike_customers)).all()


def test_customers_who_are_compared_are_not_held_in_memory(tmp_path: Path) -> None:
    held: list[int] = []

    def parts(count: int) -> Iterator[dict[str, pd.DataFrame]]:
        for first in range(0, count, 50):
            born = ((n, f"{1930 + n % 70}-{1 + n // 70 % 12:02}-06") for n in range(first, first + 50))
            yield frames(*((f"c-{n}", f"Ada Lovelace{n % 9}", day) for n, day in born))
        gc.collect()
        held.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()  # what follows is compared a few at a time, and takes three times as long if traced

    for count in (200, 200, 600):
        with Workspace.open(tmp_path / f"{len(held)}.db") as workspace:
            if held:  # the first time, statements are compiled too
                tracemalloc.start()
            try:
                learn_identities(workspace, parts(count))
            finally:
                tracemalloc.stop()
    assert 0 < held[2] < held[1] + 400 * 200


def test_what_is_kept_of_a_customer_stays_small(tmp_path: Path) -> None:
    names = (
        "Robert Ashdown",
        "Robert James Featherstonehaugh",
        "Alex van der Berg",
        "Maria del Carmen Garcia Lopez",
    )
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        learn_identities(workspace, [frames(*((f"c-{n}", name, BORN) for n, name in enumerate(names)))])
        with workspace.reading() as connection:
            kept = Counter(row.customer_id for row in connection.execute(select(schema.identity_marks)))
    assert kept["c-0"] <= 30
    assert max(kept.values()) <= 250
