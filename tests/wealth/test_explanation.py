from __future__ import annotations

from kycpack.wealth.explanation import Explanation


def test_a_notebook_shows_each_sentence_as_a_paragraph_and_text_from_outside_as_text() -> None:
    text = "24 credits from <b>PAYER</b> & SONS.\nTotal 1,968.36 GBP."
    said = Explanation(text)
    assert said == text
    shown = said._repr_html_()
    assert shown.count("<p ") == 2
    assert "&lt;b&gt;PAYER&lt;/b&gt; &amp; SONS." in shown
    assert "<b>" not in shown
