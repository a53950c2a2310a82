# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Common code of the cases about recorded jobs: the plugin and the recorder of
# both nodes, and access to the profiles that they deliver.  Sourced by
# cases/*.sh, after lib.sh.

profile_dir=/home/profiles

# are_recorders_there: running and listening on both nodes.
are_recorders_there()
{
	on_nodes 'pgrep -x stepwell-record && test -S /run/stepwell/recorder.sock'
}

# set_up_recording [WORD]...: profiles are delivered to a shared folder, as at a
# site.  Emulated processors are slow: by default the hooks have long timeouts,
# so that a step that is not armed has another reason; on a busy machine the
# maximum, as "stepwell report" takes seconds there.
set_up_recording()
{
	mkdir -p $profile_dir && chmod 3773 $profile_dir || return
	on_nodes "mkdir -p /var/spool/stepwell &&
		ln -sfn $profile_dir /var/spool/stepwell/profiles" || return
	[ $# -gt 0 ] || set -- wait_ms=5000 \
		end_wait_ms=$((PATIENCE > 1 ? 10000 : 5000))
	add_plugin "$@"
	wait_for 20 are_recorders_there
}

# profiles_of USER JOB: list those of all nodes and runs of the job.
profiles_of()
{
	find "$profile_dir/$(id -u "$1")" -name "*.$2.*.stepwell" \
		! -name '.*' 2>/dev/null | sort
}

has_profiles()
{
	[ "$(profiles_of "$1" "$2" | wc -l)" -ge "$3" ]
}

# newest_job: print the newest id of all users in the controller.
newest_job()
{
	scontrol -o show job | sed -n 's/^JobId=\([0-9]*\).*/\1/p' | sort -n |
		tail -n 1
}

# read_job USER JOB COUNT [NAME]: wait for COUNT profiles; then write stepwell's
# report of them, or of NAME, to $CASE_OUT/JOB.json.
read_job()
{
	wait_for "${delivery_seconds:-60}" has_profiles "$1" "$2" "$3" ||
		diag "job $2: fewer than $3 profiles: $(profiles_of "$1" "$2")"
	as_user "$1" stepwell report --json "${4:-$2}" >"$CASE_OUT/$2.json" \
		2>"$CASE_OUT/$2.err"
}

# of_job JOB EXPRESSION: in Python, on the job's report r, its step(ID), its
# task(STEP, RANK), its steps' ids() and the programs' program(NAME).
of_job()
{
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
def ids():
    return " ".join(s["id"] for s in r["steps"])
def step(id):
    return next(s for s in r["steps"] if s["id"] == id)
def tasks(id):
    return [t for t in r["tasks"] if t["step"] == id]
def task(id, rank):
    return next(t for t in tasks(id) if t["rank"] == rank)
def program(name):
    return next(t for t in r["programs"] if t["name"] == name)
print(eval("(" + sys.argv[2] + "\n)"))' "$CASE_OUT/$1.json" "$2" 2>&1 | tail -n 1
}

# cells FILE TABLE COLUMN [COLUMN]...: print those of each row of the profile.
cells()
{
	local file=$1 table=$2
	shift 2

	stepwell dump "$file" | awk -F '\t' -v table="$table" \
		-v names="$*" '
		BEGIN { count = split(names, name, " ") }
		/^# table / { split($0, word, /[ ,]/)
			      is_here = word[3] == table; is_head = 1; next }
		/^$/ { is_here = 0 }
		is_here && is_head {
			for (i = 1; i <= NF; i++)
				for (j = 1; j <= count; j++)
					if ($i == name[j])
						at[j] = i
			is_head = 0
			next
		}
		is_here {
			for (j = 1; j <= count; j++)
				printf "%s%s", at[j] ? $at[j] : "?",
					j < count ? " " : "\n"
		}'
}

# profile_now JOB: print the newest one of this node, in the spool until it is
# delivered; nothing if the job is not recorded.
profile_now()
{
	# A user has few folders, and names of profiles are plain.
	# shellcheck disable=SC2012
	ls -t /var/spool/stepwell/node/*."$1".*.stepwell \
		/var/spool/stepwell/node/*."$1".*.stepwell.part \
		"$profile_dir"/*/*."$1".*."$(hostname)".stepwell \
		2>/dev/null | head -n 1
}

# steps_now JOB: print the names of its steps recorded on this node.
steps_now()
{
	local file

	file=$(profile_now "$1")
	[ -z "$file" ] || cells "$file" steps step_id | paste -sd' '
}

# write_data_job: write the job of the cases about faults to alice's home, where
# these cases run.  It writes data.csv and exits with 7.
write_data_job()
{
	write_script /home/alice/data.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=100 --time=5
echo 'x,y'
srun sleep 6
echo "1,$?"
exit 7
JOB
	printf 'x,y\n1,0\n' >/root/data.csv
}

# start_job: submit it to n1; its id is in $job.
start_job()
{
	job=$(as_user alice sbatch --parsable -w n1 -o data.csv data.sh)
}

is_running()
{
	pgrep -u alice -x sleep
}

# end_job DESCRIPTION: the job has ended, as if nothing had happened.
end_job()
{
	wait_for 90 is_job_over "$job"
	is "$(job_field "$job" JobState):$(job_field "$job" ExitCode)" \
		FAILED:7:0 "$1: the job ends as it would"
	check '  its output is the same to the byte' cmp \
		<(sed '/^stepwell: job /,$d' data.csv) /root/data.csv
	check '  and the node is idle, not drained' wait_for 30 are_nodes_idle
}

# slurmd starts a recorder if there is none.
start_recorder()
{
	systemctl restart slurmd
	wait_for 20 are_recorders_there
	wait_for 30 are_nodes_idle
}

# delivered: the job has exactly one profile from n1.
delivered()
{
	read_job alice "$job" 1
	is "$(profiles_of alice "$job" | wc -l)" 1 '  one profile is delivered'
	check '  and sound' stepwell verify "$(profiles_of alice "$job")"
}
