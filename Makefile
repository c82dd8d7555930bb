# Two commands for a newcomer: make demo, make test.
.RECIPEPREFIX = >
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SUDO = $(if $(filter 0,$(shell id -u)),,sudo)
READY = $(VENV)/.ready

.PHONY: all demo test thorough setup lint types contracts docs index check-docs lab bench clean

all:
> @echo "make demo   set up, check this machine, then walk through a recorded incident"
> @echo "make test   set up and pass every test"
> @echo "            others: thorough lint types contracts docs index lab bench clean"

setup: $(READY)

$(READY): pyproject.toml scripts/setup.sh
> PYTHON="$(PYTHON)" sh scripts/setup.sh "$(VENV)"
> @touch $(READY)

demo: setup
> @sh scripts/demo.sh "$(BIN)/codeblue"

test: setup lint types contracts check-docs
> $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

thorough: setup
> CODEBLUE_THOROUGH=1 $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

lint: setup
> $(BIN)/ruff check .
> $(BIN)/ruff format --check -q .

types: setup
> $(BIN)/mypy

contracts: setup
> $(BIN)/lint-imports

index: setup
> $(BIN)/python -m scripts.build_index

docs: index
> $(BIN)/python -m scripts.build_docs

check-docs: setup
> $(BIN)/python -m scripts.check_generated

lab: setup
> $(SUDO) $(BIN)/python -m lab --indent

bench: setup
> $(BIN)/python -m benchmarks

clean:
> rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache build dist
