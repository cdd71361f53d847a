# Every target sets up what it needs: python3 (3.11 or later) with venv, and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= auto
# Which tests: without what needs a browser, a database server, Java or a token, unless another choice is given.
TESTS ?= not browser and not postgres and not java and not pkcs11
# Further extras for the tests, as in MORE=,pkcs11
MORE ?=

.PHONY: help demo test lint docs bench scale lab evaluate conformance fuzz faults clean

help:
	@echo "make demo         review packs of 12 synthetic customers, into reports/demo/"
	@echo "make test         the tests"
	@echo "make lint         format, lint, types"
	@echo "make docs         the documentation as a site, into build/docs/"
	@echo "make bench        speed and memory, each beside a named peer"
	@echo "make scale        runs of very many customers: coordinator, resuming, end to end (make scale N=10000), killed (KILLS=5), once on Dask (ONLY=Dask)"
	@echo "make lab          JupyterLab with copies of the notebooks (as root: make lab LAB=--allow-root)"
	@echo "make evaluate     how well source of wealth is derived, against known truth"
	@echo "make conformance  the interface, row by row, with pass or fail"
	@echo "make faults       broken connections, 300 calls a kind: what the client reported beside what had happened"
	@echo "make fuzz         a long run of generated requests against the service"
	@echo "make clean        remove the environment and what was built"

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("kycpack needs Python 3.11 or later; set PYTHON=python3.12, say")'
	@echo "setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# What the demo needs is less than what the tests need, and a newcomer should not wait for both.
$(VENV)/run: $(VENV)/made pyproject.toml constraints.txt Makefile
	@echo "installing kycpack ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[service,fonts,signing]'
	@touch $@

$(VENV)/all: $(VENV)/made pyproject.toml constraints.txt Makefile
	@echo "installing kycpack, and what tests and notebooks need ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[service,fonts,signing,statements,keyring,postgres,s3,dask,telemetry,lab,scheduler,dev$(MORE)]'
	@touch $(VENV)/run $@

demo: $(VENV)/run
	@$(BIN)/kycpack demo

test: $(VENV)/all
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "$(TESTS)"

lint: $(VENV)/all
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

docs: $(VENV)/all
	$(BIN)/python -W ignore -m mkdocs build --quiet --strict

bench: $(VENV)/all
	$(BIN)/python -m tests.bench

scale: $(VENV)/all
	$(BIN)/python -m tests.bench.scale --customers $(or $(N),1000) --kills $(or $(KILLS),0) $(if $(ONLY),--only $(ONLY))

evaluate: $(VENV)/all
	$(BIN)/python -m tests.evaluate

conformance: $(VENV)/all
	$(BIN)/python -m pytest tests/conformance -q -p tests.conformance.report

faults: $(VENV)/all
	$(BIN)/python -m tests.contract.faults --calls 300

fuzz: $(VENV)/all
	$(BIN)/python -m tests.service.fuzz

lab: $(VENV)/all
	$(BIN)/kycpack lab $(LAB)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .hypothesis
