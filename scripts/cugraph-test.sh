#!/usr/bin/env bash
set -euo pipefail
name=cugraph
about="RAPIDS cuGraph on the same GPU beside the five primitives, on graphs that need no download: Kronecker
graphs, a lattice, a road network, a random geometric graph. Needs pylibcugraph (gunrock peers list)."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan ppopp16-table2
