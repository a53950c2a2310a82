# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Steps that wait for others are not reported as frozen, hanging steps are; and
# "list" agrees with "report" on both.
# timeout: 600
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

plan 11
cd /home/alice || exit
check 'the plugin and the recorders are there' set_up_recording
sbatch_seconds=300

# frozen: print the steps of the job that the report calls frozen.
frozen()
{
	of_job "$job" "[f.get('step') for f in r['findings']
		if f['id'] == 'progress.frozen']"
}

# told: print what list names first for the job.
told()
{
	as_user alice stepwell list --json | python3 -c '
import json, sys
print(*[job.get("first_finding") for job in json.load(sys.stdin)["recordings"]
	if job["id"] == sys.argv[1]])' "$job"
}

first_of_report()
{
	of_job "$job" "([f['id'] for f in r['findings']
		if f['severity'] != 'info'] or [None])[0]"
}

job=$(sbatch_wait alice --nodelist=n1 --ntasks=1 --mem=200 --time=5 \
	--wrap 'srun /opt/workloads/w_cpu 80 1')
is "$(job_field "$job" JobState)" COMPLETED 'a script that waits for its step'
read_job alice "$job" 1
is "$(frozen)" '[]' '  nothing of it is frozen'
is "$(grep -c 'No progress' "slurm-$job.out")" 0 '  and nobody says so'
is "$(told)" "$(first_of_report)" '  list and report agree'

job=$(sbatch_wait alice --nodelist=n1 --ntasks=1 --mem=200 --time=5 \
	--wrap 'srun sleep 80')
read_job alice "$job" 1
is "$(frozen)" "['0']" 'a step that stands still, alone, is frozen'
is "$(told)" "$(first_of_report)" '  list and report agree'

# A shell of salloc is a step of its own here: it waits for a hanging step, then
# for its user.
on_nodes "echo 'LaunchParameters=use_interactive_step' >/etc/slurm/local.conf"
scontrol reconfigure
sleep 2
printf 'srun sleep 80 </dev/null\nsleep 80\nexit 4\n' |
	as_user alice timeout $((300 * PATIENCE)) script -qec \
	'salloc --nodelist=n1 --ntasks=1 --mem=200 --time=10' /dev/null \
	>"$CASE_OUT/said" 2>&1
job=$(newest_job)
read_job alice "$job" 1
is "$(of_job "$job" 'ids(), step("interactive")["exit_code"],
	step("interactive")["elapsed_seconds"] > 160')" \
	"('interactive 0', 4, True)" 'the shell of salloc and its step'
is "$(frozen)" "['0']" '  of them only the step is frozen'
is "$(told)" "$(first_of_report)" '  list and report agree'

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
