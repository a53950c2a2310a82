# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory need and OOM kills, where the kernel has every controller.
# as: root alice
# timeout: 300
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by run-cases}"

mib=$((1 << 20))

# record NAME COMMAND...: a recording, its truth and its report as JSON
record()
{
	profile=$CASE_OUT/$1.stepwell
	truth=$CASE_OUT/$1.truth
	json=$CASE_OUT/$1.json
	shift
	rm -f "$truth"
	run_as "${limit[@]}" stepwell run --no-report --force \
		--output "$profile" -- "$@" --truth "$truth"
	status=$?
	run_as stepwell report --json "$profile" >"$json"
	run_as stepwell report "$profile" >"$CASE_OUT/last.txt"
}

# The value of a Python expression over the report r and its first step s.
query()
{
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
s = r["steps"][0]
print(eval(sys.argv[2]))' "$json" "$1" 2>&1
}

of_truth()
{
	tr ' ' '\n' <"$truth" | sed -n "s/^$1=//p" | tail -n 1
}

limit=()
record hold w_hold 23 7 3 --exec
is "$status" 0 "w_hold runs"
is "$(query 'r["recording"]["ladder"]')" cgroup.v2 \
	"the highest rung is used"
is "$(query 'r["recording"].get("tools_source")')" \
	"$([ "$CASE_AS" = root ] && echo bpf || echo proc)" \
	"programs are seen by the best source"
anonymous=$(of_truth anonymous_bytes)
[ "$anonymous" != missing ] || anonymous=$(of_truth held_bytes)
need=$(query 's["memory"]["need_bytes"]')
# Page tables, stacks and slab of eight processes are need as well.
is_between "$need" $((anonymous - mib)) $((anonymous * 102 / 100 + 4 * mib)) \
	"7 x 23 MiB held are the need (truth $anonymous)"

for kind in "" --child; do
	# shellcheck disable=SC2086
	record "spike$kind" w_spike 300 50 $kind
	spike=$(of_truth spike_bytes)
	need=$(query 's["memory"]["need_bytes"]')
	upper=$(query 's["memory"]["need_upper_bytes"]')
	is_between "$spike" 0 "$upper" "the interval holds a spike $kind (high)"
	is_between "$need" 0 $((spike + 16 * mib)) \
		"the interval holds a spike $kind (low)"
	diag "spike $spike, need $need to $upper"
done

record read w_read "$CASE_OUT/file" 1 --create 400
is_between "$(query 's["memory"]["need_bytes"]')" 0 $((24 * mib)) \
	"a reader of 400 MiB does not raise the low end"
is_between "$(query 's["memory"]["need_upper_bytes"]')" $((300 * mib)) \
	$((3000 * mib)) "but the high end holds its page cache"
rm -f "$CASE_OUT/file"

limit=(--memory-max 100M)
record silent w_oom 300 --child
is "$status" 0 "a child is killed for memory and the command exits 0"
is "$(query 'r["findings"][0]["id"]')" oom.silent "oom.silent is the finding"
is "$(query 's["memory"]["need_is_lower_bound"]')" True \
	"the need is a lower bound"
matches "$(query 'r["findings"][0]["sentence"]')" 'output may be incomplete' \
	"it says what that means"
diag "$(query 'r["findings"][0]["sentence"]')"
record killed w_oom 300
is "$status" 137 "the command itself is killed for memory"
is "$(query 'r["findings"][0]["id"]')" oom.killed "oom.killed is the finding"

finish
