# make run       the app, with all that it needs, on a fresh machine
# make quick     linters, types, and the tests of rules, records, tables and texts: in a minute
# make test      linters, types and all tests; installs what they need
# make coverage  all tests, one at a time, and which branches they reach
# make messages  texts out of the source into translations/, for the translators
# make docs      the tables in docs/ that the program knows: reasons, settings
# make lint      linter, formatter and types only: of Python, scripts and styles
# make format    lets the formatters write
# make bench     figures: start, bytes, reports to all phones, memory (some minutes); the other figures
#                have a file each in benchmarks/; beside boardgame.io: benchmarks/live.py --peer
# make lighthouse  Lighthouse's marks for the join and the table page (npm)
# make webkit    an evening of four phones in WebKit, the engine of Safari (a minute)
# make firefox   the same in Firefox (a minute)
# make kills      kills a playing server a thousand times and looks what is lost (slow)
# make together   an evening at two processes, while they, their database and their bus are killed (slow)
# make rolling   an evening at processes behind nginx that are restarted one by one (some minutes)
# make mutants   mutation testing of the rules (slow)
# make fuzz      20,000 requests of every kind to every route (some minutes)
# make gap       10,000 games, each asked for at the moment when only the disk has it (some minutes)
# make noninterference  games that differ in their secrets alone, ten evenings' answers compared (slow)
# make looks     every page in every size that it is looked at in (some minutes)
# make timing    does a secret show in how long an answer takes?
# make strangers what others may do to a table that plays, at their worst (some minutes)
# make leaks     does a server that runs for weeks grow?
#                the last results of most long runs: docs/evidence.md
# make wheel     the program in one file, for a server: docs/deploy/
# make lock      requirements/ written again from pyproject.toml: every version, with its hashes
# make audit     are there known vulnerabilities in what requirements/ names? fails where some are, or unknown

# A system's own Python comes first: it is built with profile-guided optimization, as one of pyenv
# seldom is, and the server needs an eighth less processor time with it.
PYTHON := $(shell for each in /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$each" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$each" && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
LINK = $(PIP) install --no-build-isolation --no-deps --editable .
TOOLS := .venv/tools
NPM = PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/npm --no-audit --no-fund --loglevel=error
BIOME := $(BIN)/node node_modules/@biomejs/biome/bin/biome
TSC := $(BIN)/node node_modules/typescript/bin/tsc

# What the tests call besides Python: a browser and its fonts, an independent QR decoder, dictionaries,
# gettext's own checks, and what a large set-up runs on.
DEBIAN := chromium-headless-shell zbar-tools gettext hunspell hunspell-en-gb hunspell-lt hunspell-lv \
	myspell-et voikko-fi libvoikko-dev fonts-noto-core postgresql redis-server nginx systemd

.PHONY: run quick looks test all-tests coverage venv messages docs lint format bench kills together rolling lighthouse webkit firefox mutants debian fuzz gap noninterference timing strangers leaks wheel lock audit

run: $(BIN)/.app
	@exec $(BIN)/companion $(ARGS)

venv: $(BIN)/.test

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed, with venv; on Debian: apt-get install python3-venv"; exit 1; }
	@$(PYTHON) -m venv .venv

# What is installed is what requirements/ names, by hash; the project itself is only linked.
$(BIN)/.app: requirements/run.txt pyproject.toml | $(BIN)/python
	@echo "Setting up, once: this takes half a minute."
	@$(PIP) install --require-hashes --requirement requirements/run.txt
	@$(LINK)
	@touch $@

$(BIN)/.test: requirements/test.txt pyproject.toml | $(BIN)/python
	@$(PIP) install --require-hashes --requirement requirements/test.txt
	@$(LINK)
	@touch $@ $(BIN)/.app

# Linter and types of scripts and styles, as package-lock.json names them, by hash; no script of theirs is run.
# Not `npm ci`, which wants the builds for all other systems in a registry, too.
node_modules/.ready: package-lock.json | $(BIN)/.test
	@$(NPM) install --no-save --ignore-scripts >/dev/null
	@touch $@

$(TOOLS)/.ready: requirements/tools.txt | $(BIN)/python
	@$(BIN)/python -m venv $(TOOLS)
	@$(TOOLS)/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes --requirement $<
	@touch $@

wheel: $(BIN)/.app
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist/*.whl

lock: $(TOOLS)/.ready $(BIN)/.test
	@mkdir -p requirements
	@for each in "run pyproject.toml --group build" "shared pyproject.toml --extra shared" "test pyproject.toml --group test" "tools --group tools"; do \
		set -- $$each; name=$$1; shift; \
		$(TOOLS)/bin/uv pip compile "$$@" --universal --python-version 3.11 --generate-hashes \
			--no-annotate --no-strip-extras --custom-compile-command "make lock" --quiet $(ARGS) --output-file requirements/$$name.txt || exit 1; \
	done
	@$(NPM) install --package-lock-only --omit-lockfile-registry-resolved >/dev/null

audit: $(TOOLS)/.ready
	@$(TOOLS)/bin/python tests/audit.py requirements/*.txt

fuzz: $(BIN)/.test
	@$(BIN)/python -m tests.web.fuzz $(ARGS)

gap: $(BIN)/.test
	@$(BIN)/python -m tests.web.gap $(ARGS)

debian: | $(BIN)/python
	@command -v dpkg-query >/dev/null || { echo "Not a Debian system: install by hand what stands for $(DEBIAN)."; exit 0; }; \
	missing=; for each in $(DEBIAN); do \
		dpkg-query -W -f '$${db:Status-Status}' "$$each" 2>/dev/null | grep -qx installed || missing="$$missing $$each"; \
	done; \
	test -z "$$missing" && exit 0; \
	sudo=; test "$$(id -u)" = 0 || sudo="sudo -n"; \
	echo "Installing from Debian:$$missing"; \
	export DEBIAN_FRONTEND=noninteractive; \
	{ $$sudo apt-get -qq update && $$sudo apt-get -qq install -y --no-install-recommends $$missing; } >.venv/apt.log 2>&1 \
		|| { tail -n 5 .venv/apt.log; echo "The tests need these Debian packages; install them as root: apt-get install$$missing"; exit 1; }

lint: $(BIN)/.test node_modules/.ready
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet . || { $(BIN)/ruff format --check .; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@$(BIOME) check --error-on-warnings >/dev/null 2>&1 || $(BIOME) check --error-on-warnings
	@$(TSC)

format: $(BIN)/.test node_modules/.ready
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .
	@$(BIOME) check --write >/dev/null

QUICK := tests/games tests/record tests/tables tests/cli tests/test_rooms.py tests/test_readme.py \
	tests/test_asvs.py tests/test_examples.py tests/test_settings.py tests/i18n/test_catalogues.py \
	tests/i18n/test_languages.py tests/i18n/test_reasons.py tests/i18n/test_terms.py
# What is compiled is kept, wherever: the tests start the program hundreds of times.
# Three processes for two cores: some tests wait, and a fourth slows the others more than it does.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --numprocesses=3 --dist=loadfile --no-loadscope-reorder

quick: $(BIN)/.test lint
	@$(PYTEST) $(QUICK) $(ARGS)

# The system's packages are installed beside Python's; types are checked meanwhile, or while the
# first tests run.
test:
	@$(MAKE) --no-print-directory --jobs=2 lint all-tests

all-tests: $(BIN)/.test debian
	@$(PYTEST) $(ARGS)

coverage: $(BIN)/.test debian
	@$(BIN)/pytest --cov --cov-report=term $(ARGS)

messages: $(BIN)/.test
	@$(BIN)/python -m tests.i18n.catalogue

docs: $(BIN)/.test
	@$(BIN)/python -m tests.docs.sections

bench: $(BIN)/.test debian
	@for each in web referee_web live; do $(BIN)/python "benchmarks/$$each.py" || exit 1; done

looks: $(BIN)/.test debian
	@LOOKS_SIZES=8 $(BIN)/pytest tests/browser/test_looks.py tests/browser/test_looks_playing.py $(ARGS)

noninterference: $(BIN)/.test
	@$(PYTEST) tests/noninterference/test_noninterference.py $(ARGS)

timing strangers leaks: $(BIN)/.test
	@$(BIN)/python benchmarks/$(patsubst timing,timing_leak,$@).py $(ARGS)

kills: $(BIN)/.test
	@$(BIN)/python -m tests.durability.kills $(ARGS)

together: $(BIN)/.test debian
	@$(BIN)/python -m tests.durability.together $(ARGS)

rolling: $(BIN)/.test debian
	@$(BIN)/python -m tests.durability.rolling $(ARGS)

lighthouse: $(BIN)/.test debian
	@$(BIN)/python -m tests.browser.lighthouse

# Without a screen: xvfb-run stands for one.
webkit: $(BIN)/.test
	@command -v WebKitWebDriver >/dev/null && command -v xvfb-run >/dev/null || { \
		echo "WebKit is missing; on Debian: apt-get install webkit2gtk-driver xvfb xauth"; exit 1; }
	@$(PIP) install 'selenium==4.51.0'
	@xvfb-run --auto-servernum --server-args="-screen 0 1800x1000x24" $(BIN)/python -m tests.browser.webkit

firefox: $(BIN)/.test
	@command -v firefox-esr >/dev/null || { echo "Firefox is missing; on Debian: apt-get install firefox-esr"; exit 1; }
	@$(NPM) install --no-save --ignore-scripts --prefix .venv/puppeteer 'puppeteer-core@25.16.0' >/dev/null
	@$(BIN)/python -m tests.browser.firefox $(BIN)/node .venv/puppeteer "$$(command -v firefox-esr)"

mutants: $(BIN)/.test
	@$(PIP) install 'mutmut==3.8.1'
	@$(BIN)/mutmut run $(ARGS)
	@$(BIN)/mutmut results
