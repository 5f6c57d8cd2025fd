#!/usr/bin/env bash
set -euo pipefail
name=multi-gpu
about="The five primitives on several GPUs of one host, beside one: strong and weak scaling on R-MAT graphs, and
Figures 11 and 12 of Merrill et al., PPoPP'12. On the CPU backend devices are teams of threads."
. "$(dirname "$0")/common.sh"
parse "$@"
run_plan several-devices multi-gpu-figure11 multi-gpu-figure12
