"""Documents from results: PDF, HTML, drawings, spreadsheets. Nothing here reads a clock, a network or the environment.

`document_parts` holds the parts of documents; `pdf_pages` and `pdf_sections` make PDF of them, `html_sections` and
`html_pages` HTML, `workbook` a spreadsheet. `text_runs` and `typefaces` make sure that no character of an outside text is
lost or interpreted as markup. `charts` and `history_charts` draw. `review` is the review of one customer, `statement_pdf`
the source of wealth statement.

The names of `__init__.pyi` are imported when they are first used, because the service prints statements and does not need the rest.
"""

from __future__ import annotations

from kycpack.lazy_names import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
