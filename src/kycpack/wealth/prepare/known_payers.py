"""What a payer on a list adds to the words of a payment: it confirms them, decides instead of them, or contradicts them; and the benefits that codes name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from kycpack.assets import asset_yaml
from kycpack.wealth.prepare.clues import (
    BONUS,
    CONTRADICTS,
    DECIDES,
    ENTITY,
    HINTS,
    KEYWORD,
    NONE,
    REFUND,
    SUPPORTS,
    Clue,
    Nature,
    overruled,
)
from kycpack.wealth.prepare.lexicon import STUDY_GRANT
from kycpack.wealth.prepare.listed_entities import Entity

# What payers of a kind also pay, besides the type that their list gives: such a payer confirms a word for it.
_ALSO_PAY = {
    "bank": frozenset(
        {"asset_sale", "interest", "loan", "savings", "investment_income", "inheritance", "pension"}
    ),
    "broker": frozenset({"investment_income", "interest", "asset_sale", "savings", "pension", "loan"}),
    "registrar": frozenset({"investment_income", "asset_sale", "pension", "savings"}),
    "insurer": frozenset(
        {"settlement", "pension", "savings", "investment_income", "inheritance", "state_benefit", "loan"}
    ),
    "lender": frozenset({"loan", "savings"}),
    "tax_office": frozenset({"tax_refund", "state_benefit"}),
    "state_paymaster": frozenset({"pension", "tax_refund", "state_benefit", "settlement"}),
    "state_benefits": frozenset({"state_benefit", "rental_income"}),
    "government": frozenset({"state_benefit", "tax_refund", "pension", "rental_income", "settlement"}),
    "pension_provider": frozenset({"pension", "savings", "settlement", "inheritance"}),
    "payment_processor": frozenset({"business_income"}),
    "marketplace": frozenset({"business_income", "asset_sale", "self_employment"}),
    "letting_platform": frozenset({"rental_income"}),
    "law_firm": frozenset({"property_sale", "inheritance", "settlement", "business_sale", "loan"}),
    "collecting_society": frozenset({"self_employment"}),
    "letting_agent": frozenset({"rental_income"}),
    "car_buyer": frozenset({"asset_sale"}),
    "staffing": frozenset({"self_employment"}),
    "gig_platform": frozenset({"self_employment", "business_income", "gift"}),
    "public_employer": frozenset({"pension", "state_benefit", "tax_refund", "rental_income"}),
    "employer": frozenset({"investment_income", "pension"}),
    "retailer": frozenset({"investment_income", "pension"}),
    "student_finance": frozenset({"loan", "state_benefit"}),
}
# A church's stipend is pay, and a university's a grant to study, which is not taxed (ITTOIA 2005, s. 776).
_STIPENDS = frozenset({"the words STIPEND", "the words STIPENDS"})
# Whatever the words say, these payers pay nothing else except wages.
OWN_TRADE = frozenset({"gambling", "crypto"})
# What firms and public bodies pay their suppliers; a payroll service sends bills and does not pay them.
_BILLS = frozenset({"self_employment", "business_income"})
# What anybody may owe somebody, whatever their trade.
_FROM_ANYBODY = _BILLS | {"settlement", "employment"}
EMPLOYERS = frozenset({"employer", "public_employer", "university", "staffing", "payroll", "government"})
"""Kinds of known payers whose regular payments are pay if nothing explains them otherwise.

Shops and restaurants are not among them: many other firms have such a name, and shops also pay suppliers.
"""
PAY_BONUSES = EMPLOYERS | {"retailer"}
"""Kinds of known payers whose bonuses are pay."""
PAY_EVERYBODY = frozenset({"state_benefits", "tax_office"})
"""Kinds of known payers that pay the public, and their own staff."""
PUBLIC_KINDS = frozenset({"state_benefits", "tax_office", "state_paymaster", "government", "public_employer"})
"""Kinds of known payers that are public bodies."""
_PLATFORMS = frozenset({"gig_platform", "letting_platform", "marketplace"})
_CARRIED = _PLATFORMS | OWN_TRADE


def passes_on(entity: Entity) -> bool:
    """Return whether a known payer passes on the money of others: a payment service, or one that several marketplaces use."""
    return entity.kind == "payment_processor" or (entity.kind == "marketplace" and entity.type is None)


def carried(carrier: Entity, payer: Entity) -> Entity | None:
    """Return the platform, bookmaker or exchange that pays through a carrier; None if the carrier passes on nobody's money, or the other is none.

    What a site of advertisements pays out is the price of own things. A bank that keeps nothing but savings may be a part of another bank.
    """
    if carrier.kind == payer.kind == "bank" and carrier.type is None and payer.type == "savings":
        return payer
    if not passes_on(carrier) or payer.kind not in _CARRIED or payer.id == carrier.id:
        return None
    return payer if payer.type else replace(payer, type="asset_sale")


def pays(entity: Entity, type_: str) -> bool:
    """Return whether a known payer is of a kind that pays such a type."""
    return entity.type == type_ or type_ in _ALSO_PAY.get(entity.kind, ())


def may_pay(entity: Entity, type_: str) -> bool:
    """Return whether a known payer pays such a type, or employs people and it is pay."""
    return pays(entity, type_) or (type_ == "employment" and entity.kind in EMPLOYERS)


def may_be_named_for(entity: Entity, type_: str) -> bool:
    """Return whether words for a type beside a known payer's name may be meant: what it may pay, and wages.

    Any firm or public body has staff; platforms, bookmakers and exchanges write PAY for what else they pay out too.
    """
    has_staff = not (passes_on(entity) or entity.kind in _CARRIED)
    return may_pay(entity, type_) or (type_ == "employment" and has_staff)


def judged_by_payer(nature: Nature, entity: Entity, known: Clue) -> tuple[Nature, int]:
    """Return what words and a known payer show together, and the evidence level.

    Args:
        nature: What the words show.
        entity: The payer.
        known: The evidence that the payer is known.
    """
    if REFUND in nature.marks:
        return _refunded(nature, entity, known)
    if entity.kind == "university" and any(
        one.what in _STIPENDS and one.force == DECIDES for one in nature.clues
    ):
        clues = (known, *overruled(nature.clues, CONTRADICTS))
        return replace(nature, type="", doubtful=True, clues=clues), NONE
    if not nature.type or nature.by_firm or nature.type == "person_transfer":
        return _by_payer(nature, entity, known)
    return _by_both(nature, entity, known)


def _refunded(nature: Nature, entity: Entity, known: Clue) -> tuple[Nature, int]:
    if entity.kind != "tax_office" or nature.sent_back:
        return nature, NONE
    clue = replace(known, says="tax_refund", force=DECIDES)
    marks = nature.marks - {REFUND}
    return replace(nature, type="tax_refund", marks=marks, clues=(clue, *nature.clues)), ENTITY


def _by_payer(nature: Nature, entity: Entity, known: Clue) -> tuple[Nature, int]:
    if entity.kind == "student_finance" and any(one.says == STUDY_GRANT for one in nature.clues):
        # Such offices lend as well, and what they call a grant is one.
        words = [
            replace(one, says="state_benefit", force=SUPPORTS) if one.says == STUDY_GRANT else one
            for one in nature.clues
        ]
        clues = (replace(known, says="state_benefit", force=DECIDES), *words)
        return replace(nature, type="state_benefit", by_firm=True, doubtful=False, clues=clues), ENTITY
    # "STAFF" from a bookmaker is not a win, and "EMP 4712" from a platform is not what its drivers earn.
    staff = nature.hint == "employment" and entity.kind == "gig_platform"
    if nature.type == "employment" and entity.type in OWN_TRADE:
        # PAYROLL of a bookmaker is not a win, and by its calendar it is pay.
        return replace(nature, type="", hint="employment", doubtful=True, clues=(known, *nature.clues)), NONE
    if nature.post and (staff or entity.type not in (None, "employment", "self_employment")):
        return replace(nature, type="", clues=(known, *nature.clues)), NONE
    if entity.type is not None and not (
        nature.type == "person_transfer" and entity.kind == "payment_processor"
    ):
        clues = (replace(known, force=DECIDES), *nature.clues)
        return replace(nature, type=entity.type, by_firm=True, doubtful=False, clues=clues), ENTITY
    nature = replace(nature, clues=(known, *nature.clues))
    if nature.type == "person_transfer" and entity.kind != "payment_processor":
        return replace(nature, type="", doubtful=True), NONE
    return nature, KEYWORD if nature.type else NONE


def _by_both(nature: Nature, entity: Entity, known: Clue) -> tuple[Nature, int]:
    own_term = _own_term(nature, entity) or _own_of_two(nature, entity)
    if own_term:
        return replace(nature, type=own_term, clues=(replace(known, force=DECIDES), *nature.clues)), ENTITY
    # A known firm or public body is also an employer, and a word for pay means wages, unless its trade is to pay for work:
    # "JUST EAT COURIER PAY WK 12" is what couriers earn, whatever the word.
    own_work = any(
        one.says == entity.type == "self_employment" and one.force == CONTRADICTS for one in nature.clues
    )
    # A service that passes on other people's money employs nobody who is paid through it.
    employs = (
        nature.type == "employment"
        and entity.kind != "payment_processor"
        and not ((nature.loose or nature.by_run or own_work) and entity.type == "self_employment")
        and not (nature.by_way and entity.kind in _PLATFORMS)
    )
    if (
        employs
        and BONUS in nature.marks
        and nature.loose
        and entity.kind not in PAY_BONUSES
        and not nature.post
    ):
        return replace(nature, type="", clues=(known, *nature.clues)), NONE  # of a bond or an account
    if employs or pays(entity, nature.type):
        return replace(nature, clues=(*nature.clues, replace(known, says=nature.type))), ENTITY
    return _unlike_payer(nature, entity, known, own_work=own_work)


def _own_term(nature: Nature, entity: Entity) -> str:
    """Return the type that a word means if such a payer uses it; empty if it means the same as elsewhere."""
    if entity.kind == "state_benefits" and nature.type in ("pension", "settlement"):
        return "state_benefit"  # whatever the word, a benefits office pays benefits: the State Pension, what care cost
    if entity.kind == "pension_provider" and nature.type == "state_benefit":
        return "pension"  # BENEFIT PAYMENT
    private = entity.kind == "marketplace" and entity.type in (None, "asset_sale")
    # The SALES of those who sell their own things are not those of a shop.
    return "asset_sale" if private and nature.type == "business_income" else ""


def _own_of_two(nature: Nature, entity: Entity) -> str:
    """Return the one of two types in the words that such a firm pays, if it does not pay the other: LEISTUNGSABRECHNUNG RECHNUNG from an insurer."""
    paid = _ALSO_PAY.get(entity.kind, frozenset()) | {entity.type}
    if nature.type in paid or nature.type == "employment" or entity.kind in PUBLIC_KINDS:
        return ""
    own = {one.says for one in nature.clues if one.force == CONTRADICTS and one.says in paid}
    return own.pop() if len(own) == 1 else ""


def _unlike_payer(nature: Nature, entity: Entity, known: Clue, *, own_work: bool) -> tuple[Nature, int]:
    """Return the nature if words say what such a payer is not known to pay."""
    billed = entity.kind == "payroll" and nature.type in _BILLS
    supplied = entity.type in OWN_TRADE and nature.type in _BILLS and not nature.loose
    foreign = entity.kind in PUBLIC_KINDS and nature.type not in _BILLS
    claimed = supplied or (foreign and not (nature.loose and entity.type))
    if (
        not claimed
        and entity.type
        and (entity.type in OWN_TRADE or billed or nature.loose or nature.by_run or nature.by_way or own_work)
    ):
        clues = (replace(known, force=DECIDES), *overruled(nature.clues, CONTRADICTS))
        return replace(nature, type=entity.type, doubtful=True, clues=clues), ENTITY
    if claimed or (nature.type not in _FROM_ANYBODY and entity.kind != "payment_processor"):
        # "BETFRED SIGN REPAIRS INV 771" is not a win, and neither what a council calls a claim nor what a bank calls rent is known.
        return replace(nature, type="", doubtful=True, clues=(known, *overruled(nature.clues, HINTS))), NONE
    clue = replace(known, force=CONTRADICTS) if entity.type else known
    return replace(
        nature, doubtful=nature.doubtful or bool(entity.type), clues=(*nature.clues, clue)
    ), KEYWORD


def with_benefit(payer: str) -> str:
    """Return a payer with the benefit that its code means in brackets, as in `DWP SP (State Pension)`; other payers unchanged.

    Args:
        payer: The name of a payer.
    """
    office, _, code = payer.partition(" ")
    benefit = _codes().get(code.strip().upper()) if office.upper() == "DWP" else None
    return f"{payer} ({benefit})" if benefit else payer


@cache
def _codes() -> Mapping[str, str]:
    codes: Mapping[str, str] = asset_yaml("lexicon/benefit_codes.yaml")["codes"]
    return codes
