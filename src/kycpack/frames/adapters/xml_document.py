"""Reads XML from outside: no document type, no entities, no external resources, and a size limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import ExpatError

from kycpack.errors import ConfigurationError, StatementFileError

MOST_DEPTH = 64
"""The deepest nesting of elements that is read; statements have about 15 levels."""

_LINE = "line number"  # a space cannot be in an attribute's name, so nothing in a document is overwritten


def read_xml(data: bytes, name: str) -> Element:
    """Return the root of a document; `line_of` returns the line of each element.

    Args:
        data: The document.
        name: Its name in errors.

    Raises:
        StatementFileError: The document is not well formed, declares a document type, or is nested too deep.
        ConfigurationError: The library is not installed.
    """
    try:
        from defusedxml import DefusedXmlException  # noqa: PLC0415 - an extra
        from defusedxml.ElementTree import DefusedXMLParser, ParseError  # noqa: PLC0415
    except ImportError:
        raise ConfigurationError(
            "XML needs the extra `statements`: pip install kycpack[statements]"
        ) from None
    builder = _Builder()
    parser = DefusedXMLParser(target=builder, forbid_dtd=True)
    builder.place = lambda: parser.parser.CurrentLineNumber
    try:
        parser.feed(data)
        root: Element = parser.close()
    except DefusedXmlException:
        raise StatementFileError(
            "declares a document type or entities, which no statement has", place=name
        ) from None
    except _TooDeepError:
        raise StatementFileError(f"is nested deeper than {MOST_DEPTH} elements", place=name) from None
    except (ParseError, ExpatError, ValueError, LookupError) as error:
        line = getattr(error, "position", (None,))[0]
        raise StatementFileError("is not well-formed XML", place=f"{name}:{line}" if line else name) from None
    return root


def line_of(element: Element) -> int:
    """Return the line of the document on which an element starts."""
    return int(element.attrib[_LINE])


class _TooDeepError(Exception):
    """The document is nested deeper than any statement."""


class _Builder(TreeBuilder):
    """Builds the tree, and records the line of each element."""

    def __init__(self) -> None:
        super().__init__()
        self.place: Callable[[], int] = int
        self._depth = 0

    def start(self, tag: str, attrs: dict[Any, Any], /) -> Element:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise _TooDeepError
        return super().start(tag, {**attrs, _LINE: str(self.place())})

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag)


def children(element: Element, name: str) -> Iterator[Element]:
    """Yield the children with a local name, whatever their namespace."""
    return (child for child in element if local_name(child) == name)


def local_name(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def find(element: Element | None, path: str) -> Element | None:
    """Return the first element at a path of local names, as in `BookgDt/Dt`."""
    for name in path.split("/"):
        if element is None:
            return None
        element = next(children(element, name), None)
    return element


def text_at(element: Element | None, *paths: str) -> str | None:
    """Return the first text that is present and not blank."""
    for path in paths:
        found = find(element, path)
        if found is not None and found.text and found.text.strip():
            return found.text.strip()
    return None
