#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "counters" in stepwell.yaml: what the node recorder counts of each task of a
# step.  Uses events of the kernel, which exist without a PMU.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/node-lib.sh"

mkdir -m 3773 "$profiles"
cat >"$work/stepwell.yaml" <<'END'
counters:
  - perf::PAGE-FAULTS
  - NO::SUCH
papi_events_file: /nonexistent.csv
papi_components: [powercap, sde]
END
start_recorder
is "the recorder answers" 0 $?
is "the log names what is no counter, once" 1 \
	"$(grep -c 'counters: .*NO::SUCH: ' "$work/log")"
is "and the file that is not there" 1 \
	"$(grep -c 'papi_events_file: "/nonexistent.csv": No such' "$work/log")"
is "and the component that sets limits" 1 \
	"$(grep -c 'papi_components: powercap: it sets limits' "$work/log")"
play --item S_JOB_ID=61 --tasks 2 --step 0 -- \
	python3 -c 'b = bytearray(2000 * 4096)'
is "the step ended well" 0 "$rc"
await delivered 61
file=$(of_job 61)
if [ -z "$(column "$file" series.counters event.0)" ]; then
	echo "ok - skip: $(column "$file" events detail | grep 'counters:')"
else
	count=$("$stepwell" report --json "$file" | tr -d '\n ' |
		sed 's/.*"name":"perf::PAGE-FAULTS","value":\([0-9]*\).*/\1/')
	is "both tasks' pages, at least" yes \
		"$([ "$count" -ge 4000 ] && echo yes || echo "$count")"
	is "of two tasks" 2 "$("$stepwell" report --json "$file" |
		grep -A 7 '"name":"perf::PAGE-FAULTS"' |
		sed -n 's/.*"tasks":\([0-9]*\).*/\1/p' | head -n 1)"
	yes_ "the profile says what is no counter" sh -c \
		"'$stepwell' dump '$file' | grep -a 'counters: NO::SUCH: '"
fi
stop_recorder

rm "$work/stepwell.yaml"
start_recorder
play --item S_JOB_ID=62 --step 0 -- true
await delivered 62
is "without the setting there is no table" "" \
	"$(column "$(of_job 62)" series.counters event.0)"
stop_recorder
tally
