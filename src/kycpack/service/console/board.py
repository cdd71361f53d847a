"""What a page of the console consists of: facts, tables, texts and actions. One template draws them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Tone = Literal["", "good", "watch", "alarm", "quiet"]


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A value that is shown.

    Attributes:
        text: What is shown; a dash where empty.
        href: Where it leads; nowhere when empty.
        tone: Drawn as a badge of that tone.
        mono: Whether it is an id or code.
        number: Whether it is set to the right.
        new_tab: Whether the link opens beside the console, as the portal does.
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
        empty: What is said where there are no rows.
        older: Link to the rows that follow; none when empty.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[BoardCell, ...], ...]
    empty: str
    older: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that a field can take, and its words."""

    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Field:
    """An input of a form.

    Attributes:
        name: Its name.
        label: Its label.
        kind: `text`, `number`, `hidden`; `select` where there are choices.
        value: What it holds at first.
        choices: What can be chosen.
        required: Whether the browser insists on it.
    """

    name: str
    label: str = ""
    kind: str = "text"
    value: str = ""
    choices: tuple[Choice, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a click does.

    Attributes:
        title: Heading; forms without one stand beside each other.
        path: Where the form is sent.
        button: Words on the button.
        fields: Its inputs.
        note: What it does, in a sentence.
        grave: Whether it takes something away.
    """

    title: str
    path: str
    button: str
    fields: tuple[Field, ...] = ()
    note: str = ""
    grave: bool = False


@dataclass(frozen=True, slots=True)
class BoardPassage:
    """A text of several lines that is shown as it is, such as JSON."""

    title: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A page.

    Attributes:
        title: Its heading.
        section: The entry of the navigation it belongs to.
        lead: One or two sentences under the heading.
        notice: What an action did, or why it did not.
        notice_tone: How the notice is drawn.
        facts: Names and values.
        search: Fields of a form that narrows the page down.
        tables: Its tables.
        passages: Its texts.
        actions: What can be done.
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
