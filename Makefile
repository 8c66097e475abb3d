# `make run` does the main job on a fresh machine; `make test` passes the tests on one. Both need python3 and make only.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
export UV_PYTHON_DOWNLOADS := never
export UV_NO_PROGRESS := 1
# Where a network has certificates of its own, they are the system's.
export UV_SYSTEM_CERTS := 1
# An environment of the caller's own must not be taken for this project's.
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME UV_PROJECT_ENVIRONMENT

.DEFAULT_GOAL := help
.PHONY: help run test test-long lint check quality bench bench-upstream attacks stack stack-down fabric models-verify lock clean

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

run: $(VENV)/.installed ## set up, evaluate the examples, commit, verify and report
	@$(BIN)/python examples/run.py

test: $(VENV)/.installed-dev ## set up and run the tests
	@$(BIN)/python -m pytest -n 2 --dist loadfile

test-long: $(VENV)/.installed-dev ## kill loops, big loads and long fuzzing
	@$(BIN)/python -m pytest -m long

lint: $(VENV)/.installed-dev ## style, types, floors, unused dependencies, sizes
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/deptry layers/glassbox/glassbox
	@$(BIN)/python tests/sizes.py

check: test lint ## everything that has to pass before a commit

stack: $(VENV)/.installed-dev ## start the whole deployment on this machine, and print the line that sends an evaluation
	@$(BIN)/glassbox stack up

stack-down: ## end it
	@$(BIN)/glassbox stack down

fabric: $(VENV)/.installed ## start a network of two organisations (Fabric with FABRIC_BIN, else the development peer)
	@$(BIN)/python fabric-network/network.py up

models-verify: $(VENV)/.installed ## check every bundled model against its digest
	@$(BIN)/glassbox models verify

quality: $(VENV)/.installed-dev ## measure the bundled judges on labelled data (GLASSBOX_DATA, else ../shared/data)
	@$(BIN)/python tests/quality/measure.py

bench: $(VENV)/.installed-dev ## the tables of quality, parity, speed and determinism (long); ENGINE=llm: those of the configured judge model
	@$(BIN)/python tests/bench/bench.py $(if $(ENGINE),--engine $(ENGINE)) $(ARGS)

bench-upstream: $(VENV)/.installed-dev ## comparisons that need torch: UPSTREAM="--python PYTHON --gliner FOLDER"
	@$(BIN)/python tests/bench/upstream.py $(UPSTREAM)

attacks: $(VENV)/.installed-dev ## what each defence of the judges' prompts stops
	@$(BIN)/python -m tests.attacks

lock: $(BIN)/uv ## resolve the lock anew
	@$(BIN)/uv lock

clean: ## remove the environment and what runs left behind
	rm -rf $(VENV) .glassbox build

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info[:2] <= (3, 13) else \
	"GlassBox needs Python 3.11, 3.12 or 3.13; this is %d.%d. Name another with: make PYTHON=python3.12 ..." % sys.version_info[:2])'
	@echo "Making $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv==$(UV_VERSION)"

# --inexact leaves uv itself where it is; compiled files make the first start as fast as the next.
$(VENV)/.installed: $(BIN)/uv uv.lock pyproject.toml chaincode/pyproject.toml
	@echo "Installing what uv.lock names ..."
	@$(BIN)/uv sync --quiet --frozen --inexact --compile-bytecode --extra local
	@touch $@

$(VENV)/.installed-dev: $(BIN)/uv uv.lock pyproject.toml chaincode/pyproject.toml
	@echo "Installing what uv.lock names, with the tests' tools ..."
	@$(BIN)/uv sync --quiet --frozen --inexact --compile-bytecode --extra dev
	@touch $(VENV)/.installed $@
