"""Entities as listed in the files in `data/entities/`: a name and its aliases, with kind, country and type."""

from __future__ import annotations

from dataclasses import dataclass

import yaml

from kycpack.assets import YAML_LOADER
from kycpack.wealth.prepare.plain_text import to_plain_words

WHOLE_ONLY = "~"  # before an alias: an ordinary word or name, matched only if it is the whole text
OF_PAYMENT = "^"  # before an alias: the name of a payment, which any sender can write: it indicates the payer and proves nothing
NO_ALIAS = "!"  # before a name: the entity's name in kycpack, never matched


@dataclass(frozen=True)
class Entity:
    """A known payer.

    Args:
        id: Kind and name, as in `gambling.bet365`; unique.
        name: Canonical name.
        kind: Its kind, such as `bank` or `gambling`; the files in `data/entities/` list all kinds.
        country: ISO 3166 codes of the countries the entry is for, separated by spaces.
        type: Type of wealth of its credits unless something else says otherwise; None if none is implied.
        source: File that lists it, with the date of the list.
        by_payment: Whether only the name of what it pays was found, as in `STATE PENSION`.
    """

    id: str
    name: str
    kind: str
    country: str
    type: str | None
    source: str
    by_payment: bool = False


@dataclass(frozen=True)
class Listed:
    """An entity with its aliases, as written in a file."""

    entity: Entity
    aliases: tuple[str, ...]
    whole_only: tuple[str, ...]
    of_payment: tuple[str, ...] = ()


def read_entities(name: str, text: str) -> list[Listed]:
    """Return the entities of one file.

    Each line of a group's `entities` has a name and its aliases, separated by semicolons; anything after ` # ` is a note.

    Args:
        name: Name of the file, for the entities' source.
        text: Its content.
    """
    document = yaml.load(text, Loader=YAML_LOADER)  # noqa: S506 - a safe loader
    source = f"{name}, {document['as_of']}"
    return [
        one
        for group in document["groups"]
        for one in read_lines(group["kind"], group["entities"], group.get("type"), source, group["country"])
    ]


def read_lines(kind: str, lines: str, type_: str | None, source: str, country: str = "") -> list[Listed]:
    """Return the entities of lines, each with a name and its aliases.

    Args:
        kind: Kind of the entities.
        lines: The lines.
        type_: Type of wealth of their credits unless something else says otherwise.
        source: Where the lines come from.
        country: ISO 3166 codes, separated by spaces.
    """
    fields = [
        [field.strip() for field in line.partition(" # ")[0].split(";")]
        for line in lines.splitlines()
        if line.strip()
    ]
    names = [one[0].lstrip(WHOLE_ONLY + OF_PAYMENT + NO_ALIAS) for one in fields]
    slugs = [plain.replace(" ", "-") for plain in to_plain_words(names)]
    listed = []
    for one, called, slug in zip(fields, names, slugs, strict=True):
        entity = Entity(f"{kind}.{slug}", called, kind, country, type_, source)
        aliases = [field for field in one if field and not field.startswith(NO_ALIAS)]
        listed.append(
            Listed(
                entity,
                tuple(alias for alias in aliases if not alias.startswith((WHOLE_ONLY, OF_PAYMENT))),
                tuple(alias[1:].strip() for alias in aliases if alias.startswith(WHOLE_ONLY)),
                tuple(alias[1:].strip() for alias in aliases if alias.startswith(OF_PAYMENT)),
            )
        )
    return listed
