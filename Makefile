# Everyday targets. `make setup` once, then the others; PYTHON chooses the interpreter of the virtual environment.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
REPO ?= .

.PHONY: help setup test lint format docs ingest search bench bench-speed fuzz sbom audit

help: ## show the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

setup: $(BIN)/fourfold ## make the virtual environment with everything that tests need

$(BIN)/fourfold: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -e '.[dev]'
	@touch $@

test: setup ## run the tests
	$(BIN)/pytest

lint: setup ## check style and types
	$(BIN)/ruff check .
	$(BIN)/mypy

format: setup ## bring the sources into the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: setup ## write docs/cli.md and docs/configuration.md
	$(BIN)/python -m fourfold.interfaces.cli.reference docs

ingest: setup ## index a repository: make ingest REPO=path
	$(BIN)/fourfold -C "$(REPO)" index

search: setup ## ask a repository: make search Q="where is the config parsed" REPO=path
	@test -n "$(Q)" || { echo 'say what to look for: make search Q="where is the config parsed" REPO=path' >&2; exit 2; }
	$(BIN)/fourfold -C "$(REPO)" search "$(Q)"

bench: setup ## score the ranking
	$(BIN)/python -m benchmarks.quality

bench-speed: setup ## time indexing and searching
	$(BIN)/python -m benchmarks.speed

sbom: setup ## write sbom.json: all that an installation brings along, its licences (CycloneDX)
	$(PYTHON) -m venv $(VENV)-sbom
	$(VENV)-sbom/bin/pip install -q cyclonedx-bom
	$(PYTHON) -m venv --clear $(VENV)-plain
	$(VENV)-plain/bin/pip install -q .
	$(VENV)-sbom/bin/cyclonedx-py environment $(VENV)-plain/bin/python --pyproject pyproject.toml -o sbom.json

audit: setup ## ask PyPI whether a vulnerability of a dependency is known (needs the network)
	$(PYTHON) -m venv $(VENV)-sbom
	$(VENV)-sbom/bin/pip install -q pip-audit
	$(BIN)/pip list --format=freeze --exclude fourfold > $(VENV)-sbom/installed.txt
	$(VENV)-sbom/bin/pip-audit --strict --no-deps --disable-pip -r $(VENV)-sbom/installed.txt

fuzz: setup ## ask the HTTP API for what its OpenAPI document allows and forbids, 200 times an operation
	FOURFOLD_FUZZ=200 $(BIN)/pytest tests/http/test_openapi_fuzzed.py
