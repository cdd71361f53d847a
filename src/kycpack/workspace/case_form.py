"""Notebook controls for cases: open a case from the queue, review it, decide it, or pass it on."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from html import escape
from typing import Any

from kycpack.errors import InputError, KycpackError
from kycpack.models.dates import instant_words
from kycpack.render import block_markup
from kycpack.render.controls import load_widgets, make_choice, make_text, make_textarea, on_press
from kycpack.render.document_parts import TableColumn, facts, table
from kycpack.render.style import NOTEBOOK_STYLE
from kycpack.triage.levels import HIT
from kycpack.triage.policies.policy import OUTCOMES, DecisionRules
from kycpack.workspace.cases.case_history import repetition_of, second_person_words, words_of
from kycpack.workspace.cases.case_records import Case, CaseFinding
from kycpack.workspace.cases.decisions import OUTSIDE_WORDS, Decision, Disposition
from kycpack.workspace.cases.policies import rules_in_force
from kycpack.workspace.entries.verify_ledger import verdicts_of
from kycpack.workspace.opened import OpenWorkspace

_FINDINGS = (
    TableColumn("Finding", 8),
    TableColumn("Level", 10),
    TableColumn("Outcome", 10),
    TableColumn("Verdict", 14),
    TableColumn("Why", 58),
)
_HISTORY = (TableColumn("At", 20), TableColumn("Step", 14), TableColumn("By", 16), TableColumn("Why", 50))
_LINK = re.compile(r"<a\b[^>]*>(.*?)</a>")
_WIDTH_OF_ITS_WORDS = {"width": "max-content"}
_STEPS = {
    "Assign to a person": "assign",
    "Wait for the customer": "wait",
    "Resume": "resume",
    "Record an item of the checklist": "check",
}


def case_desk(work: OpenWorkspace, case_id: str = "", as_of: dt.date | None = None) -> Any:
    """Return a list of cases in queue order, with the selected case and its forms below.

    Args:
        work: The workspace; the person who opened it acts.
        case_id: The case to show first; if empty, the first in the queue.
        as_of: The day of the queue; today, UTC, when None.

    Raises:
        ConfigurationError: ipywidgets is not installed.
        WorkspaceError: There is no such case.
    """
    widgets = load_widgets()
    rows = work.cases.queue(as_of=as_of).to_dict("records")
    options = [str(row["case_id"]) for row in rows]
    if case_id and case_id not in options:
        options.insert(0, work.cases.get(case_id).case_id)
    if not options:
        return widgets.HTML("The queue is empty.")
    picker = make_choice("Case", options, case_id or options[0])
    again = widgets.Button(description="Show the case again", layout=_WIDTH_OF_ITS_WORDS)
    message, body = widgets.HTML(), widgets.VBox()

    def _open(_change: Any = None) -> None:
        message.value = ""
        _fill()

    def _fill() -> None:
        try:
            case = work.cases.get(picker.value.strip())
        except KycpackError as error:
            body.children = [widgets.HTML(f"<p>{escape(str(error))}</p>")]
            return
        # The message is repeated under the forms: with many findings their buttons are far from the top.
        body.children = [widgets.HTML(case_markup(work, case)), *_forms(work, case, _done), message]

    def _done(text: str, case: Case | None) -> None:
        message.value = f'<p role="status">{escape(text)}</p>'
        if case is not None:
            _fill()

    picker.observe(_open, names="value")
    again.on_click(_open)
    _fill()
    return widgets.VBox([picker, again, message, body])


def case_markup(work: OpenWorkspace, case: Case) -> str:
    """Return a case as HTML: its state, its findings and its history; all text is escaped."""
    parts = (
        facts(
            ("Customer", case.customer_id),
            ("State", case.state_words),
            ("Recommended", case.level),
            ("Why", case.top_reason),
            ("In force", case.effect or "nothing"),
            ("Assigned to", case.assignee or "nobody"),
            ("Ends next", case.due_words or "nothing"),
            ("Run", case.run_id),
            ("Version", str(case.version)),
        ),
        table(
            _FINDINGS,
            [
                (each.finding_id, each.level, each.outcome, each.disposition or "not yet", each.sentence)
                for each in case.findings
            ],
            "The case has no findings.",
        ),
        table(
            _HISTORY,
            [
                (
                    instant_words(dt.datetime.fromisoformat(str(each["at"]))),
                    str(each["kind"]).removeprefix("case."),
                    str(each["actor"]),
                    words_of(each),
                )
                for each in work.cases.history(case.case_id)
            ],
        ),
    )
    # In a review, evidence ids link to the index. There is none here, and each link would be a stop for the Tab key.
    shown = _LINK.sub(
        r'<span style="white-space:nowrap">\1</span>', "".join(block_markup(part) for part in parts)
    )
    return f'<style>{NOTEBOOK_STYLE}</style><div class="kp">{shown}</div>'


def _forms(work: OpenWorkspace, case: Case, done: Callable[[str, Case | None], None]) -> list[Any]:
    widgets = load_widgets()
    if case.state == "closed":
        return [widgets.HTML(f"<p>The case is closed: {escape(case.outcome or 'no outcome')}.</p>")]
    try:
        with work.ledger.workspace.reading() as connection:
            _, rules = rules_in_force(connection, case.policy_digest)
    except KycpackError as error:
        return [widgets.HTML(f"<p>{escape(str(error))}</p>")]
    if case.state == "second_review":
        return [_second_person(work, case, done)]
    return [_decide(work, case, rules, done), _hand_over(work, case, rules, done)]


def _decide(
    work: OpenWorkspace, case: Case, rules: DecisionRules, done: Callable[[str, Case | None], None]
) -> Any:
    widgets = load_widgets()
    # Nothing is preselected: an outcome that nobody chose must not be recorded.
    outcome = make_choice("Outcome", OUTCOMES)
    # All codes, whatever the outcome: suggestions that change during typing would remove the text.
    codes = [
        f"{name}: {words} ({', '.join(outcomes)})" for name, (words, outcomes) in rules.reason_codes.items()
    ]
    code = make_choice(
        "Reason code", codes, hint="one that goes with the outcome; it is named after each code"
    )
    verdicts = {each.finding_id: _verdict(each) for each in case.findings}
    outside = {
        each.finding_id: {
            name: make_text(f"{each.finding_id} {words}", "only for a false positive")
            for name, words in OUTSIDE_WORDS.items()
        }
        for each in case.findings
        if each.subject and each.outcome == HIT
    }
    example = f"{case.findings[0].finding_id}: ..." if case.findings else "a sentence"
    text = make_textarea("Why", f"Name each finding that you decide on, as in {example}")
    until = make_text("Ends on", "for an approval against a recommendation, as in 2026-12-31; may be empty")
    button = widgets.Button(
        description="Record the decision", button_style="primary", layout=_WIDTH_OF_ITS_WORDS
    )

    def _record() -> Case:
        given = {
            name: Disposition(
                field.value.strip(),
                {
                    member: box.value.strip()
                    for member, box in outside.get(name, {}).items()
                    if box.value.strip() and field.value.strip() == "false_positive"
                },
            )
            for name, field in verdicts.items()
            if field.value
        }
        ends = _date(until.value) if until.value.strip() else None
        decision = Decision(
            outcome.value.strip(), code.value.partition(":")[0].strip(), text.value, given, ends
        )
        return work.cases.decide(case.case_id, decision, version=case.version)

    on_press(button, lambda: _act(work, _record, done))
    fields: list[Any] = [widgets.HTML("<h3>Decide</h3>"), outcome, code]
    for name, field in verdicts.items():
        fields += [field, *outside.get(name, {}).values()]
    return widgets.VBox([*fields, text, until, button])


def _second_person(work: OpenWorkspace, case: Case, done: Callable[[str, Case | None], None]) -> Any:
    widgets = load_widgets()
    text = make_textarea("Why", "What you compared, and what follows from it")
    approve = widgets.Button(
        description="Approve the decision", button_style="primary", layout=_WIDTH_OF_ITS_WORDS
    )
    back = widgets.Button(description="Send it back", layout=_WIDTH_OF_ITS_WORDS)
    on_press(
        approve,
        lambda: _act(work, lambda: work.cases.approve(case.case_id, text.value, version=case.version), done),
    )
    on_press(
        back,
        lambda: _act(
            work, lambda: work.cases.send_back(case.case_id, text.value, version=case.version), done
        ),
    )
    heading = widgets.HTML(f"<h3>Second person: the decision is {escape(case.outcome or '')}</h3>")
    decided = [each for each in work.cases.history(case.case_id) if each["kind"] == "case.decided"]
    marked = repetition_of(decided[-1]) if decided else ""
    warning = [widgets.HTML(f"<p><strong>Read this again: {escape(marked)}.</strong></p>")] if marked else []
    return widgets.VBox([heading, *warning, text, widgets.HBox([approve, back])])


def _hand_over(
    work: OpenWorkspace, case: Case, rules: DecisionRules, done: Callable[[str, Case | None], None]
) -> Any:
    widgets = load_widgets()
    step = make_choice("Step", tuple(_STEPS), next(iter(_STEPS)))
    person = make_text("Person", "who will work on the case")
    item = make_choice("Item", rules.checklist)
    reason = make_text("Reason", "why, or the evidence that the item is done")
    button = widgets.Button(description="Record the step", layout=_WIDTH_OF_ITS_WORDS)

    def _fit(_change: Any = None) -> None:
        person.layout.display = "" if _STEPS.get(step.value) == "assign" else "none"
        item.layout.display = "" if _STEPS.get(step.value) == "check" else "none"

    def _record() -> Case:
        match _STEPS.get(step.value):
            case "assign":
                return work.cases.assign(case.case_id, person.value.strip(), reason.value)
            case "wait":
                return work.cases.wait(case.case_id, reason.value)
            case "resume":
                return work.cases.resume(case.case_id, reason.value)
            case "check":
                return work.cases.check(case.case_id, item.value.strip(), reason.value)
            case _:
                raise InputError(f"expected one of: {', '.join(_STEPS)}", place="Step")

    step.observe(_fit, names="value")
    on_press(button, lambda: _act(work, _record, done))
    _fit()
    return widgets.VBox([widgets.HTML("<h3>Hand over</h3>"), step, person, item, reason, button])


def _act(work: OpenWorkspace, record: Callable[[], Case], done: Callable[[str, Case | None], None]) -> None:
    """Record one step and show the result; if it is refused, the form keeps its input."""
    try:
        made = record()
    except KycpackError as error:
        done(f"Nothing was recorded. {error}", None)
        return
    said = f"Recorded: {made.case_id} is now {made.state.replace('_', ' ')}, version {made.version}."
    if made.state == "second_review":
        said += f" {second_person_words(work.cases.history(made.case_id)[-1]['data'])}"
    done(said, made)


def _verdict(finding: CaseFinding) -> Any:
    possible = verdicts_of(is_hit=finding.outcome == HIT)
    hint = f"as before: {finding.disposition}" if finding.disposition else ", ".join(possible)
    return make_choice(finding.finding_id, possible, hint=hint)


def _date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text.strip())
    except ValueError:
        raise InputError("expected a date, as in 2026-12-31", place="Ends on") from None
