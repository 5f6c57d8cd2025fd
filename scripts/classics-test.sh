#!/usr/bin/env bash
set -euo pipefail
name=classics
about="The primitives that the papers name and print no figures of, beside every peer that is installed:
spanning forest, matching, independent set, coloring and communities, on graphs that need no download."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan classics
