# `make run` and `make test` are all that is needed; `make help` lists the rest.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
ARGS   ?=

.DEFAULT_GOAL := help
.PHONY: help run test bench lint format soak examples oldest clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.installed ## play the default tournament, print the leaderboard, write tables
	$(BIN)/rummy500 tournament $(ARGS)

test: $(VENV)/.installed-dev ## run the tests
	$(BIN)/python -m pytest $(ARGS)

bench: $(VENV)/.installed ## measure the speed of the engine and the environments
	$(BIN)/rummy500 bench $(ARGS)

lint: $(VENV)/.installed-dev ## check style, formatting, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev ## put the code into the one format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

soak: $(VENV)/.installed-dev ## run the long random tests
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -m soak $(ARGS)

examples: $(VENV)/.installed-dev ## train with each framework of docs/examples
	$(BIN)/python -m pytest -m examples $(ARGS)

# A selection that goes through every library: environments, tables, plots, the command.
OLDEST := tests/test_env_*.py tests/test_gym_*.py tests/test_experiments_t*.py \
	tests/test_experiments_plots.py tests/test_experiments_stats.py tests/test_cli_*.py \
	tests/test_datasets.py tests/test_records.py tests/test_agents_rows.py tests/test_jit_cache.py

oldest: pyproject.toml ## run some of the tests with the oldest libraries that are supported
	$(PYTHON) -m venv --clear .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[pictures]' \
		'hypothesis>=6.100' packaging 'pytest>=8.2' --constraint constraints/oldest.txt
	NUMBA_CACHE_DIR=$(CURDIR)/.venv-oldest/cache .venv-oldest/bin/python -m pytest $(OLDEST) $(ARGS)

clean: ## remove the environment, caches and builds (never runs/)
	rm -rf $(VENV) .venv-examples .venv-oldest build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find rummy500_env agents experiments tests -name __pycache__ -prune -exec rm -rf {} +

# The stamps: installing takes a minute, and only a change of pyproject.toml makes it needed again.
# The install is editable, so changes of the code need none.
$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "No '$(PYTHON)' here: install Python 3.11 or newer, or say where it is: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, and '$(PYTHON)' is $$($(PYTHON) -V 2>&1). Name another: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.installed
