#!/usr/bin/env bash
set -euo pipefail
name=ppopp16
about="Table 3 of the PPoPP'16 paper: the five primitives on its data sets, one folder per primitive
(BFS, SSSP, BC, PR, CC) and in it a text output a data set, as in the paper's artifact."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan ppopp16-table3
