"""Rewrites texts in which a bank tags each part, as people write them: the payer, then the purpose.

French banks write `VIR SEPA RECU /DE payer /MOTIF purpose /REF reference` or `/FRM payer /EID id /RNF purpose`, or with colons `DE: payer MOTIF: purpose`,
and join the first words, as in `VIRSEPARECU`; German ones write `EREF+reference SVWZ+purpose ABWA+payer`, often without spaces between.
American ones print the fields of NACHA, `payer DES:entry description ID:id INDN:payee CO ID:id PPD` or `ORIG CO NAME:payer CO ENTRY DESCR:description SEC:PPD`,
and those of a wire, `WIRE TYPE:WIRE IN DATE:date ORIG:payer ID:id OBI:purpose` or `FEDWIRE CREDIT VIA: bank B/O: payer REF: reference BNF=payee OBI=purpose`.
British ones print `FASTER PAYMENTS RECEIPT REF.purpose FROM payer` and `BANK GIRO CREDIT REF payer, purpose`.
End-to-end, mandate and creditor references, ids and the payee's name do not identify the payer or the purpose, and are left out.

Source: structured purpose of field 86 of MT940 (Deutsche Kreditwirtschaft, "DFUe-Abkommen", appendix 3): EREF, KREF, MREF, BREF, RREF, CRED, DEBT, COAM, OAMT, SVWZ,
    ABWA, ABWE, IBAN, BIC, PURP; fields of the company batch header and the entry detail of the NACHA Operating Rules; originator, beneficiary and
    originator-to-beneficiary information of the Fedwire Funds Service format; labels of French statements as open parsers of them show: FRM, DE, EID, RNF, MOTIF, REF, REFDO, BEN, DATE, ID, PROVENANCE, LIB.
"""

from __future__ import annotations

import re

MAY_BE_TAGGED = "^[Vv]|[+:/]|RECEIPT REF|GIRO CREDIT REF"
"""Any other text is left as it is."""

_GLUED = re.compile(r"^\s*VIR(?:EMENT)?(CPTEACPTE)?(SEPA)?(INST(?:ANTANE)?)?(RECU)?(?![^\W_])", re.IGNORECASE)
_GERMAN = re.compile(
    r"(?:(?<![^\W_])(EREF|KREF|MREF|BREF|RREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP):"
    r"|(EREF|KREF|MREF|BREF|RREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP)\+)",
    re.IGNORECASE,
)
_FRENCH = re.compile(
    r"(?:(?<![^\W_])/\s?(FRM|DE|EID|RNF|MOTIF|REFDO|REF|BEN|ID|LIB)(?![^\W_])"
    r"|(?<![^\W_])(FRM|DE|EID|RNF|MOTIF|REFDO|REF|BEN|ID|LIB|DATE|PROVENANCE)\s?:)",
    re.IGNORECASE,
)
_AMERICAN = re.compile(
    r"(?:(?<![^\W_])(ORIG CO NAME|ORIG ID|DESC DATE|CO ENTRY DESCR|INDN|CO ID|ID|DES)"
    r"|(SEC|TRACE ?#|EED|IND ID|IND NAME|TRN)):",
    re.IGNORECASE,
)
_WIRE = re.compile(
    r"(?<![^\W_])(ORIG|ORG|B/O|BY ORDER OF|OBI|PMT DET|BNF|BENE|BBI|RFB|TYPE|DATE|TIME|TRN|SEQ|SRF|SSN|IMAD|OMAD|VIA|REF|ID"
    r"|SND BK|SNDR BK|RCV BK|SVC REF|SNDR REF)\s?[:=]()",
    re.IGNORECASE,
)
_BRITISH = re.compile(r"^(\s*FASTER PAYMENTS? RECEIPT) REF[. ]\s*(.+) FROM (.+)$", re.IGNORECASE)
_BY_GIRO = re.compile(r"^\s*BANK GIRO CREDIT REF ([^,]+),\s*(.+)$", re.IGNORECASE)
_IS_TRANSFER = re.compile(r"^\s*VIRT?(?:EMENT)?(?![^\W_])", re.IGNORECASE)
_ORIGINATORS = ("ORIG", "ORG", "B/O", "BY ORDER OF")
_PAYERS = ("FRM", "DE", "ABWA", "ORIG CO NAME", *_ORIGINATORS)
_PURPOSES = ("MOTIF", "RNF", "LIB", "SVWZ", "DES", "CO ENTRY DESCR", "OBI", "PMT DET")
_REFERENCES = ("REF", "EREF", "KREF")


def read_tags(text: str) -> str:
    """Return a text with its payer before its purpose; a text without such tags is unchanged.

    Args:
        text: A description, as the bank wrote it.
    """
    if text[:1] in ("V", "v") and text[:4].upper().startswith("VIR") and (glued := _GLUED.match(text)):
        words = [word for word in glued.groups() if word]
        text = (
            " ".join(["VIR", *("CPTE A CPTE" if word.upper() == "CPTEACPTE" else word for word in words)])
            + text[glued.end() :]
        )
    if british := _BRITISH.match(text):
        received, purpose, payer = british.groups()
        return f"{received} {payer} MOTIF {purpose}"
    if by_giro := _BY_GIRO.match(text):
        return "GIRO {} MOTIF {}".format(*by_giro.groups())
    found = None
    if "+" in text or ":" in text:
        found = _in_order(text, _GERMAN, _PURPOSES + _REFERENCES, "SVWZ")
    if found is None and ":" in text and "DES" in text.upper():
        found = _in_order(text, _AMERICAN, _PURPOSES, "MOTIF")
    if found is None and ":" in text:
        found = _in_order(text, _WIRE, _ORIGINATORS, "MOTIF")
    if found is None and ("/" in text or ":" in text) and _IS_TRANSFER.match(text):
        found = _in_order(text, _FRENCH, _PAYERS + _PURPOSES, "MOTIF")
    return text if found is None else found


def _in_order(text: str, tags: re.Pattern[str], needed: tuple[str, ...], mark: str) -> str | None:
    """Return a text with its payer, a mark and its purpose; None if it lacks the necessary tags."""
    before, *parts = tags.split(text)
    tagged = [
        ((first or second or "").upper(), value.strip(" ,;/-"))
        for first, second, value in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]
    if not any(tag in needed for tag, _ in tagged):
        return None

    def said(by: tuple[str, ...]) -> list[str]:
        return [value for tag, value in tagged if tag in by and value]

    purposes = said(_PURPOSES) or said(_REFERENCES)
    return " ".join([before.strip(), *said(_PAYERS), *([mark, *purposes] if purposes else [])]).strip()
