# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A site with PrologFlags=contain: each job has an extern step on each node,
# from before its first step until its end.
# timeout: 400
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

plan 11
on_nodes "echo 'PrologFlags=contain' >/etc/slurm/local.conf"
systemctl restart slurmctld
check 'the plugin and the recorders are there' set_up_recording

write_script /home/alice/pause.sh <<'JOB'
#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --mem=100 --time=5
srun true
sleep 40
srun true
exit 2
JOB
job=$(sbatch_wait alice -o pause.out pause.sh)
begin=$SECONDS
read_job alice "$job" 2
is_between $((SECONDS - begin)) 0 20 'profiles are there soon after the end'
is "$(profiles_of alice "$job" | wc -l)" 2 'one for each node'
is "$(of_job "$job" 'sorted(s["id"] for s in r["steps"])')" \
	"['0', '1', 'batch', 'extern']" 'each has all steps, and the keeper'
is "$(of_job "$job" '[(step(i)["nodes_recorded"], step(i)["exit_code"])
	for i in ("extern", "0", "1")]')" '[(2, 0), (2, 0), (2, 0)]' \
	'on both nodes'
is "$(of_job "$job" 'r["job"]["exit_code"], step("batch")["exit_code"]')" \
	'(2, 2)' 'the job has the end of its script'
is "$(of_job "$job" 'sorted((t["step"], t["rank"], t["node"])
	for t in r["tasks"] if t["step"] in "01")')" \
	"[('0', 0, 'n1'), ('0', 1, 'n2'), ('1', 0, 'n1'), ('1', 1, 'n2')]" \
	'its tasks are where they were'
is "$(of_job "$job" 'step("extern")["elapsed_seconds"] >= 40 and
	{n["name"] for n in r["nodes"] if n["elapsed_seconds"] >= 40} ==
	{"n1", "n2"}')" True 'and it lasted as long on both'

as_user alice srun -N2 true
job=$(newest_job)
begin=$SECONDS
read_job alice "$job" 2
is_between $((SECONDS - begin)) 0 20 'srun alone: as soon'
is "$(of_job "$job" 'sorted(s["id"] for s in r["steps"])')" "['0', 'extern']" \
	'a step and the keeper'
check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
