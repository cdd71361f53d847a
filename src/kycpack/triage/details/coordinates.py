"""Coordinates in the results that lie outside the country of the address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from kycpack.assets import asset_text
from kycpack.triage.case_file import Observation
from kycpack.triage.countries import country_name
from kycpack.triage.located_yaml import read_nodes
from kycpack.triage.results.leaf_details import axis_of
from kycpack.triage.results.result_dates import place_of
from kycpack.triage.results.vocabulary import Vocabulary

_FILE = "countries/extents.yaml"
_PAIR = re.compile(
    r"(?:^|\.)(?:gps|coordinates|coords|position|latlng|latlon|lnglat)\.([01])$", re.IGNORECASE
)
_COUNTRY = "address.extractedAddress.country"
_TOLERANCE = Decimal("0.5")  # degrees: half an hour's drive across a border

Box = tuple[Decimal, Decimal, Decimal, Decimal]
"""The western, southern, eastern and northern edge of a part of a country, in degrees."""


def distant_coordinates(
    seen: Sequence[Observation], telling: Sequence[Observation], vocabulary: Vocabulary
) -> Iterator[tuple[Observation, str]]:
    """Yield the latitudes of points outside the country of the proof of address.

    Args:
        seen: The observations of one session.
        telling: Those whose path no rule judges, or that name an authority or a file.
        vocabulary: Says which members are coordinates.

    Yields:
        The latitude, and a description such as `coordinates outside the country of the address under “device” in the section “identity”`.
    """
    found: dict[str, dict[str, Observation]] = {}
    for one in telling:
        axis = axis_of(one.path, vocabulary) if one.of_results else ""
        if not axis and one.of_results and (pair_of := _PAIR.search(one.path)):
            axis = ("latitude", "longitude")[int(pair_of[1])]
        if axis:
            found.setdefault(one.path.rpartition(".")[0], {})[axis] = one
    if not found:
        return
    country = next((one.value for one in seen if one.of_results and one.path == _COUNTRY), None)
    boxes = read_extents().get(country_name(country) or "") if isinstance(country, str) else None
    for pair in found.values():
        latitude, longitude = (_degrees(pair.get(axis)) for axis in ("latitude", "longitude"))
        if boxes is None or latitude is None or longitude is None:
            continue
        # In a list of two, either may come first.
        orders = [(latitude, longitude)]
        if _PAIR.search(pair["latitude"].path):
            orders.append((longitude, latitude))
        if not any(_holds(box, *order) for box in boxes for order in orders):
            one = pair["latitude"]
            yield one, f"coordinates outside the country of the address{place_of(one.path)}"


def _degrees(seen: Observation | None) -> Decimal | None:
    if seen is None or not isinstance(seen.value, str | Decimal):
        return None
    try:
        degrees = Decimal(seen.value)
    except InvalidOperation:
        return None
    return degrees if degrees.is_finite() else None


def _holds(box: Box, latitude: Decimal, longitude: Decimal) -> bool:
    west, south, east, north = box
    return (
        south - _TOLERANCE <= latitude <= north + _TOLERANCE
        and west - _TOLERANCE <= longitude <= east + _TOLERANCE
    )


@lru_cache(maxsize=1)
def read_extents() -> dict[str, tuple[Box, ...]]:
    """Return the extents of each country, by its name."""
    top = read_nodes(asset_text(_FILE), _FILE).members(("id", "extents"), ("id", "extents"))
    return {
        country_name(code) or code: tuple(
            (edges[0], edges[1], edges[2], edges[3])
            for edges in ([Decimal(edge.scalar()) for edge in box.items()] for box in node.items())
        )
        for code, node in top["extents"].members().items()
    }
