# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The report at the end of a job: the files it is written to, and those it never
# is.
# timeout: 900
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

plan 53
cd /home/alice || exit
check 'the plugin and the recorders are there' set_up_recording

write_script /home/alice/data.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=200 --time=5
echo 'x,y'
sleep 3
echo '1,2'
exit 3
JOB
printf 'x,y\n1,2\n' >/root/data.csv

# run_job FILE [OPTION OF sbatch]...: FILE (%j is the job id) may contain the
# report; its text goes to $said, everything else, except Slurm's messages, to
# $rest.
run_job()
{
	local file=$1
	shift

	job=$(sbatch_wait alice "$@" "${script:-data.sh}")
	file=${file//%j/$job}
	said=$(grep '^stepwell:' "$file")
	rest=$(grep -v '^stepwell:\|^slurmstepd-n1: error: ' "$file")
}

# has_report DESCRIPTION FILE [OPTION]...
has_report()
{
	local description=$1
	shift

	run_job "$@"
	matches "$said" "^stepwell: job $job(_[0-9]+)?: .*[Ee]xit status 3" \
		"$description: the report is there"
	is "$(grep -cE 'end of the file|no end' <<<"$said")" 0 \
		'  and misses nothing of what has ended'
	is_between "$(wc -l <<<"$said")" 1 12 '  in at most 12 lines'
	is_between "$(wc -c <<<"$said")" 1 4096 '  and 4 KiB'
	is "$rest" "${wanted-$(cat /root/data.csv)}" '  behind what the job wrote'
}

# has_none DESCRIPTION FILE [OPTION]...
has_none()
{
	local description=$1
	shift

	run_job "$@"
	is "$said:$rest" ":${wanted-$(cat /root/data.csv)}" \
		"$description: what the job wrote, and no more"
	is "$(job_field "$job" ExitCode)" 3:0 '  and its exit code'
}

has_report 'the default file' slurm-%j.out
has_report '-o of the own choice' data.csv -o data.csv
has_report '-o with a pattern' data.sh-%j.out -o %x-%j.out
has_report 'both in one file of the own choice' both.out -o both.out -e both.out
wanted='' has_report 'stderr apart' apart.err -o apart.csv -e apart.err
check '  and its stdout is the same to the byte' cmp apart.csv /root/data.csv
as_user alice ln -s target.out link.out
has_report 'a link to a file' target.out -o link.out
as_user alice cp /root/data.csv more.out
wanted=$(cat /root/data.csv /root/data.csv) has_report '--open-mode=append' \
	more.out -o more.out --open-mode=append
printf 'x' >/root/x
write_script /home/alice/line.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=200 --time=5
sleep 2
printf x
exit 3
JOB
script=line.sh
wanted=x has_report 'a last line without an end' line.out -o line.out
check '  which is as it was' cmp <(head -n 1 line.out) <(echo x)
script=
as_user alice mkfifo fifo.out
cat fifo.out >/root/fifo.out &
has_none 'a FIFO' /root/fifo.out -o fifo.out
install -m 666 /dev/null foreign.out
has_none "another user's file" foreign.out -o foreign.out
mkdir full
mount -t tmpfs -o size=4k,mode=1777 none full
as_user alice sh -c 'head -c 4080 /dev/zero | tr "\\0" "\n" >full/out'
wanted=$(cat full/out /root/data.csv) has_none 'a file on a full disk' \
	full/out -w n1 -o full/out --open-mode=append
umount full
has_none 'the default file and --stepwell=quiet' slurm-%j.out --stepwell=quiet
has_none 'the default file and --stepwell=off' slurm-%j.out --stepwell=off
wanted='' has_none 'stderr apart and quiet' quiet.err -o quiet.csv \
	-e quiet.err --stepwell=quiet
run_job /dev/null -o /dev/null
is "$(job_field "$job" ExitCode)" 3:0 '/dev/null: the job is as it was'

counted=$(on_nodes "sed -n 's/^reports_\(quiet\|no_file\|foreign\|unwritable\) //p' \
	/run/stepwell/counts" | paste -sd+)
is_between "$((counted))" 5 7 'those without a report are counted'
matches "$(on_nodes stepwell doctor)" \
	'^OK +hooks .*jobs without a report: .*\(no regular error file\)' \
	'  and told by the doctor'

# The default file of an array.
array=$(sbatch_wait alice --array=2 data.sh)
matches "$(cat "/home/alice/slurm-${array}_2.out")" \
	"^stepwell: job ${array}_2: .*[Ee]xit status 3" \
	'the default file of an array'

# Two nodes: this one's recorder only knows its own part.
sed '/^sleep/c srun true' data.sh | write_script /home/alice/wide.sh
script=wide.sh
has_report 'two nodes' slurm-%j.out --nodes=2 --ntasks=2
matches "$said" '^stepwell: .*1 of 2' '  it says that it is of one'

# A silent OOM kill.
sed '/^sleep/c w_oom 600 --child --pace-ms 5; true' data.sh |
	write_script /home/alice/oom.sh
script=oom.sh
has_report 'a child killed for want of memory' slurm-%j.out \
	--export=ALL,PATH="/opt/workloads:$PATH"
matches "$said" 'w_oom' '  it names the program'

# Hostile names.
write_script /home/alice/names.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=200 --time=5
for i in {1..40}; do
	name=$'/tmp/\e[31m'"$i-"$'\nstepwell: all is well'
	cp /bin/sleep "$name"
	"$name" 0.05
	"$name" 60 &
	kill -9 $!
	rm "$name"
done 2>/dev/null
sleep 2
exit 3
JOB
script=names.sh
wanted='' has_report 'hostile names' slurm-%j.out -J $'\e[31mred\nstepwell: ok'
is "$(LC_ALL=C grep -c '[^ -~]' <<<"$said")" 0 '  nothing but plain text'
is "$(grep -c '^stepwell: all is well\|^stepwell: ok' <<<"$said")" 0 \
	'  and no line of theirs'
script=

# The administrator's argument.
add_plugin wait_ms=5000 end_wait_ms=5000 quiet
has_none "the administrator's quiet" slurm-%j.out

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
