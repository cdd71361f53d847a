"""Dated lists of countries, as policies use them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from kycpack.errors import PolicyError
from kycpack.triage.nodes import read_nodes


@dataclass(frozen=True, slots=True)
class CountryList:
    """A list of jurisdictions as it was published on a day.

    Attributes:
        id: Its name.
        title: What it is.
        published: ISO 8601 date of publication; what came later is not in it.
        source: Where it was published.
        digest: SHA-256 of the file's bytes.
        codes: ISO 3166-1 codes, of two and of three letters.
        names: The names in the list, case folded.
    """

    id: str
    title: str
    published: str
    source: str
    digest: str
    codes: frozenset[str]
    names: frozenset[str]

    def holds(self, country: str) -> bool | None:
        """Tell whether a country is on the list; None when it is neither a code nor a name of the list.

        Args:
            country: A code of two or three letters, or a name.
        """
        folded = country.strip()
        if folded.upper() in self.codes or folded.casefold() in self.names:
            return True
        is_code = folded.isascii() and folded.isalpha() and len(folded) in {2, 3}
        return False if is_code else None


def read_country_list(text: str, name: str) -> CountryList:
    """Return a country list from its file.

    Args:
        text: The file's text, YAML.
        name: What to call it in errors.

    Raises:
        PolicyError: It does not parse; the error names file and line.
    """
    top = read_nodes(text, name).members(
        ("id", "title", "published", "source", "note", "jurisdictions"),
        ("id", "title", "published", "source", "jurisdictions"),
    )
    codes: set[str] = set()
    names: set[str] = set()
    for item in top["jurisdictions"].items():
        entry = item.members(("alpha2", "alpha3", "name"), ("alpha2", "alpha3", "name"))
        two, three = entry["alpha2"].text(), entry["alpha3"].text()
        if (
            len(two) != 2
            or len(three) != 3
            or not (two + three).isalpha()
            or (two + three) != (two + three).upper()
        ):
            raise PolicyError("expected codes of two and three capital letters", place=item.place)
        if two in codes or three in codes:
            raise PolicyError(f"{two} is listed twice", place=item.place)
        codes |= {two, three}
        names.add(entry["name"].text().casefold())
    return CountryList(
        id=top["id"].text(),
        title=top["title"].text(),
        published=top["published"].text(),
        source=top["source"].text(),
        digest=hashlib.sha256(text.encode()).hexdigest(),
        codes=frozenset(codes),
        names=frozenset(names),
    )
