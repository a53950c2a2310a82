#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# CPU binding of real tasks: the recording and the report, of two tasks on one
# CPU and of two tasks on a CPU each.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
allowed=$(taskset -cp $$ | sed 's/.*: //')
first=${allowed%%[-,]*}
last=${allowed##*[-,]}
if [ "$first" = "$last" ] || [ "$(nproc --all)" -lt 2 ]; then
	echo "skip: there is only one CPU"
	exit 77
fi

. "${abs_top_srcdir:-$(dirname "$0")/..}/test/node-lib.sh"

# A task computes for the given time on one of two CPUs; the first to start
# takes the first CPU.
cat >"$work/task" <<'TASK'
#!/bin/bash
seconds=$2
cpu=$4
mkdir "$1/taken" 2>/dev/null && cpu=$3
exec taskset -c "$cpu" bash -c '
	end=$((SECONDS + $1))
	while [ $SECONDS -lt $end ]; do :; done' bash "$seconds"
TASK
chmod 755 "$work/task"

# bound FILE: print the last binding of each task
bound()
{
	paste <(column "$1" subjects source) <(column "$1" subjects kind) \
	      <(column "$1" subjects name) <(column "$1" subjects detail) |
		awk -F '\t' '$1 == "binding" && $2 == "task" { at[$3] = $4 }
			END { for (t in at) print at[t] }' |
		sed 's/ mems=.*//' | sort | paste -sd' '
}

# said FILE PYTHON: run it on the report's JSON, r
said()
{
	"$stepwell" report --json "$1" |
		python3 -c "import json, sys; r = json.load(sys.stdin); $2"
}

found()
{
	said "$1" 'print(" ".join(f["id"] for f in r["findings"]
		if f["id"].startswith("place.")))'
}

mkdir -m 3773 "$profiles"
mkdir -m 777 "$work/one" "$work/two"
start_recorder
play --item S_JOB_ID=61 --item S_JOB_NCPUS=2 --step 0 --tasks 2 \
	--option stepwell=100ms --contexts allocator,remote -- \
	"$work/task" "$work/one" 8 "$first" "$first"
file=$(of_job 61)
is "two tasks on one CPU" "cpus=$first cpus=$first" "$(bound "$file")"
is "the topology is in the profile" "$(nproc --all)" \
	"$(column "$file" topology pu | sort -u | wc -l)"
is "the report says that they share a core" "all 2 tasks share core" \
	"$("$stepwell" report "$file" | tr -s ' \n' ' ' |
		grep -o 'all 2 tasks share core')"
is "JSON has both" "$first $first" "$(said "$file" '
print(*(t["cpus"] for s in r["steps"] for p in s["placements"]
	for t in p["tasks"]))')"
# If other programs used the CPU, the tasks were not the only cause.
busy=$(said "$file" '
t = [t for s in r["steps"] for p in s["placements"] for t in p["tasks"]]
print(int(100 * sum(x["used_core_seconds"] / x["observed_seconds"] for x in t)))')
if [ "$busy" -ge 87 ]; then
	is "they took turns while another CPU was idle" place.packed \
		"$(found "$file")"
else
	echo "ok - skip: others used the CPU as well, the tasks $busy %"
fi

play --item S_JOB_ID=62 --item S_JOB_NCPUS=2 --step 0 --tasks 2 \
	--option stepwell=100ms --contexts allocator,remote -- \
	"$work/task" "$work/two" 5 "$first" "$last"
file=$(of_job 62)
is "two tasks on a CPU each" \
	"$(printf 'cpus=%s\n' "$first" "$last" | sort | paste -sd' ')" \
	"$(bound "$file")"
is "nothing is found" "" "$(found "$file")"

is "the next job needs no other look at the machine" 1 \
	"$(find "$run" -name 'topology.*.txt' | wc -l)"
stop_recorder
is "the recorder ends" 0 $?
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
