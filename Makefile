# Everything here runs in a virtual environment of its own, with ROS 2 Jazzy from PyPI: no ROS has to be
# installed, and one that is sourced is left out. To build for an installed ROS 2, use colcon (README).

SHELL := /bin/bash
PYTHON ?=
VENV ?= .venv
ROBOT ?=
PYTEST_ARGS ?=
BENCH_ARGS ?=

override VENV := $(abspath $(VENV))
BIN := $(VENV)/bin
MARKS := $(VENV)/.setup
STEP := scripts/step

# A sourced ROS and the environment of another virtual environment would mix their libraries with ours.
unexport PYTHONHOME PYTHONPATH COLCON_PREFIX_PATH AMENT_CURRENT_PREFIX RMW_IMPLEMENTATION
ifneq ($(ROS_DISTRO)$(_ROS_WHEELS_BOOTSTRAP_COMPLETE),)
unexport LD_LIBRARY_PATH CMAKE_PREFIX_PATH ROS_DISTRO _ROS_WHEELS_BOOTSTRAP_COMPLETE
endif
export AMENT_PREFIX_PATH := $(VENV)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

# An environment that was moved, or whose Python is gone, is made anew.
ifneq ($(shell cat $(MARKS)/where 2>/dev/null && $(BIN)/python -c 'print("runs")' 2>/dev/null),$(VENV) runs)
$(shell rm -rf $(MARKS))
endif

.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help setup setup-test demo test lint format bench bench-ik soak fuzz clean

help:
	@echo "make demo            the main job on a simulated arm: sets everything up, runs, says what it saw"
	@echo "make demo ROBOT=...  the same on arm (panda), ur5e, quadruped (go2)"
	@echo "make test            the tests (PYTEST_ARGS='test/spatial -k log' for some of them)"
	@echo "make lint            ruff and mypy"
	@echo "make format          lets ruff rewrite what it can"
	@echo "make bench           compares speed with Pinocchio, MuJoCo and a bare ROS 2 echo node"
	@echo "make bench-ik        compares inverse kinematics with TRAC-IK, pink and mink on the same poses"
	@echo "make soak            both nodes for DURATION=600 seconds under 1 kHz of messages with faults among them"
	@echo "make fuzz            the nodes under CASES=10000 arbitrary messages and requests"
	@echo "make setup           only the virtual environment in $(VENV), ready to run"
	@echo "make clean           removes the environment and everything that was built"
	@echo "Settings: PYTHON=python3.12 (3.10 to 3.13)  VENV=$(VENV)"

setup: $(MARKS)/package
	@echo "ready: . $(BIN)/activate"

setup-test: $(MARKS)/package $(MARKS)/test

demo: $(MARKS)/package
	$(BIN)/python -m dyn_node.tools.demo $(if $(ROBOT),--robot $(ROBOT))

# Over UDP: shared memory keeps the locks of a process that a test has killed.
test: export FASTDDS_BUILTIN_TRANSPORTS := UDPv4
test: setup-test
	@$(if $(PYTEST_ARGS),,echo "compiling kernels on every core: minutes, the first time on a machine")
	@$(if $(PYTEST_ARGS),,$(BIN)/python -m dyn_node warm)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: setup-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: export FASTDDS_BUILTIN_TRANSPORTS := UDPv4
bench: setup-test
	$(BIN)/python -m bench $(BENCH_ARGS)

# Peers that have no build for this machine are left out of the table.
bench-ik: setup-test
	for peer in pytracik pin-pink mink daqp; do $(BIN)/python -m pip install -q $$peer || echo "without $$peer"; done
	$(BIN)/python -m bench.ik $(BENCH_ARGS)

DURATION ?= 600
CASES ?= 10000

soak: export FASTDDS_BUILTIN_TRANSPORTS := UDPv4
soak: setup-test
	PYTHONPATH=test $(BIN)/python test/ros/soak.py --duration $(DURATION)
	DYN_NODE_RESTARTS=50 $(BIN)/python -m pytest -s test/ros/test_restarts.py --timeout 3000

fuzz: export FASTDDS_BUILTIN_TRANSPORTS := UDPv4
fuzz: export DYN_NODE_FUZZ_CASES := $(CASES)
fuzz: setup-test
	$(BIN)/python -m pytest test/ros/test_fuzz_nodes.py test/nodes/test_fuzz_state.py --timeout 36000

# Only an environment that this file made is removed: VENV may name anything.
clean:
	@if [ -d $(MARKS) ]; then rm -rf $(VENV); elif [ -e $(VENV) ]; then echo "$(VENV) was not made here: kept"; fi
	rm -rf build install log *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The set-up. Each step leaves a mark when it is through; one that was cut off (MARK.begun is still there)
# starts over from a clean state, since pip and CMake trust what they find.

$(MARKS)/where:
	@python=$$(scripts/find_python $(PYTHON)) || exit 1; \
	if [ -e $(VENV) ] && [ ! -e $(VENV)/pyvenv.cfg ]; then echo "VENV=$(VENV) exists and is no virtual environment" >&2; exit 1; fi; \
	[ -z "$$ROS_DISTRO" ] || echo "the sourced ROS 2 is not used here; to build for it: colcon build"; \
	echo "making the virtual environment $(VENV) with $$($$python --version)"; \
	$$python -m venv --clear $(VENV) && mkdir -p $(MARKS) && echo $(VENV) > $@

$(MARKS)/ros: requirements/ros-jazzy.txt requirements/build.txt requirements/run.txt | $(MARKS)/where
	@$(STEP) $@ "installing ROS 2 Jazzy and what the package needs, from PyPI (a minute or two)" \
	  $(BIN)/python -m pip install $$([ ! -e $@.begun ] || echo --ignore-installed) $(addprefix -r ,$^)

$(MARKS)/msgs: setup.py $(wildcard msg/*.xml msg/CMakeLists.txt msg/msg/*.msg msg/srv/*.srv) $(MARKS)/ros
	@[ ! -e $@.begun ] || rm -rf $(MARKS)/build
	@$(STEP) $@ "compiling the interfaces dyn_node_msgs (one to two minutes)" \
	  $(BIN)/python setup.py build --build-base $(MARKS)/build install_interfaces

$(MARKS)/package: setup.py setup.cfg package.xml pyproject.toml $(wildcard launch/*.py config/* rviz/*.rviz) $(MARKS)/msgs
	@$(STEP) $@ "installing dyn_node, editable" \
	  $(BIN)/python -m pip install --no-deps --no-build-isolation -e .

$(MARKS)/test: requirements/test.txt $(MARKS)/ros
	@$(STEP) $@ "installing what the tests need: reference engines and real robots' models (a few hundred MB)" \
	  $(BIN)/python -m pip install $$([ ! -e $@.begun ] || echo --ignore-installed) -r requirements/run.txt -r requirements/test.txt
