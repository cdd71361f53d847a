"""YAML with line numbers, restricted to what a policy needs.

Standard YAML would change the meaning of a policy: `NO` (Norway) would be false, `1_000` a number, a date a date, and the last of
two equal names would win silently. Here only `true`, `false`, `null` and plain numbers are not text, names are unique,
and anchors are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import yaml

from kycpack.assets import YAML_LOADER
from kycpack.errors import PolicyError

_LARGEST = 1_000_000
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER = re.compile(r"[+-]?[0-9]{1,30}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,30}\.[0-9]{1,10}")


@dataclass(frozen=True, slots=True)
class Node:
    """A value in the file and its place there.

    Args:
        value: A scalar (`str int Decimal bool None`), a list of nodes, or a dict of nodes.
        place: File and line, such as `default-uk.yaml, line 12`.
    """

    value: Any
    place: str

    def error(self, message: str) -> PolicyError:
        """Return an error that names this place."""
        return PolicyError(message, place=self.place)

    def members(self, allowed: tuple[str, ...] = (), required: tuple[str, ...] = ()) -> dict[str, Node]:
        """Return the members of a mapping.

        Args:
            allowed: Names that are allowed, including the required ones; empty for any.
            required: Names that are required.

        Raises:
            PolicyError: It is not a mapping, has other names, or lacks a required one.
        """
        if not isinstance(self.value, dict):
            raise self.error("expected a mapping of names to values")
        for name, node in self.value.items():
            if allowed and name not in allowed:
                raise node.error(f"unknown name {name!r}; known here: {', '.join(allowed)}")
        for name in required:
            if name not in self.value:
                raise self.error(f"{name!r} is missing")
        return self.value

    def items(self) -> list[Node]:
        """Return the items of a list.

        Raises:
            PolicyError: It is not a list.
        """
        if not isinstance(self.value, list):
            raise self.error("expected a list")
        return self.value

    def text(self) -> str:
        """Return text that is not empty.

        Raises:
            PolicyError: It is not text, or is empty.
        """
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.error("expected text")
        return self.value

    def scalar(self) -> Any:
        """Return a scalar.

        Raises:
            PolicyError: It is a list or a mapping.
        """
        if isinstance(self.value, list | dict):
            raise self.error("expected a single value")
        return self.value

    def boolean(self) -> bool:
        """Return true or false.

        Raises:
            PolicyError: It is neither.
        """
        if not isinstance(self.value, bool):
            raise self.error("expected true or false")
        return self.value

    def plain(self) -> Any:
        """Return the value without places."""
        if isinstance(self.value, dict):
            return {name: node.plain() for name, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


def read_nodes(text: str, name: str) -> Node:
    """Return a YAML file as nodes.

    Args:
        text: The file's text.
        name: The file's name in errors.

    Raises:
        PolicyError: It is not YAML, is larger than a policy can be, uses anchors, or has a name twice.
    """
    if len(text) > _LARGEST:
        raise PolicyError("larger than a policy can be", place=name)
    try:
        for event in yaml.parse(text, Loader=YAML_LOADER):
            if getattr(event, "anchor", None):
                raise PolicyError(
                    "anchors and aliases are not used here", place=_place(name, event.start_mark)
                )
        root = yaml.compose(text, Loader=YAML_LOADER)
        if root is None:
            raise PolicyError("empty", place=name)
        return _node(root, name)
    except yaml.MarkedYAMLError as error:
        raise PolicyError(f"not YAML: {error.problem}", place=_place(name, error.problem_mark)) from None
    except (yaml.YAMLError, RecursionError):
        raise PolicyError("not YAML", place=name) from None


def _place(name: str, mark: Any) -> str:
    return name if mark is None else f"{name}, line {mark.line + 1}"


def _node(node: yaml.Node, name: str) -> Node:
    place = _place(name, node.start_mark)
    if isinstance(node, yaml.MappingNode):
        return Node(dict(_members(node, name)), place)
    if isinstance(node, yaml.SequenceNode):
        return Node([_node(item, name) for item in node.value], place)
    return Node(_scalar(node) if isinstance(node, yaml.ScalarNode) else None, place)


def _members(node: yaml.MappingNode, name: str) -> Iterator[tuple[str, Node]]:
    seen: set[str] = set()
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise PolicyError("a name must be text", place=_place(name, key.start_mark))
        if key.value in seen:
            raise PolicyError(f"{key.value!r} is given twice", place=_place(name, key.start_mark))
        seen.add(key.value)
        # The line of the name is where a reader looks, even if the value is below it.
        yield key.value, Node(_node(value, name).value, _place(name, key.start_mark))


def _scalar(node: yaml.ScalarNode) -> Any:
    text: str = node.value
    if node.style:  # written in quotes or as a block
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return Decimal(text) if _DECIMAL.fullmatch(text) else text
