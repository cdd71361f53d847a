"""Comparing the customers in scope of a run with those who should be: the register, the inbox and the service's list.

The interface lists customers but not sessions. So customers are compared with the register and the service's list, and
sessions with the register and the inbox. A customer without a known session is named before the run, since the pack cannot
have verification results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kycpack.models.listed import counted
from kycpack.render.wording import population_words
from kycpack.storage.scratch import Scratch

Scope = Literal["all", "file", "completed", "chosen"]
"""Where the customers of a run come from; only the first two are meant to cover every customer."""

_MOST_NAMED = 20


def covers_everybody(scope: Scope) -> bool:
    """Return whether a scope is meant to cover every customer."""
    return scope in {"all", "file"}


@dataclass(frozen=True, slots=True)
class PopulationProof:
    """The customers in scope of a run when it began, compared with the lists of those who should be.

    Attributes:
        scope: Where the customers in scope come from: `all` of the register, a `file`, the `completed` sessions, or ids that
            were `chosen`.
        in_scope: How many customers are in scope.
        in_register: How many customers the register has; None without a register.
        listed: How many customers the service lists; None if it was not asked, or did not give a complete list.
        not_listed_because: Why the service's list is missing; empty if it is not.
        missing_from_register: Customers in scope who are not in the register.
        missing_from_service: Customers in scope whom the service does not list.
        left_out_of_register: Customers of the register who are not in scope; None if the scope is not meant to cover everybody.
        left_out_of_service: Customers whom the service lists who are not in scope; None in the same case.
        without_session: Customers in scope without a known session.
        sessions_of_nobody: Sessions without a known customer.
        sessions_held: Sessions that webhook deliveries name but the register does not have.
        completed_of_nobody: Completed sessions without a known customer, which wait for a pack.
    """

    scope: Scope
    in_scope: int
    in_register: int | None = None
    listed: int | None = None
    not_listed_because: str = ""
    missing_from_register: tuple[str, ...] = ()
    missing_from_service: tuple[str, ...] = ()
    left_out_of_register: tuple[str, ...] | None = None
    left_out_of_service: tuple[str, ...] | None = None
    without_session: tuple[str, ...] = ()
    sessions_of_nobody: tuple[str, ...] = ()
    sessions_held: tuple[str, ...] = ()
    completed_of_nobody: tuple[str, ...] = ()

    @property
    def sessions_without_pack(self) -> int:
        """How many sessions a run for completed sessions cannot make a pack for, because their customer is not known."""
        return len(self.completed_of_nobody) + len(self.sessions_held) if self.scope == "completed" else 0

    def sentences(self) -> Iterator[str]:
        """Yield what an operator should know before the run, in sentences."""
        if without := self.without_session:
            yield (
                f"{len(without):,} of {counted(self.in_scope, 'customer')} {_has(without)} no known session, so the review cannot "
                f"have verification results; import sessions with `kycpack register import`: {_named(without)}"
            )
        for customers, where, what in (
            (self.missing_from_register, "in scope", "not in the register"),
            (self.missing_from_service, "in scope", "not on the service's list of customers"),
            (self.left_out_of_register or (), "of the register", "not in scope"),
            (self.left_out_of_service or (), "on the service's list", "not in scope"),
        ):
            if customers:
                count = counted(len(customers), "customer")
                yield f"{count} {where} {_is(customers)} {what}: {_named(customers)}"
        if unknown := self.sessions_of_nobody:
            yield (
                f"{counted(len(unknown), 'session')} {_has(unknown)} no known customer; add customers with "
                f"`kycpack register import`: {_named(unknown)}"
            )
        if held := self.sessions_held:
            count = counted(len(held), "session")
            yield f"{count} named in deliveries {_is(held)} not in the register: {_named(held)}"
        if covers_everybody(self.scope) and self.not_listed_because:
            yield f"the customers were not compared with the service's list: {self.not_listed_because}"


def compare_population(
    scope: Scope,
    customer_ids: Iterable[str],
    *,
    register: Iterable[str] | None = None,
    sessions: Iterable[tuple[str, str | None]] | None = None,
    held: Sequence[str] = (),
    completed_of_nobody: Sequence[str] = (),
    listed: Iterable[str] | None = None,
    not_listed_because: str = "",
) -> PopulationProof:
    """Compare the customers in scope with every available list.

    Args:
        scope: Where the customers in scope come from.
        customer_ids: The customers in scope, each once.
        register: The customers of the register; None without a register.
        sessions: The sessions in the register, each with its customer, None for an unknown one; None without a register.
        held: Sessions that webhook deliveries name but the register does not have.
        completed_of_nobody: Completed sessions without a known customer.
        listed: The customers whom the service lists; None without a complete list.
        not_listed_because: Why the list is missing.
    """
    lists = _Lists()
    of_nobody: list[str] = []
    lists.add("scope", customer_ids)
    lists.add("register", register or ())
    lists.add("service", listed or ())
    lists.add("sessions", _owners(sessions or (), of_nobody))
    is_everybody = covers_everybody(scope)
    return PopulationProof(
        scope=scope,
        in_scope=lists.count("scope"),
        in_register=None if register is None else lists.count("register"),
        listed=None if listed is None else lists.count("service"),
        not_listed_because=not_listed_because,
        missing_from_register=() if register is None else lists.only("scope", "register"),
        missing_from_service=() if listed is None else lists.only("scope", "service"),
        left_out_of_register=lists.only("register", "scope")
        if is_everybody and register is not None
        else None,
        left_out_of_service=lists.only("service", "scope") if is_everybody and listed is not None else None,
        without_session=() if sessions is None else lists.only("scope", "sessions"),
        sessions_of_nobody=tuple(sorted(of_nobody)),
        sessions_held=tuple(held),
        completed_of_nobody=tuple(completed_of_nobody),
    )


class _Lists:
    """Lists of customers, in a temporary file."""

    def __init__(self) -> None:
        self._kept = Scratch(
            "CREATE TABLE lists (name TEXT, customer_id TEXT, PRIMARY KEY (name, customer_id)) WITHOUT ROWID"
        )

    def add(self, name: str, customer_ids: Iterable[str]) -> None:
        self._kept.write("INSERT OR IGNORE INTO lists VALUES (?, ?)", ((name, one) for one in customer_ids))

    def count(self, name: str) -> int:
        return int(self._kept.value("SELECT count(*) FROM lists WHERE name = ?", (name,)))

    def only(self, name: str, other: str) -> tuple[str, ...]:
        """Return the customers of one list who are not on another, sorted."""
        query = """
            SELECT customer_id FROM lists AS here WHERE name = ? AND NOT EXISTS
            (SELECT 1 FROM lists WHERE name = ? AND customer_id = here.customer_id) ORDER BY customer_id
        """
        return tuple(one for (one,) in self._kept.rows(query, (name, other)))


def _owners(sessions: Iterable[tuple[str, str | None]], of_nobody: list[str]) -> Iterator[str]:
    """Yield the customers of sessions; those without a known customer are added to a list."""
    for session_id, customer_id in sessions:
        if customer_id is None:
            of_nobody.append(session_id)
        elif customer_id:
            yield customer_id


def population_problems(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield each contradiction between the population in a manifest and the manifest's customers.

    Args:
        manifest: The content of the manifest of a run.
    """
    said = manifest.get("population")
    if said is None:
        return
    named = {str(one["customer_id"]) for one in manifest["customers"]}
    if said["in_scope"] != len(named):
        yield f"the manifest of the run compares {said['in_scope']} customers with register and service, but names {len(named)}"
    yield from (
        f"{name} of the manifest of the run has customers who were not in scope"
        for name in ("missing_from_register", "missing_from_service", "without_session")
        if not named.issuperset(said[name])
    )
    yield from (
        f"{name} of the manifest of the run has customers who were in scope"
        for name in ("left_out_of_register", "left_out_of_service")
        if not named.isdisjoint(said[name] or ())
    )


def population_sentence(manifest: Mapping[str, Any]) -> str:
    """Return a sentence with what the manifest of a run says about its population; empty if it says nothing.

    Args:
        manifest: The content of the manifest of a run.
    """
    said = manifest.get("population")
    if said is None:
        return ""
    return f"{population_words(said)} These are the run's own figures."


def _named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _MOST_NAMED:,} more" if len(ids) > _MOST_NAMED else ""
    return ", ".join(ids[:_MOST_NAMED]) + more


def _has(ids: Sequence[str]) -> str:
    return "has" if len(ids) == 1 else "have"


def _is(ids: Sequence[str]) -> str:
    return "is" if len(ids) == 1 else "are"
