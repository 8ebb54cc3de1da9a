# Everything from a bare clone: `make demo`, `make test`. See `make help`.

PYTHON ?= python3.11
PIP_FLAGS ?=
# Worker processes of pytest-xdist: one more than two cores, since browsers keep them waiting.
WORKERS ?= 3
# More arguments for pytest: `make test ARGS="-k blocks"`.
ARGS ?=

# Hundreds of tests start a Python of their own: without bytecode each would compile and rewrite all modules again.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
INSTALLED := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test test-unit test-all test-slow style lint format reference owner site package bench clean browser install

help:  ## Show the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(INSTALLED): pyproject.toml scripts/create_environment
	@scripts/create_environment "$(PYTHON)" $(PIP_FLAGS)
	@touch $@

.venv/.clip: $(INSTALLED) scripts/add_clip
	@scripts/add_clip
	@touch $@

install: $(INSTALLED)  ## Create .venv with the package and its development tools

browser: $(INSTALLED)  ## Make sure that there is a Chromium to render with
	@scripts/get_browser

demo: browser  ## Run the examples: a gate that passes, and one that fails on purpose
	@scripts/demo

test: $(INSTALLED)  ## Run linters and all quick tests
	@$(MAKE) --no-print-directory --jobs 2 style browser .venv/.picture
	$(PYTEST) -m "not slow" $(ARGS)

test-unit: style  ## Run linters and the quick pure tests: no browser, no torch
	$(PYTEST) tests/unit -m "not slow" $(ARGS)

test-all: lint browser .venv/.clip .venv/.picture  ## Run linters and all tests
	$(PYTEST) $(ARGS)

test-slow: browser .venv/.clip .venv/.picture  ## Run the slow tests only
	$(PYTEST) -m slow --cache-clear $(ARGS)

style: $(INSTALLED)  ## Check style, types on this platform, the direction of imports, the JavaScript and the workflows
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@scripts/check_javascript $(BIN)
	@scripts/check_workflows $(BIN)

lint: style  ## Check these, and types as on macOS and Windows
	@scripts/check_types $(BIN) darwin win32

format: $(INSTALLED)  ## Apply the formatter and the safe fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

reference: $(INSTALLED)  ## Write docs/reference.md and docs/api.md from the code
	$(BIN)/python scripts/write_reference.py
	$(BIN)/python scripts/write_run_schema.py

.venv/.docs .venv/.release: .venv/.%: $(INSTALLED)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile $(PIP_FLAGS) --group $*
	@touch $@

.venv/.%: $(INSTALLED)
	@echo "Installing the extra $*"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile $(PIP_FLAGS) --editable ".[$*]"
	@touch $@

# Two installations at once would spoil each other.
.venv/.picture: | .venv/.clip

owner:  ## Fill in the repository's owner: make owner NAME=...
	git grep -lE 'OWNER/pytest-design2a11[y]' | xargs sed -i 's#OWNER/pytest-design2a11[y]#$(NAME)/pytest-design2a11y#g'

site: .venv/.docs  ## Build the documentation into build/site, with its links checked
	$(BIN)/mkdocs build --strict
	$(BIN)/python scripts/check_site.py build/site

package: browser .venv/.release  ## Build wheel and sdist into dist/, and use them as a stranger would
	@scripts/check_package

bench: browser  ## Measure speed, as ratios to floors measured in the same run
	$(BIN)/python -m benchmarks $(ARGS)

clean:  ## Remove the environment and everything built; saved runs stay
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -rf test-results demo-report.html
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
