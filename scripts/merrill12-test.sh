#!/usr/bin/env bash
set -euo pipefail
name=merrill12
about="The tables and figures of Merrill et al., PPoPP'12: BFS traversal rates from 100 random sources a
graph, with and without predecessors, frontiers and queues level by level, isolated gathering and status
lookup, strategies. For the claims of PPoPP'16 see ppopp16-figure8.sh and peers-test.sh."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan merrill12-table1 merrill12-table2 merrill12-claims
