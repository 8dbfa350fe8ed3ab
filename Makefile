# Zonewright's commands. `make` lists them; each one sets up what it needs by itself.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# PY=3.13 works with that Python, in an environment of its own.
PY ?=
VENV ?= .venv$(if $(PY),-$(PY))
export PYTHON_FOR_SETUP ?= $(if $(PY),python$(PY))
PYTHON := $(VENV)/bin/python
SETUP := $(VENV)/.complete
export PATH := $(abspath $(VENV))/bin:$(PATH)

##@ Start here

help: ## list the commands
	@hack/help $(MAKEFILE_LIST)

setup: $(SETUP) ## install everything: Python packages into .venv; BIND9 and friends with apt where that works
$(SETUP): pyproject.toml requirements/dev.txt hack/setup
	@hack/setup $(VENV) requirements/dev.txt

run: $(SETUP) ## run the operator: on your KUBECONFIG or CONTEXT=, else on an embedded API with real name servers (BACKEND=)
	@$(PYTHON) -m hack.run $(if $(BACKEND),--backend $(BACKEND)) $(if $(CONTEXT),--context $(CONTEXT)) $(ARGS)

demo: $(SETUP) ## walk the manual test plan, step by step, checking each; ENDPOINTS=1: that of DNSEndpoints (BACKEND=embedded|controlplane)
	@$(PYTHON) -m hack.demo $(if $(BACKEND),--backend $(BACKEND)) $(if $(ENDPOINTS),--endpoints) $(ARGS)

test: $(SETUP) ## what to run before a push: verify, then every test that needs no cluster (ARGS= for pytest, STRICT=1)
	@$(PYTHON) -m hack.test test $(ARGS)

##@ Code

generate: $(SETUP) ## CRDs in config/crd -> generated/, config/rbac, docs/reference
	@$(PYTHON) -m codegen

generate-watch: $(SETUP) ## the same on every save
	@$(PYTHON) -m codegen --watch

new-kind: $(SETUP) ## stamp a new record kind: make new-kind KIND=SSHFP
	@$(PYTHON) -m codegen new-kind $(KIND)

format: $(SETUP) ## let ruff format and fix
	@ruff format -q . && ruff check -q --fix .

docs: $(SETUP) ## check the documents: every link leads somewhere, every block of code is run by a test or marked
	@$(PYTHON) -m hack.docs

verify: $(SETUP) ## lint, types, import contracts, generated code, documents; never edits the tree
	@echo "format and lint"
	@ruff format --check -q . || { code=$$?; [ $$code != 1 ] || echo "make format would change the files above"; exit $$code; }
	@ruff check -q .
	@echo "generated code"
	@$(PYTHON) -m codegen --check
	@echo "documents"
	@$(PYTHON) -m hack.docs
	@echo "import contracts"
	@lint-imports --no-logo | tail -n 20
	@echo "types (20 s with a cold cache)"
	@mypy --no-error-summary

lock: ## lock the dependencies of pyproject.toml into requirements/, with hashes
	@hack/lock

##@ Tests

test-controlplane: $(SETUP) ## what talks to a cluster on a real kube-apiserver, slow tests, kubectl, the older client (ARGS=, STRICT=1)
	@$(PYTHON) -m hack.test test-controlplane $(ARGS)

unit: $(SETUP) ## the tests that need no socket
	@pytest -q tests/unit $(ARGS)

model: $(SETUP) ## the engine's model test, longer: make model EXAMPLES=6000
	@MODEL_EXAMPLES=$(or $(EXAMPLES),6000) pytest -q tests/unit/reconcilers/engine/model --timeout=3600 $(ARGS)

mutants: $(SETUP) ## seed known bugs into the engine and show which tests kill them
	@$(PYTHON) -m tests.mutants $(ARGS)

chaos: $(SETUP) ## make chaos KIND=kill9|endpoints ROUNDS=50
	@$(PYTHON) -m tests.chaos $(or $(KIND),kill9) --rounds $(or $(ROUNDS),50) $(ARGS)

bench: $(SETUP) ## measure, as ratios of one run: make bench ONLY=codegen,runtime,shaping,envtest,ddns,e2e,endpoints
	@$(PYTHON) -m tests.bench $(if $(ONLY),--only $(ONLY)) $(ARGS)

coverage: $(SETUP) ## branch coverage of the framework, at least 95 %
	@hack/coverage $(ARGS)

##@ kind

kind-up: $(SETUP) ## create a kind cluster (KIND_IMAGE=, DOCKER_HOST, KUBECONFIG are honoured)
	@hack/kind up

kind-down: $(SETUP) ## delete it
	@hack/kind down

e2e: $(SETUP) ## end-to-end tests on the kind cluster
	@hack/kind e2e $(ARGS)

##@ Tidy up

clean: ## remove what the other commands made here
	@rm -rf $(VENV) .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage build dist

.PHONY: help setup run demo test test-controlplane generate generate-watch new-kind format docs verify lock unit model mutants chaos bench coverage kind-up kind-down e2e clean
