# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# From 26.05 on Slurm names a job's cgroup by the job's SLUID, unless
# cgroup.conf has CgroupJobIdPaths=yes: the same job, run under both kinds of
# paths, has the same counters.  An older Slurm has one kind, and there is no
# comparison.
# timeout: 600
# Scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 18

mib=$((1 << 20))

# counted JOB: list tables and columns with a number in its profiles, one a
# line; those by task for each task.
counted()
{
	local file

	for file in $(profiles_of alice "$1"); do
		stepwell dump "$file"
	done | awk -F '\t' '
		/^# table / { split($0, word, /[ ,]/); table = word[3]
			      is_head = 1; next }
		/^$/ { is_head = 0; table = ""; next }
		is_head { split("", name)
			  for (i = 1; i <= NF; i++) name[i] = $i
			  is_head = 0; next }
		table ~ /^series/ || table == "summary" {
			for (i = 1; i <= NF; i++)
				if ($i ~ /^[0-9]/) seen[table " " name[i]]
		}
		END { for (one in seen) print one }' |
		# These depend on chance.
		grep -vE 'series\.(node|interface|mount|recorder|runnable|waits scratch)' |
		sort
}

write_script /home/alice/paths.sh <<'JOB'
#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=2 --mem=300 --time=5
cat /proc/self/cgroup
srun w_hold 40 1 4
srun -N1 -n1 w_cpu 4 1
JOB

# run_job NAME: its id is in $job, the counters in $CASE_OUT/NAME
run_job()
{
	job=$(sbatch_wait alice -o paths.out paths.sh)
	read_job alice "$job" 2
	counted "$job" >"$CASE_OUT/$1"
	is "$(of_job "$job" 'ids()')" 'batch 0 1' "$1: the job and its steps"
	is "$(of_job "$job" 'r["recording"]["backend"]')" cgroup.v2 \
		"  are read from their cgroups"
	is "$(of_job "$job" '[(s["is_armed"], s["exit_code"]) for s in
		r["steps"]]')" "[(True, 0), (True, 0), (True, 0)]" \
		'  from before they executed to their ends'
	check '  with samples on the way' \
		grep -qx 'series.memory memory.current' "$CASE_OUT/$1"
	is_between "$(of_job "$job" 'step("0")["memory"]["need_bytes"]')" \
		$((80 * mib)) $((96 * mib)) \
		'  the step needs on a node what both tasks hold'
	is_between "$(of_job "$job" \
		'round(1e6 * step("1")["cpu"]["used_core_seconds"])')" \
		4000000 6400000 '  the step on one node used its 4 s'
	check '  nothing is missing from the report' \
		test "$(of_job "$job" '[m for m in
			r["recording"].get("missing_data", [])
			if "cgroup" in m["sentence"]]')" = '[]'
}

check 'the plugin and the recorders are there' set_up_recording
run_job as_it_is
kind=$(sed -n 's|^0::.*_slurmstepd.scope/\([a-z]*_*\).*|\1|p' \
	/home/alice/paths.out)
diag "its path: $(sed -n 's/^0:://p' /home/alice/paths.out)"

if ! grep -qas CgroupJobIdPaths "$(command -v slurmd)" \
   /usr/lib/*/slurm*/*.so*; then
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		skip 'this Slurm names it by its number alone' 'by job id'
	done
else
	check 'by default the path has the SLUID' test "$kind" != job_
	on_nodes "echo CgroupJobIdPaths=yes >>/etc/slurm/cgroup.conf
		systemctl restart slurmd"
	wait_for 60 are_nodes_idle
	run_job by_job_id
	check 'and the path has the job id' \
		grep -q "slurmstepd.scope/job_$job/" /home/alice/paths.out
	is "$(diff "$CASE_OUT/as_it_is" "$CASE_OUT/by_job_id")" '' \
		'both have the same counters'
fi

finish
