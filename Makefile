# What you need: Python 3.11 or newer with venv, make, and a package index that pip can reach.
#
#   make run     StudyHub with its course on http://127.0.0.1:8000 (PORT=…, STUDYHUB_DATA=…, DATABASE_URL=…)
#   make demo    the same with sample people
#   make test    every check and every test, in a real browser too
#   make bench   how fast it is, as ratios
#   make drill   kills and restarts
#   make mutants small faults in the code, which the tests must notice (ONLY='quizzes.kinds.*')
#   make lock    writes the locked requirements anew from pyproject.toml
#   make clean   removes what can be made again; your data stays

VENV := .venv
PY := $(VENV)/bin/python
MANAGE := $(PY) manage.py
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run demo test bench drill mutants lock clean venv needs needs-dev needs-mutants browser
.NOTPARALLEL:

run: needs
	@exec $(MANAGE) serve

demo: needs
	@exec $(MANAGE) serve --demo

test: needs-dev browser
	@echo "== lint: ruff check" && $(VENV)/bin/ruff check .
	@echo "== format: ruff format --check" && $(VENV)/bin/ruff format --check .
	@echo "== types: mypy --strict" && $(VENV)/bin/mypy --strict .
	@echo "== storeys and rooms: lint-imports" && $(VENV)/bin/lint-imports
	@echo "== migrations: nothing missing" && $(MANAGE) makemigrations --check --dry-run
	@echo "== settings: manage.py check" && $(MANAGE) check --fail-level WARNING
	@echo "== tests: pytest" && CHROMIUM="$$(cat $(VENV)/chromium)" $(PY) -m pytest -n 2

bench: needs-dev
	@$(PY) -m tests.bench

drill: needs-dev
	@$(PY) -m pytest -m "drill or long"

mutants: needs-mutants
	@$(PY) -m tests.mutants $(if $(ONLY),--only '$(ONLY)')

lock: needs-dev
	$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--output-file requirements.txt pyproject.toml
	$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--group dev --output-file requirements-dev.txt pyproject.toml
	$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--constraint requirements-dev.txt --group mutants --output-file requirements-mutants.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A Python of 3.11 or newer that can make environments; the environment is made anew when its Python is gone.
venv:
	@$(PY) -c '' 2>/dev/null && test -x $(VENV)/bin/pip && exit 0; \
	new='import sys; sys.exit(sys.version_info < (3, 11))'; found=; \
	for one in $(PYTHON) python3 python3.13 python3.12 python3.11 python3.14; do \
		if $$one -c "$$new" 2>/dev/null; then found=$$one; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "StudyHub needs Python 3.11 or newer, and none was found."; \
		echo "Install it, or name it: make PYTHON=/path/to/python3 run"; exit 1; \
	fi; \
	if ! $$found -c 'import ensurepip, venv' 2>/dev/null; then \
		echo "This Python ($$found) cannot make environments: its venv part is missing."; \
		echo "On Debian and Ubuntu: apt-get install python3-venv"; exit 1; \
	fi; \
	echo "Making $(VENV)."; \
	$$found -m venv --clear $(VENV)

# Installed again only when the locked list or the Python changes: the mark carries both.
define install
	@mark="$(VENV)/$(1).mark-$$({ cat $(1).txt; $(PY) -V; } | cksum | tr ' ' '-')"; \
	test -e "$$mark" && exit 0; \
	echo "Installing what $(1).txt lists."; \
	$(PY) -m pip install --quiet --no-input --require-hashes -r $(1).txt || { \
		echo "The packages could not be installed. Check the network and pip's settings, then try again."; exit 1; \
	}; \
	rm -f $(VENV)/$(1).mark-*; touch "$$mark"
endef

needs: venv
	$(call install,requirements)

needs-dev: venv
	$(call install,requirements-dev)

needs-mutants: needs-dev
	$(call install,requirements-mutants)

# A Chromium for the browser tests. $(VENV)/chromium holds its path; empty means Playwright's own download.
browser: needs-dev
	@find() { for one in chromium chromium-browser google-chrome; do \
		path="$$(command -v $$one)" && "$$path" --version >/dev/null 2>&1 && { echo "$$path"; return 0; }; \
	done; return 1; }; \
	if ! find >$(VENV)/chromium && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Chromium from the system's packages."; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null; \
		find >$(VENV)/chromium || :; \
	fi; \
	test -s $(VENV)/chromium && exit 0; \
	echo "Getting Chromium from Playwright."; \
	$(VENV)/bin/playwright install chromium && \
	$(PY) -c 'from playwright.sync_api import sync_playwright as p; s = p().start(); s.chromium.launch().close(); s.stop()' || { \
		echo "The browser tests need Chromium, and none could be had: not the system's, not a package, not a download."; \
		echo "Install one by hand (Debian: apt-get install chromium) and run make test again."; exit 1; \
	}
