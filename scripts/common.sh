# Options and steps that the scripts beside this file share; read by them, not run by itself.

usage() {
  cat <<EOF
$about

Usage: $(basename "$0") [options]
  --data DIR        where the data sets lie (default: \$GUNROCK_DATASETS, or the user's data folder)
  --output DIR      records, text outputs and the report go here (default: results/$name)
  --device N        the GPU to use (default 0)
  --backend NAME    auto, cuda or cpu (default auto)
  --iterations N    timed runs of each cell
  --time-limit S    seconds for each cell
  --resume          go on where an earlier call of this script was stopped
  --quick           small generated graphs, a minute in all
  --dry-run         print the commands and stop
  -h, --help        this text

GUNROCK names the gunrock to run (default: gunrock).
EOF
}

fail() {
  echo "$(basename "$0"): $1" >&2
  exit 2
}

parse() {
  scripts=$(cd "$(dirname "$0")" && pwd)
  plan=$name quick=no dry=no output=
  sweep=()
  while [ $# -gt 0 ]; do
    case $1 in
      --quick) quick=yes ;;
      --resume) sweep+=(--resume) ;;
      --dry-run) dry=yes; sweep+=(--dry-run) ;;
      -h | --help) usage; exit 0 ;;
      --data | --output | --device | --backend | --iterations | --time-limit)
        [ $# -ge 2 ] || fail "$1 needs a value"
        case $1 in
          --data) GUNROCK_DATASETS=$(cd "$2" && pwd) || fail "no folder $2"; export GUNROCK_DATASETS ;;
          --output) output=$2 ;;
          --device) export CUDA_VISIBLE_DEVICES=$2 ;;
          --backend) sweep+=(--set "backend=$2") ;;
          --iterations) sweep+=(--set "iterations=$2") ;;
          --time-limit) sweep+=(--time-limit "$2") ;;
        esac
        shift ;;
      *) fail "unknown option $1 (--help lists them)" ;;
    esac
    shift
  done
  [ $quick = no ] || plan=$name-quick
  output=${output:-results/$plan}
}

# Tables are of one GPU, the first: where there are several, gunrock may take them by itself.
see_one_gpu() {
  local seen=${CUDA_VISIBLE_DEVICES-0}
  export CUDA_VISIBLE_DEVICES=${seen%%,*}
}

# Runs the plan, then makes the report, also of a sweep in which some cells failed.
run_plan() {
  local gunrock=${GUNROCK:-gunrock} status=0
  [ "$name" = multi-gpu ] || see_one_gpu
  $gunrock sweep "$scripts/$plan.toml" --output "$output/records.jsonl" --text "$output" \
    "${sweep[@]}" || status=$?
  [ $dry = no ] || exit $status
  [ $status -le 1 ] || exit $status
  $gunrock report --records "$output/records.jsonl" --format html --output "$output/report"
  $gunrock report --records "$output/records.jsonl" "${@/#/--only=}"
  exit $status
}
