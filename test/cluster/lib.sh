# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Common code of the cases on the cluster.  Sourced by cases/*.sh, which run on
# n1 as root; check-cluster provides
#	CASE_OUT	a folder writable by everybody; it is copied back
#	LIB		this file
#	PATIENCE	factor for all timeouts
# and a separate cluster for each, so that a case need not clean up.

# shellcheck source=SCRIPTDIR/../vm/lib.sh
. "${LIB%/*}/assert.sh"

# as_user USER COMMAND...: run in that user's home, with a clean environment.
as_user()
{
	local user=$1
	shift

	# shellcheck disable=SC2016
	setpriv --reuid "$user" --regid "$user" --init-groups --reset-env \
		-- bash -c 'cd && PATH=/opt/workloads:$PATH exec "$@"' bash "$@"
}

# on_node [-u USER] NODE COMMAND...: run as root, or USER.  A single word is a
# line for bash.
on_node()
{
	/usr/local/lib/stepwell/channel.py on '' -n "$@"
}

# on_nodes COMMAND...: run on both, n1 first.
on_nodes()
{
	local node

	for node in n1 n2; do
		on_node $node "$@" || return
	done
}

# wait_for SECONDS COMMAND...: retry until it succeeds; fails after that time,
# multiplied by PATIENCE.
wait_for()
{
	local deadline=$((SECONDS + $1 * PATIENCE))
	shift

	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $deadline ] || return 1
		sleep 0.3
	done
}

# job_field JOBID NAME: print a field of the controller's job record.
job_field()
{
	scontrol -o show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" |
		head -n 1
}

is_job_over()
{
	case $(job_field "$1" JobState) in
	'' | PENDING | RUNNING | SUSPENDED | COMPLETING | CONFIGURING) return 1 ;;
	esac
}

# sbatch_wait USER [OPTION OF sbatch]...: print the job id once the job has
# ended and its steps are gone; gives up after $sbatch_seconds.
sbatch_wait()
{
	local user=$1 job
	shift

	job=$(as_user "$user" sbatch --parsable "$@") || return
	echo "$job"
	wait_for "${sbatch_seconds:-120}" is_job_over "$job"
}

are_nodes_idle()
{
	[ "$(sinfo -h -t idle -o %n | wc -l)" -eq 2 ]
}

# write_script FILE: write a job script from standard input, readable by all.
write_script()
{
	cat >"$1"
	chmod 755 "$1"
}

# add_plugin [WORD]...: do what an administrator does on each node: create a
# folder for the users' profiles and add a line to plugstack.conf, with these
# arguments of the plugin.  Emulated processors respond late, so both timeouts
# are long.
add_plugin()
{
	on_nodes "groupadd -r stepwell
		install -d -o root -g stepwell -m 3773 $profile_dir &&
		echo 'optional stepwell.so wait_ms=2000 end_wait_ms=2000 $*' \
			>/etc/slurm/plugstack.conf.d/stepwell.conf &&
		systemctl restart slurmd"
	wait_for 30 are_nodes_idle
}

profile_dir=/var/spool/stepwell/profiles

# profile_of NODE USER JOB: print the path of the profile delivered by the
# node's recorder; fails if none arrives in 30 s.
profile_of()
{
	local pattern
	pattern="$profile_dir/$(id -u "$2")/test.$3.*.$1.stepwell"

	wait_for 30 on_node "$1" "ls $pattern" && on_node "$1" "echo $pattern"
}

# rows NODE PROFILE TABLE COLUMN...: print them, one a line, "-" for a missing
# value
rows()
{
	local node=$1 profile=$2 table=$3
	shift 3

	on_node "$node" stepwell dump "$profile" |
		awk -F '\t' -v table="$table" -v columns="$*" '
		/^# table / { split($0, word, /[ ,]/)
			      is_here = word[3] == table; is_head = 1; next }
		/^$/ { is_here = 0 }
		is_here && is_head { for (i = 1; i <= NF; i++) place[$i] = i
				     count = split(columns, name, " ")
				     is_head = 0; next }
		is_here { line = ""
			  for (i = 1; i <= count; i++)
				  line = line (i > 1 ? " " : "") $place[name[i]]
			  print line }'
}
