# `make` lists what there is to do. Everything runs in .venv, which every target prepares by itself.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
NIGHTCHECK_HOME ?= $(CURDIR)/.nightcheck
export NIGHTCHECK_HOME
export DAGSTER_HOME ?= $(CURDIR)/dagster_home
export DAGSTER_DISABLE_TELEMETRY = 1
# without cached bytecode every Dagster process compiles itself anew
unexport PYTHONDONTWRITEBYTECODE
IN := .venv/bin

.venv/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(IN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(IN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.PHONY: help setup demo dev check fmt kafka test test-fast torture sabotage judge-live lock clean

help: ## list what there is to do
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | expand -t 14

setup: .venv/.ready ## prepare .venv from the locked requirements

demo: .venv/.ready ## the whole job, offline, on generated traffic
	$(IN)/nightcheck demo

# what Dagster remembers lives beside what it is about: the demo's nights are none of the real ones; where NIGHTCHECK_HOME is
# the demo's already, it is not looked for below itself
SHOWN := $(if $(filter-out $(notdir $(NIGHTCHECK_HOME)),$(HOME_OF)),$(NIGHTCHECK_HOME)/$(HOME_OF),$(NIGHTCHECK_HOME))

dev: .venv/.ready ## the Dagster UI on http://127.0.0.1:3000 (HOME_OF=demo shows the demo)
	@mkdir -p $(SHOWN)/dagster && cp dagster_home/dagster.yaml $(SHOWN)/dagster/
	NIGHTCHECK_HOME=$(SHOWN) DAGSTER_HOME=$(SHOWN)/dagster $(IN)/dagster dev --workspace dagster_home/workspace.yaml --host 127.0.0.1 --port $(or $(PORT),3000)

check: .venv/.ready ## format, lint, types, direction of imports
	$(IN)/ruff format --check .
	$(IN)/ruff check .
	$(IN)/mypy
	$(IN)/lint-imports

fmt: .venv/.ready ## format the code
	$(IN)/ruff format .
	$(IN)/ruff check --fix .

kafka: ## fetch Apache Kafka for the integration tests (needs Java and Maven)
	@if command -v java >/dev/null && command -v mvn >/dev/null; then sh tests/integration/kafka/fetch.sh; \
	  else echo "no Java or no Maven: the tests that need a broker are skipped"; fi

test: check kafka ## everything that CI runs
	$(IN)/pytest --numprocesses 2 --dist loadfile

test-fast: .venv/.ready ## without servers and other processes
	$(IN)/pytest -m "not integration"

torture: .venv/.ready kafka ## kill the ingester a thousand times (a quarter of an hour and more)
	NIGHTCHECK_KILLS=1000 $(IN)/pytest tests/integration/faults/test_kills.py --timeout 7200

sabotage: .venv/.ready kafka ## break each guarantee in turn and see the tests turn red
	$(IN)/python -m tests.sabotage.run

judge-live: .venv/.ready ## a night of the demo judged by a real server: by the one of NIGHTCHECK_JUDGE_BASE_URL, or one built here
	$(IN)/python -m benchmarks.judge_live

lock: ## pin the requirements anew, with hashes and without host names (needs uv)
	uv pip compile pyproject.toml --extra dev --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-annotate --no-header --no-strip-extras --upgrade -o requirements.lock

clean: ## remove what can be made again
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
