# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Advice with real jobs: one that requests too much is resubmitted with the
# suggestion, one that ran out of memory gets a step up, an array gets advice by
# the size of its input, and work that drifts gets none.
# timeout: 1800
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 48

mib=$((1 << 20))
cd /home/alice || exit
export PATH=/opt/workloads:$PATH

check 'the plugin and the recorders are there' set_up_recording

# write_own FILE: write a job script of alice's from standard input
write_own()
{
	write_script "$1"
	chown alice:alice "$1"
}

# in_mib SIZE: convert sbatch's "512M" or "2G" to MiB
in_mib()
{
	case $1 in
	*G) echo $((${1%G} * 1024)) ;;
	*M) echo "${1%M}" ;;
	*K) echo $((${1%K} / 1024)) ;;
	*[!0-9]* | '') echo none ;;
	*) echo "$1" ;;
	esac
}

# option_of NAME TEXT: print the value of the last "#SBATCH --NAME=VALUE" in it
option_of()
{
	sed -n "s/^#SBATCH --$1[= ]\([^ ]*\).*/\1/p" <<<"$2" | tail -n 1
}

# report NAME: print that of $job, as for a person; it is kept with the logs.
report()
{
	as_user alice stepwell report "$job" 2>&1 | tee "$CASE_OUT/$1.txt"
}

# suggest NAME ARGUMENT...: its output is in $said, its error messages in
# $complained, its exit status in $status.
suggest()
{
	local name=$1
	shift

	as_user alice stepwell suggest "$@" >"$CASE_OUT/$name.txt" \
		2>"$CASE_OUT/$name.err"
	status=$?
	said=$(cat "$CASE_OUT/$name.txt")
	complained=$(cat "$CASE_OUT/$name.err")
}

# of_advice RESOURCE EXPRESSION: in Python, on the suggestion s for it in the
# output of "stepwell suggest --dialect json"
of_advice()
{
	python3 -c '
import json, sys
r = json.loads(sys.argv[1])
s = next(s for s in r["suggestions"] if s["resource"] == sys.argv[2])
print(eval("(" + sys.argv[3] + "\n)"))' "$said" "$@" 2>&1 | tail -n 1
}

# takes_line OPTION SCRIPT: sbatch accepts the script with that option.
takes_line()
{
	as_user alice sbatch --test-only "$1" "$2" 2>&1
}

# every_line_holds TEXT SCRIPT: sbatch accepts each "#SBATCH" line separately,
# and all of them
every_line_holds()
{
	local line options=()

	while read -r line; do
		line=${line%%#*}
		line=${line%"${line##*[! ]}"}
		options+=("$line")
		takes_line "$line" "$2" || return
	done < <(sed -n 's/^#SBATCH //p' <<<"$1")
	[ ${#options[@]} -gt 0 ] &&
		as_user alice sbatch --test-only "${options[@]}" "$2" 2>&1
}

# run_to_end SCRIPT [OPTION OF sbatch]...: its id is in $job, and its profile is
# in alice's history.
run_to_end()
{
	local script=$1 name count=1
	shift

	job=$(sbatch_wait alice "$@" "$script")
	name=$(job_field "$job" JobId)
	read_job alice "$name" $count
}

# import: as by a user who has recordings
import()
{
	as_user alice stepwell import >"$CASE_OUT/import.txt" 2>&1
}

# A job that requests too much.
write_own /home/alice/align.sh <<'JOB'
#!/bin/bash
#SBATCH --job-name=align
#SBATCH --ntasks=1 --cpus-per-task=2
#SBATCH --mem=900M
#SBATCH --time=30   # to be safe
srun --cpus-per-task=1 w_hold 80 1 6
JOB
cp -p align.sh align.orig
run_to_end align.sh
run_to_end align.sh
check 'the first runs are put into the history' import
suggest few "$job"
matches "$said$complained" '2 .*(runs|3)' \
	'from two runs there is no advice, and it says why'
is "$(grep -c '^#SBATCH' <<<"$said")" 0 '  and no line'
run_to_end align.sh
third=$job
is "$(of_job "$third" 'r["job"]["state"]')" COMPLETED 'a third one ends well'
matches "$(report before)" \
	'memory\.over_allocated' 'its report says that it asks for too much'
import
matches "$(cat "$CASE_OUT/import.txt")" '3|new' 'import says what it took'
suggest lines "$third"
is "$status:$complained" 0: 'stepwell suggest JOBID'
lines=$said
wanted=$(in_mib "$(option_of mem "$lines")")
is_between "$wanted" 80 450 'it suggests memory above the need, and far below 900M'
is "$(option_of cpus-per-task "$lines")" 1 'and one processor'
# On a busy machine the three times may differ too much.
matches "$lines" '^#SBATCH --time=|^# .*[Tt]ime.*: no advice yet' \
	'and a time limit, or why not'
is "$(grep -cvE '^(#|$)' <<<"$lines")" 0 \
	'all can be pasted into a script'
check 'sbatch takes each of these lines' every_line_holds "$lines" align.sh
suggest srun "$third" --dialect srun
read -ra options < <(grep -v '^#' <<<"$said" | paste -sd' ')
check "srun takes what is for it: ${options[*]}" \
	as_user alice srun --test-only "${options[@]}" true
suggest json "$third" --dialect json
is "$(of_advice memory "$wanted * $mib - s['suggested'] < $mib,
	s['dialect_lines']['sbatch']")" \
	"(True, '#SBATCH --mem=$(option_of mem "$lines")')" \
	'JSON has the same number, and the line'
is "$(of_advice memory 's["basis"]["runs"]')" 3 'from three runs'

suggest diff "$third" --apply align.sh
matches "$said" '^-#SBATCH --mem=900M' '--apply prints a diff: what goes'
matches "$said" "^\\+#SBATCH --mem=$(option_of mem "$lines")" 'and what comes'
check 'and changes nothing' cmp align.sh align.orig
changes=$(tail -n +3 <<<"$said")
suggest write "$third" --apply align.sh --write
is "$status" 0 '--write changes the script'
is "$(diff -u align.orig align.sh | tail -n +3)" "$changes" \
	'  as the diff says'
is "$(stat -c '%U %a' align.sh)" 'alice 755' '  it keeps its owner and mode'
copy=$(find . -maxdepth 1 -name 'align.sh?*' | head -n 1)
check "  and keeps a copy, $copy" cmp "$copy" align.orig
check 'sbatch takes the script' as_user alice sbatch --test-only align.sh
run_to_end align.sh
is "$(of_job "$job" 'r["job"]["state"]')" COMPLETED 'it succeeds'
is "$(job_field "$job" NumCPUs) $(job_field "$job" MinMemoryNode)" \
	"1 ${wanted}M" 'with what was suggested'
matches "$(report after)" '^ *Request as now: .*--mem=' \
	'and its report says that it fits'
import
suggest again "$job"
is "$(grep -c '^#SBATCH --mem' <<<"$said")" 0 'no other memory is suggested'

# A job that runs out of memory.
write_own /home/alice/pile.sh <<'JOB'
#!/bin/bash
#SBATCH --job-name=pile
#SBATCH --ntasks=1
#SBATCH --mem=150M
#SBATCH --time=5
srun w_hold 160 1 3
JOB
run_to_end pile.sh
matches "$(job_field "$job" JobState)" 'OUT_OF_MEMORY|FAILED' \
	'a job is killed for want of memory'
import
suggest step_up "$job"
is "$status" 0 'there is advice'
matches "$(tr -d '#\n' <<<"$said" | tr -s ' ')" '[Ll]ower bound' \
	'it says that this is the least'
up=$(in_mib "$(option_of mem "$said")")
is_between "$up" 165 600 'a step up'
check 'sbatch takes the line' every_line_holds "$said" pile.sh
report killed >/dev/null
suggest step_up_write "$job" --apply pile.sh --write
is "$(option_of mem "$(cat pile.sh)")" "$up""M" '--write puts it there'
run_to_end pile.sh
is "$(of_job "$job" 'r["job"]["state"]')" COMPLETED 'with it, it succeeds'
report stepped_up >/dev/null

# An array whose elements need more for larger inputs and, in parallel, work
# that needs more each time.
write_own /home/alice/sort.sh <<'JOB'
#!/bin/bash
#SBATCH --job-name=sort
#SBATCH --ntasks=1
#SBATCH --mem=1000M
#SBATCH --time=5
export STEPWELL_INPUT_BYTES=$((SLURM_ARRAY_TASK_ID * 10000000))
srun w_hold $((SLURM_ARRAY_TASK_ID * 20)) 1 3
JOB
write_own /home/alice/grow.sh <<'JOB'
#!/bin/bash
#SBATCH --job-name=grow
#SBATCH --ntasks=1
#SBATCH --mem=450M
#SBATCH --time=5
srun w_hold $((5 * SLURM_ARRAY_TASK_ID * SLURM_ARRAY_TASK_ID + 60)) 1 2
JOB
is_array_over()
{
	[ "$(squeue -h -j "$1" 2>/dev/null | wc -l)" -eq 0 ]
}
# of_array JOB: count its elements with a profile
of_array()
{
	as_user alice stepwell list | grep -c "^ *${1}_"
}
has_elements()
{
	[ "$(of_array "$1")" -ge "$2" ]
}
array=$(as_user alice sbatch --parsable --array=1-12 sort.sh)
growing=$(as_user alice sbatch --parsable --array=1-8%1 grow.sh)
wait_for 600 is_array_over "$array"
wait_for 600 is_array_over "$growing"
wait_for 120 has_elements "$array" 12
is "$(of_array "$array")" 12 \
	'an array with inputs of 10 to 120 MB: each is recorded'
wait_for 120 has_elements "$growing" 8
is "$(of_array "$growing")" 8 'and one that needs more each time'
import
suggest small "${array}_12" --input 30000000
small=$(in_mib "$(option_of mem "$said")")
suggest large "${array}_12" --input 110M
large=$(in_mib "$(option_of mem "$said")")
matches "$said" 'input' 'its advice is by the size of the input'
is_between "$small" 60 400 'for 30 MB, which need 60 MiB'
is_between "$large" 231 900 'for 110 MiB, which need 231 MiB'
is_between "$large" $((small * 2)) $((small * 5)) '  and that is as much more'
check 'sbatch takes the line' every_line_holds "$said" sort.sh
run_to_end sort.sh --array=3 --mem="${small}M"
is "$(job_field "$job" JobState)" COMPLETED 'the third succeeds with its own'
run_to_end sort.sh --array=11 --mem="${large}M"
is "$(job_field "$job" JobState)" COMPLETED 'and the eleventh with its own'

# The recording does not have it: import queries sacct.
suggest limit "${array}_12" --dialect json
is "$(of_advice time 'r["request"]["time_seconds"]')" 300 'the time limit is known'

suggest drift "${growing}_8"
is "$(grep -c '^#SBATCH --mem' <<<"$said")" 0 \
	'of work that needs more each time no memory is suggested'
matches "$said$complained" 'drift' 'it says why'

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
