"""Members that say that something is there or was given: well of what every capture shows, and bad news of a second person or thing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

# A second one of these, or one in the background, is bad news however live or confirmed it is.
_ONES = frozenset(
    {"face", "faces", "person", "persons", "people", "voice", "voices", "account", "accounts", "device", "devices", "phone", "screen", "applicant", "customer", "user"}
    | {"selfie", "document", "documents", "photo", "photos", "text", "name", "address", "image"}
)  # fmt: skip
_FURTHER = frozenset(
    {
        "second",
        "secondary",
        "background",
        "multi",
        "multiple",
        "overlay",
        "other",
        "another",
        "additional",
        "extra",
    }
)
# A security feature, such as a multiple laser image.
_FEATURES = frozenset(
    {
        "laser",
        "ghost",
        "pattern",
        "patterns",
        "ink",
        "security",
        "hologram",
        "feature",
        "print",
        "printing",
        "colour",
        "color",
    }
)
_PICTURES = frozenset({"photo", "portrait", "picture", "image", "selfie"})
_SHOWN = frozenset(
    {"document", "doc", "front", "back", "page", "side", "face", "photo", "portrait", "picture", "image", "selfie", "signature", "mrz", "barcode", "chip"}
    | {"text", "corners", "edges", "borders", "card", "passport", "licence", "license", "id", "head", "eyes", "hologram"}
)  # fmt: skip
_AS_SHOWN = frozenset(
    {
        "visible",
        "present",
        "readable",
        "legible",
        "recognised",
        "recognized",
        "shown",
        "captured",
        "supported",
    }
)
_HOW_SHOWN = frozenset(
    {"fully", "clearly", "completely", "whole", "entire", "full", "all", "physical", "original", "is", "are", "the" }
)  # fmt: skip
_AROUND_SHOWN = frozenset(
    {"insights", "checks", "check", "validation", "validations", "quality", "capture", "content", "integrity", "usability", "analysis", "results", "features", "security"}
)  # fmt: skip
_CONSENTED = frozenset(
    {
        "biometric",
        "biometrics",
        "data",
        "processing",
        "marketing",
        "user",
        "customer",
        "applicant",
        "privacy",
        "gdpr",
        "terms",
        "has",
        "is",
    }
)


def is_of_second_one(own: Collection[str]) -> bool:
    """Return whether a name is about a further person or thing, as in `multiplePersonConfirmed` or `sameFace`.

    Args:
        own: The words of the name.
    """
    said = {*own}
    # The same face as whose is not said.
    is_bare = said in ({"same", "face"}, {"same", "device"})
    return is_bare or (
        not (said.isdisjoint(_FURTHER) or said.isdisjoint(_ONES)) and said.isdisjoint(_FEATURES)
    )


def is_shown(own: Collection[str], around: Collection[str], value: Any) -> bool:
    """Return whether a member says that what every capture should show is there, as in `documentFrontFullyVisible`.

    Args:
        own: The words of the name.
        around: The words of the groups around it.
        value: Its value; only true says so.
    """
    said = {*own}
    return (
        value is True
        and not said.isdisjoint(_SHOWN)
        and not said.isdisjoint(_AS_SHOWN)
        and said <= _SHOWN | _AS_SHOWN | _HOW_SHOWN
        # A picture of a picture is a copy.
        and sum(part in _PICTURES for part in own) <= 1
        and {*around} <= _SHOWN | _AROUND_SHOWN
    )


def gives_consent(own: Sequence[str], value: Any) -> bool:
    """Return whether a member says that the customer gave a usual consent, as in `biometricConsent`."""
    return value is True and own[-1:] == ["consent"] and {*own[:-1]} <= _CONSENTED
