# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of many kinds, a third of which fail in different ways, on one node and
# on two.  Each one's end report, "stepwell report" and Slurm's record are
# compared with the truth, as a table in outcomes.txt; the first line of a
# failure gives the cause.  The jobs' output is the same to the byte as without
# stepwell.
# timeout: 2400
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

cd /home/alice || exit
table=$CASE_OUT/outcomes.txt
names=()
declare -A job_of truth_of state_of words_of file_of

# write NAME: write the job's script from standard input
write()
{
	write_script "/home/alice/$1.sh"
}

# submit NAME STATE WORDS TRUTH [OPTION OF sbatch]...: STATE is a pattern, since
# releases differ in their states for out of memory; WORDS are alternatives that
# the first line must contain for a failure; "": it must report none.
submit()
{
	local name=$1
	state_of[$name]=$2 words_of[$name]=$3 truth_of[$name]=$4
	shift 4

	names+=("$name")
	file_of[$name]=$name.out
	job_of[$name]=$(as_user alice sbatch --parsable --mem=60 --time=5 \
		-o "$name.out" "$@" "$name.sh")
}

# job NAME STATE WORDS TRUTH [OPTION]...: write and submit, with the lines from
# standard input
job()
{
	{ echo '#!/bin/bash'; cat; } | write "$1"
	submit "$@"
}

check 'the plugin and the recorders are there' set_up_recording

# Jobs that take a minute come first.
job timeout TIMEOUT \
	'at its time limit|time limit of 1 min|TIMEOUT .limit 1 min' \
	'sleeps beyond its limit' \
	--time=1 -w n2 <<<'srun sleep 600'
job timeout_script TIMEOUT \
	'at its time limit|time limit of 1 min|TIMEOUT .limit 1 min' \
	'its script sleeps beyond its limit' --time=1 -w n2 <<<'sleep 600'

# These do not fail.
job echo COMPLETED '' 'prints a line' <<<'echo x,y'
job step COMPLETED '' 'one step' <<<'srun echo step'
job steps COMPLETED '' 'three steps' \
	<<<'for i in 1 2 3; do srun echo $i; done'
job wide COMPLETED '' 'a step on two nodes' -N2 <<<'srun echo x'
job wide_tasks COMPLETED '' 'two tasks on each of two nodes' -N2 \
	--ntasks-per-node=2 <<<'srun echo x'
job cpu COMPLETED '' 'computes' <<<'srun w_cpu 3 1'
job cpu_script COMPLETED '' 'computes without srun' <<<'w_cpu 3 1'
job memory COMPLETED '' 'holds memory' <<<'srun w_hold 30 1 3'
job disk COMPLETED '' 'writes a file' \
	<<<'dd if=/dev/zero of=/tmp/disk bs=64k count=200 status=none; rm /tmp/disk'
job children COMPLETED '' 'has 100 children' \
	<<<'for i in {1..100}; do /bin/true; done; echo done'
job sleeps COMPLETED '' 'waits' <<<'sleep 5'
job pipe COMPLETED '' 'a pipeline' <<<'seq 100000 | sort -n | tail -n 1'
job background COMPLETED '' 'waits for a child' <<<'sleep 3 & wait; echo done'
job parallel COMPLETED '' 'two steps at a time' -n2 \
	<<<'srun -n1 --exact sleep 2 & srun -n1 --exact sleep 3 & wait; echo done'
job answers COMPLETED '' 'tests that answer no are no failure' <<'JOB'
grep -q nothing /etc/passwd
test -e /nowhere
cmp -s /etc/passwd /etc/group
echo answered
JOB
job open_line COMPLETED '' 'its last line has no end' <<<'printf x'
job silent COMPLETED '' 'writes nothing' <<<'sleep 2'
job append COMPLETED '' 'appends to its file' --open-mode=append <<<'echo more'
job nofile COMPLETED '' 'has no output file' -o /dev/null <<<'echo gone'
file_of[nofile]=
job apart COMPLETED '' 'its errors are apart' -e apart.err <<<'echo x; sleep 1'
file_of[apart]=apart.err
job longname COMPLETED '' 'has a name of 250 characters' \
	-J "$(printf 'n%.0s' {1..250})" <<<'echo x'
job many COMPLETED '' 'runs srun 12 times' \
	<<<'for i in {1..12}; do srun true; done; echo done'
job python COMPLETED '' 'a program of python' <<<'python3 -c "print(6 * 7)"'
job other_node COMPLETED '' 'on the other node' -w n2 <<<'srun echo n2'
job array COMPLETED '' 'an element of an array' --array=4 <<<'echo element'
job stderr COMPLETED '' 'writes to both' <<<'echo out; echo err >&2'
job killed_child COMPLETED '' 'it kills its own child, on purpose' \
	<<<'sleep 600 & sleep 2; kill -9 $!; sleep 1; echo done'

# These fail.
job exit3 FAILED 'the script itself ended with this status' \
	'the script exits with 3' <<<'exit 3'
job step7 FAILED 'sh exited with 7 .step 0 on n' 'a step exits with 7' \
	<<<"srun sh -c 'exit 7'"
job segv_step FAILED 'sh was killed by SIGSEGV .step 0 on n' \
	'a task is killed by SIGSEGV' \
	<<<"srun sh -c 'kill -SEGV \$\$'"
job segv_script FAILED 'python3 was killed by SIGSEGV' \
	'a program of the script, by SIGSEGV' <<'JOB'
python3 -c 'import os; os.kill(os.getpid(), 11)'
JOB
job abort FAILED 'python3 was killed by SIGABRT.*step 0' 'a task aborts' \
	<<<"srun python3 -c 'import os; os.abort()'"
job no_command FAILED 'the batch script could not find a command' \
	'a command that does not exist' <<<'no_such_program --really'
job no_input FAILED \
	'cat exited with 1; it could not open /home/alice/missing\.fa' \
	'an input file that is missing' \
	<<<'srun cat /home/alice/missing.fa'
job no_right FAILED 'cat exited with 1; it could not open /etc/shadow' \
	'a file that may not be read' \
	<<<'cat /etc/shadow'
job no_space FAILED 'dd exited with 1; .*no space' 'a full disk' \
	<<<'dd if=/dev/zero of=/dev/full bs=4k count=1'
job exception FAILED 'python3 exited with 1 .step 0' 'an exception in python' \
	<<<'srun python3 -c "import no_such_module"'
job pipe_fails FAILED 'gzip exited with 1; it could not open .*none.gz' \
	'the first of a pipe fails' <<'JOB'
set -o pipefail
gzip -dc /home/alice/none.gz | sort | wc -l
JOB
job oom 'FAILED|OUT_OF_MEMORY' \
	'w_oom.* into the run, out of memory at its limit of 60.0 MiB' \
	'a task needs too much' \
	<<<'srun w_oom 300 --pace-ms 5'
job oom_child 'COMPLETED|OUT_OF_MEMORY' \
	'w_oom.* into the run, out of memory at its limit of 60.0 MiB' \
	'a child is killed for lack of memory, which nobody asks about' \
	<<<'w_oom 300 --child --pace-ms 5; echo done'
job cancelled CANCELLED \
	'Slurm ends a job so .*when it is cancelled|CANCELLED .by uid 1000' \
	'its user cancels it' \
	<<<'touch /tmp/cancel.me; srun sleep 600'
job wide_fails FAILED 'sh exited with 5 .step 0 on n2, task 1' \
	'a task on the other node exits with 5' \
	-N2 <<<'srun sh -c "[ \$SLURM_NODEID = 0 ] || exit 5"'
job wide_segv FAILED 'sh was killed by SIGSEGV .step 0 on n2, task 1' \
	'a task on the other node, by SIGSEGV' -N2 \
	<<<'srun sh -c "[ \$SLURM_NODEID = 0 ] || kill -SEGV \$\$"'
# The script of a heterogeneous job is in the first component.
job het_fails FAILED 'sh exited with 6 .component 1, step 0 on n' \
	'a step of the second component exits with 6' -N1 <<'JOB'
#SBATCH hetjob
#SBATCH -N1 --mem=60
srun --het-group=1 sh -c 'exit 6'
JOB
job het_segv FAILED 'sh was killed by SIGSEGV .component 1, step 0 on n' \
	'one step on both components, killed in the second' -N1 <<'JOB'
#SBATCH hetjob
#SBATCH -N1 --mem=60
srun --het-group=0,1 sh -c '[ $SLURM_PROCID = 0 ] || kill -SEGV $$'
JOB
job no_wait COMPLETED \
	'Slurm ended (srun|step 0) with the script, which did not wait' \
	'Slurm ends a step that the script did not wait for' \
	<<<'srun sleep 600 & sleep 3; echo done'
{ echo '#!/no/such/interpreter'; echo true; } | write interpreter
submit interpreter FAILED \
	'nothing was executed: the program, or the interpreter .*does not exist' \
	'an interpreter that does not exist'
job unopenable FAILED 'its output or error file could not be opened' \
	'an output file that cannot be opened' -o /nowhere/x.out <<<'echo x'
file_of[unopenable]=

# Cancelled once it runs.
has_begun()
{
	on_nodes 'ls /tmp/cancel.me 2>/dev/null; true' | grep -q cancel
}
wait_for 300 has_begun
sleep 2
as_user alice scancel "${job_of[cancelled]}"

are_all_over()
{
	local name

	for name in "${names[@]}"; do
		is_job_over "${job_of[$name]}" || return
	done
}
check 'all jobs end' wait_for 1200 are_all_over

# Print Slurm's state of a job, once it is final.
sacct_of()
{
	sacct -nXPj "$1" -o state,exitcode | tail -n 1 | tr '|' ' ' |
		sed 's/ by [0-9]*//'
}

has_final_state()
{
	sacct_of "$1" | grep -qE '^(COMPLETED|FAILED|TIMEOUT|CANCELLED|OUT_OF)'
}

# end_report NAME: print its first line; the report of a job on two nodes may
# wait for the other node.
end_report()
{
	[ -n "${file_of[$1]}" ] &&
		grep -m 1 '^stepwell: job' "${file_of[$1]}" 2>/dev/null
}

# says WHICH NAME LINE: check the words of the first line
says()
{
	local words=${words_of[$2]}

	if [ -n "$words" ]; then
		matches "$3" "$words" "$2: $1: ${truth_of[$2]}"
	elif grep -qiE 'failed|killed|SIG[A-Z]+' <<<"$3"; then
		fail "$2: $1: nothing failed"
		diag "$3"
	else
		matches "$3" '.' "$2: $1: nothing failed"
	fi
}

for name in "${names[@]}"; do
	id=${job_of[$name]}
	wait_for 60 has_final_state "$id"
	if [ -n "${file_of[$name]}" ]; then
		wait_for 60 end_report "$name"
	fi
	at_end=$(end_report "$name")
	later=$(as_user alice stepwell report --brief "$id" 2>&1 | head -n 1)
	record=$(sacct_of "$id")
	{
		echo "$name: ${truth_of[$name]}"
		echo "  sacct       $record"
		echo "  at its end  ${at_end:-(none)}"
		echo "  report      $later"
	} >>"$table"
	matches "${record%% *}" "^(${state_of[$name]})$" "$name: Slurm's state"
	[ -z "${file_of[$name]}" ] || says 'at its end' "$name" "$at_end"
	says 'report' "$name" "$later"
done
diag "$(cat "$table")"
is_between "${#names[@]}" 45 60 'so many kinds of jobs'

# Compare the output with that of the same jobs without stepwell, to the byte.
# It may be followed only by lines of the report, after a newline if it had
# none.
compare_bytes()
{
	python3 - "$1" "$2" <<'PYTHON'
import sys
plain, recorded = (open(name, "rb").read() for name in sys.argv[1:])
if not recorded.startswith(plain):
    sys.exit("it is not the same: %r, %r" % (plain, recorded))
rest = recorded[len(plain):]
if plain and not plain.endswith(b"\n"):
    if not rest.startswith(b"\n"):
        sys.exit("no newline before %r" % rest)
    rest = rest[1:]
if not rest or not rest.endswith(b"\n") or not all(
        line.startswith(b"stepwell: ") for line in rest[:-1].split(b"\n")):
    sys.exit("it is no report: %r" % rest)
PYTHON
}
same='echo step steps wide children pipe background answers open_line silent
	longname python array stderr exit3 no_input no_right'
declare -A plain_of
# nodes_of NAME: print them; srun's messages contain them
nodes_of()
{
	sacct -nXPj "${job_of[$1]}" -o nodelist | tail -n 1
}
for name in $same; do
	plain_of[$name]=$(as_user alice sbatch --parsable --mem=60 --time=5 \
		--stepwell=off -o "$name.plain" -w "$(nodes_of "$name")" \
		$([ $name != wide ] || echo -N2) \
		$([ $name != array ] || echo --array=4) "$name.sh")
done
for name in $same; do
	wait_for 300 is_job_over "${plain_of[$name]}"
	check "$name: what it wrote is as without stepwell" \
		compare_bytes "$name.plain" "$name.out"
done

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
