#!/usr/bin/env bash
set -euo pipefail
name=arxiv15-scaling
about="Table 3 of the arXiv paper: the five primitives on Kronecker graphs of scale 17 to 21."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan arxiv15-table3
