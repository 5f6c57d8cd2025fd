#!/usr/bin/env bash
set -euo pipefail
name=ranking
about="Personalized PageRank (one seed, 32 at once, by push), HITS, SALSA and who to follow on graphs that need no
download. None of the papers' tables has them; the table that is made says so."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan ranking
