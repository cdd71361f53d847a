"""The results of checking packs and runs, as a page that uses no network and no scripts."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path

from kycpack.pack.check.verify import Verification
from kycpack.render.text_runs import visible

_HEAD = """\
<!DOCTYPE html>
<html lang="en-GB"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Verification of packs and runs</title>
<style>body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b2430}
h2{margin-top:2rem;overflow-wrap:anywhere}</style></head>
<body><main><h1>Verification of packs and runs</h1>
"""


def verification_page(answers: Iterable[tuple[Path, Verification]]) -> str:
    """Return the page.

    Args:
        answers: Each run or pack with the result of its check.
    """
    return _HEAD + "".join(_section(place, answer) for place, answer in answers) + "</main></body></html>\n"


def _section(pack: Path, answer: Verification) -> str:
    signed = [
        f"{one['file']}: signed by {one['signer'] or 'a signer who cannot be read'}"
        + (f", seen by a timestamp authority at {one['timestamped_at']}" if one["timestamped_at"] else "")
        for one in answer.signatures
    ]
    return (
        f"<section><h2>{_text(pack.name)}: {'verified' if answer.ok else 'defect'}</h2>"
        f"<p>{answer.extent}</p>"
        + _list("Defects", answer.problems)
        + _list("Signatures", signed)
        + _list("What these checks cannot show", answer.not_shown)
        + "</section>\n"
    )


def _list(title: str, sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{_text(sentence)}</li>" for sentence in sentences)
    return f"<h3>{title}</h3><ul>{items}</ul>" if items else ""


def _text(text: str) -> str:
    return escape(visible(text))
