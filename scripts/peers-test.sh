#!/usr/bin/env bash
set -euo pipefail
name=peers
about="Every peer that is installed (gunrock peers list) beside the five primitives, on graphs that need
no download: a Kronecker graph, a lattice, a road network."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan ppopp16-table2
