"""Comparing the customers in scope with the register, the inbox and the service's list, before a run begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from kycpack.cli.connection import register_of
from kycpack.cli.options import client_of
from kycpack.errors import ApiError, ContractError, StatusError
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.api import Client
    from kycpack.batch.population import PopulationProof, Scope

_PATIENCE_SECONDS = 30.0


def population_of(
    chosen: Settings, scope: Scope, customer_ids: Sequence[str], completed_of_nobody: Sequence[str] = ()
) -> tuple[PopulationProof, Mapping[str, bytes]]:
    """Compare the customers of a run with every available list.

    The service is asked for its list only if the scope is meant to cover every customer. If it does not give one, the run
    continues and says so.

    Args:
        chosen: The settings, with credentials.
        scope: Where the customers come from.
        customer_ids: The customers in scope.
        completed_of_nobody: Completed sessions without a known customer.

    Returns:
        The comparison, and the digest of each customer's record as the service lists it; see `record_digest`.
    """
    from kycpack.batch.population import compare_population, covers_everybody
    from kycpack.workspace import Inbox

    with register_of(chosen) as register:
        listed: Mapping[str, bytes] | None = None
        why_not = ""
        if covers_everybody(scope):
            organisations = () if register is None else register.organisations()
            with client_of(chosen) as client:
                patient = client.with_options(max_retries=1, deadline=_PATIENCE_SECONDS)
                listed, why_not = _listed(patient, organisations)
        proof = compare_population(
            scope,
            customer_ids,
            register=None if register is None else register.customer_ids(),
            sessions=None if register is None else register.session_owners(),
            held=() if register is None else Inbox(register.workspace).held(),
            completed_of_nobody=completed_of_nobody,
            listed=listed,
            not_listed_because=why_not,
        )
    return proof, {} if listed is None else listed


def _listed(client: Client, organisations: Iterable[str]) -> tuple[Mapping[str, bytes] | None, str]:
    """Return the records that the service lists, all at once or by organisation, as digests; or None, with the reason."""
    from kycpack.api.listed_records import ListedRecords

    try:
        try:
            return ListedRecords(client.customers.iter()), ""
        except StatusError:
            if not organisations:
                raise
        pages = (client.customers.iter(org_id=org_id) for org_id in organisations)
        return ListedRecords(chain.from_iterable(pages)), ""
    except ApiError as error:
        return None, _why(error)


def _why(error: ApiError) -> str:
    if isinstance(error, StatusError):
        return f"the service answered {error.status}"
    if isinstance(error, ContractError):
        return "the service's list could not be read to the end"
    return "the service could not be reached, or did not answer in time"
