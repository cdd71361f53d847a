"""Seeded results documents with trouble in shapes that no list names, and innocent ones that only tell more than is known today."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.frames.evidence_maker import RESULTS

Place = tuple[str, ...]
Shape = Callable[[Random], tuple[str, Any]]
SECTIONS = ("document", "address", "identity", "screening")
PLACES: tuple[Place, ...] = (
    ("document",), ("document", "contentAnalysis"), ("document", "document"), ("document", "holder"), ("document", "visualChecks"), ("address",),
    ("address", "clientValidation"), ("address", "geoLocationAnalysis"), ("identity",), ("identity", "faceAnalysis"), ("identity", "sessionInfo"),
    ("identity", "integrityAnalysis"), ("screening",), ("screening", "summary"), ("screening", "summary", "pep"), ("device",), ("signals",),
    ("behaviour", "typing"), ("vendor", "raw"), ("document", "pages", "0"), (),
)  # fmt: skip


def written(rng: Random, words: str, *, plainly: bool = False) -> str:
    """Write words as a name in one of the ways in which providers write them; not plainly is with something before them as well."""
    parts = words.split()
    joined = "".join(parts)
    camel = parts[0] + "".join(one.title() for one in parts[1:])
    styles = [camel, "_".join(parts), "-".join(parts), "_".join(parts).upper(), "".join(one.title() for one in parts), " ".join(parts)]  # fmt: skip
    return rng.choice(styles if plainly else [*styles, f"is{camel.title()}", f"x.{joined}"])


def _good_thing_denied(rng: Random) -> tuple[str, Any]:
    name = rng.choice(
        (
            "genuine", "not tampered", "authentic", "unaltered", "no fraud", "clean", "trusted", "matches selfie", "photo original", "same person",
            "real person", "human", "safe", "trustworthy", "in order", "unmodified", "non expired", "readable chip signature ok", "face same", "alive",
            "belongs to holder", "not on list", "data consistent", "hologram present", "eyes open", "single face", "non virtual camera", "address exists",
        )
    )  # fmt: skip
    return written(rng, name), rng.choice((False, "false", "no", 0, "0", "NEIN", "non", "нет", {"value": False}, [False], "FALSE", -1, "n"))  # fmt: skip


def _bad_thing_said(rng: Random) -> tuple[str, Any]:
    name = rng.choice(
        (
            "cloned chip", "print attack", "injection", "rooted", "tor", "vpn", "proxy", "multiple accounts", "face swap", "photo of screen", "black list",
            "previously seen", "velocity", "coached", "bot", "remote access", "paper copy", "torn", "glare", "data breach", "shared device", "minor",
            "betrugsverdacht", "fraude", "falsificado", "faelschung", "podejrzenie", "sahtecilik", "risque", "verdacht", "подделка", "风险", "خطر",
        )
    )  # fmt: skip
    return written(rng, name), rng.choice((True, "true", "yes", 1, 3, "1", "HIGH", "ja", "oui", "sí", "да", "是", 0.93, "0.93", ["x"], {"level": 4}, "Y"))  # fmt: skip


def _odd_score(rng: Random) -> tuple[str, Any]:
    name = rng.choice(
        ("score", "confidence", "trust score", "quality", "likelihood", "probability", "risk", "rating", "percent", "similarity", "grade", "rank", "points", "trust level", "severity")
    )  # fmt: skip
    return written(rng, name), rng.choice((0.02, "0.02", "3%", 97, "97", "9/10", 0.99, -4, 1e6, {"value": 0.01}, [0.1, 0.2], "E", "F-", "low", "AMBER", "red", "niedrig", "3 of 5"))  # fmt: skip


def _told_trouble(rng: Random) -> tuple[str, Any]:
    name = rng.choice(
        ("type", "kind", "code", "title", "name", "reference", "version", "file", "page", "side", "place", "provider", "id", "number", "date", "status", "note", "comment", "reason",
         "message", "label", "document type", "device type", "capture source", "photo source", "result code", "issue", "issues", "image", "platform", "user", "subject", "verification result", "match", "check", "checked", "results", "report", "count", "valid until", "format", "photo type", "portrait kind", "chip", "eye", "first", "residence", "visa", "weight")
    )  # fmt: skip
    value = rng.choice(
        (
            "virtual camera", "photocopy", "black and white print", "someone else", "cloned", "DOC_TAMPERED_04", "E-FRAUD", "not the same person", "mail drop", "image of a screen",
            "rooted", "template", "sample", "replaced", "KO", "nok", "3 alerts", "different person", "does not match", "torn", "mannequin", "doll", "printout", "nicht bestanden", "échoué",
            "no aprobado", "sahte", "偽造", "подделка", "مزور", "unreadable", "blurred", "cut", "child", "underage", "two faces", "covered", "edited", "edited with photoshop", "ai generated",
            "generated", "unverified", "unlikely", "refer", "escalate", "review", "hold", "stop", "RED", "Level 3", "high", "medium", "not issued by the state", "withdrawn", "cancelled", "seized",
        )
    )  # fmt: skip
    return written(rng, name), rng.choice((value, [value], {"value": value}, {"items": [{"text": value}]}, value.upper(), {"code": value}))  # fmt: skip


def _nested_findings(rng: Random) -> tuple[str, Any]:
    name = written(rng, rng.choice(("findings", "reasons", "signals", "rules fired", "breakdown", "checks", "flags", "tests", "steps", "reports", "remarks", "observations", "tags", "labels", "features", "errors", "notes")))  # fmt: skip
    word = rng.choice(("failed", "KO", "attention", "recheck", "false", "R", "suspect", "red", "durchgefallen", "echec", "2", "bad", "poor", "non conforme", "no", "unsure", "partial"))  # fmt: skip
    test = rng.choice(("hologram", "font", "mrz checksum", "micro print", "uv", "liveness", "edge", "nfc", "laminate", "geo", "velocity", "ghost image"))  # fmt: skip
    return name, rng.choice(
        (
            [{"name": test, "result": word}], {test.replace(" ", "_"): word}, [{test: {"outcome": word}}], [f"{test}_{word}"], {"a": [{"b": {"c": word}}]},
            [[test, word]], {"0": {"id": "T-12", "verdict": word}}, [{"check": test, "passed": False}], {test: {"ok": False}}, f"{test}:{word}", [{"k": test, "v": word}],
        )
    )  # fmt: skip


NEW: tuple[Shape, ...] = (
    _good_thing_denied,
    _bad_thing_said,
    _odd_score,
    _told_trouble,
    _nested_findings,
)
KNOWN: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("document.outcome", ("KO", "amber", "refer", "2", "in_review", "clear?", "not clear", "unclear", "almost_clear", "kein Befund", "clear_with_conditions", ["rejected"], 0, False)),
    ("document.contentAnalysis.dataIntegrity", ("unsure", "bof", "low", "0.2", 0.2, "partially clear", ["attention"], {"result": "bad"}, "match?", "non clear", "n/a")),
    ("address.clientValidation.lastNameMatch", ("nope", "0", "partial", "faux", [False], {"v": False}, 0, "nearly", "NO")),
    ("address.geoLocationAnalysis.ipInAddressCountry", ("false", "vpn", "unknown", 0, "other country", [False])),
    ("identity.faceAnalysis.facialSimilarity", ("low", "weak", "different", "0.1", 0.1, "clear-ish", ["no_match"])),
    ("identity.faceAnalysis.facialSimilarityScore", ("0.03", "3%", 0.03, 12, "low", -1, [0.1], {"value": 0.9}, "0,97", 970)),
    ("identity.authenticityAnalysis.livenessCheck", ("spoof_suspected", "dead", "replay", "non_live", "retry", "0")),
    ("identity.authenticityAnalysis.livenessCheckScore", ("0.1", 0.1, "1 in 10", 5, -3, "bad")),
    ("screening.outcome", ("potential", "hits", "grey", "1", "cleared_by_analyst", "auto-discounted", 1)),
    ("screening.matchCount", ("3", [1], {"total": 2}, 2.5, "some", -1, "two", True)),
    ("screening.summary.watchlist.sanctionsLists", ("pending_review", "1", "OFAC", "possible", ["OFAC SDN"], {"OFAC": 1}, "weak", "fuzzy 88")),
    ("screening.summary.pep.level1", ("yes", "Y", "minister", 1, ["x"], "former", {"since": "2014"})),
    ("screening.checkType", ("none", "light", "skipped", "partial", "")),
    ("document.document.documentType", ("specimen passport", "photocopy", "library card", "selfie", "toy passport", "not a document", "draft")),
    ("document.document.documentNumber", ("VOID", "LOST-REPORTED", "see note", "0", "SAMPLE")),
    ("document.document.expirationDate", ("expired", "2020-01-01", "31/12/1999", "never", "soon", "01-01-1999")),
    ("document.holder.dateOfBirth", ("2019-01-01", "unreadable", "1885-01-01", "31.02.1985", "12/10")),
    ("document.holder.nationality", ("unknown", "stateless?", "ZZ", "none")),
    ("document.holder.lastName", ("SOMEONE ELSE", "unreadable", "***", "Specimen", "see page 2")),
    ("address.extractedAddress.postalCode", ("unreadable", "ZZ99 9ZZ", "differs")),
    ("address.contentAnalysis.documentAgeOutcome", ("old", "14 months", "too old", 400, "stale")),
)  # fmt: skip


def troubled(seed: int, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield where the trouble is, and a results document that is clear but for it."""
    rng = Random(seed)  # noqa: S311 - made-up data
    for _ in range(count):
        made = copy.deepcopy(RESULTS)
        if rng.random() < 0.3:
            path, values = rng.choice(KNOWN)
            value = rng.choice(values)
            *groups, name = path.split(".")
            place: Place = tuple(groups)
        else:
            place = rng.choice(PLACES)
            name, value = rng.choice(NEW)(rng)
            if place[-1:] == ("pep",) and "not" not in name.casefold():
                place = ("screening", "summary")  # a level that is false is no match
            if place[:1] != ("screening",) and rng.random() < 0.2:
                name, value = rng.choice(("extra", "result", "info", "data", "details", "ergebnis", "v2")), {name: value}  # fmt: skip
        _put(made, place, name, value)
        yield f"{'.'.join(place)} {name!r}: {value!r}", made


def _put(made: dict[str, Any], place: Place, name: str, value: Any) -> None:
    group: Any = made
    for step in place:
        group = group.setdefault(step, {})
    group[name] = value


def _is_known(made: dict[str, Any], place: Place, name: str) -> bool:
    group: Any = made
    for step in place:
        group = group.get(step, {})
    return name in group


TELLING: tuple[tuple[str, Callable[[Random], Any]], ...] = (
    ("issue date", lambda r: f"2025-0{r.randint(7, 9)}-1{r.randint(0, 9)}"),
    ("issued on", lambda r: f"{r.randint(1, 28)} {r.choice(('July', 'August', 'Sep'))} 2025"),
    ("checked at", lambda r: f"2026-05-0{r.randint(1, 9)}T09:{r.randint(10, 59)}:00Z"),
    ("created", lambda r: f"2026-05-0{r.randint(1, 9)}T09:00:00Z"),
    ("completed at", lambda r: 1_770_000_000 + r.randint(0, 9_999)),
    ("processing time", lambda r: r.randint(200, 9_000)),
    ("place of birth", lambda r: r.choice(("London", "München", "Kraków", "Saint-Étienne", "Leeds", "Nowhere Creek"))),
    ("issuing authority", lambda r: r.choice(("HMPO", "DVLA", "HM Passport Office", "Belfast, Northern Ireland"))),
    ("issuing country", lambda r: r.choice(("GB", "GBR", "United Kingdom"))),
    ("city", lambda r: r.choice(("Leeds", "York", "Bath"))),
    ("region", lambda r: r.choice(("West Yorkshire", "Bayern", "Île-de-France"))),
    ("serial number", lambda r: f"{r.randint(10_000, 99_999)}-{r.choice('ABC')}"),
    ("document number", lambda r: r.choice(("X1234567", "x1234567", "X 123 4567"))),
    ("personal number", lambda r: str(r.randint(10_000_000, 99_999_999))),
    ("provider reference", lambda r: f"prov-{r.randint(1_000, 9_999)}"),
    ("request id", lambda r: f"{r.getrandbits(64):016x}-{r.getrandbits(32):08x}"),
    ("correlation id", lambda r: f"{r.getrandbits(128):032x}"),
    ("transaction id", lambda r: r.randint(10_000, 99_999)),
    ("engine version", lambda r: f"{r.randint(1, 9)}.{r.randint(0, 20)}.{r.randint(0, 9)}"),
    ("model version", lambda r: f"2026-0{r.randint(1, 9)}"),
    ("api version", lambda r: f"v{r.randint(1, 4)}"),
    ("provider", lambda r: r.choice(("Verity", "Acme ID", "northbank-kyc"))),
    ("language", lambda r: r.choice(("en", "de-DE", "English"))),
    ("country code", lambda r: r.choice(("GB", "DE", "GBR"))),
    ("page", lambda r: r.randint(1, 3)),
    ("side", lambda r: r.choice(("front", "back"))),
    ("gender", lambda r: r.choice(("F", "M", "female", "X"))),
    ("document type", lambda r: r.choice(("passport", "utility_bill", "bank_statement", "driving_licence", "council_tax_bill"))),
    ("device type", lambda r: r.choice(("mobile", "desktop", "tablet"))),
    ("platform version", lambda r: f"iOS {r.randint(15, 18)}.{r.randint(0, 5)}"),
    ("middle name", lambda r: r.choice(("Augusta", "Jean-Luc", "O'Neil"))),
    ("mothers maiden name", lambda r: r.choice(("Faulkner", "Nowak"))),
    ("latitude", lambda r: round(r.uniform(50, 55), 5)),
    ("time zone", lambda r: r.choice(("Europe/London", "UTC"))),
    ("report url", lambda r: f"https://provider.example/r/{r.randint(100, 999)}"),
    ("currency", lambda r: r.choice(("GBP", "EUR"))),
    ("eye colour", lambda r: r.choice(("blue", "brown", "BLU"))),
    ("valid from", lambda r: f"20{r.randint(18, 24)}-01-01"),
)  # fmt: skip
TELLING_PLACES: tuple[Place, ...] = (
    ("document",), ("document", "document"), ("document", "holder"), ("document", "contentAnalysis"), ("address",), ("address", "extractedAddress"), ("identity",),
    ("identity", "faceAnalysis"), ("identity", "sessionInfo"), ("provider",), ("meta",), ("document", "issuer"),
)  # fmt: skip
TELLING_SCREENING = ("request id", "checked at", "engine version", "provider reference", "created", "model version", "correlation id")  # fmt: skip


def telling(seed: int, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is new, and a clear results document with one to three new leaves that only tell something."""
    rng = Random(seed)  # noqa: S311 - made-up data
    values = dict(TELLING)
    for _ in range(count):
        made = copy.deepcopy(RESULTS)
        said = []
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.15:
                place: Place = ("screening",)
                words = rng.choice(TELLING_SCREENING)
            else:
                place = rng.choice(TELLING_PLACES)
                words = rng.choice(tuple(values))
            name, value = written(rng, words, plainly=True), values[words](rng)
            if _is_known(made, place, name):
                continue
            _put(made, place, name, value)
            said.append(f"{'.'.join(place)} {name}: {value!r}")
        yield "; ".join(said), made
