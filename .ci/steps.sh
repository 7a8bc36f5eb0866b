# The steps of .ci/run and .ci/nightly: runs commands, counts their tests and prints the table at the end.
# Sourced by both, which end with `finish`.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI=true NO_COLOR=1

log=$(mktemp)
suites=$(mktemp)
failures=$(mktemp)
beside_log=$(mktemp)
beside_end=$(mktemp)
beside_pid=
trap 'rm -f "$log" "$suites" "$failures" "$beside_log" "$beside_end"; [ -z "$beside_pid" ] || kill -- "-$beside_pid"' EXIT
passed=0
failed=0
summary=()
slow=()

# Time limits of tests are multiplied by it. A busy machine has a high factor, too.
TEST_TIME_FACTOR=${TEST_TIME_FACTOR:-$(node test/gate/machine-speed.mjs)}
export TEST_TIME_FACTOR
echo "== time factor of this machine: $TEST_TIME_FACTOR"

# Sets $ok, $not_ok and $skipped from the summaries that jest printed. A suite that cannot be loaded counts no tests, but
# its step exits with an error.
count_tests() {
  read -r ok not_ok skipped < <(awk '
    /^Tests: / || /^Test Suites: / {
      for (i = 3; i <= NF; i++) {
        if ($i ~ /^(skipped|todo|pending)/) skipped += $(i - 1)
        if ($1 == "Tests:" && $i ~ /^passed/) ok += $(i - 1)
        if ($1 == "Tests:" && $i ~ /^failed/) not_ok += $(i - 1)
      }
    }
    END { print ok + 0, not_ok + 0, skipped + 0 }' "$log")
}

# Reports a step that took over 1.5 times its budget, unless the machine is busy.
check_budget() {
  local budget
  budget=$(awk -v step="$2" '!/^#/ { seconds = $1; sub(/^ *[0-9]+ +/, ""); if ($0 == step) print seconds }' .ci/budgets)
  if [ -z "$budget" ]; then
    slow+=("$2 has no budget in .ci/budgets")
  elif awk "BEGIN { exit !($1 > 1.5 * $budget && $TEST_TIME_FACTOR < 1.3) }"; then
    slow+=("$2 took $1 s; its budget in .ci/budgets is $budget s")
  fi
}

# step KIND COMMAND...   KIND is "tests" for a command that must run some, "changed" for one that runs none if nothing
# has changed since they passed, else "checks"
step() {
  local kind=$1 start=$SECONDS
  shift
  "$@" 2>&1 | tee "$log"
  report "$kind" "${PIPESTATUS[0]}" $((SECONDS - start)) "$*"
}

# beside KIND COMMAND...   a step that runs with the next ones, which get the processor first, until `finish`
beside() {
  beside_kind=$1
  shift
  beside_command=("$@")
  set -m
  (
    start=$SECONDS
    nice -n 10 "$@" >"$beside_log" 2>&1
    echo "$? $((SECONDS - start))" >"$beside_end"
  ) &
  beside_pid=$!
  set +m
}

# Waits for the step that runs beside the others and reports it.
end_beside() {
  local status=1 seconds=0
  wait "$beside_pid"
  read -r status seconds <"$beside_end"
  tee "$log" <"$beside_log"
  report "$beside_kind" "$status" "$seconds" "${beside_command[*]}"
  beside_pid=
}

# report KIND STATUS SECONDS COMMAND   counts the results of a command whose output is in $log
report() {
  local kind=$1 status=$2 seconds=$3 command=$4 remark=
  count_tests
  grep -E '^(PASS|FAIL) .*\([0-9.]+ m?s\)$' "$log" >>"$suites"
  grep -E '^FAIL |^  ● ' "$log" | awk '!seen[$0]++' >>"$failures"
  if [ "$skipped" -gt 0 ]; then
    not_ok=$((not_ok + skipped))
    remark+=", $skipped skipped"
  fi
  if [ "$kind" = changed ] && [ "$status" -eq 0 ] && [ $((ok + not_ok)) -eq 0 ]; then
    if grep -q 'suites have passed with the present contents' "$log"; then
      remark+=', unchanged'
    else
      kind=tests
    fi
  fi
  if [ "$kind" = tests ] && [ $((ok + not_ok)) -eq 0 ]; then
    not_ok=1
    remark+=', no test ran'
  fi
  if [ "$status" -ne 0 ]; then
    [ "$not_ok" -gt 0 ] || not_ok=1
    remark+=", exit status $status"
  fi
  passed=$((passed + ok))
  failed=$((failed + not_ok))
  check_budget "$seconds" "$command"
  summary+=("$(printf '%6d s  %7d  %7d  %s' "$seconds" "$ok" "$not_ok" "$command")")
  echo "== $command: $seconds s, $ok passed, $not_ok failed$remark"
}

# Prints the slowest suites, the names of failed tests, the table of steps and the last line; exits with 0 only if nothing failed.
finish() {
  [ -z "$beside_pid" ] || end_beside
  echo '== the slowest suites'
  awk '{ seconds = $(NF - 1); sub(/\(/, "", seconds); if ($NF == "ms)") seconds /= 1000; printf "%7.1f s  %s %s\n", seconds, $2, $3 }' "$suites" |
    sort -rn | head -n 15
  if [ -s "$failures" ]; then echo '== failed' && head -n 60 "$failures"; fi
  if [ ${#slow[@]} -gt 0 ]; then printf '== over budget: %s\n' "${slow[@]}"; fi
  printf '%8s  %7s  %7s  %s\n' time passed failed step
  printf '%s\n' "${summary[@]}"
  printf '%6d s  %7d  %7d  %s\n' "$SECONDS" "$passed" "$failed" total
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
