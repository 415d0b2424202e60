# The two commands of the README are `make run` and `make test`; everything sets itself up from a fresh clone.
PYTHON ?= python3.11
PORT ?= 8000
PY := .venv/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --require-hashes

.PHONY: run setup setup-dev test check lint types bench bench-large chaos audit lock screenshots clean

run: setup
	@exec $(PY) manage.py up --demo --port $(PORT)

setup: .venv/.installed
setup-dev: .venv/.installed-dev

.venv/.installed: requirements.lock
	@command -v $(PYTHON) >/dev/null || { echo "Assay needs Python 3.11: '$(PYTHON)' was not found (PYTHON=... names another)." >&2; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv .venv
	@echo "Installing Assay into .venv ..."
	@$(PIP) -r requirements.lock
	@touch $@

.venv/.installed-dev: requirements-dev.lock .venv/.installed
	@echo "Installing the test tools into .venv ..."
	@$(PIP) -r requirements-dev.lock
	@touch $@

test: setup-dev
	@$(PY) -m tests.run all

check: setup-dev
	@$(PY) -m tests.run quick

lint: setup-dev
	@$(PY) -m tests.run lint

types: setup-dev
	@$(PY) -m tests.run types

bench: setup-dev
	@$(PY) -m tests.bench

# Merge and report of 100,000 passages on PostgreSQL, beside 20,000: some minutes.
bench-large: setup-dev
	@$(PY) -m tests.bench.several

# Kills workers, servers, brokers and databases at random for five minutes on each broker (SEED=n, SECONDS=n).
SEED ?= 1
SECONDS ?= 300
chaos: setup-dev
	@$(PY) -m tests.chaos --seed $(SEED) --seconds $(SECONDS)

# Photographs every screen, wide and narrow, light and dark, into var/screenshots.
screenshots: setup-dev
	@$(PY) -m tests.screenshots

# Known holes in what requirements.lock names; says so where no index of advisories can be reached.
audit: setup-dev
	@$(PY) -m tests.audit

lock: setup-dev
	.venv/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-emit-index-url --no-emit-find-links --quiet -o requirements.lock
	.venv/bin/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-emit-index-url --no-emit-find-links --quiet -c requirements.lock -o requirements-dev.lock
	.venv/bin/uv pip compile --group loading --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-emit-index-url --no-emit-find-links --quiet -o requirements-loading.lock

# Leaves var/ alone: that is the database.
clean:
	rm -rf .venv .venv-loading .mypy_cache .ruff_cache .hypothesis
