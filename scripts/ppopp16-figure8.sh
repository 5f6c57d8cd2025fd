#!/usr/bin/env bash
set -euo pipefail
name=ppopp16-figure8
about="Figure 8 of the PPoPP'16 paper: workload mapping, idempotence and direction of BFS."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan measured
