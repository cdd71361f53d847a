"""Bytes from results: PDF, HTML, drawings, spreadsheets. Nothing here reads a clock, a network or an environment."""

from kycpack.render.statement_pdf import render_statement_absent_pdf as render_statement_absent_pdf
from kycpack.render.statement_pdf import render_statement_pdf as render_statement_pdf
