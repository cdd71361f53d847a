"""The notebooks in JupyterLab: the keyboard alone is enough for their controls, and a job runs the review with parameters."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.ports import free_port

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.batch.report import RunEntry, RunReport

pytest.importorskip("jupyterlab")

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

AS_OF = "2026-06-30T23:59:59Z"
TOKEN = "a-token-of-this-test"
PATIENCE = 120.0  # a busy machine takes its time to draw
MOST_STOPS = 150
BUSY_SECONDS = 12
LABEL_OF_FOCUS = """() => {
  const at = document.activeElement;
  if (!at) return '';
  if (at.tagName === 'BUTTON') return at.textContent.trim();
  const label = at.closest('.jupyter-widgets')?.querySelector('label');
  return label ? label.textContent.trim() : '';
}"""


HAS_RUN = """count => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]
  .some(prompt => prompt.textContent.includes(`[${count}]`))"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the notebooks, and a workspace with the case of the sample customer."""
    place = tmp_path_factory.mktemp("lab")
    run = place / "run"
    pack = kp.write_pack(asset_path("samples/evidence/index.json").parent, run, as_of=AS_OF)
    entry = RunEntry(pack.customer_id, "produced", pack.path.name, pack.level, pack.top_reason)
    report = RunReport("run-1", AS_OF, AS_OF, AS_OF, "0.1.0", 1, (entry,))
    (run / "run.json").write_text(json.dumps(report.to_document()))
    with kp.open_workspace(place / "work.db", actor="Anna Example") as work:
        work.cases.from_run(run)
    return place


@pytest.fixture(scope="module")
def lab(folder: Path) -> Iterator[str]:
    """Start JupyterLab as `kycpack lab` does, and return its address."""
    port = free_port()
    quiet = folder / "jupyterlab_settings_dir" / "@jupyterlab" / "apputils-extension"
    quiet.mkdir(parents=True)
    (quiet / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    words = [sys.executable, "-m", "kycpack", "lab", "notebooks", "--no-browser", "--allow-root"]
    home = {
        name: str(folder / name.lower())
        for name in ("IPYTHONDIR", "JUPYTER_DATA_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")
    }
    with (folder / "lab.log").open("w") as log:
        server = subprocess.Popen(  # noqa: S603 - our own interpreter
            [*words, "--port", str(port)],
            cwd=folder,
            env={**os.environ, **home, "JUPYTER_TOKEN": TOKEN, "KYCPACK_REPORTS": "run"},
            stdout=log,
            stderr=log,
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/api?token={TOKEN}")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(30)


def _wait_for(address: str) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(address).close()  # noqa: S310 - loopback
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.5)
        else:
            return


def set_parameter(notebook: Path, name: str, value: str) -> None:
    document = json.loads(notebook.read_text())
    for cell in document["cells"]:
        text = "".join(cell["source"])
        if "parameters" in cell["metadata"].get("tags", []):
            changed = re.sub(rf'(?m)^{name} = ""', f"{name} = {value!r}", text)
            assert changed != text
            cell["source"] = changed.splitlines(keepends=True)
    notebook.write_text(json.dumps(document))


def with_busy_cell(notebook: Path, code: str) -> Path:
    """Return a copy with a cell behind the one that holds the code; it keeps the kernel busy for some seconds."""
    document = json.loads(notebook.read_text())
    place = next(n for n, cell in enumerate(document["cells"]) if "".join(cell["source"]).startswith(code))
    sleep = {"cell_type": "code", "id": "busy", "metadata": {}, "outputs": [], "execution_count": None}
    document["cells"].insert(place + 1, sleep | {"source": f"import time\n\ntime.sleep({BUSY_SECONDS})"})
    copy = notebook.with_name(f"busy_{notebook.name}")  # a kernel of its own: its cells are counted from one
    copy.write_text(json.dumps(document))
    return copy


def open_notebook(page: Page, lab: str, notebook: Path) -> None:
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{lab}/lab/tree/{notebook.name}?token={TOKEN}&reset")
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=PATIENCE * 1000)
    page.wait_for_function("() => document.activeElement && document.activeElement.closest('.jp-Notebook')")
    page.wait_for_timeout(3000)  # JupyterLab drops what is run before it has the kernel's first answer


def run_up_to(page: Page, lab: str, notebook: Path, code: str) -> None:
    """Open a notebook and run its cells with the keyboard, up to the one that holds the code."""
    open_notebook(page, lab, notebook)
    done = 0
    for cell in json.loads(notebook.read_text())["cells"]:
        wanted = "".join(cell["source"]).startswith(code)
        page.keyboard.press("Control+Enter" if wanted else "Shift+Enter")
        if cell["cell_type"] == "code":
            done += 1
            page.wait_for_function(HAS_RUN, arg=done)
        if wanted:
            break
    page.wait_for_selector(".jp-Cell.jp-mod-active .jupyter-widgets")


def tab_to(page: Page, label: str) -> None:
    """Press Tab until the control with a label has the focus."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate(LABEL_OF_FOCUS) == label:
            return
    pytest.fail(f"Tab does not reach {label}")


def test_a_case_is_decided_by_the_keyboard_alone(desk: Page, lab: str, folder: Path) -> None:
    notebook = folder / "notebooks" / "triage_queue.ipynb"
    set_parameter(notebook, "workspace", str(folder / "work.db"))
    set_parameter(notebook, "analyst", "Anna Example")
    with kp.open_workspace(folder / "work.db", actor="Anna Example") as work:
        case = work.cases.list()[0]
    run_up_to(desk, lab, notebook, "case_desk(")
    findings = [each.finding_id for each in case.findings]
    text = f"{', '.join(findings)}: held until the bank has answered what it was asked"
    steps = [("Outcome", "hold"), ("Reason code", "PRECAUTION")]
    steps += [(each, "inconclusive") for each in findings]
    for label, typed in [*steps, ("Why", text)]:
        tab_to(desk, label)
        desk.keyboard.type(typed)
    tab_to(desk, "Record the decision")
    desk.keyboard.press("Space")
    expect(desk.get_by_role("status").filter(has_text="Recorded").first).to_contain_text(
        case.case_id, timeout=PATIENCE * 1000
    )
    with kp.open_workspace(folder / "work.db", actor="Anna Example") as work:
        made = work.cases.get(case.case_id)
        assert (made.outcome, made.effect) == ("hold", "hold")
        assert {each.disposition for each in made.findings} == {"inconclusive"}
        assert work.cases.history(case.case_id)[-1]["actor"] == "Anna Example"


def test_a_threshold_is_tried_by_the_keyboard_alone(desk: Page, lab: str, folder: Path) -> None:
    run_up_to(desk, lab, folder / "notebooks" / "wealth_explorer.ipynb", "edit_thresholds(")
    for label, typed in (("Threshold", "small_credit"), ("Value", "1000000")):
        tab_to(desk, label)
        desk.keyboard.press("Control+A")
        desk.keyboard.type(typed)
    tab_to(desk, "Show what moves")
    desk.keyboard.press("Space")
    expect(desk.locator(".jp-Cell.jp-mod-active .jp-OutputArea table").first).to_contain_text(
        "disposition", timeout=PATIENCE * 1000
    )


def test_a_press_counts_what_was_typed_while_the_kernel_was_busy(desk: Page, lab: str, folder: Path) -> None:
    notebook = with_busy_cell(folder / "notebooks" / "wealth_explorer.ipynb", "edit_thresholds(")
    run_up_to(desk, lab, notebook, "edit_thresholds(")
    editor = desk.locator(".jp-Cell").filter(has=desk.get_by_role("button", name="Show what moves"))
    name, value = editor.get_by_label("Threshold"), editor.get_by_label("Value")
    desk.keyboard.press("Shift+Enter")
    desk.keyboard.press("Shift+Enter")  # the kernel sleeps
    expect(desk.locator("#jp-main-statusbar")).to_contain_text("| Busy")
    for field, typed in ((name, "refund_days"), (value, "1"), (name, "small_credit"), (value, "1000000")):
        field.click()
        desk.keyboard.press("Control+A")
        desk.keyboard.type(typed)
    desk.keyboard.press("Tab")
    desk.keyboard.press("Space")
    expect(desk.locator("#jp-main-statusbar")).to_contain_text("| Busy")
    expect(editor.locator(".jp-OutputArea")).to_contain_text(
        "With small_credit at 1000000", timeout=PATIENCE * 1000
    )
    expect(name).to_have_value("small_credit")
    expect(value).to_have_value("1000000")


def test_a_name_that_is_asked_for_finds_the_customer_and_is_kept_nowhere(
    desk: Page, lab: str, folder: Path
) -> None:
    person = kp.open_run(folder / "run").frames.customers.iloc[0]
    name = str(person["last_name"])
    cells = [
        'import kycpack as kp\n\nrun = kp.open_run("../run")\nrun',
        "found = run.find()",
        'found[["customer_id", "level"]]',
    ]
    notebook = folder / "notebooks" / "find.ipynb"
    empty = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    written = [{**empty, "id": f"cell-{n}", "source": source} for n, source in enumerate(cells)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook.write_text(
        json.dumps({"cells": written, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})
    )
    open_notebook(desk, lab, notebook)
    desk.keyboard.press("Shift+Enter")
    desk.wait_for_function(HAS_RUN, arg=1)
    desk.keyboard.press("Shift+Enter")
    prompt = desk.locator(".jp-Stdin-input")
    expect(prompt).to_have_attribute("type", "password")
    expect(desk.locator(".jp-Stdin-prompt")).to_contain_text("neither shown nor kept")
    prompt.fill(name)
    prompt.press("Enter")
    desk.wait_for_function(HAS_RUN, arg=2)
    desk.locator(".jp-CodeCell").last.click()
    desk.keyboard.press("Shift+Enter")
    expect(desk.locator(".jp-OutputArea table.dataframe")).to_contain_text(str(person["customer_id"]))
    desk.keyboard.press("Control+S")
    end = time.monotonic() + PATIENCE
    while str(person["customer_id"]) not in notebook.read_text():
        assert time.monotonic() < end
        desk.wait_for_timeout(500)
    kept = [path for path in folder.rglob("*") if path.is_file() and not path.is_relative_to(folder / "run")]
    assert notebook in kept
    assert any(path.name == "history.sqlite" for path in kept)
    assert not [path for path in kept if name.encode() in path.read_bytes()]


def test_a_job_reviews_the_customer_that_its_parameter_names(desk: Page, lab: str, folder: Path) -> None:
    pytest.importorskip("jupyter_scheduler")
    customer_id = json.loads((folder / "run" / "run.json").read_text())["entries"][0]["customer_id"]
    desk.set_default_timeout(PATIENCE * 1000)
    desk.goto(f"{lab}/lab/tree/customer_review.ipynb?token={TOKEN}&reset")
    expect(desk.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=PATIENCE * 1000)
    desk.get_by_role("button", name="Create a job").click()
    desk.get_by_role("button", name="Add new parameter").click()
    desk.locator("input[name='parameter-0-name']").fill("customer_id")
    desk.locator("input[name='parameter-0-value']").fill(f'"{customer_id}"')
    desk.keyboard.press("Tab")
    desk.get_by_role("button", name="Create", exact=True).click()
    status = desk.get_by_role("row").filter(has_text="customer_review.ipynb")
    end = time.monotonic() + PATIENCE
    while "Completed" not in status.inner_text():
        assert "Failed" not in status.inner_text()
        assert time.monotonic() < end, status.inner_text()
        desk.wait_for_timeout(1000)
        desk.get_by_role("button", name="Reload").click()
    (page,) = (folder / "jupyter_data_dir" / "scheduler_staging_area").glob("*/*.html")
    text = page.read_text()
    assert customer_id in text
    assert "Nothing is known" not in text
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
