# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
GPU := $(shell nvidia-smi -L >/dev/null 2>&1 && echo cuda13)
EXTRAS := dev,peers$(if $(GPU),$(comma)$(GPU))
comma := ,

.PHONY: demo docs test test-all report shown dist fuzz lint types check clean

demo: $(VENV)/.installed ## install, then run every primitive on a graph, on the GPU if there is one
	$(BIN)/gunrock info
	$(BIN)/gunrock stats rmat --scale 12
	set -e; for primitive in $$($(BIN)/python -c 'from gunrock_cli.primitives import primitive_names; print(*primitive_names())'); do \
	  $(BIN)/gunrock $$primitive rmat --scale 12; done
	$(BIN)/gunrock bfs grid2d --width 40 --height 10 --iterations 3 --trace --direction push

PYTEST := $(BIN)/python -m pytest -q -n 2 --dist worksteal --max-worker-restart 0
# Thousands of kernels are compiled for cores, with -O1 in three fifths of the time that they take with -O3. For
# GPUs hundreds are compiled that no test runs, with little optimization in a fifth of the time.
test: $(VENV)/.installed lint types ## everything that CI runs
	GUNROCK_CXXFLAGS="$${GUNROCK_CXXFLAGS--O1}" GUNROCK_TEST_NVRTC=--Ofast-compile=max $(PYTEST) -m "not long"

test-all: $(VENV)/.installed lint types ## the same and what takes minutes a test
	$(PYTEST)

# The wheel carries kernels compiled for these, which `make -j dist` does side by side: for processors like this
# machine's, and for AArch64 also where its cross compiler is installed (Debian: g++-aarch64-linux-gnu).
MACHINE := $(shell uname -m)
ARM := $(or $(shell command -v aarch64-linux-gnu-g++),$(if $(filter aarch64,$(MACHINE)),$(CXX)))
LEVELS := $(if $(filter x86_64,$(MACHINE)),x86-64-v3) $(if $(ARM),armv8-a)
CARRIED := $(addprefix build/carried/,sm_80 sm_90 sm_100 sm_120 $(LEVELS) $(LEVELS:=-openmp))
dist: $(CARRIED) ## a wheel and an sdist in dist/, checked as an index would
	rm -rf dist
	GUNROCK_CARRIED=$(abspath build/carried) $(BIN)/python -m build --no-isolation
	$(BIN)/python -m twine check --strict dist/*

$(CARRIED): $(VENV)/.installed emptied
	$(if $(filter armv8-a%,$(@F)),CXX=$(ARM)) $(BIN)/python -m gunrock_cli.cli.carry $(@F) $(@D)

.PHONY: emptied $(CARRIED)
emptied:
	rm -rf build/carried

RECORDS := $(addsuffix .jsonl,generated own real peers cugraph beside ranking classics scaling merrill12 profile ../graphs)
SEVERAL := $(addprefix --only ,several-devices multi-gpu-figure11 multi-gpu-figure12)
report: $(VENV)/.installed ## reports of the records that are kept, in results/*/report
	cd results/h200 && $(abspath $(BIN))/gunrock report --records $(RECORDS) --format markdown --all --output report
	cd results/h100 && $(abspath $(BIN))/gunrock report --records papers.jsonl ../graphs.jsonl --format markdown --output report
	cd results/h200x4 && $(abspath $(BIN))/gunrock report --records multi-gpu.jsonl --format markdown $(SEVERAL) --output report

shown: report ## what README and docs/ show of it, which is kept in results/shown
	for file in results/shown/*; do name=$${file##*/}; \
	  cp results/h200x4/report/$$name $$file 2>/dev/null || cp results/h200/report/$$name $$file; done
	sed '1s/^###/#/' results/h200/report/papers.md > docs/papers.md

docs: $(VENV)/.installed ## the site of README and docs/, in build/site
	$(BIN)/python -m pip install -q -e '.[docs]'
	$(BIN)/python benchmarks/site_pages.py build/pages
	$(BIN)/python -m mkdocs build --strict --quiet

CASES ?= 100000
fuzz: $(VENV)/.installed ## CASES damaged inputs for each fuzz target: minutes each, nightly
	GUNROCK_FUZZ_CASES=$(CASES) $(BIN)/python -m pytest -q -m fuzz --timeout 0 -n auto

lint: $(VENV)/.installed
	$(BIN)/ruff check gunrock_cli tests benchmarks
	$(BIN)/ruff format --check gunrock_cli tests benchmarks

types: $(VENV)/.installed
	$(BIN)/mypy

# Debian's packages are wanted, not needed: what lacks is skipped by its tests, which say so.
$(VENV)/.installed: pyproject.toml
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  dpkg -s g++ libboost-graph-dev chromium chromium-driver >/dev/null 2>&1 || \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
	    g++ libboost-graph-dev chromium chromium-driver >/dev/null; } || \
	  echo "note: Boost, Chromium or g++ could not be installed; their tests will be skipped"; \
	fi
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -e '.[$(EXTRAS)]'
	touch $@

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
