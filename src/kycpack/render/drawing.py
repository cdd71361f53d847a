"""A drawing as data, so that the PDF and the notebook show the same drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TypeGuard

from kycpack.render.palette import INK, Colour, css
from kycpack.render.text_runs import Run, cut, runs, visible, width_of
from kycpack.render.typefaces import Face

POINT = 25.4 / 72
"""Millimetres of a typographic point."""
_LEADING = 1.1  # of the size of a text: two baselines that are nearer touch one another
_APART = 1.36  # of that, so that amounts beside an axis are read apart
_ANCHORS = {"left": "start", "middle": "middle", "right": "end"}


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle, in millimetres from the top left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: Colour


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: Colour
    width: float = 0.2


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot, filled or hollow."""

    x: float
    y: float
    radius: float
    colour: Colour
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; `y` is its baseline, `size` is in points, `room` is its maximum width in millimetres.

    A label that only marks a position on an axis belongs to the `scale` and is not a figure.
    """

    x: float
    y: float
    text: str
    size: float = 7.0
    align: str = "left"
    colour: Colour = INK
    strong: bool = False
    room: float = 0.0
    scale: bool = False


Mark = Box | Line | Dot | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Marks on an area.

    Attributes:
        width: Width in millimetres.
        height: Height in millimetres.
        marks: The marks, in the order in which they are drawn.
        words: Description of the drawing for readers who cannot see it.
        note: What stands below it, where no caption does.
    """

    width: float
    height: float
    marks: tuple[Mark, ...]
    words: str
    note: str = ""


def flattened(drawing: Drawing, share: float) -> Drawing:
    """Return a chart at a share of its height; its texts keep their size, and those below its axis their distance from it.

    Of the amounts beside the axis, the lowest and the highest stay, and between them as many at even distances as have room; no line is without its amount.
    """
    foot = max((max(mark.y1, mark.y2) for mark in drawing.marks if isinstance(mark, Line)), default=0.0)
    amounts = [place for place, mark in enumerate(drawing.marks) if _is_amount(mark)]
    every = _every(drawing, amounts, share)
    unnamed = {place for at, place in enumerate(amounts) if at % every}
    # The line of a step is drawn just before its amount.
    left_out = unnamed | {place - 1 for place in unnamed if isinstance(drawing.marks[place - 1], Line)}
    marks = []
    for place, mark in enumerate(drawing.marks):
        flat = _flat(mark, share)
        if isinstance(mark, Label) and mark.y > foot:
            flat = replace(mark, y=mark.y - foot * (1 - share))
        if place not in left_out:
            marks.append(flat)
    return replace(drawing, height=drawing.height - foot * (1 - share), marks=tuple(marks))


def _every(drawing: Drawing, amounts: Sequence[int], share: float) -> int:
    """Return how many steps of an axis lie from one amount beside it to the next at a share of its height: a part of all steps, so that both ends have one."""
    shown = [mark for mark in (drawing.marks[place] for place in amounts) if _is_amount(mark)]
    steps = len(shown) - 1
    if steps < 1:
        return 1
    apart = share * (shown[0].y - shown[1].y)
    room = _APART * _LEADING * POINT * shown[0].size
    return next((each for each in range(1, steps) if steps % each == 0 and each * apart >= room), steps)


def _is_amount(mark: Mark) -> TypeGuard[Label]:
    return isinstance(mark, Label) and mark.scale and mark.align == "right"


def _flat(mark: Mark, share: float) -> Mark:
    match mark:
        case Line():
            return replace(mark, y1=mark.y1 * share, y2=mark.y2 * share)
        case Box():
            return replace(mark, y=mark.y * share, height=mark.height * share)
        case Dot() | Label():
            return replace(mark, y=mark.y * share)


def render_svg(drawing: Drawing) -> str:
    """Return a drawing as an SVG document without scripts, links or external references."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawing.width:.2f} {drawing.height:.2f}" '
        f'width="{drawing.width:.0f}mm" height="{drawing.height:.0f}mm" role="img" '
        "font-family=\"'Source Sans Pro','Segoe UI','DejaVu Sans',sans-serif\">"
    )
    title = f"<title>{escape(visible(drawing.words))}</title>"
    return head + title + "".join(_svg(mark) for mark in drawing.marks) + "</svg>"


def kept_inside(label: Label, width: float) -> Label:
    """Return a label moved as far as its text needs to lie between 0 and a width, in millimetres."""
    wide = POINT * width_of(_runs(label), label.size)
    left = label.x - {"left": 0.0, "middle": wide / 2, "right": wide}[label.align]
    return replace(label, x=label.x + max(min(left, width - wide), 0.0) - left)


def _said(label: Label) -> str:
    """Return the characters of a label that have room, in the order in which they are read: who shows a drawing places them."""
    return (
        cut(label.text, _face(label), label.size, label.room / POINT) if label.room else visible(label.text)
    )


def _runs(label: Label) -> tuple[Run, ...]:
    return runs(_said(label), _face(label))


def _face(label: Label) -> Face:
    return Face.STRONG if label.strong else Face.SANS


def _length(shown: tuple[Run, ...], size: float) -> str:
    """Return the width of a text as attributes: a reader without our faces has wider or narrower ones, and the drawing would cut the text."""
    width = POINT * width_of(shown, size)
    if not width or any(run.mark for run in shown):
        return ""
    return f'textLength="{width:.2f}" lengthAdjust="spacingAndGlyphs" '


def _svg(mark: Mark) -> str:
    match mark:
        case Box():
            return (
                f'<rect x="{mark.x:.2f}" y="{mark.y:.2f}" width="{mark.width:.2f}" height="{mark.height:.2f}" '
                f'fill="{css(mark.fill)}"/>'
            )
        case Line():
            return (
                f'<line x1="{mark.x1:.2f}" y1="{mark.y1:.2f}" x2="{mark.x2:.2f}" y2="{mark.y2:.2f}" '
                f'stroke="{css(mark.colour)}" stroke-width="{mark.width:.2f}"/>'
            )
        case Dot():
            fill, stroke = ("none", css(mark.colour)) if mark.hollow else (css(mark.colour), "none")
            return (
                f'<circle cx="{mark.x:.2f}" cy="{mark.y:.2f}" r="{mark.radius:.2f}" fill="{fill}" stroke="{stroke}" '
                'stroke-width="0.30"/>'
            )
        case Label():
            weight = 600 if mark.strong else 400
            shown = _runs(mark)
            return (
                f'<text x="{mark.x:.2f}" y="{mark.y:.2f}" font-size="{mark.size * POINT:.2f}" '
                f'text-anchor="{_ANCHORS[mark.align]}" {_length(shown, mark.size)}'
                f'fill="{css(mark.colour)}" font-weight="{weight}">{escape(_said(mark))}</text>'
            )
