#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Delivery of the profile of a finished job, the evidence that no user can
# change, and the report in the job's output.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/node-lib.sh"

mkdir -m 3773 "$profiles"
start_recorder

### out of the spool
rm -r "$spool"
play --item S_JOB_ID=28 -- true
is "a deleted spool is made again" "700 0" \
	"$(stat -c %a "$spool") $(column "$(of_job 28)" summary exit_code)"
await delivered 28
is "  and its profiles are delivered" 0 $?
play --item S_JOB_ID=26 --step batch --rounds 5 -- true
# A delivered profile also stays in the spool until its delivery is recorded.
await sh -c "[ \$(find '$profiles' -name '*.26.*.stepwell' | wc -l) -ge 5 ] &&
	[ -z \"\$(find '$spool' -name '*.26.*')\" ]"
is "a job that ends five times within a second: five profiles" 5 \
	"$(find "$profiles" "$spool" -name '*.26.*.stepwell' | wc -l)"

### recipient
play --item S_JOB_ID=21 --step batch -- true
await delivered 21
is "a job that has ended is its user's" "$user 640" \
	"$(stat -c '%u %a' "$(of_job 21)")"
is "in a folder of his" "$user 2750" "$(stat -c '%u %a' "$profiles/$user")"
is "and not in the spool any more" "" "$(find "$spool" -name '*.21.*')"
"$stepwell" verify "$(of_job 21)" >/dev/null
is "whole" 0 $?
mv "$profiles/$user" "$profiles/aside"
mkdir -m 777 "$work/trap"
ln -s "$work/trap" "$profiles/$user"
play --item S_JOB_ID=22 --step batch -- true
await delivered 22
is "a link is not followed" "" "$(find "$work/trap" -type f)"
is "he has a folder of another name" "$user 2750 1" "$(
	stat -c '%u %a' "$profiles/$user.1") $(
	find "$profiles/$user.1" -name '*.22.*' | wc -l)"
rm -r "$profiles/$user" "$profiles/$user.1"
mkdir -m 777 "$profiles/$user"	# root's, not his
play --item S_JOB_ID=23 --step batch -- true
await delivered 23
is "nor is another's folder used" "0 1" "$(
	find "$profiles/$user" -type f | wc -l) $(
	find "$profiles/$user.1" -name '*.23.*' | wc -l)"
rm -r "$profiles/$user" "$profiles/$user.1"
mv "$profiles/aside" "$profiles/$user"
# Without the profile folder nothing can be delivered.
mv "$profiles" "$work/elsewhere"
play --item S_JOB_ID=29 --step batch -- true
await sh -c "find '$spool' -name '*.29.*.stepwell' | grep -q ."
is "what cannot be delivered is kept" 1 \
	"$(find "$spool" -name '*.29.*.stepwell' | wc -l)"
mv "$work/elsewhere" "$profiles"
stop_recorder
start_recorder
await delivered 29
is "after a restart it is tried again" 0 $?

### the evidence that no user can change
play --item S_JOB_ID=27 --tasks 2 --step 9 -- sh -c 'exit 7'
play --item S_JOB_ID=27 --step batch -- true
await delivered 27
await has_evidence 27 9
await has_evidence 27 batch
rows=$(evidence step_summaries job_id step_id uid wait_status |
	grep ^27 | sort | paste -sd' ')
is "each step has a row" "$(printf '27\t9\t%s\t1792 27\tbatch\t%s\t0' \
	$user $user)" "$rows"
# Two seconds of CPU time in one thread.
play --item S_JOB_ID=27 --step 10 -- "$abs_top_builddir/test/workloads/w_cpu" 2 1
await has_evidence 27 10
peak=$(evidence step_summaries step_id peak_cores_milli |
	awk '$1 == 10 { print $2 }')
is "as many CPUs at once as it has threads" yes \
	"$([ "$peak" -ge 1 ] && [ "$peak" -le 1020 ] && echo yes || echo "$peak")"
# limits STEP: print milliseconds of what limited it, and of all observed time
limits()
{
	local column sum=0 milli words=()
	for column in cpu io memory network lock gpu node waiting; do
		milli=$(evidence step_summaries step_id \
			limited_by_${column}_usec |
			awk -v step="$1" '$1 == step { print int($2 / 1000) }')
		words+=("$column=$milli")
		sum=$((sum + milli))
	done
	echo "${words[*]} sum=$sum"
}
# Other programs of a busy machine take a part.
is "and its time went to the CPU" yes "$(limits 10 |
	awk -F'[ =]' '{ fits = $2 + $14 >= 0.8 * $NF && $NF >= 1000
			print (fits ? "yes" : $0) }')"
play --item S_JOB_ID=27 --step 11 -- sleep 2
await has_evidence 27 11
is "that of one that sleeps to waiting" yes "$(limits 11 |
	awk -F'[ =]' '{ print ($16 >= 0.8 * $NF && $NF >= 1000 ? "yes" : $0) }')"
play --item S_JOB_ID=27 --step 12 -- sh -c 'kill -SEGV $$'
await has_evidence 27 12
failure=$(evidence step_summaries step_id failed_program failed_cause |
	sort -n | paste -sd' ')
programs=$(column "$(of_job 27)" steps programs_source | tail -n 1)
if [ "$programs" = bpf ]; then
	is "and by which program one failed" \
		"$(printf '9\t-\t- 10\t-\t- 11\t-\t- 12\tsh\tcrash')" \
		"$(grep -o '9	.*' <<<"$failure" | head -n 1)"
else
	echo "ok - skip: programs by $programs"
fi
# program STEP NAME: processes, exit status, signal and how many ended so
program()
{
	evidence series.step_programs step_id program processes exit_status \
		signal ended | awk -F'\t' -v step="$1" -v program="$2" '
		$1 != "-" { here = $1 == step }
		here && $2 == program { print $3, $4, $5, $6 }'
}
if [ "$programs" = bpf ]; then
	is "and its programs, with how they ended" "2 7 - 2 1 - 11 1" \
		"$(program 9 sh) $(program 12 sh)"
fi
is "with the node's kernel" "$(uname -r)" "$(evidence series.step_programs \
	job_id kernel | awk '$1 == 27 && $2 != "-" { print $2 }' | sort -u)"
is "its file is neither root's nor the user's" "$keeper 600" \
	"$(stat -c '%u %a' "$(find "$summaries" -name '*.part')")"
# row STEP: what limited it, in microseconds by resource; report STEP: the same.
row()
{
	local column
	for column in cpu io memory network lock gpu node waiting; do
		evidence step_summaries step_id limited_by_${column}_usec |
			awk -v step="$1" '$1 == step { print $2 }'
	done | paste -sd' '
}
report()
{
	"$stepwell" report --json "$(of_job 27)" | python3 -c '
import json, sys
order = "cpu io memory network lock gpu node waiting".split()
counts_to = {"cpu_quota": "cpu", "lock_turns": "lock", "neighbors": "node"}
sums = dict.fromkeys(order, 0)
for step in json.load(sys.stdin)["steps"]:
    if step["id"] == sys.argv[1]:
        for name, seconds in step["bottleneck"]["seconds"].items():
            to = counts_to.get(name, name)
            sums[to if to in order else "waiting"] += round(seconds * 1e6)
print(*sums.values())' "$1"
}
await delivered 27
for step in 10 11; do
	is "row and report of step $step name the same limits" \
		"$(row $step)" "$(report $step)"
done
# A run is compared with past ones of which some come from profiles, others
# from summaries: print a fingerprint's sums over the steps, and its programs.
cat >"$work/print.py" <<'PYTHON'
import sqlite3, sys
(print_,), = sqlite3.connect(sys.argv[1]).execute(
    "select fingerprint from runs where job = '41' and step = ''")
at = 0
def number():
    global at
    value = shift = 0
    while True:
        byte = print_[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value
def text():
    global at
    size = number()
    at += size
    return print_[at - size:at].decode()
head = [number() for _ in range(5)]
amounts = [number() - 1 for _ in range(6)]
limits = [number() - 1 for _ in range(8)]
for _ in range(number()):
    number(), number()
places = [text() for _ in range(4)]
numbers = [number() - 1 for _ in range(4)]
print("complete", head[1] & 2, "code", head[3] - 1, places[0], places[2])
print("need", amounts[2], "cpus", numbers[0], "limits", *limits)
# Sampled programs depend on the samples, which both have of different times.
while (head[1] & 2) and (name := text()):
    values = [number() - 1 for _ in range(5)]
    number(), number()  # its start and first failure: of the profile only
    values.append(number() - 1)
    ends = [(number(), number()) for _ in range(number())]
    print(name, *values, *sorted(ends))
if head[1] & 2:
    print("more", number())
PYTHON
play --item S_JOB_ID=41 --step 0 -- sh -c "
	'$abs_top_builddir/test/workloads/w_cpu' 1 1; cat /dev/null; exit 3"
play --item S_JOB_ID=41 --step batch -- sh -c 'cat /dev/null; true'
await has_evidence 41 batch
await delivered 41
echo "summaries_dir: $summaries" >"$work/import.yaml"
STEPWELL_CONF=$work/import.yaml STEPWELL_HISTORY=$work/of-profile.sqlite \
	"$stepwell" import "$(of_job 41)" >"$work/imported" 2>&1
STEPWELL_CONF=$work/import.yaml STEPWELL_HISTORY=$work/of-summaries.sqlite \
	"$stepwell" import "$summaries" >>"$work/imported" 2>&1
is "the profile of a job and its summaries make the same fingerprint" \
	"$(python3 "$work/print.py" "$work/of-profile.sqlite")" \
	"$(python3 "$work/print.py" "$work/of-summaries.sqlite")"
digest=$(evidence profiles job_id digest |
	awk '$1 == 27 { print $2 }')
is "and the profile its digest" 32 ${#digest}
printf x >>"$(of_job 27)"
is "which a user who changes his profile cannot" "1 $digest" "$(setpriv \
	--reuid $user --regid $user --clear-groups ls "$summaries" \
	>/dev/null 2>&1 && echo 0 || echo 1) $(evidence profiles job_id digest |
	awk '$1 == 27 { print $2 }')"

### the day's file of an earlier release, which had fewer columns
stop_recorder
day=$(basename "$(find "$summaries" -name '*.part')" .part)
rm -f "$summaries"/*
cat >"$work/earlier" <<'TEXT'
table step_summaries job slurm
column job_id - state
column step_id - text
column usage_usec usec counter
row 5 batch 1234
TEXT
"$abs_top_builddir/test/mkprofile" "$work/earlier" "$summaries/$day"
chown $keeper:$keeper "$summaries/$day"
start_recorder
play --item S_JOB_ID=28 --step 3 -- sh -c 'exit 7'
await has_evidence 28 3
is "its rows stay, and new ones have all columns" \
	"$(printf '5\tbatch\t1234\t-\t- 28\t3\t1792')" "$(evidence \
	step_summaries job_id step_id usage_usec wait_status samples |
	awk -F'\t' '$1 == 28 { print $1 FS $2 FS $4; next } { print }' |
	paste -sd' ')"

# A name longer than fits.
play --item S_JOB_ID=29 --step 3 \
	--env "SLURM_JOB_NAME=$(printf 'é%.0s' {1..125})" -- true
await has_end 29
is "a long name is cut, not left out" "$(printf 'é%.0s' {1..30})..." \
	"$(column "$(of_job 29)" identity name)"

### the report at the end of the job
report_in()	# NAME ARGUMENT...: how many lines of it are a report's
{
	local name=$1
	shift
	mkdir -p "$work/home"
	: >"$work/home/$name"
	chown $user "$work/home/$name"
	play --step batch --job-output "$work/home/$name" "$@" -- \
		sh -c 'sleep 0.2; echo mine'
	grep -c '^stepwell: ' "$work/home/$name"
}
check_reports()
{
	is "in Slurm's default file: within 12 lines" yes "$(
		lines=$(report_in slurm-31.out --item S_JOB_ID=31)
		[ "$lines" -ge 2 ] && [ "$lines" -le 12 ] && echo yes)"
	is "it misses nothing of what has ended" 0 "$(
		grep -c 'end of the file\|no end' "$work/home/slurm-31.out")"
	is "after the job's own lines" mine "$(head -n 1 "$work/home/slurm-31.out")"
	is "there where errors have a file of their own" yes "$(
		mkdir -p "$work/home"
		: >"$work/home/errors"
		chown $user "$work/home/errors"
		play --item S_JOB_ID=36 --step batch --job-stderr "$work/home/errors" \
			-- sleep 0.3
		[ "$(grep -c '^stepwell: ' "$work/home/errors")" -ge 2 ] && echo yes)"
	is "in a file of any name" yes "$(
		[ "$(report_in my.out --item S_JOB_ID=32)" -ge 2 ] && echo yes)"
	is "where plugstack.conf says quiet: none" 0 "$(report_in my1.out \
		--item S_JOB_ID=33 --arg quiet)"
	is "there with --stepwell=report" yes "$(
		[ "$(report_in my2.out --item S_JOB_ID=34 --arg quiet \
			--option stepwell=report \
			--contexts allocator,remote)" -ge 2 ] && echo yes)"
	is "with --stepwell=quiet nowhere" 0 "$(report_in slurm-35.out \
		--item S_JOB_ID=35 --option stepwell=quiet --contexts allocator,remote)"
}
if is_sanitized "$stepwell"; then
	echo "ok - skip: a sanitized program reserves more memory than the" \
		"reporter may have"
else
	check_reports
fi
stop_recorder
tally
