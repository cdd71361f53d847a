"""Bytes from results: PDF, HTML, drawings, spreadsheets. Nothing here reads a clock, a network or an environment.

`blocks` is what documents are made of; `sheet` and `typeset` make PDF of it, `markup` HTML. `lettering` and `typefaces`
see to it that no character of an outside text is lost or obeyed. `review` is the review of one customer,
`statement_pdf` the source of wealth statement.
"""

from kycpack.render.review import Case as Case
from kycpack.render.review import Dossier as Dossier
from kycpack.render.review import Results as Results
from kycpack.render.review import build_dossier as build_dossier
from kycpack.render.review.html import render_summary_html as render_summary_html
from kycpack.render.review.pdf import render_review_pdf as render_review_pdf
from kycpack.render.statement_pdf import render_statement_absent_pdf as render_statement_absent_pdf
from kycpack.render.statement_pdf import render_statement_pdf as render_statement_pdf
