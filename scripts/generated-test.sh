#!/usr/bin/env bash
set -euo pipefail
name=generated
about="The five primitives and the ablations of Figure 8 on graphs that need no download: Kronecker and
random geometric graphs by the papers' recipes, a lattice, a road network."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan ppopp16-table3 arxiv15-table3
