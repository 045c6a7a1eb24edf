# Every target makes its own environment in .venv; nothing has to be installed or activated first.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
ARGS   ?=

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-slow lint format type bench sheets lock clean release

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## make .venv and install gen with its development tools, exact versions

$(STAMP): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "gen needs Python 3.11 or newer; say which with: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) \
	  || { echo "this Python has no venv module; on Debian: apt-get install python3-venv"; exit 2; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[dev]'
	@touch $(STAMP)

demo: setup ## make the default data set and say where it is
	$(BIN)/python -m gen task=instance_seg encoding=pixel_ss1_m0_o0_l1_c0_b1 $(ARGS)

test: setup ## the fast tests
	$(BIN)/python -m pytest -n auto -m 'not slow' $(ARGS)

test-slow: setup ## the tests that take longer
	$(BIN)/python -m pytest -n auto -m slow $(ARGS)

lint: setup ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: setup ## ruff: mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

type: setup ## mypy, strict
	$(BIN)/mypy

bench: setup ## speed, side by side with supervision + Pillow and matplotlib
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[bench]'
	$(BIN)/python -m benchmarks $(ARGS)

sheets: setup ## contact sheets: every encoding on one busy photo, its prompt beside it
	$(BIN)/python -m benchmarks.sheets $(ARGS)

lock: setup ## resolve requirements.lock anew
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --universal --python-version 3.11 --upgrade --all-extras \
	  --no-emit-index-url --custom-compile-command 'make lock' pyproject.toml -o requirements.lock

release: ## publish a data set (not part of this version)
	@echo "make release: this version of gen makes runs; publishing them is not part of it yet"; exit 2

clean: ## remove the environment, caches and builds; what you made in outputs/ stays
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
