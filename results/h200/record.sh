#!/usr/bin/env bash
# Records this folder's sweeps of this system again, the most valuable first, in so many seconds. Real graphs
# (NAME.gcsr, as real.toml names them) are looked for in the folder GRAPHS.
#
#   results/h200/record.sh OUTPUT SECONDS [PLAN...]
#
# OUTPUT/NAME.jsonl takes the records of each sweep; another call goes on where this one stopped. Nothing is
# recorded from a modified tree: then records would not name their code.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
scripts=$here/../../scripts
gunrock=${GUNROCK:-gunrock}
mkdir -p "$1"
output=$(cd "$1" && pwd) end=$((SECONDS + $2))
shift 2
info=$($gunrock info --json)  # not piped to grep -q, which may end it, and a pipe that fails would pass as clean
case $info in
  *-dirty*)
    echo "record.sh: the tree is modified; commit first" >&2
    exit 2
    ;;
esac
[ $# -gt 0 ] || set -- "$scripts/generated.toml" "$here/merrill12.toml" "$here/own.toml" \
  "$scripts/ranking.toml" "$here/classics.toml"
code=0
for plan in "$@"; do
  plan=$(realpath "$plan") left=$((end - SECONDS)) status=0
  name=$(basename "$plan" .toml)
  if [ $left -le 5 ]; then
    echo "$name: no time left" >&2
    code=1
    continue
  fi
  (
    cd "${GRAPHS:-.}"
    timeout -s INT "$left" $gunrock warm "$plan" >&2
    exec timeout -s INT -k 20 $((end - SECONDS > 1 ? end - SECONDS : 1)) $gunrock sweep "$plan" --process graph \
      --resume --output "$output/$name.jsonl"
  ) || status=$?
  echo "$name: exit code $status, $((end - SECONDS)) s left" >&2
  [ $status -eq 0 ] || code=1
done
exit $code
