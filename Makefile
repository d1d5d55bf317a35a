# `make demo` and `make test` are all that a newcomer needs; `make help` lists the rest.
# They make the environment in .venv from the pins in requirements/, once, and then run.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV ?= .venv
PEERS ?= .venv-peers
BIN := $(VENV)/bin
UV := $(BIN)/uv
RUN := $(BIN)/python
PYTEST := $(RUN) -m pytest

# The first Python that fits; PYTHON=... chooses another.
FITS := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for python in python3.11 python3 python3.12 python3.13; do \
	if $$python -c '$(FITS)' 2>/dev/null; then echo $$python; break; fi; done)

##@ Run

.PHONY: demo
demo: env  ## Start a local Neo4j, ingest the examples, search them
	$(BIN)/graphrag demo

##@ Test

.PHONY: test
test: env  ## All tests, those with servers too
	$(PYTEST) $(ARGS)

.PHONY: test-torch
test-torch: torch  ## The tests of models that need torch (see `make torch` for its size)
	$(PYTEST) tests/integration/test_embedding_model.py tests/integration/test_cross_encoder.py $(ARGS)

.PHONY: test-fast
test-fast: env  ## What needs no server, no model and little time
	$(PYTEST) tests/unit -m "not slow and not server and not model" $(ARGS)

.PHONY: coverage
coverage: env  ## All tests, with branch coverage
	$(PYTEST) --cov --cov-report=term $(ARGS)

.PHONY: bench
bench: env  ## Compare our speed with plain Cypher, in one run
	$(RUN) -m bench $(ARGS)

.PHONY: bench-filters
bench-filters: env $(PEERS)/.installed  ## Compare filtered search with two libraries, in an environment of theirs
	$(RUN) -m bench --only filter --peers $(PEERS)/bin/python $(ARGS)

.PHONY: bench-search
bench-search: env $(PEERS)/.installed  ## Compare the searches of 1, 4 and 16 clients with two libraries
	$(RUN) -m bench --only serving --peers $(PEERS)/bin/python $(ARGS)

.PHONY: bench-quality
bench-quality: env  ## Choose how hybrid search joins its legs over DATA="FOLDER:MEASURE:LEAST[:SIZE] ..." (docs/evaluation.md)
	$(RUN) -m tools.choose_fusion $(DATA) $(ARGS)

.PHONY: bench-patterns
bench-patterns: env  ## Search for patterns that explode elsewhere, beside a second client
	$(RUN) -m bench.hostile_patterns $(ARGS)

N ?= 100000
.PHONY: filters-check
filters-check: env  ## Compare N generated filters on a real server with their definition (SEED=... repeats a run)
	$(RUN) -m tools.compare_filters $(N) $(if $(SEED),--seed $(SEED)) $(ARGS)

KILLS ?= 100
.PHONY: kills
kills: env  ## Kill writers KILLS times at any message that they send, and run them again (SEED=... repeats a run)
	GRAPHRAG_KILLS=$(KILLS) GRAPHRAG_SEED=$(SEED) $(RUN) -m pytest -q -s tests/integration/neo4j/test_killed_writers.py

FUZZ ?= 2000
.PHONY: fuzz
fuzz: env  ## Read FUZZ mutated files of each of six formats (SEED=... repeats a run; needs GRAPHRAG_TEST_DATA)
	GRAPHRAG_FUZZ=$(FUZZ) GRAPHRAG_SEED=$(SEED) $(RUN) -m pytest -q -s tests/integration/test_fuzz_readers.py

.PHONY: strings-check
strings-check: env  ## Search a real server for N generated texts of any kind, none of which may raise (SEED=... repeats)
	$(RUN) -m tools.strings $(N) $(if $(SEED),--seed $(SEED)) $(ARGS)

MODULES ?=
.PHONY: mutants
mutants: env  ## Count how many small changes of the filters the tests notice (MODULES="graphrag/...")
	$(RUN) -m tools.mutants $(MODULES)

##@ Check

.PHONY: check
check: lint types test  ## Everything that has to pass

.PHONY: lint
lint: style imports generated licences spelling  ## The five below; `make -k lint` goes on after a failure

.PHONY: style
style: env  ## Rules and format (ruff)
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

.PHONY: imports
imports: env  ## Imports point down, foreign packages have one home
	$(BIN)/lint-imports

.PHONY: generated
generated: env  ## The synchronous code and the page of commands agree with their sources
	$(RUN) tools/generate_sync.py --check
	$(RUN) tools/write_cli_reference.py --check

.PHONY: licences
licences: env  ## The list is of the pins, and no GPL is in the core
	$(RUN) tools/check_licences.py --check

.PHONY: spelling
spelling: env  ## codespell
	$(BIN)/codespell

.PHONY: types
types: mypy pyright  ## Both type checkers, strict

.PHONY: mypy
mypy: env
	$(RUN) -m mypy

.PHONY: pyright
pyright: env
	$(BIN)/pyright --pythonpath $(RUN)

##@ Change

.PHONY: format
format: env  ## Sort imports and format
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

.PHONY: sync
sync: env  ## Generate the synchronous code, the page of commands and the list of licences
	$(RUN) tools/generate_sync.py
	$(RUN) tools/write_cli_reference.py
	$(RUN) tools/check_licences.py

COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make pins" $(if $(UPGRADE),--upgrade)

.PHONY: pins
pins: $(VENV)/.uv  ## Resolve requirements/*.txt anew
	$(COMPILE) requirements/uv.in -o requirements/uv.txt
	$(COMPILE) pyproject.toml --extra standard --extra eval --group dev --excludes requirements/excludes.txt \
		-o requirements/dev.txt
	$(COMPILE) pyproject.toml --extra standard --excludes requirements/excludes.txt \
		--constraint requirements/dev.txt -o requirements/standard.txt
	$(COMPILE) pyproject.toml --extra embeddings --constraint requirements/dev.txt \
		--no-emit-package openvino-telemetry -o requirements/torch.txt
	$(COMPILE) pyproject.toml --extra eval --constraint requirements/dev.txt -o requirements/eval.txt
	$(COMPILE) requirements/bench-peers.in -o requirements/bench-peers.txt

##@ Environment

.PHONY: env
env: $(VENV)/.installed  ## Make the environment, if it is not there or not of the pins

.PHONY: torch
torch: env  ## Add sentence-transformers and torch with CUDA (3.2 GB)
	$(UV) pip install --python $(RUN) --require-hashes --no-deps -r requirements/torch.txt

$(VENV)/.uv: requirements/uv.txt
	@test -n "$(PYTHON)" || { \
		echo "No Python 3.11, 3.12 or 3.13 found. Install one, or name it: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV) || { \
		echo "$(PYTHON) cannot make an environment. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@touch $@

$(VENV)/.installed: $(VENV)/.uv requirements/dev.txt pyproject.toml
	$(UV) pip sync --python $(RUN) --require-hashes requirements/dev.txt requirements/uv.txt
	$(UV) pip install --python $(RUN) --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(PEERS)/.installed: $(VENV)/.uv requirements/bench-peers.txt
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(UV) pip sync --python $(PEERS)/bin/python --require-hashes requirements/bench-peers.txt
	@touch $@

.PHONY: clean
clean:  ## Remove the environment and everything that was built
	rm -rf $(VENV) $(PEERS) build dist htmlcov .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find graphrag tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help
help:  ## Show this
	@awk 'BEGIN {FS = ":.*  ## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*  ## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
