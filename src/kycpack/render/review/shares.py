"""The share of a customer's credits whose nature is known, and the evidence for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kycpack.models.listed import listed
from kycpack.models.money import format_minor
from kycpack.render.charts import NATURE_FILLS
from kycpack.render.document_parts import Cell
from kycpack.render.origin import Origin, Origins, calculated, count_of, share_of, value_of
from kycpack.render.palette import DOUBTED, Colour
from kycpack.render.review.compared_values import quoted
from kycpack.render.review.payment_keys import Key
from kycpack.render.review.weak_natures import weak_words
from kycpack.render.wording import ADJUSTED, is_adjusted, range_words, share_words
from kycpack.triage.paths import QUESTIONS_OF_MONEY
from kycpack.wealth.judge.coverage import CASH_OR_NAMED, DISPOSITIONS, IRREGULAR, KNOWN, REGULAR
from kycpack.wealth.judge.outlook_words import LESS
from kycpack.wealth.judge.support import BY_SENDER, NO_SOURCE, SENDER_RULE, SHOWN_BY, SHOWN_BY_SENDER
from kycpack.wealth.judge.unexplained import UNEXPLAINED, Unexplained, unexplained_words
from kycpack.wealth.judge.wording import type_words

_BY_SENDER = ("purpose", "keyword")  # of the evidence levels of frame `credits`
NATURE_WORDS = {
    KNOWN: "nature known",
    REGULAR: "regular, nature not established",
    CASH_OR_NAMED: "cash, contradicted, or supported only by the sender",
    IRREGULAR: "irregular, nature not established",
}
"""The natures of credits in words, in order."""
_QUESTIONED, _OF_OTHERS = "questioned", "in accounts held by others"
DOUBTED_WORDS = f"nature stated but {_QUESTIONED} or {_OF_OTHERS}"
"""What stands instead of `known` for money of known nature that is in doubt."""
_NOT_COUNTED = "not counted as known: "

NO_CREDITS = "No booked credits were seen: no nature is known, and there is no chart of credits by month."

_TWICE, _PERHAPS_BACK, _BACK = LESS
Span = tuple[int, int]
"""The least and the greatest of a sum, in minor units."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Booked credits of one currency, in minor units, without duplicates, own transfers and what was taken back.

    Attributes:
        currency: ISO 4217 code.
        natures: Minor units by nature, in the order of `NATURE_WORDS`.
        evidence: Minor units of known nature by evidence level, the strongest first.
        own_transfer_minor: Own transfers in minor units, which are not in any of the parts.
        own_twice_minor: The part of these that may be counted twice, in minor units.
        may_be_twice_minor: The part of all of them that may be counted twice, in minor units.
        may_be_returned_minor: The part of all of them that may have been taken back, in minor units.
        returned_minor: What was taken back, in minor units, which is not in any of the parts.
        unexplained: The single credits whose nature is not established; None if there are none.
        refunds: The least and the most of known nature and in no doubt that is refunds, in minor units: known to be no source of wealth.
        no_source: The least and the most of known nature and in no doubt that is of a kind that shows no source of wealth, without refunds, in minor units.
        no_source_types: These kinds.
        questioned: The findings that question pay of known nature, each by its title and its rule; empty where there is no such pay.
        wages: The least and the most of known nature that is pay which these question, in minor units.
        wage_ids: The ids of its transactions.
        wage_accounts: The accounts that these came into.
        is_of_customer: Whether all accounts are held in the customer's name, as far as is known.
        doubted: The least and the most of known nature that is pay which findings question, or that came into accounts that are not shown to be held in the customer's name, in minor units.
        doubted_evidence: The most of this by evidence level, in minor units.
        doubted_rows: The account and the transaction of each of these credits.
        sure_rows: The same of the others of known nature.
        held_by: The holders of the accounts that are not shown to be held in the customer's name, by account; empty if all are.
        of_others: The least and the most that came into these accounts, in minor units.
        natures_of_others: The most of this by nature, in minor units.
        weak: What the credits of `CASH_OR_NAMED` are, as `weak_kind` returns it; empty if that is not known.
        least: Minor units by nature, without what may be counted twice or may have been taken back; empty if that is not known.
    """

    currency: str
    natures: dict[str, int]
    evidence: dict[str, int]
    own_transfer_minor: int
    may_be_twice_minor: int = 0
    may_be_returned_minor: int = 0
    returned_minor: int = 0
    unexplained: Unexplained | None = None
    refunds: Span = (0, 0)
    no_source: Span = (0, 0)
    no_source_types: frozenset[str] = frozenset()
    questioned: tuple[str, ...] = ()
    wages: Span = (0, 0)
    wage_ids: tuple[str, ...] = ()
    wage_accounts: tuple[str, ...] = ()
    is_of_customer: bool = True
    held_by: Mapping[str, str] = field(default_factory=dict)
    of_others: Span = (0, 0)
    natures_of_others: Mapping[str, int] = field(default_factory=dict)
    weak: frozenset[str] = frozenset()
    least: Mapping[str, int] = field(default_factory=dict)
    own_twice_minor: int = 0
    doubted: Span = (0, 0)
    doubted_evidence: Mapping[str, int] = field(default_factory=dict)
    doubted_rows: tuple[Key, ...] = ()
    sure_rows: tuple[Key, ...] = ()

    @property
    def total_minor(self) -> int:
        """All credits except own transfers and what was taken back, in minor units."""
        return sum(self.natures.values())

    @property
    def total_words(self) -> str:
        """All credits except own transfers and what was taken back: a range if some may be counted twice or may have been taken back."""
        return range_words(self._least_minor, self.total_minor, self.currency)

    @property
    def _least_minor(self) -> int:
        return self.total_minor - self.may_be_twice_minor - self.may_be_returned_minor

    @property
    def questioned_words(self) -> str:
        """How much of the total came into accounts of others, or is pay that findings question, as what follows the share of known nature; empty if nothing is."""
        parts = []
        if self.of_others[1]:
            is_all = self.of_others == (self._least_minor, self.total_minor)
            sum_ = "all" if is_all else range_words(*self.of_others, self.currency)
            holders = sorted(
                {quoted(name) if name else "a holder who is not named" for name in self.held_by.values()}
            )
            parts.append(f"{sum_} of it in accounts of {listed(holders)}")
        if self.questioned and self.natures[KNOWN]:
            parts.append(f"another {range_words(*self.wages, self.currency)} questioned")
        return "".join(f"; {part}" for part in parts)

    @property
    def known_words(self) -> str:
        """What the share of known nature is of, as a clause that follows the total."""
        return "has a known nature" + " and is in no doubt" * bool(self.doubted[1])

    @property
    def _shown(self) -> dict[str, int]:
        """Minor units of each part of the bar: what is in doubt first, where something is, then what is known and in no doubt."""
        doubted = self.doubted[1]
        apart = {DOUBTED: doubted, KNOWN: self.natures[KNOWN] - doubted} if doubted else {}
        return apart | {nature: minor for nature, minor in self.natures.items() if nature not in apart}

    @property
    def rounding(self) -> str:
        """What stands beside the shares on page one if they are not each rounded on their own; empty if they are."""
        by = self._known_by if any(levels[0] in _BY_SENDER for levels in self._known_by) else {}
        return ADJUSTED if any(is_adjusted([*parts.values()]) for parts in (self._shown, by)) else ""

    @property
    def twice_words(self) -> str:
        """How much of the total may be counted twice or may have been taken back; empty if nothing may."""
        parts = ((self.may_be_twice_minor, _TWICE), (self.may_be_returned_minor, _PERHAPS_BACK))
        said = [f"{format_minor(minor, self.currency)} of it {what}" for minor, what in parts if minor]
        if self.own_twice_minor and self.may_be_twice_minor:
            own = format_minor(self.own_twice_minor, self.currency)
            said[0] += f" (beside {own} of own transfers)"
        other = "other " if " to " in self.known_percent else ""
        ends = f"The {other}shares are of the larger total."
        return f"The total is a range: {' and '.join(said)}. {ends}" if said else ""

    @property
    def percents(self) -> dict[str, str]:
        """The share of each part of the bar in percent, as text; together 100.0%."""
        return dict(zip(self._shown, share_words(list(self._shown.values())), strict=True))

    @property
    def parts(self) -> tuple[tuple[str, int, Colour], ...]:
        """Words, minor units and fill of each part, for the bar."""
        words = NATURE_WORDS | {DOUBTED: f"{_NOT_COUNTED}nature stated but {self.why_doubted}"}
        words[CASH_OR_NAMED] = f"{_NOT_COUNTED}{weak_words(self.weak) or words[CASH_OR_NAMED]}"
        return tuple(
            (f"{words[nature]}{self._of_others(nature)}", minor, NATURE_FILLS[nature][0])
            for nature, minor in self._shown.items()
        )

    def _of_others(self, nature: str) -> str:
        """Return that credits of a nature that is not known are in accounts held by others, all or some of them; empty if none are. Those of known nature are a part of their own."""
        minor = self.natures_of_others.get(nature, 0) if nature != KNOWN else 0
        part = "" if minor == self.natures.get(nature) else "partly "
        return f", {part}{_OF_OTHERS}" if minor else ""

    @property
    def why_doubted(self) -> str:
        """Why money of known nature is in doubt, in words; empty where none is."""
        why = (_QUESTIONED * bool(self.questioned and self.wages[1]), _OF_OTHERS * bool(self.of_others[1]))
        return " or ".join(filter(None, why))

    @property
    def legend(self) -> tuple[tuple[str, Colour], ...]:
        """The share and the words of each part that is not empty, with its fill."""
        shown = zip(self.percents.values(), self.parts, strict=True)
        return tuple((f"{percent} {words}", fill) for percent, (words, minor, fill) in shown if minor)

    @property
    def known_percent(self) -> str:
        """The share of known nature that is in no doubt as text, such as `82.4%`; of both ends of the total, if that is a range."""
        most = self.percents[KNOWN]
        if not self.least or sum(self.least.values()) == self.total_minor:
            return most
        least, share = "0.0%", Fraction(0)
        if whole := sum(self.least.values()):
            sure = self.least[KNOWN] - self.doubted[0]
            shown = {DOUBTED: self.doubted[0], **self.least, KNOWN: sure}
            least = dict(zip(shown, share_words(list(shown.values())), strict=True))[KNOWN]
            share = Fraction(sure, whole)
        ends = (least, most) if share < Fraction(self._shown[KNOWN], self.total_minor) else (most, least)
        return most if least == most else " to ".join(ends)

    @property
    def caveats(self) -> str:
        """What lessens the share of known nature: findings that question it, refunds, and kinds that show no source of wealth, in sentences; empty if nothing does."""
        sentences = []
        if self.questioned and self.natures[KNOWN]:
            pay = range_words(*self.wages, self.currency)
            sentences.append(
                f"{pay} is pay whose nature is stated but questioned: {'; '.join(self.questioned)}."
            )
        if self.refunds[1]:
            whose = "customer" if self.is_of_customer else "account holder"
            sentences.append(
                f"{self._of_known(self.refunds)} is refunds: the {whose}'s own money coming back, and no source of wealth."
            )
        if self.no_source[1]:
            kinds = listed(sorted(map(type_words, self.no_source_types)))
            sentences.append(
                f"{self._of_known(self.no_source)} is of a kind that shows no source of wealth: {kinds}."
            )
        return " ".join(sentences)

    def _of_known(self, part: Span) -> str:
        said = range_words(*part, self.currency)
        is_all = part[1] == self._shown[KNOWN]
        return f"All of what is known ({said})" if is_all else f"{said} of what is known"

    @property
    def _known_by(self) -> dict[tuple[str, ...], int]:
        """Minor units of known nature and in no doubt by evidence levels, the strongest first; the sender's words and purpose codes are one."""
        sender = tuple(level for level in _BY_SENDER if self.evidence.get(level))
        found: Counter[tuple[str, ...]] = Counter()
        for level, whole in self.evidence.items():
            if minor := whole - self.doubted_evidence.get(level, 0):
                found[sender if level in sender else (level,)] += minor
        return found

    @property
    def known_by(self) -> dict[str, str]:
        """The share of what is known by what it rests on, in words, the strongest first; empty if nothing is known."""
        found = self._known_by
        return dict(zip(map(_shown_by, found), share_words(list(found.values())), strict=True))

    @property
    def on_page_one(self) -> str:
        """What page one says beside the share of known nature: how much of it rests on what the sender wrote, and `caveats`."""
        said = next((_shown_by(levels) for levels in self._known_by if levels[0] in _BY_SENDER), "")
        by = f"{said}, where regular dates bear it out"
        rests = f"{self.known_by[said]} of what is known rests on {by}." if said else ""
        return " ".join(filter(None, (rests, self.caveats)))

    @property
    def sentence(self) -> str:
        """The evidence for the known nature, and the amounts that are left out."""
        shown = self._known_by
        known = f"No credit has a known nature{' beyond doubt' * bool(self.doubted[1])}."
        if shown:
            whole = sum(shown.values())
            little = f" ({format_minor(whole, self.currency)})" if 100 * whole < self.total_minor else ""
            known = (
                f"What is known{little} rests on "
                + ", ".join(f"{by} ({part})" for by, part in self.known_by.items())
                + "."
            )
        by_sender = not self.weak.isdisjoint(BY_SENDER) or any(levels[0] in _BY_SENDER for levels in shown)
        sentences = [known, *([SENDER_RULE] if by_sender else []), *filter(None, (self.caveats,))]
        if self.of_others[1] and self.doubted[1]:
            doubted = range_words(*self.doubted, self.currency)
            sentences.append(
                f"The nature of {doubted} is stated but {self.why_doubted}: it is not in what is known."
            )
        if self.own_transfer_minor:
            once = self.own_transfer_minor - self.own_twice_minor
            own = range_words(once, self.own_transfer_minor, self.currency)
            sentences.append(f"Own transfers of {own} are left out.")
        if self.returned_minor:
            returned = format_minor(self.returned_minor, self.currency)
            sentences.append(f"{returned} that {_BACK} is left out.")
        if is_adjusted(list(shown.values())):
            sentences.append(ADJUSTED)
        return " ".join(sentences)

    @property
    def in_words(self) -> str:
        """All of it in sentences, for a currency without a bar on page one."""
        of = f"{self.known_percent} of {self.total_words} {self.known_words}{self.questioned_words}"
        legend = "; ".join(words for words, _ in self.legend)
        said = (of, self.twice_words, legend, self.rounding, self.on_page_one)
        return "".join(f"{part.removesuffix('.')}. " for part in said if part).rstrip()

    @property
    def largest_words(self) -> str:
        """The largest single credits whose nature is not established, and the sum of small ones, in a sentence; empty if there are none."""
        return " ".join(
            unexplained_words(() if self.unexplained is None else (self.unexplained,), with_small=True)
        )

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The printed texts, with the origins of their numbers."""
        rows = {"currency": self.currency}
        whole = {**rows, "nature": tuple(self.natures)}
        known = {**rows, "nature": KNOWN}
        of_part: dict[str, dict[str, Any]] = {
            nature: {
                **known,
                "account_id": list(dict.fromkeys(account for account, _ in found)),
                "txn_id": [txn for _, txn in found],
            }
            for nature, found in ((DOUBTED, self.doubted_rows), (KNOWN, self.sure_rows))
            if self.doubted[1]
        }
        # A part that is empty is not printed, except for the share of known nature.
        parts = (
            Cell(
                self.percents[nature],
                origins=(_share(of_part.get(nature, {**rows, "nature": nature}), whole),),
            )
            for nature, minor in self._shown.items()
            if minor or nature == KNOWN
        )
        sure = of_part.get(KNOWN, known)
        by = tuple(_share({**sure, "known_by": levels}, sure) for levels in self._known_by)
        of_own = {**rows, "disposition": "own_transfer"}
        own = (
            calculated("sum", "credits", "amount_minor", **of_own),
            calculated("sum", "credits", "amount_minor", **of_own, may_be_twice_minor=0),
        )
        own_twice = calculated("sum", "credits", "may_be_twice_minor", **of_own)
        not_refunds = [one for one in DISPOSITIONS if one != "refund"]
        refunds, no_source, pay, others, doubted = (
            tuple(calculated("sum", "credits", f"{end}_minor", **of) for end in ("least", "most"))
            for of in (
                {**sure, "disposition": "refund"},
                {**sure, "disposition": not_refunds, "type": sorted(NO_SOURCE)},
                {**known, "account_id": self.wage_accounts, "txn_id": self.wage_ids},
                {**whole, "account_id": tuple(self.held_by)},
                of_part.get(DOUBTED, known),
            )
        )
        asked = value_of("findings", outcome="HIT", path=f"{QUESTIONS_OF_MONEY}pay_beside_benefit")
        most, least, twice, perhaps, returned = (
            calculated("sum", "credits", f"{name}_minor", **whole)
            for name in ("most", "least", "may_be_twice", "may_be_returned", "returned")
        )
        both = (_share(sure, whole), share_of("credits", "least_minor", sure, whole))
        ends = [Cell(self.known_percent, origins=both)] if self.known_percent != self.percents[KNOWN] else []
        return (
            Cell(f"{self.total_words}{self.questioned_words}", origins=(most, least, *pay, *others)),
            *parts,
            *ends,
            Cell(self.sentence, origins=(*by, *pay, asked, *doubted, *refunds, *no_source, *own, returned)),
            Cell(self.twice_words, origins=(twice, perhaps, own_twice)),
            Cell(self.largest_words, origins=self._origins_of_largest()),
        )

    def _origins_of_largest(self) -> Origins:
        if self.unexplained is None:
            return ()
        each = (
            value_of("credits", account_id=one.account_id, txn_id=one.txn_id)
            for one in self.unexplained.largest
        )
        rows = {"currency": self.currency, "disposition": UNEXPLAINED, "type": self.unexplained.types}
        beside = self.unexplained.of_small
        small = (calculated("sum", "credits", f"{end}_minor", **beside) for end in ("least", "most"))
        return (count_of("credits", **rows), count_of("credits", **rows, may_be_twice_minor=0), *each, *small)

    def figures(self) -> dict[str, Any]:
        """Return the numbers as data; `doubted_minor` is a part of `known_minor` and of `known_by`, and `known_share` leaves it out."""
        return {
            "currency": self.currency,
            "total_minor": self.total_minor,
            **{f"{nature}_minor": minor for nature, minor in self.natures.items()},
            "doubted_minor": self.doubted[1],
            "known_by": self.evidence,
            "own_transfer_minor": self.own_transfer_minor,
            "known_share": self.percents[KNOWN],
        }


def _shown_by(levels: tuple[str, ...]) -> str:
    return SHOWN_BY[levels[0]] if len(levels) == 1 else SHOWN_BY_SENDER


def _share(rows: Mapping[str, Any], whole: Mapping[str, Any]) -> Origin:
    return share_of("credits", "most_minor", rows, whole)
