"""The parts of a console page: facts, tables, texts and actions. One template renders them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Tone = Literal["", "good", "watch", "alarm", "quiet"]


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A value to show.

    Attributes:
        text: The text; empty for a dash.
        href: Address of the link; empty for no link.
        tone: Tone of the badge; empty for no badge.
        mono: Whether it is an id or code.
        number: Whether it is right-aligned.
        new_tab: Whether the link opens in a new tab, as for the portal.
    """

    text: str
    href: str = ""
    tone: Tone = ""
    mono: bool = False
    number: bool = False
    new_tab: bool = False


@dataclass(frozen=True, slots=True)
class BoardTable:
    """Rows under a heading.

    Attributes:
        title: The heading.
        columns: Names of the columns.
        rows: A cell for each column.
        empty: Text if there are no rows.
        older: Link to the next rows; empty for none.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[BoardCell, ...], ...]
    empty: str
    older: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of a field, and its label."""

    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Field:
    """An input of a form.

    Attributes:
        name: Its name.
        label: Its label.
        kind: `text`, `number`, `hidden`; `select` if there are choices.
        value: Initial value.
        choices: The choices.
        required: Whether the browser requires it.
    """

    name: str
    label: str = ""
    kind: str = "text"
    value: str = ""
    choices: tuple[Choice, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """A form with a button.

    Attributes:
        title: Heading; forms without one are shown side by side.
        path: Path that the form is sent to.
        button: Label of the button.
        fields: Its inputs.
        note: What it does, in one sentence.
        grave: Whether it deletes or ends something.
    """

    title: str
    path: str
    button: str
    fields: tuple[Field, ...] = ()
    note: str = ""
    grave: bool = False


@dataclass(frozen=True, slots=True)
class BoardPassage:
    """A preformatted text of several lines, such as JSON."""

    title: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A page.

    Attributes:
        title: Its heading.
        section: Its entry in the navigation.
        lead: One or two sentences under the heading.
        notice: The result of an action, or why it failed.
        notice_tone: Tone of the notice.
        facts: Names and values.
        search: Fields of the filter form.
        tables: Its tables.
        passages: Its texts.
        actions: Its actions.
        status: HTTP status.
    """

    title: str
    section: str
    lead: str = ""
    notice: str = ""
    notice_tone: Tone = "good"
    facts: tuple[tuple[str, BoardCell], ...] = ()
    search: tuple[Field, ...] = ()
    tables: tuple[BoardTable, ...] = ()
    passages: tuple[BoardPassage, ...] = ()
    actions: tuple[Action, ...] = ()
    status: int = 200
    crumbs: tuple[BoardCell, ...] = field(default=())
