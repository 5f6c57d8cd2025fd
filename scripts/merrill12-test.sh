#!/usr/bin/env bash
set -euo pipefail
name=merrill12
about="Table 2 of Merrill et al., PPoPP'12: BFS traversal rates, 100 random sources a graph, with and
without predecessors."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan merrill12-table2
