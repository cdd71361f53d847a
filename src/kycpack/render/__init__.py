"""Documents from results: PDF, HTML, drawings, spreadsheets. Nothing here reads a clock, a network or the environment.

`document_parts` holds the parts of documents; `pdf_pages` and `pdf_sections` make PDF of them, `html_sections` and
`html_pages` HTML, `workbook` a spreadsheet. `text_runs` and `typefaces` make sure that no character of an outside text is
lost or interpreted as markup. `charts` and `history_charts` draw. `review` is the review of one customer, `statement_pdf`
the source of wealth statement.

Names are imported when they are first used, because the service prints statements and does not need the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kycpack.lazy_names import lazy_names

if TYPE_CHECKING:
    from kycpack.render.html_pages import render_queue_html as render_queue_html
    from kycpack.render.html_pages import render_review_html as render_review_html
    from kycpack.render.html_sections import block_markup as block_markup
    from kycpack.render.html_sections import section_markup as section_markup
    from kycpack.render.memo import Memo as Memo
    from kycpack.render.memo import render_memo_html as render_memo_html
    from kycpack.render.memo import render_memo_pdf as render_memo_pdf
    from kycpack.render.review import CasePeople as CasePeople
    from kycpack.render.review import ReviewContents as ReviewContents
    from kycpack.render.review import ReviewInputs as ReviewInputs
    from kycpack.render.review import build_contents as build_contents
    from kycpack.render.review import cover_lines as cover_lines
    from kycpack.render.review.html import render_summary_html as render_summary_html
    from kycpack.render.review.pdf import render_review_pdf as render_review_pdf
    from kycpack.render.run_index import render_index_html as render_index_html
    from kycpack.render.run_index import render_index_pages as render_index_pages
    from kycpack.render.statement_pdf import render_statement_absent_pdf as render_statement_absent_pdf
    from kycpack.render.statement_pdf import render_statement_pdf as render_statement_pdf
    from kycpack.render.workbook import render_workbook as render_workbook

_HOMES = {
    "CasePeople": "review",
    "Memo": "memo",
    "ReviewContents": "review",
    "ReviewInputs": "review",
    "block_markup": "html_sections",
    "build_contents": "review",
    "cover_lines": "review",
    "render_index_html": "run_index",
    "render_index_pages": "run_index",
    "render_memo_html": "memo",
    "render_memo_pdf": "memo",
    "render_queue_html": "html_pages",
    "render_review_html": "html_pages",
    "render_review_pdf": "review.pdf",
    "render_statement_absent_pdf": "statement_pdf",
    "render_statement_pdf": "statement_pdf",
    "render_summary_html": "review.html",
    "render_workbook": "workbook",
    "section_markup": "html_sections",
}

__all__ = [*_HOMES]  # noqa: PLE0604 - the table above is the list

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
