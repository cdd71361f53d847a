"""The help of every command: adds its examples, and shows arguments by name."""

from __future__ import annotations

from typing import Any

from typer.core import TyperArgument

from kycpack.cli.examples import epilog_of


class _NamedArgument(TyperArgument):
    """An argument that help shows as `CASE` or `[CUSTOMER]...`, without the Python type of its value."""

    def _usage_display_name(self) -> str:
        name = self.display_name_raw
        return (name if self.required else f"[{name}]") + ("" if self.nargs == 1 else "...")

    def display_type_rich(self, ctx: Any) -> str | None:
        del ctx
        return None


def complete_help(command: Any, name: str = "") -> None:
    """Add examples and named arguments to the help of a command and of every command below it.

    Args:
        command: A typer command; it is changed in place.
        name: The words that name it, such as `case decide`; empty for the application itself.
    """
    command.epilog = epilog_of(name) or command.epilog
    command.params = [_named(each) for each in command.params]
    for word, below in getattr(command, "commands", {}).items():
        complete_help(below, f"{name} {word}".strip())


def _named(parameter: Any) -> Any:
    if not isinstance(parameter, TyperArgument):
        return parameter
    named = _NamedArgument.__new__(_NamedArgument)
    vars(named).update(vars(parameter))
    return named
