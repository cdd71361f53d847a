"""The words that single readings look for: their file and the modules agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kycpack.assets import asset_text
from kycpack.triage import results
from kycpack.triage.located_yaml import read_nodes
from kycpack.triage.results.vocabulary import READING_WORDS, words_of

_FOLDER = Path(results.__file__).parent
_LISTS = read_nodes(asset_text(READING_WORDS), READING_WORDS).plain()


@pytest.mark.parametrize("module", sorted(_LISTS))
def test_a_module_uses_each_of_its_lists_and_no_other(module: str) -> None:
    source = (_FOLDER / f"{module}.py").read_text(encoding="utf-8")
    assert f'words_of("{module}")' in source
    assert set(words_of(module)) == set(re.findall(r'_WORDS\[\s*"(\w+)"\s*\]', source)) == set(_LISTS[module])
