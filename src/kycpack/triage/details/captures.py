"""Files that a session uses for two captures, for example one file as the selfie and as the document's portrait."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from kycpack.triage.case_file import Observation
from kycpack.triage.results.identity_documents import letters_of
from kycpack.triage.results.result_dates import dates_of, place_of
from kycpack.triage.results.vocabulary import Vocabulary, name_words

_WORDS = {
    "selfie": "the selfie",
    "video": "the video of the person",
    "portrait": "the portrait",
    "front": "the front of the document",
    "back": "the back of the document",
    "proof": "the proof of address",
    "document": "the document",
    "identity": "the identity check",
    "address": "the proof of address",
}
_SECTIONS = frozenset({"document", "identity", "address"})
_HASH = re.compile(r"[0-9a-f]{12,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SIGNED = re.compile(r"sig|token|expires|policy", re.IGNORECASE)
_FILE_NAME = re.compile(r"[0-9]{4}|[0-9a-f-]{16}", re.IGNORECASE)
_SHORTEST, _SHORTEST_NUMBER = 3, 5


class _File(NamedTuple):
    """What the path of a leaf says about a file.

    Attributes:
        capture: Which capture it is; empty if the path does not say.
        section: Its section, if it is one of the three with files; otherwise empty.
        identifies: The last word of its name, such as `sha` or `url`; empty if the name is only that of the capture.
        in_list: Whether its group is a list of files.
    """

    capture: str
    section: str
    identifies: str
    in_list: bool


def shared_captures(
    seen: Sequence[Observation], telling: Sequence[Observation], media: Sequence[Any], vocabulary: Vocabulary
) -> Iterator[tuple[Observation, str]]:
    """Yield the files that are used for two captures of a session.

    Args:
        seen: The observations of the session.
        telling: Those whose path no rule judges, or that name an authority or a file.
        media: Its rows of `media`.
        vocabulary: Says which members are files, and of which capture.

    Yields:
        The second of the two, and a description such as `one file for the selfie and the portrait under “media” in the section
        “identity”`.
    """
    first: dict[str, tuple[str, str]] = {}
    for one, value, capture, section in _files(seen, telling, vocabulary):
        known = first.setdefault(value, (capture, section))
        if not _is_one(known, (capture, section)):
            yield one, f"one file for {_WORDS[known[0]]} and {_WORDS[capture]}{place_of(one.path)}"
    files: dict[str, str] = {}
    for row in media:
        said = next((text for text in (row.type, row.file_name, row.description) if text), "")
        capture, _ = _capture(tuple(name_words(said)), vocabulary)
        for key in (row.sha256, f"id {row.media_id}") if capture else ():
            known_capture = files.setdefault(key, capture) if key else capture
            if known_capture != capture:
                words = f"one file in the session's media for {_WORDS[known_capture]} and {_WORDS[capture]}"
                yield Observation("media", key, (row.evidence_id,)), words


def names_file(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf identifies the file of a capture."""
    return _file(path, vocabulary) is not None


def _files(
    seen: Sequence[Observation], telling: Sequence[Observation], vocabulary: Vocabulary
) -> Iterator[tuple[Observation, str, str, str]]:
    """Yield the leaves that identify the file of a capture: the leaf, the file, the capture and the section."""
    roles: dict[str, str] | None = None
    for one in telling:
        if not one.of_results or not isinstance(one.value, str | Decimal):
            continue
        file = _file(one.path, vocabulary)
        value = _identifier(one.value, file) if file is not None else ""
        if file is None or not value:
            continue
        if roles is None:
            roles = _roles(seen, vocabulary)
        capture = file.capture or roles.get(one.path.rpartition(".")[0], "") or file.section
        if capture:
            yield one, value, capture, file.section


def _is_one(known: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether two names may mean the same capture: they are equal, or one names a section and the other a capture in it."""
    return known[0] == other[0] or (
        known[1] == other[1] and bool({known[0], other[0]} & _SECTIONS) and bool(known[1])
    )


def _roles(seen: Sequence[Observation], vocabulary: Vocabulary) -> dict[str, str]:
    """Return the capture that a member next to a file names, by the group of both."""
    found: dict[str, str] = {}
    for one in seen:
        group, _, name = one.path.rpartition(".")
        if one.of_results and isinstance(one.value, str) and name.casefold() in vocabulary["role_names"]:
            capture, _ = _capture(tuple(name_words(one.value)), vocabulary)
            if capture:
                found.setdefault(group, capture)
    return found


# Most sessions have the same leaves.
@lru_cache(maxsize=65_536)
def _file(path: str, vocabulary: Vocabulary) -> _File | None:
    """Return what a path says about a file; None if it is not about a file."""
    steps = [name_words(step) for step in path.split(".")]
    section = path.partition(".")[0]
    words, names = vocabulary["file_words"], vocabulary["file_names"]
    capture, rest = _capture(tuple(steps[-1]), vocabulary)
    rest = tuple(word for word in rest if not word.isdigit())
    identifies = rest[-1] if rest and rest[-1] in names else ""
    if not {*rest[: -1 if identifies else None]} <= words or (rest[:-1] == ("document",) and not capture):
        return None
    around = [step for step in steps[:-1] if not all(word.isdigit() for word in step)]
    in_list = bool(around) and bool({*around[-1]} & (names | words - _SECTIONS))
    if not identifies and not capture:
        return None
    if section in _SECTIONS:
        around = around[1:]
    for step in reversed(around):
        if capture:
            break
        capture, others = _capture(tuple(step), vocabulary)
        if not {*others} <= words:
            return None
    return _File(capture, section if section in _SECTIONS else "", identifies, in_list)


def _capture(words: tuple[str, ...], vocabulary: Vocabulary) -> tuple[str, tuple[str, ...]]:
    """Return the last capture that the words name, and the other words; the capture is empty if they name none."""
    for end in range(len(words), 0, -1):
        for start in range(end):
            capture = vocabulary.captures.get("".join(words[start:end]), "")
            if capture:
                return capture, words[:start] + words[end:]
    return "", words


def _identifier(value: str | Decimal, file: _File) -> str:
    """Return the value that identifies the file, in a form that can be compared; empty if it identifies none."""
    text = f"{value:f}" if isinstance(value, Decimal) else value.strip()
    if not text or " " in text or dates_of(text):
        return ""
    if "://" in text or text.startswith("/"):
        place, _, query = text.partition("?")
        if not place.partition("://")[2].strip("/").count("/") and not text.startswith("/"):
            return ""
        return place if _SIGNED.search(query) else text
    text = text.rpartition(":")[2].casefold()
    if not file.identifies and not file.in_list and not _HASH.fullmatch(text):
        return ""
    if file.identifies in {"file", "filename", "path"} and not _FILE_NAME.search(text):
        return ""
    plain = letters_of(text)
    shortest = _SHORTEST_NUMBER if plain.isdigit() else _SHORTEST
    return text if len(plain) >= shortest and any(map(str.isdigit, plain)) else ""
