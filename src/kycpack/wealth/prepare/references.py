"""References in texts: nearly every payment has a different one, and the reading of a text does not depend on it.

With each reference replaced by one form for its kind, many texts become equal, and each distinct text is read once.

Where a bank tags each part of a text, it is first rewritten as people write it: the payer, then the purpose.
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
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kycpack.wealth.prepare.plain_text import is_digit_word, is_numbered

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
SHORTEST_REFERENCE = 6
"""A word with digits of at least this length is a reference wherever it is."""
_STRING = pa.large_string()
_SHORTEST_BEFORE_NUMBER = 4  # fewer letters before a number are part of a reference
_DIGITS = "0123456789"
_SHORT_NUMBER, _LONG_NUMBER = "0", "0" * SHORTEST_REFERENCE
_DAY, _LONG_DAY = "0jan", "000jan"  # any day of any month, in fewer or more characters
_TO_ZERO = str.maketrans(_DIGITS, "0" * len(_DIGITS))
_WITH_DIGITS = re.compile(r"(?<![^\W_])[^\W\d_]*[0-9][^\W_]*")
# Latin letters and plain punctuation: in other scripts a mark or an apostrophe next to a word may be part of it.
_FOLDABLE = re.compile("[ -&(-_a-~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]*")


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
        found = _rewritten(text, _GERMAN, _PURPOSES + _REFERENCES, "SVWZ")
    if found is None and ":" in text and "DES" in text.upper():
        found = _rewritten(text, _AMERICAN, _PURPOSES, "MOTIF")
    if found is None and ":" in text:
        found = _rewritten(text, _WIRE, _ORIGINATORS, "MOTIF")
    if found is None and ("/" in text or ":" in text) and _IS_TRANSFER.match(text):
        found = _rewritten(text, _FRENCH, _PAYERS + _PURPOSES, "MOTIF")
    return text if found is None else found


def _rewritten(text: str, tags: re.Pattern[str], needed: tuple[str, ...], mark: str) -> str | None:
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


class ReferenceFolder:
    """Replaces the references in texts by one form for each kind.

    Args:
        listed: Words with digits that are part of a name, such as `bet365`, or the number in `Trading 212`; they are not changed.
        noise: Words for how or when a payment was made; a number next to them adds nothing, as in `24JUN`.
        payments: Words for what is paid, which a long number may follow without a space, as in `SALARIES0088121`.
    """

    def __init__(self, listed: Iterable[str], noise: Iterable[str], payments: Iterable[str] = ()) -> None:
        self._listed = frozenset(listed)
        self._noise = frozenset(noise)
        self._payments = frozenset(word for word in payments if len(word) >= _SHORTEST_BEFORE_NUMBER)
        self._listed_words = pa.array(sorted(self._listed), _STRING)

    def fold(self, texts: Sequence[str] | npt.NDArray[np.object_]) -> pd.arrays.ArrowStringArray:
        """Return the texts with references replaced, and tagged texts in the order of `read_tags`.

        Args:
            texts: Distinct texts. Words in other than Latin letters, or with apostrophes, are not changed.
        """
        words = pc.split_pattern(_in_order(texts), " ")
        distinct = words.flatten().dictionary_encode()  # each distinct word is processed once
        forms = self._forms_of(distinct.dictionary)
        folded = pa.ListArray.from_arrays(words.offsets, forms.take(distinct.indices))
        return pd.arrays.ArrowStringArray(pc.binary_join(folded, pa.scalar(" ", _STRING)))

    def _forms_of(self, words: pa.Array) -> pa.Array:
        """Return the result of `_form_of` for each word; plain numbers, which are the majority, are handled together."""
        long = pc.greater_equal(pc.binary_length(words), SHORTEST_REFERENCE)
        numbers = pc.if_else(long, _LONG_NUMBER, pa.scalar(_SHORT_NUMBER, _STRING))
        listed = pc.or_(*(pc.is_in(either, self._listed_words) for either in (words, numbers)))
        plain = pc.and_(pc.ascii_is_decimal(words), pc.invert(listed))
        others = pc.invert(pc.or_(plain, pc.ascii_is_alpha(words)))
        made = [self._form_of(word) for word in words.filter(others).to_pylist()]
        return pc.replace_with_mask(pc.if_else(plain, numbers, words), others, pa.array(made, _STRING))

    def _form_of(self, word: str) -> str:
        if word.isalpha():
            return word
        if word.isascii() and word.isalnum():
            return self._form(word)  # nearly all of them, and no pattern is needed to recognise them
        return (
            _WITH_DIGITS.sub(lambda found: self._form(found[0]), word) if _FOLDABLE.fullmatch(word) else word
        )

    def _form(self, word: str) -> str:
        if word.lower() in self._listed:
            return word
        form = self._made(word)
        return word if form.lower() in self._listed else form

    def _made(self, word: str) -> str:
        long = len(word) >= SHORTEST_REFERENCE
        if word.isdecimal():
            return _LONG_NUMBER if long else _SHORT_NUMBER
        if is_numbered(word):
            letters = word.rstrip(_DIGITS)
            return letters + "0" * (max(SHORTEST_REFERENCE - len(letters), 1) if long else 1)
        if not is_digit_word(word):
            letters = word.rstrip(_DIGITS)
            number = _LONG_NUMBER if long else _SHORT_NUMBER
            return f"{letters} {number}" if letters.lower() in self._payments else number
        if word.strip(_DIGITS).lower() not in self._noise:
            return word
        if word[0] not in _DIGITS:
            return word.translate(_TO_ZERO)
        return _LONG_DAY if long else _DAY


def _in_order(texts: Sequence[str] | npt.NDArray[np.object_]) -> pa.Array:
    """Return texts, with tagged texts in the order of `read_tags`."""
    as_written = pa.array(texts, _STRING)
    tagged = pc.match_substring_regex(as_written, MAY_BE_TAGGED)
    read = [read_tags(text) for text in as_written.filter(tagged).to_pylist()]
    return pc.replace_with_mask(as_written, tagged, pa.array(read, _STRING))
