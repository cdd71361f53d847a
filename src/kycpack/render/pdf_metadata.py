"""Metadata of a PDF/A document: title, maker and fixed dates."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.sax.saxutils import escape

from fpdf import FPDF

from kycpack import __version__
from kycpack.models.instants import format_seconds

PART, LEVEL = 3, "U"
"""PDF/A-3, which may have its data attached, with every character mapped to Unicode. fpdf2 cannot write tags."""
_PRODUCER = f"kycpack {__version__}"


def describe(pdf: FPDF, title: str, as_of: datetime) -> None:
    """Give a document its metadata.

    Args:
        pdf: The document.
        title: Its title.
        as_of: The as-of instant, with an offset.
    """
    as_of = as_of.astimezone(UTC)
    pdf.set_creation_date(as_of)
    pdf.set_title(title)
    pdf.set_author("kycpack")
    pdf.set_creator("kycpack")
    pdf.set_producer(_PRODUCER)
    pdf.set_lang("en-GB")
    pdf.set_xmp_metadata(xmp_of(title, as_of))


def xmp_of(title: str, as_of: datetime) -> str:
    """Return the XMP metadata of a document.

    Args:
        title: Its title.
        as_of: The as-of instant, with an offset.
    """
    when = format_seconds(as_of)
    return (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" '
        'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">'
        f'<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(title)}</rdf:li></rdf:Alt></dc:title>'
        "<dc:creator><rdf:Seq><rdf:li>kycpack</rdf:li></rdf:Seq></dc:creator>"
        "<dc:language><rdf:Bag><rdf:li>en-GB</rdf:li></rdf:Bag></dc:language>"
        f"<xmp:CreatorTool>kycpack</xmp:CreatorTool><xmp:CreateDate>{when}</xmp:CreateDate>"
        f"<pdf:Producer>{escape(_PRODUCER)}</pdf:Producer>"
        f"<pdfaid:part>{PART}</pdfaid:part><pdfaid:conformance>{LEVEL}</pdfaid:conformance>"
        "</rdf:Description></rdf:RDF></x:xmpmeta>"
    )
