# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --stepwell, wherever Slurm accepts options, and the administrator's switches.
# All jobs are on n1, where this runs.
# timeout: 600
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

plan 55
# Emulated processors are slow: the recorder would lower the sampling rate to
# keep to its CPU limit.
mkdir -p /etc/stepwell
echo 'cpu_limit_percent: 90' >/etc/stepwell/stepwell.yaml
check 'the plugin and the recorders are there' set_up_recording

seconds=
# run_script NAME [OPTION OF sbatch]...: a script of that many steps; its job id
# is in $job.
run_script()
{
	local name=$1
	shift

	# At most one argument.
	# shellcheck disable=SC2086
	job=$(sbatch_wait alice -w n1 -o "$name.out" "$@" "$name.sh" $seconds)
}

# usual_gap JOB STEP: print the median time between two samples of a step, in
# ms: a late sample has a longer interval before it and a shorter one after it.
# The first and the last sample, taken at begin and end of the step, are
# excluded.
usual_gap()
{
	cells "$(profile_now "$1")" series.cpu step time_usec |
		awk -v key="$2" '$1 == key { time[n++] = $2 }
		END {
			for (i = 2; i < n - 1; i++)
				printf "%d\n", (time[i] - time[i - 1]) / 1000
		}' | sort -n | awk '
		{ gap[NR] = $1 }
		END { print NR ? gap[int((NR + 1) / 2)] : -1 }'
}

write_script /home/alice/two.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=100 --time=5
srun true
srun --stepwell=on true
exit 0
JOB
write_script /home/alice/plain.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=100 --time=5
PATH=/usr/bin:/bin
srun /bin/sleep ${1:-1}
JOB

# off
run_script plain
is "$(steps_now "$job")" 'batch 0' 'a job is recorded without any word'
run_script plain --stepwell=on
is "$(steps_now "$job")" 'batch 0' 'sbatch: on'
run_script plain --stepwell=off
is "$(job_field "$job" ExitCode):$(steps_now "$job")" '0:0:' \
	'sbatch: off is for the script and for its steps'
run_script plain --stepwell=off --export=NONE
is "$(job_field "$job" ExitCode):$(steps_now "$job")" '0:0:' \
	'also with --export=NONE'
run_script two --stepwell=off
is "$(steps_now "$job")" 1 'a step can be recorded nevertheless'
sed 's/^srun /srun --stepwell=off /' /home/alice/plain.sh |
	write_script /home/alice/inner.sh
run_script inner
is "$(steps_now "$job")" batch 'srun in a script: off is for that step'
sed '2i #SBATCH --stepwell=off' /home/alice/plain.sh |
	write_script /home/alice/line.sh
run_script line
is "$(job_field "$job" ExitCode):$(steps_now "$job")" '0:0:' \
	'off in a line of the script'
run_script line --stepwell=on
is "$(steps_now "$job")" 'batch 0' 'the command line goes before it'
as_user alice srun -w n1 -n1 --mem=100 --stepwell=off true
is "$?:$(steps_now "$(newest_job)")" 0: 'srun: off'
as_user alice srun -w n1 -n1 --mem=100 true
is "$?:$(steps_now "$(newest_job)")" 0:0 'srun without a word'
as_user alice salloc -w n1 -n1 --mem=100 --stepwell=off srun true 2>/dev/null
is "$?:$(steps_now "$(newest_job)")" 0: 'salloc: off is for its steps'
as_user alice salloc -w n1 -n1 --mem=100 --stepwell=off \
	srun --stepwell=on true 2>/dev/null
is "$?:$(steps_now "$(newest_job)")" 0:0 'but for one that says on'

# A period.
seconds=12
run_script plain --stepwell=1500ms
is_between "$(usual_gap "$job" 1)" 1200 1800 'sbatch: a period of 1.5 s'
run_script plain --stepwell=1500ms --export=NONE
is_between "$(usual_gap "$job" 1)" 1200 1800 'also with --export=NONE'
sed '2i #SBATCH --stepwell=1500ms' /home/alice/plain.sh |
	write_script /home/alice/line.sh
run_script line
is_between "$(usual_gap "$job" 1)" 1200 1800 'in a line of the script'
as_user alice srun -w n1 -n1 --mem=100 --stepwell=2s sleep 14
is_between "$(usual_gap "$(newest_job)" 0)" 1700 2300 'srun: of 2 s'
as_user alice salloc -w n1 -n1 --mem=100 --stepwell=2s srun sleep 14 2>/dev/null
is_between "$(usual_gap "$(newest_job)" 0)" 1700 2300 'salloc: of 2 s'
# The first and the last sample are not a period away from the next.
as_user alice srun -w n1 -n1 --mem=100 --stepwell=1ms sleep 4
is_between "$(cells "$(profile_now "$(newest_job)")" series.cpu time_usec |
	awk 'NR == 1 { first = $1 } END {
		printf "%d\n", ($1 - first) / 1000 / (NR - 3) }')" 10 500 \
	'one of 1 ms is not taken at its word'

seconds=
# Values that are refused at submission.
before=$(newest_job)
for word in '' never 0 -1 1x 2s2 on,off; do
	for command in 'srun -n1 true' 'sbatch plain.sh' 'salloc -n1 true'; do
		# Several words of a command.
		# shellcheck disable=SC2086
		seen=$(set -- $command; first=$1; shift
			as_user alice timeout $((20 * PATIENCE)) "$first" \
				"--stepwell=$word" "$@" 2>&1)
		status=$?
		is "$((status > 0 && status != 124)):$(grep -c \
			'stepwell=.*: must be off' <<<"$seen")" 1:1 \
			"${command%% *}: --stepwell=$word is refused"
	done
done
sed '2i #SBATCH --stepwell=never' /home/alice/plain.sh |
	write_script /home/alice/line.sh
seen=$(as_user alice sbatch line.sh 2>&1)
is "$(($? > 0)):$(grep -c 'stepwell=never: must be off' <<<"$seen")" 1:1 \
	'sbatch: refused in a line of the script'
is "$(newest_job)" "$before" 'and none of these became a job'

# The administrator's off file: takes effect at once, for running and new steps.
job=$(as_user alice sbatch --parsable -w n1 -o plain.out plain.sh 5)
is_step_recorded()
{
	[ "$(steps_now "$1")" = 'batch 0' ]
}
wait_for 60 is_step_recorded "$job"
mkdir -p /etc/stepwell
touch /etc/stepwell/off
has_no_recorder()
{
	! pgrep -x 'stepwell-record|stepwell-delive'
}
check 'the file /etc/stepwell/off ends the recorder' \
	wait_for 10 has_no_recorder
is "$(find /run/stepwell -type s)" '' 'and its socket is gone'
wait_for 60 is_job_over "$job"
is "$(job_field "$job" ExitCode)" 0:0 'a job that runs goes on'
stepwell verify "$(profile_now "$job")" >"$CASE_OUT/verify"
is "$?:$(grep -c 'damaged places   0 \|rows dropped     0$' \
	"$CASE_OUT/verify")" 4:2 'nothing of what was seen of it is damaged'
is "$(steps_now "$job")" 'batch 0' 'and it has its steps'
run_script plain
is "$(job_field "$job" ExitCode):$(steps_now "$job")" '0:0:' \
	'one that begins is not recorded'
systemctl restart slurmd
wait_for 30 are_nodes_idle
sleep 2
check 'and slurmd starts no recorder' has_no_recorder
rm /etc/stepwell/off
systemctl restart slurmd
wait_for 20 are_recorders_there
wait_for 30 are_nodes_idle
run_script plain
is "$(steps_now "$job")" 'batch 0' 'without the file all is as before'

# The plugin's arguments, set by the administrator.
add_plugin off
pkill -x stepwell-record
systemctl restart slurmd
wait_for 30 are_nodes_idle
run_script plain --stepwell=on
is "$(job_field "$job" ExitCode):$(steps_now "$job")" '0:0:' \
	'the word off: nobody is recorded'
check 'and no recorder runs' has_no_recorder
add_plugin wait_ms=soon bogus end_wait_ms=5000
wait_for 20 are_recorders_there
run_script plain
is "$(job_field "$job" ExitCode):$(steps_now "$job")" '0:0:batch 0' \
	'words that are not known do no harm'
matches "$(cat /var/log/slurm/slurmd.log)" 'stepwell: bogus: unknown word' \
	'but are told of'

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
