"""An argument of a wrong type is refused by every public function, in words that say what is wanted."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path
from typing import Any

import pytest

import kycpack as kp

WRONG = (None, 3, 2.5, "x", b"x", [], {"a": 1}, object())
TAKES_ANYTHING = {"CollectJob"}  # it is checked where it is used
MAY_TAKE = {
    "AsyncClient": (None, "x"),
    "Client": (None, "x"),
    "Evidence": (),
    "classify_cadence": ([],),
    "flatten": ([],),
    "load_policy": (None,),
    "open_workspace": (None, "x"),
}
FUNCTIONS = sorted(
    name
    for name in kp.__all__
    if callable(getattr(kp, name))
    and name not in TAKES_ANYTHING
    and not (inspect.isclass(getattr(kp, name)) and issubclass(getattr(kp, name), Exception))
)


def arguments(function: Any, value: object) -> tuple[list[object], dict[str, object]] | None:
    """Return the value for every argument that has to be given, or for the first one; None where there is no argument."""
    every = [
        each
        for each in inspect.signature(function).parameters.values()
        if each.kind not in {each.VAR_POSITIONAL, each.VAR_KEYWORD}
    ]
    given = [each for each in every if each.default is each.empty] or every[:1]
    by_name = {each.name: value for each in given if each.kind is each.KEYWORD_ONLY}
    return ([value] * (len(given) - len(by_name)), by_name) if given else None


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_type_is_refused_in_words(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    function = getattr(kp, name)
    for value in WRONG:
        chosen = arguments(function, value)
        if chosen is None:
            return
        refusal = asyncio.run(refused(function, *chosen))
        if refusal is None:
            assert value in MAY_TAKE.get(name, ()), (name, value)
        elif isinstance(refusal, TypeError):
            assert " must be " in str(refusal), (name, value, refusal)
        else:
            assert isinstance(refusal, kp.errors.KycpackError), (name, value, refusal)


async def refused(function: Any, positional: list[object], by_name: dict[str, object]) -> Exception | None:
    """Call a function and return what it refuses the arguments with; None where it takes them."""
    try:
        result = function(*positional, **by_name)
        if inspect.iscoroutine(result):
            result = await result
        if hasattr(result, "close"):
            closing = result.close()
            if inspect.iscoroutine(closing):
                await closing
    except Exception as error:  # noqa: BLE001 - whatever it is, the test looks at it
        return error
    return None


def test_one_client_cannot_be_taken_for_the_other() -> None:
    with kp.Client("https://service.example", key_id="k", secret="c2VjcmV0") as client:
        with pytest.raises(TypeError, match="client must be an AsyncClient"):
            kp.collect_many_async(client, [])  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="client must be a Client"):
            kp.collect_many(kp.AsyncClient("https://service.example"), [])  # type: ignore[arg-type]
        with pytest.raises(kp.errors.InputError, match="customer_id: expected an id as text, not int"):
            kp.collect(client, 5)  # type: ignore[arg-type]


def test_numbers_are_not_dates() -> None:
    with pytest.raises(kp.errors.InputError, match="it is a number"):
        kp.classify_cadence([20260101, 20260201, 20260301])  # type: ignore[list-item]
